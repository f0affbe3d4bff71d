"""Programs in artefacts, run with mocks of the vendors' packages, and compared with `nopt run` by `nopt compare`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from forked_commands import Folder

SECONDS = 60


def run_script(
    build: Path, script: str, mock: Path | None, *arguments: str, python: Path | str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """Runs a program of an artefact in the folder of its build. `mock`: the folder of the mock packages that it imports."""
    command = [str(python), str(build / "artefact" / script), *arguments]
    paths = {} if mock is None else {"PYTHONPATH": str(mock)}
    return subprocess.run(command, cwd=build, env=paths, capture_output=True, text=True, check=False)


def verify_script(
    build: Path,
    script: str,
    mock: Path | None,
    inputs: dict[str, Any],
    records: Sequence[str] = (),
    *more: str,
    python: Path | str = sys.executable,
) -> dict[str, np.ndarray]:
    """Runs a program and `nopt run` with one input and the same records, and `nopt compare` on both files. Returns the arrays."""
    np.savez(build / "in.npz", **inputs)
    options = ["--record", ",".join(records)] if records else []
    done = run_script(build, script, mock, "in.npz", "out.npz", *options, *more, python=python)
    assert done.returncode == 0, done.stderr
    folder = Folder(build, SECONDS)
    ran = folder.run(("run", ".", "--input", "in.npz", *options, "-o", "run.npz"))
    assert ran.code == 0, ran.said
    compared = folder.run(("compare", "out.npz", "run.npz"))
    assert compared.code == 0, compared.said
    with np.load(build / "run.npz") as arrays:
        return dict(arrays)

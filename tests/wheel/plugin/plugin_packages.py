"""The example of a plug-in, `examples/plugin_target`, installed for a test as pip leaves it: the package and its `.dist-info` in a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from places import EXAMPLES

EXAMPLE = EXAMPLES / "plugin_target"

Command = Callable[..., subprocess.CompletedProcess[str]]
Install = Callable[..., Command]


def run(*words: str | Path, folder: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(folder)},
        cwd=folder,
        timeout=120,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


def add_metadata(folder: Path, name: str, point: str) -> None:
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[nopt.targets]\n{point}\n", encoding="utf-8")


def copy_package(folder: Path, edit: Callable[[Path], None] = lambda package: None) -> None:
    """Copies the example into a folder after an edit, with the metadata of an installed package."""
    package = folder / "tally_chip"
    shutil.copytree(EXAMPLE / "tally_chip", package, ignore=shutil.ignore_patterns("__pycache__"))
    edit(package)
    add_metadata(folder, "nopt-tally", "tally = tally_chip.target:TARGET")

"""`make engines`: every network as functions for IREE, compiled for the processor and compared with the reference.

Integers and spikes equal the reference in every bit, reals in all but `MOST` of the entries. Without IREE everything is skipped, with the reason.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from places import ROOT

sys.path.insert(0, str(ROOT / "tests" / "property" / "kernels"))

from cases import Case, examples, generated, inputs_of, published

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

PACKAGES = ("iree-base-compiler==3.13.0", "iree-base-runtime==3.13.0", "numpy")
MOST = 1e-4
"""Share of the entries of an output of a network with reals that may differ."""
MINUTES = 10
"""Time limit of one run, and of the installation."""


def environment(folder: Path) -> Path | str:
    """Returns the interpreter of an environment with IREE, or the reason why there is none."""
    python = folder / "bin" / "python"
    if not python.exists():
        try:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
        except (OSError, subprocess.SubprocessError) as error:
            return f"no environment: {error}"
    try:
        install = [python, "-m", "pip", "install", "--quiet", *PACKAGES]
        subprocess.run(install, check=True, capture_output=True, timeout=60 * MINUTES)
    except (OSError, subprocess.SubprocessError) as error:
        return f"IREE cannot be installed: {error}"
    return python


def compared(case: Case, python: Path, folder: Path) -> tuple[int, int, bool]:
    """Returns the entries that differ, all entries, and whether the network computes in integers."""
    build = folder / "build"
    options: Any = dict(case.options)
    nopt.compile(case.network, target="linalg", out=build, diagnostics=Diagnostics(), **options)
    manifest = json.loads((build / "artefact" / "manifest.json").read_text(encoding="utf-8"))
    rows = [{"name": one["name"], "shape": one["shape"][2:]} for one in manifest["arguments"] if one["role"] == "input"]
    inputs = inputs_of(case, {"inputs": rows})
    wanted = nopt.execute(build, inputs, model="reference", diagnostics=Diagnostics()).arrays
    given, made = folder / "given", folder / "made"
    if len(inputs) == 1:
        given = given.with_suffix(".npy")
        np.save(given, next(iter(inputs.values())))
    else:
        given.mkdir()
        for name, values in inputs.items():
            np.save(given / f"{name}.npy", values)
    command = [python, build / "artefact" / "run.py", given, made]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-2000:])
    found = {name: np.load(made / f"{name}.npy" if made.is_dir() else made) for name in wanted}
    different = sum(
        int(np.count_nonzero(found[name].astype(values.dtype) != values)) for name, values in wanted.items()
    )
    types = {one["dtype"] for side in ("arguments", "results") for one in manifest[side]}
    return different, sum(values.size for values in wanted.values()), not types & {"f4", "f8"}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--environment", type=Path, required=True)
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    python = environment(args.environment)
    if isinstance(python, str):
        print(f"skipped: {python}")
        return 0
    failed: list[str] = []
    equal = entries = different = 0
    cases = [one for one in (*examples(), *published(args.shared), *generated(args.networks)) if args.only in one.name]
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                differ, size, is_integer = compared(case, python, Path(folder))
            except (RuntimeError, Refused, subprocess.SubprocessError) as error:
                line = f"failed: {error}"
                failed.append(f"{case.name}: {error}")
            else:
                equal, entries, different = equal + (not differ), entries + size, different + differ
                line = f"{differ} of {size} entries differ"
                if differ > (0 if is_integer else MOST * size):
                    failed.append(f"{case.name}: {line}")
            print(f"{case.name:32} iree llvm-cpu     {line}", flush=True)
    print(f"\n{len(cases)} networks, {equal} equal in every bit; {different} of {entries} entries differ")
    for line in failed:
        print(f"failed: {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

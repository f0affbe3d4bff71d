"""A fresh environment with the frameworks of `nopt import`, and nopt from a wheel of this tree.

The frameworks are those of `environments.IMPORTS`, which the fresh environment reads. nopt itself is installed from a wheel, so that the tests need
no file of the tree.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
OTHERS = (".*", "build", "tests", "lit-tests", "docs", "examples", "benchmarks", "*.egg-info", "__pycache__")
"""Parts of the tree that a wheel does not contain."""


def create_environment(python: Path, folder: Path) -> dict[str, str]:
    """Creates the environment in `folder`, next to the packages of the interpreter `python`. Returns its environment variables."""
    where = "import site; print(site.getsitepackages()[0])"
    packages = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = folder / "source"  # a copy, since an older build of the tree would be a part of the wheel
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(*OTHERS))
    run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels), str(source)])
    venv.create(folder / "env", with_pip=False, symlinks=True)
    program = folder / "env" / "bin" / "python"
    own = subprocess.run([program, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    Path(own, "frameworks.pth").write_text(f"{packages}\n", encoding="utf-8")
    run([*pip, "--python", str(program), "install", "--no-deps", "--no-index", *map(str, wheels.glob("*.whl"))])
    kept = {
        name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    }
    return kept | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:6])}: {done.stderr[-2000:]}")

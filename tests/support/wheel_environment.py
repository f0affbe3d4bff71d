"""A fresh environment with nopt from a wheel of this tree, next to the packages of another environment.

No file of the tree is on its path, so a command that works there works after `pip install nopt`. The other packages are those of the tests, or the
frameworks of `nopt import`.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import venv
from collections.abc import Iterable
from importlib.metadata import entry_points
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

from places import ROOT

OTHERS = (".*", "build", "tests", "lit-tests", "docs", "examples", "benchmarks", "*.egg-info", "__pycache__")
"""Parts of the tree that a wheel does not contain."""
BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"
"""Builds a wheel of the current folder as `pip wheel` does, in one process instead of four. Source: PEP 517."""


def create_environment(python: Path, folder: Path) -> Path:
    """Creates the environment in `folder`, next to the packages of the interpreter `python`. Returns the folder of its programs."""
    where = "import site; print(site.getsitepackages()[0])"
    packages = subprocess.run([python, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    wheels = folder / "wheels"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    source = folder / "source"  # a copy, since an older build of the tree would be a part of the wheel
    shutil.copytree(ROOT, source, symlinks=True, ignore=shutil.ignore_patterns(*OTHERS))
    wheels.mkdir()
    run([sys.executable, "-c", BUILD, str(wheels)], source)
    venv.create(folder / "env", with_pip=False, symlinks=True)
    program = folder / "env" / "bin" / "python"
    own = subprocess.run([program, "-c", where], capture_output=True, text=True, check=True).stdout.strip()
    Path(own, "packages.pth").write_text(f"{packages}\n", encoding="utf-8")
    install = ["--python", str(program), "install", "--no-compile", "--no-deps", "--no-index"]
    run([*pip, *install, *map(str, wheels.glob("*.whl"))])
    copy_bytecode(Path(own) / "nopt")
    return program.parent


def copy_bytecode(package: Path) -> None:
    """Writes the bytecode of the tree for modules with the same text; Python compiles the others when they are imported."""
    for path in package.rglob("*.py"):
        source = ROOT / "src" / "nopt" / path.relative_to(package)
        code = Path(cache_from_source(str(source)))
        if not (source.is_file() and code.is_file()) or source.read_bytes() != path.read_bytes():
            continue
        data = code.read_bytes()
        if data.startswith(head_of(source)):  # it is up to date
            place = Path(cache_from_source(str(path)))
            place.parent.mkdir(exist_ok=True)
            place.write_bytes(head_of(path) + data[len(head_of(path)) :])


def head_of(path: Path) -> bytes:
    """Returns the first bytes of the bytecode of a module. Source: PEP 552."""
    status = path.stat()
    return MAGIC_NUMBER + struct.pack("<III", 0, int(status.st_mtime) & 0xFFFFFFFF, status.st_size & 0xFFFFFFFF)


def variables_of(*folders: Path) -> dict[str, str]:
    """Returns the variables of a shell that finds the programs of these folders first."""
    removed = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    return kept | {"PATH": os.pathsep.join([*map(str, folders), os.environ["PATH"]]), "NO_COLOR": "1"}


def add_scripts(programs: Path, names: Iterable[str]) -> None:
    """Writes console scripts of the packages of the tests to the programs of an environment, as pip does."""
    for point in entry_points(group="console_scripts"):
        if point.name in names:
            script = programs / point.name
            program = f"#!{script.with_name('python')}\nimport sys\nfrom {point.module} import {point.attr}\nsys.exit({point.attr}())\n"
            script.write_text(program, encoding="utf-8")
            script.chmod(0o755)


def run(command: list[str], folder: Path | None = None) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:6])}: {done.stderr[-2000:]}")

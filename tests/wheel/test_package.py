"""The package `nopt` as Python, editors and type checkers see it: one package, each module under one name, in a checkout and from a wheel."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

from nopt.core import registry

USE = """
import numpy as np
import nopt
from nopt.dialects.nir import LIFOp

arrays: dict[str, np.ndarray] = nopt.run(nopt.read("net.nir"), "x.npy", ticks=3)
op: type[LIFOp] = LIFOp
wrong_argument = nopt.run("net.nir", "x.npy", ticks="3")
wrong_name = nopt.runn
wrong_type: type[LIFOp] = nopt.run
"""
WRONG = [line for line, text in enumerate(USE.splitlines(), 1) if text.startswith("wrong")]
ERROR = re.compile(r"use\.py:(\d+)(?::\d+ -|:) error")
CHECKERS = {"mypy": "--python-executable", "basedpyright": "--pythonpath"}
"""The option of each type checker for the interpreter whose packages it reads."""
FILES = """
import importlib.util, sys
specs = [importlib.util.find_spec(name) for name in sys.argv[1:]]
print(*(spec.origin for spec in specs if spec), sep="\\n")
"""
MODULES = """
import pkgutil, sys
import nopt
for module in pkgutil.walk_packages(nopt.__path__, "nopt."):
    if module.name != "nopt.__main__":
        __import__(module.name)
print(*(module.__file__ for module in list(sys.modules.values()) if getattr(module, "__file__", None)), sep="\\n")
"""


def files_of(python: Path, script: str, *names: str, folder: Path) -> list[Path]:
    """Returns the files that a script prints."""
    output = subprocess.check_output([python, "-c", script, *names], text=True, cwd=folder)
    return [Path(line).resolve() for line in output.splitlines() if line]


@pytest.fixture(params=["checkout", "wheel"])
def python(request: pytest.FixtureRequest) -> Path:
    """Returns an interpreter that imports nopt from the checkout, or from a wheel."""
    if request.param == "checkout":
        return Path(sys.executable)
    programs: Path = request.getfixturevalue("wheel_programs")
    return programs / "python"


@pytest.mark.parametrize("checker", CHECKERS)
def test_type_checkers_resolve_the_package(checker: str, python: Path, tmp_path: Path) -> None:
    """They report each wrong line of a script, and no other. They would not if a module were missing or a type unknown."""
    program = shutil.which(checker, path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if program is None:
        pytest.skip(f"{checker} is not installed (pip install {checker})")
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    command = [program, CHECKERS[checker], str(python), "use.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert [int(line) for line in ERROR.findall(done.stdout)] == WRONG, done.stdout + done.stderr


def test_a_wheel_is_used_within_a_checkout(wheel_programs: Path) -> None:
    (package,) = files_of(wheel_programs / "python", FILES, "nopt", folder=ROOT)
    assert not package.is_relative_to(ROOT)


def test_rooms_are_no_packages_of_their_own(python: Path, tmp_path: Path) -> None:
    """Python would import a module a second time under a second name, with other classes."""
    assert not files_of(python, FILES, *registry.ROOMS, folder=tmp_path)


def test_each_file_of_a_checkout_is_one_module(tmp_path: Path) -> None:
    rooms = [ROOT / room for room in registry.ROOMS]
    files = [path for path in files_of(Path(sys.executable), MODULES, folder=tmp_path) if {*rooms} & {*path.parents}]
    assert sorted(files) == sorted(path for room in rooms for path in room.rglob("*.py"))

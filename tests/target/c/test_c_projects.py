"""The files of build systems: CMake builds and tests them, and the Arduino library compiles as C++ and C."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from places import EXAMPLES
from programs import needs_compiler

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

pytestmark = needs_compiler
BARS = EXAMPLES / "bars"


def compiled(project: str, folder: Path) -> Path:
    x = np.load(BARS / "input.npy")
    choices = {"dt": "1ms", "like": "sinabs", "set": [f"c.project={project}"], "diagnostics": Diagnostics()}
    nopt.compile(BARS / "bars.nir", target="c/generic", calib=x, out=folder, **choices)
    return folder / "artefact"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake on the path")
def test_cmake_builds_and_checks(tmp_path: Path) -> None:
    artefact = compiled("cmake", tmp_path / "a")
    for command in (["cmake", "-S", artefact, "-B", tmp_path / "b"], ["cmake", "--build", tmp_path / "b"], ["ctest"]):
        done = subprocess.run(
            command, cwd=tmp_path / "b" if command == ["ctest"] else tmp_path, capture_output=True, check=False
        )
        assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert b"1 tests passed" in done.stdout or b"100% tests passed" in done.stdout


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++ on the path")
def test_the_arduino_library_compiles(tmp_path: Path) -> None:
    """The sketch is C++ without a main function; Arduino compiles each file of `src`."""
    artefact = compiled("arduino", tmp_path / "a")
    (tmp_path / "main.cpp").write_text(
        f'#include "{artefact}/examples/net/net.ino"\nint main() {{ setup(); loop(); return 0; }}\n', encoding="utf-8"
    )
    objects = []
    for path in sorted((artefact / "src").glob("*.c")):
        objects.append(tmp_path / f"{path.stem}.o")
        subprocess.run(["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-c", path, "-o", objects[-1]], check=True)
    flags = ["-Wall", "-Wextra", "-Werror", "-I", artefact / "src"]
    subprocess.run(["g++", *flags, tmp_path / "main.cpp", *objects, "-o", tmp_path / "main", "-lm"], check=True)
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0

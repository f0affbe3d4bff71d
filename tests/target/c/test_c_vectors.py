"""Test vectors of a compiled directory: the program that checks them accepts the network and notices a changed number."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
from places import EXAMPLES, GOLDENS
from programs import COMPILERS, STRICT, needs_compiler

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

pytestmark = needs_compiler
BARS = EXAMPLES / "bars"
EXPONENTIAL = GOLDENS / "tools" / "inputs" / "exponential.mlir"


def check(folder: Path) -> tuple[int, str]:
    """Compiles the program with all warnings, and returns its exit code and output."""
    command = [COMPILERS[0], *STRICT, "-ffp-contract=off", "-O1", "vectors.c", "net.c", "-o", "check", "-lm"]
    subprocess.run(command, cwd=folder / "artefact", check=True)
    done = subprocess.run(["./check"], cwd=folder / "artefact", capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_vectors_agree_and_notice_a_change(tmp_path: Path) -> None:
    x = np.load(BARS / "input.npy")
    nopt.compile(
        BARS / "bars.nir", target="c", dt="1ms", like="sinabs", calib=x, out=tmp_path / "a", diagnostics=Diagnostics()
    )
    assert check(tmp_path / "a") == (0, "ok: 28 ticks\n")
    source = tmp_path / "a" / "artefact" / "net.c"
    source.write_text(source.read_text().replace("-0.25f, -0.25f", "0.25f, 0.25f"))
    code, text = check(tmp_path / "a")
    assert code == 1
    assert re.fullmatch(r"tick \d+ differs from the model\n", text)


def test_last_bits_of_a_library_are_tolerated(tmp_path: Path) -> None:
    """A step that computes `exp` is compared with a tolerance, because its last bits are those of the C library."""
    text = (
        EXPONENTIAL.read_text(encoding="utf-8").replace("<spike>", "<value>").replace("tensor<2xi1>", "tensor<2xf64>")
    )
    module = nopt.parse(text.replace("emit %z, %v_2 : i1, f64", "emit %v_2, %v_2 : f64, f64"))
    x = np.linspace(0, 2, 40).reshape(20, 2).astype(np.float32)
    nopt.compile(module, target="c", calib=x, out=tmp_path / "a", diagnostics=Diagnostics())
    assert "differs" in (tmp_path / "a" / "artefact" / "vectors.c").read_text()
    assert check(tmp_path / "a") == (0, "ok: 20 ticks\n")

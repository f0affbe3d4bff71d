"""The script of the artefact multiplies in aihwkit by the matrix of a layer, with the converters and the cells of the device."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

MINUTES = 5
INPUTS, OUTPUTS = 40, 12


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    """Returns a compiled layer, and its weights."""
    folder = tmp_path_factory.mktemp("script")
    weights = np.random.default_rng(2).integers(-31, 32, (OUTPUTS, INPUTS))
    weights[0, 0] = 31
    text = f"""ntensor.network @net("x" %x: tensor<{INPUTS}xi4>) -> ("y": tensor<{OUTPUTS}xi16>) attributes {{tick_ns = 1000000 : i64}} {{
  %y = ntensor.linear "fc" %x {{weight = #nopt.array<{weights.tolist()} : tensor<{OUTPUTS}x{INPUTS}xi8>>, quantized = #ntensor.quantized<6, #nopt.array<1.0 : tensor<f64>>>}} : tensor<{INPUTS}xi4> -> tensor<{OUTPUTS}xi16>
  ntensor.output %y : tensor<{OUTPUTS}xi16>
}}
"""
    (folder / "net.mlir").write_text(text)
    nopt.compile(folder / "net.mlir", out=folder / "build", target="memxbar", diagnostics=Diagnostics())
    return folder / "build" / "artefact", weights


def run_script(built: Path, python: Path, x: Any, folder: Path, *options: str) -> Any:
    """Returns the products that the script computes."""
    np.savez(folder / "in.npz", x=x)
    call = [str(python), "run_aihwkit.py", "fc", str(folder / "in.npz"), str(folder / "out.npz"), *options]
    done = subprocess.run(call, cwd=built, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return np.load(folder / "out.npz")["y"]


def test_the_script_multiplies_by_the_matrix(
    built: tuple[Path, Any], python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, weights = built
    x = np.random.default_rng(3).integers(-8, 8, (20, INPUTS))
    wanted = x @ weights.T
    perfect = run_script(folder, python_of("aihwkit"), x, tmp_path, "--perfect")
    assert np.allclose(perfect, wanted, atol=0.01)
    converted = run_script(folder, python_of("aihwkit"), x, tmp_path)
    aged = run_script(folder, python_of("aihwkit"), x, tmp_path, "--seconds", "86400")
    errors = [np.abs(found - wanted).mean() / np.abs(wanted).mean() for found in (perfect, converted, aged)]
    assert errors[0] < errors[1] < 0.5
    assert errors[2] > errors[0]

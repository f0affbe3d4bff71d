"""The script of the artefact computes its layers in aihwkit, with the converters and the cells of the device."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import EXAMPLES

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
    call = [str(python), "run_aihwkit.py", str(folder / "in.npz"), str(folder / "out.npz"), *options]
    done = subprocess.run(call, cwd=built, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return np.load(folder / "out.npz")["fc"]


def test_the_script_multiplies_by_the_matrix(
    built: tuple[Path, Any], python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    folder, weights = built
    x = np.random.default_rng(3).integers(-8, 8, (20, INPUTS))
    wanted = x @ weights.T
    perfect = run_script(folder, python_of("aihwkit"), x, tmp_path, "--perfect")
    assert np.array_equal(perfect, wanted)
    converted = run_script(folder, python_of("aihwkit"), x, tmp_path)
    aged = run_script(folder, python_of("aihwkit"), x, tmp_path, "--seconds", "86400")
    errors = [np.abs(found - wanted).mean() / np.abs(wanted).mean() for found in (perfect, converted, aged)]
    assert errors[0] < errors[1] < 0.5
    assert errors[2] > errors[0]


def test_the_layers_of_a_trained_network_equal_those_of_nopt_run(
    python_of: Callable[[str], Path], tmp_path: Path
) -> None:
    """Two convolutions and a dense layer, read by the samples and ticks that `nopt run` recorded."""
    build, x = tmp_path / "build", np.random.default_rng(0).random((4, 16, 1, 8, 8)) < 0.3
    options = {"dt": "1ms", "like": "sinabs", "approximate": "all", "calib": x, "diagnostics": Diagnostics()}
    nopt.compile(EXAMPLES / "digits" / "conv.nir", out=build, target="memxbar/aihwkit", **options)
    network = json.loads((build / "artefact" / "network.json").read_text())["network"]
    layers = [op["node"] for op in network["body"] if op["op"] in ("memxbar.dense", "memxbar.convolution")]
    nodes = [op["node"] for op in network["body"] if "node" in op and op["node"] not in layers]
    assert len(layers) == 3
    arrays = nopt.run(build, x, record=[*nodes, *layers], diagnostics=Diagnostics())
    (name,) = network["arguments"]
    np.savez(build / "in.npz", **{name: x, **{node: arrays[node] for node in nodes}})
    call = [str(python_of("aihwkit")), str(build / "artefact" / "run_aihwkit.py"), "in.npz", "out.npz", "--perfect"]
    done = subprocess.run(call, cwd=build, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    comparison = nopt.compare(build / "out.npz", {layer: arrays[layer] for layer in layers}, samples=True)
    assert comparison.equal, comparison
    assert all(arrays[layer].any() for layer in layers)

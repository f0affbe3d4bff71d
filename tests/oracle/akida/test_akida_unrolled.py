"""Recurrent networks that are unrolled over a frame: BrainChip's akida computes the values of every layer, and so the spikes of each tick."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nir
import numpy as np
import pytest
from test_akida_trained import compared

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

TICKS = 4


def recurrent(rng: np.random.Generator) -> nir.NIRGraph:
    """Returns six leaky neurons with a loop, and two that integrate. Weights and thresholds are small integers."""
    one = np.ones(6, np.float32)
    still = {"v_reset": 0 * one, "v_leak": 0 * one}
    nodes = {
        "in": nir.Input({"input": np.array([4])}),
        "fc": nir.Affine(rng.integers(-2, 5, (6, 4)).astype(np.float32), rng.integers(-1, 2, 6).astype(np.float32)),
        "lif": nir.LIF(tau=one * 0.002, r=one * 2, v_threshold=one * 4, **still),
        "rec": nir.Linear(rng.integers(-3, 4, (6, 6)).astype(np.float32)),
        "fc2": nir.Linear(rng.integers(-2, 5, (2, 6)).astype(np.float32)),
        "if": nir.IF(r=one[:2], v_threshold=3 * one[:2], v_reset=0 * one[:2]),
        "output": nir.Output({"output": np.array([2])}),
    }
    edges = [
        ("in", "fc"),
        ("fc", "lif"),
        ("lif", "rec"),
        ("rec", "lif"),
        ("lif", "fc2"),
        ("fc2", "if"),
        ("if", "output"),
    ]
    return nir.NIRGraph(nodes, edges, type_check=False)


@pytest.mark.parametrize("seed", range(6))
def test_unrolled_layers_have_the_values_of_the_software_backend(
    seed: int, tmp_path: Path, python_of: Callable[[str], Path]
) -> None:
    python, rng = python_of("akida"), np.random.default_rng(seed)
    module, x = nopt.from_nir(recurrent(rng), diagnostics=Diagnostics()), rng.random((100, TICKS, 4)) < 0.5
    steps = (
        "ntensor-quantize-inputs{kind=spike}",
        f"ntensor-unroll-ticks{{window={TICKS}}}",
        "ntensor-quantize-weights{bits=4 per=neuron}",
    )
    build = tmp_path / "build"
    nopt.compile(
        module,
        target="akida/akd1000",
        out=build,
        passes=",".join(steps),
        dt="1ms",
        like="norse",
        reset="subtract",
        diagnostics=Diagnostics(),
    )
    compared(build, x, tmp_path / "tool", python)

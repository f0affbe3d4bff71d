"""The record of a mapping grows as the neurons, whatever the number of cores that read one source."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
from counted_work import exponent

import nopt.api as nopt

SLICE = 64
MOST_EXPONENT = 1.5


def image_map(side: int) -> nir.NIRGraph:
    """Returns a convolution of an image, and a neuron for each pixel."""
    ones, rng = np.ones((1, side, side)), np.random.default_rng(0)
    kernel = rng.normal(0, 0.3, (1, 1, 3, 3)).astype(np.float32)
    nodes = {
        "input": nir.Input(np.array([1, side, side])),
        "conv": nir.Conv2d((side, side), kernel, 1, 1, 1, 1, np.zeros(1)),
        "lif": nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones),
        "output": nir.Output(np.array([1, side, side])),
    }
    return nir.NIRGraph(nodes, [("input", "conv"), ("conv", "lif"), ("lif", "output")])


def mapping_bytes(folder: Path, side: int) -> int:
    """Returns the size of the record of a mapping."""
    out = folder / str(side)
    nopt.compile(
        image_map(side),
        out=out,
        target="loihi2",
        set=[f"core.neurons={SLICE}"],
        dt="1ms",
        like="norse",
        diagnostics=nopt.Diagnostics(),
    )
    return (out / "mapping.json").stat().st_size


def test_a_mapping_grows_as_the_neurons(tmp_path: Path) -> None:
    """Each core reads the input by a route of its own, since the routers of Loihi copy no spike. The links of n routes are n^1.5 on a mesh."""
    few, many = (mapping_bytes(tmp_path, side) for side in (32, 64))
    assert exponent(few, many, 4) < MOST_EXPONENT

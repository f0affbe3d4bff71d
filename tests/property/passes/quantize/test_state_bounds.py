"""Scales by the width of a potential: no tick exceeds it, for generated neurons, and a calibration leaves room for what it observed."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
import pytest
from extent import seeds

import nopt.api as nopt
from nopt.core.arrays.numeric import Ints, Reals
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

WIDTHS = (6, 9, 12)


def layer(seed: int, file: Path) -> tuple[Path, float]:
    """Writes a layer with weights of both signs, and returns the threshold of its neurons."""
    rng = np.random.default_rng([7, seed])
    weight = rng.normal(rng.uniform(-0.2, 0.4), 0.5, (5, int(rng.integers(1, 30))))
    threshold = float(rng.uniform(0.2, 4))
    nodes = {
        "input": nir.Input({"input": np.array([weight.shape[1]])}),
        "fc": nir.Linear(weight),
        "if": nir.IF(r=np.ones(5), v_threshold=np.full(5, threshold), v_reset=np.zeros(5)),
        "output": nir.Output({"output": np.array([5])}),
    }
    nir.write(file, nir.NIRGraph(nodes, [("input", "fc"), ("fc", "if"), ("if", "output")], type_check=False))
    return file, threshold


def steps(file: Path, passes: str) -> tuple[Ints, Reals]:
    """Returns the integers of the weights, and the value of one of each row."""
    first = "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}"
    module = nopt.read(file, diagnostics=Diagnostics())
    nopt.apply(module, f"{first},{passes}", diagnostics=Diagnostics())
    op = next(op for op in module.walk() if isinstance(op, ntensor.LinearOp))
    assert op.quantized is not None
    return op.weight.values.astype(np.int64), op.quantized.scale.values.reshape(-1)


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("seed", seeds(4))
def test_no_tick_exceeds_the_potential(seed: int, bits: int, tmp_path: Path) -> None:
    net, threshold = layer(seed, tmp_path / "net.nir")
    weight, scale = steps(net, f"ntensor-quantize-weights{{bits=9 per=neuron state={bits}}}")
    excitation, inhibition = np.maximum(weight, 0).sum(axis=1), np.maximum(-weight, 0).sum(axis=1)
    alpha = np.floor(threshold / scale) + 1
    assert (alpha + excitation <= 2 ** (bits - 1) - 1).all()
    assert (inhibition <= 2 ** (bits - 2)).all()
    # the scale is as fine as the width permits, or a power of two that keeps all weights, or the weights have no more bits
    room = np.maximum((alpha + excitation + 1) / (2 ** (bits - 1) - 1), inhibition / 2 ** (bits - 2))
    assert (room > 0.5).all() or np.abs(weight).max() > 127


def test_a_calibration_leaves_room(tmp_path: Path) -> None:
    """Neurons that subtract their threshold keep what exceeds it: 8.14 thresholds in 255 steps are 31 steps each, and 16 are the least."""
    nodes = {
        "input": nir.Input({"input": np.array([1])}),
        "fc": nir.Linear(np.array([[1.51]])),
        "if": nir.IF(r=np.ones(1), v_threshold=np.ones(1), v_reset=np.zeros(1)),
        "output": nir.Output({"output": np.array([1])}),
    }
    edges = [("input", "fc"), ("fc", "if"), ("if", "output")]
    nir.write(net := tmp_path / "net.nir", nir.NIRGraph(nodes, edges, type_check=False))
    found: list[int] = []
    for ticks in (1, 14, 200):
        np.save(x := tmp_path / "x.npy", np.ones((1, ticks, 1)))
        _, scale = steps(net, f'ntensor-calibrate{{data="{x}"}},ntensor-quantize-weights{{bits=9 per=neuron state=9}}')
        found.append(round(1 / float(scale[0])))
    first, some, many = found
    assert first > some > many == 16
    assert 30 <= some <= 32  # after 14 ticks v is 7.14 and a threshold before its reset

"""Rates as transmission: the converted network agrees with a plain count of spikes, in every engine, in C, and after a round trip to NIR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.analysis.rate_windows import rate_windows
from nopt.core.diagnostics import Diagnostics
from nopt.dialects.ntensor import NetworkOp

TICKS = 41


def array(values: Any) -> str:
    held = np.asarray(values, np.float32)
    shape = "x".join(map(str, held.shape))
    return f"#nopt.array<{held.tolist()} : tensor<{shape}{'x' if shape else ''}f32>>"


def network(seed: int, has_spikes: bool = False) -> Any:
    """Returns a population with a synapse onto itself and a readout, both of rates, and the weights of the readout; `has_spikes`: the readout has neurons."""
    rng = np.random.default_rng(seed)
    inner, rec, read = (rng.normal(0.3, 0.8, shape) for shape in ((5, 3), (5, 5), (2, 5)))
    kind = "transmission = #nir.transmission<rate>"
    end, last = ("i1", "y") if has_spikes else ("f32", "r")
    neuron = f"r = {array(1.0)}, v_threshold = {array(1.0)}, v_reset = {array(0.0)}"
    return nopt.parse(
        f'nir.graph @net("in" %x: tensor<3xi1>) -> ("spikes": tensor<5xi1>, "out": tensor<2x{end}>) {{\n'
        "  %s = nir.sum %a, %b : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>\n"
        f'  %a = nir.linear "inner" %x {{weight = {array(inner)}}} : tensor<3xi1> -> tensor<5xf32>\n'
        f'  %b = nir.linear "rec" %z {{weight = {array(rec)}, {kind}}} : tensor<5xi1> -> tensor<5xf32>\n'
        f'  %z = nir.if "cell" %s {{{neuron}}} : tensor<5xf32> -> tensor<5xi1>\n'
        f'  %r = nir.linear "read" %z {{weight = {array(read)}, {kind}}} : tensor<5xi1> -> tensor<2xf32>\n'
        + f'  %y = nir.if "end" %r {{{neuron}}} : tensor<2xf32> -> tensor<2xi1>\n' * has_spikes
        + f"  nir.output %z, %{last} : tensor<5xi1>, tensor<2x{end}>\n}}"
    ), read.astype(np.float32)


def plain(spikes: np.ndarray, read: np.ndarray, window: int) -> np.ndarray:
    """Returns what the readout adds in each tick: counts of the window before, times 1 / window, by presynaptic index."""
    made = np.zeros((len(spikes), len(read)))
    for t in range(window, len(spikes)):
        start = (t // window - 1) * window
        counts = spikes[start : start + window].sum(axis=0)
        for o, weights in enumerate(read):
            for weight, count in zip(weights, counts, strict=True):
                if count:
                    made[t, o] += float(weight) * (float(count) * (1 / window))
    return made


@pytest.mark.parametrize(
    ("seed", "like", "window"), [(0, "norse", 4), (1, "sinabs", 5), (2, "spyx", 7), (3, "lava", 1)]
)
def test_rates_equal_a_plain_count(seed: int, like: str, window: int, tmp_path: Path) -> None:
    module, read = network(seed)
    source = module.clone()
    rng = np.random.default_rng(seed)
    inputs = rng.random((4, TICKS, 3)) < 0.4
    step = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} rate-window={window}}}"
    nopt.apply(module, step, diagnostics=Diagnostics())
    found = nopt.run(module, inputs, engine="numpy", diagnostics=Diagnostics())
    assert (found["spikes"] != 0).any()
    late = 1 if like == "lava" else 0  # every synapse of Lava takes a tick
    for spikes, out in zip(found["spikes"], found["out"], strict=True):
        expected = plain(spikes, read, window)
        np.testing.assert_array_equal(out[late:], expected[: len(expected) - late])
        assert expected.any()
    native = nopt.run(module, inputs, engine="native", diagnostics=Diagnostics())
    for name, values in found.items():
        np.testing.assert_array_equal(native[name], values)
    choices: Any = {"dt": "1ms", "like": like, "rate_window": window, "precision": "f64"}
    nopt.compile(source, out=tmp_path / "build", target="c", diagnostics=Diagnostics(), **choices)
    compiled = nopt.run(tmp_path / "build", inputs, diagnostics=Diagnostics())
    for name, values in found.items():
        np.testing.assert_array_equal(compiled[name], values)


@pytest.mark.parametrize("like", ["norse", "sinabs", "spyx", "nengo"])
def test_rates_return_to_nir(like: str) -> None:
    module, _ = network(5)
    before = module.clone()
    step = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} rate-window=3}}"
    nopt.apply(module, step, diagnostics=Diagnostics())
    (ticks,) = (op for op in module.ops if isinstance(op, NetworkOp))
    assert [len(window.readers) for window in rate_windows(ticks)] == [2]
    nopt.apply(module, "convert-ntensor-to-nir", diagnostics=Diagnostics())
    nopt.apply(before, step, diagnostics=Diagnostics())
    nopt.apply(module, step, diagnostics=Diagnostics())
    assert str(module) == str(before)


@pytest.mark.parametrize("bits", [2, 4, 8])
def test_rates_of_quantized_networks_return_to_nir(bits: int) -> None:
    module, _ = network(5)
    step = "convert-nir-to-ntensor{dt-ns=1000000 like=norse rate-window=3}"
    passes = f"{step},ntensor-quantize-weights{{bits={bits}}},convert-ntensor-to-nir,{step}"
    nopt.apply(module, passes, diagnostics=Diagnostics())
    (ticks,) = (op for op in module.ops if isinstance(op, NetworkOp))
    assert [len(window.readers) for window in rate_windows(ticks)] == [2]


def test_rates_on_a_chip_that_sends_counts(tmp_path: Path) -> None:
    """The chip has no neurons of its own, and 1 / W is folded into the weights: its model equals the network with the same weights."""
    module, _ = network(7, has_spikes=True)
    inputs = np.random.default_rng(7).random((3, TICKS, 3)) < 0.4
    choices: Any = {"dt": "1ms", "like": "norse", "rate_window": 4}
    build = tmp_path / "build"
    nopt.compile(
        module, out=build, target="asic/multi", passes="ntensor-fold-scale", diagnostics=Diagnostics(), **choices
    )
    found = nopt.run(build, inputs, diagnostics=Diagnostics())
    steps = "ntensor-fold-scale,ntensor-quantize-weights{bits=16 per=row scale=float}"
    nopt.apply(
        module, f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse rate-window=4}},{steps}", diagnostics=Diagnostics()
    )
    expected = nopt.run(module, inputs, engine="numpy", diagnostics=Diagnostics())
    assert (expected["spikes"] != 0).any()
    assert (expected["out"] != 0).any()
    for name, values in expected.items():
        np.testing.assert_array_equal(found[name], values)

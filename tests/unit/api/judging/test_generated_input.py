"""Generated input: its rates, its size for large networks, and the networks that accept it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.judging import generated_input
from nopt.api.judging.generated_input import EXTENTS, extent_of, generate_spikes, operations_per_tick, takes_events
from nopt.api.modules import only_network
from nopt.dialects import ntensor

NETWORK = """
ntensor.network @net("input" %x: tensor<{n}x{element}>) -> ("output": tensor<{n}x{element}>) attributes {{tick_ns = 1000000 : i64}} {{
  %y = ntensor.delay "d" %x {{ticks = #nopt.array<1 : tensor<i64>>}} : tensor<{n}x{element}>
  ntensor.output %y : tensor<{n}x{element}>
}}
"""


def network(n: int = 200, element: str = "i1") -> ntensor.NetworkOp:
    return only_network(nopt.parse(NETWORK.format(n=n, element=element)))


def test_samples_have_rates_from_2_to_50_percent() -> None:
    spikes = generate_spikes(network())["input"]
    assert spikes.shape == (*EXTENTS[0], 200)
    assert spikes.dtype == np.bool_
    rates = spikes.mean((1, 2))
    assert rates[0] == pytest.approx(0.02, rel=0.2)
    assert rates[-1] == pytest.approx(0.5, rel=0.05)
    assert (np.diff(rates) > 0).all()


def test_the_same_shapes_have_the_same_bits() -> None:
    assert np.array_equal(generate_spikes(network())["input"], generate_spikes(network(element="f64"))["input"])


@pytest.mark.parametrize(
    ("element", "takes"), [("i1", True), ("!ntensor.count<4>", True), ("f64", False), ("i8", False)]
)
def test_only_events_are_spikes(element: str, takes: bool) -> None:
    assert takes_events(network(element=element)) is takes


def test_large_networks_run_for_fewer_samples(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = nopt.apply(nopt.read(root / "examples/digits/fc.nir"), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    graph = only_network(module)
    weights = [op.weight.data.values for op in graph.body.block.ops if isinstance(op, ntensor.LinearOp)]
    cost = operations_per_tick(graph)
    assert cost == sum(map(np.count_nonzero, weights)) + 128 + 10
    for most, extent in ((8 * 32 * cost, (8, 32)), (8 * 32 * cost - 1, (4, 32)), (1, (2, 32))):
        monkeypatch.setattr(generated_input, "MOST_OPERATIONS", most)
        assert extent_of(graph) == extent

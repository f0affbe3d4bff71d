"""Unrolled networks against the networks of spikes that they come from: samples of one frame have the same counts."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import nir
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_layer_rates import counts, layered, records
from test_layer_rates import spiking as converted
from xdsl.dialects.builtin import ModuleOp, NoneType

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused

TICKS = 6
EXACT = {"norse": "subtract", "lava": "subtract", "spyx": "subtract", "snntorch": "subtract_next"}
"""Rules of frameworks whose potential is a sum of inputs and spikes."""


def spiking(graph: nir.NIRGraph, like: str = "norse", reset: str = "subtract") -> ModuleOp:
    return layered(converted(graph, like, reset), "ntensor-quantize-inputs{kind=spike}")


def lif(n: int, rng: np.random.Generator, cuba: bool = False) -> nir.NIRNode:
    one = np.ones(n, np.float32)
    common = {"r": one * 4, "v_leak": 0 * one, "v_reset": 0 * one}
    threshold = rng.uniform(0.8, 1.6, n).astype(np.float32)
    if cuba:
        return nir.CubaLIF(tau_syn=one * 0.003, tau_mem=one * 0.005, v_threshold=threshold, w_in=one * 2, **common)
    return nir.LIF(tau=one * 0.004, v_threshold=threshold, **common)


def network(rng: np.random.Generator, *, cuba: bool, loop: bool, late: bool) -> nir.NIRGraph:
    """Returns two populations with biases, the first one with a loop or a delayed input."""
    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array([3])}),
        "fc": nir.Affine(rng.normal(0.4, 0.8, (4, 3)).astype(np.float32), rng.normal(0, 0.2, 4).astype(np.float32)),
        "lif": lif(4, rng, cuba),
        "rec": nir.Linear(rng.normal(0, 0.5, (4, 4)).astype(np.float32)),
        "fc2": nir.Linear(rng.normal(0.3, 0.8, (2, 4)).astype(np.float32)),
        "late": nir.Delay(np.array([0.0, 0.002, 0.001, 0.0])),
        "if": nir.IF(r=np.ones(2, np.float32), v_threshold=np.ones(2, np.float32), v_reset=np.zeros(2, np.float32)),
        "out": nir.Output({"output": np.array([2])}),
    }
    edges = [("in", "fc"), ("fc", "lif"), ("fc2", "if"), ("if", "out")]
    edges += [("lif", "rec"), ("rec", "lif")] if loop else []
    edges += [("lif", "late"), ("late", "fc2")] if late else [("lif", "fc2")]
    used = {name for edge in edges for name in edge}
    return nir.NIRGraph({name: node for name, node in nodes.items() if name in used}, edges, type_check=False)


@settings(deadline=None)
@given(
    seed=st.integers(0, 2**16),
    like=st.sampled_from(sorted(EXACT)),
    parts=st.tuples(*[st.booleans()] * 3),
    window=st.integers(4, TICKS),
)
@example(seed=3580, like="lava", parts=(True, False, True), window=5)  # a potential of 0.9998 thresholds
def test_frames_have_the_counts_of_their_ticks(
    seed: int, like: str, parts: tuple[bool, bool, bool], window: int
) -> None:
    rng = np.random.default_rng(seed)
    module = spiking(network(rng, cuba=parts[0], loop=parts[1], late=parts[2]), like, EXACT[like])
    x = rng.random((40, window, 3)) < 0.5
    unrolled = layered(module, f"ntensor-unroll-ticks{{window={window}}}")
    np.testing.assert_array_equal(counts(unrolled, x), counts(module, x))
    assert isinstance(records(unrolled)[-1].largest, NoneType)


@pytest.mark.parametrize(("like", "reset"), [("snntorch", "subtract"), ("norse", "zero"), ("sinabs", "subtract")])
def test_a_potential_that_is_no_sum_is_refused_or_recorded(like: str, reset: str) -> None:
    rng = np.random.default_rng(0)
    module = spiking(network(rng, cuba=False, loop=True, late=False), like, reset)
    with pytest.raises(Refused, match="LEG095"):
        layered(module, "ntensor-unroll-ticks{window=4}")
    found = layered(module, "ntensor-unroll-ticks{window=4 approximate=dynamics bits=4}")
    assert "approximated" in records(found)[-1].what.data


def test_values_are_added_up_over_a_frame() -> None:
    """A leaky integrator as the output: its values of all ticks, for several outputs."""
    rng = np.random.default_rng(1)
    one = np.ones(2, np.float32)
    nodes = {
        "in": nir.Input({"input": np.array([3])}),
        "fc": nir.Affine(rng.normal(0.4, 0.8, (2, 3)).astype(np.float32), one / 8),
        "lif": lif(2, rng),
        "li": nir.LI(tau=one * 0.004, r=one, v_leak=one / 4),
        "out": nir.Output({"output": np.array([2])}),
    }
    graph = nir.NIRGraph(nodes, [("in", "fc"), ("fc", "lif"), ("lif", "li"), ("li", "out")], type_check=False)
    module = spiking(graph)
    x = rng.random((20, TICKS, 3)) < 0.5
    found = layered(module, f"ntensor-unroll-ticks{{window={TICKS}}}")
    values = [nopt.run(one, x, engine="numpy", diagnostics=Diagnostics())["out"] for one in (found, module)]
    np.testing.assert_allclose(values[0][:, 0], values[1].sum(1), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("cuba", "loop"), list(product((False, True), repeat=2)))
def test_a_recurrent_network_runs_on_akida(cuba: bool, loop: bool, tmp_path: Path) -> None:
    """On a chip without time: at most one in eight of the counts changes with weights of four bits."""
    rng = np.random.default_rng(3)
    module = spiking(network(rng, cuba=cuba, loop=loop, late=False))
    x = rng.random((200, 3, 3)) < 0.5
    passes = "ntensor-unroll-ticks{window=3},ntensor-quantize-weights{bits=4 per=neuron}"
    nopt.compile(layered(module, passes), target="akida", out=tmp_path / "build", diagnostics=Diagnostics())
    found = nopt.run(tmp_path / "build", x, diagnostics=Diagnostics())["out"]
    assert (found[:, 0] != counts(module, x)).mean() <= 1 / 8

"""Relays of long delays are exact: loops whose delays differ keep all values, with any delays around the synapses, and need no other tick."""

from __future__ import annotations

from itertools import pairwise

import nir
import numpy as np
import pytest
from extent import seeds
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.rewriter import Rewriter

import nopt.api as nopt
from nopt.analysis.latency import latency_of, output_latencies
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects import ntensor

TICKS = 40
SHAPES = {"dense": (5,), "conv": (2, 3, 4), "sparse": (5,)}
INTEGERS = "ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=neuron},ntensor-quantize-bias"


def f32(values: object) -> NDArray[np.float32]:
    return np.asarray(values, np.float32)


def looped(seed: int, kind: str) -> nir.NIRGraph:
    """Returns two populations in loops: delays from 1 to 11 ticks before or after the synapses, or both, biases, and a sum that waits."""
    rng = np.random.default_rng(seed)
    shape = SHAPES[kind]

    def wait() -> nir.NIRNode:
        return nir.Delay(f32(rng.integers(1, 12, shape if rng.random() < 0.8 else (1,)) * np.ones(shape)))

    def synapses() -> nir.NIRNode:
        if kind == "conv":
            weight = f32(rng.normal(0.2, 0.6, (shape[0], shape[0], 3, 3)))
            bias = f32(rng.choice([0, 0.1], shape[0]) * rng.random())
            return nir.Conv2d(shape[1:], weight, (1, 1), (1, 1), (1, 1), 1, bias)
        weight = f32(rng.normal(0.2, 0.6, (*shape, *shape)))
        if rng.random() < 0.5:
            return nir.Affine(weight, f32(rng.uniform(0, 0.2, shape)))
        return nir.Linear(weight)

    def population() -> nir.NIRNode:
        one = f32(np.ones(shape))
        return nir.LIF(tau=8 * one, r=3 * one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)

    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array(shape)}),
        "out": nir.Output({"output": np.array(shape)}),
        "first": synapses(),
        "a": population(),
        "b": population(),
    }
    edges = [("in", "first"), ("first", "a"), ("b", "out"), ("a", "out")]
    for source, target in (("a", "b"), ("b", "a"), ("a", "a"), ("b", "b")):
        name, form = f"{source}{target}", str(rng.choice(["before", "after", "both", "sum"]))
        nodes[f"{name}w"] = synapses()
        way = [source, f"{name}w", target]
        if form in ("before", "both"):
            nodes[f"{name}d"] = wait()
            way.insert(1, f"{name}d")
        if form != "before":
            nodes[f"{name}e"] = wait()
            way.insert(-1, f"{name}e")
        if form == "sum":
            nodes[f"{name}v"] = synapses()
            edges += [("b", f"{name}v"), (f"{name}v", f"{name}e")]
        edges += list(pairwise(way))
    return nir.NIRGraph(nodes=nodes, edges=edges, type_check=False)


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def delay_synapses(network: ntensor.NetworkOp, rng: np.random.Generator) -> None:
    """Sets a delay for each synapse of half of the ops of its own."""
    for op in list(network.body.block.ops):
        if isinstance(op, ntensor.LinearOp) and rng.random() < 0.5:
            source, target, place = op.used_pairs()
            order = np.lexsort((target, source))
            properties = op.sparse_properties(source[order], target[order], place[order], op.bias)
            properties |= {"delay": ArrayAttr.of(rng.integers(0, 9, len(order))), "node": StringAttr(op.node.data)}
            made = ntensor.SparseLinearOp.create(operands=[op.x], result_types=[op.y.type], properties=properties)
            Rewriter.replace_op(op, made)


def integer_loops(seed: int, kind: str) -> ModuleOp:
    """Returns such a network with integers."""
    module = nopt.from_nir(looped(seed, kind), diagnostics=Diagnostics())
    steps = f"convert-nir-to-ntensor{{dt-ns=1000000000 like=norse}},{INTEGERS},ntensor-set-neuron-model{{to=asic/mesh}}"
    nopt.apply(module, steps, diagnostics=Diagnostics())
    if kind == "sparse":
        delay_synapses(network_of(module), np.random.default_rng(seed))
        module.verify()
    return module


def spikes(module: ModuleOp, seed: int, shape: tuple[int, ...], more: int = 0) -> dict[str, NDArray[np.float32]]:
    x = f32(np.random.default_rng(seed).random((TICKS, *shape)) < 0.3)
    x = np.concatenate([x, np.zeros((more, *shape), np.float32)])
    record = ["a", "b", "a.v", "b.v"]
    return nopt.run(module, x, record=record, engine="numpy", diagnostics=Diagnostics())


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("most", [1, 3, 8])
def test_relayed_loops_are_exact(kind: str, most: int) -> None:
    """Retiming after it finds a tick for each relay, and no loop gets longer."""
    fired = 0
    for seed in seeds(4):
        before = integer_loops(seed, kind)
        old = spikes(before, seed, SHAPES[kind])
        after = before.clone()
        nopt.apply(after, f"ntensor-relay-delays{{max-delay={most}}}", diagnostics=Diagnostics())
        ops = list(network_of(after).body.block.ops)
        assert max(int(found[1].values.max(initial=0)) for op in ops if (found := ntensor.delay_property(op))) <= most
        now = spikes(after, seed, SHAPES[kind])
        for name in old:
            np.testing.assert_array_equal(now[name], old[name], f"{seed}: {name}")
        nopt.apply(after, "ntensor-retime", diagnostics=Diagnostics())
        network = network_of(after)
        lags = {op.node.data: latency_of(op) for op in network.populations} | output_latencies(network)
        late = spikes(after, seed, SHAPES[kind], max(lags.values()))
        for name in old:
            lag = lags.get(name.removesuffix(".v"), 0)
            np.testing.assert_array_equal(late[name][lag : lag + TICKS], old[name], f"{seed}: {name}")
        fired += int(old["a"].sum() + old["b"].sum())
    assert fired > 100


def test_late_neurons_alone_have_relays() -> None:
    """One neuron of 40 waits for 9 ticks: two relays of one neuron each."""
    rng = np.random.default_rng(1)
    ticks, size = f32(np.ones(40)), 40
    ticks[17] = 9
    one = f32(np.ones(size))
    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array([size])}),
        "h": nir.LIF(tau=8 * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one),
        "d": nir.Delay(ticks),
        "fc": nir.Linear(f32(np.eye(size))),
        "w": nir.Linear(f32(rng.normal(0, 1, (size, size)))),
        "out": nir.Output({"output": np.array([size])}),
    }
    edges = [("in", "fc"), ("fc", "h"), ("h", "d"), ("d", "w"), ("w", "h"), ("h", "out")]
    module = nopt.from_nir(nir.NIRGraph(nodes, edges, type_check=False), diagnostics=Diagnostics())
    steps = f"convert-nir-to-ntensor{{dt-ns=1000000000 like=norse}},{INTEGERS},ntensor-set-neuron-model{{to=asic/mesh}}"
    nopt.apply(module, f"{steps},ntensor-relay-delays{{max-delay=4}}", diagnostics=Diagnostics())
    sizes = {op.node.data: int(np.prod(op.z.type.get_shape())) for op in network_of(module).populations}
    assert sizes == {"h": 40, "h.relay1": 1, "h.relay2": 1}


def test_reals_of_a_short_loop_are_refused_with_a_way_that_keeps_their_delays() -> None:
    """Sums of reals would be added in another order: the help permits that, and does not lengthen the loop."""
    module = nopt.from_nir(looped(3, "dense"), diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000000 like=norse}", diagnostics=Diagnostics())
    with pytest.raises(Refused) as refused:
        nopt.apply(module, "ntensor-relay-delays{max-delay=4},ntensor-retime", diagnostics=Diagnostics())
    (finding,) = refused.value.findings
    assert finding.code.id in ("LEG057", "LEG036")
    assert "reorder=true" in str(finding.help)


def test_an_op_of_late_neurons_alone_does_not_relay_the_others() -> None:
    """A second op reads the late neuron of a delay only: the other neuron of the loop keeps its single tick."""
    one = f32(np.ones(2))
    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array([2])}),
        "fc": nir.Linear(f32(np.eye(2))),
        "h": nir.LIF(tau=8 * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one),
        "d": nir.Delay(f32([1, 9])),
        "w": nir.Linear(f32([[1, 0.5], [0.25, 1]])),
        "late": nir.Linear(f32([[0, -0.5], [0, 0.5]])),
        "out": nir.Output({"output": np.array([2])}),
    }
    edges = [("in", "fc"), ("fc", "h"), ("h", "d"), ("d", "w"), ("w", "h"), ("d", "late"), ("late", "h"), ("h", "out")]
    module = nopt.from_nir(nir.NIRGraph(nodes, edges, type_check=False), diagnostics=Diagnostics())
    steps = f"convert-nir-to-ntensor{{dt-ns=1000000000 like=norse}},{INTEGERS},ntensor-set-neuron-model{{to=asic/mesh}}"
    nopt.apply(module, f"{steps},ntensor-relay-delays{{max-delay=4}},ntensor-retime", diagnostics=Diagnostics())
    sizes = {op.node.data: int(np.prod(op.z.type.get_shape())) for op in network_of(module).populations}
    assert sizes == {"h": 2, "h.relay1": 1, "h.relay2": 1}

"""Whole networks: cycles, delays, blocks, records, inputs and refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nets import Net, run, same_bits
from xdsl.dialects.builtin import StringAttr, TensorType, f32, f64, i1, i8
from xdsl.dialects.test import TestOp as OpenOp
from xdsl.ir import SSAValue

from nopt.core.diagnostics import Refused
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import CountType, DelayOp, NetworkOp, NeuronOp, emission_type
from nopt.simulation.signals import DenseSignal
from nopt.targets.reference.model import BLOCK_BYTES, ReferenceModel, block_of

BLOCKS = [None, (1, 1), (2, 7), (3, 50), (1, 49)]

LEAKY = """
neuron leaky for lif
param k, threshold
state v = 0
input x
v = v + k * (x - v)
z = v > threshold
v = 0 if z else v
emit spike z
"""
COUNTING = """
neuron counting for if
param threshold
state v = 0, seen: u8 wrap = 250
input x
v = v + x
n: u4 saturate = floor(v / threshold)
v = v - real(n) * threshold
seen = seen + n
record v = v + 100
emit count n
"""
STATELESS = """
neuron threshold for threshold
param threshold
input x
emit spike x > threshold
"""


def update(text: str, precision: Any = f64) -> Any:
    return build_update(parse_neurons(text).neurons[0], options={}, precision=precision)


class LeakyLoop:
    """The equations of `leaky`, on Python's scalars of one dtype."""

    def __init__(self, k: np.ndarray, threshold: np.ndarray, dtype: Any):
        self.k, self.threshold = k.astype(dtype), threshold.astype(dtype)
        self.v = np.zeros(k.shape, dtype)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        z = np.zeros(self.v.shape, bool)
        for n in np.ndindex(self.v.shape):
            self.v[n] = self.v[n] + self.k[n] * (x[n] - self.v[n])
            z[n] = self.v[n] > self.threshold[n]
            if z[n]:
                self.v[n] = 0
        return z


def weighted(weight: np.ndarray, spikes: np.ndarray) -> np.ndarray:
    """Adds the columns of the neurons that spiked, from zero, in their order."""
    total = np.zeros(len(weight), weight.dtype)
    for n in np.flatnonzero(spikes):
        total = total + weight[:, n]
    return total


def add_leaky(net: Net, node: str, x: SSAValue, k: np.ndarray, threshold: np.ndarray, precision: Any) -> SSAValue:
    rule = next((u for u in net.updates if u.sym_name.data.startswith("leaky")), None) or update(LEAKY, precision)
    dtype = np.float32 if precision == f32 else np.float64
    params = {"k": k.astype(dtype), "threshold": threshold.astype(dtype)}
    return net.neuron(node, rule, [x], i1, params, {"v": dtype(0)})


# ---- loops


@pytest.mark.parametrize("precision", [f32, f64], ids=str)
def test_two_interlocking_loops_with_a_skip_edge(precision: Any) -> None:
    """a -> b -> a (two ticks back), b -> b (one to three ticks), and a skip edge from the input to b."""
    dtype = np.float32 if precision == f32 else np.float64
    rng = np.random.default_rng(0)
    n, ticks, samples = 9, 49, 3
    names = ("in_a", "in_b", "a_b", "b_a", "b_b")
    w = {name: rng.normal(size=(n, n if name[0] != "i" else 4)).astype(dtype) for name in names}
    k, threshold = rng.uniform(0.2, 0.9, (2, n)), rng.uniform(0.1, 0.6, (2, n))
    back = rng.integers(1, 4, n)
    x = rng.random((samples, ticks, 4)) < 0.4

    net = Net(precision, x=((4,), i1))
    given = net.input("x")
    # every cycle is closed explicitly: the operand of a delay is replaced after its definition
    late_a = net.delay(open_end(net, n), 2, "late_a")
    late_b = net.delay(open_end(net, n), back, "late_b")
    sum_a = net.sum(net.linear(given, w["in_a"]), net.linear(late_a, w["b_a"]))
    a = add_leaky(net, "a", sum_a, k[0], threshold[0], precision)
    sum_b = net.sum(net.linear(given, w["in_b"]), net.linear(a, w["a_b"]), net.linear(late_b, w["b_b"]))
    b = add_leaky(net, "b", sum_b, k[1], threshold[1], precision)
    close(net, late_a, b)
    close(net, late_b, b)
    network = net.network(out=b)

    a_spikes, b_spikes = np.zeros((2, samples, ticks, n), bool)
    v_a = np.zeros((samples, ticks, n), dtype)
    for s in range(samples):
        loop_a, loop_b = (LeakyLoop(k[i], threshold[i], dtype) for i in (0, 1))
        past = np.zeros((ticks + 4, n), bool)  # row t + 4 is tick t
        for t in range(ticks):
            from_b = weighted(w["b_a"], past[t + 4 - 2])
            a_spikes[s, t] = loop_a(weighted(w["in_a"], x[s, t]) + from_b)
            v_a[s, t] = loop_a.v
            late = past[t + 4 - back, np.arange(n)]
            current = weighted(w["in_b"], x[s, t]) + weighted(w["a_b"], a_spikes[s, t]) + weighted(w["b_b"], late)
            b_spikes[s, t] = past[t + 4] = loop_b(current)
    assert a_spikes.any()
    assert b_spikes.any()
    for block in BLOCKS:
        found = run(network, x=x, record=["a", "a.v"], block=block)
        assert same_bits(found["out"], b_spikes)
        assert same_bits(found["a"], a_spikes)
        assert same_bits(found["a.v"], v_a)


def open_end(net: Net, n: int) -> SSAValue:
    """Returns a placeholder for a value that is defined later."""
    net.block.add_op(op := OpenOp(result_types=[TensorType(i1, [n])]))
    return op.results[0]


def close(net: Net, delay: SSAValue, x: SSAValue) -> None:
    op = delay.owner
    assert isinstance(op, DelayOp)
    placeholder = op.x.owner
    op.operands = [x]
    if isinstance(placeholder, OpenOp):
        placeholder.detach()
        placeholder.erase()


def test_a_loop_of_values_and_a_delay_that_is_zero_for_some() -> None:
    """An oscillator without neurons: y = x + w y(t - 1), delayed again inside of the cycle by 0 to 2 ticks."""
    rng = np.random.default_rng(1)
    n, ticks = 5, 30
    weight = rng.normal(size=(n, n)) * 0.4
    some = np.array([0, 1, 2, 0, 1])
    x = rng.normal(size=(2, ticks, n))
    net = Net(f64, x=((n,), f64))
    net.block.add_op(end := OpenOp(result_types=[TensorType(f64, [n])]))
    late = net.delay(end.results[0], 1, "late")
    y = net.sum(net.input("x"), net.linear(net.delay(late, some, "some"), weight))
    close(net, late, y)
    network = net.network(y=y)
    expected = np.zeros((2, ticks, n))
    for s in range(2):
        for t in range(ticks):
            back = np.array([expected[s, t - 1 - d, i] if t - 1 - d >= 0 else 0 for i, d in enumerate(some)])
            total = np.zeros(n)
            for i in range(n):
                total = total + weight[:, i] * back[i]
            expected[s, t] = x[s, t] + total
    for block in BLOCKS:
        assert same_bits(run(network, x=x, block=block)["y"], expected)


def test_a_delay_that_reads_itself_is_silent() -> None:
    net = Net(f64, x=((2,), f64))
    net.block.add_op(end := OpenOp(result_types=[TensorType(f64, [2])]))
    late = net.delay(end.results[0], 1, "late")
    close(net, late, late)
    assert not run(net.network(y=net.sum(net.input("x"), late)), x=np.zeros((1, 5, 2)))["y"].any()


@pytest.mark.parametrize("ticks", [0, 3, np.array([[0, 1], [5, 2]])], ids=str)
def test_delays_outside_of_loops(ticks: Any) -> None:
    rng = np.random.default_rng(2)
    x = rng.random((2, 20, 2, 2)) < 0.5
    net = Net(f32, x=((2, 2), i1))
    network = net.network(y=net.delay(net.input("x"), ticks))
    expected = np.zeros_like(x)
    for n in np.ndindex(2, 2):
        d = int(np.broadcast_to(ticks, (2, 2))[n])
        expected[:, d:, *n] = x[:, : 20 - d, *n]
    for block in BLOCKS:
        assert same_bits(run(network, x=x, block=block)["y"], expected)


# ---- populations and records


def counting_net() -> NetworkOp:
    net = Net(f32, x=((3,), f32))
    rule = update(COUNTING, f32)
    params, initial = {"threshold": np.array(1.0)}, {"v": np.array(0.5), "seen": np.array(250)}
    fc = net.linear(net.input("x"), np.eye(3, dtype=np.float32), node="fc")
    return net.network(out=net.neuron("pop", rule, [fc], emission_type(rule), params, initial))


def test_records_and_their_types() -> None:
    """`pop.v` shows the record of that name, not the state; `pop` and the output are the same counts."""
    x = np.array([[[0.25, 3, 40], [0.25, 0, 0]]])
    found = run(counting_net(), x=x, record=["pop", "pop.v", "pop.seen", "fc", "x"])
    assert {name: array.dtype.name for name, array in found.items()} == {
        "out": "int32",
        "pop": "int32",
        "pop.v": "float32",
        "pop.seen": "int32",
        "fc": "float32",
        "x": "float32",
    }
    assert list(found) == ["out", "pop", "pop.v", "pop.seen", "fc", "x"]
    assert found["out"].tolist() == [[[0, 3, 15], [1, 0, 15]]]
    assert found["pop.v"].tolist() == [[[100.75, 100.5, 125.5], [100, 100.5, 110.5]]]
    assert found["pop.seen"].tolist() == [[[250, 253, 9], [251, 253, 24]]]
    np.testing.assert_array_equal(found["fc"], x)


@pytest.mark.parametrize("block", BLOCKS)
def test_records_in_blocks(block: Any) -> None:
    x = np.random.default_rng(3).normal(size=(3, 20, 3)) * 3
    record = ["pop.v", "pop.seen"]
    whole, parts = (run(counting_net(), x=x, record=record, block=b) for b in (None, block))
    assert all(same_bits(whole[name], parts[name]) for name in ("out", *record))


def test_every_run_starts_anew() -> None:
    model = ReferenceModel(counting_net())
    signals = {"x": DenseSignal(np.full((1, 9, 3), 0.3))}
    assert same_bits(model.run(signals)["out"], model.run(signals)["out"])


def test_a_population_without_states() -> None:
    net = Net(f64, x=((3,), f64))
    y = net.neuron("t", update(STATELESS), [net.input("x")], i1, {"threshold": np.array([0.0, 1, 2])}, {})
    assert run(net.network(y=y), x=np.array([[[1.0, 1, 3]]]))["y"].tolist() == [[[True, False, True]]]


def named_net() -> NetworkOp:
    """Returns a network with a node whose name looks like a state of another."""
    net = Net(f64, **{"in put": ((2,), f64)})
    a = add_leaky(net, "lif", net.input("in put"), np.array(0.5), np.array(1.0), f64)
    b = net.linear(a, np.eye(2), node="lif.v")
    c = add_leaky(net, "lif.v.lif", b, np.array(0.5), np.array(0.1), f64)
    return net.network(**{"out": c, "lif.x": a})


def test_the_longest_node_name_wins() -> None:
    found = run(named_net(), record=["lif.v", "lif.v.lif.v", "lif.x"], **{"in put": np.full((1, 4, 2), 3.0)})
    assert found["lif.v"].dtype == np.float64
    assert found["lif.v"].tolist() == found["lif.x"].astype(float).tolist()
    assert found["lif.v.lif.v"].shape == (1, 4, 2)
    assert list(found) == ["out", "lif.x", "lif.v", "lif.v.lif.v"]


def test_a_node_gives_what_leaves_its_own_delay() -> None:
    """Records of states are not delayed."""
    net = Net(f64, x=((1,), f64))
    z = add_leaky(net, "lif", net.input("x"), np.array(0.5), np.array(1.0), f64)
    late = net.delay(z, 1, "lif.delay")
    late.owner.properties["part_of"] = StringAttr("lif")
    found = run(net.network(y=late), x=np.full((1, 3, 1), 3.0), record=["lif", "lif.v", "lif.delay"])
    assert found["lif"].ravel().tolist() == found["y"].ravel().tolist() == [False, True, True]
    assert found["lif.v"].ravel().tolist() == [0, 0, 0]
    assert same_bits(found["lif.delay"], found["lif"])


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (["lif.w"], ["SIM017", "lif.v"]),
        (["lif.v.x"], ["SIM017", "lif.v"]),
        (["lof"], ["SIM017", "--record lif", "near matches"]),
        (["a", "b"], ["at: record a", "at: record b", "in put"]),
    ],
)
def test_unknown_records(record: list[str], words: list[str]) -> None:
    with pytest.raises(Refused) as refusal:
        ReferenceModel(named_net(), record=record)
    assert all(word in str(refusal.value) for word in words)
    assert len(refusal.value.findings) == len(record)


# ---- inputs


def pass_through(element: Any, shape: tuple[int, ...] = (2,)) -> NetworkOp:
    net = Net(f32, x=(shape, element))
    return net.network(y=net.input("x"))


@pytest.mark.parametrize(
    ("element", "given", "expected"),
    [
        (f32, np.array([[[True, False]]]), np.array([[[1, 0]]], np.float32)),
        (f64, np.array([[[1, 7]]], np.uint8), np.array([[[1, 7]]], np.float64)),
        (f64, np.array([[[0.5, 7]]], np.float16), np.array([[[0.5, 7]]])),
        (i1, np.array([[[1.0, 0]]]), np.array([[[True, False]]])),
        (CountType(5), np.array([[[31.0, 0]]]), np.array([[[31, 0]]], np.int32)),
        (CountType(32), np.array([[[31, 0]]], np.int8), np.array([[[31, 0]]], np.int64)),
        (i8, np.array([[[-128, 127]]]), np.array([[[-128, 127]]], np.int32)),
    ],
)
def test_inputs_take_their_types(element: Any, given: np.ndarray, expected: np.ndarray) -> None:
    assert same_bits(run(pass_through(element), x=given)["y"], expected)


@pytest.mark.parametrize(
    ("element", "given"),
    [(i1, 2), (i1, 0.5), (i1, np.nan), (CountType(5), 32), (CountType(5), -1), (i8, 128), (i8, 1.5)],
)
def test_refuses_values_that_an_input_does_not_take(element: Any, given: float) -> None:
    x = np.zeros((2, 30, 2))
    x[1, 17, 1] = given
    with pytest.raises(Refused, match=r"SIM021.*\n.*\"x\"\n.*\n.*at tick 17, index \(1,\)"):
        run(pass_through(element), x=x, block=(2, 10))


def test_longer_and_shorter_runs() -> None:
    x = np.arange(1, 13).reshape(2, 3, 2)
    model = ReferenceModel(pass_through(f64))
    longer = model.run({"x": DenseSignal(x)}, ticks=5)["y"]
    np.testing.assert_array_equal(longer, np.concatenate([x, np.zeros((2, 2, 2))], axis=1))
    np.testing.assert_array_equal(model.run({"x": DenseSignal(x)}, ticks=2)["y"], x[:, :2])
    assert model.run({"x": DenseSignal(x)}, ticks=0)["y"].shape == (2, 0, 2)
    assert model.run({"x": DenseSignal(x[:0])})["y"].shape == (0, 3, 2)


def test_progress() -> None:
    seen: list[tuple[int, int]] = []
    model = ReferenceModel(pass_through(f64), block=(2, 4))
    model.run({"x": DenseSignal(np.zeros((3, 6, 2)))}, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(8, 18), (12, 18), (16, 18), (18, 18)]


def test_a_network_without_inputs() -> None:
    net = Net(f64)
    net.block.add_op(end := OpenOp(result_types=[TensorType(f64, [1])]))
    late = net.delay(end.results[0], 1, "late")
    y = net.linear(late, np.array([[0.5]]), np.array([1.0]))
    close(net, late, y)
    model = ReferenceModel(net.network(y=y))
    assert model.run({}, ticks=3)["y"].ravel().tolist() == [1, 1.5, 1.75]
    for ticks in (None, -1):
        with pytest.raises(Refused, match="SIM023"):
            model.run({}, ticks=ticks)


@pytest.mark.parametrize(
    ("signals", "code"),
    [
        ({}, "SIM018"),
        ({"a": (1, 3, 2), "c": (1, 3)}, "SIM018"),
        ({"a": (1, 3, 2), "b": (1, 3, 2)}, "SIM019"),
        ({"a": (1, 3, 2), "b": (1, 4, 3)}, "SIM019"),
        ({"a": (1, 3, 2), "b": (2, 3, 3)}, "SIM019"),
    ],
)
def test_refuses_signals_that_do_not_fit(signals: dict[str, tuple[int, ...]], code: str) -> None:
    net = Net(f64, a=((2,), f64), b=((3,), f64))
    model = ReferenceModel(net.network(y=net.input("a"), z=net.input("b")))
    assert (model.inputs, model.outputs) == ({"a": (2,), "b": (3,)}, {"y": (2,), "z": (3,)})
    with pytest.raises(Refused, match=code):
        model.run({name: DenseSignal(np.zeros(shape)) for name, shape in signals.items()})


# ---- refusals


def test_refuses_results_beyond_the_memory() -> None:
    model = ReferenceModel(pass_through(f64))
    with pytest.raises(Refused, match=r"SIM020.*\n.*\n.*GiB.*100000000000 ticks.*\n.*--ticks \d+"):
        model.run({"x": DenseSignal(np.zeros((1, 1, 2)))}, ticks=10**11)


def test_blocks_stay_within_their_budget() -> None:
    for row, samples, ticks in ((10**5, 64, 1000), (10**9, 3, 10), (8, 1, 10**7), (0, 5, 5)):
        together, at_once = block_of(row, samples, ticks)
        assert 1 <= together <= samples
        assert 1 <= at_once <= ticks
        assert together * at_once == 1 or together * at_once * row <= BLOCK_BYTES


def test_refuses_what_is_no_op_of_a_network() -> None:
    net = Net(f64, x=((2,), f64))
    net.block.add_op(op := OpenOp(result_types=[TensorType(f64, [2])]))
    with pytest.raises(Refused, match=r"SIM024.*\n.*test\.op"):
        ReferenceModel(net.network(y=op.results[0]))


def test_families_are_not_read() -> None:
    """Neurons that differ in `family` alone have equal results: the engine executes the update alone."""
    x = np.random.default_rng(4).normal(size=(1, 30, 2)) * 4
    network = named_net()
    before = run(network, **{"in put": x})
    for op in network.body.block.ops:
        if isinstance(op, NeuronOp):
            op.family = StringAttr("cuba_lif")
    assert same_bits(run(network, **{"in put": x})["out"], before["out"])

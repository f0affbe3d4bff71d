"""Integer networks in the engine: against a plain loop over events and scalars, and at the ends of 64 bits."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import scalar_loop
from extent import seeds
from integer_networks import Case, integer_network
from nets import Net, run, same_bits
from xdsl.dialects.builtin import IntegerType, StringAttr, f32, f64, i1, i64

from nopt.core.diagnostics import Refused
from nopt.core.ir.operation import element_type
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import fixed
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import (
    CountType,
    DelayOp,
    GradedType,
    LinearOp,
    ScaleOp,
    SparseLinearOp,
    SumPool2dOp,
    TermsType,
    emission_type,
)

SEEDS = seeds(14)


def engine(case: Case, block: Any = None) -> dict[str, Any]:
    return run(case.network, record=case.record, block=block, **case.inputs)


@pytest.mark.parametrize(
    ("seed", "tight"), [*((seed, False) for seed in SEEDS), *((seed, True) for seed in [400, 401])]
)
def test_random_networks_equal_a_plain_loop(seed: int, tight: bool) -> None:
    case = integer_network(seed, tight=tight)
    expected = scalar_loop.run(case.network, case.inputs)
    for block in (None, (1, 3)):
        for name, found in engine(case, block).items():
            np.testing.assert_array_equal(found, expected[name], err_msg=f"{name} in blocks of {block}")


def test_random_networks_hold_everything() -> None:
    """Checks the coverage of the test above."""
    seen = Counter[str]()
    kinds = ("linear", "sparse_linear", "conv1d", "conv2d", "sum_pool2d", "scale", "sum", "reshape")
    synapses = [f"ntensor.{kind}" for kind in kinds]
    for seed in SEEDS:
        for op in integer_network(seed).module.walk():
            seen[op.name] += 1
            seen.update(f"{op.name} with {name}" for name in ("exponent", "delay", "bias") if name in op.properties)
            if op.name in synapses and isinstance(element_type(op.results[0]), TermsType):
                seen[f"terms of {op.name}"] += 1
            if isinstance(op, fixed.DivOp):
                seen[str(op.rounding.data)] += 1
    assert not [kind for kind in kinds if not seen[f"terms of ntensor.{kind}"] or not seen[f"ntensor.{kind}"]]
    assert not [kind for kind in kinds[:4] if not seen[f"ntensor.{kind} with exponent"]]
    assert seen["ntensor.sparse_linear with delay"]
    scalars = ("saturate", "wrap", "shl", "shr", "mul", "select", "refine", "sign", "abs", "min", "max", "neg")
    assert not [
        name for name in (*(f"fixed.{one}" for one in scalars), "floor", "ceil", "truncate", "round") if not seen[name]
    ]


# ---- event by event


def neuron_of(lines: str) -> Any:
    return build_update(parse_neurons(f"neuron n\n{lines}\n").neurons[0], options={}, precision=f64)


@pytest.mark.parametrize("mode", ["saturate", "wrap"])
@pytest.mark.parametrize("share", [0.1, 0.9])
def test_saturating_at_every_event_is_not_saturating_the_sum(mode: str, share: float) -> None:
    """For wrapping, both are equal: addition modulo 2^8 does not depend on the order."""
    rng = np.random.default_rng(1)
    weight = rng.integers(-100, 101, (6, 40)).astype(np.int8)
    x = rng.random((3, 20, 40)) < share
    net = Net(IntegerType(16), x=((40,), i1))
    each, whole = (
        neuron_of(f"state i: s8 {mode}\ninput a: {text}\nemit graded i")
        for text in ("s8 each into i", "s16\ni = i + a")
    )
    each.properties["sym_name"] = StringAttr("each")
    terms = net.add(LinearOp, [net.input("x")], (6,), TermsType(8), node=StringAttr("terms"), weight=weight)
    start = {"i": np.array(0, np.int8)}
    y = net.neuron("each", each, [terms], emission_type(each), {}, start)
    z = net.neuron("whole", whole, [net.linear(net.input("x"), weight)], emission_type(whole), {}, start)
    found = run(net.network(y=y, z=z), x=x)

    def met(v: int) -> int:
        return min(max(v, -128), 127) if mode == "saturate" else (v + 128) % 256 - 128

    one, other = np.zeros((2, 3, 20, 6), int)
    for s in range(3):
        for o in range(6):
            v = w = 0
            for t in range(20):
                total = 0
                for i in range(40):
                    if x[s, t, i]:
                        v = met(v + int(weight[o, i]))
                        total += int(weight[o, i])
                w = met(w + total)
                one[s, t, o], other[s, t, o] = v, w
    np.testing.assert_array_equal(found["y"], one)
    np.testing.assert_array_equal(found["z"], other)
    assert (one != other).any() == (mode == "saturate")


@pytest.mark.parametrize("width", [8, 9])
def test_the_bias_is_the_last_term_and_each_term_is_rounded(width: int) -> None:
    """-3 >> 1 = -2 and 5 >> 1 = 2 are 0 together, where (-3 + 5) >> 1 = 1; 127 + 127 saturates before the bias, -2, comes last."""
    net = Net(IntegerType(16), x=((2,), i1))
    update = neuron_of(f"state i: s8 saturate\ninput a: s{width} each into i\nemit graded i")
    halved = net.add(
        LinearOp,
        [net.input("x")],
        (2,),
        TermsType(9),
        node=StringAttr("halved"),
        weight=np.array([[-3, 5], [127, 127]], np.int16),
        bias=np.array([0, -2], np.int16),
        exponent=np.array([-1, 0], np.int8),
    )
    y = net.neuron("n", update, [halved], emission_type(update), {}, {"i": np.array(0, np.int8)})
    if width == 9:
        assert run(net.network(y=y), x=np.ones((1, 1, 2), bool))["y"].tolist() == [[[0, 125]]]
        return
    with pytest.raises(Refused, match=r"NTE003.*input a of @n accumulates terms"):
        net.network(y=y)


@pytest.mark.parametrize("block", [None, (1, 1), (2, 3)])
def test_terms_leave_a_loop(block: Any) -> None:
    """A synapse inside of a loop, whose terms a population of the loop and one outside of it accumulate."""
    rng = np.random.default_rng(5)
    weight, back = rng.integers(-90, 91, (2, 4, 4)).astype(np.int8)
    net = Net(IntegerType(16), x=((4,), i1))
    update = neuron_of(
        "state i: s8 saturate\ninput a: s8 saturate each into i\nz = i > 20\ni = i - (i >> 2)\nemit spike z"
    )
    late = net.delay(net.input("x"), 1, "late")
    terms = net.add(LinearOp, [late], (4,), TermsType(8), node=StringAttr("back"), weight=back)
    ahead = net.add(LinearOp, [net.input("x")], (4,), TermsType(8), node=StringAttr("ahead"), weight=weight)
    start = {"i": np.array(0, np.int8)}
    inside = net.neuron("in", update, [net.add_terms(ahead, terms)], i1, {}, start)
    outside = net.neuron("out", update, [terms], i1, {}, start)
    owner = late.owner
    assert isinstance(owner, DelayOp)
    owner.operands[0] = inside
    network = net.network(inside=inside, outside=outside)
    x = rng.random((2, 12, 4)) < 0.5
    found, expected = run(network, x=x, block=block), scalar_loop.run(network, {"x": x})
    for name in ("inside", "outside"):
        np.testing.assert_array_equal(found[name], expected[name])
    assert found["outside"].any()


# ---- sparse synapses


@pytest.mark.parametrize("real", [f32, f64], ids=str)
@pytest.mark.parametrize("kind", ["spikes", "values"])
@pytest.mark.parametrize("late", [0, 5])
def test_sparse_reals_are_added_in_the_order_of_the_synapses(real: Any, kind: str, late: int) -> None:
    rng = np.random.default_rng(2)
    dtype = np.float32 if real == f32 else np.float64
    count = 300
    source, target = rng.integers(0, 12, count), rng.integers(0, 3, count)
    order = np.lexsort((target, source))
    synapses = {"source": source[order], "target": target[order], "delay": rng.integers(0, late + 1, count)}
    weight, bias = rng.normal(size=count).astype(dtype), rng.normal(size=3).astype(dtype)
    x = rng.random((2, 11, 12)) < 0.4
    if kind == "values":
        x = (x * rng.normal(size=x.shape)).astype(dtype)
    net = Net(real, x=((12,), i1 if kind == "spikes" else real))
    exponent = np.array([-3, 0, 2], np.int8)
    y = net.add(
        SparseLinearOp,
        [net.input("x")],
        (3,),
        node=StringAttr("fc"),
        weight=weight,
        bias=bias,
        exponent=exponent,
        **synapses,
    )
    network = net.network(y=y)
    expected = scalar_loop.run(network, {"x": x})["y"].astype(dtype)
    for block in (None, (1, 1), (2, 4)):
        assert same_bits(run(network, x=x, block=block)["y"], expected)


def test_sparse_synapses_in_a_loop() -> None:
    rng = np.random.default_rng(3)
    net = Net(IntegerType(16), x=((5,), i1))
    update = neuron_of(
        "state v: s12 saturate\ninput a: s16\nv = v - (v >> 2) + a\nz = v > 100\nv = 0 if z else v\nemit spike z"
    )
    late = net.delay(net.input("x"), 1, "late")
    source = np.repeat(np.arange(5), 4)
    back = net.add(
        SparseLinearOp,
        [late],
        (5,),
        node=StringAttr("back"),
        weight=rng.integers(-60, 90, 20).astype(np.int8),
        source=source,
        target=np.tile(np.arange(4), 5),
        delay=rng.integers(0, 4, 20),
    )
    z = net.neuron(
        "z", update, [net.sum(net.scale(net.input("x"), np.array(80, np.int8)), back)], i1, {}, {"v": np.array(0)}
    )
    owner = late.owner
    assert isinstance(owner, DelayOp)
    owner.operands[0] = z
    network = net.network(out=z)
    x = rng.random((2, 30, 5)) < 0.5
    expected = scalar_loop.run(network, {"x": x})["out"]
    assert expected.any()
    for block in (None, (1, 7)):
        np.testing.assert_array_equal(run(network, x=x, block=block)["out"], expected)


# ---- exponents of reals


@pytest.mark.parametrize("real", [f32, f64], ids=str)
def test_exponents_of_reals(real: Any) -> None:
    rng = np.random.default_rng(4)
    dtype = np.float32 if real == f32 else np.float64
    weight, bias = rng.normal(size=(4, 9)).astype(dtype), rng.normal(size=4).astype(dtype)
    net = Net(real, x=((9,), i1))
    x = rng.random((2, 5, 9)) < 0.5
    exponent = np.array([-62, -1, 0, 3], np.int8)
    plain = net.linear(net.input("x"), weight, bias)
    y = net.add(LinearOp, [net.input("x")], (4,), node=StringAttr("fc"), weight=weight, bias=bias, exponent=exponent)
    found = run(net.network(plain=plain, y=y), x=x)
    assert same_bits(found["y"], found["plain"] * np.ldexp(dtype(1), exponent.astype(int)))


# ---- the ends of 64 bits


def test_sums_that_pass_through_more_than_64_bits() -> None:
    """Terms of 2^76 cancel: the result fits without intermediate overflow. Results that do not fit are refused."""
    big = 2**61
    net = Net(i64, x=((4,), IntegerType(64)))
    weight = np.array([[32767, -32767, 1, 0], [2, 0, 0, 1]], np.int16)
    y = net.linear(net.input("x"), weight, node="fc")
    network = net.network(y=y)
    for x in ([big, big, 5, 0], [-big, -big + 3, -9, 1], [0, 0, 2**61, 2**62], [-(2**62), -(2**62), 0, 0]):
        found = run(network, x=np.array([[x]], np.int64))["y"][0, 0].tolist()
        assert found == [sum(int(w) * v for w, v in zip(row, x, strict=True)) for row in weight]
    with pytest.raises(
        Refused, match=r"SIM022.*\n.*\"fc\"\n.*\n.*found: 11529215046068469760;.*\n.*make weights narrower"
    ):
        run(network, x=np.array([[[big, big, 0, 3 * big]]], np.int64))


def test_shifts_and_biases_beyond_64_bits() -> None:
    """(2^60 16 - 3) >> 10 needs 64 bits and a sign before it fits; 2^60 << 4 never does."""
    net = Net(i64, x=((1,), IntegerType(62)))
    shifted = net.add(
        LinearOp,
        [net.input("x")],
        (1,),
        node=StringAttr("down"),
        weight=np.array([[16]], np.int8),
        bias=np.array([-3], np.int8),
        exponent=np.array(-10, np.int8),
    )
    network = net.network(y=shifted)
    for x in (2**60, -(2**61), 2**61 - 1):
        assert run(network, x=np.array([[[x]]]))["y"].item() == (16 * x - 3) >> 10
    net = Net(i64, x=((1,), IntegerType(62)))
    raised = net.add(
        LinearOp,
        [net.input("x")],
        (1,),
        node=StringAttr("up"),
        weight=np.array([[1]], np.int8),
        exponent=np.array(4, np.int8),
    )
    network = net.network(y=raised)
    assert run(network, x=np.array([[[-(2**59)]]]))["y"].item() == -(2**63)
    with pytest.raises(Refused, match=r'SIM022.*\n.*"up"'):
        run(network, x=np.array([[[2**60]]]))


def test_sums_pools_and_scales_at_the_end_of_64_bits() -> None:
    top = 2**63 - 1
    net = Net(i64, x=((1, 1, 2), IntegerType(64)))
    x = net.input("x")
    pooled = net.add(
        SumPool2dOp,
        [x],
        (1, 1, 1),
        node=StringAttr("pool"),
        kernel=np.array([1, 2]),
        stride=np.array([1, 1]),
        padding=np.zeros((2, 2), int),
    )
    doubled = net.add(ScaleOp, [x], (1, 1, 2), node=StringAttr("twice"), scale=np.array(2, np.int8))
    added = net.sum(x, x)
    networks = {"pool": pooled, "twice": doubled, "sum": added}
    network = net.network(**{f"y{k}": value for k, value in enumerate(networks.values())})
    found = run(network, x=np.array([[[[[2**62 - 1, -(2**62)]]]]]))
    assert [array.ravel().tolist() for array in found.values()] == [[-1], [2**63 - 2, -(2**63)], [2**63 - 2, -(2**63)]]
    with pytest.raises(Refused, match="SIM022"):
        run(network, x=np.array([[[[[top, 1]]]]]))


def test_types_leave_no_room_for_doubt() -> None:
    """The help names a type for which no input is refused."""
    weight = np.array([[127] * 300, [-128] * 300], np.int8)
    for element, low in ((CountType(3), 0), (GradedType(9), -256)):
        net = Net(IntegerType(12), x=((300,), element))
        network = net.network(y=net.linear(net.input("x"), weight))
        x = np.full((1, 1, 300), 7 if low == 0 else -256)
        with pytest.raises(Refused, match=r"help: give the result i(\d+)") as refused:
            run(network, x=x)
        bits = int(str(refused.value).split("give the result i")[1].split()[0])
        net = Net(IntegerType(bits), x=((300,), element))
        found = run(net.network(y=net.linear(net.input("x"), weight)), x=x)["y"]
        np.testing.assert_array_equal(found[0, 0], weight.astype(int) @ x[0, 0])

"""Guarantees of the legalising passes: those without records change no entry, and the errors of the others are recorded."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from xdsl.dialects.builtin import FunctionType, ModuleOp, StringAttr, TensorType, f64, i1
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

import nopt.api as nopt
from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.diagnostics import Refused
from nopt.core.ir.graph_region import Signature, names
from nopt.core.ir.operation import element_type
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update
from nopt.dialects.ntensor import array_dictionary

NEURONS = """
neuron summing for nir.lif
param th: u8 = 30
state v: s12 saturate = 0
input a: s12 saturate
v = v - (v >> 2) + a
z = v >= th
v = 0 if z else v
emit spike z

neuron real for nir.lif
state v
input x
v = v * 0.75 + x
z = v > 1
v = 0 if z else v
emit spike z

neuron each for nir.lif
state v: s6 saturate = 0
input a: s8 each into v
z = v > 20
v = 0 if z else v - (v >> 2)
emit spike z
"""
INPUTS, HIDDEN = 24, 20


def module(seed: int, kind: str = "summing") -> ModuleOp:
    """Returns input spikes, a linear and a sparse op with delays that end at a population with a cycle of 40 ticks, and a delayed output."""
    rng = np.random.default_rng(seed)
    rule = next(neuron for neuron in parse_neurons(NEURONS, "test").neurons if neuron.name == kind)
    update = build_update(rule, options={}, precision=f64)
    element: Attribute = {"summing": TensorType(i1, [1]), "real": f64, "each": ntensor.TermsType(5)}[kind]
    if kind == "summing":
        from xdsl.dialects.builtin import IntegerType

        element = IntegerType(16)
    sums = TensorType(element, [HIDDEN])

    def weights(*shape: int) -> ArrayAttr:
        whole = rng.integers(-7, 9, shape).astype(np.int8)
        return ArrayAttr.of(whole if kind != "real" else whole / 37.0)

    block = Block(arg_types=[TensorType(i1, [INPUTS])])
    (x,) = block.args

    def add(op: type, operands: list[SSAValue], result: Attribute, **properties: Attribute) -> SSAValue:
        made = op.create(operands=operands, result_types=[result], properties=properties)  # type: ignore[attr-defined]
        block.add_op(made)
        return made.results[0]

    def sparse(node: str, source: SSAValue, count: int, width: int) -> SSAValue:
        pairs = np.sort(rng.choice(width * HIDDEN, count, replace=False))
        return add(
            ntensor.SparseLinearOp,
            [source],
            sums,
            node=StringAttr(node),
            weight=weights(count),
            source=ArrayAttr.of(pairs // HIDDEN),
            target=ArrayAttr.of(pairs % HIDDEN),
            delay=ArrayAttr.of(rng.integers(0, 40, count)),
            bias=weights(HIDDEN),
        )

    stand_in = Block(arg_types=[TensorType(i1, [HIDDEN])])
    late = add(
        ntensor.DelayOp,
        [stand_in.args[0]],
        TensorType(i1, [HIDDEN]),
        node=StringAttr("loop"),
        ticks=ArrayAttr.of(rng.integers(1, 41, HIDDEN)),
    )
    dense = add(ntensor.LinearOp, [x], sums, node=StringAttr("fc"), weight=weights(HIDDEN, INPUTS))
    parts = [dense, sparse("rec", late, 90, HIDDEN), sparse("side", x, 120, INPUTS)]
    total = add(ntensor.SumOp, parts, sums)
    empty = array_dictionary({})
    from nopt.simulation.update import derive, initial

    params = derive(update, 1e-3, {})
    given = {name.data: params[name.data] for name in update.params}
    population = ntensor.NeuronOp(
        "lif",
        update.sym_name.data,
        [total],
        TensorType(i1, [HIDDEN]),
        params=array_dictionary(given) if given else empty,
        initial=array_dictionary({name: np.asarray(value) for name, value in initial(update, given).items()}),
    )
    block.add_op(population)
    stand_in.args[0].replace_all_uses_with(population.z)
    out = add(
        ntensor.DelayOp,
        [population.z],
        population.z.type,
        node=StringAttr("out.delay"),
        ticks=ArrayAttr.of(np.int64(33)),
    )
    block.add_op(ntensor.OutputOp(out))
    type = FunctionType.from_lists([x.type], [out.type])
    network = ntensor.NetworkOp("net", Signature(names(["in"]), names(["out"]), type), 1000000, Region(block))
    made = ModuleOp([update, network])
    made.verify()
    return made


def spikes(seed: int) -> NDArray[np.bool_]:
    return np.random.default_rng(seed + 1000).random((2, 90, INPUTS)) < 0.2


def applied(given: ModuleOp, passes: str) -> ModuleOp:
    other = given.clone()
    nopt.apply(other, passes)
    return other


def network_of(given: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in given.ops if isinstance(op, ntensor.NetworkOp))


def longest(given: ModuleOp) -> int:
    found = [
        op.ticks if isinstance(op, ntensor.DelayOp) else op.delay
        for op in given.walk()
        if isinstance(op, ntensor.DelayOp | ntensor.SparseLinearOp)
    ]
    return max((int(array.values.max(initial=0)) for array in found if array is not None), default=0)


def fan_in(given: ModuleOp) -> int:
    from nopt.analysis.fan_in import counts, leaves

    populations = [op for op in given.walk() if isinstance(op, ntensor.NeuronOp)]
    return max(int(sum(counts(leaf) for leaf in leaves(x)).max()) for op in populations for x in op.xs)


def assert_same(before: ModuleOp, after: ModuleOp, seed: int, record: list[str]) -> None:
    x = spikes(seed)
    there, here = nopt.run(before, x, record=record, engine="numpy"), nopt.run(after, x, record=record, engine="numpy")
    assert there["out"].any()
    for name in ("out", *record):
        np.testing.assert_array_equal(here[name], there[name], name)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "passes",
    [
        "ntensor-relay-delays{max-delay=15}",
        "ntensor-relay-delays{max-delay=3}",
        "ntensor-split-fan-in{max-fan-in=16}",
        "ntensor-split-fan-in{max-fan-in=3}",
        "ntensor-relay-delays{max-delay=7},ntensor-split-fan-in{max-fan-in=4}",
        "ntensor-split-fan-in{max-fan-in=4},ntensor-relay-delays{max-delay=7}",
    ],
)
def test_exact_passes_change_no_entry(passes: str, seed: int) -> None:
    before = module(seed)
    after = applied(before, passes)
    assert network_of(after).approximations is None
    if "relay" in passes:
        assert longest(after) <= int(passes.partition("delays{max-delay=")[2].partition("}")[0])
    if "split" in passes:
        assert fan_in(after) <= int(passes.partition("in{max-fan-in=")[2].partition("}")[0])
    record = ["lif", "lif.v", *(["fc", "rec", "side"] if "split" not in passes else [])]  # the delay has other places
    assert_same(before, after, seed, record)


@pytest.mark.parametrize("passes", ["ntensor-relay-delays{max-delay=15}", "ntensor-split-fan-in{max-fan-in=9}"])
def test_reals_are_refused_or_recorded(passes: str) -> None:
    """Sums of some tens of reals of size 0.2: the last bits differ, by far less than 1e-12."""
    before = module(1, "real")
    with pytest.raises(Refused, match="reorder=true"):
        applied(before, passes)
    after = applied(before, passes.replace("}", " reorder}"))
    approximations = network_of(after).approximations
    assert approximations is not None
    assert len(approximations) == 1
    assert "another order" in approximations.data[0].what.data
    x = spikes(1)[:, :8]  # before the first difference could cause a spike
    there, here = (nopt.run(each, x, record=["lif.v"], engine="numpy")["lif.v"] for each in (before, after))
    np.testing.assert_allclose(here, there, rtol=0, atol=1e-12)


@pytest.mark.parametrize("kind", ["summing", "real"])
def test_hoisted_delays_change_no_entry(kind: str) -> None:
    """Neurons wait different ticks for their sum, biases included: the delay becomes one of synapses."""
    given = module(2, kind)
    total = next(op for op in given.walk() if isinstance(op, ntensor.SumOp))
    ticks = np.random.default_rng(2).integers(1, 9, HIDDEN)
    late = ntensor.DelayOp("late", total.y, ticks)
    total.y.replace_all_uses_with(late.y)
    late.operands = [total.y]
    Rewriter.insert_op(late, InsertPoint.after(total))
    after = applied(given, "ntensor-hoist-delays")
    moved = [op for op in after.walk() if isinstance(op, ntensor.DelayOp) and not ntensor.is_event(element_type(op.x))]
    assert not moved
    assert network_of(after).approximations is None
    assert_same(given, after, 2, ["lif", "lif.v"])


def test_terms_are_refused() -> None:
    before = module(0, "each")
    with pytest.raises(Refused, match="adds every event of a to v on its own"):
        applied(before, "ntensor-split-fan-in{max-fan-in=9}")
    with pytest.raises(Refused, match="LEG036"):
        applied(before, "ntensor-relay-delays")


@pytest.mark.parametrize("seed", range(3))
def test_clamping_records_its_errors(seed: int) -> None:
    before = module(seed)
    after = applied(before, "ntensor-clamp-delays{max-delay=10}")
    old, new = (
        [op for op in each.walk() if isinstance(op, ntensor.DelayOp | ntensor.SparseLinearOp)]
        for each in (before, after)
    )

    def ticks(op: object) -> NDArray[np.int64]:
        array = op.ticks if isinstance(op, ntensor.DelayOp) else op.delay
        return array.values.astype(np.int64).reshape(-1)

    errors = np.concatenate([ticks(a) - ticks(b) for a, b in zip(old, new, strict=True)])
    (record,) = network_of(after).approximations or ()
    assert record.largest.value.data == errors.max()
    assert record.mean.value.data == pytest.approx(errors[errors > 0].mean(), rel=1e-15)
    assert longest(after) == 10


def test_nothing_to_do_is_nothing_done() -> None:
    before = module(0)
    for passes in (
        "ntensor-clamp-delays{max-delay=40}",
        "ntensor-relay-delays{max-delay=400}",
        "ntensor-split-fan-in{max-fan-in=64}",
        "ntensor-freeze-plasticity",
    ):
        assert nopt.write(applied(before, passes)) == nopt.write(before), passes

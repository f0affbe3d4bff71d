"""Helper populations: relays of events for long delays, partial sums for large fan-in, and a constant-rate source.

%y = ntensor.neuron "NAME" @relay_spike(%x) : i1 -> i1                 events as they are
%y = ntensor.neuron "NAME" @relay_some(%a) : i2 -> i1                  some of them, where %a = ntensor.sparse_linear "NAME.in" %x {weight = [1, …]}
%y = ntensor.neuron "NAME" @relay_any_4(%a) : i4 -> i1                  one if there are some, where %a = ntensor.sum_pool2d "NAME.sum" %x
%y = ntensor.neuron "NAME" @relay_graded_16(%x) : i16 -> graded<16>    integers as payload
%y = ntensor.neuron "NAME" @relay_value(%x) : f64 -> f64               reals

In a network that was observed with samples, a helper has the rate that follows from its definition: a clock fires in each tick, and a relay as often as
its source.
"""

from __future__ import annotations

from functools import cache
from math import prod
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float32Type,
    FloatAttr,
    IntegerType,
    StringAttr,
    TensorType,
    UnitAttr,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.calibration_records import OBSERVED, observed_number, observed_rate
from ....analysis.fan_in import Leaf
from ....analysis.slicing import ADDED
from ....core.arrays.numeric import Ints
from ....core.diagnostics import describe_op
from ....core.ir.operation import element_type, shape_of
from ....core.names import PrimedNames
from ....dialects import ntensor
from ....dialects.ntensor.network import add_copy_of_update

SOME = "relay_some"
"""The update of a relay of some events."""
ANY = "relay_any"
"""The update of a population that fires if any of several sources spikes."""
CLOCK_RULE = "clock"
"""Begin of the names of the updates of clocks."""
EQUATIONS = Path(__file__).with_name("relay.neuron")
Rule = tuple[str, Attribute, int | None]
"""The name of a neuron of that file, the type of its input, and the bits of this type if they vary."""


def insert(op: Operation, place: InsertPoint, origin: Operation) -> SSAValue:
    """Inserts an op with the location of `origin`, and returns its result."""
    op.location = origin.location
    Rewriter.insert_op(op, place)
    return op.results[0]


def copy_path(leaf: Leaf, value: SSAValue, names: NodeNames, at: Operation, suffix: str = "") -> SSAValue:
    """Returns a value after copies of the reshapes and delays of a leaf; the names of the copies end in `suffix`."""
    for step in leaf.path:
        properties = {key: entry for key, entry in step.properties.items() if key != "part_of"}
        properties["node"] = StringAttr(names.take(f"{describe_op(step)[1]}{suffix}"))
        type = TensorType(element_type(value), shape_of(step.results[0]))
        copy = step.__class__.create(operands=[value], result_types=[type], properties=properties)
        value = insert(copy, InsertPoint.before(at), step)
    return value


class NodeNames(PrimedNames):
    """The node names of a network. A pass creates one instance, which visits the network once."""

    def __init__(self, network: ntensor.NetworkOp):
        super().__init__(describe_op(op)[1] for op in network.body.block.ops)
        self.taken |= {one.data for one in (*network.input_names, *network.output_names)}
        self.network = network
        self.relays: dict[Rule, str] = {}
        """The updates of relays in the module, by their rules."""

    def source_name(self, value: SSAValue) -> str:
        """Returns the name of the node or input that produces a value; `sum` if it has no name."""
        if isinstance(value, BlockArgument):
            return self.network.input_names.data[value.index].data
        return describe_op(value.op)[1] or "sum" if isinstance(value, OpResult) else "sum"


def relay(names: NodeNames, name: str, x: SSAValue, at: Operation) -> SSAValue:
    """Inserts a population that forwards `x` before `at`, under a free name. Integers leave as graded spikes."""
    return insert(helper(names, name, x, rule_for(x)), InsertPoint.before(at), at)


def relay_some(names: NodeNames, name: str, x: SSAValue, chosen: Ints, at: Operation) -> SSAValue:
    """Inserts a population that forwards some of the spikes of `x`, flat. Shapes: chosen [neurons]."""
    type = TensorType(IntegerType(2), [len(chosen)])
    source, target = chosen.astype(np.int32), np.arange(len(chosen), dtype=np.int32)
    start = ntensor.SparseLinearOp.of(names.take(f"{name}.in"), x, type, np.ones(len(chosen), np.int8), source, target)
    arriving = insert(start, InsertPoint.before(at), at)
    return insert(helper(names, name, arriving, (SOME, IntegerType(2), None)), InsertPoint.before(at), at)


def relay_any(names: NodeNames, name: str, sums: SSAValue, bits: int, at: Operation) -> SSAValue:
    """Inserts a population whose neurons fire if their sums are above 0, which are the spikes of several sources, of some signed bits."""
    return insert(helper(names, name, sums, (ANY, element_type(sums), bits)), InsertPoint.before(at), at)


def forwarded(op: ntensor.NeuronOp) -> tuple[SSAValue, Ints, Ints]:
    """Returns the signal that a spike relay forwards, with source and target of each synapse from it. Shapes: [synapses]."""
    (x,) = op.xs
    name, start = op.update_name.rstrip("'"), x.owner
    is_pooled = name.startswith(f"{ANY}_") and isinstance(start, ntensor.SynapseOpInterface)
    if is_pooled or (name == SOME and isinstance(start, ntensor.SparseLinearOp)):
        source, target, _ = start.used_pairs()
        order = np.lexsort((target, source)) if is_pooled else np.arange(len(source))
        return start.x, source[order].astype(np.int64), target[order].astype(np.int64)
    every = np.arange(prod(shape_of(x)))
    return x, every, every


def erase_unread(names: NodeNames, start: SSAValue) -> None:
    """Removes the synapses of a relay that has been replaced, with their name."""
    if isinstance(start.owner, ntensor.SynapseOpInterface) and not start.uses:
        names.free(start.owner.node.data)
        Rewriter.erase_op(start.owner)


def helper(names: NodeNames, name: str, x: SSAValue, rule: Rule) -> ntensor.NeuronOp:
    """Returns a population without parameters and states, under a free name, for the arguments of `relay_update`."""
    if rule not in names.relays:
        names.relays[rule] = add_copy_of_update(relay_update(*rule), names.network)
    type, empty = TensorType(ntensor.emission_type(relay_update(*rule)), shape_of(x)), DictionaryAttr({})
    population = ntensor.NeuronOp(names.take(name), names.relays[rule], [x], type, params=empty, initial=empty)
    population.attributes[ADDED] = UnitAttr()
    if (rate := helper_rate(names.network, x, rule[0])) is not None:
        observe_rate(population, rate)
    return population


def helper_rate(network: ntensor.NetworkOp, x: SSAValue, rule: str) -> float | None:
    """Returns the mean events of a neuron of a helper in one tick; None without a calibration, and for sums, which only a run shows."""
    if observed_number(network, "samples") is None:
        return None
    if rule.startswith(CLOCK_RULE):
        return 1.0
    start = x.owner
    return signal_rate(network, start.x if rule == SOME and isinstance(start, ntensor.SparseLinearOp) else x)


def signal_rate(network: ntensor.NetworkOp, x: SSAValue) -> float | None:
    """Returns the observed mean events of an element of a signal in one tick: those of the population or input that it comes from; None for a sum."""
    start = x.owner
    while isinstance(start, ntensor.DelayOp | ntensor.ReshapeOp):
        x = start.operands[0]
        start = x.owner
    if isinstance(x, BlockArgument):
        return observed_rate(network, "inputs", network.input_names.data[x.index].data, "density")
    return observed_rate(start, "rate") if isinstance(start, ntensor.NeuronOp) else None


def observe_rate(population: ntensor.NeuronOp, rate: float) -> None:
    """Stores the mean events of a neuron in one tick, as a calibration does."""
    population.attributes[OBSERVED] = DictionaryAttr({"rate": FloatAttr(rate, f64)})


def rule_for(x: SSAValue) -> Rule:
    """Returns the arguments of `relay_update` for a signal."""
    element = element_type(x)
    match element:
        case _ if element == i1:
            name, bits = "relay_spike", None
        case ntensor.CountType():
            name, bits = "relay_count", element.bits.data
        case _ if (held := ntensor.interval_of(element)) is not None:
            name, bits = "relay_graded", held.size.bit_length() - 1
        case _:
            name, bits = "relay_value", None
    return name, element, bits


@cache
def relay_update(name: str, element: Attribute, bits: int | None) -> ntensor.UpdateOp:
    """Returns the update of a neuron of `relay.neuron`, for signals of a type; the result is shared."""
    from ....core.neuron.neuron import parse_neurons
    from ....dialects.equations.build import shared_update

    text = EQUATIONS.read_text(encoding="utf-8")
    if bits is not None:
        text = text.replace("u8", f"u{bits}").replace("s8", f"s{bits}")
    rule = next(neuron for neuron in parse_neurons(text, EQUATIONS.name).neurons if neuron.name == name)
    symbol = name if bits is None else f"{name}_{bits}"
    precision = f32 if isinstance(element, Float32Type) else f64
    return shared_update(rule, options={}, precision=precision, symbol=symbol)

"""Splits the synapses of neurons that have too many into partial sums, each of a population of its own.

    %y = ntensor.linear "fc" %x {weight = [[1, 2, 3, 4]]} : i1 -> i16
    %z = ntensor.neuron "lif" @u(%y)
      =>  (max-fan-in = 2)
    %a = ntensor.sparse_linear "fc.part0" %x {weight = [1, 2], …} : i1 -> i3
    %b = ntensor.neuron "lif.part0" @relay_graded_3(%a)
    %c = ntensor.sparse_linear "fc.part1" %x {weight = [3, 4], …} : i1 -> i4
    %d = ntensor.neuron "lif.part1" @relay_graded_4(%c)
    %y = ntensor.sum %b, %d : i16
    %z = ntensor.neuron "lif" @u(%y)

1. The fan-in of a neuron is the number of its synapses with a weight that is not zero, over all ops that meet in its input. A pool counts its
   kernel, and so does each weight after it: both are stored as synapses from the neurons before the pool. An input without a synapse counts one.
2. Synapses are distributed in the order in which they are added. Parts are populations in the same tick; where there are more than `max-fan-in`
   of them, their sums are split again.
3. That is exact for integers that are added first and meet a width once. An input that accumulates at every event is refused; so are reals,
   whose sums would be rounded in another order. `reorder` permits the split, and it is recorded.
4. A sum that is rounded by a negative exponent cannot be split.
5. With `code=spikes` parts are integrate-and-fire neurons, for devices without graded spikes: each spike is worth a share of the partial sum, and the
   rest stays in it (`_spiking_sums.py`). That is an approximation of reals, and is recorded.
6. Split ops without other readers are removed, with their names; the population keeps its name.

Exactness: to the bit for integers; nothing is recorded without `reorder` or `code=spikes`.

Errors: NTE009 a network in continuous time;
LEG040 `max-fan-in` below two; LEG041 an input that accumulates event by event; LEG042 reals; LEG043 what cannot be split; LEG044 what cannot be sent as spikes;
LEG045 `load` out of range.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from attrs import define
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.fan_in import Leaf, Piece, counts, deal_synapses, fan_in_of, leaves
from ....analysis.synapse_ranges import range_of_sums
from ....core.diagnostics import Code, ExitCode, describe_op, refuse, refuse_op
from ....core.fixed_point import Interval
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..relays._relays import NodeNames, copy_path, insert, relay
from ._option_limits import LEG040, verify_most
from ._spiking_sums import SpikingSplit

LEG041 = Code("LEG041", "event-accumulator-not-splittable", "a neuron that accumulates event by event cannot be split")
LEG042 = Code("LEG042", "partial-sums-change-rounding", "partial sums of reals are rounded in another order")
LEG043 = Code("LEG043", "synapses-not-splittable", "synapses cannot be split")
LEG045 = Code("LEG045", "sum-load-out-of-range", "the load of partial sums is out of range", exit_code=ExitCode.MISUSED)


@dataclass(frozen=True)
class NtensorSplitFanInPass(NoptPass):
    """Splits the fan-in of every `ntensor.network`.

    Options:
        max-fan-in: the synapses that a neuron may have, 2 or more; required.
        reorder: also where reals are added in another order, and record it; default false.
        code: how parts are sent: `payload`, as integers or reals, or `spikes`, for devices without graded spikes; default payload.
        load: with spikes, the share of the weights of a part that a spike is worth, above 0 to 1: the share of synapses that is active in a tick.
            A spike of less delays the sums of busy ticks, one of more is coarser; default the share of active sources that a calibration observed, at least
            0.125.
        join: with spikes, the parts of one sign are one population, whose neurons can share the parameters of a core; default false.
    """

    name = "ntensor-split-fan-in"
    max_fan_in: int
    reorder: bool = False
    code: Literal["payload", "spikes"] = "payload"
    load: float | None = None
    join: bool = False

    @property
    def approximations(self) -> tuple[str, ...]:
        return ("sums",) if self.code == "spikes" else ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most("max-fan-in", self.max_fan_in, 2, LEG040, "a neuron has at least two synapses", self.name)
        if self.load is not None and not 0 < self.load <= 1:
            help = pass_text(replace(self, load=None))
            refuse(LEG045, at=f"load={self.load:g}", expected="above 0 to 1", found=f"{self.load:g}", help=help)
        updates = ntensor.find_updates(op)
        for network in networks(op):
            names, done = NodeNames(network), dict[SSAValue, SSAValue]()
            reordered: list[str] = []
            loads: list[float] = []
            for population in network.populations:
                update = updates[population.update_name]
                for k, x in enumerate(list(population.xs)):
                    if (fan_in := int(fan_in_of(x).max(initial=0))) <= self.max_fan_in:
                        continue
                    if x not in done:
                        found = leaves(x)
                        if self.code == "spikes":
                            split = SpikingSplit(names, population, self.max_fan_in, self.load, self.join)
                            loads.append(split.load_of(found))
                            done[x] = split.run(x, found)
                        else:
                            self.verify(population, update, k, x, found, fan_in)
                            done[x] = Split(names, population, self.max_fan_in).run(x, found)
                    population.operands[k] = done[x]
                    if ntensor.interval_of(element_type(x)) is None:
                        reordered.append(population.node.data)
            for x in done:
                erase_unread(x)
            if reordered:
                what = f"split into partial sums of {self.max_fan_in} synapses, which are added in another order"
                if self.code == "spikes":
                    share = " to ".join(f"{load:.3g}" for load in dict.fromkeys((min(loads), max(loads))))
                    what = f"split into partial sums of {self.max_fan_in} synapses, sent as spikes of {share} of their weights"
                network.record(
                    ntensor.ApproximationAttr.of(pass_text(self), what, dict.fromkeys(reordered), unit="none")
                )

    def verify(
        self,
        population: ntensor.NeuronOp,
        update: ntensor.UpdateOp,
        k: int,
        x: SSAValue,
        found: list[Leaf],
        fan_in: int,
    ) -> None:
        """Errors: LEG041, LEG042, LEG043."""
        most, many = f"at most {self.max_fan_in} synapses", f"{fan_in} synapses"
        if isinstance(element_type(x), ntensor.TermsType):  # 3
            name, state, _ = update.accumulators[k - len(update.inputs)]
            message = f"@{update.sym_name.data} adds every event of {name} to {state} on its own"
            help = "convert the population to a neuron whose input is a sum: ntensor-set-neuron-model{to=FILE.neuron}"
            terms = f"{many} of `input {name} each into {state}`"
            refuse_op(population, LEG041, message, expected=most, found=terms, help=help)
        if ntensor.interval_of(element_type(x)) is None and not self.reorder:
            help = f"ntensor-split-fan-in{{max-fan-in={self.max_fan_in} reorder=true}}"
            refuse_op(population, LEG042, expected=most, found=f"{many} of {element_type(x)}", help=help)
        for leaf in found:
            op = leaf.op
            if op is None:
                continue
            exponent, is_whole = getattr(op, "exponent", None), ntensor.interval_of(element_type(x)) is not None
            if exponent is not None and (exponent.values < 0).any() and is_whole:
                message, help = (
                    "a sum that is rounded by an exponent cannot be split",
                    "fold the exponent into the weights",
                )
                refuse_op(op, LEG043, message, expected=most, found=many, help=help)
            kept = leaf.multiplicity if leaf.can_split else int(counts(leaf).max(initial=0))
            if kept > self.max_fan_in:
                message = f"{op.name} has no weights to deal out"
                if leaf.can_split:
                    message = f"a weight of {op.name} reads a pool, whose synapses stay together"
                help = f"ntensor-split-fan-in{{max-fan-in={kept}}}"
                refuse_op(op, LEG043, message, expected=most, found=f"{kept} synapses", help=help)


@define(eq=False)
class Split:
    """One sum in front of a population, split."""

    names: NodeNames
    at: ntensor.NeuronOp
    max_fan_in: int

    def run(self, x: SSAValue, found: list[Leaf]) -> SSAValue:
        """Returns the sum of the leaves, computed from partial sums of at most `max_fan_in` synapses."""
        filled = np.zeros(int(np.prod(shape_of(x))), np.int64)
        dealt = [piece for leaf in found for piece in deal_synapses(leaf, filled, self.max_fan_in)]
        last = max(piece.part for piece in dealt)
        node = self.at.node.data
        values = [self.part(node, p, x, [piece for piece in dealt if piece.part == p]) for p in range(last + 1)]
        while len(values) > self.max_fan_in:  # 2
            node = f"{node}.sum"
            groups = [values[k : k + self.max_fan_in] for k in range(0, len(values), self.max_fan_in)]
            values = [
                relay(self.names, f"{node}.part{p}", self.added(group, x), self.at) for p, group in enumerate(groups)
            ]
        return self.put(ntensor.SumOp.create(operands=values, result_types=[x.type]))

    def part(self, node: str, p: int, x: SSAValue, dealt: list[Piece]) -> SSAValue:
        """One population with the pieces of a part."""
        return relay(self.names, f"{node}.part{p}", self.added([self.piece(piece) for piece in dealt], x), self.at)

    def piece(self, piece: Piece) -> SSAValue:
        """Returns the op of a piece, and the ops between its leaf and the population."""
        leaf = piece.leaf
        op, value = leaf.op, leaf.value
        if op is not None and piece.kind is not None and piece.properties is not None:
            name = StringAttr(self.names.take(f"{describe_op(op)[1]}.part{piece.part}"))
            made = piece.kind.create(
                operands=[op.operands[0]], result_types=[value.type], properties={**piece.properties, "node": name}
            )
            narrowed(made, element_type(value))
            value = insert(made, InsertPoint.before(self.at), op)
        return copy_path(leaf, value, self.names, self.at, f".part{piece.part}")

    def added(self, values: list[SSAValue], x: SSAValue) -> SSAValue:
        """The sum of values, as narrow as the worst case lets it be."""
        if len(values) == 1:
            return values[0]
        element = element_type(x)
        if ntensor.interval_of(element) is not None:
            element = integer(sum(map(integers_of, values), Interval(0, 0)))
        return self.put(ntensor.SumOp.create(operands=values, result_types=[TensorType(element, shape_of(x))]))

    def put(self, op: Operation) -> SSAValue:
        Rewriter.insert_op(op, InsertPoint.before(self.at))
        return op.results[0]


def integer(range: Interval) -> Attribute:
    """Returns the integer type for a range, with at least two bits, because a type of one bit is a spike."""
    return IntegerType(max(2, range.signed_bits))


def integers_of(value: SSAValue) -> Interval:
    found = ntensor.interval_of(element_type(value))
    assert found is not None  # integers are sums of integers
    return found


def narrowed(op: Operation, element: Attribute) -> None:
    """Sets the type of a new op of integers to the narrowest that holds its worst case."""
    if ntensor.interval_of(element) is None or not isinstance(op, ntensor.SynapseOpInterface):
        return
    given = integers_of(op.x)
    sums = range_of_sums(op, [given])
    assert sums is not None  # a synapse op
    worst = sums.partial
    if not ntensor.is_event(element_type(op.x)):
        worst = worst.join(given)
    Rewriter.replace_value_with_new_type(op.results[0], TensorType(integer(worst), shape_of(op.y)))


def erase_unread(value: SSAValue) -> None:
    """Removes the unused ops upstream of a sum."""  # 6
    stack = [value]
    while stack:
        op = stack.pop().owner
        if not isinstance(op, Operation) or isinstance(op, ntensor.NeuronOp) or op.parent is None:
            continue
        if not any(result.uses for result in op.results):
            stack.extend(op.operands)
            Rewriter.erase_op(op)

"""Moves delays of synaptic sums before the synapses, to the events that they read.

    %y = ntensor.linear "fc" %x {weight = w}              %d = ntensor.delay "late" %x {ticks = 3}
    %z = ntensor.delay "late" %y {ticks = 3}       =>     %z = ntensor.linear "fc" %d {weight = w}

1. A delay of a sum moves to its operands, and one of a reshaped value before the reshape.
2. Where neurons wait different ticks, their synapses have delays. The ticks that all of them wait remain an op, since a loop needs one.
3. A bias arrives after the delay, too: a neuron that always fires feeds it (`_bias_retiming.py`).
4. The delay of a node, whose output is recorded after it, stays. So does one after weights that change, one after a pool whose ticks differ, and
   one in a loop without a population.

Exactness: to the bit. A moved delay of a sum is not a node any more.

Errors: NTE009 a network in continuous time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from attrs import define, field
from numpy.typing import ArrayLike
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.integer_ranges import IntegerRanges
from ....analysis.node_selection import name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Ints
from ....core.ir.graph_region import components
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..relays._relays import NodeNames, insert
from ._bias_retiming import has_bias, may_part, part_biases
from ._late_chains import is_link, is_owned, spread
from ._retiming import inner_sources


def can_move(op: Operation) -> bool:
    """Returns whether a delay of a value moves before the op that produces the value."""  # 4
    if not isinstance(op, ntensor.DelayOp) or is_owned(op):
        return False
    before = op.x.owner
    if isinstance(before, ntensor.SynapseOpInterface):
        is_pool = before.weights is None
        return before.learning_rule is None and not (is_pool and len(np.unique(op.ticks.values)) > 1)
    is_value = not ntensor.is_event(element_type(op.x))
    return is_value and isinstance(before, ntensor.SumOp | ntensor.ReshapeOp)


@define(eq=False)
class Hoisting:
    """The rewrite of one network."""

    network: ntensor.NetworkOp
    names: NodeNames
    looped: set[Operation] = field(factory=set[Operation])
    """The ops of loops without a population."""

    def run(self) -> None:
        values = [op for op in self.network.body.block.ops if op.results and not isinstance(op, ntensor.NeuronOp)]
        self.looped = {op for group in components(values, inner_sources) if len(group) > 1 for op in group}
        self.part_late_biases()
        while (op := next((op for op in self.network.body.block.ops if self.is_movable(op)), None)) is not None:
            assert isinstance(op, ntensor.DelayOp)  # is_movable
            self.move(op)

    def is_movable(self, op: Operation) -> bool:
        """Returns whether a delay moves. A bias that cannot arrive later keeps the delay where it is."""
        before = op.operands[0].owner if can_move(op) else None
        return isinstance(before, Operation) and op not in self.looped and not has_bias(before)

    def part_late_biases(self) -> None:
        """Feeds late biases from a neuron that always fires."""  # 3
        late = [op for op in self.network.body.block.ops if has_bias(op) and has_late_reader(op.results[0])]
        ranges = IntegerRanges(self.network) if late else None
        late = [op for op in late if ranges is not None and may_part(op, ranges[op.x])]
        part_biases(self.network, late, self.names)

    def move(self, op: ntensor.DelayOp) -> None:
        before, ticks = op.x.owner, op.ticks.values.astype(np.int64)
        assert isinstance(before, Operation)  # can_move
        if isinstance(before, ntensor.SynapseOpInterface) and len(np.unique(ticks)) > 1:
            made = self.late_synapses(op, before, ticks)
        else:
            made = self.moved(op, before, ticks)
        op.y.replace_all_uses_with(made)
        Rewriter.erase_op(op)
        if not before.results[0].uses:
            Rewriter.erase_op(before)

    def moved(self, op: ntensor.DelayOp, before: Operation, ticks: Ints) -> SSAValue:
        """Returns the result of a copy of an op that reads late operands."""
        xs = list[SSAValue]()
        for k, x in enumerate(before.operands):
            each = ticks if ticks.size == 1 or isinstance(before, ntensor.SumOp) else ticks.reshape(shape_of(x))
            name = f"{name_of(op)}.{k}" if len(before.operands) > 1 else name_of(op)
            xs.append(self.delay(name, x, int(ticks.flat[0]) if len(np.unique(ticks)) == 1 else each, op))
        again = before.clone()
        again.operands = xs
        self.name(again, before)
        return insert(again, InsertPoint.before(op), before)

    def late_synapses(self, op: ntensor.DelayOp, before: ntensor.SynapseOpInterface, ticks: Ints) -> SSAValue:
        """Returns the result of a sparse op whose synapse delays include the delays of the target neurons."""  # 2
        source, target, place = before.used_pairs()
        order = np.lexsort((target, source))
        source, target, place = source[order], target[order], place[order]
        own = np.zeros(1, np.int64) if before.delays is None else before.delays.values.astype(np.int64).reshape(-1)
        every = ticks.reshape(-1)[target] + spread(own, place)
        common = int(every.min()) if every.size else int(ticks.min())
        x = self.delay(name_of(op), before.x, common, op) if common else before.x
        properties = before.sparse_properties(source, target, place)
        properties["delay"] = ArrayAttr.of(every - common)
        properties["node"] = before.node
        made = ntensor.SparseLinearOp.create(operands=[x], result_types=[before.y.type], properties=properties)
        self.name(made, before)
        return insert(made, InsertPoint.before(op), before)

    def delay(self, name: str, x: SSAValue, ticks: ArrayLike, at: ntensor.DelayOp) -> SSAValue:
        self.names.free(name_of(at))
        return insert(ntensor.DelayOp(self.names.take(name), x, ticks), InsertPoint.before(at), at)

    def name(self, made: Operation, before: Operation) -> None:
        """Renames an op if the op in its place has other readers."""
        if "node" in made.properties and len(list(before.results[0].uses)) > 1:
            made.properties["node"] = StringAttr(self.names.take(f"{name_of(before)}.late"))


def has_late_reader(value: SSAValue) -> bool:
    """Returns whether a movable delay reads a value, directly or through sums and reshapes."""
    readers = [use.operation for use in value.uses if not isinstance(use.operation, ntensor.NeuronOp)]
    return any(
        can_move(reader)
        or ((isinstance(reader, ntensor.SumOp) or is_link(reader)) and has_late_reader(reader.results[0]))
        for reader in readers
    )


@dataclass(frozen=True)
class NtensorHoistDelaysPass(NoptPass):
    """Moves the delays of sums in every `ntensor.network` before the synapses."""

    name = "ntensor-hoist-delays"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            Hoisting(network, NodeNames(network)).run()

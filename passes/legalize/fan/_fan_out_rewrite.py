"""Rewrite of fan-out: slices of populations read copies of their sources that send the same events.

`FanOutRewrite.redirect(slices, given)` replaces `z` by `given[z]` as an operand of the slices. Ops between both are copied, and the copies share
their weights. Where only some slices of a population change their source, its synapses are split by their targets:

    %y = ntensor.linear "fc" %z {…}      =>    %a = ntensor.sparse_linear "fc.part0" %z {…}        the rows of some slices
                                               %b = ntensor.sparse_linear "fc.part1" %copy {…}     the rows of the others
                                               %y = ntensor.sum %a, %b

The split is exact: each neuron gets its whole sum from one of the parts, in the same order, and zero from the others. An op without
readers is removed, with its name.

Errors: LEG017 an input without synapses that can be split.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from attrs import define, field
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.fan_in import is_passed
from ....analysis.fan_out import Slice, labels
from ....analysis.node_selection import name_of
from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Bools, Ints
from ....core.diagnostics import Code, describe_op, refuse_op
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ..relays._relays import NodeNames, insert

LEG017 = Code("LEG017", "slice-input-not-splittable", "the input of several slices of a population cannot be split")

Given = Mapping[SSAValue, SSAValue]
"""The replacement of each signal."""


@define(eq=False)
class Dependence:
    """The dependence of an op on replaced signals."""

    is_alone: bool
    """Whether its result has exactly one use: then the op is changed, not copied."""
    operands: list[int] = field(factory=list[int])


@define(eq=False)
class FanOutRewrite:
    """Changes of one network. `step` is the name of the pass in messages."""

    names: NodeNames
    step: str
    dependences: Mapping[Operation, Dependence]
    """The ops that depend on replaced signals, within one tick or through delays."""
    copies: dict[tuple[SSAValue, int], SSAValue] = field(factory=dict[tuple[SSAValue, int], SSAValue])
    """By the value and the replacements of its sources."""
    made: list[tuple[Operation, Operation | None]] = field(factory=list[tuple[Operation, Operation | None]])
    """Ops and their copies, without ops that were split."""
    wholes: list[SSAValue] = field(factory=list[SSAValue])
    """Sums of parts."""

    @classmethod
    def of(cls, values: Iterable[SSAValue], names: NodeNames, step: str) -> FanOutRewrite:
        """Returns changes that replace some values."""
        return cls(names, step, find_dependences(values))

    def redirect_all(self, bins: Sequence[Sequence[Slice]], given: Sequence[Given]) -> None:
        """Redirects the slices of each bin to its replacements; slices in no bin follow others of their population."""
        chosen: dict[ntensor.NeuronOp, dict[int, int]] = {}
        for place, members in enumerate(bins):
            for population, k in members:
                chosen.setdefault(population, {})[k] = place
        for population, places in chosen.items():
            rest = next(iter(places.values()))
            count = int(labels(population).max(initial=0)) + 1
            self.redirect(population, [places.get(k, rest) for k in range(count)], given)
        self.finish()

    def redirect(self, population: ntensor.NeuronOp, chosen: Sequence[int], given: Sequence[Given]) -> None:
        """Redirects each slice of a population to its replacements; `chosen` is an index into `given` for each slice."""
        if len(set(chosen)) == 1:
            population.operands = [self.rebuilt(x, given[chosen[0]], chosen[0]) for x in population.xs]
            return
        label = np.asarray(chosen)[labels(population)]
        for k, x in enumerate(list(population.xs)):
            parts = dict[SSAValue, SSAValue]()
            for leaf in self.changed_leaves(x, given):
                if leaf not in parts:
                    parts[leaf] = self.split_value(population, leaf, label, given)
            population.operands[k] = self.rebuilt(x, parts, -1 - id_of(population)) if parts else x

    def rebuilt(self, value: SSAValue, given: Given, copy: int, *, is_shared: bool = False) -> SSAValue:
        """Returns a value computed from replacements of some of its sources; the ops between them are copied if others read them.

        `is_shared` is true if several ops replace its only reader.
        """
        if value in given:
            return given[value]
        op = value.owner
        if not given or not isinstance(op, Operation) or op not in self.dependences:
            return value
        dependence = self.dependences[op]
        if dependence.is_alone and value.has_one_use() and not is_shared:  # a copy for its reader would be redundant
            for k in dependence.operands:
                op.operands[k] = self.rebuilt(op.operands[k], given, copy)
            return value
        if (value, copy) not in self.copies:
            again = op.clone()
            if (node := name_of(op)) and "node" in again.properties:
                again.properties["node"] = StringAttr(self.names.take(f"{node}.copy{max(copy, 0)}"))
            Rewriter.insert_op(again, InsertPoint.after(op))
            self.made.append((op, again))
            self.copies[value, copy] = again.results[0]
            for k in dependence.operands:
                again.operands[k] = self.rebuilt(op.operands[k], given, copy)
            if isinstance(again, ntensor.DelayOp) and again.part_of is not None:
                owner = again.x.owner
                again.part_of = StringAttr(name_of(owner)) if isinstance(owner, ntensor.NeuronOp) else None
        return self.copies[value, copy]

    def changed_leaves(self, value: SSAValue, given: Sequence[Given]) -> list[SSAValue]:
        """Returns the operands of the sums before a value that depend on replaced signals, from left to right."""
        if any(value in one for one in given):
            return [value]
        op = value.owner
        if not isinstance(op, Operation) or op not in self.dependences:
            return []
        if is_passed(op):
            return [leaf for k in self.dependences[op].operands for leaf in self.changed_leaves(op.operands[k], given)]
        return [value]

    def split_value(
        self, population: ntensor.NeuronOp, value: SSAValue, label: Ints, given: Sequence[Given]
    ) -> SSAValue:
        """Splits a synapse op into one part for each source copy, and returns the sum of the parts."""
        op = value.owner
        if isinstance(op, ntensor.ScaleOp) or not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None:
            refuse_op(
                population,
                LEG017,
                expected="synapses with weights",
                found=describe_op(op)[0] if isinstance(op, Operation) else "an input",
                help="ntensor-fold-scale" if isinstance(op, ntensor.ScaleOp) else "larger slices: ntensor-plan-cores",
            )
        node, parts = name_of(op), list[SSAValue]()
        copies: list[int] = np.unique(label).tolist()
        for copy in copies:
            properties = sparse_part(op, label == copy)
            properties["node"] = StringAttr(self.names.take(f"{node}.part{copy}"))
            x = self.rebuilt(op.x, given[copy], copy, is_shared=True)
            part = ntensor.SparseLinearOp.create(operands=[x], result_types=[op.y.type], properties=properties)
            parts.append(insert(part, InsertPoint.before(op), op))
        whole = insert(ntensor.SumOp.create(operands=parts, result_types=[op.y.type]), InsertPoint.before(op), op)
        self.wholes.append(whole)
        self.made.append((op, None))
        return whole

    def finish(self) -> None:
        """Removes unused ops; their names go to their copies. Sums of parts are merged into the sums that read them. One of the parts is
        zero, so that is exact."""
        for whole in self.wholes:
            for use in list(whole.uses):
                reader = use.operation
                if isinstance(reader, ntensor.SumOp) and isinstance(whole.owner, ntensor.SumOp):
                    place = list(reader.operands).index(whole)
                    parts = list(whole.owner.xs)
                    reader.operands = [*reader.operands[:place], *parts, *reader.operands[place + 1 :]]
            if not whole.uses and isinstance(whole.owner, Operation):
                Rewriter.erase_op(whole.owner)
        is_moving = True
        while is_moving:
            is_moving = False
            for op, again in reversed(self.made):
                owned = isinstance(op, ntensor.DelayOp) and op.part_of is not None
                if op.parent is None or owned or op.results[0].uses:
                    continue
                if (node := name_of(op)) and again is None:
                    self.names.free(node)
                elif node and again is not None:
                    self.names.free(name_of(again))
                    again.properties["node"] = StringAttr(node)
                if again is not None:
                    again.attributes.update(op.attributes)
                Rewriter.erase_op(op)
                is_moving = True


def id_of(population: ntensor.NeuronOp) -> int:
    """Returns a number for a population of a network: its index."""
    block = population.parent
    assert block is not None  # it belongs to a network
    return block.get_operation_index(population)


def find_dependences(values: Iterable[SSAValue]) -> dict[Operation, Dependence]:
    """Returns the ops that depend on some values, before these come to a population."""
    stack, found = list(values), dict[Operation, Dependence]()
    while stack:
        for use in stack.pop().uses:
            op = use.operation
            if isinstance(op, ntensor.NeuronOp | ntensor.OutputOp):
                continue
            if op not in found:
                stack += op.results
                is_recorded = isinstance(op, ntensor.DelayOp) and op.part_of is not None
                found[op] = Dependence(op.results[0].has_one_use() and not is_recorded)
            found[op].operands.append(use.index)
    for dependence in found.values():
        dependence.operands.sort()
    return found


def sparse_part(op: ntensor.SynapseOpInterface, kept: Bools) -> dict[str, Attribute]:
    """Returns the synapses of an op into some neurons, as properties of a sparse op. Shapes: kept [neurons]."""
    source, target, place = op.used_pairs()
    chosen = np.flatnonzero(kept[target])
    chosen = chosen[np.lexsort((target[chosen], source[chosen]))]
    bias = op.optional_array("bias")
    if bias is not None:
        shape, values = shape_of(op.y), bias.values
        values = np.where(kept, op.spread_outputs(values).reshape(-1), 0).astype(values.dtype)
        bias = ArrayAttr.of(values.reshape(shape)) if values.any() else None
    return op.sparse_properties(source[chosen], target[chosen], place[chosen], bias)

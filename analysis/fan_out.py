"""Fan-out analysis: the slices of populations that the events of a neuron reach through nonzero synapses, pools, delays and reshapes.

The slices of a population are those of its plan: `machine.boxes` over its shape, or over `machine.order` if it is specified. A population
without a plan is one slice. Outputs of the network are not slices.

A `Reach` has a column for each reached slice and a row for each element of a signal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation, SSAValue

from ..core.arrays.numeric import Bools, Ints
from ..core.ir.graph_region import components
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from ..dialects.chip_base.slicing import place_in
from .slicing import planned_slicing

Slice = tuple[ntensor.NeuronOp, int]


@frozen(eq=False)
class Reach:
    """Slices that the elements of a signal reach. Shapes: table [elements, slices]."""

    slices: tuple[Slice, ...]
    table: Bools

    def counts(self) -> Ints:
        """Returns the number of slices that each element reaches."""
        return self.table.sum(axis=1, dtype=np.int64)

    @property
    def most(self) -> int:
        """The largest number of slices that an element reaches."""
        return int(self.counts().max(initial=0))

    def column(self, at: Slice) -> Bools:
        return self.table[:, self.slices.index(at)]


def labels(population: ntensor.NeuronOp) -> Ints:
    """Returns the slice of each neuron, in flat order."""
    slicing = planned_slicing(population)
    return np.zeros(prod(shape_of(population.z)), np.int64) if slicing is None else place_in(slicing)


def reaches(values: Iterable[SSAValue]) -> dict[SSAValue, Reach]:
    """Returns the slices that some signals reach: a fixpoint over their readers, up to the populations."""
    asked = list(values)
    ends: dict[Operation, Reach] = {}
    found: dict[SSAValue, Reach] = {}

    def readers(value: SSAValue) -> list[Operation]:
        return [use.operation for use in value.uses if not isinstance(use.operation, ntensor.OutputOp)]

    def through(op: Operation, x: SSAValue) -> Reach:
        if isinstance(op, ntensor.NeuronOp):
            if op not in ends:
                label = labels(op)
                ends[op] = Reach(tuple((op, k) for k in range(int(label.max(initial=0)) + 1)), one_hot(label))
            return ends[op]
        downstream = found.get(op.results[0])
        if downstream is None or not downstream.slices:
            return Reach((), np.zeros((prod(shape_of(x)), 0), bool))
        return Reach(downstream.slices, propagate_backward(op, downstream.table))

    def of(value: SSAValue) -> Reach:
        return unite(prod(shape_of(value)), [through(op, value) for op in dict.fromkeys(readers(value))])

    first = [op for value in asked for op in readers(value)]
    for part in components(first, lambda op: [] if isinstance(op, ntensor.NeuronOp) else readers(op.results[0])):
        is_moving = True
        while is_moving:
            is_moving = False
            for op in part:
                if isinstance(op, ntensor.NeuronOp):
                    continue  # a population is an end, not a step of the fixpoint
                value, now = op.results[0], of(op.results[0])
                before = found.get(value)
                found[value] = now
                changed = before is None or before.slices != now.slices or bool((before.table != now.table).any())
                is_moving |= changed and len(part) > 1
    return {value: of(value) for value in asked}


def one_hot(label: Ints) -> Bools:
    return label[:, None] == np.arange(int(label.max(initial=0)) + 1)


def unite(size: int, parts: Sequence[Reach]) -> Reach:
    """Returns the union of several reaches."""
    slices = tuple(dict.fromkeys(at for part in parts for at in part.slices))
    if len(parts) == 1:
        return parts[0]
    place = {at: k for k, at in enumerate(slices)}
    table = np.zeros((size, len(slices)), bool)
    for part in parts:
        table[:, [place[at] for at in part.slices]] |= part.table
    return Reach(slices, table)


def propagate_backward(op: Operation, table: Bools) -> Bools:
    """Returns the slices that the operands of an op reach, if its result reaches `table`."""
    if not isinstance(op, ntensor.SynapseOpInterface):
        return table
    back, shape = op.prepare_backwards(), shape_of(op.y)
    found = np.zeros((prod(shape_of(op.x)), table.shape[1]), bool)
    for k in range(table.shape[1]):
        found[:, k] = back(table[:, k].reshape(shape).astype(np.float64)).reshape(-1) > 0
    return found

"""Axons of crossbar cores: for each slice of a population its axons, their types, and the synapses that connect them.

A population is read where every op with weights upstream of it has axon types (`#ntensor.axon_types`). The axons of its ops are those of one
core, so that their slices and values must agree.

| word | counts |
| --- | --- |
| axons | inputs of a core: one for each source neuron, delay and duplicate |
| duplicates | axons beyond the first of a source neuron and delay |
| synapses | connected pairs of an axon and a neuron |

Errors: ANA005 ops of one population with other slices or values.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen

from ..core.arrays.numeric import AnyArray, Ints
from ..core.diagnostics import Code, refuse_op
from ..dialects import ntensor
from ..dialects.chip_base.lines import UNTYPED
from .wiring import Connection, Wiring

ANA005 = Code("ANA005", "axon-types-disagree", "the axon types of the ops of a population disagree")


@frozen(eq=False)
class SliceAxons:
    """The axons of one slice.

    Shapes: neurons [neurons]; values [neurons, types]; op, source, type and delay [axons]; axon and neuron [synapses]. Units: delay [ticks].
    """

    neurons: Ints
    """The flat index of each neuron in its population."""
    values: AnyArray
    op: Ints
    """The index of the op of each axon."""
    source: Ints
    """The flat index of each source neuron in the operand of the op."""
    type: Ints
    delay: Ints
    """The delay of the synapses themselves, without the delays around the op."""
    axon: Ints
    neuron: Ints
    """For each synapse the index of its axon, and that of its neuron in the slice."""

    @property
    def duplicates(self) -> int:
        """The number of axons beyond the first of each source neuron and delay."""
        return len(self.op) - len(np.unique(np.stack([self.op, self.source, self.delay]), axis=1).T)

    def type_counts(self) -> Ints:
        """Returns the number of axons of each type."""
        return np.bincount(self.type, minlength=self.values.shape[1])


def typed_ops(connections: Sequence[Connection]) -> list[ntensor.SynapseOpInterface]:
    """Returns the ops with axon types of some chains."""
    steps = dict.fromkeys(op for one in connections for op in one.chain)
    return [op for op in steps if isinstance(op, ntensor.SynapseOpInterface) and op.typed_axons is not None]


def slice_axons(ops: Sequence[ntensor.SynapseOpInterface]) -> list[SliceAxons]:
    """Returns the axons of each slice of a population that adds the results of these ops. Errors: ANA005."""
    if not ops:
        return []
    verify_agreement(ops)
    given = ops[0].typed_axons
    assert given is not None  # typed_ops
    slices, values = given.slices.values.astype(np.int64), given.values.values
    count = int(slices.max(initial=-1)) + 1
    place = np.empty(len(slices), np.int64)
    members = [np.flatnonzero(slices == k) for k in range(count)]
    for own in members:
        place[own] = np.arange(len(own))
    tables, points, starts = list[Ints](), list[tuple[Ints, Ints]](), 0
    for k, op in enumerate(ops):
        assert op.typed_axons is not None
        table = op.typed_axons.table
        tables.append(np.column_stack([table, np.full(len(table), k)]))
        axon, target = ntensor.crossbar_points(op)
        points.append((axon + starts, target))
        starts += len(table)
    table = np.concatenate(tables)
    axon, target = (np.concatenate([one[side] for one in points]) for side in (0, 1))
    found: list[SliceAxons] = []
    for k, own in enumerate(members):
        rows = np.flatnonzero(table[:, 0] == k)
        index = np.full(len(table), -1)
        index[rows] = np.arange(len(rows))
        used = slices[target] == k
        source, type, delay, op = table[rows][:, 1:].T
        found.append(SliceAxons(own, values[own], op, source, type, delay, index[axon[used]], place[target[used]]))
    return found


def population_axons(wiring: Wiring) -> dict[str, list[SliceAxons]]:
    """Returns the axons of each slice of the populations that have some, by name. Errors: ANA005."""
    found = {name: slice_axons(typed_ops(wiring.into(name))) for name in wiring.neurons}
    return {name: slices for name, slices in found.items() if slices}


def verify_agreement(ops: Sequence[ntensor.SynapseOpInterface]) -> None:
    """Refuses ops of one population whose slices or values differ. Errors: ANA005."""
    first, *others = ops
    one = first.typed_axons
    assert one is not None  # typed_ops
    for op in others:
        other = op.typed_axons
        assert other is not None
        for what, a, b in (("slices", one.slices, other.slices), ("values", one.values, other.values)):
            if a.shape != b.shape or not np.array_equal(a.values, b.values):
                refuse_op(
                    op,
                    ANA005,
                    expected=f'the {what} of "{first.node.data}", which the same neurons add',
                    found=f"other {what}",
                    help="fit the weights of all ops of the population together",
                )


def colour_axons(matrix: Ints, given: Ints) -> Ints:
    """Returns a type for each axon such that each neuron has a single weight per type: the smallest one, largest degree first (Welsh and Powell 1967).

    Shapes: matrix [neurons, axons]; given [axons], types that stay, or UNTYPED.
    """
    types = given.copy()
    values: list[Ints] = [np.zeros(len(matrix), np.int64) for _ in range(int(given.max(initial=-1)) + 1)]
    for k in np.flatnonzero(given != UNTYPED).tolist():
        column, held = matrix[:, k], values[int(given[k])]
        values[int(given[k])] = np.where(column != 0, column, held)
    degree = (matrix != 0).sum(axis=0)
    open = np.flatnonzero(given == UNTYPED)
    for k in open[np.argsort(-degree[open], kind="stable")].tolist():
        own = matrix[:, k]
        fitting = (j for j, held in enumerate(values) if not ((own != 0) & (held != 0) & (own != held)).any())
        types[k] = next(fitting, len(values))
        if types[k] == len(values):
            values.append(np.zeros(len(matrix), np.int64))
        before: Ints = values[types[k]]
        values[types[k]] = np.where(own != 0, own, before)
    return types


def needs_one_axon(matrix: Ints, types: int) -> bool:
    """Returns whether one axon of each source is enough: each neuron has a single weight per type, for at most `types` types. Shapes: [neurons, sources]."""
    if int(count_weights(matrix).max(initial=0)) <= types:
        given = np.full(matrix.shape[1], UNTYPED)
        return int(colour_axons(matrix, given).max(initial=0)) < types
    return False


def count_weights(matrix: Ints) -> Ints:
    """Returns the number of different weights of each neuron, without 0. Shapes: matrix [neurons, sources]; result [neurons]."""
    neuron, source = np.nonzero(matrix)  # a map of features has few of them
    weight = matrix[neuron, source]
    order = np.lexsort((weight, neuron))
    neuron, weight = neuron[order], weight[order]
    is_new = np.ones(len(neuron), bool)
    is_new[1:] = (np.diff(neuron) != 0) | (np.diff(weight) != 0)
    return np.bincount(neuron[is_new], minlength=len(matrix))

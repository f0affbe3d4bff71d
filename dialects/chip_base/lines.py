"""Lines: the paths of spikes from a source neuron to an axon of a core, on devices whose neurons have few destinations.

On such a device, a synapse has no delay of its own, and a crossbar has one weight of a neuron for each type of axon. So a source neuron needs an
axon of a core for each delay, and for each type on which its weights are. A line has the same delay, type and rank for all source neurons:

| part of a line | meaning |
| --- | --- |
| delay | of the whole chain [ticks] |
| type | of the axon; UNTYPED if the weights have no axon types |
| rank | distinguishes axons of one source neuron with equal delays and types |

Weights without types are products and sums of all paths from a source neuron to a target neuron.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray
from xdsl.ir import Operation

from ...core.arrays.joins import join
from ...core.arrays.numeric import AnyArray, Ints
from ...core.arrays.unique_rows import unique_rows
from ...core.device.records import Device
from ...core.ir.operation import shape_of
from ..ntensor import DelayOp, SynapseOpInterface, crossbar_points
from ..ntensor.axon_types import DUPLICATES

Line = tuple[int, int, int]
"""Delay [ticks], type and rank."""
UNTYPED = -1
CHAIN_RANKS = 2**20
"""Distance of the ranks of two chains."""


@frozen(eq=False)
class LineSynapses:
    """The synapses of a chain. Shapes: source, target, weight, delay, type and rank [synapses]. Units: delay [ticks]."""

    source: Ints
    target: Ints
    weight: AnyArray
    delay: Ints
    type: Ints
    rank: Ints

    def chosen(self, index: Ints) -> LineSynapses:
        """Returns some of the synapses."""
        return LineSynapses(*(getattr(self, name)[index] for name in COLUMNS))

    def ranked(self, k: int) -> LineSynapses:
        """Returns the synapses with the ranks of the k-th chain between a source and a population; chains with different ranks have different axons."""
        return evolve(self, rank=self.rank + k * CHAIN_RANKS) if k else self

    def lines(self) -> tuple[list[Line], Ints]:
        """Returns the distinct lines in ascending order, and the line index of each synapse."""
        columns = (self.delay, self.type, self.rank)
        if len(self.source) and all((column == column[0]).all() for column in columns):
            delay, type, rank = (int(column[0]) for column in columns)
            return [(delay, type, rank)], np.zeros(len(self.source), np.int64)
        columns = np.stack(columns, axis=1)
        different, index = unique_rows(columns)
        return [(delay, type, rank) for delay, type, rank in different.tolist()], index


COLUMNS = ("source", "target", "weight", "delay", "type", "rank")


def has_lines(device: Device | None) -> bool:
    """Returns whether neurons of a device have few destinations, or cores crossbars."""
    return device is not None and any(device.entry(path) is not None for path in ("core.destinations", "core.crossbar"))


def line_synapses(ops: Iterable[Operation]) -> LineSynapses:
    """Returns the synapses of a chain, by source, then by target."""
    ops = list(ops)
    size = prod(shape_of(ops[0].operands[0])) if ops else 0
    every, none = np.arange(size), np.zeros(size, np.int64)
    found = LineSynapses(every, every, np.ones(size, np.int64), none, none + UNTYPED, none)
    is_first, is_sorted = True, True
    for op in ops:
        if isinstance(op, DelayOp):
            ticks = np.broadcast_to(op.ticks.values, shape_of(op.x)).reshape(-1).astype(np.int64)
            found = evolve(found, delay=found.delay + ticks[found.target])
        elif isinstance(op, SynapseOpInterface):
            is_sorted = op.typed_axons is None
            found = followed_by(found, op, is_first) if is_sorted else followed_by_typed(found, op)
            is_first = False
    if is_sorted:  # by neurons and delays; there is one type and one rank
        return found
    return found.chosen(np.lexsort((found.rank, found.type, found.delay, found.target, found.source)))


def followed_by_typed(given: LineSynapses, op: SynapseOpInterface) -> LineSynapses:
    """Returns the composition of synapses with an op with axon types. A weight that is a sum of several axons has one synapse for each of them."""
    held = op.typed_axons
    assert held is not None  # asked before
    table = held.table
    axon, target = crossbar_points(op)
    _, into, type, late = table[axon].T
    before, after = join(given.target, into)
    same = np.cumsum(np.append(0, np.any(table[1:] != table[:-1], axis=1))) if len(table) else np.zeros(0, np.int64)
    duplicate = np.arange(len(table)) - np.searchsorted(same, same)
    source, through = given.source[before], into[after]
    size = int(table[:, 1].max(initial=0)) + 1
    pairs, which = np.unique(source * size + through, return_inverse=True)
    first = pairs // size
    place = np.arange(len(pairs)) - np.searchsorted(
        first, first
    )  # of an element of the operand, among those of its source
    value = held.values.values[target, type].astype(np.int64)
    return LineSynapses(
        source,
        target[after],
        given.weight[before] * value[after],
        given.delay[before] + late[after],
        type[after],
        place[which.reshape(-1)] * DUPLICATES + duplicate[axon][after],
    )


def followed_by(given: LineSynapses, op: SynapseOpInterface, is_first: bool = False) -> LineSynapses:
    """Returns the composition of synapses with the synapses of an op without axon types, in order. `is_first`: each source neuron is an element of the operand."""
    into, target, place = op.used_pairs()
    weights = np.ones(1, np.int64) if op.weights is None else op.weight_steps().values.astype(np.int64).reshape(-1)
    own = weights[place] if op.weights is not None else np.ones(len(place), np.int64)
    late: Ints = np.broadcast_to(np.int64(0), (len(place),))
    if op.delays is not None and op.weights is not None:
        late = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)[place].astype(np.int64)
    del place
    if is_first:
        delay = given.delay[into] + late if given.delay.any() else late
        return in_order(into, target, own, delay)
    before, after = join(given.target, into)
    return summed(
        given.source[before],
        target[after],
        given.weight[before] * own[after],
        given.delay[before] + late[after],
    )


def in_order(source: Ints, target: Ints, weight: Ints, delay: Ints) -> LineSynapses:
    """Returns the result of `summed`. Where no pair of neurons has two synapses, arrays of equal numbers are views of one number."""
    key = source * (int(target.max(initial=0)) + 1) + target
    order = np.argsort(key, kind="stable")
    key = key[order]
    if (key[1:] == key[:-1]).any():
        return summed(source, target, weight, delay)
    del key
    ordered = delay if delay.strides == (0,) else delay[order]
    none = np.broadcast_to(np.int64(0), (len(order),))
    types = np.broadcast_to(np.int64(UNTYPED), (len(order),))
    return LineSynapses(source[order], target[order], weight[order], ordered, types, none)


def summed(source: Ints, target: Ints, weight: Ints, delay: Ints) -> LineSynapses:
    """Returns synapses without types. Synapses with equal neurons and delays are merged, and their weights added."""
    key, index = unique_rows(np.stack([source, target, delay], axis=1))
    total = np.zeros(len(key), np.int64)
    np.add.at(total, index, weight)
    none = np.zeros(len(key), np.int64)
    return LineSynapses(key[:, 0], key[:, 1], total, key[:, 2], none + UNTYPED, none)


def ranked_chains(chains: Sequence[tuple[str, LineSynapses]]) -> list[tuple[str, LineSynapses]]:
    """Returns the chains into one population, each preceded by its source name; chains from the same source get different ranks."""
    seen: dict[str, int] = {}
    found: list[tuple[str, LineSynapses]] = []
    for source, one in chains:
        k = seen.setdefault(source, 0)
        seen[source] += 1
        found.append((source, one.ranked(k)))
    return found


def masks_of(found: LineSynapses, slice_of: Ints, slices: int, place: Ints, size: int) -> dict[Line, NDArray[np.uint8]]:
    """Returns for each line a bit for each source neuron with a synapse into a slice. Shapes: [slices, bytes].

    `slice_of` is the slice of each target neuron, `place` the bit of each source neuron, and `size` the number of source neurons.
    """
    lines, index = found.lines()
    bits = np.zeros((len(lines), slices, size), np.bool_)
    bits[index, slice_of[found.target], place[found.source]] = True
    return {line: np.packbits(bits[k], axis=1) for k, line in enumerate(lines)}

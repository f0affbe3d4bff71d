"""Room of a plan for duplicated axons: axons of a source in a slice beyond its first, which `ntensor-fit-axon-types` adds.

| number | meaning |
| --- | --- |
| reserved | axons of a source for which every slice has room: as many as the neuron with most sources permits |
| most | axons that a source may have: one more where some axons are left, which go where they reduce the error most |

Both are 1 for a population that needs no duplicates: its weights are exact with one axon of each source.

Neurons whose sources have half of the types or fewer share the choice of these axons: the fewer neurons a slice has, the smaller is their error. A population
of the user has up to `SHARING_SLICES` slices for that. Partial sums that are sent as spikes have not: their spikes are coarser than their weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import prod

import numpy as np
from attrs import evolve, frozen

from ...analysis.axon_types import needs_one_axon
from ...analysis.slicing import ADDED
from ...analysis.wiring import Connection, Wiring
from ...core.arrays.numeric import Ints
from ...core.arrays.unique_rows import unique_rows
from ...core.device.records import Device
from ...core.ir.operation import shape_of
from ...dialects import ntensor
from ...dialects.chip_base.connectivity import Arrivals, count_bits, count_destinations
from ...dialects.chip_base.lines import UNTYPED, LineSynapses, ranked_chains
from ...dialects.chip_base.slicing import Slicing

MORE_SLICES = 8
"""How many times as many slices a population may have for its duplicates: neurons that share few sources have few axons left."""
SHARING_SLICES = 64
"""Maximum number of slices of a population whose neurons share the choice of axons."""


@frozen
class Room:
    """The axons of one source of a population."""

    reserved: int = 1
    most: int = 1
    is_shared: bool = False
    """Whether the neurons of a slice share the choice of these axons, which are half of the types or fewer."""


@frozen
class Duplicates:
    """The room of all populations. `sources`: inputs and populations whose axons are duplicated. `sizes`: the most neurons of a slice, if there is a limit."""

    rooms: Mapping[str, Room]
    sources: frozenset[str]
    sizes: Mapping[str, int] = {}

    @staticmethod
    def of(wiring: Wiring, device: Device, copies: int, sources: frozenset[str]) -> Duplicates:
        """Returns the room for at most `copies` axons of a source."""
        limit, types = device.integer("core.input_axons"), device.integer("core.crossbar.axon_types") or 1
        sizes = {name: prod(shape_of(neuron.z)) for name, neuron in wiring.neurons.items()}
        rooms = {
            name: room_of(wiring.into(name), sizes[name], copies, limit, types, sources) if copies > 1 else Room()
            for name in wiring.neurons
        }
        return Duplicates(rooms, sources)

    def limited(self, count_slices: Callable[[str, Room], int]) -> Duplicates:
        """Returns less room for populations that would have many times the slices that they have without."""
        rooms = dict(self.rooms)
        for name, room in self.rooms.items():
            most = MORE_SLICES * count_slices(name, Room()) if room.reserved > 1 else 0
            while rooms[name].reserved > 1 and count_slices(name, rooms[name]) > most:
                rooms[name] = evolve(rooms[name], reserved=rooms[name].reserved - 1, most=rooms[name].reserved)
        return Duplicates(rooms, self.sources)

    def with_small_slices(self, wiring: Wiring) -> Iterator[Duplicates]:
        """Yields the room with small slices where neurons share axons, then with slices that are twice as large each, then without a limit."""
        neurons = {name: wiring.neurons[name] for name, room in self.rooms.items() if room.is_shared}
        whole = {name: prod(shape_of(one.z)) for name, one in neurons.items() if ADDED not in one.attributes}
        sizes = {name: -(-size // SHARING_SLICES) for name, size in whole.items()}
        while any(size < whole[name] for name, size in sizes.items()):
            yield evolve(self, sizes=sizes)
            sizes = {name: 2 * size for name, size in sizes.items()}
        yield self

    def axons(self, name: str, found: Arrivals, *, is_most: bool = False) -> Ints:
        """Returns the reserved duplicates of each slice of a population, or the most that it can have."""
        more = (self.rooms[name].most if is_most else self.rooms[name].reserved) - 1
        none = np.zeros(len(found.target.boxes), np.int64)
        if not more or not self.sources:  # no list of the synapses is needed
            return none
        lines = [masks for name in self.sources & found.lines.keys() for masks in found.lines[name].values()]
        return more * sum((count_bits(one) for one in lines), none)

    def destinations(
        self, arrived: Mapping[str, Arrivals], sources: Mapping[str, Slicing], outputs: Iterable[str]
    ) -> dict[str, Ints]:
        """Returns the axons that each neuron sends to, with duplicates, and the outputs of the network. Shapes: [neurons]."""
        found = count_destinations((), sources, outputs)
        for target, one in arrived.items():
            for name, own in count_destinations([one], sources, ()).items():
                found[name] += own * (self.rooms[target].most if name in self.sources else 1)
        return found


def room_of(
    connections: Sequence[Connection], size: int, copies: int, limit: int | None, types: int, sources: frozenset[str]
) -> Room:
    """Returns the room of a population of `size` neurons."""
    chains = ranked_chains([(source, chain.line_synapses) for source, chain in (one.path for one in connections)])
    if not chains or any((one.type != UNTYPED).any() for _, one in chains):
        return Room()
    if not has_reals(connections) and needs_one_axon(matrix_of([one for _, one in chains], size), types):
        return Room()
    total, copied = np.zeros(size, np.int64), np.zeros(size, np.int64)
    for source, one in chains:
        own = np.bincount(one.target, minlength=size)
        total += own
        copied += own if source in sources else 0
    if limit is None or not copied.any():
        return Room(copies, copies, is_shared=2 * copies <= types) if copied.any() else Room(is_shared=True)
    free = limit - total[copied > 0]
    reserved = max(1, min(copies, 1 + int((free // copied[copied > 0]).min())))
    most = min(copies, reserved + int(free.max() > (reserved - 1) * copied.max()))
    return Room(reserved, most, is_shared=2 * reserved <= types)


def has_reals(connections: Sequence[Connection]) -> bool:
    """Returns whether weights are stored as reals, of which lists of synapses have no values."""
    ops = (op for one in connections for op in one.chain if isinstance(op, ntensor.SynapseOpInterface))
    return any(op.weights is not None and op.weights.data.dtype.kind == "f" for op in ops)


def matrix_of(chains: Sequence[LineSynapses], size: int) -> Ints:
    """Returns the weights of chains, by neuron and axon. Shapes: [neurons, axons]."""
    lines: list[Ints] = []
    for k, one in enumerate(chains):
        lines.append(np.stack([np.full(len(one.source), k), one.source, one.delay, one.rank], axis=1))
    axons, axon = unique_rows(np.concatenate(lines))
    found = np.zeros((size, len(axons)), np.int64)
    found[np.concatenate([one.target for one in chains]), axon] = np.concatenate([one.weight for one in chains])
    return found


def count_cores(rows: Sequence[int], axons: Sequence[int], most_rows: int, most_axons: int) -> int | None:
    """Returns the cores that hold slices by first fit, largest first, without shared axons; None if a slice exceeds a core."""
    order = sorted(range(len(rows)), key=lambda k: (-max(rows[k] / most_rows, axons[k] / most_axons), k))
    free: list[tuple[int, int]] = []
    for k in order:
        if rows[k] > most_rows or axons[k] > most_axons:
            return None
        fitting = (n for n, (row, axon) in enumerate(free) if rows[k] <= row and axons[k] <= axon)
        if (place := next(fitting, None)) is None:
            place = len(free)
            free.append((most_rows, most_axons))
        row, axon = free[place]
        free[place] = row - rows[k], axon - axons[k]
    return len(free)

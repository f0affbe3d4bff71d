"""Exchange of neurons between the vertices of a population on the multicast cost of placed vertices, on a mesh.

In each round all neurons compute the change of the cost by each of their vertices, from how many targets each net has at each position:

    change = sum over nets of the neuron of activity * (cost of the new position - saving of the old one, if the neuron is its only target)
             + cost of its own tree from the new position - from the old one

Some of the neurons propose their best vertex. Proposals from a to b are paired with those from b to a, the best first, and accepted while a pair lowers the cost; single ones
where b has room. The changes of one round ignore each other, so that the cost is computed anew. Noise on the changes falls from round to round, as in annealing. Rounds without
noise that raise the cost are taken back, and fewer neurons propose. Effort is a number of rounds.

Source: the pairing of proposals is that of the Social Hash Partitioner (I. Kabiljo et al., PVLDB 10:11, 2017); costs of trees instead of parts are our own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import define, field

from ...core.arrays.numeric import Ints, Reals
from ...core.routing.mesh_covers import MeshCovers
from ._neuron_nets import NeuronNets

CHUNK = 1 << 22
"""Entries of changes that are computed at once."""
SHARE, LEAST_SHARE = 0.3, 0.002
"""The share of the neurons that propose in the first rounds, and that at which the search ends."""
LESS = 0.6
"""Factor of the share after a round without noise that raised the cost."""
HEAT = 0.1
"""The first noise, as a share of the mean change by another vertex."""


@define(eq=False)
class Exchange:
    """Neurons on vertices at positions of a mesh, with the number of targets of each net at each position."""

    nets: NeuronNets
    covers: MeshCovers
    position: Ints
    """Of each vertex."""
    room: Ints
    """The most neurons of each vertex."""
    vertex: Ints = field(init=False)
    sizes: Ints = field(init=False)
    net_of_pin: Ints = field(init=False)
    net_of_fixed: Ints = field(init=False)
    in_net: Ints = field(init=False)
    in_start: Ints = field(init=False)

    def __attrs_post_init__(self) -> None:
        nets = self.nets
        self.vertex = nets.vertex.copy()
        self.sizes = np.bincount(self.vertex, minlength=len(self.position))
        self.net_of_pin = np.repeat(np.arange(nets.nets), np.diff(nets.pin_start))
        self.net_of_fixed = np.repeat(np.arange(nets.nets), np.diff(nets.fixed_start))
        order = np.argsort(nets.pin, kind="stable")
        self.in_net = self.net_of_pin[order]
        self.in_start = np.searchsorted(nets.pin[order], np.arange(len(self.vertex) + 1))

    def sources(self) -> Ints:
        """Returns the position of the source of each net."""
        nets = self.nets
        return self.position[np.where(nets.source_vertex >= 0, nets.source_vertex, self.vertex[nets.source_neuron])]

    def targets(self) -> Ints:
        """Returns the number of targets of each net at each position. Shapes: [nets, positions]."""
        nets, width = self.nets, self.covers.positions
        keys = [self.net_of_pin * width + self.position[self.vertex[nets.pin]]]
        keys.append(self.net_of_fixed * width + self.position[nets.fixed])
        found = np.bincount(np.concatenate(keys), minlength=nets.nets * width)
        return found.reshape(nets.nets, width)

    def cost(self) -> float:
        """Returns the cost of all trees."""
        targets, source, total = self.targets(), self.sources(), 0.0
        for low, high in chunks(self.nets.nets, self.covers.positions):
            costs = self.covers.costs(source[low:high], targets[low:high] > 0)
            total += float(self.nets.activity[low:high] @ costs)
        return total

    def changes(self) -> tuple[float, Reals]:
        """Returns the cost, and the change by each position of each neuron. Shapes: [neurons, positions]."""
        nets, width = self.nets, self.covers.positions
        targets, source = self.targets(), self.sources()
        total, added, removed = 0.0, np.empty((nets.nets, width), np.float32), np.empty((nets.nets, width), np.float32)
        for low, high in chunks(nets.nets, width):
            spans = self.covers.spans(source[low:high], targets[low:high] > 0)
            activity = nets.activity[low:high]
            total += float(activity @ spans.costs())
            added[low:high] = activity[:, None] * spans.added()
            removed[low:high] = np.where(targets[low:high] == 1, activity[:, None] * spans.removed(), 0)
        here = self.position[self.vertex]
        saved = np.bincount(nets.pin, removed[self.net_of_pin, here[nets.pin]], len(here))
        found = np.zeros((len(here), width))
        counts = np.diff(self.in_start)
        for low, high in chunks(len(here), width * max(1, int(counts.max(initial=1)))):
            rows = added[self.in_net[self.in_start[low] : self.in_start[high]]]
            some = np.flatnonzero(counts[low:high])
            if len(some):
                found[low + some] = np.add.reduceat(rows, self.in_start[low:high][some] - self.in_start[low], axis=0)
        found -= saved[:, None]
        for low, high in chunks(len(here), width):
            own = np.flatnonzero(nets.own_net[low:high] >= 0) + low
            net = nets.own_net[own]
            costs = self.covers.source_costs(targets[net] > 0)
            costs -= costs[np.arange(len(own)), here[own]][:, None]
            found[own] += nets.activity[net][:, None] * costs
        return total, found

    def round(self, random: np.random.Generator, changes: Reals, noise: float, share: float) -> int:
        """Moves neurons once; returns their number."""
        count = 0
        for name in self.nets.populations:
            slices, low = self.nets.slices[name], self.nets.base[name]
            high = low + int(self.sizes[slices].sum())
            place = np.searchsorted(slices, self.vertex[low:high])  # vertices ascend
            gain = -changes[low:high][:, self.position[slices]].astype(np.float64)
            if noise:
                gain += noise * random.gumbel(size=gain.shape)
            gain[np.arange(len(place)), place] = -np.inf
            best = gain.argmax(axis=1)
            proposing = np.flatnonzero(random.random(len(place)) < share)
            own = gain[proposing, best[proposing]]
            room = self.room[slices] - self.sizes[slices]
            moved = paired(place[proposing], best[proposing], own, room, self.sizes[slices])
            chosen = proposing[moved]
            self.vertex[low + chosen] = slices[best[chosen]]
            count += len(chosen)
        self.sizes = np.bincount(self.vertex, minlength=len(self.position))
        return count


def chunks(rows: int, width: int) -> Iterator[tuple[int, int]]:
    """Yields ranges of rows of at most `CHUNK` entries."""
    step = max(1, CHUNK // max(width, 1))
    for low in range(0, rows, step):
        yield low, min(rows, low + step)


def paired(here: Ints, there: Ints, gain: Reals, room: Ints, sizes: Ints) -> Ints:
    """Returns the accepted proposals: pairs in opposite directions with a gain in total, and single ones with a gain where there is room.

    Shapes: here, there and gain [proposals]; room and sizes [slices].
    """
    count = len(room)
    is_back = (here > there).astype(np.int64)
    pair = np.minimum(here, there) * count + np.maximum(here, there)
    group = 2 * pair + is_back
    order = np.lexsort((-gain, group))
    groups, start, size = np.unique(group[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(start, size)
    other = np.minimum(np.searchsorted(groups, groups ^ 1), max(len(groups) - 1, 0))
    has_other = groups[other] == groups ^ 1
    of = np.repeat(np.arange(len(groups)), size)
    is_matched = has_other[of] & (rank < size[other][of])
    partner = np.where(is_matched, start[other][of] + rank, 0)
    total = np.where(is_matched, gain[order] + gain[order][partner], -np.inf)
    accepted = total > 0
    single = np.flatnonzero(~accepted & (gain[order] > 0))
    single = order[single]
    single = single[np.argsort(-gain[single], kind="stable")]
    for key, limit in ((there, room), (here, sizes - 1)):
        single = single[rank_in_group(key[single]) < limit[key[single]]]
    return np.concatenate([order[accepted], single])


def rank_in_group(group: Ints) -> Ints:
    """Returns how many earlier entries have the same group."""
    order = np.argsort(group, kind="stable")
    _, start, size = np.unique(group[order], return_index=True, return_counts=True)
    found = np.empty(len(group), np.int64)
    found[order] = np.arange(len(group)) - np.repeat(start, size)
    return found


def refine(
    state: Exchange,
    rounds: int,
    random: np.random.Generator,
    progress: Callable[[], None] | None = None,
    heat: float = HEAT,
) -> float:
    """Exchanges neurons in at most a number of rounds; returns the cost, which is not higher than before."""
    cost, changes = state.changes()
    best, vertex, share, noise = cost, state.vertex.copy(), SHARE, 0.0
    hot = rounds // 2 if heat else 0
    first = heat * float(np.abs(changes).mean())
    for step in range(rounds):
        if progress is not None:
            progress()
        noise = first * (1 - step / hot) ** 2 if step < hot else 0.0
        if step == hot:
            state.vertex, share = vertex.copy(), SHARE
            state.sizes = np.bincount(vertex, minlength=len(state.position))
            cost, changes = state.changes()
        moved = state.round(random, changes, noise, share)
        found, changed = state.changes() if moved else (cost, changes)
        if found < best:
            best, vertex = found, state.vertex.copy()
        if step >= hot and found >= cost:
            state.vertex = vertex.copy()
            state.sizes = np.bincount(vertex, minlength=len(state.position))
            share *= LESS
            if share < LEAST_SHARE:
                break
            continue
        cost, changes = found, changed
    state.vertex = vertex
    state.sizes = np.bincount(vertex, minlength=len(state.position))
    return best

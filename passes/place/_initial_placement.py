"""A first place for every vertex: pinned ones first, then always the one that exchanges most with those that have a place.

It goes where the ways to its placed partners are shortest, and its axons cost least, among the cores that have room for it. Where vertices of different sizes leave no core with room
for one of them, all are placed again by size, largest first.
"""

from __future__ import annotations

import numpy as np
from attrs import define
from numpy.typing import NDArray

from ...analysis.joined_resources import JoinedResource
from ...analysis.outside_load import OutsideFilling
from ...analysis.placement.placement_problem import Problem
from ...core.arrays.numeric import Bools, Ints, Reals
from ...core.arrays.unique_integers import unique_integers


@define(eq=False)
class Partners:
    """Events per tick between vertices, as a sparse matrix: the other vertices of each row, and the numbers of events."""

    start: NDArray[np.int64]
    other: NDArray[np.int64]
    events: NDArray[np.float64]

    @classmethod
    def of(cls, problem: Problem) -> Partners:
        """Returns the partners of each vertex. A net's activity is divided among its targets, which share most links of a tree."""
        count, parts = len(problem.vertices), list(problem.parts())
        pair = unique_integers(np.concatenate([unique_integers(key) for part in parts for key in keys(part)]))
        events = np.zeros(len(pair))
        for is_back in (False, True):  # all events of sources first, so that sums do not depend on parts
            for part in parts:
                size = np.diff(part.start)
                share = np.repeat(part.activity / np.maximum(size, 1), size)
                np.add.at(events, np.searchsorted(pair, keys(part)[is_back]), share)
        vertex, other = np.divmod(pair, count)
        kept = vertex != other
        start = np.concatenate([[0], np.cumsum(np.bincount(vertex[kept], minlength=count))])
        return cls(start, other[kept], events[kept])

    def row(self, vertex: int) -> slice:
        return slice(int(self.start[vertex]), int(self.start[vertex + 1]))


def keys(problem: Problem) -> tuple[Ints, Ints]:
    """Returns a number for each pair of a source and a target, and for the same pair in the other order."""
    source, count = np.repeat(problem.source, np.diff(problem.start)), len(problem.vertices)
    return source * count + problem.target, problem.target.astype(np.int64) * count + source


class Filling:
    """The room that the placed vertices leave on each core."""

    def __init__(self, problem: Problem):
        self.problem = problem
        self.room = problem.core_room.copy()
        self.cores = np.arange(problem.topology.cores)
        self.outside = None if problem.outside is None else OutsideFilling(problem.outside)
        self.joined = {k: JoinedFilling(one, problem.topology.cores) for k, one in problem.joined.items()}

    def fits(self, vertex: int) -> Bools:
        """Returns which cores have room for a vertex. Shapes: [cores]."""
        load = np.broadcast_to(self.problem.load[vertex], self.room.shape).copy()
        for k, one in self.joined.items():
            load[:, k] = one.added(vertex)
        found: Bools = np.all(self.room >= load, axis=1) & self.problem.allows(np.array(vertex), self.cores)
        return found if self.outside is None else found & self.outside.fits(vertex)

    def axon_costs(self, vertex: int) -> Reals | float:
        """Returns the cost of the axons that a vertex would add to each core. Shapes: [cores]."""
        if (axons := self.problem.input_axons) is None:
            return 0.0
        filling = next(one for one in self.joined.values() if one.resource is axons)
        return self.problem.axon_cost * filling.added(vertex).astype(np.float64)

    def shared_axon_costs(self, core: int) -> Reals | float:
        """Returns the cost of the axons of a core that each vertex uses, too. Shapes: [vertices]."""
        if (axons := self.problem.input_axons) is None:
            return 0.0
        filling = next(one for one in self.joined.values() if one.resource is axons)
        return self.problem.axon_cost * filling.shared(core).astype(np.float64)

    def add(self, vertex: int, core: int) -> None:
        """Puts a vertex on a core."""
        load = self.problem.load[vertex].copy()
        for k, one in self.joined.items():
            load[k] = one.add(vertex, core)
        self.room[core] -= load
        if self.outside is not None:
            self.outside.move(vertex, core)


class JoinedFilling:
    """The elements of a joined resource on each core that has any."""

    def __init__(self, resource: JoinedResource, cores: int):
        self.resource = resource
        self.row = np.full(cores, -1)
        """The place of each core in `held`, or -1."""
        self.held: Bools = np.zeros((0, len(resource.weight)), np.bool_)

    def added(self, vertex: int) -> Ints:
        """Returns the additional use of each core if it also had this vertex. Shapes: [cores]."""
        used = self.resource.elements(vertex)
        weight = self.resource.weight[used]
        found = np.full(len(self.row), int(weight.sum()))
        shared = self.held[:, used].astype(np.int64) @ weight
        found[self.row >= 0] -= shared[self.row[self.row >= 0]]
        return found

    def shared(self, core: int) -> Ints:
        """Returns the use of each vertex that consists of elements already on a core. Shapes: [vertices]."""
        resource, row = self.resource, self.row[core]
        if row < 0:
            return np.zeros(len(resource.start) - 1, np.int64)
        held = np.append(0, np.cumsum(self.held[row, resource.element] * resource.weight[resource.element]))
        return held[resource.start[1:]] - held[resource.start[:-1]]

    def add(self, vertex: int, core: int) -> int:
        """Assigns a vertex to a core, and returns the additional use of the core."""
        if self.row[core] < 0:
            self.row[core] = len(self.held)
            self.held = np.concatenate([self.held, np.zeros((1, self.held.shape[1]), np.bool_)])
        used, row = self.resource.elements(vertex), self.row[core]
        added = int(self.resource.weight[used[~self.held[row, used]]].sum())
        self.held[row, used] = True
        return added


def first_places(problem: Problem) -> NDArray[np.int64] | None:
    """Returns a core for every vertex, assigned in order, else by size; None if neither order fits. Shapes: [vertices]."""
    found = place_in_order(problem, by_size=False)
    return found if found is not None else place_in_order(problem, by_size=True)


def place_in_order(problem: Problem, *, by_size: bool) -> NDArray[np.int64] | None:
    topology, partners, count = problem.topology, Partners.of(problem), len(problem.vertices)
    core, pull = np.full(count, -1, np.int64), np.zeros(count)
    state = Filling(problem)
    share = (problem.load / np.maximum(problem.room, 1)).max(1, initial=0.0)
    if problem.kinds is not None:  # vertices that few cores can hold come before all others
        can = np.bincount(problem.kinds.kind, minlength=len(problem.kinds.room)) * problem.kinds.is_allowed
        share += 2 * (1 - can.sum(axis=1) / problem.topology.cores)
    left, near = np.ones(count, np.bool_), np.zeros(count)
    """Vertices without a core, and the cost of their axons that the core of the last vertex has."""
    pinned = np.flatnonzero(problem.pin >= 0)
    for step in range(count):
        if step < len(pinned):
            vertex = int(pinned[step])
            chosen = int(problem.pin[vertex])
        else:
            worth = share if by_size else pull + near + 1e-9 * share
            vertex = int(np.argmax(np.where(left, worth, -1.0)))
            row = partners.row(vertex)
            there, events = core[partners.other[row]], partners.events[row]
            there, events = there[there >= 0], events[there >= 0]
            ways = topology.pull(there, events) - 1e-9 * topology.central + state.axon_costs(vertex)
            fits = state.fits(vertex) & topology.is_usable
            if not fits.any():
                return None
            chosen = int(np.argmin(np.where(fits, ways, np.inf)))
        core[vertex] = chosen
        left[vertex] = False
        state.add(vertex, chosen)
        near = near * 0 + state.shared_axon_costs(chosen)
        row = partners.row(vertex)
        pull[partners.other[row]] += partners.events[row]
    return core

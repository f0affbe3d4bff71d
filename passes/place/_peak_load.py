"""Placement for the peak load of links: the events per tick on the most loaded link.

The search starts at the placement with few hops. A trial moves a vertex whose spikes use the most loaded link to another core, or exchanges it with a vertex there. It is taken if the
peak falls, or stays while the sum of the squared loads falls, so that a peak of several links falls, too. Loads are those of trees of shortest paths, as routes take them. Vertices stay on
their chip where memory outside of the cores is limited.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import define, field

from ...analysis.placement_problem import Problem
from ...core.arrays.numeric import Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ._annealing import Placement

TRIALS, TARGETS = 6000, 1 << 25
"""Trials with default effort, and the targets of nets that all of them look at."""


@define(eq=False)
class LinkLoads:
    """The loads of the links of a placement. Shapes: load [links]; `index` has the row of each pair of a tail and a head, or -1."""

    problem: Problem
    core: Ints
    key: Ints = field(init=False)
    """The pair of cores of each link, ascending."""
    load: Reals = field(init=False)
    net: Ints = field(init=False)
    """The net of each link of all trees, and its row in `link`."""
    link: Ints = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.key, self.load = np.zeros(0, np.int64), np.zeros(0)
        every = np.arange(self.problem.nets)
        self.add(every, self.core, 1.0)

    def rows(self, nets: Ints, core: Ints) -> tuple[Ints, Ints]:
        """Returns the keys of the links of the trees of some nets, and their net. Shapes: [links]."""
        problem = self.problem
        sizes = np.diff(problem.start)[nets]
        target = problem.target[indices_of_runs(problem.start[:-1][nets], sizes)]
        start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        trees = problem.topology.trees(core[problem.source[nets]], start, core[target])
        return trees.tail * problem.topology.cores + trees.head, np.repeat(nets, np.diff(trees.start))

    def add(self, nets: Ints, core: Ints, sign: float) -> None:
        """Adds the events of some nets to the loads, or removes them."""
        key, net = self.rows(nets, core)
        if len(new := np.setdiff1d(key, self.key)):
            merged = np.concatenate([self.key, new])
            order = np.argsort(merged, kind="stable")
            self.key, self.load = merged[order], np.concatenate([self.load, np.zeros(len(new))])[order]
        place = np.searchsorted(self.key, key)
        self.load += sign * np.bincount(place, self.problem.activity[net], len(self.key))

    @property
    def figures(self) -> tuple[float, float]:
        """Returns the peak and the sum of squares, rounded so that sums in another order are equal."""
        return round(float(self.load.max(initial=0.0)), 9), round(float(self.load @ self.load), 6)

    def users(self) -> Ints:
        """Returns the nets that use the most loaded link."""
        every = np.arange(self.problem.nets)
        key, net = self.rows(every, self.core)
        return np.unique(net[key == self.key[int(self.load.argmax())]])


def lower_peak(
    done: Placement, effort: float, seed: int, progress: Callable[[int, int], None] | None = None
) -> Placement:
    """Returns a placement with a lower peak of the loads of links, whose `cost` is that peak."""
    problem = done.problem
    loads, random = LinkLoads(problem, done.core.copy()), np.random.Generator(np.random.PCG64(seed))
    each = max(1, 2 * len(problem.target) // max(1, len(done.free)))
    trials = min(int(TRIALS * effort), int(TARGETS * effort) // each) if len(done.free) else 0
    usable = np.flatnonzero(problem.topology.is_usable)
    best, taken, users = loads.figures, 0, loads.users() if len(loads.load) and trials else np.zeros(0, np.int64)
    for trial in range(trials):
        if best[0] == 0.0:
            break
        if progress is not None and trial % 64 == 0:
            progress(trial, trials)
        net = int(users[random.integers(len(users))])
        ends = np.append(problem.target[problem.start[net] : problem.start[net + 1]], problem.source[net])
        ends = ends[problem.pin[ends] < 0]
        core = int(usable[random.integers(len(usable))])
        if not len(ends):
            continue
        tried = moved(problem, loads.core, int(ends[random.integers(len(ends))]), core, random)
        if tried is None:
            continue
        own = np.flatnonzero(tried != loads.core)
        nets = np.unique(np.concatenate([done.nets[done.first[v] : done.first[v] + done.net_counts[v]] for v in own]))
        key, load = loads.key, loads.load.copy()
        loads.add(nets, loads.core, -1.0)
        loads.add(nets, tried, 1.0)
        if (figures := loads.figures) < best:
            best, taken, loads.core = figures, taken + 1, tried
            users = loads.users()
        else:
            loads.key, loads.load = key, load
    found = Placement(problem, loads.core)
    found.tried, found.taken, found.cost = done.tried + trials, done.taken + taken, best[0]
    return found


def moved(problem: Problem, core: Ints, vertex: int, there: int, random: np.random.Generator) -> Ints | None:
    """Returns the cores after a move of a vertex, or its exchange with one of the vertices there; None if that has no room."""
    here = int(core[vertex])
    is_kept_chip = problem.outside is None or here // problem.topology.own == there // problem.topology.own
    if here == there or not is_kept_chip:
        return None
    occupies = problem.load.sum(axis=1) > 0
    partners = np.flatnonzero((core == there) & (problem.pin < 0))
    found = core.copy()
    found[vertex] = there
    if not has_room(problem, found, there, occupies):
        if not len(partners):
            return None
        found[int(partners[random.integers(len(partners))])] = here
        if not has_room(problem, found, there, occupies):
            return None
    return found if has_room(problem, found, here, occupies) else None


def has_room(problem: Problem, core: Ints, place: int, occupies: Ints) -> bool:
    """Returns whether a core holds its vertices."""
    own = np.flatnonzero((core == place) & occupies)
    fits = problem.allows(own, np.full(len(own), place)).all()
    return bool(fits and (problem.needed(own.tolist()) <= problem.core_room[place]).all())

"""Placement for the peak load of links: the events per tick on the most loaded link.

The search starts at the placement with few hops. A trial moves a vertex whose spikes use the most loaded link to another core, or exchanges it with a vertex there. It is taken if the
peak falls, or stays while the sum of the squared loads falls, so that a peak of several links falls, too. Loads are those of trees of shortest paths, as routes take them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from attrs import define, field

from ...analysis.placement.placement_problem import Problem
from ...core.arrays.numeric import Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ._annealing import Placement, Trials

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
    """Lowers the peak of the loads of links of a placement, and returns it; its `cost` is that peak."""
    problem = done.problem
    loads, random = LinkLoads(problem, done.core.copy()), np.random.Generator(np.random.PCG64(seed))
    each = max(1, 2 * len(problem.target) // max(1, len(done.free)))
    trials = min(int(TRIALS * effort), int(TARGETS * effort) // each) if len(done.free) else 0
    usable = np.flatnonzero(problem.topology.is_usable)
    best, users = loads.figures, loads.users() if len(loads.load) and trials else np.zeros(0, np.int64)
    for count in range(trials):
        if best[0] == 0.0:
            break
        if progress is not None and count % 64 == 0:
            progress(count, trials)
        net = int(users[random.integers(len(users))])
        ends = np.append(problem.target[problem.start[net] : problem.start[net + 1]], problem.source[net])
        ends, core = ends[problem.pin[ends] < 0], usable[random.integers(len(usable), size=1)]
        if (
            not len(ends)
            or (trial := possible_trial(done, ends[random.integers(len(ends), size=1)], core, random)) is None
        ):
            continue
        tried = done.core.copy()
        if trial.other[0] >= 0:
            tried[trial.other] = tried[trial.vertex]
        tried[trial.vertex] = trial.core
        nets = np.unique(np.concatenate([done.nets_of(one)[1] for one in (trial.vertex, trial.other)]))
        key, load = loads.key, loads.load.copy()
        loads.add(nets, loads.core, -1.0)
        loads.add(nets, tried, 1.0)
        if (figures := loads.figures) < best:
            best, loads.core = figures, tried
            done.take(trial, np.zeros(1, np.int64), done.changes(trial))
            users = loads.users()
        else:
            loads.key, loads.load = key, load
    done.tried, done.cost = done.tried + trials, best[0]
    return done


def possible_trial(done: Placement, vertex: Ints, core: Ints, random: np.random.Generator) -> Trials | None:
    """Returns the move of a vertex to a core, or its exchange with one of the vertices there; None if neither has room. Shapes: vertex and core [1]."""
    move = Trials(vertex, core, np.array([-1]))
    if done.possible(move)[0]:
        return move
    partners = np.flatnonzero((done.core == core[0]) & (done.problem.pin < 0))
    if not len(partners):
        return None
    exchange = Trials(vertex, core, partners[random.integers(len(partners), size=1)])
    return exchange if done.possible(exchange)[0] else None

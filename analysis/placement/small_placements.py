"""Least cost of a placement by enumeration, for problems with few placements.

Every placement is enumerated that leaves the cores with room for the resources that are added. The other resources are ignored, so
that the result is a lower bound of the cost: no placement costs less, and without other resources one costs as little.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.arrays.numeric import Ints
from .placement_problem import Problem

MOST_VISITS, BATCH = 2**21, 2**17
"""Targets and columns of trees of all placements that are looked at, and of one batch; more take as long as some hundreds of trials of annealing."""
SAME = 1e-12
"""Relative difference of sums of costs in another order."""


def least_cost(problem: Problem) -> float | None:
    """Returns the least cost of the placements of a small problem; None if there are too many, or none."""
    each = len(problem.target) + problem.nets * (1 + problem.topology.tree_places)
    choices = [allowed_cores(problem, vertex) for vertex in range(len(problem.vertices))]
    count = prod(map(len, choices))
    if problem.nets == 0 or not 0 < count * each <= MOST_VISITS:
        return None
    every = np.stack([part.reshape(-1) for part in np.meshgrid(*choices, indexing="ij")], axis=1)
    every = every[has_room(problem, every)]
    step = max(1, BATCH // each)
    found = [least_of(problem, every[low : low + step]) for low in range(0, len(every), step)]
    return min(found, default=None)


def least_of(problem: Problem, core: Ints) -> float:
    """Returns the least cost of several placements, with the rounding of the cost of a single placement. Shapes: core [placements, vertices]."""
    start = np.arange(len(core))[:, None] * len(problem.target) + problem.start[:-1]
    tree = np.repeat(np.arange(len(core) * problem.nets), np.tile(np.diff(problem.start), len(core)))
    source, target = core[:, problem.source].reshape(-1), core[:, problem.target].reshape(-1)
    nets = problem.topology.tree_costs(source, start.reshape(-1), tree, target)[0].reshape(len(core), problem.nets)
    cost = nets @ problem.activity
    best = np.unique(nets[cost <= cost.min() * (1 + SAME)], axis=0)
    return min(float(problem.activity @ one) for one in best)


def allowed_cores(problem: Problem, vertex: int) -> Ints:
    """Returns the cores that hold a vertex alone, or the one that it is pinned to."""
    if problem.pin[vertex] >= 0:
        return problem.pin[vertex : vertex + 1]
    added = problem.is_added
    cores = np.arange(problem.topology.cores)
    holds = (problem.load[vertex] <= problem.core_room)[:, added].all(1) & problem.topology.is_usable
    return cores[holds & problem.allows(np.array(vertex), cores)]


def has_room(problem: Problem, core: Ints) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Returns which placements leave each core of a vertex that is not pinned with room. Shapes: core [placements, vertices]."""
    found, added = np.ones(len(core), np.bool_), problem.is_added
    for vertex in np.flatnonzero(problem.pin < 0).tolist():
        here = core[:, vertex]
        needed = (core == here[:, None]).astype(np.int64) @ problem.load
        found &= (needed <= problem.core_room[here])[:, added].all(1)
    return found

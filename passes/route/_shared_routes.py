"""Routes that several multicast sets of a vertex share: all those with the same tree, and more where a router holds fewer routes.

1. Sets of one vertex whose targets are at the same routers have the same tree, so they share a route at no cost.
2. If a router is passed by more routes than it holds, each vertex gets at most k routes, for the greatest power of two k with which all routers hold
   their routes. Pairs of sets are merged in rounds, those first whose union adds fewest deliveries that no target needs:

       deliveries of a pair = activity a * |routers of b without those of a| + activity b * |routers of a without those of b|
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve

from ...analysis.placement.multicast_sets import equal_rows
from ...analysis.placement.placement_problem import Problem
from ...core.arrays.numeric import Bools, Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ...core.arrays.unique_integers import unique_integers

MOST_COMPARED = 1024
"""Sets of a vertex of which all pairs are compared; of more, neighbours in the order of their routers are merged first."""


def share_routes(problem: Problem, core: Ints, most: int | None) -> list[Problem]:
    """Returns the problem in parts, with a net for each route, of which no router passes more than `most` if that is possible. Shapes: core [vertices]."""
    if not problem.topology.is_multicast or problem.topology.is_keyed or not problem.nets:
        return list(problem.parts())
    found = [share_trees(part, core) for part in problem.parts()]
    if most is None or is_held(found, core, most):
        return found
    limit = 1 << (max(int(np.bincount(part.source).max()) for part in found) - 1).bit_length()
    tried = found
    while limit > 1:
        limit //= 2
        tried = [limit_routes(part, core, limit) for part in tried]
        if is_held(tried, core, most):
            return tried
    return found


def share_trees(problem: Problem, core: Ints) -> Problem:
    """Returns the problem with one net for the nets of a vertex with the same tree. Shapes: core [vertices]."""
    net, router = reached_routers(problem, core)
    start = np.searchsorted(net, np.arange(problem.nets + 1)).astype(np.int64)
    return merge_nets(problem, equal_rows(problem.source, start, router))


def is_held(parts: Sequence[Problem], core: Ints, most: int) -> bool:
    """Returns whether no router passes more routes than it holds."""
    entries = [part.trees(core).entries(core[part.source], part.leaves_core(core)) for part in parts]
    return int(np.sum(entries, axis=0).max(initial=0)) <= most


def reached_routers(problem: Problem, core: Ints) -> tuple[Ints, Ints]:
    """Returns the pairs of a net and a router with one of its targets on another core than its source, ascending."""
    net = np.repeat(np.arange(problem.nets), np.diff(problem.start))
    there = core[problem.target]
    leaves = there != core[problem.source[net]]
    cores = problem.topology.cores
    return np.divmod(unique_integers(net[leaves] * cores + problem.topology.router(there[leaves])), cores)


def merge_nets(problem: Problem, label: Ints) -> Problem:
    """Returns the problem with one net for the nets with equal labels, which are of one vertex. Shapes: label [nets]."""
    leaders, which = np.unique(label, return_inverse=True)
    if len(leaders) == problem.nets:
        return problem
    vertices = len(problem.vertices)
    pairs = unique_integers(np.repeat(which, np.diff(problem.start)) * vertices + problem.target)
    net, target = np.divmod(pairs, vertices)
    order = np.argsort(which, kind="stable")
    size = np.diff(problem.member_start)
    member = problem.member[indices_of_runs(problem.member_start[:-1][order], size[order])]
    owner = np.repeat(which[order], size[order])
    return evolve(
        problem,
        source=problem.source[leaders],
        activity=np.bincount(which, problem.activity, len(leaders)).astype(np.float64),
        start=np.searchsorted(net, np.arange(len(leaders) + 1)).astype(np.int64),
        target=target.astype(np.int32),
        member_start=np.searchsorted(owner, np.arange(len(leaders) + 1)).astype(np.int64),
        member=member[np.lexsort((member, owner))],
    )


def limit_routes(problem: Problem, core: Ints, limit: int) -> Problem:
    """Returns the problem with at most `limit` nets of each vertex."""
    label, counts = np.arange(problem.nets), np.bincount(problem.source)
    net, router = reached_routers(problem, core)
    start = np.searchsorted(net, np.arange(problem.nets + 1))
    for vertex in np.flatnonzero(counts > limit).tolist():
        own = np.flatnonzero(problem.source == vertex)
        low, high = int(start[own[0]]), int(start[own[-1] + 1])  # nets are in the order of vertices
        columns, place = np.unique(router[low:high], return_inverse=True)
        is_reached = np.zeros((len(own), len(columns)), np.bool_)
        is_reached[net[low:high] - own[0], place] = True
        label[own] = own[cluster(is_reached, problem.activity[own], limit)]
    return merge_nets(problem, label)


def cluster(is_reached: Bools, activity: Reals, limit: int) -> Ints:
    """Returns for each set the first set of its cluster, of at most `limit`. Shapes: is_reached [sets, routers], activity and result [sets]."""
    label = np.arange(len(activity))
    while (count := len(activity)) > limit:
        pairs = neighbour_pairs(is_reached) if count > MOST_COMPARED else nearest_pairs(is_reached, activity)
        pairs = pairs[: count - limit]
        kept = np.ones(count, np.bool_)
        kept[pairs[:, 1]] = False
        is_reached = is_reached.copy()
        is_reached[pairs[:, 0]] |= is_reached[pairs[:, 1]]
        activity = activity.copy()
        activity[pairs[:, 0]] += activity[pairs[:, 1]]
        into = np.arange(count)
        into[pairs[:, 1]] = pairs[:, 0]
        place = np.cumsum(kept) - 1
        label = place[into[label]]
        is_reached, activity = is_reached[kept], activity[kept]
    first = np.full(len(activity), len(label), np.int64)
    np.minimum.at(first, label, np.arange(len(label)))
    return first[label]


def neighbour_pairs(is_reached: Bools) -> Ints:
    """Returns pairs of neighbours in the lexicographic order of sets, each set in one pair. Shapes: result [pairs, 2]."""
    order = np.lexsort(np.packbits(is_reached, axis=1).T[::-1])
    return np.sort(order[: len(order) // 2 * 2].reshape(-1, 2), axis=1)


def nearest_pairs(is_reached: Bools, activity: Reals) -> Ints:
    """Returns disjoint pairs of sets, those with the fewest additional deliveries first. Shapes: result [pairs, 2]."""
    count = len(activity)
    reached = is_reached.astype(np.float64)
    size = reached.sum(axis=1)
    common = reached @ reached.T
    extra = activity[:, None] * (size[None, :] - common) + activity[None, :] * (size[:, None] - common)
    a, b = np.triu_indices(count, 1)
    found, is_free = list[tuple[int, int]](), np.ones(count, np.bool_)
    for k in np.argsort(extra[a, b], kind="stable"):
        one, other = int(a[k]), int(b[k])
        if is_free[one] and is_free[other]:
            is_free[[one, other]] = False
            found.append((one, other))
            if 2 * len(found) >= count - 1:
                break
    return np.array(found, np.int64)

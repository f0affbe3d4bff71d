"""Cost of the multicast trees of a placement, for many nets and many trials at once, and a lower bound for all placements.

    cost of a placement = sum over nets of activity * (cost of the net's tree on the device's topology)

The bound is, for every vertex that sends, the greater of two sums over its nets. Neither depends on the places of the other vertices:

- A tree joins the cores of its source and its targets. Those need at least n cores, and a tree of n cores has a least number of links that
  depends on the topology: n - 1 on a mesh with one core at each position. n is the number of cores that their load fills together, or the
  number of them that are too large to share a core, for the most limiting resource. A source that is pinned to a core without room for
  others adds one core.
- A tree costs as much as the path to any of its targets, so at least as much as the mean of those paths. Targets too large to share a core
  are all on different cores; at best the most active target is on the nearest core, the next one on the second nearest, and so on. A source
  that is not pinned is assumed at the core with the nearest neighbours, where every core works. The source's own core is one of them unless
  the source is too large as well.

Every link costs at least a hop; crossings between chips count only in the second sum, from a pinned source.

A placement of a small problem that costs more than this bound is compared with all others (`small_placements.py`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...core.arrays.numeric import Ints, Reals
from .placement_problem import Problem
from .small_placements import least_cost


def net_costs(problem: Problem, core: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the routing cost of each net for one event. Vertex v is on `core[v]`."""
    found = [np.zeros(0)]
    for part in problem.parts():
        tree = np.repeat(np.arange(part.nets), np.diff(part.start))
        found.append(problem.topology.tree_costs(core[part.source], part.start[:-1], tree, core[part.target])[0])
    return np.concatenate(found)


def cost_of(problem: Problem, core: NDArray[np.int64]) -> float:
    """Returns the cost of a placement: the sum over nets of activity times the cost of the net's tree."""
    return float(problem.activity @ net_costs(problem, core))


# ---- the bound


def bound_of(problem: Problem) -> float:
    """Returns a lower bound of the cost of every placement and routing."""
    if problem.nets == 0:
        return 0.0
    by_cores = np.bincount(
        problem.source,
        problem.activity * problem.topology.hop * np.concatenate([links_needed(part) for part in problem.parts()]),
        len(problem.vertices),
    )
    return float(np.maximum(by_cores, ways_needed(problem)).sum())


def bound_near(problem: Problem, core: NDArray[np.int64]) -> float:
    """Returns a lower bound of the cost of every placement: the least cost of a small problem, or `bound_of` if a placement costs as little. Shapes: core [vertices]."""
    bound = bound_of(problem)
    if cost_of(problem, core) <= bound or (least := least_cost(problem)) is None:
        return bound
    return least


def links_needed(problem: Problem) -> NDArray[np.int64]:
    """Links that the tree of each net has at least. Shapes: [nets]."""
    net = np.repeat(np.arange(problem.nets), np.diff(problem.start))
    others = problem.target != problem.source[net]  # the source counts once
    net, target = net[others], problem.target[others]
    least = np.ones(problem.nets, np.int64)
    for resource, room in added_rooms(problem):
        load = problem.load[:, resource]
        total = load[problem.source].astype(np.int64)
        np.add.at(total, net, load[target])
        large = is_large(problem, resource)
        count = large[problem.source].astype(np.int64)
        np.add.at(count, net, large[target])
        least = np.maximum(least, np.maximum(-(-total // max(room, 1)), count))
    pin = problem.pin[problem.source]
    is_apart = (pin >= 0) & ~problem.topology.is_usable[pin] & (np.bincount(net, minlength=problem.nets) > 0)
    return problem.topology.least_links(least + is_apart)


def cores_needed(problem: Problem) -> tuple[int, list[str]]:
    """Returns how many cores the vertices need at least, and the resources that need as many."""
    found: list[tuple[int, str]] = []
    for resource, room in added_rooms(problem):
        total, large = int(problem.load[:, resource].sum()), int(is_large(problem, resource).sum())
        found.append((max(-(-total // max(room, 1)), large), problem.resources[resource]))
    for resource, one in problem.joined.items():
        found.append((-(-one.total // max(int(problem.room[resource]), 1)), problem.resources[resource]))
    most = max([1, *(cores for cores, _ in found)])
    return most, [path for cores, path in found if cores == most]


def added_rooms(problem: Problem) -> list[tuple[int, int]]:
    """Returns the resources that are added over the vertices of a core, with the room of a core."""
    return [(k, room) for k, room in enumerate(problem.room.tolist()) if k not in problem.joined]


def is_large(problem: Problem, resource: int) -> NDArray[np.bool_]:
    """Returns whether each vertex needs more than half of a core, so that no two such vertices share a core. The loads of a core add up."""
    return 2 * problem.load[:, resource] > problem.room[resource]


def pair_events(problem: Problem) -> tuple[Ints, Ints, Reals]:
    """Returns the pairs of a vertex and a target, and the share of the events of each. Shapes: [pairs]."""
    size = np.diff(problem.start)
    share = np.repeat(problem.activity / np.maximum(size, 1), size)
    key = np.repeat(problem.source, size) * len(problem.vertices) + problem.target
    pair, place = np.unique(key, return_inverse=True)
    source, target = np.divmod(pair, len(problem.vertices))
    return source, target, np.bincount(place, share, len(pair)).astype(np.float64)


def ways_needed(problem: Problem) -> NDArray[np.float64]:
    """Returns the least cost of the paths from each vertex to its targets, each with its share of its net's events. Shapes: [vertices]."""
    source, target, events = (np.concatenate(one) for one in zip(*map(pair_events, problem.parts()), strict=True))
    topology, nearest = problem.topology, problem.topology.nearest()
    found = np.zeros(len(problem.vertices))
    starts = np.append(np.flatnonzero(np.diff(source, prepend=-1)), len(source))
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        vertex, pin = int(source[low]), int(problem.pin[source[low]])
        ways = nearest if pin < 0 else np.sort(topology.distances(pin)[topology.is_usable])
        for resource, _ in added_rooms(problem):
            large = is_large(problem, resource)
            mine = large[target[low:high]] & (target[low:high] != vertex)
            weights = np.sort(events[low:high][mine])[::-1]
            skipped = int(large[vertex] and len(ways) > 0 and ways[0] == 0)
            reach = ways[skipped : skipped + len(weights)]
            found[vertex] = max(found[vertex], float(weights[: len(reach)] @ reach))
    return found

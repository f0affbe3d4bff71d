"""Cost of the multicast trees of a placement, for many nets and many trials at once, and a lower bound for all placements.

A tree goes in dimension order: along its source's row (its trunk) as far as a target lies, and from the trunk along the column of every target.

    cost of a net = far_x[most x] - far_x[least x] + sum over columns of (far_y[most y] - far_y[least y]),  the source's own place included

for routers that go along x first; along y first it is the same with x and y exchanged. Each link counts once, delivery on the source's own core nothing.

The bound is, for every vertex that sends, the greater of two sums over its nets. Neither depends on the places of the other vertices:

- A tree joins the cores of its source and its targets. Those need at least n cores, so that the tree has n - 1 links or more.
  n is the number of cores that their load fills together, or the number of them that are too large to share a core, for the most limiting
  resource. A source that is pinned to a core without room for others adds one core.
- A tree is as long as the path to any of its targets, so at least as long as the mean of those paths. Targets too large to share a core are all
  on different ones: the most active at best on the nearest, and so on. A source that is not pinned is assumed in
  the middle of a mesh where every core works. The source's own core is one of them unless the source is too large as well.

Every link costs at least a hop; crossings between chips count only in the second sum, from a pinned source.
"""

from __future__ import annotations

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..core.device.mesh import Mesh
from .placement_problem import Problem


@frozen(eq=False)
class TreeAxes:
    """The axes of a mesh by their role in a tree: `a` along the trunk, `b` along its branches.

    Shapes: a and b [cores]: places; far_a and far_b: the cost of the path from place 0.
    """

    a: NDArray[np.int64]
    b: NDArray[np.int64]
    far_a: NDArray[np.float64]
    far_b: NDArray[np.float64]

    @classmethod
    def of(cls, mesh: Mesh) -> TreeAxes:
        if mesh.is_x_first:
            return cls(mesh.x, mesh.y, mesh.far_x, mesh.far_y)
        return cls(mesh.y, mesh.x, mesh.far_y, mesh.far_x)

    @property
    def places(self) -> int:
        """Cores along the trunk."""
        return len(self.far_a)

    def trees(
        self, source: NDArray[np.int64], start: NDArray[np.int64], tree: NDArray[np.int64], target: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns the cost of each tree for one event, and the mean cost of the path to one of its targets.

        Shapes: source [trees]: cores; target [targets]: cores, grouped by tree; start [trees]: where each group starts, none is empty;
        tree [targets]: the tree of each.
        """
        at = self.a[target]
        along = self.far_a[at] - self.far_a[self.a[source]][tree]
        off = self.far_b[self.b[target]] - self.far_b[self.b[source]][tree]
        count = np.diff(np.append(start, len(target)))
        mean = np.add.reduceat(np.abs(along) + np.abs(off), start) / count
        total = np.maximum(np.maximum.reduceat(along, start), 0) - np.minimum(np.minimum.reduceat(along, start), 0)
        branch = tree * self.places + at
        ends = np.zeros((2, len(source) * self.places))
        np.maximum.at(ends[0], branch, off)
        np.minimum.at(ends[1], branch, off)
        return total + (ends[0] - ends[1]).reshape(len(source), self.places).sum(1), mean


def net_costs(problem: Problem, core: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns the cost of the tree of each net for one event, where vertex v is on `core[v]`."""
    if problem.nets == 0:
        return np.zeros(0)
    tree = np.repeat(np.arange(problem.nets), np.diff(problem.start))
    return TreeAxes.of(problem.mesh).trees(core[problem.source], problem.start[:-1], tree, core[problem.target])[0]


def cost_of(problem: Problem, core: NDArray[np.int64]) -> float:
    """Returns the cost of a placement: the sum over nets of activity times the cost of the net's tree."""
    return float(problem.activity @ net_costs(problem, core))


# ---- the bound


def bound_of(problem: Problem) -> float:
    """Returns a lower bound of the cost of every placement and dimension-ordered routing."""
    if problem.nets == 0:
        return 0.0
    by_cores = np.bincount(
        problem.source, problem.activity * problem.mesh.hop * links_needed(problem), len(problem.vertices)
    )
    return float(np.maximum(by_cores, ways_needed(problem)).sum())


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
    is_apart = (pin >= 0) & ~problem.mesh.is_usable[pin] & (np.bincount(net, minlength=problem.nets) > 0)
    return least - 1 + is_apart


def cores_needed(problem: Problem) -> tuple[int, str]:
    """Returns how many cores the vertices need at least, and the resource that asks for most."""
    found = [(1, "nothing")]
    for resource, room in added_rooms(problem):
        total, large = int(problem.load[:, resource].sum()), int(is_large(problem, resource).sum())
        found.append((max(-(-total // max(room, 1)), large), problem.resources[resource]))
    for resource, one in problem.joined.items():
        found.append((-(-one.total // max(int(problem.room[resource]), 1)), problem.resources[resource]))
    return max(found, key=lambda one: one[0])


def added_rooms(problem: Problem) -> list[tuple[int, int]]:
    """Returns the resources that are added over the vertices of a core, with the room of a core."""
    return [(k, room) for k, room in enumerate(problem.room.tolist()) if k not in problem.joined]


def is_large(problem: Problem, resource: int) -> NDArray[np.bool_]:
    """Returns which vertices cannot share a core with another such one, since their loads are added."""
    return 2 * problem.load[:, resource] > problem.room[resource]


def ways_needed(problem: Problem) -> NDArray[np.float64]:
    """Returns the least cost of the paths from each vertex to its targets, each with its share of its net's events. Shapes: [vertices]."""
    size = np.diff(problem.start)
    share = np.repeat(problem.activity / np.maximum(size, 1), size)
    key = np.repeat(problem.source, size) * len(problem.vertices) + problem.target
    pair, place = np.unique(key, return_inverse=True)
    source, target = np.divmod(pair, len(problem.vertices))
    events = np.bincount(place, share, len(pair))
    nearest = nearest_anywhere(problem.mesh)
    found = np.zeros(len(problem.vertices))
    starts = np.append(np.flatnonzero(np.diff(source, prepend=-1)), len(source))
    for low, high in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        vertex, pin = int(source[low]), int(problem.pin[source[low]])
        ways = nearest if pin < 0 else np.sort(ways_from(problem.mesh, pin)[problem.mesh.is_usable])
        for resource, _ in added_rooms(problem):
            large = is_large(problem, resource)
            mine = large[target[low:high]] & (target[low:high] != vertex)
            weights = np.sort(events[low:high][mine])[::-1]
            skipped = int(large[vertex] and len(ways) > 0 and ways[0] == 0)
            reach = ways[skipped : skipped + len(weights)]
            found[vertex] = max(found[vertex], float(weights[: len(reach)] @ reach))
    return found


def ways_from(mesh: Mesh, core: int) -> NDArray[np.float64]:
    """Returns the cost of the path from a core to every core."""
    return np.abs(mesh.far_x - mesh.far_x[mesh.x[core]])[mesh.x] + np.abs(mesh.far_y - mesh.far_y[mesh.y[core]])[mesh.y]


def nearest_anywhere(mesh: Mesh) -> NDArray[np.float64]:
    """Returns the least cost of the path to the i-th nearest core, for every i and any start. Shapes: [cores]."""
    along, across = np.abs(np.arange(mesh.columns) - mesh.columns // 2), np.abs(np.arange(mesh.rows) - mesh.rows // 2)
    return np.sort((along[:, None] + across).reshape(-1)) * mesh.hop

"""Topology `hierarchy`: a tree of cores. Each core has a link to its parent, and to as many children as the degree of the tree.

Core 0 is the root. The parent of core k is core (k - 1) // degree. An event climbs to the nearest common ancestor of its source and a target, and
descends from there; it passes each link once, whatever the number of targets below.

cost of a tree = sum over its links of hop (+ crossing between chips)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np
from attrs import evolve, field, frozen

from ..arrays.numeric import Bools, Ints, Reals
from ..arrays.unique_rows import unique_rows
from ..device.records import Device
from ..device.topology import RowTopology, Trees

DEGREE = 2
TABLED = 256
"""Maximum number of cores for which all distances are precomputed."""


@frozen(eq=False, slots=False)
class HierarchyTopology(RowTopology):
    """Cores of a tree whose root is core 0."""

    uses: ClassVar[frozenset[str]] = frozenset(["topology.routers", "topology.hierarchy", "cost.objective.crossing"])
    link_form: ClassVar[str] = "[links, 2] of [core, its parent or child]"

    link_layout: ClassVar[Literal["neighbours", "tree", "medium", "pairs"]] = "tree"

    degree: int = field(default=DEGREE, kw_only=True)

    @classmethod
    def of(cls, device: Device, vertices: int) -> Self:
        return evolve(super().of(device, vertices), degree=degree_of(device))

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        yield f"The topology is a tree: each core has a link to its parent, and to up to {degree_of(device)} children."

    def parent(self, core: Any) -> Any:
        """Returns the parent of a core, also for arrays. The parent of the root is the root."""
        return np.maximum(core - 1, 0) // self.degree

    @cached_property
    def parents(self) -> Ints:
        """Returns the parent of each core. Shapes: [cores]."""
        return self.parent(np.arange(self.cores))

    @cached_property
    def upward_costs(self) -> Reals:
        """Returns the cost of the link between each core and its parent, in either direction. Shapes: [cores]."""
        return np.broadcast_to(self.link_costs(np.arange(self.cores), self.parents), (self.cores,))

    @cached_property
    def depths(self) -> Ints:
        """Returns the number of links between each core and the root. Shapes: [cores]."""
        found, core = np.zeros(self.cores, np.int64), np.arange(self.cores)
        while core.any():
            found += core > 0
            core = self.parents[core]
        return found

    @cached_property
    def pairs(self) -> Reals:
        """Returns the distance between any two cores. Shapes: [cores, cores]."""
        return self.add_links(np.arange(self.cores)[:, None], np.arange(self.cores)[None, :])

    def climb(self, tail: Ints, head: Ints) -> Iterator[tuple[Bools, Bools, Ints, Ints]]:
        """Yields the steps of core pairs to their common ancestors: a mask of the pairs whose first or second core climbs, and the present cores.

        The core with the larger number is at the same depth as the other, or deeper.
        """
        tail, head = np.array(tail), np.array(head)
        while (tail != head).any():
            climbs, descends = tail > head, head > tail
            yield climbs, descends, tail, head
            tail, head = np.where(climbs, self.parents[tail], tail), np.where(descends, self.parents[head], head)

    def distance(self, tail: Any, head: Any) -> Reals:
        return self.pairs[tail, head] if self.cores <= TABLED else self.add_links(tail, head)

    def add_links(self, tail: Any, head: Any) -> Reals:
        """Returns the cost of the paths between cores, link by link."""
        tail, head = np.broadcast_arrays(np.asarray(tail, np.int64), np.asarray(head, np.int64))
        cost = np.zeros(tail.shape)
        for climbs, descends, a, b in self.climb(tail, head):
            for moves, core in ((climbs, a), (descends, b)):
                cost += np.where(moves, self.upward_costs[core], 0.0)
        return cost

    def is_link(self, tail: Ints, head: Ints) -> Bools:
        return (tail != head) & ((self.parent(tail) == head) | (self.parent(head) == tail))

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        net = np.repeat(np.arange(len(source)), np.diff(start))
        rows: list[Ints] = [np.zeros((0, 3), np.int64)]
        for climbs, descends, a, b in self.climb(source[net], target):
            rows.append(np.stack([net, a, self.parents[a]], axis=1)[climbs])
            rows.append(np.stack([net, self.parents[b], b], axis=1)[descends])
        net, tail, head = unique_rows(np.concatenate(rows))[0].T
        is_descent, depth = head > tail, self.depths[head]
        step: Ints = np.where(is_descent, depth, -depth)
        order = np.lexsort((step, is_descent, net))  # a link follows the one that leads to it
        size = np.bincount(net, minlength=len(source))
        return Trees(self, np.concatenate([[0], np.cumsum(size)]), tail[order], head[order])

    def spots(self, cores: Ints) -> Reals:
        """Returns the positions of a tree whose root is above: leaves have columns of their own, a parent is above the middle of its children."""
        above: dict[int, list[int]] = {}
        found: set[int] = set()
        for core in np.unique(cores).tolist():
            while core not in found:
                found.add(core)
                if core:
                    above.setdefault(int(self.parents[core]), []).append(core)
                    core = int(self.parents[core])
        columns: dict[int, float] = {}
        leaves = 0
        waiting = [0] if found else []
        while waiting:
            core = waiting[-1]
            children = sorted(above.get(core, ()))
            if missing := [child for child in children if child not in columns]:
                waiting += reversed(missing)
                continue
            waiting.pop()
            columns[core] = (columns[children[0]] + columns[children[-1]]) / 2 if children else float(leaves)
            leaves += not children
        return np.array([[columns[core], self.depths[core]] for core in cores.tolist()], np.float64).reshape(-1, 2)

    def path(self, start: int, end: int) -> list[int]:
        trees = self.trees(np.array([start]), np.array([0, 1]), np.array([end]))
        return [start, *trees.head.tolist()]


def degree_of(device: Device) -> int:
    """Returns the largest number of children of a core."""
    return device.integer("topology.hierarchy.degree") or DEGREE

"""Costs of many trees on a mesh, and their changes by each position that joins or leaves a tree or its source, as dense arrays.

A cover is the set of positions that a tree leads to. Positions are numbered `a * branches + b`: along the trunk, then along the branches.

    cost = right - left of the columns in the cover and the source's + for each column, its reach beyond the source's row, up and down

`added` and `removed` are exact for one position. Neither counts the source's own position, where delivery costs nothing.
"""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import frozen

from ..arrays.numeric import Bools, Ints, Reals
from ..topology.mesh import MeshTopology


@frozen(eq=False)
class MeshCovers:
    """The positions of a mesh as trees see them. Shapes: far_a [trunk], far_b [branches]."""

    far_a: Reals
    far_b: Reals

    @staticmethod
    def of(topology: MeshTopology) -> MeshCovers:
        return MeshCovers(topology.tree_axes.far_a, topology.tree_axes.far_b)

    @property
    def positions(self) -> int:
        return len(self.far_a) * len(self.far_b)

    def spans(self, source: Ints, cover: Bools) -> Spans:
        """Returns the reach of each tree along its trunk and branches. Shapes: source [trees]: positions; cover [trees, positions]."""
        a, b = np.divmod(source, len(self.far_b))
        grid = cover.reshape(len(source), len(self.far_a), len(self.far_b))
        off = self.far_b - self.far_b[b][:, None]
        along = self.far_a - self.far_a[a][:, None]
        up = np.where(grid, np.maximum(off, 0)[:, None, :], 0)
        down = np.where(grid, np.maximum(-off, 0)[:, None, :], 0)
        in_use: Bools = np.asarray(grid.any(axis=2))
        right, left = np.where(in_use, np.maximum(along, 0), 0), np.where(in_use, np.maximum(-along, 0), 0)
        return Spans(grid, off, along, up, down, right, left)

    def costs(self, source: Ints, cover: Bools) -> Reals:
        """Returns the cost of each tree for one event. Shapes: result [trees]."""
        return self.spans(source, cover).costs()

    def source_costs(self, cover: Bools) -> Reals:
        """Returns the cost of each tree from each source. Shapes: cover [trees, positions]; result [trees, positions]."""
        grid = cover.reshape(len(cover), len(self.far_a), len(self.far_b))
        in_use: Bools = np.asarray(grid.any(axis=2))
        high = np.where(grid, self.far_b, -np.inf).max(axis=2)
        low = np.where(grid, self.far_b, np.inf).min(axis=2)
        far = self.far_b[None, None, :]
        branch = np.maximum(high[:, :, None] - far, 0) + np.maximum(far - low[:, :, None], 0)
        branches = np.where(in_use[:, :, None], branch, 0).sum(axis=1)
        most = np.where(in_use, self.far_a, -np.inf).max(axis=1)[:, None]
        least = np.where(in_use, self.far_a, np.inf).min(axis=1)[:, None]
        trunk = np.maximum(most - self.far_a, 0) + np.maximum(self.far_a - least, 0)
        trunk[~in_use.any(axis=1)] = 0
        return (trunk[:, :, None] + branches[:, None, :]).reshape(len(grid), self.positions)


@frozen(eq=False)
class Spans:
    """The reach of trees. Shapes: grid, up and down [trees, trunk, branches]; off [trees, branches]; along, right and left [trees, trunk]."""

    grid: Bools
    off: Reals
    along: Reals
    up: Reals
    down: Reals
    right: Reals
    left: Reals

    def costs(self) -> Reals:
        """Returns the cost of each tree. Shapes: [trees]."""
        branches = self.up.max(axis=2).sum(axis=1) + self.down.max(axis=2).sum(axis=1)
        return self.right.max(axis=1) + self.left.max(axis=1) + branches

    def added(self) -> Reals:
        """Returns the additional cost of each position, 0 where the tree covers it. Shapes: [trees, positions]."""
        off, along = self.off[:, None, :], self.along
        branch = np.maximum(off - self.up.max(axis=2, keepdims=True), 0)
        branch += np.maximum(-off - self.down.max(axis=2, keepdims=True), 0)
        trunk = np.maximum(along - self.right.max(axis=1, keepdims=True), 0)
        trunk += np.maximum(-along - self.left.max(axis=1, keepdims=True), 0)
        return (branch + trunk[:, :, None]).reshape(self.grid.shape[0], prod(self.grid.shape[1:]))

    def removed(self) -> Reals:
        """Returns the lower cost without each position, 0 where the tree does not cover it. Shapes: [trees, positions]."""
        branch = lead(self.up) + lead(self.down[:, :, ::-1])[:, :, ::-1]
        trunk = lead(self.right) + lead(self.left[:, ::-1])[:, ::-1]
        is_alone = self.grid & (self.grid.sum(axis=2, keepdims=True) == 1)
        return (branch + np.where(is_alone, trunk[:, :, None], 0)).reshape(
            self.grid.shape[0], prod(self.grid.shape[1:])
        )


def lead(reach: Reals) -> Reals:
    """Returns how far the greatest value of a row exceeds all others, at its place; values ascend, apart from zeros."""
    highest = np.maximum.accumulate(reach, axis=-1)
    before = np.zeros_like(reach)
    before[..., 1:] = highest[..., :-1]
    return np.where(reach == highest[..., -1:], reach - before, 0)

"""Errors of an approximation: the nodes that a pass changed in one network, and by how much."""

from __future__ import annotations

import numpy as np
from attrs import define, field

from ..core.arrays.numeric import AnyArray, Reals
from ..dialects import ntensor

NUMBERS_AT_ONCE = 2**18
"""Numbers whose differences are computed at once."""


@define
class Errors:
    """The changes of a pass in one network: the nodes, and the errors of their numbers as they are stored."""

    touched: dict[str, None] = field(factory=dict[str, None])
    largest: float = 0.0
    total: float = 0.0
    count: int = 0

    def add(self, node: str, errors: Reals) -> None:
        with np.errstate(over="ignore"):
            self.add_sum(node, float(errors.max(initial=0.0)), float(errors.sum()), errors.size)

    def add_differences(self, node: str, after: AnyArray, before: AnyArray) -> None:
        """Adds the differences of a node's numbers, by blocks, to need little memory. Shapes: before that of after."""
        largest, total, one, other = 0.0, 0.0, after.reshape(-1), before.reshape(-1)
        for start in range(0, one.size, NUMBERS_AT_ONCE):
            part = slice(start, start + NUMBERS_AT_ONCE)
            lost = np.abs(one[part].astype(np.float64) - other[part])
            with np.errstate(over="ignore"):
                largest, total = max(largest, float(lost.max())), total + float(lost.sum())
        self.add_sum(node, largest, total, one.size)

    def add_sum(self, node: str, largest: float, total: float, count: int) -> None:
        """Adds the largest error, the sum of the errors and the number of errors of a node; the single errors are not stored."""
        self.touched.setdefault(node)
        self.largest = max(self.largest, largest)
        self.total += total
        self.count += count

    def record(self, network: ntensor.NetworkOp, step: str, what: str) -> None:
        """Records the changes of a pass, if there are some; `step` is the pass with its options."""
        if self.touched:
            network.record(ntensor.ApproximationAttr.of(step, what, self.touched, self.largest, self.mean))

    @property
    def mean(self) -> float:
        # A sum beyond f64 is infinity, and no mean exceeds the maximum.
        return min(self.total / self.count, self.largest) if self.count else 0.0


def mean_of(errors: Reals) -> float:
    """Returns the mean of errors. Their sum can be beyond f64, and no mean exceeds the maximum."""
    with np.errstate(over="ignore"):
        return min(float(errors.mean()), float(errors.max()))

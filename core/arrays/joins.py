"""Joins of lists of numbers."""

from __future__ import annotations

import numpy as np

from .numeric import Ints


def join(left: Ints, right: Ints) -> tuple[Ints, Ints]:
    """Returns the index pairs of equal numbers, ordered by the index in `left`, then by the index in `right`. Shapes: any two lengths."""
    order = np.argsort(right, kind="stable")
    sorted_right = right[order]
    if len(right) and is_range(left) and sorted_right[0] >= 0 and sorted_right[-1] < len(left):
        return sorted_right.astype(np.int64, copy=False), order
    first, last = np.searchsorted(sorted_right, left, "left"), np.searchsorted(sorted_right, left, "right")
    size = last - first
    total = np.cumsum(size)
    inner = np.arange(int(total[-1]) if len(total) else 0) - np.repeat(total - size, size)
    return np.repeat(np.arange(len(left)), size), order[np.repeat(first, size) + inner]


def is_range(numbers: Ints) -> bool:
    """Returns whether numbers are 0, 1, 2 and so on."""
    return bool(np.array_equal(numbers, np.arange(len(numbers))))

"""Classes of scales: rows with scales of their own share at most a given number of different scales.

    scales 0.1, 0.11, 0.9, 1.0 in 2 classes  =>  0.11, 0.11, 1.0, 1.0

The rows are sorted by their scales and cut into intervals, since a scale covers every row with a smaller one. The cuts are optimal:

1. A class takes the largest scale of its rows, so that it saturates no more weights than before. Rounding to a scale s has an expected squared
   error of s^2 / 12 for each weight other than 0. The sum of n s^2 over all rows becomes least.
2. With one bit, a scale is the mean size of the weights of a row. A class takes the mean over its rows, and the sum of n (s - mean)^2 becomes least.

Both costs satisfy the quadrangle inequality: the best start of the last class never moves back if rows are added. Dynamic programming by divide and
conquer then takes k m log m steps for k classes of m different scales. Of more than `MOST_CUTS` different scales, only this number is tried as
the end of a class: first at equal distances, then around the best ends of these.

Source: F. F. Yao, Efficient dynamic programming using quadrangle inequalities, STOC 1980; one-dimensional clusters in this way: A. Grønlund et al.,
Fast exact k-means, k-medians and Bregman divergence clustering in 1D, arXiv:1701.07204 (2017).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .....core.arrays.numeric import Bools, Ints, Reals

MOST_CUTS = 2000
"""The most scales that are tried at once as the end of a class."""

Cost = Callable[[Ints, Ints], Reals]
"""The costs of classes that start at some places, and end before others."""


def cover_cost(scales: Reals, weights: Reals) -> Cost:
    """Returns the cost of classes that take their largest scale. Shapes: `[m]`, sorted by scale."""  # 1
    squares = np.square(scales / scales[-1])
    before = np.concatenate([[0.0], np.cumsum(weights)])
    return lambda starts, ends: squares[ends - 1] * (before[ends] - before[starts])


def mean_cost(scales: Reals, weights: Reals) -> Cost:
    """Returns the cost of classes that take their mean scale. Shapes: `[m]`, sorted by scale."""  # 2
    sizes = scales / scales[-1]
    count, sum, squares = (np.concatenate([[0.0], np.cumsum(weights * sizes**k)]) for k in range(3))

    def cost(starts: Ints, ends: Ints) -> Reals:
        total = sum[ends] - sum[starts]
        return np.maximum(squares[ends] - squares[starts] - total * total / (count[ends] - count[starts]), 0.0)

    return cost


def best_ends(places: int, most: int, cost: Cost) -> list[int]:
    """Returns the ends of at most `most` consecutive classes of some places with the least total cost, in order."""
    every = np.arange(1, places + 1)
    before = np.concatenate([[0.0], cost(np.zeros(places, np.int64), every)])  # of one class
    starts: list[Ints] = [np.zeros(places + 1, np.int64)]
    for _ in range(min(most, places) - 1):
        before, start = one_class_more(before, cost)
        starts.append(start)
    ends = [places]
    for start in reversed(starts):
        if (end := int(start[ends[-1]])) == 0:
            break
        ends.append(end)
    return ends[::-1]


def one_class_more(before: Reals, cost: Cost) -> tuple[Reals, Ints]:
    """Returns the least cost up to each place after one more class is added to `before`, and the start of this last class.

    All middles of one depth of the division are computed together. Shapes: `[places + 1]`.
    """
    found, start = np.zeros_like(before), np.zeros(len(before), np.int64)
    low: Ints = np.array([1])  # ends from low to below high
    high: Ints = np.array([len(before)])
    first: Ints = np.array([0])  # starts of their last class
    last: Ints = np.array([len(before) - 2])
    while low.size:
        ends: Ints = (low + high) // 2
        counts: Ints = np.minimum(last, ends - 1) - first + 1
        offset: Ints = np.cumsum(counts) - counts
        tried: Ints = np.arange(int(counts.sum())) + np.repeat(first - offset, counts)
        costs: Reals = before[tried] + cost(tried, np.repeat(ends, counts))
        found[ends] = np.minimum.reduceat(costs, offset)
        hits: Ints = np.flatnonzero(costs == np.repeat(found[ends], counts))
        _, place = np.unique(np.searchsorted(offset, hits, side="right"), return_index=True)
        best: Ints = tried[hits[place]]
        start[ends] = best
        low, high = concatenate(low, ends + 1), concatenate(ends, high)
        first, last = concatenate(first, best), concatenate(best, last)
        is_open: Bools = low < high
        low, high = low[is_open], high[is_open]
        first, last = first[is_open], last[is_open]
    return found, start


def concatenate(one: Ints, other: Ints) -> Ints:
    """Returns the concatenation of two arrays. The declared type saves the type checker seconds of inference in loops."""
    return np.concatenate([one, other])


def classes_of(scales: Reals, weights: Reals, most: int, is_mean: bool = False) -> Ints:
    """Returns the class of each row, numbered from the smallest scale. Shapes: `[rows]`; scales and weights are positive."""
    order = np.argsort(scales, kind="stable")
    held, sizes = weights[order], scales[order]

    def best_cuts(cuts: Ints) -> Ints:
        """Returns the best ends of classes among some places."""
        starts = np.concatenate([[0], cuts[:-1]])
        count = np.add.reduceat(held, starts)
        # between two places the largest scale covers all, and the mean is that of all rows
        each = np.add.reduceat(held * sizes, starts) / count if is_mean else sizes[cuts - 1]
        return cuts[np.array(best_ends(len(cuts), most, (mean_cost if is_mean else cover_cost)(each, count))) - 1]

    every = np.cumsum(np.unique(scales, return_counts=True)[1])  # a class ends after all rows of a scale
    ends = best_cuts(every[spread_places(len(every))])
    if len(every) > MOST_CUTS:
        near = MOST_CUTS // (2 * len(ends))
        places = np.searchsorted(every, ends)[:, None] + np.arange(-near, near + 1)
        ends = best_cuts(every[np.unique(places[(places >= 0) & (places < len(every))])])
    found = np.empty(len(scales), np.int64)
    found[order] = np.searchsorted(ends, np.arange(len(scales)), side="right")
    return found


def spread_places(count: int) -> Ints:
    """Returns at most `MOST_CUTS` of `count` places, evenly spaced; the last place is included."""
    most = min(count, MOST_CUTS)
    return np.linspace(0, count, most + 1).astype(np.int64)[1:] - 1

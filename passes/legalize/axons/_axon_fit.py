"""Fit of weights to axon types: the types of the sources of one core, and a value of each neuron for each type, with the least absolute error.

A weight that is not zero becomes the nearest sum of values of the axons of its source, or zero. A weight of zero has no connection, and stays zero.

| axons | fit |
| --- | --- |
| one for each source | a clustering of sources (`_axon_clusters.py`) |
| all types for each source | each neuron by itself: values and connections are improved in turn, from the best of many starts |
| some sources have more | axons go where they reduce the error most; values, connections and axons are improved in turn |

Starts are scaled powers of two, most frequent weights, the values without duplicates, and weights picked at random. The values s, 2s, 4s and -8s have
all integers from -8 to 7 as sums, so that weights of 4 bits are exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from ....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ....dialects.ntensor.axon_types import mask_members
from ._axon_clusters import fit_single

WORK = 2**21
"""Weights that are compared with values in all starts of one slice from weights picked at random."""
FIT_ROUNDS = 12
"""Maximum number of iterations of one start."""
KEPT_STARTS = 3
"""Starts with the least errors, which are improved."""
MOST_STEPS = 15
"""Maximum number of sizes of each pattern of powers of two: those of 4 bits."""
PICKS = 12
"""Maximum number of starts from weights of each neuron, picked at random."""
LEAST_GAIN = 1e-3
"""Share of the error by which an iteration improves a fit; less ends the iterations."""
AT_ONCE = 2**20
"""Weights, times the sums of a neuron, that are compared in one array."""


@frozen
class Grid:
    """The numbers that a value can be: integers of a range, or reals of a type."""

    real: np.dtype[Any] | None
    """The type of reals; None for integers."""
    lowest: float = -np.inf
    highest: float = np.inf
    unit: float = 1.0
    """The value of 1: a power of two, with which large and small reals stay within f64."""

    def rounded(self, values: Reals) -> Reals:
        """Returns the nearest numbers on the grid."""
        if self.real is None:
            return np.clip(np.rint(values), self.lowest, self.highest)
        return (values * self.unit).astype(self.real).astype(np.float64) / self.unit


@frozen(eq=False)
class AxonFit:
    """The values of the neurons of one slice, and the axons of its sources.

    Shapes: values [neurons, types]; members [sources, types], whether a source has an axon of a type; masks [neurons, sources], the connected types;
    weights [neurons, sources], the sums.
    """

    values: Reals
    members: Bools
    masks: Ints
    weights: Reals
    error: float
    """The sum of all absolute errors."""

    def row_errors(self, weights: Reals) -> Reals:
        """Returns the sum of the absolute errors of each neuron."""
        return np.abs(weights - self.weights).sum(axis=1)


def fit_axons(weights: Reals, types: int, copies: Ints, axons: int, grid: Grid) -> tuple[AxonFit, float | None]:
    """Returns the best fit found, and the error without duplicates; None where each neuron was fitted by itself.

    There is at least one axon for each source, and at most `axons` in all. Sums of integers are kept between the least and the greatest weight.

    Shapes: weights [neurons, sources], finite; copies [sources], the most axons of each.
    """
    random = np.random.Generator(np.random.Philox(key=0))
    low, high = -np.inf, np.inf
    if grid.real is None:
        low, high = float(weights.min(initial=0.0)), float(weights.max(initial=0.0))
    most = np.minimum(copies, types)
    room = min(axons, int(most.sum()))
    if room == types * weights.shape[1] and room:
        return fit_neurons(weights, types, grid, low, high, random), None
    chosen, values = fit_single(np.clip(weights, grid.lowest, grid.highest), types, random)
    members = np.arange(types) == chosen[:, None]
    found = connect(weights, values, members, low, high)
    single = found.error
    if room <= weights.shape[1] or found.error == 0:
        return found, single

    def with_axons(values: Reals) -> AxonFit:
        return connect(weights, values, choose_axons(weights, values, most, room, low, high), low, high)

    for start in (values, *best_starts(weights, types, grid, low, high, random)):
        tried = with_axons(start)
        for _ in range(FIT_ROUNDS):
            better = min(map(with_axons, better_values(weights, tried, grid)), key=lambda fit: fit.error)
            if better.error >= tried.error * (1 - LEAST_GAIN):
                break
            tried = better
        if tried.error < found.error:
            found = tried
    return found, single


def best_starts(
    weights: Reals, types: int, grid: Grid, low: float, high: float, random: np.random.Generator
) -> list[Reals]:
    """Returns the start values with the least errors where each source has all axons."""
    every = every_axon(weights, types)
    starts = list(start_values(weights, types, grid, random))
    errors = [connect(weights, start, every, low, high).error for start in starts]
    return [starts[k] for k in np.argsort(errors, kind="stable")[:KEPT_STARTS]]


# ---- every source has all axons


def fit_neurons(
    weights: Reals, types: int, grid: Grid, low: float, high: float, random: np.random.Generator
) -> AxonFit:
    """Returns the fit of neurons whose sources have an axon of each type: a neuron is independent of the others, and of the order of its sources."""
    rows, index = np.unique(np.sort(weights, axis=1), axis=0, return_inverse=True)
    each = max(1, AT_ONCE // (rows.shape[1] << types))
    parts = [fit_rows(rows[k : k + each], types, grid, low, high, random) for k in range(0, len(rows), each)]
    values: Reals = np.concatenate([np.zeros((0, types)), *parts])[index.reshape(-1)]
    return connect(weights, values, every_axon(weights, types), low, high)


def fit_rows(weights: Reals, types: int, grid: Grid, low: float, high: float, random: np.random.Generator) -> Reals:
    """Returns the values of some neurons, each from its best starts. Shapes: [neurons, types]."""
    every = every_axon(weights, types)
    starts = np.stack(list(start_values(weights, types, grid, random)))
    errors: Reals = np.stack([connect(weights, start, every, low, high).row_errors(weights) for start in starts])
    ranked: Ints = np.argsort(errors, axis=0, kind="stable")[:KEPT_STARTS]
    neurons = np.arange(len(weights))
    values: Reals = starts[ranked[0], neurons]
    error: Reals = errors[ranked[0], neurons]
    for rank in ranked:
        own = np.flatnonzero(error > 0)
        if not len(own):
            break
        found = improved_rows(weights[own], starts[rank[own], own], grid, low, high)
        is_better = (reached := found.row_errors(weights[own])) < error[own]
        values[own[is_better]], error[own[is_better]] = found.values[is_better], reached[is_better]
    return values


def improved_rows(weights: Reals, values: Reals, grid: Grid, low: float, high: float) -> AxonFit:
    """Returns a fit after values and connections of each neuron were improved in turn."""
    every = every_axon(weights, values.shape[1])
    best = connect(weights, values, every, low, high)
    for _ in range(FIT_ROUNDS):
        better = best
        for tried in better_values(weights, best, grid):
            better = best_of_each(weights, better, connect(weights, tried, every, low, high))
        if better.error >= best.error * (1 - LEAST_GAIN):
            return better
        best = better
    return best


def every_axon(weights: Reals, types: int) -> Bools:
    return np.ones((weights.shape[1], types), np.bool_)


# ---- connections, and values to start from


def connect(weights: Reals, values: Reals, members: Bools, low: float, high: float) -> AxonFit:
    """Returns the nearest sums of the values of each source's axons."""
    found = np.zeros(weights.shape)
    masks = np.zeros(weights.shape, np.int64)
    types: int = values.shape[1]
    own_masks: Ints = np.where(members, 1 << np.arange(types), 0).sum(axis=1)
    each: list[int] = own_masks.tolist()
    for own in sorted({*each}):
        some: Bools = own_masks == own
        sums, every = sums_of(values, own, low, high)
        near = np.abs(weights[:, some, None] - sums[:, None, :]).argmin(axis=2)
        found[:, some] = np.take_along_axis(sums, near, axis=1)
        masks[:, some] = every[near]
    is_none = weights == 0
    found[is_none], masks[is_none] = 0, 0
    return AxonFit(values, members, masks, found, float(np.abs(weights - found).sum()))


def sums_of(values: Reals, own: int, low: float, high: float) -> tuple[Reals, Ints]:
    """Returns the sums of the subsets of the types in a mask, and the masks of these subsets. Sums out of range are infinite."""
    types: int = values.shape[1]
    masks = np.arange(1 << types)
    masks = masks[(masks & ~own) == 0]
    sums = values @ mask_members(masks, types).T.astype(np.float64)
    return np.where((sums >= low) & (sums <= high), sums, np.inf), masks


def start_values(weights: Reals, types: int, grid: Grid, random: np.random.Generator) -> Iterator[Reals]:
    """Yields values of each neuron from which a fit starts: scaled powers of two, the most frequent weights, and weights picked at random."""
    powers = 2.0 ** np.arange(types)
    last = powers * np.where(np.arange(types) == types - 1, -1, 1)  # 1, 2, 4, -8
    half = 2.0 ** (np.arange(types) // 2) * (1 - 2 * (np.arange(types) % 2))  # 1, -1, 2, -2
    greatest = np.abs(weights).max(axis=1, initial=0.0)[:, None]
    for pattern in (powers, -powers, last, -last, half):
        reach = int(max(pattern[pattern > 0].sum(), -pattern[pattern < 0].sum()))
        steps = range(1, reach + 1) if reach <= MOST_STEPS else np.linspace(1, reach, MOST_STEPS)
        for k in (*steps, 1.25 * reach, 1.5 * reach):  # the greatest weight is k steps
            yield grid.rounded(greatest / k * pattern)
    yield grid.rounded(frequent_weights(weights, types))
    for _ in range(int(np.clip(WORK // max(1, weights.size << types), 1, PICKS))):
        keys = np.where(weights == 0, -1.0, random.random(weights.shape))
        picked = np.argsort(-keys, axis=1, kind="stable")[:, :types]
        found = np.zeros((len(weights), types))
        found[:, : picked.shape[1]] = np.take_along_axis(weights, picked, axis=1)
        yield grid.rounded(found)


def frequent_weights(weights: Reals, types: int) -> Reals:
    """Returns the most frequent weights of each neuron, zero aside. Shapes: [neurons, types]."""
    found = np.zeros((len(weights), types))
    for row, own in zip(found, weights, strict=True):
        value, count = np.unique(own[own != 0], return_counts=True)
        most = value[np.argsort(-count, kind="stable")][:types]
        row[: len(most)] = most
    return found


def better_values(weights: Reals, fit: AxonFit, grid: Grid) -> tuple[Reals, Reals]:
    """Returns values for the connections of a fit: those of the least squared error, and medians."""
    return least_squares(weights, fit, grid), medians(weights, fit, grid)


def choose_axons(weights: Reals, values: Reals, most: Ints, room: int, low: float, high: float) -> Bools:
    """Returns the axon types of each source, chosen by a greedy algorithm with the greatest error reduction per axon. Shapes: [sources, types]."""
    sources: int = weights.shape[1]
    types: int = values.shape[1]
    if room == types * sources:
        return np.ones((sources, types), np.bool_)
    subsets = mask_members(np.arange(1, 1 << types), types).astype(np.bool_)
    subsets = subsets[subset_sizes(types)[1:] <= most.max()]
    size = subsets.sum(axis=1)
    errors = subset_errors(weights, values, low, high)[:, np.flatnonzero(subset_sizes(types) <= most.max())[1:]]
    best = np.stack([np.where(size == n, errors, np.inf).argmin(axis=1) for n in range(1, most.max() + 1)], axis=1)
    least: list[list[float]] = np.take_along_axis(errors, best, axis=1).tolist()
    gains: list[tuple[float, int, int, int]] = []
    for i, own in enumerate(least):
        for before, after in pairwise(hull(own[: most[i]])):
            gains.append(((own[before] - own[after]) / (after - before), i, before, after))
    count = np.zeros(sources, np.int64)
    left = room - sources
    for gain, i, before, after in sorted(gains, key=lambda one: (-one[0], one[1], one[2])):
        if gain > 0 and after - before <= left and count[i] == before:
            count[i] = after
            left -= after - before
    return subsets[best[np.arange(sources), count]]


def subset_sizes(types: int) -> Ints:
    """Returns the number of types of each subset."""
    return mask_members(np.arange(1 << types), types).sum(axis=1)


def subset_errors(weights: Reals, values: Reals, low: float, high: float) -> Reals:
    """Returns the error of each source for each subset of axon types. Shapes: [sources, subsets]."""
    types: int = values.shape[1]
    sums, masks = sums_of(values, (1 << types) - 1, low, high)
    near: list[Reals] = []
    found = np.zeros((weights.shape[1], len(masks)))
    is_none = weights == 0
    every: list[int] = masks.tolist()
    for mask in every:
        errors: Reals = np.abs(weights - sums[:, mask : mask + 1])
        for type in range(types):
            if mask >> type & 1:
                errors = np.minimum(errors, near[mask & ~(1 << type)])
        near.append(errors)
        found[:, mask] = np.where(is_none, 0, errors).sum(axis=0)
    return found


def hull(errors: Sequence[float]) -> list[int]:
    """Returns the places of the lower convex hull of errors that fall with their index."""
    found = [0]
    for k in range(1, len(errors)):
        while len(found) > 1:
            a, b = found[-2:]
            if (errors[a] - errors[b]) * (k - b) > (errors[b] - errors[k]) * (b - a):
                break
            found.pop()
        found.append(k)
    return found


def least_squares(weights: Reals, fit: AxonFit, grid: Grid) -> Reals:
    """Returns the values with the least squared error for the connections of a fit."""
    types: int = fit.values.shape[1]
    used = np.bitwise_and(np.right_shift(fit.masks[:, :, None], np.arange(types)), 1).astype(np.float64)
    normal: Reals = np.einsum("nit,niu->ntu", used, used)
    ridge: Reals = 1e-9 * (1 + np.trace(normal, axis1=1, axis2=2))[:, None, None] * np.eye(types)
    right: Reals = np.einsum("nit,ni->nt", used, weights)[:, :, None]
    solved = np.linalg.solve(normal + ridge, right).astype(np.float64)
    return grid.rounded(solved[:, :, 0])


def medians(weights: Reals, fit: AxonFit, grid: Grid) -> Reals:
    """Returns the values after one update of each type in turn: the value of a type becomes the median residual of its connections."""
    values = fit.values.copy()
    for type in range(values.shape[1]):
        is_used = np.bitwise_and(np.right_shift(fit.masks, type), 1) == 1
        others = np.zeros(weights.shape)
        for other in range(values.shape[1]):
            if other != type:
                others += np.bitwise_and(np.right_shift(fit.masks, other), 1) * values[:, [other]]
        rest = np.sort(np.where(is_used, weights - others, np.inf), axis=1)
        count = is_used.sum(axis=1)
        middle = np.take_along_axis(rest, np.maximum(count - 1, 0)[:, None] // 2, axis=1)[:, 0]
        values[:, type] = grid.rounded(np.where(count > 0, middle, values[:, type]))
    return values


def best_of_each(weights: Reals, one: AxonFit, other: AxonFit) -> AxonFit:
    """Returns the better of two fits for each neuron. The second fit has all axons."""
    is_better = np.abs(weights - other.weights).sum(axis=1) < np.abs(weights - one.weights).sum(axis=1)

    def chosen(a: AnyArray, b: AnyArray) -> AnyArray:
        return np.where(is_better[:, None], b, a)

    found = chosen(one.weights, other.weights)
    values, masks = chosen(one.values, other.values), chosen(one.masks, other.masks)
    return AxonFit(values, other.members | one.members, masks, found, float(np.abs(weights - found).sum()))

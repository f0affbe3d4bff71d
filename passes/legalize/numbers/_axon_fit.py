"""Fit of weights to axon types: the types of the sources of one core, and a value of each neuron for each type, with the least absolute error.

A weight that is not zero becomes the nearest sum of values of the axons of its source, or zero. A weight of zero has no connection, and stays zero.

1. With one axon for each source this is a clustering of sources with medians: the best value of a neuron for some sources is the median of its
   greatest weights from them, or of its least, and all others become zero.
2. Few sources are fitted exactly, by dynamic programming over their subsets. More are fitted by Lloyd's algorithm from several starts; then some
   sources change their types at random, as long as that helps.
3. Duplicated axons go where they reduce the error most. Values and connections are then improved in turn, from several starts: powers of two, and
   the values without duplicates.

Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982); P. S. Bradley et al., Clustering via concave minimization,
NIPS 9 (1996), for medians as centres; D. Arthur and S. Vassilvitskii, k-means++, SODA (2007), for its starts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from attrs import frozen

from ....core.arrays.numeric import AnyArray, Bools, Ints, Reals
from ....dialects.ntensor.axon_types import mask_members

EXACT_SOURCES = 8
"""Maximum number of sources that are fitted exactly: they have 255 subsets."""
WORK = 2**23
"""Weights that are compared with values in all starts of one slice; at least two starts are made."""
MOST_STARTS = 24
FITTED = 2**15
"""Weights of groups of sources that are fitted in one array; a larger group is fitted alone."""
FIT_ROUNDS = 40
"""Maximum number of iterations of one start."""
SCALES = 10
"""Sizes of the powers of two from which duplicated axons start."""
PICKS = 12
"""Maximum number of starts of duplicated axons from weights of each neuron, picked at random."""


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


def fit_axons(weights: Reals, types: int, copies: Ints, axons: int, grid: Grid) -> tuple[AxonFit, float]:
    """Returns the best fit found, and the error without duplicates. There is at least one axon for each source, and at most `axons` in all.

    Sums of integers are kept between the least and the greatest weight.

    Shapes: weights [neurons, sources], finite; copies [sources], the most axons of each.
    """
    random = np.random.Generator(np.random.Philox(key=0))
    low, high = -np.inf, np.inf
    if grid.real is None:
        low, high = float(weights.min(initial=0.0)), float(weights.max(initial=0.0))
    chosen, values = fit_single(np.clip(weights, grid.lowest, grid.highest), types, random)
    members = np.arange(types) == chosen[:, None]
    found = connect(weights, values, members, low, high)
    single = found.error
    most = np.minimum(copies, types)
    room = min(axons, int(most.sum()))
    if room <= weights.shape[1] or found.error == 0:
        return found, single
    for start in starts_with_copies(weights, values, grid, low, high, random):
        tried = fit_copies(weights, start, most, room, grid, low, high)
        if room == types * weights.shape[1]:  # every source has all axons, so that each neuron is fitted by itself
            found = best_of_each(weights, found, tried)
        elif tried.error < found.error:
            found = tried
    return found, single


# ---- one axon for each source


def fit_values(weights: Reals, groups: Bools) -> tuple[Reals, Reals]:
    """Returns the best single value of each neuron for its weights from each group of sources, zero being the other, and its error.

    Shapes: weights [neurons, sources]; groups [groups, sources]; results [groups, neurons].
    """
    at_once = max(1, FITTED // max(1, weights.size))
    parts = [fit_some(weights, groups[k : k + at_once]) for k in range(0, len(groups), at_once)]
    return np.concatenate([value for value, _ in parts]), np.concatenate([error for _, error in parts])


def fit_some(weights: Reals, groups: Bools) -> tuple[Reals, Reals]:
    """Returns the values and errors of `fit_values` for several groups together; groups are padded with zeros to equal sizes."""
    neurons: int = weights.shape[0]
    total: Reals = np.stack([np.abs(weights[:, own]).sum(axis=1) for own in groups])
    value: Reals = np.zeros((len(groups), neurons))
    error: Reals = total.copy()
    sizes: Ints = groups.sum(axis=1)
    longest = int(sizes.max(initial=0))
    if not longest:
        return value, error
    is_own = np.arange(longest) < sizes[:, None]
    columns: Ints = np.argsort(~groups, axis=1, kind="stable")[:, :longest]
    own: Reals = np.where(is_own[:, None, :], weights[:, columns].swapaxes(0, 1), 0)
    last = np.arange(1, longest + 1)
    middle = (last - 1) // 2
    beyond = np.where(is_own, 0.0, np.inf)[:, None, :]
    for sign in (1.0, -1.0):
        ordered: Reals = -np.sort(-np.maximum(sign * own, 0), axis=2)  # the greatest first
        sums: Reals = np.concatenate([np.zeros((*value.shape, 1)), np.cumsum(ordered, axis=2)], axis=2)
        medians: Reals = ordered[:, :, middle]
        above: Reals = sums[:, :, middle + 1] - (middle + 1) * medians
        below: Reals = (last - middle - 1) * medians - (sums[:, :, last] - sums[:, :, middle + 1])
        errors: Reals = total[:, :, None] - sums[:, :, last] + above + below + beyond
        best: Ints = errors.argmin(axis=2)[:, :, None]
        least: Reals = np.take_along_axis(errors, best, axis=2)[:, :, 0]
        is_better = least < error
        value = np.where(is_better, sign * np.take_along_axis(medians, best, axis=2)[:, :, 0], value)
        error = np.where(is_better, least, error)
    return value, np.maximum(error, 0.0)


def fit_single(weights: Reals, types: int, random: np.random.Generator) -> tuple[Ints, Reals]:
    """Returns the type of each source, and the values. Shapes: [sources], [neurons, types]."""
    sources: int = weights.shape[1]
    if sources <= types:
        chosen: Ints = np.arange(sources)
    elif sources <= EXACT_SOURCES:
        chosen = best_partition(weights, types)
    else:
        chosen = clustered_sources(weights, types, random)
    return chosen, values_of(weights, chosen, types)


def values_of(weights: Reals, chosen: Ints, types: int) -> Reals:
    """Returns the best value of each neuron for each type."""
    return np.ascontiguousarray(fit_values(weights, chosen == np.arange(types)[:, None])[0].T)


def best_partition(weights: Reals, types: int) -> Ints:
    """Returns the types of few sources with the least error, by dynamic programming over their subsets."""
    sources: int = weights.shape[1]
    subsets = mask_members(np.arange(1 << sources), sources).astype(np.bool_)
    cost: list[float] = [float(one.sum()) for one in fit_values(weights, subsets)[1]]
    least, choice = list(cost), [list(range(len(cost)))]
    for _ in range(types - 1):
        further, last = list(least), list(range(len(cost)))
        for rest in range(1, len(cost)):
            first = rest & -rest  # belongs to the new part, which other parts are like
            part = rest
            while part:
                if part & first and least[rest & ~part] + cost[part] < further[rest]:
                    further[rest], last[rest] = least[rest & ~part] + cost[part], -part
                part = (part - 1) & rest
        least = further
        choice.append(last)
    chosen, rest = np.zeros(sources, np.int64), len(cost) - 1
    for type in range(types - 1, -1, -1):
        part = choice[type][rest]
        if part < 0:
            chosen[subsets[-part]] = type
            rest &= ~-part
        elif type == 0:
            chosen[subsets[rest]] = 0
    return chosen


def clustered_sources(weights: Reals, types: int, random: np.random.Generator) -> Ints:
    """Returns the types of many sources: the best of several starts of Lloyd's algorithm, with random changes."""
    sources: int = weights.shape[1]
    starts = int(np.clip(WORK // (weights.size * types * 8), 2, MOST_STARTS))
    best, least, known = np.zeros(sources, np.int64), np.inf, dict[bytes, Reals]()
    for _ in range(starts):
        chosen, error = improved_types(weights, values_from(weights, types, random), known)
        if error < least:
            best, least = chosen, error
    for _ in range(2 * starts):
        changed = best.copy()
        some = random.choice(sources, max(2, sources // 10), replace=False)
        changed[some] = random.integers(0, types, len(some))
        chosen, error = improved_types(weights, values_of(weights, changed, types), known)
        if error < least:
            best, least = chosen, error
    return best


def values_from(weights: Reals, types: int, random: np.random.Generator) -> Reals:
    """Returns the weights of randomly chosen sources as start values. A source far from the earlier choices is more probable, as in k-means++."""
    sources: int = weights.shape[1]
    chosen = [int(random.integers(sources))]
    for _ in range(types - 1):
        far = type_errors(weights, weights[:, chosen]).min(axis=1)
        total = float(far.sum())
        chosen.append(int(random.choice(len(far), p=far / total)) if total > 0 else chosen[0])
    return weights[:, chosen]


def type_errors(weights: Reals, values: Reals) -> Reals:
    """Returns the error of each source with an axon of each type. Shapes: [sources, types]."""
    none = np.abs(weights)
    errors = [np.minimum(none, np.abs(weights - values[:, [t]])).sum(axis=0) for t in range(values.shape[1])]
    return np.stack(errors, axis=1)


def improved_types(weights: Reals, values: Reals, known: dict[bytes, Reals]) -> tuple[Ints, float]:
    """Returns the types of Lloyd's algorithm, from some values, and their error.

    `known` keeps the error of each source with the axon of a group of sources: many rounds have groups in common.
    """
    types: int = values.shape[1]
    best, least = np.zeros(weights.shape[1], np.int64), np.inf
    errors = type_errors(weights, values)
    for _ in range(FIT_ROUNDS):
        chosen: Ints = errors.argmin(axis=1)
        groups: Bools = chosen == np.arange(types)[:, None]
        keys = [one.tobytes() for one in groups]
        if new := [k for k, key in enumerate(keys) if key not in known]:
            values = np.ascontiguousarray(fit_values(weights, groups[new])[0].T)
            found = type_errors(weights, values)
            known.update((keys[k], found[:, n]) for n, k in enumerate(new))
        errors = np.stack([known[key] for key in keys], axis=1)
        error = float(errors[np.arange(len(chosen)), chosen].sum())
        if error >= least:
            break
        best, least = chosen, error
    return best, least


# ---- duplicated axons


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


def starts_with_copies(
    weights: Reals, single: Reals, grid: Grid, low: float, high: float, random: np.random.Generator
) -> Iterator[Reals]:
    """Yields start values for the fit of duplicated axons.

    The start values are the values without duplicates, powers of two with the best scale for each neuron, and weights of each neuron.
    """
    yield single
    types: int = single.shape[1]
    powers = 2.0 ** np.arange(types)
    half = 2.0 ** (np.arange(types) // 2) * (1 - 2 * (np.arange(types) % 2))  # 1, -1, 2, -2
    last = powers * np.where(np.arange(types) == types - 1, -1, 1)  # 1, 2, 4, -8
    every = np.ones((1, types), np.bool_)
    greatest = np.abs(weights).max(axis=1, initial=0.0)
    for pattern in (powers, -powers, last, -last, half):
        reach = max(pattern[pattern > 0].sum(), -pattern[pattern < 0].sum())
        best, least = np.zeros((len(weights), types)), np.full(len(weights), np.inf)
        for part in np.linspace(0.3, 1.2, SCALES):
            values = grid.rounded(greatest[:, None] * part / reach * pattern)
            tried = connect(weights, values, np.broadcast_to(every, (weights.shape[1], types)), low, high)
            error = np.abs(weights - tried.weights).sum(axis=1)
            is_better = error < least
            best[is_better], least[is_better] = values[is_better], error[is_better]
        yield best
    for _ in range(int(np.clip(WORK // (weights.size << types), 1, PICKS))):
        keys = np.where(weights == 0, -1.0, random.random(weights.shape))
        picked = np.argsort(-keys, axis=1, kind="stable")[:, :types]
        found = np.zeros((len(weights), types))
        found[:, : picked.shape[1]] = np.take_along_axis(weights, picked, axis=1)
        yield found


def fit_copies(weights: Reals, values: Reals, most: Ints, room: int, grid: Grid, low: float, high: float) -> AxonFit:
    """Improves axons, connections and values in turn."""
    best = connect(weights, values, choose_axons(weights, values, most, room, low, high), low, high)
    for _ in range(FIT_ROUNDS):
        tried = [
            connect(weights, values, choose_axons(weights, values, most, room, low, high), low, high)
            for values in (least_squares(weights, best, grid), medians(weights, best, grid))
        ]
        better = min(tried, key=lambda fit: fit.error)
        if room == best.values.shape[1] * weights.shape[1]:
            better = best_of_each(weights, best, best_of_each(weights, *tried))
        if better.error >= best.error:
            break
        best = better
    return best


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

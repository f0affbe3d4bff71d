"""Types of the axons of one core, with one axon for each source, and a value of each neuron for each type: a clustering of sources with medians.

1. The best value of a neuron for some sources is the median of its greatest weights from them, or of its least, and all others become zero.
2. Few sources are fitted exactly, by dynamic programming over their subsets. More have the types of a colouring without an error, if there is one; else
   they are fitted by Lloyd's algorithm from several starts, and then some sources change their types at random, as long as that helps.

Source: S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982); P. S. Bradley et al., Clustering via concave minimization,
NIPS 9 (1996), for medians as centres; D. Arthur and S. Vassilvitskii, k-means++, SODA (2007), for its starts.
"""

from __future__ import annotations

import numpy as np

from ....analysis.axon_types import colour_axons
from ....core.arrays.numeric import Bools, Ints, Reals
from ....dialects.chip_base.lines import UNTYPED
from ....dialects.ntensor.axon_types import mask_members

EXACT_SOURCES = 8
"""Maximum number of sources that are fitted exactly: they have 255 subsets."""
WORK = 2**22
"""Weights that are compared with values in all starts of one slice; at least two starts are made."""
MOST_STARTS = 24
FITTED = 2**15
"""Weights of groups of sources that are fitted in one array; a larger group is fitted alone."""
CLUSTER_ROUNDS = 40
"""Maximum number of iterations of one start."""


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
    elif (exact := exact_types(weights, types)) is not None:
        chosen = exact
    else:
        chosen = clustered_sources(weights, types, random)
    return chosen, values_of(weights, chosen, types)


def exact_types(weights: Reals, types: int) -> Ints | None:
    """Returns types of the sources with which every neuron has a single weight for each type; None if a colouring of the sources finds none."""
    number = np.where(weights == 0, 0, 1 + np.unique(weights, return_inverse=True)[1].reshape(weights.shape))
    count = np.diff(np.sort(number, axis=1), axis=1, prepend=0) != 0
    if int(count.sum(axis=1).max(initial=0)) > types:
        return None
    chosen = colour_axons(number, np.full(weights.shape[1], UNTYPED))
    return chosen if int(chosen.max(initial=0)) < types else None


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
    for _ in range(CLUSTER_ROUNDS):
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

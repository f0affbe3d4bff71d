"""Weights as subset sums: a synapse adds a subset of four currents that all synapses of its core share, by a mask of 4 bits.

`fitted_currents` chooses four currents for given weights: from several starts, weights take the nearest sum, and currents the values with the least
squared error, in turn. `currents_of` finds four currents whose sums are given integers, if there are any: those of a part of the weights, too.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import gcd

import numpy as np

from ..core.arrays.numeric import AnyArray, Ints, Reals
from .subset_currents import MASK_CURRENTS, search_currents

LARGEST_CURRENT = 255
"""Steps of the bias generator in a range, of which a current is a number."""
MASKS = (np.arange(2**MASK_CURRENTS)[:, None] >> np.arange(MASK_CURRENTS)) & 1
"""The currents that each mask selects. Shapes: [masks, currents]."""
STARTS = ((1.0, 2.0, 4.0, 8.0), (1.0, 1.5, 4.0, 8.0), (1.0, 3.0, 5.0, 7.0), (1.0, 1.0, 2.0, 6.0), (2.0, 3.0, 4.0, 6.0))
REACHES = (1.0, 1.25, 1.5)
"""Sums of all currents of a start, in units of the largest weight."""
FEW = 64
"""Weights up to which all proportions of small integers are starts, too."""
SINGLE = 8
"""Weights up to which each choice of four of them is a start, too."""
RIDGE = 1e-9
"""Least current, and regularisation of currents that the weights do not determine."""
ROUNDS = 30
SAMPLES = 4096
"""Weights that a fit examines: quantiles of all."""
COMPARED = 2**22
"""Maximum number of comparisons of sizes with sums at once."""
AT_ONCE = 2**18
"""Weights of all starts that are fitted at once."""
KEPT_CURRENTS = 64
"""Maximum number of fits that are kept."""


def sums_of(currents: AnyArray, choices: Ints = MASKS) -> AnyArray:
    """Returns the sum of each choice. Shapes: currents [currents], choices [choices, currents], result [choices]."""
    return choices @ currents


def nearest_masks(sizes: Reals, currents: AnyArray, choices: Ints = MASKS) -> Ints:
    """Returns the choice with the sum that is nearest to each size, the first of several. Shapes: sizes [n], result [n]."""
    sums = sums_of(currents, choices).astype(np.float64)
    order = np.argsort(sums, kind="stable")
    ordered = sums[order]
    middle = (ordered[1:] + ordered[:-1]) / 2
    return order[np.searchsorted(middle, sizes, side="left")]


def masks_of_starts(sizes: Reals, currents: Reals, choices: Ints) -> Ints:
    """Returns the choices of `nearest_masks` for the currents of several starts.

    Shapes: sizes [n], currents [starts, currents], result [starts, n].
    """
    sums = np.stack([sums_of(one, choices) for one in currents])
    order = np.argsort(sums, axis=1, kind="stable")
    ordered = np.take_along_axis(sums, order, axis=1)
    middle = (ordered[:, 1:] + ordered[:, :-1]) / 2
    if middle.size * len(sizes) > COMPARED:
        rank = np.stack([np.searchsorted(one, sizes, side="left") for one in middle])
    else:
        rank = (middle[:, :, None] < sizes).sum(axis=1)
    return np.take_along_axis(order, rank, axis=1)


def fitted_currents(sizes: Reals) -> tuple[Ints, float]:
    """Returns four currents in steps, and the size of a step, with a small squared error of the sizes, which are not all 0.

    The last fits are kept, as a network is compiled several times. Shapes: sizes [n], 0 or more; result [4].
    """
    unit = float(sizes.max())
    shares = np.sort(sizes / unit)
    if len(shares) > SAMPLES:
        shares = shares[np.linspace(0, len(shares) - 1, SAMPLES).round().astype(np.int64)]
    whole, step = kept_fit(shares.dtype.str, shares.tobytes())
    return whole.copy(), step * unit


@lru_cache(KEPT_CURRENTS)
def kept_fit(dtype: str, data: bytes) -> tuple[Ints, float]:
    """Returns the fit of sorted shares with these bytes."""
    shares = np.frombuffer(data, dtype)
    best: tuple[float, Ints, float] | None = None
    for currents in improved(shares, starts_of(shares)):
        for whole, first in (in_steps(currents), binary(shares)):
            step = refitted(shares, whole, first)
            error = squared_error(shares, whole, step)
            if best is None or error < best[0] * (1 - 1e-9):
                best = error, whole, step
    assert best is not None  # each start has an error
    return best[1], best[2]


def starts_of(shares: Reals) -> Reals:
    """Returns the start currents of a fit; few different weights get more starts, since their error has more minima. Shapes: shares [n], result [starts, 4]."""
    values = np.unique(shares[shares > 0])
    starts = np.array(
        STARTS if len(values) > FEW else [*STARTS, *combinations_with_replacement(range(1, 9), MASK_CURRENTS)]
    )
    starts = starts / starts.sum(axis=1, keepdims=True)
    if len(values) > FEW:
        return starts
    own = [*combinations(values, MASK_CURRENTS)] if MASK_CURRENTS <= len(values) <= SINGLE else []
    return np.concatenate([*(starts * reach for reach in REACHES), np.reshape(own, (-1, MASK_CURRENTS))])


def improved(shares: Reals, currents: Reals, choices: Ints = MASKS) -> Reals:
    """Returns the fitted currents of the starts with the least errors. Shapes: shares [n]; currents and result [starts, currents]."""
    for _ in range(ROUNDS):
        each = max(1, AT_ONCE // max(1, len(shares)))
        parts = range(0, len(currents), each)
        found = np.concatenate([least_squares(shares, currents[k : k + each], choices) for k in parts])
        if np.allclose(found, currents, rtol=1e-6):
            break
        currents = found
    sums = sums_of(currents.T, choices).T
    masks = masks_of_starts(shares, currents, choices)
    errors = [np.square(shares - one[own]).sum() for one, own in zip(sums, masks, strict=True)]
    return currents[np.argsort(errors, kind="stable")[: len(STARTS)]]


def least_squares(shares: Reals, currents: Reals, choices: Ints) -> Reals:
    """Returns the currents with the least squared error for the nearest sums of each start. Shapes: shares [n]; currents and result [starts, currents]."""
    chosen = choices[masks_of_starts(shares, currents, choices)].astype(np.float64)
    turned = chosen.transpose(0, 2, 1)
    squares = turned @ chosen + RIDGE * np.eye(currents.shape[1])
    found = np.linalg.solve(squares, (turned @ shares)[..., None])[..., 0]
    return np.where(chosen.any(axis=1) & (found > RIDGE), found, currents)


def in_steps(currents: Reals) -> tuple[Ints, float]:
    """Returns currents as whole steps, the largest of them LARGEST_CURRENT."""
    step = float(currents.max()) / LARGEST_CURRENT
    return np.clip(np.rint(currents / step), 1, LARGEST_CURRENT).astype(np.int64), step


def refitted(shares: Reals, whole: Ints, step: float) -> float:
    """Returns the step with the least squared error of the sums that are nearest with another step."""
    sums = sums_of(whole)[nearest_masks(shares / step, whole)].astype(np.float64)
    return float(shares @ sums) / squares if (squares := float(sums @ sums)) else step


def binary(shares: Reals) -> tuple[Ints, float]:
    """Returns the currents 1, 2, 4 and 8, and a step that makes their sum the largest share."""
    whole = np.array([1, 2, 4, 8])
    return whole, float(shares.max()) / int(whole.sum())


def squared_error(shares: Reals, whole: Ints, step: float, choices: Ints = MASKS) -> float:
    sums = sums_of(whole, choices) * step
    return float(np.square(shares - sums[nearest_masks(shares, whole * step, choices)]).sum())


def currents_of(values: Ints) -> Ints | None:
    """Returns four currents of whole steps whose subset sums contain all values, which are 0 or more; None if there are none.

    1. Values that are multiples of one number up to 15 times have currents of 1, 2, 4 and 8 times that number.
    2. Else each further current is a value without a sum of the currents before, or a part of it.
    3. Where no value is a single current, `subset_currents.py` examines all masks.
    """
    wanted = sorted({int(n) for n in np.unique(values)} - {0})
    if not wanted:
        return np.zeros(MASK_CURRENTS, np.int64)
    if len(wanted) >= 2**MASK_CURRENTS or wanted[-1] > MASK_CURRENTS * LARGEST_CURRENT:
        return None
    divisor = gcd(*wanted)
    if wanted[-1] <= 15 * divisor and 8 * divisor <= LARGEST_CURRENT:
        return np.array([1, 2, 4, 8]) * divisor
    found = searched(wanted, [])
    if found is None:
        return search_currents(np.array(wanted), LARGEST_CURRENT)
    return np.array([*found, *[0] * (MASK_CURRENTS - len(found))])


def searched(wanted: list[int], known: list[int]) -> list[int] | None:
    """Returns currents whose subset sums contain all wanted values, the known currents first; None if four currents do not suffice."""
    sums = {0}
    for current in known:
        sums |= {one + current for one in sums}
    open = [value for value in wanted if value not in sums]
    if not open:
        return known
    if len(known) == MASK_CURRENTS or len(open) > 2**MASK_CURRENTS - len(sums):
        return None
    rest = MASK_CURRENTS - len(known)
    for missing in sorted({open[0] - one for one in sums if one < open[0]}, reverse=True):
        for parts in range(1, rest + 1):  # a value beyond the largest current needs several
            current = -(-missing // parts)
            if current <= LARGEST_CURRENT and (found := searched(wanted, [*known, current])) is not None:
                return found
            if missing <= LARGEST_CURRENT:
                break
    return None


def masks_of(values: Ints, currents: Ints) -> Ints:
    """Returns the mask of each value, the smallest of several. Shapes: values and result [n]."""
    sums = sums_of(currents)
    order = np.argsort(sums, kind="stable")
    place = np.searchsorted(sums[order], values)
    found = order[np.minimum(place, len(order) - 1)]
    assert np.array_equal(sums[found], values)  # the currents are those of the values
    return found

"""Choices of currents: how often a weight of each sign selects each of the currents that a core shares.

| device | choices of a weight |
| --- | --- |
| synapses select subsets | each of the four currents, or not; both signs select of the same currents |
| `synapse.words`: a synapse selects one current | that many synapses at most, whose currents are added; each sign has currents of its own |

A weight takes more synapses only if all weights of the neuron with the most synapses can: fan-in is shared by them.

`fit_weights` chooses the currents for given weights. `find_currents` finds currents whose sums are given integers, those of a part of the weights, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from attrs import frozen

from ..core.arrays.numeric import AnyArray, Ints, Reals
from ..core.device.records import Device
from .subset_currents import MASK_CURRENTS
from .weight_masks import (
    KEPT_CURRENTS,
    LARGEST_CURRENT,
    MASKS,
    REACHES,
    currents_of,
    fitted_currents,
    improved,
    nearest_masks,
    squared_error,
    sums_of,
)

MOST_OF_A_SIGN = 2
"""Currents that weights of one sign select of, if each synapse selects one alone; further currents are not used."""
RATIOS = np.arange(1, 21) / 20
"""Ratios of two currents from which a fit starts."""
SAMPLED = 1024
"""Weights of one sign that a fit examines: quantiles of all."""


@frozen(eq=False)
class Side:
    """Choices of the weights of one sign. Shapes: choices [choices, MASK_CURRENTS]."""

    sign: int
    """1 or -1; 0: both signs."""
    choices: Ints

    def covers(self, weights: AnyArray) -> AnyArray:
        """Returns which weights have this sign."""
        return np.sign(weights) == self.sign if self.sign else np.ones(weights.shape, np.bool_)


SUBSETS = (Side(0, MASKS),)
"""Synapses that select subsets of four currents."""


def words_of(device: Device | None, fan_in: int = 0) -> int | None:
    """Returns the synapses that a weight takes at most, for neurons with at most `fan_in` weights; None if a synapse selects a subset."""
    most = None if device is None else device.integer("synapse.words")
    if device is None or most is None:
        return None
    limit = device.integer("core.fan_in")
    return most if limit is None or not fan_in else max(1, min(most, limit // fan_in))


def sides_of(device: Device | None, words: int | None) -> tuple[Side, ...]:
    """Returns the choices of weights that take up to `words` synapses; subsets of four currents without a number or a device."""
    if device is None or words is None:
        return SUBSETS
    currents = min(device.integer("synapse.currents") or MASK_CURRENTS, MASK_CURRENTS)
    inhibitory = min(device.integer("synapse.inhibitory_currents") or 0, currents)
    ranges = {1: range(currents - inhibitory), -1: range(currents - inhibitory, currents)} if inhibitory else {}
    return tuple(Side(sign, choices_of(used, words)) for sign, used in (ranges or {0: range(currents)}).items())


def choices_of(used: range, words: int) -> Ints:
    """Returns all choices of up to `words` currents, with repetition; fewer words first. Shapes: [choices, MASK_CURRENTS]."""
    used = used[:MOST_OF_A_SIGN]
    counts = [one for one in product(range(words + 1), repeat=len(used)) if sum(one) <= words]
    found = np.zeros((len(counts), MASK_CURRENTS), np.int64)
    found[:, list(used)] = sorted(counts, key=lambda one: (sum(one), one))
    return found


def columns_of(side: Side) -> Ints:
    """Returns the currents that some choice selects."""
    return np.flatnonzero(side.choices.any(axis=0))


# ---- fit


def fit_weights(weights: Reals, sides: Sequence[Side]) -> tuple[Ints, float]:
    """Returns four currents in steps, and the size of a step, with a small squared error of weights, which are not all 0.

    The last fits are kept, as a network is compiled several times. Shapes: weights [n], result [MASK_CURRENTS].
    """
    if len(sides) == 1 and sides[0].choices is MASKS:
        return fitted_currents(np.abs(weights))
    unit = float(np.abs(weights).max())
    parts = [(side, sampled(np.abs(weights[side.covers(weights)]) / unit)) for side in sides]
    kept = [(one.sign, one.choices.tobytes(), shares.tobytes()) for one, shares in parts if shares.any()]
    whole, step = kept_fit_of_sides(np.dtype(parts[0][1].dtype).str, tuple(kept))
    return whole.copy(), step * unit


@lru_cache(KEPT_CURRENTS)
def kept_fit_of_sides(dtype: str, sides: tuple[tuple[int, bytes, bytes], ...]) -> tuple[Ints, float]:
    """Returns the fit of sorted shares; each side is its sign, and the bytes of its choices and of its shares."""
    parts = [
        (Side(sign, np.frombuffer(choices, np.int64).reshape(-1, MASK_CURRENTS)), np.frombuffer(shares, dtype))
        for sign, choices, shares in sides
    ]
    best: tuple[float, Ints, float] | None = None
    for some in product(*(starts_of_side(side, shares) for side, shares in parts)):
        currents = np.sum(some, axis=0)
        step = float(currents.max()) / LARGEST_CURRENT
        whole = np.rint(currents / step).astype(np.int64)
        whole = np.where(currents > 0, np.clip(whole, 1, LARGEST_CURRENT), 0)
        step = common_step(parts, whole, step)
        error = sum(squared_error(shares, whole, step, side.choices) for side, shares in parts)
        if best is None or error < best[0] * (1 - 1e-9):
            best = error, whole, step
    assert best is not None  # each side has starts
    return best[1], best[2]


def sampled(shares: Reals) -> Reals:
    """Returns quantiles of many shares, sorted."""
    shares = np.sort(shares)
    if len(shares) <= SAMPLED:
        return shares
    return shares[np.linspace(0, len(shares) - 1, SAMPLED).round().astype(np.int64)]


def starts_of_side(side: Side, shares: Reals) -> Iterator[Reals]:
    """Yields start currents of one sign: currents with the least errors, then equal parts of the largest share. Shapes: shares [n], results [MASK_CURRENTS]."""
    used, words = columns_of(side), int(side.choices.sum(axis=1).max())
    choices, largest = side.choices[:, used], float(shares.max())
    single = np.array([[largest / n] * len(used) for n in range(1, words + 1)])
    starts: list[Reals] = [single * reach for reach in REACHES] + [single / reach for reach in REACHES]
    if len(used) > 1:
        starts = [one * [ratio, *[1] * (len(used) - 1)] for one in starts for ratio in RATIOS]
    for found in (*improved(shares, np.unique(np.concatenate(starts), axis=0), choices), *single):
        currents = np.zeros(MASK_CURRENTS)
        currents[used] = found
        yield currents


def common_step(parts: Sequence[tuple[Side, Reals]], whole: Ints, step: float) -> float:
    """Returns the step with the least squared error of the sums that are nearest with another step, for all signs."""
    every = [
        (shares, sums_of(whole, side.choices)[nearest_masks(shares / step, whole, side.choices)])
        for side, shares in parts
    ]
    squares = sum(float(sums @ sums) for _, sums in every)
    return sum(float(shares @ sums) for shares, sums in every) / squares if squares else step


def nearest_sums(weights: Reals, whole: Ints, step: float, sides: Sequence[Side]) -> Ints:
    """Returns for each weight the nearest signed sum of currents. Shapes: those of the weights."""
    found = np.zeros(weights.shape, np.int64)
    for side in sides:
        mine = side.covers(weights)
        sums = sums_of(whole, side.choices)
        found[mine] = sums[nearest_masks(np.abs(weights[mine]) / step, whole, side.choices)]
    return found * np.sign(weights).astype(np.int64)


# ---- the currents of integers


def find_currents(weights: Ints, device: Device | None, fan_in: int = 0) -> tuple[Ints, tuple[Side, ...]] | None:
    """Returns four currents, and choices that select them, whose sums are given integers; None if there are none.

    Of several, those with the fewest synapses of a weight, then with the fewest synapses. `fan_in`: as in `words_of`.
    Shapes: weights [n], result [MASK_CURRENTS].
    """
    if (most := words_of(device, fan_in)) is None:
        found = currents_of(np.abs(weights))
        return None if found is None else (found, SUBSETS)
    for words in range(1, most + 1):
        sides = sides_of(device, words)
        parts = [searched_side(side, np.abs(weights[side.covers(weights)])) for side in sides]
        if all(part is not None for part in parts):
            return np.sum([part for part in parts if part is not None], axis=0), sides
    return None


def searched_side(side: Side, sizes: Ints) -> Ints | None:
    """Returns currents of one sign whose sums contain all sizes, with the fewest synapses. All whole numbers of steps are tried."""
    used, found = columns_of(side), np.zeros(MASK_CURRENTS, np.int64)
    values, counts = np.unique(sizes[sizes > 0], return_counts=True)
    if not len(values):
        return found
    choices = side.choices[:, used]
    words = choices.sum(axis=1)
    most = int(words.max())
    if len(values) >= len(choices) or values[-1] > most * LARGEST_CURRENT:
        return None
    grid = np.indices([LARGEST_CURRENT + 1] * len(used)).reshape(len(used), -1).T
    grid = grid[(np.diff(grid, axis=1) <= 0).all(axis=1)]  # one order of the currents
    total = np.zeros(len(grid), np.int64)
    for value, count in zip(values, counts, strict=True):
        least: Ints = np.where(grid @ choices.T == value, words, most + 1).min(axis=1)
        fits = least <= most
        grid, total = grid[fits], total[fits] + count * least[fits]
    if not len(grid):
        return None
    found[used] = grid[np.argmin(total)]
    return found


def split_words(weights: Ints, currents: Ints, sides: Sequence[Side]) -> tuple[Ints, Ints]:
    """Returns the synapses of weights that are sums of currents: the place of the weight of each, and its mask. Shapes: [synapses]."""
    places, masks = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for side in sides:
        mine = np.flatnonzero(side.covers(weights) & (weights != 0))
        sums = sums_of(currents, side.choices)
        fits = sums == np.abs(weights[mine])[:, None]
        assert fits.any(axis=1).all()  # the currents are those of the weights
        chosen = side.choices[np.argmax(fits, axis=1)]  # choices with fewer synapses are first
        if side.choices is MASKS:
            places.append(mine)
            masks.append(chosen @ (1 << np.arange(MASK_CURRENTS)))
            continue
        for k in range(MASK_CURRENTS):
            places.append(np.repeat(mine, chosen[:, k]))
            masks.append(np.full(int(chosen[:, k].sum()), 1 << k))
    place = np.concatenate(places)
    order = np.argsort(place, kind="stable")
    return place[order], np.concatenate(masks)[order]

"""All searches for four currents whose subset sums contain given values: an exhaustive search over the masks of as many values as determine currents.

1. Four values with independent masks determine the currents. All choices of four values and of their masks are tried, up to the order of currents.
2. If the masks of all values depend on three or two of them, currents are free. These take all numbers of steps, as values of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import numpy as np

from ..core.arrays.numeric import Ints, Reals

MASK_CURRENTS = 4
DEPENDENT = {1: 7, 2: 3}
"""Most values whose masks depend on fewer than four, by the number of free currents."""
SOLVED_AT_ONCE = 2**18
"""Choices that are solved at once."""
MARGIN = 1e-6
"""Distance of a solution from an integer that is a rounding error."""


@cache
def solutions(free: int) -> Reals:
    """Returns the inverses of all independent choices of four masks; the last `free` masks select one current each. Shapes: [choices, currents, values]."""
    masks = [mask for mask in product((0, 1), repeat=MASK_CURRENTS) if any(mask)]
    units = [mask for mask in masks if sum(mask) == 1]
    found: list[tuple[tuple[int, ...], ...]] = []
    for rows in product(*[masks] * (MASK_CURRENTS - free), *[units] * free):
        columns = list(zip(*rows, strict=True))
        if columns == sorted(columns):  # one order of the currents
            found.append(rows)
    every = np.array(found, np.float64)
    inverses: Reals = np.linalg.inv(every[np.abs(np.linalg.det(every)) > 0.5])
    return inverses.astype(np.float64)


def candidates(values: Ints, free: int, largest: int) -> Iterator[Ints]:
    """Yields sets of currents such that some of the values are subset sums of the currents. Shapes: values [n], result [choices, currents]."""
    ends = np.indices([largest + 1] * free).reshape(free, (largest + 1) ** free).T
    step = max(1, SOLVED_AT_ONCE // len(ends))
    for some in combinations(values.tolist(), MASK_CURRENTS - free):
        given = np.concatenate([np.broadcast_to(some, (len(ends), len(some))), ends], axis=1).astype(np.float64)
        for first in range(0, len(solutions(free)), step):
            found = (given @ solutions(free)[first : first + step].transpose(0, 2, 1)).reshape(-1, MASK_CURRENTS)
            whole = np.rint(found)
            fits = (np.abs(found - whole) < MARGIN) & (whole >= 0) & (whole <= largest)
            yield whole[fits.all(axis=1)].astype(np.int64)


def search_currents(values: Ints, largest: int) -> Ints | None:
    """Returns four currents up to the largest whose subset sums contain all values; None if there are none.

    Shapes: values [n], different, positive and at most 15; result [4].
    """
    masks = (np.arange(2**MASK_CURRENTS)[:, None] >> np.arange(MASK_CURRENTS)) & 1
    for free in range(min(3, MASK_CURRENTS)):
        if len(values) < MASK_CURRENTS - free or len(values) > DEPENDENT.get(free, len(masks) - 1):
            continue
        for currents in candidates(values, free, largest):
            sums = currents @ masks.T
            has_all = (sums[:, :, None] == values).any(axis=1).all(axis=1)
            if has_all.any():
                return currents[np.argmax(has_all)]
    return None

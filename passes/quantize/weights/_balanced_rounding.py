"""Rounding of weights the other way, such that the squared error of each sum decreases.

A calibration observed the mean of each operand. The squared error of a sum is `MEAN_WEIGHT` times its squared mean error, plus its variance:
operands vary like the events of a Poisson process, whose variance is their mean. Weights whose error has the sign of the mean error of
their sum are rounded away from their nearest integer, first those that add the least variance for their share of it, as long as the
squared error decreases. The error of such a weight is at most 1 - `LEAST_TURNED` steps.

Whole lines of weights are computed in blocks, since each weight needs many reals. The results are those of one block, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
from attrs import frozen

from ....analysis.weight_lines import Lines
from ....core.arrays.numeric import AnyArray, Ints, Reals
from .scales._weight_scales import most_of

LEAST_TURNED = 0.25
"""The least rounding error of a weight that may be rounded the other way, in steps."""
MEAN_WEIGHT = 16.0
"""Weight of a squared mean error relative to a variance. A membrane with the decay d per tick keeps (1 + d) / (1 - d) times as much of it: 19 with 0.9."""
MOST_AT_ONCE = 2**18
"""Weights of a block."""


@frozen(eq=False)
class LineBlock:
    """The weights of some lines. Shapes: each [weights]."""

    owner: Ints
    """The line of each weight."""
    mean: Reals
    """The observed mean of its operand."""
    scale: Reals
    integers: Reals
    error: Reals
    """The rounding errors."""

    def turned(self, sums: Reals, bits: int, passed: float, *, is_unsigned: bool) -> tuple[Reals, float]:
        """Returns the integers after some are rounded the other way, and the sum of the steps of all candidates so far. `passed`: that of earlier blocks. Shapes: sums [lines]."""
        owner, mean, scale, error = self.owner, self.mean, self.scale, self.error
        integers = self.integers
        other = integers - np.sign(error)
        whole = np.where(np.isfinite(sums), sums, 0.0)[owner]
        low = 0 if is_unsigned else -most_of(bits)
        can_turn = (
            (np.sign(error) * np.sign(mean) * np.sign(whole) > 0)
            & (other >= low)
            & (other <= most_of(bits))
            & (np.abs(error) >= LEAST_TURNED * scale)
        )
        at = np.flatnonzero(can_turn)
        cost = (scale - 2 * np.abs(error))[at] / np.abs(mean)[at]
        at = at[np.lexsort((cost, owner[at]))]
        steps, lefts = np.abs(scale * mean)[at], np.abs(whole)[at]
        total = np.cumsum(np.concatenate([[passed], steps]))[1:]
        starts = np.searchsorted(owner[at], owner[at])
        reached = total - (total - steps)[starts]  # the sum up to this weight, of its line
        decrease = MEAN_WEIGHT * ((lefts - reached + steps) ** 2 - (lefts - reached) ** 2)
        is_better = decrease > (scale * (scale - 2 * np.abs(error)) * np.abs(mean))[at]
        integers[at[is_better]] = other[at[is_better]]
        return integers, float(total[-1]) if len(total) else passed


def turned_integers(
    lines: Lines,
    means: Reals,
    weights: AnyArray,
    integers: AnyArray,
    scale: Reals,
    bits: int,
    left: Callable[[Reals], Reals],
    *,
    is_unsigned: bool,
) -> AnyArray:
    """Returns the integers after some are rounded the other way. `left` returns the mean errors of sums that a bias leaves.

    Shapes: means, weights, integers and result those of the weights; scale broadcasts to them; `left` [lines].
    """
    shape = integers.shape or (1,)
    given = means.reshape(shape), weights.reshape(shape), integers.reshape(shape), scale
    sums = np.zeros(lines.count)
    for _, block in blocks_of(lines, *given):
        sums += np.bincount(block.owner, block.error * block.mean, lines.count)
    sums = left(sums)
    found, passed = np.empty(shape, np.int16), 0.0
    for some, block in blocks_of(lines, *given):
        values, passed = block.turned(sums, bits, passed, is_unsigned=is_unsigned)
        found[some] = values.reshape(found[some].shape)
    return found.reshape(integers.shape)


def blocks_of(
    lines: Lines, means: Reals, weights: AnyArray, integers: AnyArray, scale: Reals
) -> Iterator[tuple[slice, LineBlock]]:
    """Yields blocks of whole lines along the first axis; all weights where lines are not parts of it."""
    shape = weights.shape
    numbers = np.asarray(lines.spread(np.arange(lines.count)))
    is_first = numbers.ndim == len(shape) and np.array_equal(numbers.reshape(-1), np.arange(shape[0]))
    together = max(1, MOST_AT_ONCE // max(1, prod(shape[1:]))) if is_first else max(1, shape[0])
    owners, scales = np.broadcast_to(numbers, shape), np.broadcast_to(scale, shape)
    for start in range(0, shape[0], together):
        some = slice(start, start + together)
        own = integers[some].reshape(-1).astype(np.float64)
        step = scales[some].reshape(-1)
        error = own * step - weights[some].reshape(-1).astype(np.float64)
        yield some, LineBlock(owners[some].reshape(-1), means[some].reshape(-1), step, own, error)

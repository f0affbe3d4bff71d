"""Asymmetric grids of weights: a scale and a zero point that cover the range of a group, which always contains 0.

    scale = (max(w, 0) - min(w, 0)) / (2^bits - 1);   lowest = round(min(w, 0) / scale);   zero = -2^(bits-1) - lowest
    d = round(w / scale), ties to even, within lowest .. lowest + 2^bits - 1;   n = d + zero;   w' = scale d

The stored integers n use all values of their bits, and 0 is exact. The differences d, by which sums of integers are computed, have at most one bit
more. With powers of two the scale is the next one above. Weights that already lie on a grid of a power of two, or on that of an op that was
quantized before, keep this grid if its differences fit.

Source: B. Jacob et al., Quantization and Training of Neural Networks (2018), section 2.1.
"""

from __future__ import annotations

import numpy as np
from attrs import evolve

from ....core.arrays.numeric import AnyArray, Bools, Reals
from ._weight_groups import Group
from ._weight_quantizer import Rounded, loses_signals, real_weights
from .scales._weight_scales import kept_scale, merged, next_power, pairs, precise, products, spread_scale


def rounded_asymmetric(group: Group, bits: int, is_power: bool) -> list[Rounded]:
    """Returns the weights of a group of lines on a grid whose integers have a zero point."""
    values, steps = [real_weights(lines) for lines in group.lines], 2**bits - 1
    wide = [array.astype(np.float64) for array in values]
    low = merged(group, np.minimum, [lines.reduced(np.minimum, array, 0.0) for lines, array in pairs(group, wide)])
    high = merged(group, np.maximum, [lines.reduced(np.maximum, array, 0.0) for lines, array in pairs(group, wide)])
    is_used = high > low
    span = np.where(is_used, high / steps - low / steps, 1.0)
    exact = next_power(span)
    scale = exact if is_power else precise(span, values, steps)
    for kept in (exact, kept_scale(group)):
        if kept is not None:
            scale = np.where(keeps(group, wide, values, kept, low, high, steps), kept, scale)
    scale = np.where(is_used, scale, 1.0)
    lowest = np.rint(low / scale)
    found: list[Rounded] = []
    for lines, before in pairs(group, values):
        spread, least = (spread_scale(lines, group, numbers) for numbers in (scale, lowest))
        integers = np.clip(np.rint(before.astype(np.float64) / spread), least, least + steps) + 0.0
        after = products(integers, spread, before.dtype)
        if (lost := ~np.isfinite(after)).any():  # the next integer exceeds the largest number of the type
            integers[lost] -= np.sign(integers[lost])
            after = products(integers, spread, before.dtype)
        zero = (-(2.0 ** (bits - 1)) - least).astype(np.int16)
        each = Rounded(lines, before, after, integers.astype(np.int16), spread, zero)
        found.append(evolve(each, is_coarse=loses_signals(each)))
    return found


def keeps(
    group: Group, wide: list[Reals], values: list[AnyArray], scale: Reals, low: Reals, high: Reals, steps: int
) -> Bools:
    """Returns which parts of a group lie on the grid of a scale, with at most `steps` steps. Shapes: [count]."""
    parts: list[AnyArray] = []
    for (lines, array), real in zip(pairs(group, wide), values, strict=True):
        spread = spread_scale(lines, group, scale)
        is_kept = products(np.rint(array / spread), spread, real.dtype) == real
        parts.append(lines.reduced(np.logical_and, is_kept, True))
    fits = np.rint(high / scale) - np.rint(low / scale) <= steps
    return merged(group, np.logical_and, parts) & fits

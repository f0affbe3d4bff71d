"""Scales of weights: for a number of bits, for each part of a group, at most a number of different ones.

`_weight_quantizer.py` defines the grid. Shapes: weights those of their op, scales [count], one for each part of a group.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from .....analysis.weight_lines import Lines, weight_of
from .....core.arrays.elementwise import map_blocks
from .....core.arrays.numeric import AnyArray, Reals
from .....dialects.ntensor.learning.bounds import learnt_bounds
from .._weight_groups import Group
from ._scale_classes import classes_of

LARGEST_EXPONENT = int(np.finfo(np.float64).maxexp) - 1
"""Exponent of the largest power of two in f64."""
SMALLEST = np.finfo(np.float64).smallest_subnormal
OCTAVES = 6
"""Search range of a fitted scale below the largest weight, in powers of two."""
OCTAVE_STEPS = 4
"""Candidate scales in each octave."""


def most_of(bits: int) -> int:
    """Returns the largest integer of a symmetric grid."""
    return max(1, 2 ** (bits - 1) - 1)


def spread_scale(lines: Lines, group: Group, scale: Reals) -> Reals:
    """Returns a group's scales in a shape that broadcasts to the weights of one op of the group."""
    if group.count == 1:
        return scale.reshape(())
    return lines.spread(np.repeat(scale, lines.count // group.count))


def products(integers: AnyArray | np.float64, scale: Reals, dtype: np.dtype[Any]) -> AnyArray:
    with np.errstate(over="ignore", under="ignore"):
        return (integers * scale).astype(dtype)


def merged(group: Group, ufunc: np.ufunc, parts: list[AnyArray]) -> AnyArray:
    """Reduces numbers per line of several ops to numbers per scale of the group."""
    folded = [ufunc.reduce(part.reshape(group.count, -1), axis=1) for part in parts]
    return np.asarray(ufunc.reduce(folded, axis=0))


def scales(
    group: Group,
    values: list[AnyArray],
    bits: int,
    is_power: bool,
    clip: float,
    is_fitted: bool,
    classes: int | None,
) -> Reals:
    """Returns the scale of each part of a group. Shapes: [count]."""
    reach = merged(
        group, np.maximum, [np.maximum(largest_sizes(n, a), learnt_size(n)) for n, a in pairs(group, values)]
    )
    has_sizes = bits == 1 or clip < 100 or is_fitted
    sizes = [map_blocks(np.abs, np.float64, array) for array in values] if has_sizes else []
    if bits == 1:
        found = of_signs(group, values, sizes, reach, is_power)
        return found if classes is None else mean_in_classes(group, values, found, is_power, classes)
    exact = next_power(reach / most_of(bits))
    found = exact
    wanted = reach if clip >= 100 else clipped(group, sizes, reach, clip)
    if not is_power:
        found = precise(wanted / most_of(bits), values, most_of(bits))
    else:
        found = next_power(wanted / most_of(bits))
        half = found / 2
        found = capped(np.where((half > 0) & (wanted <= (most_of(bits) + 0.5) * half), half, found), values)
    if is_fitted:
        found = fitted(group, values, sizes, reach, found, bits, is_power)
    covering = found
    stored = kept_scale(group)
    for scale in (exact, stored):  # the stored scale wins
        if scale is not None:
            found = np.where(keeps(group, values, scale, bits), scale, found)
    found = np.where(reach > 0, found, 1.0 if stored is None else stored)
    return found if classes is None else in_classes(group, values, found, covering, reach, bits, classes)


def largest_sizes(lines: Lines, values: AnyArray) -> Reals:
    """Returns the size of the largest weight of each line, without an array of all sizes. Shapes: [lines]."""
    highest, lowest = lines.reduced(np.maximum, values, 0.0), lines.reduced(np.minimum, values, 0.0)
    return np.maximum(highest, -lowest).astype(np.float64)


def learnt_size(lines: Lines) -> float:
    """Returns the size of the largest weight that the learning rule of an op permits; 0 without a rule."""
    ends = learnt_bounds(lines.op)
    return 0.0 if ends is None else max((abs(end) for end in ends if np.isfinite(end)), default=0.0)


def in_classes(
    group: Group, values: list[AnyArray], own: Reals, covering: Reals, reach: Reals, bits: int, classes: int
) -> Reals:
    """Returns scales with at most `classes` different values: `own` if it has few enough. Lines of zeros get the least scale. Shapes: [count]."""
    if len(np.unique(own)) <= classes:
        return own
    is_used = reach > 0
    if len(np.unique(own[is_used])) <= classes:
        return np.where(is_used, own, own[is_used].min())
    parts = [n.reduced(np.add, (array != 0).astype(np.float64), 0.0) for n, array in pairs(group, values)]
    label = np.zeros(group.count, np.int64)  # that of zeros, too
    label[is_used] = classes_of(covering[is_used], merged(group, np.add, parts)[is_used], classes)
    made, most = np.zeros((2, classes))
    np.maximum.at(made, label[is_used], covering[is_used])
    np.maximum.at(most, label[is_used], reach[is_used])
    exact = next_power(most / most_of(bits))
    is_kept = np.ones(classes, np.bool_)
    np.logical_and.at(is_kept, label, keeps(group, values, exact[label], bits))
    return np.where(is_kept, exact, made)[label]


def mean_in_classes(group: Group, values: list[AnyArray], own: Reals, is_power: bool, classes: int) -> Reals:
    """Returns scales of sign weights with at most `classes` different values: `own` if it has few enough, else the class means. Shapes: [count]."""
    if len(np.unique(own)) <= classes:
        return own
    count, unit = merged(group, np.add, [n.sizes for n in group.lines]).astype(np.float64), own.max()
    label = classes_of(own, count, classes, is_mean=True)
    mean = np.bincount(label, count * (own / unit)) / np.bincount(label, count) * unit
    return precise(nearest_power(mean, values) if is_power else mean, values, 1)[label]


def pairs(group: Group, arrays: list[AnyArray]) -> list[tuple[Lines, AnyArray]]:
    return list(zip(group.lines, arrays, strict=True))


def next_power(size: Reals) -> Reals:
    """Returns the smallest power of two that is not below each number, of zero the smallest number there is."""
    mantissa, exponent = np.frexp(size)
    power = np.ldexp(1.0, np.minimum(np.where(mantissa == 0.5, exponent - 1, exponent), LARGEST_EXPONENT))
    return np.maximum(power, SMALLEST)


def capped(power: Reals, values: list[AnyArray]) -> Reals:
    """Limits powers of two to the type of the weights."""
    return np.minimum(power, min(np.ldexp(1.0, int(np.finfo(array.dtype).maxexp) - 1) for array in values))


def precise(scale: Reals, values: list[AnyArray], most: int) -> Reals:
    """Rounds scales to a precision such that each product with an integer is finite and rounded once."""
    dtype = np.dtype(np.float32 if all(array.dtype.itemsize <= 4 for array in values) else np.float64)
    narrow = scale.astype(dtype)
    narrowest = min((array.dtype for array in values), key=lambda of: of.itemsize)
    is_beyond = ~np.isfinite(products(np.float64(most), narrow.astype(np.float64), narrowest))
    narrow = np.where(is_beyond, np.nextafter(narrow, dtype.type(0)), narrow)
    return np.maximum(narrow, np.finfo(dtype).smallest_subnormal).astype(np.float64)


def clipped(group: Group, sizes: list[AnyArray], reach: Reals, clip: float) -> Reals:
    """Returns the size that the given percentage of the weights other than zero does not exceed, for each part of a group."""
    owners = [
        np.broadcast_to(spread_scale(n, group, np.arange(group.count, dtype=np.float64)), a.shape)
        for n, a in pairs(group, sizes)
    ]
    owner, size = np.concatenate([a.reshape(-1) for a in owners]), np.concatenate([a.reshape(-1) for a in sizes])
    owner, size = owner[size > 0].astype(np.int64), size[size > 0]
    order = np.lexsort((size, owner))
    owner, size = owner[order], size[order]
    counts = np.bincount(owner, minlength=group.count)
    first = np.cumsum(counts) - counts
    at = first + np.maximum(0, np.ceil(counts * (clip / 100)).astype(np.int64) - 1)
    found = reach.copy()
    found[counts > 0] = size[at[counts > 0]]
    return found


def fitted(
    group: Group, values: list[AnyArray], sizes: list[AnyArray], reach: Reals, largest: Reals, bits: int, is_power: bool
) -> Reals:
    """Returns the candidate scales, from the largest down, with the least squared error of each part of a group."""
    unit = np.where(reach > 0, reach, 1.0)
    shares = [(n, a / spread_scale(n, group, unit)) for n, a in pairs(group, sizes)]
    found, least = largest, np.full(group.count, np.inf)
    for k in range(OCTAVES + 1 if is_power else OCTAVES * OCTAVE_STEPS + 1):
        scale = largest / 2 ** (k if is_power else k / OCTAVE_STEPS)
        scale = np.maximum(scale, SMALLEST) if is_power else precise(scale, values, most_of(bits))
        parts: list[AnyArray] = []
        for lines, share in shares:
            step = spread_scale(lines, group, np.maximum(scale / unit, SMALLEST))
            with np.errstate(over="ignore"):
                error = share - np.minimum(np.rint(share / step), most_of(bits)) * step
            parts.append(lines.reduced(np.add, error * error, 0.0))
        error = merged(group, np.add, parts)
        found, least = np.where(error < least, scale, found), np.minimum(error, least)
    return found


def of_signs(group: Group, values: list[AnyArray], sizes: list[AnyArray], reach: Reals, is_power: bool) -> Reals:
    """Returns the mean size of the weights of each part, or the power of two that is nearest to it."""
    unit = np.where(reach > 0, reach, 1.0)
    shares = [a / spread_scale(n, group, unit) for n, a in pairs(group, sizes)]
    sums = merged(group, np.add, [n.reduced(np.add, a, 0.0) for n, a in pairs(group, shares)])
    count = merged(group, np.add, [n.sizes for n in group.lines])
    least = merged(group, np.minimum, [n.reduced(np.minimum, a, np.inf) for n, a in pairs(group, sizes)])
    mean = np.where(least == reach, reach, reach * (sums / np.maximum(count, 1)))
    if is_power:
        mean = nearest_power(mean, values)
    tiny = np.float64(max(np.finfo(array.dtype).tiny for array in values))
    return np.maximum(precise(mean, values, 1), tiny)  # zeros have no sign: the smallest number changes nothing


def nearest_power(size: Reals, values: list[AnyArray]) -> Reals:
    """Returns the power of two that is nearest to each number, in the type of the weights."""
    above = next_power(size)
    return capped(np.where(above - size > size - above / 2, above / 2, above), values)


def kept_scale(group: Group) -> Reals | None:
    """Returns the scales that all ops of a group have already, where they agree."""
    low: list[AnyArray] = []
    high: list[AnyArray] = []
    for lines, factor in zip(group.lines, group.factors or [1.0] * len(group.lines), strict=True):
        quantized = lines.op.quantized_weights
        if quantized is None:
            return None
        scale = np.broadcast_to(quantized.scale.values.astype(np.float64) * factor, weight_of(lines.op).shape)
        low.append(lines.reduced(np.minimum, scale, np.inf))
        high.append(lines.reduced(np.maximum, scale, 0.0))
    least, largest = merged(group, np.minimum, low), merged(group, np.maximum, high)
    return np.where((least == largest) & np.isfinite(least) & (least > 0), least, 1.0)


def keeps(group: Group, values: list[AnyArray], scale: Reals, bits: int) -> AnyArray:
    """Returns whether each part of a group is on the grid of its scale already. Shapes: [count]."""
    found: list[AnyArray] = []
    most = most_of(bits)
    for lines, array in pairs(group, values):
        is_kept = map_blocks(partial(is_on_grid, most), np.bool_, array, spread_scale(lines, group, scale))
        found.append(lines.reduced(np.logical_and, is_kept, True))
    return merged(group, np.logical_and, found)


def is_on_grid(most: int, values: AnyArray, scale: Reals) -> AnyArray:
    """Returns whether values are products of a scale and integers up to `most`. Shapes: that of the values, to which the scale broadcasts."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        integers = np.rint(values.astype(np.float64) / scale)
        return (np.abs(integers) <= most) & (products(integers, scale, values.dtype) == values)

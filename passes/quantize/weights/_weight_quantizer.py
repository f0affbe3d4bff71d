"""Quantizer of weights: the scale for a number of bits, the nearest integers, and the errors.

    n = round(w / scale), ties to even, within -(2^(bits-1) - 1) .. 2^(bits-1) - 1;   w' = scale n, rounded once to the type of the result

One bit is the sign: n is -1 or +1, also of a weight 0, and the scale is the mean of |w|, which makes the squared error least.

The scale of a group of weights is max |w| / (2^(bits-1) - 1), or the next power of two above it. A fitted scale is the candidate
at or below it with the least squared error, so the largest weights may saturate. If the group lies on a grid of a power of two that
the bits hold, that grid is used and no weight is rounded. The same holds for the scale that is stored on an already
quantized op. With `classes` the scales of a group become at most that many different ones (`_scale_classes.py`); a class whose weights all lie on
a grid of a power of two uses that grid. An unsigned grid of n bits is that of n + 1 bits for the weights above 0; the others become 0. A scale has the type of the result, so that a product of that type is `scale n`, rounded once; a group of zeros keeps
its scale, or has the scale 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from attrs import evolve, frozen

from ....analysis.calibration_records import weight_means
from ....analysis.weight_lines import Lines, rows, weight_of
from ....core.arrays.arrays import ArrayAttr, dtype_of, uniform
from ....core.arrays.elementwise import map_blocks, sum_blocks
from ....core.arrays.numeric import AnyArray, Reals
from ....core.arrays.values import RuleArray
from ....core.ir.operation import element_type
from ....dialects import ntensor
from ._balanced_rounding import turned_integers
from ._weight_groups import Group
from .scales._weight_scales import keeps, most_of, next_power, precise, products, scales, spread_scale

MOST_LOST = 0.3
"""The largest share of the variance of sums that rounding errors take where mean errors are cancelled."""


def real_type(lines: Lines) -> np.dtype[Any]:
    """Returns the type in which an op computes, that of its result."""
    dtype = dtype_of(element_type(lines.op.y))
    assert dtype is not None  # is_weighted
    return np.dtype(dtype)


def real_weights(lines: Lines) -> AnyArray:
    """Returns the weights as they are computed with."""
    return lines.op.weight_values().values.astype(real_type(lines), copy=False)


def compact_weights(lines: Lines, real: AnyArray) -> AnyArray:
    """Returns the weights as they are stored, if that type holds the numbers `real` that they are computed with."""
    given = lines.op.weight_values().values
    return given if given.dtype.kind == "f" and np.can_cast(given.dtype, real.dtype, "safe") else real


@frozen(eq=False)
class Rounded:
    """The weights of one op on their grid. `before` and `after` make new arrays, as the reals of large ops need much memory."""

    lines: Lines
    _before: AnyArray
    """The weights in a type that holds them."""
    _after: AnyArray | None
    """None: the products of the integers and their scale."""
    integers: AnyArray
    """int16, in the shape of the weights, without the zero point."""
    scale: Reals
    """Broadcasts to the weights."""
    zero: AnyArray | None = None
    """int16, broadcasts to the weights; None: the grid is symmetric."""
    is_coarse: bool = False
    """Whether the nearest integers lose the signals of sums, as in `loses_signals`."""
    bias: AnyArray | None = None
    """The bias that the op gets, in the shape of its bias; None: it stays."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type in which the op computes."""
        return real_type(self.lines)

    @property
    def compact(self) -> AnyArray:
        """The weights before, in a type that holds them."""
        return self._before

    @property
    def before(self) -> AnyArray:
        return self._before.astype(self.dtype, copy=False)

    @property
    def after(self) -> AnyArray:
        return self.compared(lambda _, after: after, self.dtype) if self._after is None else self._after

    @property
    def errors(self) -> Reals:
        return self.compared(rounding_difference, np.float64)

    @property
    def is_exact(self) -> bool:
        return bool(self.compared(lambda before, after: before == after, np.bool_).all())

    def compared(self, function: Callable[[AnyArray, AnyArray], AnyArray], dtype: Any) -> AnyArray:
        """Returns an elementwise function of the weights before and after, computed in blocks."""
        if self._after is not None:
            return map_blocks(function, dtype, self._before, self._after)
        real = self.dtype

        def compute(integers: AnyArray, scale: AnyArray, before: AnyArray) -> AnyArray:
            return function(before, products(integers, scale, real))

        return map_blocks(compute, dtype, self.integers, self.scale, self._before)


def rounding_difference(one: AnyArray, other: AnyArray) -> Reals:
    """Returns the distance of reals in f64."""
    return np.abs(other.astype(np.float64) - one.astype(np.float64))


def rounded(
    group: Group,
    bits: int,
    is_power: bool,
    clip: float = 100.0,
    is_fitted: bool = False,
    classes: int | None = None,
    *,
    is_unsigned: bool = False,
    least: Reals | None = None,
    balance: Literal["none", "sums", "biases"] = "none",
) -> list[Rounded]:
    """Returns the weights of a group, rounded to a grid of `bits` signed bits with at most `classes` different scales.

    `is_unsigned`: weights below 0 become 0. `least`: the smallest scale of each part of the group. `balance`: as in `balanced`.
    """
    if least is not None:
        group = evolve(group, factors=())  # `_state_bounds.py` knows none
    before = effects(group)
    values = [np.maximum(array, 0) for array in before] if is_unsigned else before
    scale = scales(group, values, bits, is_power, clip, is_fitted, classes)
    if least is not None:
        power = next_power(least)
        wider = np.where(is_power | keeps(group, values, power, bits), power, precise(least, values, most_of(bits)))
        scale = np.where(scale >= least, scale, np.maximum(wider, least))
    found = [on_grid(lines, group, array, scale, bits) for lines, array in zip(group.lines, values, strict=True)]
    found = [evolve(each, is_coarse=loses_signals(each)) for each in found]
    if balance != "none" and bits > 1:
        found = [balanced(each, bits, is_unsigned=is_unsigned, with_bias=balance == "biases") for each in found]
    if not group.factors:
        before = [compact_weights(*pair) for pair in zip(group.lines, before, strict=True)]
    return as_weights(group, [evolve(each, before=array) for each, array in zip(found, before, strict=True)])


def effects(group: Group) -> list[AnyArray]:
    """Returns the effect of each weight on the sum where the ops of a group meet."""
    weights = [real_weights(lines) for lines in group.lines]
    return (
        [array * array.dtype.type(f) for array, f in zip(weights, group.factors, strict=True)]
        if group.factors
        else weights
    )


def as_weights(group: Group, found: list[Rounded]) -> list[Rounded]:
    """Returns the weights that correspond to rounded effects on a sum: the effects divided by the group's factors."""
    if not group.factors:
        return found
    return [
        evolve(
            each, scale=each.scale / f, **{name: getattr(each, name) / np.float32(f) for name in ("before", "after")}
        )
        for each, f in zip(found, group.factors, strict=True)
    ]


def on_grid(lines: Lines, group: Group, values: AnyArray, scale: Reals, bits: int) -> Rounded:
    spread = spread_scale(lines, group, scale)

    def nearest(some: AnyArray, step: AnyArray) -> AnyArray:
        return round_weights(some.astype(np.float64), step, bits)

    def is_finite(some: AnyArray, step: AnyArray) -> AnyArray:
        return np.isfinite(products(some, step, values.dtype))

    integers = map_blocks(nearest, np.int16, values, spread)
    if (lost := ~map_blocks(is_finite, np.bool_, integers, spread)).any():
        integers = integers - np.where(
            lost, np.sign(integers), np.int16(0)
        )  # it exceeds the largest number of the type
    return Rounded(lines, values, None, integers, spread)


def balanced(found: Rounded, bits: int, *, is_unsigned: bool = False, with_bias: bool = False) -> Rounded:
    """Returns weights some of which are rounded the other way, such that the squared error of each sum decreases.

    `_balanced_rounding.py` describes which. `with_bias`: a bias on the grid of the weights
    absorbs whole steps of the mean error. A sum whose mean error is beyond the range of reals keeps the nearest integers, and so do the
    weights of an op that loses its signals (`loses_signals`).
    """
    if found.is_coarse:
        return found
    with np.errstate(over="ignore", invalid="ignore"):
        return turned(found, bits, is_unsigned=is_unsigned, with_bias=with_bias)


def loses_signals(found: Rounded) -> bool:
    """Returns whether rounding errors take more than `MOST_LOST` of the variance of the sums of an op, for the observed means of its operands.

    Such sums vary less than before, so a neuron reaches its threshold less often: with the right mean it is silent. Without means: False.
    """
    means = weight_means(found.lines.op)
    if means is None:
        return False
    before = found.before
    size = float(max(before.max(initial=0.0), -before.min(initial=0.0)))
    if not 0 < size < np.inf:
        return False

    def power(numbers: AnyArray, means: AnyArray) -> AnyArray:  # no square is beyond the range of reals
        return (numbers.astype(np.float64) / size) ** 2 * np.abs(means)

    def error_power(before: AnyArray, integers: AnyArray, scale: AnyArray, means: AnyArray) -> AnyArray:
        return power(rounding_difference(before, products(integers, scale, found.dtype)), means)

    with np.errstate(over="ignore", invalid="ignore"):
        whole = sum_blocks(power, before, means)
        lost = sum_blocks(error_power, before, found.integers, found.scale, means)
    return bool(np.isfinite(whole) and lost > MOST_LOST * whole)


def turned(found: Rounded, bits: int, *, is_unsigned: bool, with_bias: bool) -> Rounded:
    lines, means = rows(found.lines.op), weight_means(found.lines.op)
    if means is None or not means.size or not np.isfinite(means).all():
        return found

    def left(sums: Reals) -> Reals:
        return after_bias(found, sums) if with_bias else sums

    numbers = means, found.before, found.integers, found.scale
    return evolve(found, integers=turned_integers(lines, *numbers, bits, left, is_unsigned=is_unsigned), after=None)


def after_bias(found: Rounded, sums: Reals) -> Reals:
    """Returns the mean errors of sums that are left after `ntensor-quantize-bias`, whose bias absorbs them as far as its grid permits."""
    op = found.lines.op
    bias, unit = op.optional_array("bias"), op.output_numbers(found.scale)
    if bias is None or unit is None:
        return sums
    unit = np.where(np.isnan(unit), 1.0, unit)
    wanted = bias.values.astype(np.float64) - sums.reshape(bias.shape)
    return np.broadcast_to(np.rint(wanted / unit) * unit - wanted, bias.shape).reshape(-1)


def round_weights(values: Reals, scale: Reals, bits: int) -> Reals:
    if bits == 1:
        return np.where(values < 0, -1.0, 1.0)
    most = most_of(bits)
    with np.errstate(over="ignore"):
        return np.clip(np.rint(values / scale), -most, most) + 0.0  # no weight becomes -0


def measured(errors: Sequence[Reals]) -> tuple[float, float]:
    """Returns the maximum and the mean of all errors. At least one error is required."""
    largest, count = max(float(each.max(initial=0)) for each in errors), sum(each.size for each in errors)
    with np.errstate(over="ignore"):
        total = float(sum(each.sum() for each in errors))
    if np.isfinite(total):
        return largest, total / count
    return largest, float(sum((each / largest).sum() for each in errors)) / count * largest  # sums beyond f64


def quantized(found: Rounded, bits: int) -> ntensor.QuantizedAttr:
    """Returns the new `quantized` attribute of an op."""
    zero = None if found.zero is None else np.array(found.zero, stored_dtype(bits), order="C")
    return ntensor.QuantizedAttr.of(bits, np.array(found.scale, np.float64, order="C"), zero)


def stored_dtype(bits: int) -> np.dtype[Any]:
    """Returns the type of stored weights."""
    return np.dtype(np.int8 if bits <= 8 else np.int16)


def stored(found: Rounded, bits: int) -> ArrayAttr:
    """Returns the integer weights of an op. Constant weights that were stored as a rule are stored as a rule again."""
    dtype, before = stored_dtype(bits), weight_of(found.lines.op).data
    integers = (found.integers if found.zero is None else found.integers + found.zero).astype(dtype)
    if isinstance(before, RuleArray) and not uniform(integers).ndim:
        return ArrayAttr.by("constant", before.shape, dtype, value=int(uniform(integers)))
    return ArrayAttr.of(integers)

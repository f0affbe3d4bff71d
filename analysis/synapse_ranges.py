"""Ranges of single synapses: which integers the sums of an op can be, for operands in given intervals.

    low = sum of w > 0 times the lowest operand + sum of w < 0 times the highest one, high likewise

A synapse without an event adds nothing, so every operand may also be 0. A partial sum therefore stays within the bounds of the whole sum,
in whatever order it is made. A weight that changes has every value from w_min to w_max of its rule.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import AnyArray
from ..core.arrays.sums import SAFE, magnitude
from ..core.fixed_point import Interval
from ..dialects.ntensor import SumOp, SynapseOpInterface
from ..dialects.ntensor.learning.bounds import has_integer_rule, learnt_bounds, transmitted_interval

ZERO = Interval(0, 0)


@frozen
class SumRange:
    """Ranges of the sums of an op."""

    result: Interval
    """Range of the results and 0."""
    partial: Interval
    """Range that also includes partial sums, and the sum before its bias and its exponent."""


def add_weights(op: Operation, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
    """Returns the sums of positive and of negated negative weights that reach each result; None for an op without sums.

    `weight` takes the place of the op's own. Weights that change count with the least and the greatest value that their rule permits.
    Shapes: results [.., o] of linear, [c'] of conv, that of scale, () of a pool, else y.
    """
    if not isinstance(op, SynapseOpInterface):
        return None
    if op.learning_rule is None or op.weights is None:
        return op.add_weights(weight)
    low, high = learnt_ends(op, op.weights.values if weight is None else weight)
    least, greatest = op.add_weights(low), op.add_weights(high)
    assert least is not None  # an op with weights that change adds them
    assert greatest is not None
    return greatest[0], least[1]


def learnt_ends(op: SynapseOpInterface, weight: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Returns the least and the greatest stored value of each weight, including the bounds of a learning rule, or of what a spike transmits instead. Shapes: those of the weights."""
    if (sent := transmitted_interval(op)) is not None:
        return np.full(weight.shape, sent.low, np.int64), np.full(weight.shape, sent.high, np.int64)
    if (ends := learnt_bounds(op)) is None:
        return weight, weight
    quantized = None if has_integer_rule(op) else op.quantized_weights
    scale = np.ones(()) if quantized is None else quantized.scale.values
    low, high = ends[0] / scale, ends[1] / scale
    if weight.dtype.kind != "f":
        low, high = (np.clip(end, -SAFE, SAFE) for end in (np.floor(low), np.ceil(high)))
        low, high = low.astype(np.int64), high.astype(np.int64)
    return np.minimum(weight, low), np.maximum(weight, high)


def bound_sums(positive: AnyArray, negative: AnyArray, x: Interval) -> tuple[AnyArray, AnyArray]:
    """Returns the lowest and the highest sum of each result, from its sums of positive and of negative weights; an operand is in `x` or 0."""
    x = x.join(ZERO)
    if (magnitude(positive) + magnitude(negative)) * max(1, x.magnitude) >= SAFE:
        positive, negative = positive.astype(object), negative.astype(object)
    return (np.asarray(positive * x.low - negative * x.high), np.asarray(positive * x.high - negative * x.low))


def add_affine(
    low: AnyArray, high: AnyArray, bias: AnyArray | None = None, exponent: AnyArray | None = None
) -> SumRange:
    """Returns the range of `(sum + bias) 2^exponent`, for sums between `low` and `high`."""
    partial = hull(low, high)
    if bias is not None:
        added = bias.astype(np.int64).reshape(low.shape)
        wide = object if max(partial.magnitude, magnitude(added)) >= SAFE else low.dtype
        low, high = low.astype(wide) + added, high.astype(wide) + added
        partial = partial.join(hull(low, high))
    result = hull(low, high)
    if exponent is not None and exponent.any():
        powers = exponent.astype(np.int64)
        if result.magnitude << max(0, int(powers.max(initial=0))) >= SAFE:
            low, high, powers = low.astype(object), high.astype(object), powers.astype(object)
        low, high = ((end << np.maximum(powers, 0)) >> np.maximum(-powers, 0) for end in (low, high))
        result = hull(np.asarray(low), np.asarray(high))
        ups = Interval(0, max(0, int(powers.max(initial=0))))
        partial = partial.join(result).join(partial.shl(ups) if ups.high else result)
    return SumRange(result, partial.join(result))


def hull(low: AnyArray, high: AnyArray) -> Interval:
    """Returns the interval from the lowest of `low`, or 0, to the highest of `high`, or 0."""
    return Interval(min(0, int(low.min())), max(0, int(high.max()))) if low.size else ZERO


def range_of_sums(
    op: Operation, xs: Sequence[Interval], sums: tuple[AnyArray, AnyArray] | None = None, *, has_bias: bool = True
) -> SumRange | None:
    """Returns the integer range of the sums of an op for operands in the intervals `xs`; None for an op that adds nothing.

    `sums` are those of `add_weights`, where they are known already. Without `has_bias` the bias counts as zero.
    """
    if isinstance(op, SumOp):
        total = Interval(sum(x.join(ZERO).low for x in xs), sum(x.join(ZERO).high for x in xs))
        return SumRange(total, total)
    sums = add_weights(op) if sums is None else sums
    if sums is None:
        return None
    given = (op.properties.get(name) for name in ("bias", "exponent"))
    bias, exponent = (array.values if isinstance(array, ArrayAttr) else None for array in given)
    return add_affine(*bound_sums(*sums, xs[0]), bias if has_bias else None, exponent)

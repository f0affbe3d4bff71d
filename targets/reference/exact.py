"""Exact integer sums: no intermediate overflow of 64 bits is undetected, and every sum fits the type of its result.

If the types of operand and weights exclude an overflow, a kernel runs in int64. Otherwise the input is examined. If it could cause an
overflow, it is split into limbs of few bits that are summed separately, because a synapse is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from ...analysis.synapse_ranges import add_weights, range_of_sums
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.arrays.sums import SAFE, magnitude
from ...core.diagnostics import Code, refuse_op
from ...core.fixed_point import Interval
from ...core.ir.operation import element_type
from ...dialects.ntensor import interval_of

SIM022 = Code("SIM022", "sum-exceeds-integer-type", "a sum leaves its integer type")


def integers(array: ArrayAttr | None, axes: int = 0) -> AnyArray | None:
    """Returns the integers of a bias or exponent, with `axes` trailing axes for broadcasting."""
    if array is None:
        return None
    values = array.values.astype(np.int64)
    return values.reshape(*values.shape, *(1,) * axes) if values.ndim else values


def shift_sum(y: AnyArray, exponent: AnyArray | None) -> AnyArray:
    """Returns `y 2^exponent`, rounded down; on int64 without overflow, or on unbounded integers."""
    if exponent is None or not exponent.any():
        return y
    up, down = np.maximum(exponent, 0), np.maximum(-exponent, 0)
    if y.dtype == object:
        up, down = up.astype(object), down.astype(object)
    return (y << up) >> down


class Exact:
    """An integer synapse: its linear kernel without a bias, then bias and exponent.

    Only the types of the operands decide which sums need no check; the check does not rely on the ranges of an analysis.
    Errors: SIM022 a sum that leaves the type of the result.
    """

    def __init__(
        self,
        op: Operation,
        kernel: Callable[..., AnyArray],
        bias: AnyArray | None = None,
        exponent: AnyArray | None = None,
    ):
        given, held = interval_of(element_type(op.operands[0])), interval_of(element_type(op.results[0]))
        assert given is not None  # verified: integers hold the operand
        assert held is not None
        weights = add_weights(op)
        reach = range_of_sums(op, [given], weights)
        assert weights is not None  # a synapse op
        assert reach is not None
        self.op, self.kernel, self.bias, self.exponent, self.held = op, kernel, bias, exponent, held
        self.reach = reach.result
        self.gain = sum(map(magnitude, weights))
        self.added = 0 if bias is None else magnitude(bias)
        self.up = 0 if exponent is None else max(0, int(exponent.max(initial=0)))
        if self.gain >= SAFE // 2:
            refuse_op(
                op,
                SIM022,
                "the weights of one neuron add up to more than 61 bits",
                expected=f"below {SAFE // 2}",
                found=str(self.gain),
                help="make weights narrower",
            )
        self.is_safe = self.fits(max(-given.low, given.high))

    def fits(self, most: int) -> bool:
        """Returns whether no sum overflows for inputs up to this magnitude."""
        return self.gain * most + self.added << self.up < SAFE

    def __call__(self, x: AnyArray, *rest: Any) -> AnyArray:
        if self.is_safe or self.fits(magnitude(x)):
            y = self.kernel(x, *rest)
            if self.bias is not None:
                y = y + self.bias
            y = shift_sum(y, self.exponent)
        else:
            y = self.in_limbs(x, *rest)
        return within(self.op, y, self.held, self.reach)

    def in_limbs(self, x: AnyArray, *rest: Any) -> AnyArray:
        bits = (SAFE - 1).bit_length() - max(1, self.gain.bit_length())
        y, x = np.asarray(0, object), x.astype(np.int64)
        for low in range(0, 64, bits):
            limb = x >> low if low + bits >= 64 else (x >> low) & ((1 << bits) - 1)
            y = y + (self.kernel(limb, *rest).astype(object) << low)
        if self.bias is not None:
            y = y + self.bias.astype(object)
        return shift_sum(y, self.exponent)


def total(op: Operation) -> Callable[..., AnyArray]:
    """Returns the sum of operands, from left to right. Errors: SIM022 as `Exact`."""
    held = interval_of(element_type(op.results[0]))
    given = [interval for x in op.operands if (interval := interval_of(element_type(x))) is not None]
    assert held is not None  # verified: integers hold the operands
    reach = sum(given, Interval(0, 0))
    is_safe = reach.fits

    def added(*xs: AnyArray) -> AnyArray:
        wide = np.dtype(np.int64) if is_safe or sum(map(magnitude, xs)) < SAFE else np.dtype(object)
        y = xs[0].astype(np.int64).astype(wide)
        for x in xs[1:]:
            y = y + x.astype(np.int64).astype(wide, copy=False)
        return within(op, y, held, reach)

    return added


def within(op: Operation, y: AnyArray, held: Interval, reach: Interval) -> AnyArray:
    """Returns integers that their type holds, in int64."""
    if held.holds(reach) or not y.size:
        return y.astype(np.int64, copy=False)
    low, high = int(y.min()), int(y.max())
    if not held.holds(Interval(low, high)):
        found = low if low < held.low else high
        element = element_type(op.results[0])
        enough = (reach if reach.fits else Interval(low, high)).signed_bits
        refuse_op(
            op,
            SIM022,
            f"a sum leaves {element}",
            expected=str(held),
            found=f"{found}; all sums lie in {reach}",
            help=f"give the result {IntegerType(enough)}" if enough <= 64 else "make weights narrower",
        )
    return y.astype(np.int64, copy=False)

"""Integer arithmetic of fixed width: intervals of values, and operations on NumPy arrays.

The only place where rounding, saturation, wrapping and shifting of integers is defined. An `Interval` is the type of an integer:
every operation returns the smallest interval with all of its results, computed with Python's unbounded integers. Because a
value never leaves its interval and no interval leaves 64 signed bits, the array functions compute in int64 without overflow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.utils.str_enum import StrEnum

LOWEST = -(2**63)
HIGHEST = 2**63 - 1
LONGEST_SHIFT = 63
EXACT_IN_F64 = 2**53
"""Largest magnitude up to which all integers are exact in f64."""

Integers = NDArray[np.int64]


class Rounding(StrEnum):
    """Rounding of a quotient or a real to an integer."""

    FLOOR = "floor"
    """Toward minus infinity."""
    CEIL = "ceil"
    """Toward plus infinity."""
    TRUNCATE = "truncate"
    """Toward zero."""
    ROUND = "round"
    """To the nearest integer, halves to the even one."""


@frozen
class Interval:
    """Interval of the integers from `low` to `high`, both included."""

    low: int
    high: int

    @staticmethod
    def hull(values: Iterable[int]) -> Interval:
        """Returns the smallest interval with all of `values`."""
        held = list(values)
        return Interval(min(held), max(held))

    @staticmethod
    def unsigned(bits: int) -> Interval:
        return Interval(0, 2**bits - 1)

    @staticmethod
    def signed(bits: int) -> Interval:
        return Interval(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    @property
    def fits(self) -> bool:
        """Returns whether the interval fits into 64 signed bits."""
        return LOWEST <= self.low <= self.high <= HIGHEST

    @property
    def size(self) -> int:
        return self.high - self.low + 1

    @property
    def signed_bits(self) -> int:
        """Returns the number of signed bits for the interval."""
        return 1 + max(max(0, self.high).bit_length(), (~min(-1, self.low)).bit_length())

    @property
    def magnitude(self) -> int:
        """Returns the largest magnitude in the interval."""
        return max(abs(self.low), abs(self.high))

    def holds(self, other: Interval | int) -> bool:
        if isinstance(other, int):
            return self.low <= other <= self.high
        return self.low <= other.low and other.high <= self.high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        return self.corners(other, lambda a, b: a * b)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __abs__(self) -> Interval:
        ends = abs(self.low), abs(self.high)
        return Interval(0 if self.holds(0) else min(ends), max(ends))

    @property
    def sign(self) -> Interval:
        return Interval((self.low > 0) - (self.low < 0), (self.high > 0) - (self.high < 0))

    def minimum(self, other: Interval) -> Interval:
        return Interval(min(self.low, other.low), min(self.high, other.high))

    def maximum(self, other: Interval) -> Interval:
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def clamp(self, into: Interval) -> Interval:
        """Returns the interval clamped into another one: each value is replaced by the nearest value of `into`."""
        return Interval(min(max(self.low, into.low), into.high), min(max(self.high, into.low), into.high))

    def join(self, other: Interval) -> Interval:
        """Returns the smallest interval with both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))

    def shl(self, amount: Interval) -> Interval:
        """Returns `self << amount`; the amount is in 0..63."""
        return self.corners(amount, lambda a, s: a << s)

    def shr(self, amount: Interval) -> Interval:
        """Returns `floor(self / 2^amount)`; the amount is in 0..63."""
        return self.corners(amount, lambda a, s: a >> s)

    def divide(self, other: Interval, rounding: Rounding) -> Interval:
        """Returns the rounded quotient; `other` does not contain 0. A quotient is monotonic in each operand, so the corners bound it."""
        return self.corners(other, lambda a, b: quotient(a, b, rounding))

    def corners(self, other: Interval, function: Callable[[int, int], int]) -> Interval:
        ends = product((self.low, self.high), (other.low, other.high))
        return Interval.hull(function(a, b) for a, b in ends)


def quotient(a: int, b: int, rounding: Rounding) -> int:
    """Returns `a / b`, rounded, for Python's integers."""
    floor, rest = divmod(a, b)
    match rounding:
        case Rounding.FLOOR:
            return floor
        case Rounding.CEIL:
            return floor + (rest != 0)
        case Rounding.TRUNCATE:
            return floor + (rest != 0 and floor < 0)
        case Rounding.ROUND:
            below, above = abs(rest), abs(b - rest)
            return floor + (below > above or (below == above and floor % 2 != 0))


def wrap_value(x: int, into: Interval) -> int:
    """Wraps a Python integer into an interval: returns the value of `into` that equals `x` modulo the size of `into`."""
    return (x - into.low) % into.size + into.low


# ---- arrays: every function writes to `out` and takes int64


def divide(rounding: Rounding, divisor: Interval) -> Callable[[Any, Any, Integers], Any]:
    """Returns a function `(a, b, out)`: `out = a / b`, rounded, for divisors in that interval."""
    if rounding is Rounding.FLOOR:
        return lambda a, b, out: np.floor_divide(a, b, out=out)
    power = divisor.low == divisor.high and divisor.low > 0 and divisor.low & (divisor.low - 1) == 0
    if power and rounding is Rounding.TRUNCATE:
        bits, rest = divisor.low.bit_length() - 1, divisor.low - 1

        def shift(a: Any, b: Any, out: Integers) -> None:
            np.right_shift(a, 63, out=out)  # all ones where a is negative
            np.bitwise_and(out, rest, out=out)
            np.add(a, out, out=out)
            np.right_shift(out, bits, out=out)

        return shift

    def general(a: Any, b: Any, out: Integers) -> None:
        floor = np.floor_divide(a, b)
        rest = a - floor * b
        if rounding is Rounding.CEIL:
            up = rest != 0
        elif rounding is Rounding.TRUNCATE:
            up = (rest != 0) & (floor < 0)
        else:
            below, above = np.abs(rest), np.abs(b - rest)
            up = (below > above) | ((below == above) & (floor & 1 != 0))
        np.add(floor, up, out=out)

    return general


def wrap(into: Interval) -> Callable[[Any, Integers], Any]:
    """Returns a function `(x, out)` that wraps: `out` is the value of `into` that equals `x` modulo the size of `into`."""
    bits = into.size.bit_length() - 1
    if bits and into == Interval.signed(bits):

        def signed(x: Any, out: Integers) -> None:
            np.left_shift(x, 64 - bits, out=out)
            np.right_shift(out, 64 - bits, out=out)

        return signed
    if into == Interval.unsigned(bits):
        return lambda x, out: np.bitwise_and(x, into.high, out=out)
    size, start = into.size, into.low % into.size
    if size > HIGHEST:
        rest = size - 2**64  # the size itself, as int64 arithmetic wraps

        def once(x: Any, out: Integers) -> None:
            np.copyto(out, x)
            np.add(x, np.int64(rest), out=out, where=x < into.low)
            np.subtract(x, np.int64(rest), out=out, where=x > into.high)

        return once

    def general(x: Any, out: Integers) -> None:
        np.remainder(x, size, out=out)
        np.subtract(out, start, out=out)
        np.remainder(out, size, out=out)
        np.add(out, into.low, out=out)

    return general


def saturate(given: Interval, into: Interval) -> Callable[[Any, Integers], Any]:
    """Returns a function `(x, out)` that saturates: `out` is `x`, or the nearest bound of `into`."""

    def both(x: Any, out: Integers) -> None:
        np.maximum(x, into.low, out=out)
        np.minimum(out, into.high, out=out)

    if given.low >= into.low:
        return lambda x, out: np.minimum(x, into.high, out=out)
    if given.high <= into.high:
        return lambda x, out: np.maximum(x, into.low, out=out)
    return both


ROUND_REALS: dict[Rounding, Callable[..., Any]] = {
    Rounding.FLOOR: np.floor,
    Rounding.CEIL: np.ceil,
    Rounding.TRUNCATE: np.trunc,
    Rounding.ROUND: np.rint,
}


def from_real(rounding: Rounding, into: Interval) -> Callable[[Any, Integers], Any]:
    """Returns a function `(x, out)`: the rounded real, or the nearest bound of `into`; NaN becomes the lower bound. `into` is exact in f64."""
    function = ROUND_REALS[rounding]
    low, high = float(into.low), float(into.high)

    def convert(x: Any, out: Integers) -> None:
        # fmax returns the number where the other operand is NaN
        rounded = np.fmin(np.fmax(function(np.asarray(x, np.float64)), low), high)
        np.copyto(out, rounded, casting="unsafe")

    return convert

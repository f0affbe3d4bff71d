"""Integers that stand for reals: the arithmetic of a number n that has the value n * unit.

    n * 0.02        the same integer, with 0.02 times the unit
    a + b           both in the unit of the coarser number, divided by a power of two that keeps the finer one
    a * b           the product of the integers, after the wider one has lost bits that do not fit

1. A factor between two units is a power of two, as a shift, or m / 2^k with as many bits of m as a word of 31 bits leaves.
2. The coarser operand of a sum is exact: it is shifted to the left.
3. A conversion rounds down, towards zero, to the nearest, or by a random number of `RANDOM_BITS` bits that is added before the shift.
"""

from __future__ import annotations

from math import ceil, frexp, log2
from typing import Literal

from attrs import frozen
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, Operation, SSAValue

from ....core.fixed_point import Interval, Rounding
from ....dialects import fixed

WORD = 31
"""Bits of the magnitude of intermediate results, where they are enough."""
LEAST_FACTOR, MOST_FACTOR = 10, 20
"""Bits of the integer of a factor; below the least, results are wider than a word."""
RANDOM_BITS = 16
GUARD = 10
"""Bits that a number has at least where a constant is added to it."""
WHOLE_ERROR = 1e-9

Rounded = Literal["floor", "truncate", "nearest"]


@frozen
class Number:
    """An integer with the value of 1."""

    value: SSAValue
    unit: float

    @property
    def interval(self) -> Interval:
        return fixed.interval_of(self.value)

    @property
    def bits(self) -> int:
        """Returns the bits of its magnitude."""
        return max(1, self.interval.magnitude.bit_length())


Operand = Number | float
"""A number, or a constant."""


class FixedArithmetic:
    """Builder of integer ops at the end of a block."""

    def __init__(self, block: Block):
        self.block = block
        self.location: LocationAttr | None = None
        """The location of the ops that are added."""

    def add(self, op: Operation) -> SSAValue:
        if self.location is not None:
            op.location = self.location
        self.block.add_op(op)
        return op.results[0]

    def constant(self, value: int) -> SSAValue:
        return self.add(fixed.ConstantOp(value))

    def shift_left(self, x: SSAValue, count: int) -> SSAValue:
        return self.add(fixed.ShlOp(x, self.constant(count))) if count else x

    def shift_right(self, x: SSAValue, count: int, rounding: Rounded = "floor") -> SSAValue:
        """Returns x / 2^count, rounded."""
        if not count:
            return x
        if rounding == "nearest":
            x = self.add(fixed.AddOp(x, self.constant(1 << count - 1)))
        elif rounding == "truncate" and fixed.interval_of(x).low < 0:
            return self.add(fixed.DivOp(x, self.constant(1 << count), Rounding.TRUNCATE))
        return self.add(fixed.ShrOp(x, self.constant(count)))

    def saturate(self, x: SSAValue, into: Interval) -> SSAValue:
        """Returns an integer in an interval, as a value of the type of this interval."""
        held = fixed.interval_of(x)
        if held == into:
            return x
        if not into.holds(held):
            x = self.add(fixed.SaturateOp(x, into))
        return x if fixed.interval_of(x) == into else self.add(fixed.WidenOp(x, into))

    # ---- units

    def narrowed(self, x: Number, bits: int) -> Number:
        """Returns a number without the low bits that a magnitude of some bits has no room for."""
        lost = max(0, x.bits - bits)
        return x if not lost else Number(self.shift_right(x.value, lost), x.unit * 2.0**lost)

    def scaled(self, x: Number, unit: float) -> tuple[SSAValue, int]:  # 1
        """Returns an integer and a count of bits, so that the number is integer / 2^count in a unit."""
        ratio = x.unit / unit
        mantissa, exponent = frexp(ratio)
        if mantissa == 0.5:
            return (self.shift_left(x.value, exponent - 1), 0) if exponent > 0 else (x.value, 1 - exponent)
        bits = max(LEAST_FACTOR, min(MOST_FACTOR, WORD - x.bits))
        factor = round(ratio * 2.0 ** (bits - exponent))
        product = self.add(fixed.MulOp(x.value, self.constant(factor)))
        count = bits - exponent
        return (product, count) if count >= 0 else (self.shift_left(product, -count), 0)

    def converted(self, x: Number, unit: float, rounding: Rounded) -> Number:  # 3
        """Returns a number in another unit, rounded."""
        if x.unit == unit:
            return x
        value, count = self.scaled(self.narrowed(x, WORD), unit)
        if count >= WORD:
            value, count = self.shift_right(value, count - WORD + 1), WORD - 1
        return Number(self.shift_right(value, count, rounding), unit)

    def drawn(self, x: Number, unit: float, random: SSAValue) -> Number:  # 3
        """Returns a number in another unit, rounded up with the probability of its fraction."""
        if x.unit == unit:
            return x
        value, count = self.scaled(self.narrowed(x, WORD), unit)
        if count >= WORD:
            value, count = self.shift_right(value, count - WORD + 1), WORD - 1
        if not count:
            return Number(value, unit)
        spare = RANDOM_BITS - count
        random = self.shift_right(random, spare) if spare > 0 else self.shift_left(random, -spare)
        return Number(self.shift_right(self.add(fixed.AddOp(value, random)), count), unit)

    def aligned(self, a: Operand, b: Operand) -> tuple[SSAValue, SSAValue, float]:  # 2
        """Returns two operands as integers of one unit, and the unit. One of them is a number."""
        if not isinstance(a, Number):
            assert isinstance(b, Number)  # constants are computed before
            second, first, unit = self.aligned(b, a)
            return first, second, unit
        if not isinstance(b, Number):
            a = self.refined(a, b)
            return a.value, self.constant(round(b / a.unit)), a.unit
        if a.unit == b.unit:
            return a.value, b.value, a.unit
        is_coarse = a.unit > b.unit
        coarse, fine = (a, b) if is_coarse else (b, a)
        places = min(ceil(log2(coarse.unit / fine.unit) - WHOLE_ERROR), max(0, WORD - 1 - coarse.bits))
        unit = coarse.unit / 2.0**places
        exact, other = self.shift_left(coarse.value, places), self.converted(fine, unit, "nearest").value
        return (exact, other, unit) if is_coarse else (other, exact, unit)

    def refined(self, x: Number, constant: float) -> Number:
        """Returns a number in a unit that a constant is nearly a multiple of."""
        whole = abs(constant) / x.unit
        if abs(whole - round(whole)) <= WHOLE_ERROR * max(1.0, whole):
            return x
        wanted = GUARD - (ceil(log2(whole)) if whole > 0 else 0)
        places = max(0, min(wanted, WORD - 1 - x.bits))
        return Number(self.shift_left(x.value, places), x.unit / 2.0**places)

    # ---- arithmetic

    def times(self, a: Operand, b: Operand) -> Operand:
        """Returns a product; one of the operands is a number."""
        if not isinstance(a, Number):
            a, b = b, a
        assert isinstance(a, Number)  # constants are computed before
        if not isinstance(b, Number):
            if not b:
                return 0.0
            return Number(a.value if b > 0 else self.add(fixed.NegOp(a.value)), a.unit * abs(b))
        while (excess := a.bits + b.bits - WORD) > 0:
            if a.bits >= b.bits:
                a = self.narrowed(a, max(b.bits, a.bits - excess) if a.bits > b.bits else a.bits - 1)
            else:
                b = self.narrowed(b, max(a.bits, b.bits - excess))
        return Number(self.add(fixed.MulOp(a.value, b.value)), a.unit * b.unit)

    def combined(
        self, op: type[fixed.AddOp | fixed.SubOp | fixed.MinOp | fixed.MaxOp], a: Operand, b: Operand
    ) -> Number:
        """Returns a sum, a difference, or the lesser or greater of two operands."""
        first, second, unit = self.aligned(a, b)
        return Number(self.add(op(first, second)), unit)

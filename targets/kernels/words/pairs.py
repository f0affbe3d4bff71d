"""Integers of 64 bits as two words, the lower first, in two's complement: the ops of `fixed`, exact for all integers.

| op | words |
| --- | --- |
| sum, difference | with the carry `low < a.low`, or the borrow `a.low < b.low` |
| product | of 16 bits by 16 bits, modulo 2^64 |
| quotient | a bit at a time: schoolbook division in base 2, of magnitudes |
| to a real of 32 bits | the upper 26 to 32 bits of the magnitude, the last of which is set if a lower one is; then one rounding |
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, i32
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import HIGHEST, Interval, Rounding
from ....dialects import fixed
from ..building.bodies import Builder
from .word import BITS, FULL, Truth, Word, Words

Pair = tuple[Word, Word]
"""The lower and the upper word."""
HALF = 16
HIGHEST_BIT = 2 ** (BITS - 1)
STEPS = (6, 12, 18, 24, 30, BITS)
"""Shifts of a magnitude into one word of at least 26 bits."""


def pair_of(value: int) -> Pair:
    return value & FULL, (value >> BITS) & FULL


def number_of(x: Pair) -> int | None:
    """Returns the integer of a pair of numbers."""
    low, high = x
    if not isinstance(low, int) or not isinstance(high, int):
        return None
    return low + (high << BITS) - (1 << 2 * BITS if high & HIGHEST_BIT else 0)


class Pairs(Words):
    """Arithmetic of pairs of words in the block of a builder."""

    def add(self, a: Pair, b: Pair) -> Pair:
        low = self.plus(a[0], b[0])
        carry = False if b[0] == 0 or a[0] == 0 else self.is_below(low, a[0])
        return low, self.plus(self.plus(a[1], b[1]), self.one_if(carry))

    def subtract(self, a: Pair, b: Pair) -> Pair:
        borrow = self.one_if(self.is_below(a[0], b[0]))
        return self.minus(a[0], b[0]), self.minus(self.minus(a[1], b[1]), borrow)

    def negate(self, a: Pair) -> Pair:
        return self.subtract((0, 0), a)

    def multiply(self, a: Pair, b: Pair) -> Pair:
        low, high = self.product(a[0], b[0])
        cross = self.plus(self.times(a[0], b[1]), self.times(a[1], b[0]))
        return low, self.plus(high, cross)

    def product(self, a: Word, b: Word) -> Pair:
        """Returns the product of two words, of 64 bits."""
        mask = 2**HALF - 1
        a0, a1, b0, b1 = self.both(a, mask), self.right(a, HALF), self.both(b, mask), self.right(b, HALF)
        p00, p01, p10, p11 = self.times(a0, b0), self.times(a0, b1), self.times(a1, b0), self.times(a1, b1)
        middle = self.plus(self.plus(self.right(p00, HALF), self.both(p01, mask)), self.both(p10, mask))
        low = self.either(self.both(p00, mask), self.left(middle, HALF))
        carried = self.plus(self.plus(self.right(p01, HALF), self.right(p10, HALF)), self.right(middle, HALF))
        return low, self.plus(p11, carried)

    # ---- comparisons

    def is_same(self, a: Pair, b: Pair) -> Truth:
        return self.is_all(self.is_equal(a[0], b[0]), self.is_equal(a[1], b[1]))

    def is_under(self, a: Pair, b: Pair) -> Truth:
        """Returns whether `a < b`, unsigned."""
        upper = self.is_below(a[1], b[1])
        return self.is_any(upper, self.is_all(self.is_equal(a[1], b[1]), self.is_below(a[0], b[0])))

    def is_less(self, a: Pair, b: Pair) -> Truth:
        """Returns whether `a < b`, signed: unsigned with the highest bits inverted."""
        return self.is_under(*((low, self.differing(high, HIGHEST_BIT)) for low, high in (a, b)))

    def is_negative(self, a: Pair) -> Truth:
        return self.is_below(HIGHEST_BIT - 1, a[1])

    def compare(self, relation: fixed.Relation, a: Pair, b: Pair) -> Truth:
        match relation:
            case fixed.Relation.EQ:
                return self.is_same(a, b)
            case fixed.Relation.NE:
                return self.is_not(self.is_same(a, b))
            case fixed.Relation.LT:
                return self.is_less(a, b)
            case fixed.Relation.LE:
                return self.is_not(self.is_less(b, a))
            case fixed.Relation.GT:
                return self.is_less(b, a)
            case _:
                return self.is_not(self.is_less(a, b))

    def select(self, test: Truth, a: Pair, b: Pair) -> Pair:
        return self.choose(test, a[0], b[0]), self.choose(test, a[1], b[1])

    def least(self, a: Pair, b: Pair) -> Pair:
        return self.select(self.is_less(b, a), b, a)

    def greatest(self, a: Pair, b: Pair) -> Pair:
        return self.select(self.is_less(a, b), b, a)

    def magnitude(self, a: Pair) -> Pair:
        return self.select(self.is_negative(a), self.negate(a), a)

    def signum(self, a: Pair) -> Pair:
        """Returns -1, 0 or 1."""
        sign = self.sign(a[1])
        is_zero = self.is_equal(self.either(a[0], a[1]), 0)
        return self.select(is_zero, (0, 0), (self.either(sign, 1), sign))

    # ---- shifts

    def shift_left(self, a: Pair, amount: Word) -> Pair:
        """Returns a pair shifted to the left by 0 to 63 bits."""
        rest = self.both(amount, BITS - 1)
        is_far = self.is_below(BITS - 1, amount)
        low = self.left(a[0], rest)
        over = self.right(self.right(a[0], 1), self.minus(BITS - 1, rest))
        high = self.either(self.left(a[1], rest), over)
        return self.choose(is_far, 0, low), self.choose(is_far, low, high)

    def shift_right(self, a: Pair, amount: Word) -> Pair:
        """Returns a pair shifted to the right by 0 to 63 bits; copies of the sign enter."""
        sign = self.sign(a[1])
        low, high = self.shift_right_unsigned((self.differing(a[0], sign), self.differing(a[1], sign)), amount)
        return self.differing(low, sign), self.differing(high, sign)

    def shift_right_unsigned(self, a: Pair, amount: Word) -> Pair:
        rest = self.both(amount, BITS - 1)
        is_far = self.is_below(BITS - 1, amount)
        high = self.right(a[1], rest)
        over = self.left(self.left(a[1], 1), self.minus(BITS - 1, rest))
        low = self.either(self.right(a[0], rest), over)
        return self.choose(is_far, high, low), self.choose(is_far, 0, high)

    # ---- quotients

    def divide_unsigned(self, a: Pair, b: Pair) -> tuple[Pair, Pair]:
        """Returns the quotient and the remainder of two magnitudes of at most 2^63; `b` is not 0."""
        values = [self.value(x) for x in (*a, 0, 0)]
        divisor = self.value(b[0]), self.value(b[1])

        def step(at: Builder, _: SSAValue, held: Sequence[SSAValue]) -> list[SSAValue]:
            inner = Pairs(at)
            low, high, rest_low, rest_high = held
            carried = inner.right(high, BITS - 1)
            rest_low, rest_high = inner.shift_left((rest_low, rest_high), 1)
            rest = inner.either(rest_low, carried), rest_high
            shifted = inner.shift_left((low, high), 1)
            is_taken = inner.is_not(inner.is_under(rest, divisor))
            rest = inner.select(is_taken, inner.subtract(rest, divisor), rest)
            quotient = inner.either(shifted[0], inner.one_if(is_taken)), shifted[1]
            return [inner.value(x) for x in (*quotient, *rest)]

        low, high, rest_low, rest_high = self.builder.loop(0, 2 * BITS, values, step)
        return (low, high), (rest_low, rest_high)

    def divide(self, a: Pair, b: Pair, rounding: Rounding) -> Pair:
        """Returns the rounded quotient: that of the magnitudes, one more where it is rounded away from zero, and its sign."""
        divisor = self.magnitude(b)
        quotient, rest = self.divide_unsigned(self.magnitude(a), divisor)
        sign = self.differing(self.sign(a[1]), self.sign(b[1]))
        is_exact = self.is_equal(self.either(*rest), 0)
        is_negative = self.is_not(self.is_equal(sign, 0))
        is_away: Truth
        match rounding:
            case Rounding.TRUNCATE:
                is_away = False
            case Rounding.FLOOR:
                is_away = self.is_all(self.is_not(is_exact), is_negative)
            case Rounding.CEIL:
                is_away = self.is_not(self.is_any(is_exact, is_negative))
            case Rounding.ROUND:
                other = self.subtract(divisor, rest)
                is_odd = self.is_equal(self.both(quotient[0], 1), 1)
                is_half = self.is_all(self.is_same(rest, other), is_odd)
                is_away = self.is_any(self.is_under(other, rest), is_half)
        quotient = self.add(quotient, (self.one_if(is_away), 0))
        return self.subtract((self.differing(quotient[0], sign), self.differing(quotient[1], sign)), (sign, sign))

    # ---- intervals

    def saturate(self, a: Pair, given: Interval, into: Interval) -> Pair:
        a = a if given.low >= into.low else self.greatest(a, pair_of(into.low))
        return a if given.high <= into.high else self.least(a, pair_of(into.high))

    def wrap(self, a: Pair, into: Interval) -> Pair:
        low = pair_of(into.low)
        if not into.size & (into.size - 1):
            moved, mask = self.subtract(a, low), pair_of(into.size - 1)
            return self.add((self.both(moved[0], mask[0]), self.both(moved[1], mask[1])), low)
        size = pair_of(into.size)
        if into.size > HIGHEST:  # one size further, modulo 2^64, is far enough
            above, below = self.is_less(pair_of(into.high), a), self.is_less(a, low)
            return self.select(above, self.subtract(a, size), self.select(below, self.add(a, size), a))
        quotient = self.divide(a, size, Rounding.FLOOR)
        rest = self.subtract(a, self.multiply(quotient, size))
        moved = self.subtract(rest, pair_of(into.low % into.size))
        moved = self.select(self.is_negative(moved), self.add(moved, size), moved)
        return self.add(moved, low)

    # ---- reals

    def to_real(self, a: Pair, type: Attribute) -> SSAValue:
        """Returns the nearest real, halves to even."""
        b = self.builder
        is_negative, (low, high) = self.is_negative(a), self.magnitude(a)
        if not isinstance(type, Float32Type):
            upper = b.add(arith.MulfOp(self.real(high, type), b.number(2.0**BITS, type)))
            return self.signed(b.add(arith.AddfOp(upper, self.real(low, type))), is_negative)
        word, power = low, b.number(1.0, type)
        for before, steps in zip((0, *STEPS), STEPS, strict=False):
            rest = self.shift_left((low, high), 2 * BITS - steps)
            is_inexact = self.is_not(self.is_equal(self.either(*rest), 0))
            held = self.either(self.shift_right_unsigned((low, high), steps)[0], self.one_if(is_inexact))
            is_wide = self.truth(self.is_below((1 << before) - 1, high))
            word = self.choose(is_wide, held, word)
            power = b.add(arith.SelectOp(is_wide, b.number(2.0**steps, type), power))
        return self.signed(b.add(arith.MulfOp(self.real(word, type), power)), is_negative)

    def real(self, x: Word, type: Any) -> SSAValue:
        return self.builder.add(arith.UIToFPOp(self.value(x), type))

    def signed(self, x: SSAValue, is_negative: Truth) -> SSAValue:
        b = self.builder
        return b.add(arith.SelectOp(self.truth(is_negative), b.add(arith.NegfOp(x)), x))

    def from_real(self, x: SSAValue, into: Interval) -> Pair:
        """Returns an integral real, saturated; NaN becomes the lower bound. The bounds are within 2^53."""
        b, type = self.builder, x.type
        limit = b.number(2.0 ** (2 * BITS - 2), type)
        size = b.add(mathd.AbsFOp(x))
        held = b.add(arith.SelectOp(b.add(arith.CmpfOp(size, limit, "olt")), size, b.number(0.0, type)))
        upper = b.add(mathd.FloorOp(b.add(arith.MulfOp(held, b.number(2.0**-BITS, type)))))
        lower = b.add(arith.SubfOp(held, b.add(arith.MulfOp(upper, b.number(2.0**BITS, type)))))
        pair = b.add(arith.FPToUIOp(lower, i32)), b.add(arith.FPToUIOp(upper, i32))
        pair = self.select(b.add(arith.CmpfOp(x, b.zero(type), "olt")), self.negate(pair), pair)
        pair = self.saturate(pair, Interval.signed(2 * BITS), into)
        is_high = b.add(arith.CmpfOp(x, limit, "oge"))
        is_low = b.add(arith.CmpfOp(x, b.add(arith.NegfOp(limit)), "ogt"))
        pair = self.select(is_high, pair_of(into.high), pair)
        return self.select(is_low, pair, pair_of(into.low))

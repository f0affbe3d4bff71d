"""Intervals contain every result and are minimal; the integer dialect prints, parses and infers them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.parser import Parser

from nopt.core.fixed_point import Interval, Rounding, quotient, wrap_value
from nopt.core.ir.context import NoptContext
from nopt.dialects import fixed

small = st.integers(-20, 20)
intervals = st.tuples(small, small).map(lambda ends: Interval(min(ends), max(ends)))
amounts = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda ends: Interval(min(ends), max(ends)))


def members(interval: Interval) -> range:
    return range(interval.low, interval.high + 1)


@given(intervals, intervals)
def test_intervals_are_exact(a: Interval, b: Interval) -> None:
    pairs = list(product(members(a), members(b)))
    assert a + b == Interval.hull(x + y for x, y in pairs)
    assert a - b == Interval.hull(x - y for x, y in pairs)
    assert a * b == Interval.hull(x * y for x, y in pairs)
    assert a.minimum(b) == Interval.hull(min(x, y) for x, y in pairs)
    assert a.maximum(b) == Interval.hull(max(x, y) for x, y in pairs)
    assert -a == Interval.hull(-x for x in members(a))
    assert abs(a) == Interval.hull(abs(x) for x in members(a))
    assert a.sign == Interval.hull((x > 0) - (x < 0) for x in members(a))
    assert a.join(b) == Interval.hull([*members(a), *members(b)])
    assert all(a.join(b).holds(x) for x in (a, b, a.low, b.high))


@given(intervals, amounts)
def test_intervals_of_shifts_are_exact(a: Interval, s: Interval) -> None:
    pairs = list(product(members(a), members(s)))
    assert a.shl(s) == Interval.hull(x << y for x, y in pairs)
    assert a.shr(s) == Interval.hull(x >> y for x, y in pairs)


@given(intervals, intervals.filter(lambda b: not b.holds(0)), st.sampled_from(list(Rounding)))
def test_intervals_of_divisions_are_exact(a: Interval, b: Interval, rounding: Rounding) -> None:
    assert a.divide(b, rounding) == Interval.hull(quotient(x, y, rounding) for x, y in product(members(a), members(b)))


@given(st.integers(-(2**70), 2**70), st.integers(-(2**65), 2**65).filter(bool), st.sampled_from(list(Rounding)))
def test_quotients_are_nearest_as_they_say(a: int, b: int, rounding: Rounding) -> None:
    found = quotient(a, b, rounding)
    rest = a - found * b
    assert abs(rest) < abs(b)
    match rounding:
        case Rounding.FLOOR:
            assert rest * b >= 0
        case Rounding.CEIL:
            assert rest * b <= 0
        case Rounding.TRUNCATE:
            assert rest * a >= 0
        case Rounding.ROUND:
            assert 2 * abs(rest) < abs(b) or (2 * abs(rest) == abs(b) and found % 2 == 0)


@given(st.integers(-(2**70), 2**70), intervals)
def test_wrapping_keeps_the_rest(x: int, into: Interval) -> None:
    assert into.holds(wrap_value(x, into))
    assert (wrap_value(x, into) - x) % into.size == 0


def test_the_ends_of_64_bits_fit() -> None:
    assert Interval(-(2**63), 2**63 - 1).fits
    assert not Interval(0, 2**63).fits
    assert not abs(Interval(-(2**63), 0)).fits
    assert not Interval(1, 0).fits


@pytest.mark.parametrize("name", [op.name for op in fixed.FIXED.operations])
def test_ops_verify_what_they_infer(name: str) -> None:
    """Every op can be built without a result type, and verifies."""
    a, b = (
        test.TestOp(result_types=[fixed.IntType(-5, 9)]).results[0],
        test.TestOp(result_types=[fixed.IntType(1, 3)]).results[0],
    )
    less = fixed.CmpOp(a, b, fixed.Relation.LT).y
    real = fixed.ToRealOp(a, Parser(NoptContext(), "f64").parse_type()).y
    into = Interval(-2, 7)
    cls = next(op for op in fixed.FIXED.operations if op.name == name)
    built = {
        fixed.ConstantOp: lambda: fixed.ConstantOp(-3),
        fixed.CmpOp: lambda: fixed.CmpOp(a, b, fixed.Relation.GE),
        fixed.DivOp: lambda: fixed.DivOp(a, b, Rounding.ROUND),
        fixed.FromRealOp: lambda: fixed.FromRealOp(real, Rounding.FLOOR, into),
        fixed.ToRealOp: lambda: fixed.ToRealOp(b, real.type),
        fixed.SelectOp: lambda: fixed.SelectOp(less, a, b),
        fixed.SaturateOp: lambda: fixed.SaturateOp(a, into),
        fixed.WrapOp: lambda: fixed.WrapOp(a, into),
        fixed.RefineOp: lambda: fixed.RefineOp(a, into),
        fixed.WidenOp: lambda: fixed.WidenOp(b, into),
    }
    op = built[cls]() if cls in built else cls(a) if issubclass(cls, fixed.UnaryOp) else cls(a, b)
    op.verify()


@pytest.mark.parametrize("text", ["!fixed.int<0, 0>", "!fixed.int<-9223372036854775808, 9223372036854775807>"])
def test_types_round_trip(text: str) -> None:
    assert str(Parser(NoptContext(), text).parse_type()) == text

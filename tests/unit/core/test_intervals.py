"""Intervals against the integers that they hold."""

from __future__ import annotations

from itertools import product

import pytest

from nopt.core.fixed_point import Interval

ENDS = [(low, high) for low, high in product(range(-9, 10), repeat=2) if low <= high]


@pytest.mark.parametrize(("low", "high"), ENDS)
def test_signed_bits_are_the_fewest_that_hold_an_interval(low: int, high: int) -> None:
    interval = Interval(low, high)
    bits = interval.signed_bits
    assert Interval.signed(bits).holds(interval)
    assert bits == 1 or not Interval.signed(bits - 1).holds(interval)


@pytest.mark.parametrize(("low", "high"), [(-7, -3), (-2, 2), (0, 9), (4, 8)])
def test_clamp_and_magnitude_hold_for_every_integer(low: int, high: int) -> None:
    given, into = range(low, high + 1), Interval(-2, 5)
    clamped = [min(max(x, into.low), into.high) for x in given]
    assert Interval(low, high).clamp(into) == Interval.hull(clamped)
    assert Interval(low, high).magnitude == max(map(abs, given))

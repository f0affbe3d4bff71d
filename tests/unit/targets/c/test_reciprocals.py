"""Reciprocals: products and shifts equal quotients for every dividend."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.targets.c.building.reciprocals import reciprocals


@pytest.mark.parametrize("top", [0, 1, 6, 255, 4095, 70000])
def test_every_dividend(top: int) -> None:
    divisors = np.array([1, 2, 3, 7, 10, 64, 641, 1000, 65535])
    found = reciprocals(divisors, top)
    assert found is not None
    factors, shift = found
    dividends = np.arange(top + 1)[:, None]
    assert (dividends * factors >> shift == dividends // divisors).all()


def test_ends_of_large_dividends() -> None:
    """Around each multiple of a divisor, a smaller reciprocal would be wrong."""
    divisors = np.array([1503, 4095, 6981, 9207])
    top = 2**30 - 1
    found = reciprocals(divisors, top)
    assert found is not None
    factors, shift = found
    draw = np.random.default_rng(0)
    for divisor, factor in zip(divisors.tolist(), factors.tolist(), strict=True):
        multiples = draw.integers(0, top // divisor, 2000) * divisor
        for dividend in (multiples, multiples + divisor - 1, np.array([0, top])):
            assert (dividend * factor >> shift == dividend // divisor).all()


def test_too_large() -> None:
    """A product of a large dividend exceeds 63 bits."""
    assert reciprocals(np.array([3, 7]), 2**62) is None

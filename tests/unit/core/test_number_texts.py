"""Texts of numbers: three digits, units, nouns, and shares that are never rounded to none or all."""

from __future__ import annotations

import math

import pytest

from nopt.core.number_texts import counted_text, number_text, percent_text, scaled_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        ("none", "none"),
        (9472, "9,472"),
        (0.0391237, "0.0391"),
        (999.6, "1,000"),
        (12345.6, "12,346"),
        (2.5e6, "2.5e+06"),
        (1e-4, "0.0001"),
        (4.02017e-05, "4.02e-05"),
        (0.0, "0"),
        (-0.5, "-0.5"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_numbers_have_three_digits_and_integers_all(value: float | str | None, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0, "byte", "0 bytes"),
        (1, "byte", "1 byte"),
        (949, "byte", "949 bytes"),
        (11264, "byte", "11.3 kB"),
        (999_999, "byte", "1 MB"),  # not 1e+03 kB
        (2_833_580, "byte", "2.83 MB"),
        (1_000_000, "ns", "1 ms"),
        (999.6, "ns", "1 us"),
        (0.5, "ns", "500 ps"),
        (1e-9, "fJ", "1e-09 fJ"),
        (5000, "s", "5,000 s"),
        (-2000, "pJ", "-2 nJ"),
        (1500, "pJ/spike", "1.5 nJ/spike"),
        (12, "canonical values", "12 canonical values"),
        (3.5, "1", "3.5"),
        (None, "byte", "-"),
    ],
)
def test_quantities_have_the_largest_unit_below_them(value: float | None, unit: str, text: str) -> None:
    assert scaled_text(value, unit) == text


@pytest.mark.parametrize("value", [10.0**k * d for k in range(-6, 12) for d in (1, 1.5, 9.994, 9.996)])
def test_a_quantity_is_not_changed_by_more_than_its_rounding(value: float) -> None:
    number, unit = scaled_text(value, "ns").split()
    factors = {"fs": 1e-6, "ps": 1e-3, "ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
    assert float(number.replace(",", "")) * factors[unit] == pytest.approx(value, rel=0.005)


def test_nouns_follow_their_number() -> None:
    texts = [counted_text(1, "vertex"), counted_text(5, "vertex"), counted_text(1, "core"), counted_text(1024, "class")]
    assert texts == ["1 vertex", "5 vertices", "1 core", "1,024 classes"]


@pytest.mark.parametrize(
    ("share", "decimals", "text"),
    [
        (0.906667, 2, "90.67 %"),
        (1.0, 2, "100.00 %"),
        (0.999999, 2, "99.99 %"),
        (0.996, 0, "99 %"),
        (0.0, 0, "0 %"),
        (0.0004, 0, "under 1 %"),
        (1e-9, 2, "under 0.01 %"),
        (0.0242, 0, "2 %"),
        (1.4, 0, "140 %"),
        (None, 2, "-"),
    ],
)
def test_a_share_is_not_rounded_to_all_or_none(share: float | None, decimals: int, text: str) -> None:
    assert percent_text(share, decimals) == text

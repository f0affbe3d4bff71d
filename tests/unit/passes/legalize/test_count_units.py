"""Errors of counts in units, summed count by count, are those of all numbers of spikes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nopt.passes.legalize.rates._count_units import error_sums, errors_of_unit, unit_of


@given(top=st.integers(0, 3000), bits=st.integers(1, 8), share=st.sampled_from([1.0, 0.5, 1.7]))
def test_sums_of_errors_are_those_of_all_numbers(top: int, bits: int, share: float) -> None:
    """A share below 1 clips the largest numbers, one above leaves the largest counts out."""
    unit = max(1.0, unit_of(top, bits) * share)
    each = errors_of_unit(top, unit, bits)
    largest, total, count = error_sums(top, unit, bits)
    assert count == each.size
    assert largest == pytest.approx(each.max(), abs=1e-9)
    assert total == pytest.approx(each.sum(), abs=1e-6)


def test_billions_of_numbers_are_summed() -> None:
    """Four counts of up to 2**31 - 1: the mean error of a unit u is close to u / 4."""
    top = 4 * (2**31 - 1)
    unit = unit_of(top, 4)
    largest, total, count = error_sums(top, unit, 4)
    assert largest == pytest.approx(unit / 2)
    assert total / count == pytest.approx(unit / 4)

"""Rounding to f16 and bf16: every result is the nearest number of the format, ties to even, by exact fractions."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import bf16, f16

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.arrays.files import dump
from nopt.core.arrays.values import Array, Bfloat16Array
from nopt.core.half_precision import LARGEST, PRECISION, SMALLEST, STORED, Half, half_bits, half_values, round_to_half

FORMATS: tuple[Half, ...] = ("f16", "bf16")
ALL = np.arange(65536, dtype=np.uint16)
FIRST_BEYOND: dict[Half, Fraction] = {"f16": Fraction(2) ** 16, "bf16": Fraction(2) ** 128}
"""The next number if the exponent had no end: results of this size are infinite."""


def nearest(x: Fraction, format: Half) -> Fraction:
    """Returns the nearest number of a format with exponents of any size, ties to even."""
    if x == 0:
        return x
    exponent = max(len(bin(int(abs(x) / Fraction(SMALLEST[format])))) - 2, PRECISION[format]) - PRECISION[format]
    step = Fraction(SMALLEST[format]) * 2**exponent
    return round(x / step) * step


@pytest.mark.parametrize("format", FORMATS)
@given(x=st.floats(allow_nan=False, allow_infinity=False))
def test_any_double(format: Half, x: float) -> None:
    check(x, format)


@pytest.mark.parametrize("format", FORMATS)
@given(bits=st.integers(0, 0x7F7F), offset=st.sampled_from([0.0, 2.0**-40, -(2.0**-40), 2.0**-52, -(2.0**-52)]))
def test_near_ties(format: Half, bits: int, offset: float) -> None:
    bits = min(bits, int(half_bits(np.array(LARGEST[format]), format)))
    low, high = half_values(np.array([bits, bits + 1], np.uint16), format).astype(np.float64)
    check(float((low + min(high, 2 * LARGEST[format])) / 2) * (1 + offset), format)


def check(x: float, format: Half) -> None:
    wanted = nearest(Fraction(x), format)
    found = float(round_to_half(np.array(x), format))
    if abs(wanted) >= FIRST_BEYOND[format]:
        assert found == np.copysign(np.inf, x)
    else:
        assert Fraction(found) == wanted
        assert np.signbit(found) == np.signbit(x)
    single = np.float32(np.clip(x, -(2.0**127), 2.0**127))
    assert float(round_to_half(np.array(single), format)) == float(round_to_half(np.array(np.float64(single)), format))


@pytest.mark.parametrize("format", FORMATS)
def test_bits_and_back(format: Half) -> None:
    values = half_values(ALL, format)
    is_nan = np.isnan(values)
    assert is_nan.sum() == 2 * (2 ** (PRECISION[format] - 1) - 1)
    assert (half_bits(values, format)[~is_nan] == ALL[~is_nan]).all()
    assert np.isnan(round_to_half(values, format)[is_nan]).all()
    finite = values[np.isfinite(values)]
    assert finite.max() == LARGEST[format]
    assert finite[finite > 0].min() == SMALLEST[format]


@pytest.mark.parametrize(("format", "element"), [("f16", f16), ("bf16", bf16)])
def test_arrays(format: Half, element: object, tmp_path: Path) -> None:
    """An array of 16 bits has two bytes for each number, also in a file, and another key than the same bits as integers."""
    values = np.random.default_rng(0).normal(size=(5, 7))
    attribute = ArrayAttr.nearest(values, format)
    array = attribute.data
    assert attribute.element == element
    assert array.stored.nbytes == 70
    assert (array.values == round_to_half(values, format)).all()
    assert array.digest != Array.of(array.stored.view(np.uint16)).digest
    assert (array.view(slice(1, 3), 2).values == array.values[1:3, 2]).all()
    path = tmp_path / f"{array.digest}.npy"
    with open(path, "wb") as file:
        dump(file, array.stored)
    read = (
        Bfloat16Array(None, (5, 7), array.digest)
        if format == "bf16"
        else Array(None, (5, 7), STORED["f16"], array.digest)
    )
    read.link(path)
    assert (read.values == array.values).all()
    assert read == array

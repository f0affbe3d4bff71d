"""Formats of 16 bits for reals: f16 (binary16 of IEEE 754) and bf16 (the upper half of binary32). Rounding, and conversion from and to bits.

| format | bits of precision | largest number | smallest subnormal |
| --- | --- | --- | --- |
| `f16` | 11 | 65504 | 2^-24 |
| `bf16` | 8 | (2 - 2^-7) 2^127, about 3.39e38 | 2^-133 |

A number is rounded once, to the nearest of the format, ties to even. Larger numbers become infinite.
Source: IEEE 754-2019, 3.4 and 4.3.1; S. Boldo and G. Melquiond, Emulation of FMA and correctly rounded sums (2008), for rounding to odd.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .arrays.numeric import AnyArray

Half = Literal["f16", "bf16"]
PRECISION: dict[Half, int] = {"f16": 11, "bf16": 8}
"""Bits of the significand, the implicit one included."""
LARGEST: dict[Half, float] = {"f16": 65504.0, "bf16": float.fromhex("0x1.fep127")}
SMALLEST: dict[Half, float] = {"f16": 2.0**-24, "bf16": 2.0**-133}
"""The smallest subnormal number."""
STORED: dict[Half, np.dtype[Any]] = {"f16": np.dtype("<f2"), "bf16": np.dtype("V2")}
"""Type of the bytes of arrays. NumPy has no bf16; other libraries also store it as raw bytes."""


def half_bits(values: AnyArray, format: Half) -> NDArray[np.uint16]:
    """Returns the bits of the nearest number of a format for each real."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        if format == "f16":
            return values.astype(np.float16).view(np.uint16)  # NumPy rounds f64 to f16 once
        single = round_to_odd(values) if values.dtype == np.float64 else values.astype(np.float32)
    bits = single.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> 16) & 1)) >> 16
    return np.asarray(np.where(np.isnan(single), bits >> 16 | 0x40, rounded)).astype(np.uint16)


def half_values(bits: NDArray[np.uint16], format: Half) -> NDArray[np.float32]:
    """Returns the numbers with some bits; f32 represents all of them."""
    if format == "f16":
        with np.errstate(invalid="ignore"):  # a NaN of any kind
            return bits.view(np.float16).astype(np.float32)
    return np.asarray(bits.astype(np.uint32) << 16).view(np.float32)


def round_to_half(values: AnyArray, format: Half) -> AnyArray:
    """Returns the nearest number of a format for each real, in the type of the reals."""
    return half_values(half_bits(values, format), format).astype(values.dtype)


def round_to_odd(values: AnyArray) -> NDArray[np.float32]:
    """Rounds f64 to f32 to odd: an inexact result has an odd last bit. A second rounding to fewer bits then equals a single rounding."""
    near = values.astype(np.float32)
    wide = near.astype(np.float64)
    is_exact = (wide == values) | np.isnan(values)
    truncated = near.view(np.uint32) - (np.abs(wide) > np.abs(values))
    bits = np.where(is_exact, near.view(np.uint32), truncated.astype(np.uint32) | 1)
    return np.asarray(bits, np.uint32).view(np.float32)

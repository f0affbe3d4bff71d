"""Types of numbers in device files: `i8`, `u4`, `f32`, `bf16`."""

from __future__ import annotations

import re

DTYPE = re.compile(r"([iu])([0-9]{1,2})|(b?f)16|f(32|64)")


def dtype_bits(dtype: str) -> int | None:
    """Returns the bits of a type, or None if it does not exist."""
    found = DTYPE.fullmatch(dtype)
    bits = int(found[2] or found[4] or 16) if found else 0
    return bits if 1 <= bits <= 64 else None

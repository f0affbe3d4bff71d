"""Counts in the user's text, limited to 64 bits."""

from __future__ import annotations

LARGEST_COUNT = 2**63 - 1
MOST_DIGITS = len(str(LARGEST_COUNT))


def count_of(text: str) -> int | None:
    """Returns the count in a text of decimal digits, or None for a larger number or another text.

    count_of("12") == 12, and count_of("1e3") is count_of("9" * 5000) is None
    """
    digits = text.lstrip("0") or text[-1:]
    is_count = text.isascii() and text.isdecimal() and len(digits) <= MOST_DIGITS
    return int(digits) if is_count and int(digits) <= LARGEST_COUNT else None

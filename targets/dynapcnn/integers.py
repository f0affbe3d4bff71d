"""Arrays of integers as the dialect stores them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray

WIDTHS = (np.int8, np.int16, np.int32)


def int_array(values: Sequence[int]) -> ArrayAttr:
    return ArrayAttr.of(np.array(values, np.int32))


def narrow(values: AnyArray) -> ArrayAttr:
    """Returns integers in the narrowest type of 8 bits and more."""
    low, high = int(values.min(initial=0)), int(values.max(initial=0))
    for dtype in WIDTHS:
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return ArrayAttr.of(np.ascontiguousarray(values.astype(dtype)))
    return ArrayAttr.of(np.ascontiguousarray(values.astype(np.int64)))


def destination_rows(rows: Sequence[tuple[int, int, int]]) -> ArrayAttr | None:
    """Returns layer and pooling of destinations, and the first channel where one is not 0; None without destinations."""
    columns = 3 if any(first for _, _, first in rows) else 2
    return ArrayAttr.of(np.array([row[:columns] for row in rows], np.int32)) if rows else None

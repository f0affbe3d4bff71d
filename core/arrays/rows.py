"""Rows of large arrays, a block at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import ArrayAttr
from .values import RuleArray

BLOCK = 2**20
"""Entries of a block; converted to f64, it has 8 MiB."""
RUNS = 64
"""Maximum number of runs of rows that are read separately; beyond it, rows are copied out of the whole array."""


def runs(chosen: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yields the start and the end of each run of true elements."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], chosen.view(np.int8), [0]])))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def chosen_rows(
    array: ArrayAttr, chosen: NDArray[np.bool_], width: int, lead: tuple[int, ...] = ()
) -> Iterator[tuple[Any, Any]]:
    """Yields the indices and the values of the chosen rows, a block at a time. A rule computes no other rows."""
    step = max(1, BLOCK // max(1, width))
    listed = list(runs(chosen))
    if len(listed) > RUNS and not isinstance(array.data, RuleArray):
        rows = np.flatnonzero(chosen)
        values = array.values[lead]
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            yield some, values[some]
        return
    for low, below in listed:
        for start in range(low, below, step):
            end = min(below, start + step)
            yield slice(start, end), array.data.view(*lead, slice(start, end)).values

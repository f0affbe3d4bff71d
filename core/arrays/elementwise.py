"""Elementwise functions of large arrays, block by block: their intermediate arrays stay in the cache of the processor.

The results are those of one call, bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .numeric import AnyArray

BLOCK_SIZE = 2**15
"""Elements of a block; 256 KiB of f64."""


def map_blocks(
    function: Callable[..., AnyArray], dtype: Any, values: AnyArray, *others: AnyArray, out: AnyArray | None = None
) -> AnyArray:
    """Returns an elementwise function of an array and of others that broadcast to it. `out`: an array of the type that receives the result.

    map_blocks(lambda x, y: np.rint(x / y), np.float64, weights, scale)

    Shapes: result that of `values`.
    """
    if values.ndim == 0 or values.size <= BLOCK_SIZE:
        whole = np.asarray(function(values, *others), dtype)
        if out is None:
            return whole
        out[...] = whole
        return out
    rows = values.shape[0]
    together = max(1, BLOCK_SIZE // max(1, prod(values.shape[1:])))
    found = np.empty(values.shape, dtype) if out is None else out
    for start in range(0, rows, together):
        some = slice(start, min(start + together, rows))
        found[some] = function(values[some], *(part_of(one, values.ndim, rows, some) for one in others))
    return found


def sum_blocks(function: Callable[..., AnyArray], values: AnyArray, *others: AnyArray) -> float:
    """Returns the sum of an elementwise function of an array and of others that broadcast to it, without an array of the results."""
    if values.ndim == 0 or values.size <= BLOCK_SIZE:
        return float(np.sum(function(values, *others)))
    rows = values.shape[0]
    together, total = max(1, BLOCK_SIZE // max(1, prod(values.shape[1:]))), 0.0
    for start in range(0, rows, together):
        some = slice(start, min(start + together, rows))
        total += float(np.sum(function(values[some], *(part_of(one, values.ndim, rows, some) for one in others))))
    return total


def part_of(other: AnyArray, axes: int, rows: int, some: slice) -> AnyArray:
    """Returns the part of an array that broadcasts to some rows of an array with `axes` axes."""
    return other[some] if other.ndim == axes and other.shape[0] == rows else other


def used_numbers(numbers: AnyArray, is_used: AnyArray) -> AnyArray:
    """Returns the different numbers at the places of a mask, ascending. Numbers that are repeated by a broadcast are read once. Shapes: numbers broadcasts to is_used."""
    each = numbers.reshape((1,) * (is_used.ndim - numbers.ndim) + numbers.shape)
    shared = tuple(axis for axis, size in enumerate(each.shape) if size == 1)
    return np.unique(each[is_used.any(axis=shared, keepdims=True)])

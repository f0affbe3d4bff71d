"""Products of weights and the factors of a scale, with their rounding errors.

`weight (scale x)` is `(weight scale) x`, and `scale (weight x + bias)` is `(scale weight) x + scale bias`. This module defines the factor
of each weight, and the product with its error.

| synapse | a scale before it multiplies | a scale after it multiplies |
| --- | --- | --- |
| linear [..., o, i] | columns: one factor for each input | rows: one factor for each output, the bias too |
| convolution [c', c / groups, k] | kernels by the channel that they read | kernels by the channel that they write, the bias too |

A convolution has one weight for all positions, so factors that differ within a channel cannot be folded into it.

Source: the error of a product: T. Dekker, A floating-point technique for extending the available precision (1971).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Reals

SPLITTER = 2.0**27 + 1
"""Splits a double into two halves of at most 26 bits each."""


BLOCK = 2**16
"""Numbers that are multiplied at a time: the memory of a product in addition to its result."""


@frozen(eq=False)
class Product:
    """Weights times factors, and by how much they were rounded: upper bounds that are zero where nothing was."""

    values: AnyArray
    largest: float
    total: float

    @property
    def is_exact(self) -> bool:
        return self.largest == 0

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.largest))


def product(weights: AnyArray, factors: AnyArray, dtype: np.dtype[Any]) -> Product:
    """Element by element, in the shape that both broadcast to, rounded once to a type of reals.

    Operands are finite and convert exactly to f64.
    """
    shape = np.broadcast_shapes(weights.shape, factors.shape)
    left, right = np.broadcast_to(weights, shape).flat, np.broadcast_to(factors, shape).flat
    values = np.empty(shape, dtype)
    flat = values.reshape(-1)
    largest = total = 0.0
    for start in range(0, flat.size, BLOCK):
        block = slice(start, start + BLOCK)
        flat[block], errors = rounded_product(left[block], right[block], dtype)
        largest = float(np.maximum(largest, errors.max()))
        total += float(errors.sum())
    return Product(values, largest, total)


def rounded_product(weights: AnyArray, factors: AnyArray, dtype: np.dtype[Any]) -> tuple[AnyArray, Reals]:
    """A product and an upper bound of the error of each number, infinite or not a number where the product is."""
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        m, k = np.frexp(weights.astype(np.float64))
        n, j = np.frexp(factors.astype(np.float64))
        mantissas, exponents = m * n, k + j
        wide = np.ldexp(mantissas, exponents)
        lost = np.abs(mantissas - np.ldexp(wide, -exponents)) + np.abs(product_error(m, n, mantissas))
        lost = np.where(lost == 0, 0, np.maximum(np.ldexp(lost, exponents), np.finfo(np.float64).tiny))
        values = wide.astype(dtype)
        errors = lost + np.where(values == wide, 0, np.abs(values.astype(np.float64) - wide))
    return values, errors


def product_error(m: AnyArray, n: AnyArray, rounded: AnyArray) -> AnyArray:
    """Returns the rounding error of `m * n`, for numbers whose size is at most 1."""
    m_high = SPLITTER * m - (SPLITTER * m - m)
    n_high = SPLITTER * n - (SPLITTER * n - n)
    m_low, n_low = m - m_high, n - n_high
    return m_low * n_low - (((rounded - m_high * n_high) - m_low * n_high) - m_high * n_low)


def are_powers_of_two(factors: AnyArray, is_positive: bool = False) -> bool:
    """Returns whether a multiplication by these numbers is exact; zero is not a power of two."""
    sizes = factors if is_positive else np.abs(factors)
    return bool((np.frexp(sizes)[0] == 0.5).all())


def by_channel(factors: AnyArray) -> AnyArray | None:
    """One factor for each channel, or None where they differ within one. Shapes: factors () or [c, ...], result () or [c]."""
    if factors.ndim == 0:
        return factors
    rows = factors.reshape(len(factors), -1)
    return rows[:, 0] if (rows == rows[:, :1]).all() else None


def linear_factors(factors: AnyArray, is_before: bool) -> AnyArray:
    """Factors as they meet the weights of a linear map. Shapes: factors () or [..., i] of the operand, or [..., o] of the result."""
    return np.expand_dims(factors, -2 if is_before else -1) if factors.ndim else factors


def convolution_factors(factors: AnyArray, weight: AnyArray, groups: int, is_before: bool) -> AnyArray | None:
    """Factors as they meet the kernels of a convolution, or None where they do not.

    Shapes: factors () or [c, ...] of the operand, or [c', ...] of the result; weight [c', c / groups, ...].
    """
    channels = by_channel(factors)
    if channels is None or channels.ndim == 0:
        return channels
    if is_before:
        channels = channels.reshape(groups, weight.shape[1]).repeat(len(weight) // groups, axis=0)
    return channels.reshape(channels.shape + (1,) * (weight.ndim - channels.ndim))

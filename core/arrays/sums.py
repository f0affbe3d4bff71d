"""Exact sums of the positive and the negative integers of an array."""

from __future__ import annotations

from math import prod

import numpy as np

from .numeric import AnyArray, Ints

SAFE = 2**62
"""Bound on magnitudes: two smaller magnitudes can be added in 64 signed bits."""


def magnitude(array: AnyArray) -> int:
    """Returns the largest magnitude of some integers, as an unbounded one."""
    return max(abs(int(array.min())), abs(int(array.max()))) if array.size else 0


def add_by_sign(weight: AnyArray, axes: tuple[int, ...]) -> tuple[AnyArray, AnyArray]:
    """Returns the sums over some axes of the positive weights, and of the negated negative ones.

    The sums are int64, or unbounded integers if they may exceed 64 bits.
    """
    if magnitude(weight) * max(1, prod(weight.shape[axis] for axis in axes)) < SAFE:
        positive = np.asarray(np.sum(np.maximum(weight, 0), axes, np.int64))
        return positive, positive - np.asarray(np.sum(weight, axes, np.int64))
    wide = weight.astype(object)
    positive, negative = np.maximum(wide, 0), -np.minimum(wide, 0)
    return np.asarray(positive.sum(axis=axes), object), np.asarray(negative.sum(axis=axes), object)


def add_by_target(weight: AnyArray, target: Ints, shape: tuple[int, ...]) -> tuple[AnyArray, AnyArray]:
    """Returns `add_by_sign` of single synapses, for each neuron that they reach. Shapes: weight and target [k], results `shape`."""
    dtype = np.dtype(np.int64) if magnitude(weight) * max(1, len(weight)) < SAFE else np.dtype(object)
    found: list[AnyArray] = []
    for part in (weight > 0, weight < 0):
        total = np.zeros(prod(shape), dtype)
        np.add.at(total, target[part], np.abs(weight[part].astype(dtype)))
        found.append(total.reshape(shape))
    return found[0], found[1]

"""Slices of a population or an input."""

from __future__ import annotations

from functools import cached_property
from math import prod

import numpy as np
from attrs import field, frozen

from ...core.arrays.numeric import Counts, Ints
from ._cache_keys import Content


@frozen(eq=False, slots=False)
class Slicing:
    """The slices of a population or an input.

    Shapes: boxes [slices, axes, 2], of the shape, or of the order if there is one; order [neurons].
    """

    shape: tuple[int, ...]
    boxes: Ints
    order: Ints | None = field(default=None)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for equal slicings."""
        return Content((self.shape, self.boxes.tobytes(), None if self.order is None else self.order.tobytes()))

    @cached_property
    def members(self) -> list[Ints]:
        """Returns the flat indices of the neurons of each slice, in the order of their indices in it."""
        if self.order is not None:
            return [self.order[low:below] for (low, below) in self.boxes[:, 0].tolist()]
        flat = np.arange(self.size).reshape(self.shape)
        return [flat[tuple(slice(low, below) for low, below in box)].reshape(-1) for box in self.boxes.tolist()]

    @cached_property
    def arranged(self) -> Ints:
        """Returns the concatenated members of all slices."""
        return np.concatenate(self.members) if self.members else np.zeros(0, np.int64)

    @cached_property
    def sizes(self) -> Ints:
        """Returns the number of neurons of each slice."""
        return np.array([len(one) for one in self.members], np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Returns the start index of each slice in `arranged`."""
        return np.concatenate([[0], np.cumsum(self.sizes)])[:-1].astype(np.int64)

    def indicator(self, k: int) -> Counts:
        """Returns 1 for each neuron of a slice, else 0."""
        found = np.zeros(self.size)
        found[self.members[k]] = 1
        return found.reshape(self.shape)


def single_slice(shape: tuple[int, ...]) -> Slicing:
    """Returns one slice with all neurons, or no slice if there are none."""
    boxes = np.array([[[0, n] for n in shape]], np.int64).reshape(1, len(shape), 2)
    return Slicing(shape, boxes if prod(shape) else boxes[:0])


def place_in(slicing: Slicing) -> Ints:
    """Returns the slice of each neuron."""
    found = np.zeros(slicing.size, np.int64)
    for k, own in enumerate(slicing.members):
        found[own] = k
    return found

"""Slices of populations: the plan that assigns neurons to cores, as attributes of a population."""

from __future__ import annotations

from functools import cached_property
from math import prod

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import shape_of
from ..dialects import ntensor

BOXES = "machine.boxes"
"""Attribute of a population: its slices, [slice, axis, first and end]."""
ORDER = "machine.order"
"""Attribute of a population: the order of neurons whose runs are the slices."""
ADDED = "machine.added"
"""Attribute of a population that legalisation added."""

Ints = NDArray[np.int64]
Counts = NDArray[np.float64]
"""Numbers of paths: integers, as reals because those are multiplied faster; exact below 2^53."""


@frozen(eq=False, slots=False)
class Slicing:
    """The slices of a population or an input.

    Shapes: boxes [slices, axes, 2], of the shape, or of the order where there is one; order [neurons].
    """

    shape: tuple[int, ...]
    boxes: Ints
    order: Ints | None = field(default=None)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @cached_property
    def members(self) -> list[Ints]:
        """Flat indices of the neurons of each slice, in the order of their places in it."""
        if self.order is not None:
            return [self.order[low:below] for (low, below) in self.boxes[:, 0].tolist()]
        flat = np.arange(self.size).reshape(self.shape)
        return [flat[tuple(slice(low, below) for low, below in box)].reshape(-1) for box in self.boxes.tolist()]

    @cached_property
    def arranged(self) -> Ints:
        """The members of all slices, one after the other."""
        return np.concatenate(self.members) if self.members else np.zeros(0, np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Where each slice starts in `arranged`."""
        sizes = [len(one) for one in self.members]
        return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])[:-1].astype(np.int64)

    def indicator(self, k: int) -> Counts:
        """1 for the neurons of a slice."""
        found = np.zeros(self.size)
        found[self.members[k]] = 1
        return found.reshape(self.shape)


def whole(shape: tuple[int, ...]) -> Slicing:
    """Returns one slice that holds everything; none of nothing."""
    if not prod(shape):
        return Slicing(shape, np.zeros((0, len(shape), 2), np.int64))
    return Slicing(shape, np.array([[[0, n] for n in shape]], np.int64).reshape(1, len(shape), 2))


def slicing_of(neuron: ntensor.NeuronOp) -> Slicing | None:
    """Returns the plan of a population; None where there is none."""
    boxes, order = neuron.attributes.get(BOXES), neuron.attributes.get(ORDER)
    if not isinstance(boxes, ArrayAttr):
        return None
    found = Slicing(shape_of(neuron.z), boxes.values.astype(np.int64))
    return evolve(found, order=order.values.astype(np.int64)) if isinstance(order, ArrayAttr) else found

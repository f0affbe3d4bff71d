"""Lines of weights: the rows and columns of a synapse op.

| op | a row is | a column is |
| --- | --- | --- |
| linear [..., o, i] | the weights into one output | the weights from one input |
| sparse_linear [k] | the synapses of one target | the synapses of one source |
| conv [c', c / groups, k] | the weights into one output channel | the weights from one input channel |
| scale () or any | one entry of the first axis, or all | the same |
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from attrs import frozen

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.numeric import AnyArray, Bools, Ints
from ..dialects import ntensor
from ..dialects.ntensor import WeightLines

Weighted = ntensor.SynapseOpInterface


def weight_of(op: Weighted) -> ArrayAttr:
    assert op.weights is not None  # a weighted op
    return op.weights


@frozen(eq=False)
class DenseLines:
    """Lines that are axes of an array."""

    op: Weighted
    kind: str
    shape: tuple[int, ...]
    """Shape of the weights, with groups of a convolution as an axis of their own."""
    axes: tuple[int, ...]
    """The axes that index the lines."""

    @property
    def count(self) -> int:
        return prod(self.shape[axis] for axis in self.axes)

    @property
    def sizes(self) -> AnyArray:
        return np.full(self.count, prod(self.shape) // max(1, self.count))

    def reduced(self, ufunc: np.ufunc, values: AnyArray, start: Any, mask: Bools | None = None) -> AnyArray:
        """Returns a reduction of the weights of each line, or of those of a mask. Shapes: mask that of the weights, result [lines]."""
        rest = tuple(axis for axis in range(len(self.shape)) if axis not in self.axes)
        chosen: Any = True if mask is None else mask.reshape(self.shape)
        found: AnyArray = np.asarray(ufunc.reduce(values.reshape(self.shape), axis=rest, initial=start, where=chosen))
        return found.reshape(-1)

    def count_of(self, mask: Bools) -> Ints:
        """Returns how many weights of each line a mask has. Shapes: mask that of the weights, result [lines]."""
        rest = tuple(axis for axis in range(len(self.shape)) if axis not in self.axes)
        return np.asarray(np.count_nonzero(mask.reshape(self.shape), axis=rest), np.int64).reshape(-1)

    def spread(self, numbers: AnyArray) -> AnyArray:
        kept = tuple(n if axis in self.axes else 1 for axis, n in enumerate(self.shape))
        own = weight_of(self.op).shape
        found = numbers.reshape(kept)
        if len(own) == len(kept):
            return found
        of_groups = (self.shape[0], self.shape[1], *kept[2:])  # the outputs of a group read the same channels
        return np.broadcast_to(found, of_groups).reshape(own[0], *kept[2:])

    def called(self, line: int) -> str:
        at = np.unravel_index(line, [self.shape[axis] for axis in self.axes])
        return f"{self.kind} {', '.join(str(int(n)) for n in at)}" if at else f"the only {self.kind}"


@frozen(eq=False)
class SparseLines:
    """Lines that an index array assigns to each weight."""

    op: Weighted
    kind: str
    index: AnyArray
    count: int

    @property
    def sizes(self) -> AnyArray:
        return np.bincount(self.index.reshape(-1), minlength=self.count)

    def reduced(self, ufunc: np.ufunc, values: AnyArray, start: Any, mask: Bools | None = None) -> AnyArray:
        """Returns a reduction of the weights of each line, or of those of a mask. Shapes: mask that of the weights, result [lines]."""
        found = np.full(self.count, start, values.dtype)
        ufunc.at(found, *((self.index, values) if mask is None else (self.index[mask], values[mask])))
        return found

    def count_of(self, mask: Bools) -> Ints:
        """Returns how many weights of each line a mask has. Shapes: mask that of the weights, result [lines]."""
        return np.bincount(self.index[mask].reshape(-1), minlength=self.count)

    def spread(self, numbers: AnyArray) -> AnyArray:
        return numbers[self.index]

    def called(self, line: int) -> str:
        return f"{self.kind} {line}"


Lines = DenseLines | SparseLines
"""The weights of an op, grouped in lines."""


def rows(op: Weighted) -> Lines:
    """Returns the weights of an op, grouped by output."""
    return lines_of(op, op.output_lines())


def columns(op: Weighted) -> Lines:
    """Returns the weights of an op, grouped by input."""
    return lines_of(op, op.input_lines())


def lines_of(op: Weighted, found: WeightLines) -> Lines:
    if found.index is not None:
        return SparseLines(op, found.kind, found.index, found.lines)
    return DenseLines(op, found.kind, found.shape, found.axes)

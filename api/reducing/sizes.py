"""Fewer neurons, channels and map sizes: an axis is restricted to some entries, in all signals and parameters with this axis."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.ir.graph_region import NetworkOperation
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir
from .axes import CONVOLUTIONS, Axis, axes_of, derived_axes, equal_axes, sliced_properties, window_sizes
from .networks import adopt_types, all_signals, ops_of
from .search import Conflict


class Axes:
    """Equivalence classes of a network's signal axes, and the kept entries of each class."""

    def __init__(self, network: NetworkOperation):
        self.network, self.ops, self.values = network, ops_of(network), all_signals(network)
        self.parents: dict[Axis, Axis] = {axis: axis for value in self.values for axis in axes_of(value)}
        self.kept: dict[Axis, Ints] = {}
        for op in self.ops:
            for one, other in equal_axes(op):
                self.parents[self.root(other)] = self.root(one)

    def root(self, axis: Axis) -> Axis:
        """Returns the axis that represents the class."""
        while self.parents[axis] != axis:
            self.parents[axis] = self.parents[self.parents[axis]]
            axis = self.parents[axis]
        return axis

    def classes(self) -> list[Axis]:
        """Returns the first axis of each class, without classes of a single entry."""
        first: dict[Axis, Axis] = {}
        for axis in self.parents:
            if size_of(axis) > 1:
                first.setdefault(self.root(axis), axis)
        return list(first.values())

    def keep(self, axis: Axis) -> Ints:
        kept = self.kept.get(self.root(axis))
        return np.arange(size_of(axis)) if kept is None else kept

    def set_entries(self, axis: Axis, entries: Ints) -> bool:
        """Sets the kept entries of a class, and returns whether they are new. Raises `Conflict` if the class has different ones."""
        root = self.root(axis)
        if root not in self.kept and len(entries) != size_of(axis):
            self.kept[root] = entries
            return True
        if not np.array_equal(self.keep(axis), entries):
            raise Conflict
        return False

    def settle(self) -> None:
        """Derives the entries of all axes. Raises `Conflict` if they contradict each other."""
        has_changed = True
        while has_changed:
            has_changed = False
            for op in self.ops:
                for axis, entries in derived_axes(op, self.keep):
                    has_changed |= self.set_entries(axis, entries)

    def apply(self) -> None:
        """Restricts signals and parameters to the kept entries. Raises `Conflict` if an op requires all entries."""
        properties = [dict(sliced_properties(op, self.keep)) for op in self.ops]
        shapes = [[len(self.keep(axis)) for axis in axes_of(value)] for value in self.values]
        for op, found in zip(self.ops, properties, strict=True):
            op.properties = found
        for value, shape in zip(self.values, shapes, strict=True):
            if tuple(shape) != shape_of(value):
                Rewriter.replace_value_with_new_type(value, TensorType(element_type(value), shape))
        adopt_types(self.network)


def size_of(axis: Axis) -> int:
    return shape_of(axis[0])[axis[1]]


def class_sizes(network: NetworkOperation) -> list[int]:
    """Returns the number of entries of each class of equal axes."""
    return [size_of(axis) for axis in Axes(network).classes()]


def keep_entries(network: NetworkOperation, number: int, entries: Sequence[int]) -> bool:
    """Keeps some entries of a class of axes."""
    axes = Axes(network)
    axes.set_entries(axes.classes()[number], np.asarray(entries, np.int64))
    axes.settle()
    axes.apply()
    return True


def windows(network: NetworkOperation) -> list[int]:
    """Returns the numbers of the ops with kernels of more than one entry."""
    ops = enumerate(ops_of(network))
    return [k for k, op in ops if isinstance(op, CONVOLUTIONS) and max(op.weight.shape[2:], default=1) > 1]


def shrink_kernel(network: NetworkOperation, number: int, size: int) -> bool:
    """Limits the size of a convolution kernel: keeps its middle entries, and reduces the padding accordingly.

    The operand is cropped so that the result does not become larger.
    """
    op: Operation = ops_of(network)[number]
    assert isinstance(op, CONVOLUTIONS)
    sizes = op.weight.shape[2:]
    starts = [max(0, n - size) // 2 for n in sizes]
    middle = tuple(slice(start, start + min(n, size)) for start, n in zip(starts, sizes, strict=True))
    op.properties["weight"] = ArrayAttr.of(np.ascontiguousarray(op.weight.values[(..., *middle)]))
    if isinstance(op.padding, ArrayAttr):
        lost = np.array(starts) if isinstance(op, nir.ConvolutionOp) else np.array(starts).reshape(-1, 1)
        padding = np.maximum(0, op.padding.values - (lost if op.padding.shape else lost.max()))
        op.properties["padding"] = ArrayAttr.of(padding.astype(op.padding.data.dtype))
    axes = Axes(network)
    for k, (n, before) in enumerate(zip(shape_of(op.x)[1:], shape_of(op.y)[1:], strict=True), 1):
        fewer = next((m for m in range(n, 0, -1) if window_sizes(op, [m] * len(sizes))[k - 1] <= before), n)
        axes.set_entries((op.x, k), np.arange(fewer))
    axes.settle()
    axes.apply()
    return True

"""Which slices of which populations a neuron's events reach: through synapses that are not zero, pools, delays and reshapes.

The slices of a population are those of its plan, `machine.boxes` over its shape, or over `machine.order` where that is given; a
population without a plan is one slice. Outputs of the network are no slices: nobody sends there.

A `Reach` has a column for each slice that is reached and a row for each element of a signal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.graph_region import components
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from .slicing import BOXES, ORDER

PIECE = 2**22
"""Entries of a table that are looked at together."""

Slice = tuple[ntensor.NeuronOp, int]
Bools = NDArray[np.bool_]


@frozen(eq=False)
class Reach:
    """What the elements of a signal reach. Shapes: table [elements, slices]."""

    slices: tuple[Slice, ...]
    table: Bools

    def counts(self) -> NDArray[np.int64]:
        """Slices that each element reaches."""
        return self.table.sum(axis=1, dtype=np.int64)

    def column(self, at: Slice) -> Bools:
        return self.table[:, self.slices.index(at)]


def labels(population: ntensor.NeuronOp) -> NDArray[np.int64]:
    """The slice of each neuron, flat."""
    shape = shape_of(population.z)
    boxes = population.attributes.get(BOXES)
    if not isinstance(boxes, ArrayAttr):
        return np.zeros(prod(shape), np.int64)
    order = population.attributes.get(ORDER)
    over = shape if not isinstance(order, ArrayAttr) else (prod(shape),)
    found = np.zeros(over, np.int64)
    for k, box in enumerate(boxes.values.tolist()):
        found[tuple(slice(low, high) for low, high in box)] = k
    if not isinstance(order, ArrayAttr):
        return found.reshape(-1)
    sorted_out = np.empty(prod(shape), np.int64)
    sorted_out[order.values.astype(np.int64)] = found
    return sorted_out


def reaches(values: Iterable[SSAValue]) -> dict[SSAValue, Reach]:
    """What some signals reach. Only what reads them is looked at, up to the populations."""
    asked = list(values)
    ends: dict[Operation, Reach] = {}
    found: dict[SSAValue, Reach] = {}

    def readers(value: SSAValue) -> list[Operation]:
        return [use.operation for use in value.uses if not isinstance(use.operation, ntensor.OutputOp)]

    def through(op: Operation, x: SSAValue) -> Reach:
        if isinstance(op, ntensor.NeuronOp):
            if op not in ends:
                label = labels(op)
                ends[op] = Reach(tuple((op, k) for k in range(int(label.max(initial=0)) + 1)), one_hot(label))
            return ends[op]
        behind = found.get(op.results[0])
        if behind is None or not behind.slices:
            return Reach((), np.zeros((prod(shape_of(x)), 0), bool))
        return Reach(behind.slices, backward(op, behind.table))

    def of(value: SSAValue) -> Reach:
        return joined(prod(shape_of(value)), [through(op, value) for op in dict.fromkeys(readers(value))])

    first = [op for value in asked for op in readers(value)]
    for part in components(first, lambda op: [] if isinstance(op, ntensor.NeuronOp) else readers(op.results[0])):
        is_moving = True
        while is_moving:
            is_moving = False
            for op in part:
                if isinstance(op, ntensor.NeuronOp):
                    continue  # below: what it reaches may not be known yet
                value, now = op.results[0], of(op.results[0])
                before = found.get(value)
                found[value] = now
                changed = before is None or before.slices != now.slices or bool((before.table != now.table).any())
                is_moving |= changed and len(part) > 1
    return {value: of(value) for value in asked}


def one_hot(label: NDArray[np.int64]) -> Bools:
    return label[:, None] == np.arange(int(label.max(initial=0)) + 1)


def joined(size: int, parts: Sequence[Reach]) -> Reach:
    """What is reached in any of several ways."""
    slices = tuple(dict.fromkeys(at for part in parts for at in part.slices))
    if len(parts) == 1:
        return parts[0]
    place = {at: k for k, at in enumerate(slices)}
    table = np.zeros((size, len(slices)), bool)
    for part in parts:
        table[:, [place[at] for at in part.slices]] |= part.table
    return Reach(slices, table)


def backward(op: Operation, table: Bools) -> Bools:
    """What the operands of an op reach, if its result reaches `table`."""
    match op:
        case ntensor.LinearOp():
            weight = op.weight.values != 0
            outputs, inputs = weight.shape[-2:]
            behind = table.reshape(-1, outputs, table.shape[1]).astype(np.float32)
            ways = weight.reshape(-1, outputs, inputs).transpose(0, 2, 1).astype(np.float32)
            return (ways @ behind > 0).reshape(-1, table.shape[1])
        case ntensor.SparseLinearOp():
            return sparse_backward(op, table)
        case ntensor.FanInLinearOp():
            return fan_in_backward(op, table)
        case ntensor.ConvolutionOp():
            return convolution_backward(op, table)
        case ntensor.PoolOp():
            x, y = shape_of(op.x), shape_of(op.y)
            behind, found = table.reshape(*y, -1), np.zeros((*x, table.shape[1]), bool)
            kernel = tuple(op.kernel.values.tolist())
            for at, came in taps(x[1:], y[1:], kernel, op.stride.values, op.padding.values, np.ones(2, np.int64)):
                found[(slice(None), *at[1])] |= behind[(slice(None), *came)]
            return found.reshape(-1, table.shape[1])
        case ntensor.ScaleOp():
            return table & (np.broadcast_to(op.scale.values, shape_of(op.x)).reshape(-1, 1) != 0)
        case _:
            return table


def sparse_backward(op: ntensor.SparseLinearOp, table: Bools) -> Bools:
    kept = np.flatnonzero(op.weight.values)
    source, target = (array.values.astype(np.int64)[kept] for array in (op.source, op.target))
    found = np.zeros((prod(shape_of(op.x)), table.shape[1]), bool)
    step = max(1, PIECE // max(1, table.shape[1]))
    for first in range(0, len(source), step):  # synapses are sorted by source
        some = source[first : first + step]
        starts = np.flatnonzero(np.r_[True, some[1:] != some[:-1]])
        found[some[starts]] |= np.logical_or.reduceat(table[target[first : first + step]], starts, axis=0)
    return found


def fan_in_backward(op: ntensor.FanInLinearOp, table: Bools) -> Bools:
    source, kept = op.source.values, op.weight.values != 0
    found = np.zeros((prod(shape_of(op.x)), table.shape[1]), bool)
    for k in range(table.shape[1]):
        rows = np.flatnonzero(table[:, k])
        found[source[rows][kept[rows]], k] = True
    return found


def convolution_backward(op: ntensor.ConvolutionOp, table: Bools) -> Bools:
    x, y, groups, k = shape_of(op.x), shape_of(op.y), op.groups.value.data, table.shape[1]
    weight = op.weight.values != 0
    behind = table.reshape(groups, y[0] // groups, *y[1:], k)
    found = np.zeros((groups, x[0] // groups, *x[1:], k), bool)
    for at, came in taps(x[1:], y[1:], weight.shape[2:], op.stride.values, op.padding.values, op.dilation.values):
        ways = weight[(slice(None), slice(None), *at[0])].reshape(groups, y[0] // groups, -1)
        from_there = behind[(slice(None), slice(None), *came)]
        rows = from_there.reshape(groups, y[0] // groups, -1).astype(np.float32)
        reached = ways.transpose(0, 2, 1).astype(np.float32) @ rows > 0
        found[(slice(None), slice(None), *at[1])] |= reached.reshape(groups, -1, *from_there.shape[2:])
    return found.reshape(-1, k)


def taps(
    x: Sequence[int],
    y: Sequence[int],
    kernel: Sequence[int],
    stride: NDArray[Any],
    padding: NDArray[Any],
    dilation: NDArray[Any],
) -> list[tuple[tuple[tuple[int, ...], tuple[slice, ...]], tuple[slice, ...]]]:
    """For each tap of a window the places of the operand that it reads, and the places of the result that it goes to."""
    found: list[tuple[tuple[tuple[int, ...], tuple[slice, ...]], tuple[slice, ...]]] = []
    for tap in product(*map(range, kernel)):
        read: list[slice] = []
        given: list[slice] = []
        for axis, k in enumerate(tap):
            by, shift = int(stride[axis]), k * int(dilation[axis]) - int(padding[axis][0])
            low = max(0, -(shift // by))  # the first p with p by + shift >= 0
            high = min(y[axis], (x[axis] - 1 - shift) // by + 1)
            if high <= low:
                break
            read.append(slice(low * by + shift, (high - 1) * by + shift + 1, by))
            given.append(slice(low, high))
        else:
            found.append(((tap, tuple(read)), tuple(given)))
    return found

"""Kernels: one synapse op over a block of rows, each row one sample in one tick, `[rows, *shape]` in and out.

In the order `index`, a kernel adds in the order of a plain loop over the presynaptic neurons and in the value
type: from zero, flat index ascending, zeros skipped, products rounded before they are added, the bias last. It chooses the
cheapest of several methods. The choice depends on the block and changes no bit:

- event by event, over many rows at once: the k-th event of every row that has at least k events;
- row by row, for few rows with many events;
- for a window with many events, every entry. A zero adds 0 w = ±0, which changes no sum, because a sum that
  starts at +0 never becomes -0. That holds for finite weights; others are added event by event.

Integer sums are exact in any order; `exact.py` adds their bias and exponent, and refuses sums that their type cannot hold.

In the order `fast`, dense blocks use BLAS, whose order of addition depends on the machine and the size of the block.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import element_type, shape_of
from ...dialects.ntensor import (
    ConvolutionOp,
    ConvTranspose2dOp,
    FanInLinearOp,
    LinearOp,
    MaxPool2dOp,
    PoolOp,
    ReshapeOp,
    ScaleOp,
    SumOp,
    Upsample2dOp,
)
from ...simulation.elements import working_dtype
from .exact import Exact, integers, total
from .windows import (
    BLAS_SHARE,
    SCRATCH_BYTES,
    Convolution,
    Kernel,
    Pool,
    Rows,
    TransposedConvolution,
    greatest_of_windows,
)


def kernel_of(op: Operation, fast: bool) -> Kernel | None:
    """Returns the kernel of a synapse op, or None for an unsupported op."""
    dtype = working_dtype(element_type(op.results[0])) if op.results else None
    if dtype is None:
        return None
    is_whole = dtype.kind == "i"
    match op:
        case ReshapeOp():
            return partial(reshape_rows, shape_of(op.y))
        case MaxPool2dOp():
            return partial(greatest_of_windows, op, dtype)
        case SumOp():
            return total(op) if is_whole else partial(add_rows, dtype)
        case FanInLinearOp():
            return None if is_whole else FanInLinear(op, dtype)
        case LinearOp() | ConvolutionOp():
            axes = op.RANK if isinstance(op, ConvolutionOp) else 0
            bias = None if op.bias is None or is_whole else op.bias.values
            made = Linear(op, bias, dtype, fast) if isinstance(op, LinearOp) else Convolution(op, bias, dtype, fast)
            if is_whole:
                return Exact(op, made, integers(op.bias, axes), integers(op.exponent, axes))
            return scale_kernel(made, op.exponent, axes, dtype)
        case ConvTranspose2dOp():
            bias = None if op.bias is None or is_whole else op.bias.values
            transposed = TransposedConvolution(op, bias, dtype)
            if is_whole:
                return Exact(op, transposed, integers(op.bias, op.RANK), integers(op.exponent, op.RANK))
            return scale_kernel(transposed, op.exponent, op.RANK, dtype)
        case Upsample2dOp():
            kernel: Kernel = partial(repeat_elements, op, dtype)
        case PoolOp():
            kernel = Pool(op, dtype)
        case ScaleOp():
            kernel = partial(multiply_by_scale, op.weight_values().values.astype(dtype), dtype)
        case _:
            return None
    return Exact(op, kernel) if is_whole else kernel


def scale_kernel(kernel: Kernel, exponent: ArrayAttr | None, axes: int, dtype: np.dtype[Any]) -> Kernel:
    """Returns a kernel of reals, multiplied by a power of two."""
    powers = integers(exponent, axes)
    if powers is None or not powers.any():
        return kernel
    factor = np.ldexp(dtype.type(1), powers.astype(np.int32))

    def multiplied(*xs: Rows) -> Rows:
        y = kernel(*xs)
        y *= factor
        return y

    return multiplied


def reshape_rows(shape: tuple[int, ...], x: Rows) -> Rows:
    return x.reshape(len(x), *shape)


def repeat_elements(op: Upsample2dOp, dtype: np.dtype[Any], x: Rows) -> Rows:
    return op.repeat(x.astype(dtype) + dtype.type(0))  # a sum, which is never -0


def multiply_by_scale(scale: NDArray[Any], dtype: np.dtype[Any], x: Rows) -> Rows:
    return np.multiply(x, scale, dtype=dtype, casting="unsafe")


def add_rows(dtype: np.dtype[Any], *xs: Rows) -> Rows:
    """Adds from left to right; every operand is converted to the value type before it is added."""
    if len(xs) == 1:
        return xs[0].astype(dtype)
    y = np.add(xs[0], xs[1], dtype=dtype, casting="unsafe")
    for x in xs[2:]:
        np.add(y, x, out=y, dtype=dtype, casting="unsafe")
    return y


class FanInLinear:
    """`y[o] = sum over k of weight[o, k] x[source[o, k]]`, source by source: synapse k of every neuron at once, nearer sources first."""

    def __init__(self, op: FanInLinearOp, dtype: np.dtype[Any]):
        source, weight = op.source.values.astype(np.int64), op.weight.values.astype(dtype)
        order = np.argsort(source, axis=1, kind="stable")
        self.source = np.ascontiguousarray(np.take_along_axis(source, order, 1).T)
        self.weight = np.ascontiguousarray(np.take_along_axis(weight, order, 1).T)
        self.shape, self.dtype = shape_of(op.y), dtype

    def __call__(self, x: Rows) -> Rows:
        given = x.reshape(len(x), -1)
        y = np.zeros((len(x), self.source.shape[1]), self.dtype)
        for source, weight in zip(self.source, self.weight, strict=True):
            there = given[:, source]
            np.add(y, np.multiply(there, weight, dtype=self.dtype, casting="unsafe"), out=y, where=there != 0)
        return y.reshape(len(x), *self.shape)


class Linear:
    """`y[o] = sum over i of weight[o, i] x[i], + bias[o]`, for every index of the leading axes of the weight.

    Shapes: weight [..., o, i], bias [..., o], x [rows, ..., i], y [rows, ..., o].
    """

    def __init__(self, op: LinearOp, bias: NDArray[Any] | None, dtype: np.dtype[Any], fast: bool):
        shape: tuple[int, ...] = op.weight.shape
        self.inputs, self.outputs, self.lead = shape[-1], shape[-2], prod(shape[:-2])
        self.shape = shape[:-1]
        self.dtype = dtype
        columns = np.empty((*shape[:-2], self.inputs, self.outputs), dtype)
        op.store_weight_values(np.swapaxes(columns, -1, -2))
        self.table = columns.reshape(self.lead * self.inputs, self.outputs)
        """The addition of event i of leading index l, in row `l * inputs + i`."""
        self.bias = None if bias is None else bias.astype(dtype)
        self.uses_blas = fast and dtype.kind == "f" and bool(np.isfinite(self.table).all())

    def __call__(self, x: Rows) -> Rows:
        rows = len(x) * self.lead
        flat = x.reshape(rows, self.inputs)
        events = np.flatnonzero(flat if flat.dtype.kind == "b" else flat != 0)
        share = len(events) / max(1, flat.size)
        if not len(events):
            y = np.zeros((rows, self.outputs), self.dtype)
        elif self.uses_blas and share > BLAS_SHARE:
            y = self.blas(flat)
        elif 2 * rows * rows <= len(events) or rows == 1:  # fewer rows than events in a row
            y = self.row_by_row(flat, events)
        else:
            y = self.event_by_event(flat, events)
        y = y.reshape(len(x), *self.shape)
        if self.bias is not None:
            y += self.bias
        return y

    def blas(self, x: Rows) -> Rows:
        """Computes with BLAS, in its order."""
        table = self.table.reshape(self.lead, self.inputs, self.outputs)
        by_lead = x.astype(self.dtype, copy=False).reshape(-1, self.lead, self.inputs).swapaxes(0, 1)
        return np.ascontiguousarray(np.matmul(by_lead, table).swapaxes(0, 1)).reshape(len(x), self.outputs)

    def row_by_row(self, x: Rows, events: NDArray[np.intp]) -> Rows:
        """Computes one reduction per row, over the weights of its events."""
        y = np.zeros((len(x), self.outputs), self.dtype)
        ends: list[int] = events.searchsorted(np.arange(len(x) + 1) * self.inputs).tolist()
        block = max(1, SCRATCH_BYTES // max(1, self.outputs * self.dtype.itemsize))
        for r in range(len(x)):
            for start in range(ends[r], ends[r + 1], block):
                some = events[start : min(start + block, ends[r + 1])] - r * self.inputs
                terms = np.empty((len(some) + 1, self.outputs), self.dtype)
                terms[0] = y[r]
                self.table.take(some + (r % self.lead) * self.inputs, axis=0, out=terms[1:], mode="clip")
                if x.dtype.kind != "b":
                    terms[1:] *= x[r].take(some).astype(self.dtype)[:, None]
                y[r] = sum_terms(terms)
        return y

    def event_by_event(self, x: Rows, events: NDArray[np.intp]) -> Rows:
        """Adds the k-th event of all rows at once. Rows are sorted by their number of events, so the rows with a
        k-th event are always the first, and sums need no index."""
        row, index = np.divmod(events, self.inputs)
        if self.lead > 1:
            index += (row % self.lead) * self.inputs
        values = None if x.dtype.kind == "b" else x.reshape(-1).take(events).astype(self.dtype)
        counts = np.bincount(row, minlength=len(x))
        order = np.argsort(-counts, kind="stable")
        first = (np.cumsum(counts) - counts)[order]
        counts = counts[order]
        sums = np.zeros((len(x), self.outputs), self.dtype)
        block = max(1, SCRATCH_BYTES // max(1, 2 * self.outputs * self.dtype.itemsize))
        terms = np.empty((min(block, len(x)), self.outputs), self.dtype)
        for start in range(0, len(x), block):
            rest = counts[start : start + block]
            done: list[int] = rest[::-1].searchsorted(np.arange(int(rest[0])), side="right").tolist()
            for k, ended in enumerate(done):
                some = len(rest) - ended
                at = first[start : start + some] + k
                term = terms[:some]
                self.table.take(index.take(at), axis=0, out=term, mode="clip")
                if values is not None:
                    term *= values.take(at)[:, None]
                total = sums[start : start + some]
                total += term
        y = np.empty_like(sums)
        y[order] = sums
        return y


def sum_terms(terms: NDArray[Any]) -> NDArray[Any]:
    """Returns the sum over the first axis, in its order. NumPy adds a single column in pairs, so that case is accumulated.

    The first term is the initial sum, not -0.
    """
    if terms.shape[1] == 1:
        return np.add.accumulate(terms[:, 0])[-1:]
    return np.add.reduce(terms, axis=0)

"""Kernels of the ops that slide a window: convolutions and pools, over one axis or two.

A presynaptic neuron (c, y, x) reaches target (y + before - ky dilation) / stride, if that is a whole number. For one
channel and one tap of the kernel all targets differ, and for one target, earlier taps belong to earlier neurons.
Adding tap after tap, channel after channel, therefore adds in the order of the flat presynaptic index.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from ...core.ir.operation import shape_of
from ...core.windows import WindowAxis
from ...dialects.ntensor import AvgPool2dOp, ConvolutionOp, ConvTranspose2dOp, MaxPool2dOp, PoolOp

TAP_COST = 5
"""Cost of adding one tap for all of its events, relative to adding one event with all of its taps."""
LEAST_SHARE, MOST_SHARE, FULL_SHARE_TARGETS = 0.05, 0.4, 64
"""Share of events from which all entries are added, events or not: the first value for few target channels, increasing to the second
for this number. An event costs an index and a run of target channels; an entry costs a run of positions for each of them."""
BLAS_TARGETS = 32
"""Target channels of a group from which BLAS outweighs its copies."""


Rows = NDArray[Any]


Kernel = Callable[..., Rows]


SCRATCH_BYTES = 2**20
"""Bytes that a kernel processes at a time, about half of a second-level cache."""


BLAS_SHARE = 0.05
"""Share of events from which BLAS is faster than event by event."""


def pad_rows(x: Rows, vertical: WindowAxis, horizontal: WindowAxis, dtype: np.dtype[Any]) -> Rows:
    """Returns a copy of the operand with zero padding."""
    rows, channels, height, width = x.shape
    y, x0 = vertical, horizontal
    found = np.zeros((rows, channels, height + y.before + y.after, width + x0.before + x0.after), dtype)
    found[:, :, y.before : y.before + height, x0.before : x0.before + width] = x
    return found


class Convolution:
    """`y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group.

    Shapes: x [rows, c, y, x] or [rows, c, x], y likewise.
    """

    def __init__(self, op: ConvolutionOp, bias: NDArray[Any] | None, dtype: np.dtype[Any], fast: bool):
        weight = op.weight_values().values.astype(dtype)
        self.dtype = dtype
        self.shape = shape_of(op.y)
        self.vertical, self.horizontal = op.axes()
        self.groups = op.groups.value.data
        self.channels = weight.shape[1] * self.groups
        self.inside = weight.shape[1]
        """Presynaptic channels of a group."""
        self.targets = weight.shape[0] // self.groups
        """Postsynaptic channels of a group."""
        grouped = weight.reshape(
            self.groups, self.targets, self.inside, self.vertical.taps, self.horizontal.taps
        ).transpose(0, 2, 3, 4, 1)
        self.taps = np.ascontiguousarray(grouped).reshape(
            self.channels, self.vertical.taps, self.horizontal.taps, self.targets
        )
        """Weights of a channel through a tap, for each target channel of its group."""
        self.bias = None if bias is None else bias.astype(dtype)[:, None, None]
        self.is_finite = bool(np.isfinite(weight).all())
        self.uses_blas = fast and self.is_finite and dtype.kind == "f" and self.targets >= BLAS_TARGETS
        self.whole_share = max(LEAST_SHARE, MOST_SHARE * min(1, self.targets / FULL_SHARE_TARGETS))

        self.by_rest = [
            (self.vertical.taps_of(a), self.horizontal.taps_of(b))
            for a, b in product(range(self.vertical.stride), range(self.horizontal.stride))
        ]
        """Taps that reach a target, by the remainders of the padded position modulo the strides."""
        self.spots: list[NDArray[Any] | None] = [
            # weights of one event in the order of its targets, which is the reverse order of the taps
            np.ascontiguousarray(self.taps[:, ys[::-1]][:, :, xs[::-1]]) if ys and xs else None
            for ys, xs in self.by_rest
        ]
        sums = self.groups * self.targets * self.vertical.reach * self.horizontal.reach
        self.block = max(1, 8 * SCRATCH_BYTES // max(1, sums * dtype.itemsize))
        """Number of rows that are processed at a time."""

    def __call__(self, x: Rows) -> Rows:
        x = x.reshape(len(x), self.channels, self.vertical.inputs, self.horizontal.inputs)
        y = np.empty((len(x), *self.shape), self.dtype)
        grouped = y.reshape(len(x), self.groups * self.targets, self.vertical.outputs, self.horizontal.outputs)
        for start in range(0, len(x), self.block):
            some = slice(start, start + self.block)
            self.convolve(x[some], grouped[some])
        return y

    def convolve(self, x: Rows, y: Rows) -> None:
        """Fills `y` by the cheapest method."""
        events = np.flatnonzero(x if x.dtype.kind == "b" else x != 0)
        share = len(events) / max(1, x.size)
        if self.uses_blas and share > BLAS_SHARE:
            self.blas(x, y)
        elif self.is_finite and share > self.whole_share:
            self.whole(x, y)
        else:
            self.event_by_event(x, y, events)

    def event_by_event(self, x: Rows, y: Rows, events: NDArray[np.intp]) -> None:
        """Adds events to the targets that they reach; channels are the innermost axis, so one tap is one run."""
        v, h = self.vertical, self.horizontal
        at, across = np.divmod(events, h.inputs)
        at, down = np.divmod(at, v.inputs)
        row, channel = np.divmod(at, self.channels)
        down, rest_down = np.divmod(down + v.before, v.stride)
        across, rest_across = np.divmod(across + h.before, h.stride)
        rest = rest_down * h.stride + rest_across
        values = None if x.dtype.kind == "b" else x.reshape(-1).take(events).astype(self.dtype)
        sums = np.zeros((self.groups, len(x), v.reach, h.reach, self.targets), self.dtype)

        kinds = len(self.by_rest)
        counts = np.bincount(channel * kinds + rest, minlength=self.channels * kinds)
        calls = sum(
            int(np.count_nonzero(counts[k::kinds])) * len(ys) * len(xs) for k, (ys, xs) in enumerate(self.by_rest)
        )
        if len(events) < calls * TAP_COST:
            self.one_by_one(sums, row, channel, rest, down, across, values)
        else:
            place = (row * v.reach + down + v.margin) * h.reach + across + h.margin
            self.tap_by_tap(sums.reshape(self.groups, -1, self.targets), channel * kinds + rest, counts, place, values)
        inner = sums[:, :, v.margin : v.margin + v.outputs, h.margin : h.margin + h.outputs].transpose(1, 0, 4, 2, 3)
        grouped = y.reshape(len(y), self.groups, self.targets, v.outputs, h.outputs)
        if self.bias is None:
            grouped[...] = inner
        else:
            np.add(inner, self.bias.reshape(self.groups, self.targets, 1, 1), out=grouped)

    def one_by_one(
        self,
        sums: NDArray[Any],
        row: NDArray[np.intp],
        channel: NDArray[np.intp],
        rest: NDArray[np.intp],
        down: NDArray[np.intp],
        across: NDArray[np.intp],
        values: NDArray[Any] | None,
    ) -> None:
        """Adds each event with all of its taps, in the order of the events: for few events."""
        v, h = self.vertical, self.horizontal
        places: list[list[int]] = np.stack([row, channel, rest, down, across], axis=1).tolist()
        for n, (r, c, kind, y, x) in enumerate(places):
            spot = self.spots[kind]
            if spot is None:
                continue
            ys, xs = self.by_rest[kind]
            top = y + v.margin - ys[-1] * v.dilation // v.stride
            left = x + h.margin - xs[-1] * h.dilation // h.stride
            reached = sums[
                c // self.inside,
                r,
                top : top + (len(ys) - 1) * v.step + 1 : v.step,
                left : left + (len(xs) - 1) * h.step + 1 : h.step,
            ]
            reached += spot[c] if values is None else values[n] * spot[c]

    def tap_by_tap(
        self,
        sums: NDArray[Any],
        kind: NDArray[np.intp],
        counts: NDArray[np.intp],
        place: NDArray[np.intp],
        values: NDArray[Any] | None,
    ) -> None:
        """Adds each tap with all of its events: their targets differ, so they can be added at once."""
        v, h = self.vertical, self.horizontal
        # NumPy sorts 16-bit integers by radix
        order = np.argsort(kind.astype(np.uint16) if len(counts) <= 2**16 else kind, kind="stable")
        place = place[order]
        factors = None if values is None else values[order][:, None]
        ends = np.cumsum(counts).tolist()
        terms = np.empty((max(counts.tolist(), default=0), self.targets), self.dtype)
        for c in range(self.channels):
            total = sums[c // self.inside]
            for ky, kx in product(range(v.taps), range(h.taps)):
                k = (c * v.stride + ky * v.dilation % v.stride) * h.stride + kx * h.dilation % h.stride
                if not counts[k]:
                    continue
                some = slice(ends[k] - int(counts[k]), ends[k])
                reached = place[some] - (ky * v.dilation // v.stride * h.reach + kx * h.dilation // h.stride)
                term = terms[: counts[k]]
                total.take(reached, axis=0, out=term, mode="clip")
                term += self.taps[c, ky, kx] if factors is None else factors[some] * self.taps[c, ky, kx]
                total[reached] = term

    def whole(self, x: Rows, y: Rows) -> None:
        """Adds each tap at every position, events or not; positions of all rows are the long axis."""
        v, h = self.vertical, self.horizontal
        spots = v.outputs * h.outputs
        block = max(1, SCRATCH_BYTES // max(1, 2 * self.targets * spots * self.dtype.itemsize))
        for start in range(0, len(x), block):
            around = pad_rows(x[start : start + block], v, h, self.dtype)
            count = len(around)
            line = np.empty((count, v.outputs, h.outputs), self.dtype)
            terms = np.empty((self.targets, count * spots), self.dtype)
            for g in range(self.groups):
                sums = np.zeros_like(terms)
                for c in range(g * self.inside, (g + 1) * self.inside):
                    for ky, kx in product(range(v.taps), range(h.taps)):
                        line[...] = around[:, c, v.seen(ky), h.seen(kx)]
                        np.multiply(self.taps[c, ky, kx][:, None], line.reshape(-1), out=terms)
                        sums += terms
                found = sums.reshape(self.targets, count, v.outputs, h.outputs).swapaxes(0, 1)
                y[start : start + count, g * self.targets : (g + 1) * self.targets] = found
        if self.bias is not None:
            y += self.bias

    def blas(self, x: Rows, y: Rows) -> None:
        """Computes with BLAS, in its order: a matrix of all windows times the kernels."""
        v, h = self.vertical, self.horizontal
        spread = (v.taps - 1) * v.dilation + 1, (h.taps - 1) * h.dilation + 1
        taps = self.taps.reshape(self.groups, self.inside * v.taps * h.taps, self.targets)
        spots, size = v.outputs * h.outputs, taps.shape[1]
        block = max(1, 16 * SCRATCH_BYTES // max(1, size * spots * self.dtype.itemsize))
        for start in range(0, len(x), block):
            around = pad_rows(x[start : start + block], v, h, self.dtype)
            count = len(around)
            views = sliding_window_view(around, spread, axis=(2, 3))
            views = views[:, :, :: v.stride, :: h.stride, :: v.dilation, :: h.dilation]
            for g in range(self.groups):
                some = views[:, g * self.inside : (g + 1) * self.inside, : v.outputs, : h.outputs]
                patches = some.transpose(0, 2, 3, 1, 4, 5).reshape(count * spots, size)
                found = (patches @ taps[g]).reshape(count, v.outputs, h.outputs, self.targets)
                y[start : start + count, g * self.targets : (g + 1) * self.targets] = found.transpose(0, 3, 1, 2)
        if self.bias is not None:
            y += self.bias


class Pool:
    """`y[c, p] = sum over k of x[c, p stride + k - before]`, divided by the size of the kernel where it is a mean.

    Shapes: x [rows, c, y, x], y [rows, c, y', x'].
    """

    def __init__(self, op: PoolOp, dtype: np.dtype[Any]):
        kernel: list[int] = op.kernel.values.tolist()
        self.vertical, self.horizontal = op.axes()
        self.shape = shape_of(op.y)
        self.dtype = dtype
        self.divisor = dtype.type(prod(kernel)) if isinstance(op, AvgPool2dOp) else None
        # whole numbers below this are exact in every value type, so spikes may be counted in one byte
        self.counts_in_bytes = prod(kernel) < 256

    def __call__(self, x: Rows) -> Rows:
        v, h = self.vertical, self.horizontal
        dtype = np.dtype(np.uint8) if x.dtype.kind == "b" and self.counts_in_bytes else self.dtype
        y = np.zeros((len(x), *self.shape), dtype)
        needs_padding = v.before or v.after or h.before or h.after
        around = pad_rows(x, v, h, dtype) if needs_padding else x
        for ky, kx in product(range(v.taps), range(h.taps)):
            np.add(y, around[:, :, v.seen(ky), h.seen(kx)], out=y, dtype=dtype, casting="unsafe")
        y = y.astype(self.dtype, copy=False)
        if self.divisor is not None:
            y /= self.divisor
        return y


class TransposedConvolution:
    """`y[c', q] = sum over c, p, k with q = p stride + k dilation - before of weight[c', c, k] x[c, p], + bias[c']`, within each group.

    For one target, later taps belong to earlier neurons. Adding taps in reverse, channel after channel, adds in the order of the flat
    presynaptic index. Shapes: x [rows, c, y, x], y likewise.
    """

    def __init__(self, op: ConvTranspose2dOp, bias: NDArray[Any] | None, dtype: np.dtype[Any]):
        weight = op.weight_values().values.astype(dtype)
        self.dtype, self.shape = dtype, shape_of(op.y)
        self.groups = op.groups.value.data
        self.inside = weight.shape[1]
        """Presynaptic channels of a group."""
        self.taps = weight.reshape(self.groups, -1, *weight.shape[1:])
        self.vertical, self.horizontal = op.axes()
        self.bias = None if bias is None else bias.astype(dtype)[:, None, None]
        self.is_finite = bool(np.isfinite(weight).all())

    def __call__(self, x: Rows) -> Rows:
        y = np.zeros((len(x), *self.shape), self.dtype)
        grouped = y.reshape(len(x), self.groups, -1, *self.shape[1:])
        reversed_taps = product(reversed(range(self.vertical.taps)), reversed(range(self.horizontal.taps)))
        for channel, (ky, kx) in product(range(x.shape[1]), list(reversed_taps)):
            group, inside = divmod(channel, self.inside)
            (targets, rows), (places, columns) = self.vertical.inside(ky), self.horizontal.inside(kx)
            events = x[:, channel, None, rows, columns]
            weights = self.taps[group, :, inside, ky, kx, None, None]
            terms = np.multiply(events, weights, dtype=self.dtype, casting="unsafe")
            if not self.is_finite:
                terms = np.where(events != 0, terms, 0)
            grouped[:, group, :, targets, places] += terms
        if self.bias is not None:
            y += self.bias
        return y


def greatest_of_windows(op: MaxPool2dOp, dtype: np.dtype[Any], x: Rows) -> Rows:
    """Returns the greatest element of each window, +0 for zeros; padding has none. Shapes: x [rows, c, y, x], result [rows, c, y', x']."""
    vertical, horizontal = op.axes()
    least: Any = -np.inf if dtype.kind == "f" else False if dtype.kind == "b" else np.iinfo(dtype).min
    y = np.full((len(x), *shape_of(op.y)), least, dtype)
    for ky, kx in product(range(vertical.taps), range(horizontal.taps)):
        (rows, targets), (columns, places) = vertical.inside(ky), horizontal.inside(kx)
        part = y[:, :, targets, places]
        np.maximum(part, x[:, :, rows, columns], out=part)
    if dtype.kind == "f":
        y += 0  # never -0, whatever the order of zeros
    return y

"""Least number of pairs of a source neuron and another core with its targets, for convolutions and pools, over all partitions.

Targets of a convolution on one core have sources in a neighbourhood that is larger than the targets themselves, whatever their arrangement. A chain of convolutions and pools is one window
with `taps` k, a stride s and a padding for each axis, if a convolution in it connects all channels. p positions of targets, all of whose windows lie inside of the source's plane, have

    sources(p) >= channels * (sqrt(s_y s_x p) + sqrt((k_y - s_y) (k_x - s_x)))^2         Brunn and Minkowski
    sources(p) >= channels * k_y * (s_x p + k_x - s_x)                                    if all targets are in one row

The windows are unions of boxes [s t, s t + s) + [0, k - s) of unit squares, whose area is the number of source positions; where k < s, the gaps between windows are cut out, so that s is k.

A core with q targets has room for R - q of their sources. All other sources are on other cores, and each of them is a pair. For every v from 0 to 1,

    pairs >= u * targets - v * sources,    u = min over q from 1 to R of (sources(q) - (1 - v) min(sources(q), R - q)) / q

because pairs + v * (sources on the core) >= u * q on each core. The greatest of these bounds is used. Targets with windows in the padding are left out.

Source: the inequality of Brunn and Minkowski for sums of sets: R. J. Gardner, Bull. Amer. Math. Soc. 39:355 (2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ...core.arrays.numeric import Ints, Reals
from ...core.ir.operation import shape_of
from ...core.windows import WindowAxis
from ...dialects import ntensor
from ...dialects.ntensor import WindowOp

PRICES = 65
"""Values of v that are tried."""
ROUNDING = 1e-9
"""Error of square roots, which must not round a number of sources up."""


@frozen
class Span:
    """One axis of a chain of windows: target t reads `taps` sources from `stride * t - before` on."""

    inputs: int
    outputs: int
    taps: int
    stride: int
    before: int

    @staticmethod
    def of(axis: WindowAxis) -> Span | None:
        """Returns the span of an axis; None if its taps have gaps."""
        if axis.dilation != 1 and axis.taps > 1:
            return None
        return Span(axis.inputs, axis.outputs, axis.taps, axis.stride, axis.before)

    def then(self, after: Span) -> Span:
        """Returns the span of both windows, one after the other."""
        return Span(
            self.inputs,
            after.outputs,
            self.taps + self.stride * (after.taps - 1),
            self.stride * after.stride,
            self.before + self.stride * after.before,
        )

    @property
    def inside(self) -> int:
        """Returns the number of targets whose sources all exist."""
        first = -(-self.before // self.stride)
        last = (self.inputs - self.taps + self.before) // self.stride
        return max(0, min(self.outputs - 1, last) - first + 1)

    @property
    def width(self) -> int:
        """Returns the sources that one more target adds at least."""
        return min(self.taps, self.stride)


@frozen
class Neighbourhood:
    """The sources of targets: channels of both planes, and both spans."""

    channels: tuple[int, int]
    spans: tuple[Span, Span]

    @staticmethod
    def of(ops: Sequence[Operation]) -> Neighbourhood | None:
        """Returns the window of a chain; None if it has other ops, gaps, or channels without a connection."""
        spans: tuple[Span, Span] | None = None
        channels, is_full = list[int](), False
        for op in ops:
            if not isinstance(op, WindowOp):
                if isinstance(op, ntensor.SynapseOpInterface) or shape_of(op.operands[0]) != shape_of(op.results[0]):
                    return None
                continue
            window = op.window()
            rows, columns = (Span.of(axis) for axis in window.axes)
            if rows is None or columns is None or window.groups != 1:
                return None
            if window.weights is not None and not window.weights.all():
                return None
            is_full |= window.weights is not None
            channels += window.channels
            spans = (rows, columns) if spans is None else (spans[0].then(rows), spans[1].then(columns))
        return Neighbourhood((channels[0], channels[-1]), spans) if spans is not None and is_full else None

    @property
    def targets(self) -> int:
        """Returns the number of targets whose windows lie inside of the source's plane."""
        return self.channels[1] * prod(span.inside for span in self.spans)

    @property
    def sources(self) -> int:
        return self.channels[0] * prod(span.inputs for span in self.spans)

    def sources_of(self, targets: Ints) -> Reals:
        """Returns the least number of sources of each number of targets, from 1 on."""
        rows, columns = self.spans
        positions = -(-targets // self.channels[1])
        least = area_of(rows, columns, positions)
        for along, across in ((rows, columns), (columns, rows)):
            if across.outputs == 1:
                least = np.maximum(least, across.taps * (along.width * positions + along.taps - along.width))
        return self.channels[0] * np.ceil(least - ROUNDING)

    def pairs(self, room: int, *, is_recurrent: bool) -> float:
        """Returns the least number of pairs of a source and another core with its targets; `room` neurons fit on a core."""
        if not self.targets:
            return 0.0
        targets = np.arange(1, min(room, self.targets) + 1)
        sources = self.sources_of(targets)
        own = np.minimum(sources, room if is_recurrent else room - targets)
        best = 0.0
        for price in np.linspace(0, 1, PRICES).tolist():
            each = float(((sources - (1 - price) * own) / targets).min())
            best = max(best, each * self.targets - price * self.sources)
        return best


def area_of(rows: Span, columns: Span, positions: Ints) -> Reals:
    """Returns the least area of the windows of some positions."""
    inner = rows.width * columns.width * positions
    outer = (rows.taps - rows.width) * (columns.taps - columns.width)
    area: Reals = (np.sqrt(inner) + np.sqrt(outer)) ** 2
    return area

"""Least number of links of the source neurons of convolutions and pools, over all partitions: pairs of a neuron and another core with its targets, and the way to the nearest.

Targets of a convolution on one core have sources in a neighbourhood that is larger than the targets themselves, whatever their arrangement. A chain of convolutions and pools is one window
with `taps` k, a stride s and a padding for each axis, if a convolution in it connects all channels. p positions of targets, all of whose windows lie inside of the source's plane, have

    sources(p) >= channels * (sqrt(s_y s_x p) + sqrt((k_y - s_y) (k_x - s_x)))^2         Brunn and Minkowski
    sources(p) >= channels * k_y * (s_x p + k_x - s_x)                                    if all targets are in one row

The windows are unions of boxes [s t, s t + s) + [0, k - s) of unit squares, whose area is the number of source positions; where k < s, the gaps between windows are cut out, so that s is k.

A core with q targets has room for R - q of their sources. All other sources are on other cores, and each of them is a pair: a tree enters each core with a target over a link of its own.
If the nearest core with a target is d links away, the tree has at least d - 1 further links, which lead to cores without a target. Around a core there is room for R sources at each other
core, so that a sources whose nearest targets are on one core have at least

    way(a, q) = the least sum of max(d - 1, 0) over a places, where R - q are at distance 0 and R on each other core

further links. Each source has one nearest core. So for every v from 0 to 1 and every w from 0 on,

    links >= u * targets + w * used - v * sources
    u = min over q from 1 to R, and a from 0 to used, of (S - (1 - v) min(S, R - q) + way(a, q) - w a) / q      where S = max(sources(q), a)

because a core has S - (sources on the core) pairs, and `used` sources have targets. The greatest of these bounds is used. For w = 0 it counts pairs alone. Targets with windows in the
padding are left out.

Source: the inequality of Brunn and Minkowski for sums of sets: R. J. Gardner, Bull. Amer. Math. Soc. 39:355 (2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ...core.arrays.numeric import Ints, Reals
from ...core.ir.operation import shape_of
from ...core.windows import WindowAxis
from ...dialects import ntensor
from ...dialects.ntensor import WindowOp

PRICES, WAY_PRICES, REFINEMENTS = 65, 9, 3
"""Values of v and of w that are tried, and how often values between the best one and its neighbours are tried."""
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

    @property
    def used(self) -> int:
        """Returns the number of sources in the windows of these targets."""
        sides = [span.width * (span.inside - 1) + span.taps if span.inside else 0 for span in self.spans]
        return self.channels[0] * prod(sides)

    def links(self, room: int, way: Reals, *, is_recurrent: bool) -> float:
        """Returns the least number of links of all sources' trees; `room` neurons fit on a core.

        Shapes: way [cores]: the further links to the i-th nearest core, from the core itself on.
        """
        if not self.targets:
            return 0.0
        found = Vertices.of(self, room, way, is_recurrent=is_recurrent)
        last = min(len(way) - 1, self.used // room + 1)
        ranges = [(0.0, 1.0), (0.0, float(way[last]))]
        counts = [PRICES, WAY_PRICES if ranges[1][1] else 1]
        best, chosen = 0.0, (0.0, 0.0)
        for _ in range(1 + REFINEMENTS):
            grid = [np.linspace(*one, count) for one, count in zip(ranges, counts, strict=True)]
            for v, w in product(*(one.tolist() for one in grid)):
                bound = found.least(v, w) * self.targets + w * self.used - v * self.sources
                if bound > best:
                    best, chosen = bound, (v, w)
            steps = [(high - low) / max(count - 1, 1) for (low, high), count in zip(ranges, counts, strict=True)]
            ranges = [(max(0.0, at - step), at + step) for at, step in zip(chosen, steps, strict=True)]
            ranges[0] = (ranges[0][0], min(1.0, ranges[0][1]))
            counts = [WAY_PRICES, counts[1]]
        return best


@frozen(eq=False)
class Vertices:
    """The possible contents of a core with targets: those at which the least u can be. Shapes: all [numbers of sources, numbers of targets]."""

    links: Reals
    """Pairs and further links."""
    own: Reals
    near: Reals
    """Sources of which the core is the nearest with a target."""
    targets: Ints

    @staticmethod
    def of(near: Neighbourhood, room: int, way: Reals, *, is_recurrent: bool) -> Vertices:
        targets = np.arange(1, min(room, near.targets) + 1)
        taken = 0 * targets if is_recurrent else targets
        least, places = near.sources_of(targets), room - taken
        ends = np.flatnonzero(np.diff(way)) + 1  # the sum over places has corners here only
        corners = [room * end - taken for end in ends[: np.searchsorted(room * ends, near.used + room)].tolist()]
        count = np.clip(np.stack([0 * targets, least, places, *corners, 0 * targets + near.used]), 0, near.used)
        sources = np.maximum(least, count)
        own = np.minimum(sources, places)
        filled = room * np.arange(len(way) + 1)
        further = np.interp(count + taken, filled, room * np.concatenate([[0.0], np.cumsum(way)]))
        return Vertices(sources - own + further, own, count, targets)

    def least(self, v: float, w: float) -> float:
        """Returns the least of (links + v * own - w * near) / targets."""
        return float(((self.links + v * self.own - w * self.near).min(axis=0) / self.targets).min())


def area_of(rows: Span, columns: Span, positions: Ints) -> Reals:
    """Returns the least area of the windows of some positions."""
    inner = rows.width * columns.width * positions
    outer = (rows.taps - rows.width) * (columns.taps - columns.width)
    area: Reals = (np.sqrt(inner) + np.sqrt(outer)) ** 2
    return area

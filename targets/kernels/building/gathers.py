"""Synapses as gathers: an invocation for each target, which loops over its sources.

    c.clear %sums                                    kernels.stage 10 {
    c.rows "fc" %x, %table into %sums …        =>    ^bb0(%e : index):
                                                       %s = scf.for %i = 0 to 64 iter_args(%sum = 0) { … }
                                                       kernels.store %s, %sums[%e]

Nothing is atomic, because only one invocation writes a sum. The tables of `c.window` and `c.compressed`, which are sorted by source, are sorted by
target here; the sources of a target keep their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product as product_of
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i32
from xdsl.ir import SSAValue

from ....core.windows import reached_taps
from ....dialects import c, kernels
from ....dialects.fixed import IntType
from .bodies import INDEX, Builder, stage
from .delivery import Delivery
from .memory import WORD, Buffers, constant_values
from .terms import Places, Term


class Gathers:
    """Gathers of one program. `delivery` chooses how they visit sources."""

    def __init__(self, buffers: Buffers, delivery: Delivery):
        self.buffers, self.delivery = buffers, delivery

    def start(self, b: Builder, term: Term, op: c.ScatterOp, e: SSAValue, *, is_cleared: bool) -> SSAValue:
        """Returns the sum before the first term."""
        if is_cleared:
            return b.zero(term.sums)
        place = self.buffers.place(op.sums)
        return b.load(place.memory, place.index(b, e), term.sums)

    def end(self, b: Builder, op: c.ScatterOp, e: SSAValue, sum: SSAValue) -> None:
        place = self.buffers.place(op.sums)
        b.store(sum, place.memory, place.index(b, e))

    # ---- dense rows

    def rows(self, op: c.RowsOp, *, is_cleared: bool) -> list[kernels.StageOp]:
        """Returns the stages of a dense layer: its list or bitmap of spikes if it has one, then its targets."""
        lead, inputs, outputs = c.memory_shape(op.table)
        weights = constant_values(op.table)
        term = Term(self.buffers, op, weights.swapaxes(-1, -2).reshape(-1, inputs), starts_at_zero=is_cleared)
        table, x = self.buffers.of(op.table), self.buffers.place(op.x)
        stages, visit = self.delivery.of(op) if lead == 1 else ([], None)

        def body(b: Builder, e: SSAValue) -> None:
            sum = self.start(b, term, op, e, is_cleared=is_cleared)
            first, weight_start = 0, e
            if lead > 1:
                row = b.over(e, outputs)
                first = b.times(row, inputs)
                weight_start = b.plus(b.times(row, inputs * outputs), b.modulo(e, outputs))
            places = Places(e, e)

            def each(inner: Builder, i: SSAValue, sum: SSAValue, *, is_event: bool) -> SSAValue:
                source = inner.load(x.memory, x.index(inner, inner.plus(first, i)), term.x_type)

                def add(at: Builder) -> SSAValue:
                    index = at.plus(at.times(i, outputs), weight_start)
                    return term.added(at, sum, source, at.load(table, index, term.weight_type), places)

                return add(inner) if is_event else term.guarded(inner, sum, source, add)

            if visit is None:
                (sum,) = b.loop(0, inputs, [sum], lambda at, i, held: [each(at, i, held[0], is_event=False)])
            else:
                sum = visit(b, sum, lambda at, i, held: each(at, i, held, is_event=True))
            self.end(b, op, e, sum)

        return [*stages, stage(lead * outputs, body)]

    # ---- convolutions

    def window(self, op: c.WindowOp, *, is_cleared: bool) -> list[kernels.StageOp]:
        x_shape, y_shape, groups = c.memory_shape(op.x), c.memory_shape(op.sums), op.groups.value.data
        targets, inside = y_shape[0] // groups, x_shape[0] // groups
        axes = op.axes
        weights = window_weights(op)
        term = Term(self.buffers, op, weights.reshape(y_shape[0], -1), starts_at_zero=is_cleared)
        table = self.buffers.constant(f"{op.label.data}_weight", weights, c.element_of_memory(op.table))
        x = self.buffers.place(op.x)
        spaces = [prod(y_shape[k + 1 :]) for k in range(len(y_shape))]

        def body(b: Builder, e: SSAValue) -> None:
            channel = b.over(e, spaces[0])
            positions = [b.modulo(b.over(e, spaces[k + 1]), n) for k, n in enumerate(y_shape[1:])]
            starts = [b.times(p, axis.stride) for p, axis in zip(positions, axes, strict=True)]
            group = b.times(b.over(channel, targets), inside) if groups > 1 else 0
            places = Places(e, b.index(channel))
            sum = self.start(b, term, op, e, is_cleared=is_cleared)

            def taps(at: Builder, axis: int, c_in: SSAValue, row: Any, w: Any, ok: Any, sum: SSAValue) -> SSAValue:
                if axis == len(axes):
                    return visit(at, row, w, ok, sum)
                one = axes[axis]

                def each(inner: Builder, k: SSAValue, held: list[SSAValue]) -> Sequence[SSAValue]:
                    q = inner.minus(inner.plus(starts[axis], inner.times(k, one.dilation)), one.before)
                    last = (one.outputs - 1) * one.stride + (one.taps - 1) * one.dilation - one.before
                    tests = one.before > 0 or last >= one.inputs
                    fine = inner.is_below(q, one.inputs) if tests else None
                    both = ok if fine is None else fine if ok is None else inner.both(ok, fine)
                    next_row = inner.plus(inner.times(row, one.inputs), q)
                    next_w = inner.plus(inner.times(w, one.taps), k)
                    return [taps(inner, axis + 1, c_in, next_row, next_w, both, held[0])]

                (result,) = at.loop(0, one.taps, [sum], each)
                return result

            def visit(at: Builder, row: SSAValue, w: SSAValue, ok: SSAValue | None, sum: SSAValue) -> SSAValue:
                def add(inner: Builder) -> SSAValue:
                    source = inner.load(x.memory, x.index(inner, row), term.x_type)

                    def one(last: Builder) -> SSAValue:
                        return term.added(last, sum, source, last.load(table, w, term.weight_type), places)

                    return term.guarded(inner, sum, source, one)

                if ok is None:
                    return add(at)
                (after,) = at.when(ok, [sum], lambda inner: [add(inner)])
                return after

            def channels(at: Builder, k: SSAValue, held: list[SSAValue]) -> Sequence[SSAValue]:
                c_in = at.index(at.plus(group, k))
                first = at.plus(at.times(channel, inside), k)
                return [taps(at, 0, c_in, c_in, first, None, held[0])]

            (sum,) = b.loop(0, inside, [sum], channels)
            self.end(b, op, e, sum)

        return [stage(prod(y_shape), body)]

    # ---- single synapses

    def compressed(self, op: c.CompressedOp, *, is_cleared: bool) -> list[kernels.StageOp]:
        label, sources, targets = op.label.data, c.length_of(op.x), c.length_of(op.sums)
        start, target = (constant_values(m).astype(np.int64) for m in (op.start, op.target))
        source = np.repeat(np.arange(len(start) - 1), np.diff(start))
        delays: NDArray[np.int64] | None = None
        if op.group is not None and op.delay is not None:
            group, delay = (constant_values(m).astype(np.int64) for m in (op.group, op.delay))
            delays = delay[source]
            source = np.repeat(np.arange(len(group) - 1), np.diff(group))[source]
        order = np.argsort(target, kind="stable")
        begins = np.searchsorted(target[order], np.arange(targets + 1))
        held = constant_values(op.table).reshape(-1)
        each = held[0] if held.size == 1 else held[source] if held.size == sources != target.size else held
        flat = np.broadcast_to(each, target.shape)[order] if target.size else np.zeros(0, held.dtype)
        term = Term(self.buffers, op, padded_rows(flat, begins), starts_at_zero=is_cleared)
        element = c.element_of_memory(op.table)
        constants = self.buffers.constant
        is_uniform = held.size == 1
        table = constants(f"{label}_weight", held if is_uniform else nonempty(flat), element)
        first = constants(f"{label}_start", begins)
        origin = constants(f"{label}_source", nonempty(source[order]))
        late = None if delays is None else constants(f"{label}_delay", nonempty(delays[order]))
        x = self.buffers.place(op.x)

        def body(b: Builder, e: SSAValue) -> None:
            sum = self.start(b, term, op, e, is_cleared=is_cleared)
            low, high = b.load(first, e, INDEX), b.load(first, b.plus(e, 1), INDEX)
            places = Places(e, e)

            def each(at: Builder, k: SSAValue, held: list[SSAValue]) -> Sequence[SSAValue]:
                i = at.load(origin, k, INDEX)

                def weight(inner: Builder) -> SSAValue:
                    return inner.load(table, 0 if is_uniform else k, term.weight_type)

                if late is not None and op.cursor is None and op.ring is not None:
                    ago = at.load(late, k, INDEX)
                    spike = self.past_spike(at, op.ring, i, ago)

                    def add(inner: Builder) -> Sequence[SSAValue]:
                        return [term.added(inner, held[0], one(inner, term), weight(inner), places)]

                    return at.when(spike, [held[0]], add)
                if late is not None and op.ring is not None:
                    ring = self.buffers.of(op.ring)
                    rows = c.memory_shape(op.ring)[0]
                    row = at.minus(at.plus(at.add(kernels.TickOp()), rows), at.load(late, k, INDEX))
                    index = at.plus(at.times(at.modulo(row, rows), sources), i)
                    value = at.load(ring, index, term.x_type)
                else:
                    value = at.load(x.memory, x.index(at, i), term.x_type)

                def added(inner: Builder) -> SSAValue:
                    return term.added(inner, held[0], value, weight(inner), places)

                return [term.guarded(at, held[0], value, added)]

            (sum,) = b.loop(low, high, [sum], each)
            self.end(b, op, e, sum)

        return [stage(targets, body)]

    def past_spike(self, b: Builder, ring: SSAValue, source: SSAValue, ago: SSAValue) -> SSAValue:
        """Returns whether a neuron spiked a number of ticks ago."""
        words, count = self.buffers.past(ring)
        neurons = c.length_of(ring)
        index = source if count == 1 else b.plus(b.times(b.over(ago, WORD), neurons), source)
        word = b.load(words, index, i32)
        amount = b.add(arith.IndexCastOp(ago if count == 1 else b.index(b.modulo(ago, WORD)), i32))
        bit = b.add(arith.AndIOp(b.add(arith.ShRUIOp(word, amount)), b.number(1, i32)))
        return b.add(arith.CmpiOp(bit, b.number(0, i32), "ne"))

    def past(self, op: c.PastOp) -> list[kernels.StageOp]:
        """Returns the stage that shifts the past of every neuron by one tick."""
        words, count = self.buffers.past(op.bits)
        neurons, x = c.length_of(op.x), self.buffers.place(op.x)

        def body(b: Builder, e: SSAValue) -> None:
            held = [b.load(words, b.plus(e, k * neurons), i32) for k in range(count)]
            spike = b.load(x.memory, x.index(b, e), i1)
            coming = b.add(arith.SelectOp(spike, b.number(1, i32), b.number(0, i32)))
            for k, word in enumerate(held):
                after = b.add(arith.OrIOp(b.add(arith.ShLIOp(word, b.number(1, i32))), coming))
                coming = b.add(arith.ShRUIOp(word, b.number(WORD - 1, i32)))
                b.store(after, words, b.plus(e, k * neurons))

        return [stage(neurons, body)]


def one(b: Builder, term: Term) -> SSAValue:
    """Returns the value of a spike."""
    if isinstance(term.x_type, IntType):
        return b.number(1, IntType(1, 1) if term.x_type.interval.low > 0 else term.x_type)
    return b.number(1.0, term.x_type)


def nonempty(values: NDArray[Any]) -> NDArray[Any]:
    """Returns an array with at least one element, since no language has empty buffers."""
    return values if values.size else np.zeros(1, values.dtype)


def padded_rows(flat: NDArray[Any], begins: NDArray[np.int64]) -> NDArray[Any]:
    """Returns the weights of each target in a row, with zeros after them, to bound its sums. Integers only; reals are not bounded."""
    if flat.dtype.kind == "f":
        return flat[:0].reshape(0, 0)
    counts = np.diff(begins)
    rows = np.zeros((len(counts), int(counts.max(initial=1))), np.int64)
    at = np.repeat(np.arange(len(counts)), counts)
    rows[at, np.arange(flat.size) - np.repeat(begins[:-1], counts)] = flat
    return rows


def window_weights(op: c.WindowOp) -> NDArray[Any]:
    """Returns the weights of a window by target channel: [outputs, channels of the group, *kernel]; the inverse of the table of `c.window`."""
    x, y = c.memory_shape(op.x), c.memory_shape(op.sums)
    groups, axes = op.groups.value.data, op.axes
    outputs, inside, taps = y[0], x[0] // groups, [axis.taps for axis in axes]
    table = constant_values(op.table).reshape(x[0], -1)
    found = np.zeros((x[0], *taps, outputs // groups), table.dtype)
    start = 0
    for rests in product_of(*(range(axis.stride) for axis in axes)):
        chosen = [
            reached_taps(axis.taps, axis.dilation, axis.stride, rest)[::-1]
            for axis, rest in zip(axes, rests, strict=True)
        ]
        shape = (x[0], *map(len, chosen), outputs // groups)
        size = prod(shape[1:])
        if size:
            found[np.ix_(range(x[0]), *chosen, range(outputs // groups))] = table[:, start : start + size].reshape(
                shape
            )
        start += size
    grouped = found.reshape(groups, inside, *taps, outputs // groups)
    return np.ascontiguousarray(np.moveaxis(grouped, -1, 1)).reshape(outputs, inside, *taps)

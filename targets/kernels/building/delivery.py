"""Delivery of spikes to dense layers: all sources, a bitmap of those that are active, or a list of them.

| delivery | cost of a tick, for n sources of which k are active | chosen for |
| --- | --- | --- |
| dense | n terms for each target | reals, few sources, and activities above `DENSE_SHARE` |
| bitmap | n / 32 words in parallel, then n / 32 tests and k terms for each target | spikes |
| events | n / 32 counts in parallel, n / 32 parts of the list at the sums of earlier counts, then k terms for each target | spikes of at most `EVENT_SHARE` observed activity |

All add the same terms in the same order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, i1, i32
from xdsl.ir import Attribute, SSAValue

from ....dialects import c, kernels
from .bodies import Builder, stage
from .memory import WORD, Buffers, Place

Mode = Literal["auto", "dense", "bitmap", "events"]
Each = Callable[[Builder, SSAValue, SSAValue], SSAValue]
Found = Callable[[Builder, SSAValue, SSAValue], None]
Visit = Callable[[Builder, SSAValue, Each], SSAValue]
DENSE_SHARE, EVENT_SHARE = 0.5, 1 / 64
"""Observed fractions of active sources."""
FEW_SOURCES = 64
"""Number of sources below which a scan of words costs as much as it saves."""


def is_countable(op: c.RowsOp) -> bool:
    """Returns whether sources are spikes or integers, which are often zero; inputs of the network can be either in reals."""
    return c.buffer_of(op.x).is_spikes is not None or not c.is_real(c.element_of_memory(op.x))


class Delivery:
    """The choice for each dense layer, and the bitmaps and lists that layers share."""

    def __init__(self, buffers: Buffers, mode: Mode):
        self.buffers, self.mode = buffers, mode
        self.bitmaps: dict[Place, SSAValue] = {}
        self.lists: dict[Place, tuple[SSAValue, SSAValue]] = {}

    def chosen(self, op: c.RowsOp) -> Mode:
        """Returns the delivery of a layer."""
        if self.mode != "auto":
            return self.mode
        density = c.buffer_of(op.x).density
        share = None if density is None else density.value.data
        if c.length_of(op.x) < FEW_SOURCES or not is_countable(op) or (share is not None and share > DENSE_SHARE):
            return "dense"
        return "events" if share is not None and share <= EVENT_SHARE else "bitmap"

    def of(self, op: c.RowsOp) -> tuple[list[kernels.StageOp], Visit | None]:
        """Returns the stages that find the active sources, if no earlier layer has them, and the visit of these sources."""
        match self.chosen(op):
            case "bitmap":
                return self.bitmap(op)
            case "events":
                return self.events(op)
            case _:
                return [], None

    def forget(self, written: SSAValue) -> None:
        """Drops the bitmaps and lists of memory that an op overwrites."""
        memory = self.buffers.place(written).memory
        found: dict[Place, Any]
        for found in (self.bitmaps, self.lists):
            for place in [one for one in found if one.memory is memory]:
                del found[place]

    def bitmap(self, op: c.RowsOp) -> tuple[list[kernels.StageOp], Visit]:
        size, place = c.length_of(op.x), self.buffers.place(op.x)
        words, stages = -(-size // WORD), list[kernels.StageOp]()
        if place not in self.bitmaps:
            label = f"{c.buffer_of(op.x).label.data}_bitmap"
            bits = self.buffers.add(label, kernels.Kind.SCRATCH, i32, (words,))
            self.bitmaps[place] = bits

            def body(b: Builder, e: SSAValue) -> None:
                first = b.times(e, WORD)

                def each(at: Builder, k: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
                    i = at.plus(first, k)

                    def look(inner: Builder) -> list[SSAValue]:
                        spike = inner.load(place.memory, place.index(inner, i), spike_type(op.x))
                        bit = inner.add(arith.ShLIOp(inner.number(1, i32), inner.add(arith.IndexCastOp(k, i32))))
                        with_bit = inner.add(arith.OrIOp(held[0], bit))
                        return [inner.add(arith.SelectOp(inner.is_nonzero(spike), with_bit, held[0]))]

                    return look(at) if size % WORD == 0 else at.when(at.is_below(i, size), held, look)

                (word,) = b.loop(0, WORD, [b.number(0, i32)], each)
                b.store(word, bits, e)

            stages.append(stage(words, body))
        held = self.bitmaps[place]

        def visit(b: Builder, sum: SSAValue, add: Each) -> SSAValue:
            def word(at: Builder, k: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
                bits = at.load(held, k, i32)
                first = at.times(k, WORD)

                def bit(inner: Builder, n: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
                    shifted = inner.add(arith.ShRUIOp(bits, inner.add(arith.IndexCastOp(n, i32))))
                    is_set = inner.add(
                        arith.CmpiOp(inner.add(arith.AndIOp(shifted, inner.number(1, i32))), inner.number(0, i32), "ne")
                    )
                    i = inner.index(inner.plus(first, n))
                    return inner.when(is_set, sums, lambda last: [add(last, i, sums[0])])

                return at.when(at.is_nonzero(bits), sums, lambda inner: inner.loop(0, WORD, sums, bit))

            (after,) = b.loop(0, words, [sum], word)
            return after

        return stages, visit

    def events(self, op: c.RowsOp) -> tuple[list[kernels.StageOp], Visit]:
        size, place, stages = c.length_of(op.x), self.buffers.place(op.x), list[kernels.StageOp]()
        if place not in self.lists:
            label = c.buffer_of(op.x).label.data
            entries = self.buffers.add(f"{label}_events", kernels.Kind.SCRATCH, i32, (size,))
            count = self.buffers.add(f"{label}_count", kernels.Kind.SCRATCH, i32, (1,))
            self.lists[place] = entries, count

            words = -(-size // WORD)
            sums = self.buffers.add(f"{label}_counts", kernels.Kind.SCRATCH, i32, (words,))

            def scan(b: Builder, e: SSAValue, start: SSAValue, found: Found) -> SSAValue:
                """Visits the active sources of a group of `WORD`; returns `start` and their number."""
                first = b.times(e, WORD)

                def each(at: Builder, k: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
                    i = at.index(at.plus(first, k))

                    def look(inner: Builder) -> list[SSAValue]:
                        spike = inner.is_nonzero(inner.load(place.memory, place.index(inner, i), spike_type(op.x)))

                        def add(last: Builder) -> list[SSAValue]:
                            found(last, i, held[0])
                            return [last.index(last.plus(held[0], 1))]

                        return inner.when(spike, held, add)

                    return look(at) if size % WORD == 0 else at.when(at.is_below(i, size), held, look)

                (end,) = b.loop(0, WORD, [start], each)
                return end

            def tally(b: Builder, e: SSAValue) -> None:
                end = scan(b, e, b.index(0), lambda at, i, position: None)
                b.store(word_of(b, end), sums, e)

            def write(b: Builder, e: SSAValue) -> None:
                def add(at: Builder, k: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
                    return [at.index(at.plus(held[0], at.load(sums, k, IndexType())))]

                (start,) = b.loop(b.index(0), e, [b.index(0)], add)
                end = scan(b, e, start, lambda at, i, position: at.store(word_of(at, i), entries, position))
                is_last = b.add(arith.CmpiOp(e, b.index(words - 1), "eq"))

                def finish(at: Builder) -> list[SSAValue]:
                    at.store(word_of(at, end), count, 0)
                    return []

                b.when(is_last, [], finish)

            stages += [stage(words, tally), stage(words, write)]
        entries, count = self.lists[place]

        def visit(b: Builder, sum: SSAValue, add: Each) -> SSAValue:
            high = b.load(count, 0, IndexType())

            def each(at: Builder, k: SSAValue, sums: list[SSAValue]) -> list[SSAValue]:
                return [add(at, at.load(entries, k, IndexType()), sums[0])]

            (after,) = b.loop(0, high, [sum], each)
            return after

        return stages, visit


def word_of(b: Builder, index: SSAValue) -> SSAValue:
    return b.add(arith.IndexCastOp(index, i32))


def spike_type(x: SSAValue) -> Attribute:
    """Returns the type in which a source is compared with zero."""
    element = c.element_of_memory(x)
    return element if c.is_real(element) else i1

"""Splits the ticks of large programs over threads: marks the ops that are split, and adds the barriers between them.

    c.events %x -> %list, %count …               c.events %x -> %list, %count …
    c.compressed "fc" %x, … into %sums …         c.barrier
    c.loop "lif" (%sums, %v) -> (%v, %z) …  =>   c.compressed "fc" %x, … into %sums … {split}
    c.advance %cursor …                          c.loop "lif" (%sums, %v) -> (%v, %z) … {split}
                                                 c.barrier
                                                 c.advance %cursor …
                                                 c.barrier

1. A program is split if its synapses, counted for one visit of every neuron, are at least `least`, and if split ops add at least half of them.
2. Each thread computes a range of the elements that an op writes. A scatter visits all events and adds only to its range, so each sum has its order.
3. Compressed synapses are split if the targets of each source ascend. The boundaries of the parts are stored (`cut`) if they need little memory
   compared with the targets. Rows of packed weights, rows of missing weights, lists of events and cursors are not split: the first thread
   computes them.
4. There is a barrier between two ops if one writes memory that the other accesses, unless both split it into the same ranges, and at the end.

Exactness: no number changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Operation, SSAValue

from ....core.ir.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import length_of, memory_shape
from ..building.accesses import accessed_buffers, written_buffers
from ..building.targets import are_ascending
from ..printing.memory import length_in
from ..printing.nests import Nest

LEAST = 2**23
"""Synapses from which two threads are faster: docs/performance.md has the measurement."""
SYNAPSES_OF_WORD = 2
"""Synapses that take the time of a word of a bitmap."""
FEWEST = 8
"""Mean number of synapses of a source, or of a source and delay, for which boundaries of parts are stored."""


def synapses_of(op: c.ScatterOp) -> int:
    """Returns the number of synapses that a visit of all neurons reads."""
    match op:
        case c.CompressedOp():
            return length_of(op.target)
        case c.BitmapOp():
            return SYNAPSES_OF_WORD * length_of(op.bits)
        case c.WindowOp():
            positions = length_of(op.x) // memory_shape(op.x)[0]
            return positions * length_of(op.table) // prod(int(k) for k in op.stride.values)
        case _:
            return length_of(op.table)


def can_split(op: Operation) -> bool:
    """Returns whether threads can compute parts of an op (3)."""
    match op:
        case c.CompressedOp():
            return op.row is None and are_ascending(op)
        case c.RowsOp():
            return not c.is_packed(c.element_of_memory(op.table))
        case c.WindowOp() | c.BitmapOp() | c.ClearOp() | c.GatherOp() | c.PastOp() | c.PoolOp():
            return True
        case c.LoopOp():
            return bool(op.outs)
        case _:
            return False


def ranges_of(op: Operation) -> dict[SSAValue, int]:
    """Returns the memory of which each thread accesses its own range alone, with the number of elements that are split."""
    match op:
        case c.LoopOp():
            nest = Nest.of(op)
            if len(nest.axes) > 1:
                return {}
            (axis,) = nest.axes
            wide = [memory for memory, step in zip(nest.operands, axis.strides, strict=True) if step == 1]
            return {c.base_of(memory): axis.size for memory in wide}
        case c.CompressedOp() | c.BitmapOp():
            return {c.base_of(op.sums): length_of(op.sums)}
        case c.RowsOp() if memory_shape(op.table)[0] == 1:
            return {c.base_of(op.sums): length_of(op.sums)}
        case c.ClearOp():
            length = length_of(op.memory)
            return {c.base_of(op.memory): length} if c.placement_of(op.memory).length == length else {}
        case c.GatherOp():
            return {c.base_of(op.y): length_of(op.y)}
        case c.PastOp():
            return {c.base_of(memory): length_of(op.x) for memory in (op.x, op.bits)}
        case _:
            return {}


def share_bytes(a: c.BufferOp, b: c.BufferOp) -> bool:
    """Returns whether two buffers are the same, or share bytes of scratch memory."""
    if a is b:
        return True
    if a.offset is None or b.offset is None or a.element != b.element:
        return False
    one, two = (range(start := x.offset.value.data, start + length_in(x)) for x in (a, b) if x.offset is not None)
    return one.start < two.stop and two.start < one.stop


class Accesses:
    """The memory that an op of a tick accesses, with the ranges of threads."""

    def __init__(self, op: Operation, is_split: bool):
        self.is_split = is_split
        self.written, self.accessed = written_buffers(op), accessed_buffers(op)
        operands = set(op.operands)
        if isinstance(op, c.ScatterOp) and op.is_spikes is not None and op.list is not None:
            self.accessed -= {c.buffer_of(op.x)}  # it reads the list alone
            operands -= {op.x}
        self.ranges = ranges_of(op) if is_split else {}
        bases = {c.base_of(value) for value in operands}
        self.views = {c.buffer_of(base): {x for x in bases if c.buffer_of(x) is c.buffer_of(base)} for base in bases}

    def conflicts(self, other: Accesses) -> bool:
        """Returns whether threads have to wait between two ops (4)."""
        if not self.is_split and not other.is_split:
            return False  # the same thread computes both
        pairs = [(a, b) for a in self.written for b in other.accessed]
        pairs += [(a, b) for a in self.accessed for b in other.written]
        return any(share_bytes(a, b) and not (a is b and self.has_ranges(a, other)) for a, b in pairs)

    def has_ranges(self, buffer: c.BufferOp, other: Accesses) -> bool:
        """Returns whether both ops split their accesses to a buffer into the same ranges."""
        mine, others = self.views.get(buffer, set()), other.views.get(buffer, set())
        if len(mine | others) != 1:
            return False
        (base,) = mine | others
        length = self.ranges.get(base)
        return length is not None and length == other.ranges.get(base)


def split(program: c.ProgramOp, least: int) -> None:
    """Splits the tick of a program if it is large (1)."""
    block = program.tick.body.block
    ops = list(block.ops)
    scatters = [op for op in ops if isinstance(op, c.ScatterOp)]
    if any(isinstance(op, c.BarrierOp) for op in ops) or sum(map(synapses_of, scatters)) < least:
        return
    chosen = {op for op in ops if can_split(op)}
    if 2 * sum(synapses_of(op) for op in scatters if op in chosen) < sum(map(synapses_of, scatters)):
        return
    for op in chosen:
        op.properties["split"] = UnitAttr()
        if isinstance(op, c.CompressedOp) and (length_of(op.start) - 1) * FEWEST <= length_of(op.target):
            op.is_cut = UnitAttr()
    for op in barrier_places(ops, chosen):
        block.insert_op_before(c.BarrierOp(), op)
    block.add_op(c.BarrierOp())


def barrier_places(ops: list[Operation], chosen: set[Operation]) -> Iterator[Operation]:
    """Yields the ops that need a barrier before them."""
    recent: list[Accesses] = []
    for op in ops:
        accesses = Accesses(op, op in chosen)
        if any(accesses.conflicts(other) for other in recent):
            yield op
            recent = []
        recent.append(accesses)


@dataclass(frozen=True)
class CSplitTicksPass(NoptPass):
    """Splits the tick of every large `c.program` over threads.

    Options:
        least: the fewest synapses of a program that is split; default 8388608.
    """

    name = "c-split-ticks"
    least: int = LEAST

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            split(program, self.least)

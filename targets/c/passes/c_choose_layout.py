"""Chooses the order of elements in memory: channels last around convolutions and pools, with margins for sums.

    %sums = c.buffer "conv_sums" … : memref<16x8x8xf32>
    =>
    %sums = c.buffer "conv_sums" … {layout = #c<layout channels_last>, margin = [[1, 1], [1, 1]]} : memref<16x8x8xf32>

An event of a convolution adds the weights of all target channels at each tap. With channels last, these weights are one contiguous run, and
the taps of a kernel row at stride 1 are contiguous, too: one run of taps x channels for each row. A margin receives additions outside of the
result, so no event is tested against the edges; the margin is never read.

1. A buffer may have channels last if a window or a pool reads or writes it, or a loop uses it together with such a buffer.
2. It keeps its order if it belongs to the caller, if it has one axis or one channel, or if flat order is required: sums of rows and
   of compressed synapses, rings that are gathered or read by delay, and views of another shape in loops and windows.
3. Sums have a margin if a window adds to them, and otherwise only loops and a clear use them.
4. Rows of weights become compressed if few weights are nonzero, and weights, targets and starts need fewer bytes than the rows. A zero weight adds
   nothing to a sum, which is never -0, unless the input is infinite or NaN: then `row` adds the products of the missing weights, too. No interval is
   known of reals, so a scatter tests every event. Terms are not compressed, because a term of zero may have an effect.

Exactness: no number changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Operation, SSAValue

from ....core.arrays.arrays import ArrayAttr
from ....core.ir.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import Kind, Layout, memory_shape
from ..building.program import Additions, integers_in
from ..building.synapses import share_weights

CALLERS = (Kind.INPUT, Kind.OUTPUT, Kind.PROBE)


def operands_in_order(program: c.ProgramOp) -> Iterator[tuple[Operation, SSAValue]]:
    for op in program.tick.body.block.ops:
        for value in op.operands:
            yield op, value


def kept_in_order(program: c.ProgramOp) -> set[c.BufferOp]:
    """Returns the buffers that stay in C order (2)."""
    found: set[c.BufferOp] = set()
    for buffer in program.buffers:
        shape = memory_shape(buffer.memory)
        if buffer.kind.data in CALLERS or len(shape) < 2 or shape[0] == 1:
            found.add(buffer)
    for op, value in operands_in_order(program):
        buffer = c.buffer_of(value)
        is_viewed = memory_shape(c.base_of(value)) != memory_shape(value)
        match op:
            case c.RowsOp() | c.CompressedOp() | c.BitmapOp():
                if value is not op.x or (isinstance(op, c.CompressedOp) and op.ring is not None):
                    found.add(buffer)
            case c.GatherOp() | c.PastOp() | c.VisitOp():
                found.add(buffer)
            case _:
                if is_viewed:
                    found.add(buffer)
    for op in program.tick.body.block.ops:
        if isinstance(op, c.WindowOp) and op.shift is not None and c.buffer_of(op.sums) in found:
            found.add(c.buffer_of(op.shift))  # a window reads both at the same index
    return found


def window_buffers(program: c.ProgramOp) -> set[c.BufferOp]:
    """Returns the buffers that windows and pools use, and all that loops connect to them (1)."""
    found: set[c.BufferOp] = set()
    groups: list[set[c.BufferOp]] = []
    for op in program.tick.body.block.ops:
        match op:
            case c.WindowOp() | c.PoolOp():
                found |= {c.buffer_of(op.x), c.buffer_of(op.sums if isinstance(op, c.WindowOp) else op.y)}
                if isinstance(op, c.WindowOp) and op.shift is not None:
                    found.add(c.buffer_of(op.shift))
            case c.LoopOp():
                tied: dict[tuple[int, ...], set[c.BufferOp]] = {}
                for value in op.operands:
                    buffer = c.buffer_of(value)
                    if buffer.kind.data not in CALLERS:
                        tied.setdefault(memory_shape(c.base_of(value)), set()).add(buffer)
                groups += tied.values()
            case _:
                pass
    members: dict[c.BufferOp, list[int]] = {}
    for k, group in enumerate(groups):
        for buffer in group:
            members.setdefault(buffer, []).append(k)
    stack, joined = list(found), set[int]()
    while stack:
        for k in members.get(stack.pop(), ()):
            if k not in joined:
                joined.add(k)
                stack += groups[k] - found
                found |= groups[k]
    return found


@dataclass(frozen=True)
class CChooseLayoutPass(NoptPass):
    """Chooses layouts and margins of every `c.program`.

    Options:
        channels-last: whether windows may have their channels last; default true.
        margins: whether sums of windows may have margins, which trade memory for tests; default true.
        sparse: the fraction of nonzero weights up to which rows are compressed; default 0.125. A compressed weight takes one and a
            half times the bytes, and five times the time.
    """

    name = "c-choose-layout"
    channels_last: bool = True
    margins: bool = True
    sparse: float = 0.125

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            additions = Additions(program)
            for rows in [inner for inner in program.tick.body.block.ops if isinstance(inner, c.RowsOp)]:
                compress(additions, rows, self.sparse)
            if self.channels_last:
                kept = kept_in_order(program)
                moved = window_buffers(program)
                for buffer in program.buffers:
                    if buffer in moved and buffer not in kept:
                        buffer.layout = c.LayoutAttr(Layout.CHANNELS_LAST)
            if self.margins:
                for window in [inner for inner in program.tick.body.block.ops if isinstance(inner, c.WindowOp)]:
                    add_margin(window)


def compress(additions: Additions, rows: c.RowsOp, share: float) -> None:
    """Omits the zeros of a table if they are frequent (4)."""
    table = rows.table.owner
    if rows.combine is not None or rows.list is not None:
        return
    if not isinstance(table, c.BufferOp) or table.values is None or rows.zero is not None:
        return
    weight = table.values.values
    where = weight != 0
    if not weight.size or np.count_nonzero(where) > share * weight.size:
        return
    lead, inputs, outputs = c.memory_shape(rows.table)
    at: NDArray[np.int64] = np.flatnonzero(where)
    source, target = at // outputs, at % outputs
    label = rows.label.data
    start: NDArray[np.int64] = np.searchsorted(source, np.arange(lead * inputs + 1))
    targets = target + source // inputs * outputs
    kept = share_weights(weight[where], source, lead * inputs)
    element = c.element_of_memory(rows.table)
    indices = sum(c.storage_bytes(c.storage_for(integers_in(one)), one.size) for one in (start, targets))
    if indices + c.storage_bytes(element, kept.size) >= c.storage_bytes(element, weight.size):
        return
    operands: list[SSAValue | None] = [
        additions.constant(f"{label}_start", start),
        additions.constant(f"{label}_target", targets),
    ]
    some = additions.buffer(f"{label}_some", Kind.CONSTANT, element, kept.shape, values=kept)
    properties = {name: value for name, value in rows.properties.items() if name != "operandSegmentSizes"}
    if c.is_real(c.element_of_memory(rows.x)):
        properties["row"] = IntegerAttr(outputs, i64)
    operands += [None, None, None, None, rows.x, some, rows.sums, None, None, None, rows.scale, rows.zero]
    block = additions.program.tick.body.block
    block.insert_op_before(c.CompressedOp(operands=operands, properties=properties, regions=[None]), rows)
    block.erase_op(rows)


def add_margin(window: c.WindowOp) -> None:
    """Adds a margin to the sums of a window for additions outside of the result (3)."""
    buffer = window.sums.owner
    if not isinstance(buffer, c.BufferOp) or buffer.kind.data is not Kind.SCRATCH or window.shift is not None:
        return
    if any(
        use.operation is not window and not isinstance(use.operation, c.LoopOp | c.ClearOp)
        for use in buffer.memory.uses
    ):
        return
    pairs = [(max(axis.back), max(0, axis.highest - axis.outputs + 1)) for axis in window.axes]
    if any(before or after for before, after in pairs):
        buffer.margin = ArrayAttr.of(np.array(pairs, np.int64))

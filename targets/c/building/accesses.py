"""Accesses of the ops of a C program to its memory."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation, SSAValue

from ....dialects import c


def written_buffers(op: Operation) -> set[c.BufferOp]:
    """Returns the buffers that an op writes."""
    match op:
        case c.LoopOp():
            values: Sequence[SSAValue] = [*op.outs, *(op.ins[k] for k in op.cleared)]
        case c.VisitOp():
            values = op.outs
        case c.ClearOp():
            values = [op.memory]
        case c.EventsOp():
            values = [op.list, op.count]
        case c.ScatterOp():
            values = [op.sums]
        case c.PoolOp() | c.GatherOp():
            values = [op.y]
        case c.PastOp():
            values = [op.bits]
        case c.AdvanceOp():
            values = [op.cursor]
        case _:
            values = list(op.operands)
    return {c.buffer_of(value) for value in values}


def accessed_buffers(op: Operation) -> set[c.BufferOp]:
    """Returns the buffers that an op accesses, including the cursors of rows."""
    found: set[c.BufferOp] = set()
    for value in op.operands:
        found.add(c.buffer_of(value))
        owner = c.base_of(value).owner
        if isinstance(owner, c.RowOp) and owner.cursor is not None:
            found.add(c.buffer_of(owner.cursor))
    return found

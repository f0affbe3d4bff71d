"""Loops, pools and delayed reads of a C program as stages: an invocation for each element of the result."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from ....dialects import c, fixed, kernels
from ....dialects.fixed import IntType
from .bodies import INDEX, Builder, stage
from .memory import Buffers, interval_in


def loop_stages(buffers: Buffers, op: c.LoopOp) -> list[kernels.StageOp]:
    """Returns the stage of a loop: reads, the body, and writes of one element."""
    operands = [*op.outs, *op.ins]
    length = max((c.length_of(memory) for memory in operands), default=0)
    wide = [c.memory_shape(memory) for memory in operands if c.length_of(memory) == length]

    def body(b: Builder, e: SSAValue) -> None:
        block = op.body.block
        known: dict[SSAValue, SSAValue] = {}
        for arg, memory in zip(block.args, op.ins, strict=True):
            if arg.uses:
                place = buffers.place(memory)
                known[arg] = b.load(place.memory, place.index(b, read_index(b, memory, e, length, wide)), arg.type)
        results = b.inline(block, known)
        for value, memory in zip(results, op.outs, strict=True):
            place = buffers.place(memory)
            b.store(value, place.memory, place.index(b, e))
        for k in op.cleared:
            place = buffers.place(op.ins[k])
            b.store(cleared_number(b, op.ins[k]), place.memory, place.index(b, e))

    return [stage(length, body)] if length else []


def cleared_number(b: Builder, memory: SSAValue) -> SSAValue:
    element = c.element_of_memory(memory)
    return b.zero(element) if c.is_real(element) else b.add(fixed.ConstantOp(0))


def read_index(
    b: Builder, memory: SSAValue, e: SSAValue, length: int, wide: Sequence[tuple[int, ...]]
) -> int | SSAValue:
    """Returns the index of the element that element `e` of a loop reads: itself, the only one, or that of its channel."""
    shape = c.memory_shape(memory)
    if c.length_of(memory) == length:
        return e
    if c.length_of(memory) == 1:
        return 0
    over = next(
        other
        for other in wide
        if len(other) == len(shape) and all(n in (1, m) for n, m in zip(shape, other, strict=True))
    )
    index: int | SSAValue = 0
    for k, n in enumerate(shape):
        if n > 1:
            position = b.modulo(b.over(e, prod(over[k + 1 :])), n) if k else b.over(e, prod(over[1:]))
            index = b.plus(index, b.times(position, prod(shape[k + 1 :])))
    return index


def clear_stages(buffers: Buffers, memory: SSAValue) -> list[kernels.StageOp]:
    def body(b: Builder, e: SSAValue) -> None:
        place = buffers.place(memory)
        b.store(cleared_number(b, memory), place.memory, place.index(b, e))

    return [stage(c.length_of(memory), body)]


def gather_stages(buffers: Buffers, op: c.GatherOp) -> list[kernels.StageOp]:
    """Returns the stage that reads each element from its own row of a ring."""
    rows, length = c.memory_shape(op.ring)[0], c.length_of(op.y)
    ring, ticks, y = buffers.of(op.ring), buffers.of(op.ticks), buffers.place(op.y)
    element = c.element_of_memory(op.ring)
    type = element if c.is_real(element) else IntType.of(interval_in(op.ring))

    def body(b: Builder, e: SSAValue) -> None:
        late = b.load(ticks, e, INDEX)
        row = b.modulo(b.minus(b.plus(b.add(kernels.TickOp()), rows), late), rows)
        value = b.load(ring, b.plus(b.times(row, length), e), type)
        b.store(value, y.memory, y.index(b, e))

    return [stage(length, body)]


def pool_stages(buffers: Buffers, op: c.PoolOp) -> list[kernels.StageOp]:
    """Returns the stage of a pool: the sum, or the greatest, of the positions inside."""
    _, height, width = c.memory_shape(op.x)
    _, rows, columns = c.memory_shape(op.y)
    (ky, kx), (sy, sx), (by, bx) = ([int(k) for k in a.values] for a in (op.kernel, op.stride, op.before))
    x, y = buffers.place(op.x), buffers.place(op.y)
    element = c.element_of_memory(op.y)
    is_real = c.is_real(element)
    type = element if is_real else IntType.of(interval_in(op.y))
    x_type = type if is_real else IntType.of(interval_in(op.x))
    inside = not by and not bx and (rows - 1) * sy + ky <= height and (columns - 1) * sx + kx <= width

    def body(b: Builder, e: SSAValue) -> None:
        channel, row, column = (
            b.over(e, rows * columns),
            b.modulo(b.over(e, columns), rows),
            b.modulo(e, columns),
        )
        corner = b.times(row, sy), b.times(column, sx)

        def tap(at: Builder, dy: SSAValue, dx: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            q, p = at.minus(at.plus(corner[0], dy), by), at.minus(at.plus(corner[1], dx), bx)

            def look(inner: Builder) -> list[SSAValue]:
                index = inner.plus(inner.times(inner.plus(inner.times(channel, height), q), width), p)
                return combine(inner, inner.load(x.memory, x.index(inner, index), x_type), held)

            if inside:
                return look(at)
            fine = at.both(at.is_below(q, height), at.is_below(p, width))
            return at.when(fine, held, look)

        def combine(at: Builder, value: SSAValue, held: list[SSAValue]) -> list[SSAValue]:
            if op.is_greatest is None:
                if is_real:
                    return [at.add(arith.AddfOp(held[0], value))]
                return [at.widened(at.add(fixed.AddOp(held[0], value)), type)]
            best, is_first = held
            if is_real:  # a NaN stays the greatest, as in the reference
                is_behind = at.add(arith.CmpfOp(value, best, "ole"))
                beats = at.add(arith.XOrIOp(is_behind, at.number(1, i1)))
                is_number = at.add(arith.CmpfOp(best, best, "oeq"))
                beats = at.both(beats, is_number)
            else:
                beats = at.add(fixed.CmpOp(value, best, fixed.Relation.GT))
            taken = at.add(arith.OrIOp(is_first, beats))
            if is_real:
                best = at.add(arith.SelectOp(taken, value, best))
            else:
                chosen = at.add(fixed.SelectOp(taken, at.widened(value, type), best))
                best = at.widened(chosen, type)
            return [best, at.number(0, i1)]

        start = [b.zero(type)] if op.is_greatest is None else [b.zero(type), b.number(1, i1)]
        held = b.loop(0, ky, start, lambda at, dy, one: at.loop(0, kx, one, lambda in_, dx, two: tap(in_, dy, dx, two)))
        result = held[0]
        if op.is_greatest is not None and is_real:
            result = b.add(arith.AddfOp(result, b.zero(type)))
        b.store(result, y.memory, y.index(b, e))

    return [stage(c.length_of(op.y), body)]

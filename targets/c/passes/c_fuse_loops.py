"""Fuses loops over the same elements, so that intermediate values stay in registers instead of memory.

    c.loop "fc_affine" (%sums, %bias) -> (%y) …         c.loop "lif" (%sums, %bias, %v) -> (%z, %v) {clears = [0]} …
    c.loop "lif" (%y, %v) -> (%z, %v) …            =>

1. A loop is fused with one that reads its result, if both run over the same shape in the same order in memory,
2. and if one of the two can be moved to the other: no op between them accesses what it writes, or writes what it reads.
3. Values without other users are no longer stored.
4. Sums that one scatter fills and one loop reads are set to zero by that loop, while they are in cache, and not at the start of the next
   tick. They then need memory of their own. Integers with a margin are cleared as before, because the margin may overflow.
5. A loop has at most `MOST_OPERANDS` operands: beyond that no value stays in a register, and compile time grows. A profile of an instruction set may
   permit as many as it has registers.
6. A value that the first loop passes to the second is saturated to the interval that the range analysis proves only if fewer bits are computed then.

Exactness: no number changes.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, Float32Type, Float64Type, FloatAttr, ModuleOp, UnitAttr, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass
from ....dialects import c, fixed
from ....dialects.c import Kind, memory_shape
from ..building.accesses import accessed_buffers, written_buffers
from ..building.program import inline_block, insert_op, widen_value

MOST_OPERANDS = 64
"""Maximal number of operands of two loops that are fused."""


def wide_shape(loop: c.LoopOp) -> tuple[int, ...]:
    return memory_shape(loop.outs[0])


def order_of(loop: c.LoopOp) -> set[object]:
    """Returns the layouts of a loop's results and of all operands that it reads element by element."""
    shape = wide_shape(loop)
    return {c.layout_of(m) for m in loop.operands if memory_shape(m) == shape and len(shape) > 1}


def run_alike(a: c.LoopOp, b: c.LoopOp) -> bool:
    """Returns whether two loops visit the same elements in the same order in memory (1)."""
    if not a.outs or not b.outs or wide_shape(a) != wide_shape(b):
        return False
    shapes = {memory_shape(m) for loop in (a, b) for m in loop.operands if c.length_of(m) == c.length_of(a.outs[0])}
    return len(shapes) == 1 and len(order_of(a) | order_of(b)) <= 1


class Order:
    """The ops of a tick in order, with the accessing ops and the writing ops of each buffer."""

    def __init__(self, block: Block, most_operands: int):
        self.most_operands = most_operands
        self.rank: dict[Operation, int] = {}
        self._touching: dict[c.BufferOp, list[int]] = {}
        self._writing: dict[c.BufferOp, list[int]] = {}
        for k, op in enumerate(block.ops):
            self.add(op, k)

    def _lists(self, op: Operation) -> Iterator[list[int]]:
        for lists, buffers in ((self._touching, accessed_buffers(op)), (self._writing, written_buffers(op))):
            for buffer in buffers:
                yield lists.setdefault(buffer, [])

    def add(self, op: Operation, rank: int) -> None:
        self.rank[op] = rank
        for ranks in self._lists(op):
            insort(ranks, rank)

    def remove(self, op: Operation) -> None:
        rank = self.rank.pop(op)
        for ranks in self._lists(op):
            del ranks[bisect_left(ranks, rank)]

    def can_move(self, op: Operation, a: Operation, b: Operation) -> bool:
        """Returns whether an op can be exchanged with all ops between two others (2)."""
        low, high = self.rank[a], self.rank[b]

        def has_any(ranks: list[int]) -> bool:
            return bisect_right(ranks, low) < bisect_left(ranks, high)

        if any(has_any(self._touching.get(buffer, [])) for buffer in written_buffers(op)):
            return False
        return not any(has_any(self._writing.get(buffer, [])) for buffer in accessed_buffers(op))


def can_stay(value: Attribute, type: Attribute) -> bool:
    """Returns whether a value needs no saturation to become an integer of a type."""
    both = isinstance(value, fixed.IntType) and isinstance(type, fixed.IntType)
    return not both or type.interval.holds(value.interval)


def convert_result(block: Block, value: SSAValue, type: Attribute, saturates: bool) -> SSAValue:
    """Converts a loop's result to the type that the other loop reads. The value equals a store followed by a load.

    The range analysis may prove a narrower interval than the loop: the value is inside, whether it is saturated or not.
    """
    if value.type == type:
        return value
    if not saturates and not can_stay(value.type, type):
        return value
    real = type if isinstance(type, Float32Type | Float64Type) else None
    if value.type == i1:
        pair: list[SSAValue] = []
        for number in (1, 0):
            one = arith.ConstantOp(FloatAttr(float(number), real)) if real is not None else fixed.ConstantOp(number)
            pair.append(insert_op(block, one))
        if real is not None:
            return insert_op(block, arith.SelectOp(value, *pair))
        return widen_value(block, insert_op(block, fixed.SelectOp(value, *pair)), type)
    if isinstance(value.type, fixed.IntType):
        return insert_op(block, fixed.ToRealOp(value, type)) if real is not None else widen_value(block, value, type)
    return insert_op(block, arith.ExtFOp(value, type))


def can_convert(value: Attribute, type: Attribute) -> bool:
    if value == type:
        return True
    if isinstance(value, fixed.IntType) or value == i1:
        return isinstance(type, fixed.IntType | Float32Type | Float64Type)
    return isinstance(value, Float32Type) and isinstance(type, Float64Type)


def width(body: Block) -> int:
    """Returns the bits of the widest integer that a body computes: 16, 32 or 64."""
    types = {result.type for op in body.ops for result in op.results}
    held = [type.interval for type in types if isinstance(type, fixed.IntType)]
    return next((bits for bits in (16, 32) if all(map(Interval.signed(bits).holds, held))), 64)


def joined_loop(a: c.LoopOp, b: c.LoopOp) -> c.LoopOp:
    """Returns a loop that computes the body of `a`, then the body of `b`.

    Integers are saturated in between only if the intervals that are proven need more bits otherwise (6).
    """
    plain = loop_of_both(a, b, saturates=False)
    gives = dict(zip(a.outs, a.yielded, strict=True))
    pairs = [(gives[m], arg) for m, arg in zip(b.ins, b.body.block.args, strict=True) if m in gives]
    if all(can_stay(value.type, arg.type) for value, arg in pairs):
        return plain
    bits = width(plain.body.block)
    plain.erase()
    saturated = loop_of_both(a, b, saturates=True)
    if width(saturated.body.block) < bits:
        return saturated
    saturated.erase()
    return loop_of_both(a, b, saturates=False)


def loop_of_both(a: c.LoopOp, b: c.LoopOp, *, saturates: bool) -> c.LoopOp:
    """Returns a loop that computes both bodies; integers of `a` can be saturated to the intervals of `b`."""
    stored = set(a.outs)
    cleared = {a.ins[k] for k in a.cleared} | {b.ins[k] for k in b.cleared}
    reads = [(m, arg) for m, arg in zip(b.ins, b.body.block.args, strict=True) if m not in stored]
    block = Block(arg_types=[arg.type for arg in (*a.body.block.args, *(arg for _, arg in reads))])
    count = len(a.ins)
    first = inline_block(block, a.body.block, dict(zip(a.body.block.args, block.args[:count], strict=True)))
    gives = dict(zip(a.outs, first, strict=True))
    known: dict[SSAValue, SSAValue] = dict(zip((arg for _, arg in reads), block.args[count:], strict=True))
    for m, arg in zip(b.ins, b.body.block.args, strict=True):
        if m in stored:
            known[arg] = convert_result(block, gives[m], arg.type, saturates)
    second = inline_block(block, b.body.block, known)
    gives |= dict(zip(b.outs, second, strict=True))
    kept = [m for m in gives if not is_forgotten(m, a, b)]
    block.add_op(c.YieldOp(*(gives[m] for m in kept)))
    ins = [*a.ins, *(m for m, _ in reads)]
    clears = [
        next(k for k, m in enumerate(ins) if m is memory) for memory in dict.fromkeys(m for m in ins if m in cleared)
    ]
    label = b.label.data if len(b.yielded) >= len(a.yielded) else a.label.data
    return c.LoopOp(label, ins, kept, Region(block), clears)


def is_forgotten(memory: SSAValue, a: c.LoopOp, b: c.LoopOp) -> bool:
    """Returns whether only these two loops use this memory, and only within a tick (3)."""
    owner = memory.owner
    if not isinstance(owner, c.BufferOp) or owner.kind.data is not Kind.SCRATCH:
        return False
    return all(use.operation in (a, b) for use in memory.uses) and memory not in b.outs


def partner(a: c.LoopOp, order: Order) -> tuple[c.LoopOp, bool] | None:
    """Returns the first later loop that can be fused with `a`, and whether `a` moves to its position instead of the reverse."""
    rank = order.rank
    gives = dict(zip(a.outs, (value.type for value in a.yielded), strict=True))
    cleared = {a.ins[k] for k in a.cleared}
    found = {use.operation for memory in a.outs for use in memory.uses}
    for b in sorted((op for op in found if rank.get(op, -1) > rank[a]), key=rank.__getitem__):
        if not isinstance(b, c.LoopOp) or not any(memory in b.ins for memory in a.outs):
            continue
        if len(a.operands) + len(b.operands) > order.most_operands:  # 5
            continue
        taken = [(gives[m], arg.type) for m, arg in zip(b.ins, b.body.block.args, strict=True) if m in gives]
        fits = all(can_convert(value, type) for value, type in taken)
        if not fits or not run_alike(a, b) or cleared & set(b.operands):
            continue
        if order.can_move(a, a, b):
            return b, True
        if order.can_move(b, a, b):
            return b, False
    return None


def fuse(program: c.ProgramOp) -> None:
    """Fuses loops until no further fusion is possible."""
    block = program.tick.body.block
    order = Order(block, int(program.preference("most_operands", 0)) or MOST_OPERANDS)
    work = [op for op in block.ops if isinstance(op, c.LoopOp)][::-1]
    while work:
        a = work.pop()
        if a.parent is None or (found := partner(a, order)) is None:
            continue
        b, is_later = found
        both, place = joined_loop(a, b), b if is_later else a
        block.insert_op_before(both, place)
        rank = order.rank[place]
        for op in (b, a):
            order.remove(op)
            block.erase_op(op)
        order.add(both, rank)
        work.append(both)


class MoveClear(RewritePattern):
    """clear(sums); scatter(sums); loop(sums) => scatter(sums); loop(sums) {clears = sums}"""  # 4

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: c.ClearOp, rewriter: PatternRewriter, /) -> None:
        owner = op.memory.owner
        if not isinstance(owner, c.BufferOp) or owner.kind.data is not Kind.SCRATCH:
            return
        if owner.margin is not None and not c.is_real(c.element_of_memory(op.memory)):
            return
        users = [use.operation for use in op.memory.uses if use.operation is not op]
        loop = next((user for user in users if isinstance(user, c.LoopOp)), None)
        is_filled = any(isinstance(user, c.ScatterOp) for user in users)
        if len(users) != 2 or loop is None or not is_filled or op.memory not in loop.ins or not loop.outs:
            return
        if c.length_of(op.memory) != c.length_of(loop.outs[0]):
            return
        loop.clears = DenseArrayBase.from_list(i64, sorted({*loop.cleared, list(loop.ins).index(op.memory)}))
        owner.zeroed = UnitAttr()
        rewriter.erase(op)


@dataclass(frozen=True)
class CFuseLoopsPass(NoptPass):
    """Fuses the loops of every `c.program`.

    Options:
        fusion: false keeps one loop for each op; default true.
    """

    name = "c-fuse-loops"
    fusion: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not self.fusion:
            return
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            fuse(program)
            PatternRewriteWalker(MoveClear(), apply_recursively=False).rewrite_region(program.tick.body)

"""Copies of integer ops in narrower intervals: the ops of an update infer their results again from what is known of their operands.

    fixed.saturate %a into -8388608..8388607     with %a in -2286..2286      %a
    fixed.shl %a, %up                            with %up = 0                %a
    fixed.add %a, %b                             with constants              a constant
    fixed.select (%a > %b), %c, %a               with %b in 1..5             %a refined to at most 5

The values stay the same; the types become narrower, so that fewer results need 64 bits, and ops that change nothing are left out.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ....core.fixed_point import LONGEST_SHIFT, Interval
from ....dialects import fixed, ntensor
from ....dialects.fixed import IntType, Relation, interval_of

NEUTRAL: Mapping[type[Operation], int] = {
    fixed.AddOp: 0,
    fixed.SubOp: 0,
    fixed.MulOp: 1,
    fixed.ShlOp: 0,
    fixed.ShrOp: 0,
}
"""The second operand with which an op returns its first."""
COMMUTATIVE = (fixed.AddOp, fixed.MulOp)
OPPOSITE = {
    Relation.EQ: Relation.NE,
    Relation.NE: Relation.EQ,
    Relation.LT: Relation.GE,
    Relation.GE: Relation.LT,
    Relation.GT: Relation.LE,
    Relation.LE: Relation.GT,
}
"""The relation that holds where another one does not."""
MIRRORED = {
    Relation.LT: Relation.GT,
    Relation.GT: Relation.LT,
    Relation.LE: Relation.GE,
    Relation.GE: Relation.LE,
}
"""The relation of exchanged operands, where it is another one."""


def copy_narrowed(block: Block, op: Operation, known: Mapping[SSAValue, SSAValue]) -> list[SSAValue]:
    """Adds a copy of an op with replaced operands to a block and returns its results. An op that only forwards an operand is not copied."""
    xs = [known.get(x, x) for x in op.operands]
    found = unchanged(op, xs)
    if found is not None:
        return [found]
    if isinstance(op, fixed.FixedOperation) and not is_computable(op, xs):
        xs = [saturated(block, x, given) for x, given in zip(xs, op.operands, strict=True)]
    if isinstance(op, fixed.SelectOp):
        xs = [xs[0], implied(block, xs[0], xs[1], True), implied(block, xs[0], xs[2], False)]
    copy = rebuilt(op, xs) or op.clone(dict(known))
    result = copy.results[0] if len(copy.results) == 1 else None
    if result is not None and isinstance(result.type, IntType) and isinstance(op, fixed.FixedOperation):
        held = result.type.interval
        if held.low == held.high and not isinstance(copy, fixed.ConstantOp):
            copy = fixed.ConstantOp(held.low)
    block.add_op(copy)
    return list(copy.results)


def unchanged(op: Operation, xs: list[SSAValue]) -> SSAValue | None:
    """Returns the operand that an op forwards unchanged; None if the op changes its operand."""
    match op:
        case ntensor.LetOp() if isinstance(xs[0].type, IntType) or xs[0].type == i1:
            return xs[0]
        case fixed.WidenOp():
            return xs[0]
        case fixed.RefineOp() if all(isinstance(use.operation, fixed.SelectOp) for use in op.results[0].uses):
            return xs[0]  # where the condition does not hold, the other operand is selected
        case fixed.SaturateOp() | fixed.WrapOp() | fixed.RefineOp() if interval_of(op.y).holds(interval_of(xs[0])):
            return xs[0]
        case fixed.SelectOp() if xs[1] is xs[2]:
            return xs[1]
        case _ if (neutral := NEUTRAL.get(type(op))) is not None:
            if is_constant(xs[1], neutral):
                return xs[0]
            return xs[1] if isinstance(op, COMMUTATIVE) and is_constant(xs[0], neutral) else None
        case _:
            return None


def implied(block: Block, test: SSAValue, x: SSAValue, holds: bool) -> SSAValue:
    """Returns `x`, refined to the interval that follows from a comparison that holds, or does not hold. Other tests imply nothing."""
    compare = test.owner
    if not isinstance(compare, fixed.CmpOp) or x not in (compare.a, compare.b) or compare.a is compare.b:
        return x
    relation = compare.relation.data if holds else OPPOSITE[compare.relation.data]
    other = compare.b if x is compare.a else compare.a
    relation = relation if x is compare.a else MIRRORED.get(relation, relation)
    held, bound = interval_of(x), interval_of(other)
    low, high = held.low, held.high
    match relation:
        case Relation.LT | Relation.LE:
            high = min(high, bound.high - (relation is Relation.LT))
        case Relation.GT | Relation.GE:
            low = max(low, bound.low + (relation is Relation.GT))
        case Relation.EQ:
            low, high = max(low, bound.low), min(high, bound.high)
        case Relation.NE:
            return x
    if (low, high) == (held.low, held.high) or low > high:
        return x
    op = fixed.RefineOp(x, Interval(low, high))
    block.add_op(op)
    return op.y


def is_computable(op: fixed.FixedOperation, xs: list[SSAValue]) -> bool:
    """Returns whether an op is defined for other operands. One is wider than before where a refinement was left out before a select."""
    given = [interval_of(x) for x in xs if isinstance(x.type, IntType)]
    match op:
        case fixed.ShlOp() | fixed.ShrOp() if not Interval(0, LONGEST_SHIFT).holds(given[1]):
            return False
        case fixed.DivOp() if given[1].holds(0):
            return False
        case _:
            return op.infer(*given).fits


def saturated(block: Block, x: SSAValue, given: SSAValue) -> SSAValue:
    """Returns `x` in the interval of `given`, the value that it replaces. `x` is within this interval, so that saturation does not change it."""
    if not isinstance(given.type, IntType) or given.type.interval.holds(interval_of(x)):
        return x
    op = fixed.SaturateOp(x, interval_of(x).clamp(given.type.interval))
    block.add_op(op)
    return op.y


def is_constant(value: SSAValue, number: int) -> bool:
    return isinstance(value.type, IntType) and value.type.interval == Interval(number, number)


def rebuilt(op: Operation, xs: list[SSAValue]) -> Operation | None:
    """Returns an op of integers with other operands and the interval that follows from them; None for other ops."""
    match op:
        case fixed.SaturateOp():
            return fixed.SaturateOp(xs[0], interval_of(xs[0]).clamp(interval_of(op.y)))
        case fixed.RefineOp():
            held, into = interval_of(xs[0]), interval_of(op.y)
            inside = Interval(max(held.low, into.low), min(held.high, into.high))
            return fixed.RefineOp(xs[0], inside) if inside.low <= inside.high else fixed.SaturateOp(xs[0], into)
        case fixed.WrapOp():
            return fixed.WrapOp(xs[0], interval_of(op.y))
        case fixed.BinaryOp() | fixed.UnaryOp():
            return type(op)(*xs)
        case fixed.DivOp():
            return fixed.DivOp(xs[0], xs[1], op.rounding.data)
        case fixed.SelectOp():
            return fixed.SelectOp(xs[0], xs[1], xs[2])
        case _:
            return None


def drop_unused(block: Block) -> None:
    """Removes integer ops and constants without a use."""
    for op in reversed(list(block.ops)):
        if isinstance(op, fixed.FixedOperation | ntensor.LetOp) and not any(result.uses for result in op.results):
            Rewriter.erase_op(op)

"""Clips integers whose excess changes no result, so that fewer ops need 64 bits.

    %p = fixed.mul %x, %gain            of 41 bits        %c = fixed.saturate %x into -2097152..2097151
    %s = fixed.add %v, %p                                 %p = fixed.mul %c, %gain
    %y = fixed.saturate %s into 0..1000000          =>    %s = fixed.add %v, %p
                                                          %y = fixed.saturate %s into 0..1000000

1. The demand on a value is the interval outside of which no result depends on it (`building/demands.py`).
2. The operands of an op whose result needs more than 32 bits are clipped to what this op demands, if the result then fits.
3. Otherwise the result is clipped to its own demand, if that fits. The ops that read it then need 32 bits.
4. A saturation is left out if all its users saturate to a part of its interval.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass
from ....dialects import c, fixed
from ....dialects.fixed import interval_of
from ..building.demands import find_demands, is_integer, operand_demands
from ..building.narrowing import copy_narrowed, drop_unused

NARROW = Interval.signed(32)
ARITHMETIC = (fixed.AddOp, fixed.SubOp, fixed.MulOp, fixed.ShlOp, fixed.NegOp)


def is_wide(value: SSAValue) -> bool:
    return is_integer(value) and not NARROW.holds(interval_of(value))


def clipped(block: Block, x: SSAValue, into: Interval) -> SSAValue:
    """Returns a value that is replaced by the nearest integer of an interval; adds no op if it is inside."""
    inside = interval_of(x).clamp(into)
    if inside == interval_of(x):
        return x
    op = fixed.SaturateOp(x, inside)
    block.add_op(op)
    return op.y


def is_covered(op: Operation) -> bool:
    """Returns whether all users of a saturation saturate to a part of its interval (4)."""
    if not isinstance(op, fixed.SaturateOp):
        return False
    users = [use.operation for use in op.y.uses]
    return all(isinstance(user, fixed.SaturateOp) and interval_of(op.y).holds(interval_of(user.y)) for user in users)


def clip_operands(
    block: Block, op: fixed.FixedOperation, known: dict[SSAValue, SSAValue], demands: dict[SSAValue, Interval]
) -> bool:
    """Replaces the operands of an op in `known` by clipped ones (2). Returns whether its result then needs 32 bits."""
    bounds: dict[SSAValue, Interval] = {}
    for x, demand in operand_demands(op, demands):  # an op may read a value twice
        bounds[x] = demand if x not in bounds else bounds[x].join(demand)
    inside = {x: interval_of(known[x]).clamp(bounds[x]) for x in op.operands}
    result = op.infer(*(inside[x] for x in op.operands))
    if not all(map(NARROW.holds, (*inside.values(), result))):
        return False
    for x, bound in inside.items():
        known[x] = clipped(block, known[x], bound)
    return True


def clip_body(body: Block) -> Block:
    """Returns the same body with clipped integers."""
    demands = find_demands(body)
    copy = Block(arg_types=[arg.type for arg in body.args])
    known: dict[SSAValue, SSAValue] = dict(zip(body.args, copy.args, strict=True))
    last = body.last_op
    assert last is not None  # verified
    for op in body.ops:
        if op is last:
            break
        if is_covered(op) and not is_wide(known[op.operands[0]]):
            known[op.results[0]] = known[op.operands[0]]
            continue
        given = known
        if isinstance(op, ARITHMETIC) and not NARROW.holds(op.infer(*(interval_of(known[x]) for x in op.operands))):
            narrowed = dict(known)
            if clip_operands(copy, op, narrowed, demands):
                given = narrowed
        for result, new in zip(op.results, copy_narrowed(copy, op, given), strict=True):
            demand = demands.get(result)
            fits = demand is not None and is_wide(new) and NARROW.holds(interval_of(new).clamp(demand))
            known[result] = clipped(copy, new, demand) if fits and demand is not None else new  # 3
    copy.add_op(c.YieldOp(*(known[x] for x in last.operands)))
    drop_unused(copy)
    return copy


@dataclass(frozen=True)
class CClipIntegersPass(NoptPass):
    """Clips the integers of the loops of every `c.program`. Options: none."""

    name = "c-clip-integers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            for loop in [inner for inner in program.tick.body.block.ops if isinstance(inner, c.LoopOp)]:
                body = loop.body.block
                if any(is_covered(inner) or any(map(is_wide, inner.results)) for inner in body.ops):
                    region = Region(clip_body(body))
                    for inner in region.block.ops:
                        inner.location = loop.location
                    loop.detach_region(0)
                    loop.add_region(region)

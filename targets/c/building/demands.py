"""Demands on integers: the interval outside of which no result of a loop's body depends on a value.

    %s = fixed.add %v, %x
    %y = fixed.saturate %s into 0..100         demand on %s: 0..100
    yield %y                                   demand on %x, with %v in -5..5: -5..105

A value outside of its demand can be replaced by the nearest integer of the demand. The demand on an operand follows from that on the result, for
every value of the other operand in its interval, so several operands can be replaced at once. Comparisons with b demand b and one more at each side.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block, Operation, SSAValue

from ....core.fixed_point import Interval
from ....dialects import fixed, ntensor
from ....dialects.fixed import IntType, interval_of


def is_integer(value: SSAValue) -> bool:
    return isinstance(value.type, IntType)


def find_demands(block: Block) -> dict[SSAValue, Interval]:
    """Returns the demand on every integer result of the ops of a body; results of other ops, and what they read, are demanded whole."""
    demands: dict[SSAValue, Interval] = {}
    for op in reversed(list(block.ops)):
        for x, demand in operand_demands(op, demands):
            demands[x] = demand if x not in demands else demands[x].join(demand)
    return demands


def operand_demands(op: Operation, demands: dict[SSAValue, Interval]) -> Iterator[tuple[SSAValue, Interval]]:
    """Yields each integer operand of an op with the demand of this op, inside of the interval of the operand."""
    result = op.results[0] if op.results and is_integer(op.results[0]) else None
    demand = None if result is None else demands.get(result, interval_of(result))
    for k, x in enumerate(op.operands):
        if is_integer(x):
            held = interval_of(x)
            yield x, meet(held, operand_demand(op, k, demand) or held)


def meet(held: Interval, demand: Interval) -> Interval:
    """Returns the part of `held` in `demand`; if there is none, the end of `held` nearest to it.

    Clipped values thus stay in the interval of the value that they replace, on which the demands on other operands rest.
    """
    low, high = max(held.low, demand.low), min(held.high, demand.high)
    if low <= high:
        return Interval(low, high)
    return Interval(held.high, held.high) if low > held.high else Interval(held.low, held.low)


def operand_demand(op: Operation, k: int, demand: Interval | None) -> Interval | None:
    """Returns the demand on operand `k` of an op with a demand on its result; None if any value can matter."""
    if isinstance(op, fixed.CmpOp):
        other = interval_of(op.operands[1 - k])
        return Interval(other.low - 1, other.high + 1)
    if demand is None:
        return None
    match op:
        case fixed.SaturateOp() | fixed.RefineOp():  # a refined value is in its interval wherever it is used
            return interval_of(op.y)
        case fixed.WidenOp() | ntensor.LetOp():
            return demand
        case fixed.SelectOp() if k > 0:
            return demand
        case fixed.MinOp() | fixed.MaxOp():
            return demand
        case fixed.NegOp():
            return -demand
        case fixed.AddOp():
            other = interval_of(op.operands[1 - k])
            return Interval(demand.low - other.high, demand.high - other.low)
        case fixed.SubOp():
            a, b = interval_of(op.a), interval_of(op.b)
            if k == 0:
                return Interval(demand.low + b.low, demand.high + b.high)
            return Interval(a.low - demand.high, a.high - demand.low)
        case fixed.MulOp():
            return quotients(demand, interval_of(op.operands[1 - k]).low)
        case fixed.ShlOp() if k == 0:
            return quotients(demand, 1 << interval_of(op.b).low)
        case fixed.ShrOp() if k == 0:
            most = interval_of(op.b).high
            return Interval(min(demand.low, 0) << most, max(demand.high, 0) << most)
        case _:
            return None


def quotients(demand: Interval, least: int) -> Interval | None:
    """Returns the demand on a factor whose other factor is at least `least`; None unless that is positive."""
    if least <= 0:
        return None
    return Interval(min(demand.low, 0) // least, -(-max(demand.high, 0) // least))

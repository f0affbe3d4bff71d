"""Division by constants as multiplication: a quotient that is not negative is a product with a rounded reciprocal, shifted right.

    floor(a / d) = a m >> s,   m = ceil(2^s / d),   for 0 <= a <= A and (m d - 2^s) A < 2^s

Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994, theorem 4.2. Compilers do this for a number, but not for an
array of divisors, and processors have no vector instruction for a division of integers.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Block, SSAValue

from ....core.arrays.numeric import Ints
from ....core.fixed_point import HIGHEST, LONGEST_SHIFT, Rounding
from ....dialects import fixed
from ....dialects.fixed import IntType, interval_of
from .factors import Arrays
from .narrowing import copy_narrowed


def multiply_by_reciprocals(block: Block, arrays: Arrays) -> tuple[Block, list[Ints | None]]:
    """Returns a body without divisions by arrays whose quotients are raised to at least 0, and the constants of its arguments."""
    held: dict[SSAValue, Ints | None] = dict(zip(block.args, arrays, strict=True))
    copy, found = Block(arg_types=[arg.type for arg in block.args]), list(arrays)
    known: dict[SSAValue, SSAValue] = dict(zip(block.args, copy.args, strict=True))
    for op in block.ops:
        division = op.operands[0].owner if isinstance(op, fixed.SaturateOp) and interval_of(op.y).low == 0 else None
        if isinstance(op, fixed.DivOp) and all(is_raised(use.operation) for use in op.y.uses) and is_constant(op, held):
            continue  # its users are computed without it
        if not isinstance(op, fixed.SaturateOp) or not isinstance(division, fixed.DivOp) or division.y in known:
            known.update(zip(op.results, copy_narrowed(copy, op, known), strict=True))
            continue
        divisor = held[division.b]
        assert divisor is not None  # is_constant
        quotient = product(copy, known[division.a], divisor, interval_of(op.y).high, found)
        if quotient is None:
            known.update(zip(division.results, copy_narrowed(copy, division, known), strict=True))
            known.update(zip(op.results, copy_narrowed(copy, op, known), strict=True))
            del known[division.y]  # other users decide for themselves
            continue
        known[op.y] = quotient
    return copy, found


def is_raised(op: object) -> bool:
    """Returns whether an op replaces negative integers by 0."""
    return isinstance(op, fixed.SaturateOp) and interval_of(op.y).low == 0


def is_constant(op: fixed.DivOp, held: dict[SSAValue, Ints | None]) -> bool:
    """Returns whether an op rounds the quotient of positive constants down."""
    divisor = held.get(op.b)
    return op.rounding.data is Rounding.FLOOR and divisor is not None and int(divisor.min(initial=1)) > 0


def product(block: Block, a: SSAValue, divisor: Ints, highest: int, arrays: list[Ints | None]) -> SSAValue | None:
    """Adds the ops of `clamp(floor(a / divisor), 0, highest)` and returns the result; None if the product exceeds 63 bits."""
    top = min(interval_of(a).high, (highest + 1) * int(divisor.max()) - 1)
    if top < 0:
        return None
    reciprocal = reciprocals(divisor, top)
    if reciprocal is None:
        return None
    factors, shift = reciprocal
    arrays.append(factors)
    factor = block.insert_arg(IntType(int(factors.min()), int(factors.max())), len(block.args))

    def add(op: fixed.FixedOperation) -> SSAValue:
        block.add_op(op)
        return op.results[0]

    held = interval_of(a)
    if held.low < 0 or held.high > top:
        a = add(fixed.SaturateOp(a, type(held)(max(held.low, 0), top)))
    quotient = add(fixed.ShrOp(add(fixed.MulOp(a, factor)), add(fixed.ConstantOp(shift))))
    bound = interval_of(quotient)
    return quotient if bound.high <= highest else add(fixed.SaturateOp(quotient, type(bound)(bound.low, highest)))


def reciprocals(divisor: Ints, top: int) -> tuple[Ints, int] | None:
    """Returns the factors and the shift of the smallest exact reciprocals for dividends from 0 to `top`; None if 63 bits are not enough."""
    wide = divisor.astype(object)
    for shift in range(LONGEST_SHIFT):
        factors = -(-(1 << shift) // wide)
        if int(factors.max()) * max(top, 1) > HIGHEST:
            return None
        if ((factors * wide - (1 << shift)) * top < 1 << shift).all():
            return factors.astype(np.int64), shift
    return None

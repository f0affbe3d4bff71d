"""Common factors of integer states: a state that is always a multiple of a constant is stored as the quotient.

    v' = clamp(v + gain a), or 0 where v + gain a > th        v = gain u,   u' = max(u + a, low / gain), or 0 where u + a > floor(th / gain)

An integrate-and-fire neuron that resets to 0 adds multiples of its gain, so its potential is a multiple of it. The quotient needs no multiplication,
and fewer bits: 16 bits hold every intermediate value where the potential needs 32.

1. Products with the factor are multiples. Sums, differences, smaller and greater values, and selections of multiples are multiples.
2. A multiple is compared with another one, or with a constant, which is divided and rounded.
3. A bound that saturates a multiple is a multiple itself, or no value exceeds it.
4. Nothing else uses a multiple.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from xdsl.ir import Block, Operation, SSAValue

from ....core.arrays.numeric import Ints
from ....core.fixed_point import Interval
from ....dialects import c, fixed
from ....dialects.fixed import IntType, Relation, interval_of
from .narrowing import MIRRORED, drop_unused

Arrays = Sequence[Ints | None]
"""The constants of the arguments of a body, in their order; None for other memory."""
LINEAR = (fixed.AddOp, fixed.SubOp, fixed.MinOp, fixed.MaxOp, fixed.NegOp)
"""Ops with `f(g a, g b) = g f(a, b)` for g > 0."""


@frozen(eq=False)
class Factored:
    """A body that computes with the quotient of a state, and the constants of its arguments."""

    block: Block
    arrays: list[Ints | None]
    factor: Ints


class NotMultiple(Exception):
    """A value that has to be a multiple of the factor may be none, or is used in another way."""


def factor_state(block: Block, arrays: Arrays, state: int, out: int, start: Ints) -> Factored | None:
    """Returns a body in which the argument `state`, which the result `out` becomes, is divided by the largest factor; None without a factor.

    Options: start: the initial state, which has to be a multiple as well.
    """
    for factor, value in sorted(factors_of(block, arrays), key=lambda pair: -int(pair[0].min())):
        if (start % factor == 0).all():
            try:
                return Division(block, arrays, state, factor, value).run(out)
            except NotMultiple:
                continue
    return None


def factors_of(block: Block, arrays: Arrays) -> list[tuple[Ints, SSAValue]]:
    """Returns the constants, all at least 1, that a body multiplies with, and their values."""
    held: dict[SSAValue, Ints | None] = dict(zip(block.args, arrays, strict=True))
    found: dict[SSAValue, Ints] = {}
    for op in block.ops:
        for x in op.operands if isinstance(op, fixed.MulOp) else ():
            values = constant_of(x, held.get(x))
            if values is not None and values.min() >= 1 and values.max() > 1:
                found[x] = values
    return [(values, x) for x, values in found.items()]


def constant_of(x: SSAValue, array: Ints | None) -> Ints | None:
    """Returns the numbers of a constant; None for other values."""
    return np.asarray(x.owner.value.value.data) if isinstance(x.owner, fixed.ConstantOp) else array


class Division:
    """The copy of a body in which every multiple of a factor is replaced by its quotient."""

    def __init__(self, block: Block, arrays: Arrays, state: int, factor: Ints, value: SSAValue):
        self.old, self.factor, self.value = block, factor, value
        self.held: dict[SSAValue, Ints | None] = dict(zip(block.args, arrays, strict=True))
        self.arrays = list(arrays)
        types = [arg.type for arg in block.args]
        types[state] = IntType.of(self.quotients(interval_of(block.args[state])))
        self.new = Block(arg_types=types)
        self.known: dict[SSAValue, SSAValue] = dict(zip(block.args, self.new.args, strict=True))
        self.divided: dict[SSAValue, SSAValue] = {block.args[state]: self.new.args[state]}
        """The quotient of every multiple."""

    def run(self, out: int) -> Factored:
        for op in self.old.ops:
            if isinstance(op, c.YieldOp):
                self.finish(op, out)
            elif isinstance(op, fixed.MulOp) and self.value in op.operands:
                self.divide_product(op)
            elif any(x in self.divided for x in op.operands):
                self.divide(op)
            else:
                copy = op.clone(self.known)
                self.new.add_op(copy)
                self.known.update(zip(op.results, copy.results, strict=True))
        drop_unused(self.new)
        return Factored(self.new, self.arrays, self.factor)

    def finish(self, op: c.YieldOp, out: int) -> None:
        if any(x in self.divided for k, x in enumerate(op.operands) if k != out):
            raise NotMultiple  # 4
        last = [self.quotient(x) if k == out else self.known[x] for k, x in enumerate(op.operands)]
        self.new.add_op(c.YieldOp(*last))

    def divide_product(self, op: fixed.MulOp) -> None:
        other = op.b if op.a is self.value else op.a
        if other in self.divided or other is self.value:
            raise NotMultiple  # 4
        self.divided[op.y] = self.known[other]

    def divide(self, op: Operation) -> None:
        """Adds the op for the quotients of an op with multiples among its operands."""
        match op:
            case fixed.CmpOp():
                self.compare(op)
            case fixed.SelectOp() if op.test not in self.divided:
                a, b = self.quotient(op.a), self.quotient(op.b)
                self.divided[op.y] = self.add(fixed.SelectOp(self.known[op.test], a, b))
            case fixed.SaturateOp():
                self.saturate(op)
            case fixed.RefineOp():
                x, inside = self.quotient(op.x), self.quotients(interval_of(op.y))
                held = interval_of(x)
                low, high = max(held.low, inside.low), min(held.high, inside.high)
                self.divided[op.y] = self.add(fixed.RefineOp(x, Interval(low, high))) if low <= high else x
            case _ if isinstance(op, LINEAR):  # 1
                self.divided[op.results[0]] = self.add(type(op)(*(self.quotient(x) for x in op.operands)))
            case _:
                raise NotMultiple  # 4

    def compare(self, op: fixed.CmpOp) -> None:
        """Adds a comparison of quotients (2): `g q > t` where `q > floor(t / g)`, and `g q >= t` where `q >= ceil(t / g)`."""
        relation, a, b = op.relation.data, op.a, op.b
        if a not in self.divided:
            relation, a, b = MIRRORED.get(relation, relation), b, a
        bound = constant_of(b, self.held.get(b))
        if bound is None:
            other = self.quotient(b)
        elif relation in (Relation.GT, Relation.LE):
            other = self.constant(bound // self.factor)
        elif relation in (Relation.GE, Relation.LT):
            other = self.constant(-(-bound // self.factor))
        else:
            other = self.quotient(b)
        self.known[op.y] = self.add(fixed.CmpOp(self.quotient(a), other, relation))

    def saturate(self, op: fixed.SaturateOp) -> None:
        """Adds the bounds of a multiple that values exceed (3)."""
        y, held, into = self.quotient(op.x), interval_of(op.x), interval_of(op.y)
        for is_live, bound, kind in (
            (held.low < into.low, into.low, fixed.MaxOp),
            (held.high > into.high, into.high, fixed.MinOp),
        ):
            if is_live:
                if (bound % self.factor != 0).any():
                    raise NotMultiple
                y = self.add(kind(y, self.constant(bound // self.factor)))
        self.divided[op.y] = y

    def quotient(self, x: SSAValue) -> SSAValue:
        """Returns the quotient of a value, which has to be a multiple."""
        if x in self.divided:
            return self.divided[x]
        values = constant_of(x, self.held.get(x))
        if values is None or (values % self.factor != 0).any():
            raise NotMultiple
        return self.constant(values // self.factor)

    def quotients(self, x: Interval) -> Interval:
        """Returns the quotients of all multiples in an interval; 0 is among them if there are none."""
        low, high = int((-(-x.low // self.factor)).min()), int((x.high // self.factor).max())
        return Interval(low, high) if low <= high else Interval(0, 0)

    def constant(self, values: Ints) -> SSAValue:
        """Returns a number, or a new argument for an array."""
        if (values == values.reshape(-1)[0]).all():
            return self.add(fixed.ConstantOp(int(values.reshape(-1)[0])))
        self.arrays.append(values)
        type = IntType(int(values.min()), int(values.max()))
        return self.new.insert_arg(type, len(self.new.args))

    def add(self, op: Operation) -> SSAValue:
        self.new.add_op(op)
        return op.results[0]

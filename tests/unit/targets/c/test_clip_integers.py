"""Clipped bodies of loops compute the values of the bodies before: generated bodies, with inputs at and between the ends of their intervals."""

from __future__ import annotations

import random

import pytest
from xdsl.ir import Block, SSAValue

from nopt.core.fixed_point import Interval
from nopt.dialects import c, fixed
from nopt.dialects.fixed import IntType, Relation, interval_of
from nopt.targets.c.passes.c_clip_integers import NARROW, clip_body

BINARY = (fixed.AddOp, fixed.SubOp, fixed.MulOp, fixed.MinOp, fixed.MaxOp)
COMPARED = {
    Relation.LT: lambda a, b: a < b,
    Relation.LE: lambda a, b: a <= b,
    Relation.GT: lambda a, b: a > b,
    Relation.GE: lambda a, b: a >= b,
    Relation.EQ: lambda a, b: a == b,
    Relation.NE: lambda a, b: a != b,
}


def draw_interval(rng: random.Random) -> Interval:
    a, b = (rng.randint(-(2**bits), 2**bits) for bits in (rng.choice((3, 8, 20, 31)) for _ in range(2)))
    return Interval(min(a, b), max(a, b))


def draw_body(rng: random.Random) -> Block:
    """Returns a body of arithmetic that ends with saturations, as the updates of neurons do."""
    block = Block(arg_types=[IntType.of(draw_interval(rng)) for _ in range(3)])
    values: list[SSAValue] = list(block.args)

    def add(op: fixed.FixedOperation) -> None:
        block.add_op(op)
        values.append(op.results[0])

    for _ in range(12):
        a, b = rng.choice(values), rng.choice(values)
        kind = rng.choice((*BINARY, fixed.NegOp, fixed.ShlOp, fixed.ShrOp, fixed.SaturateOp, fixed.SelectOp))
        if kind in BINARY and can_compute(kind, a, b):
            add(kind(a, b))
        elif kind is fixed.NegOp and (-interval_of(a)).fits:
            add(fixed.NegOp(a))
        elif kind in (fixed.ShlOp, fixed.ShrOp):
            amount = fixed.ConstantOp(rng.randint(0, 9))
            if (kind is fixed.ShrOp) or interval_of(a).shl(amount.infer()).fits:
                block.add_op(amount)
                add(kind(a, amount.results[0]))
        elif kind is fixed.SaturateOp:
            add(fixed.SaturateOp(a, interval_of(a).clamp(draw_interval(rng))))
        elif kind is fixed.SelectOp:
            test = fixed.CmpOp(a, b, rng.choice(list(COMPARED)))
            block.add_op(test)
            add(fixed.SelectOp(test.results[0], a, rng.choice(values)))
    for value in values[-3:]:
        add(fixed.SaturateOp(value, interval_of(value).clamp(draw_interval(rng))))
    block.add_op(c.YieldOp(*values[-3:]))
    return block


def can_compute(kind: type[fixed.BinaryOp], a: SSAValue, b: SSAValue) -> bool:
    given = interval_of(a), interval_of(b)
    if kind is fixed.MulOp:
        return (given[0] * given[1]).fits
    return kind not in (fixed.AddOp, fixed.SubOp) or max(one.magnitude for one in given) < 2**61


def evaluate(block: Block, args: list[int]) -> list[int]:
    known: dict[SSAValue, int] = dict(zip(block.args, args, strict=True))
    for op in block.ops:
        xs = [known[x] for x in op.operands]
        match op:
            case c.YieldOp():
                return xs
            case fixed.ConstantOp():
                y = op.value.value.data
            case fixed.AddOp():
                y = xs[0] + xs[1]
            case fixed.SubOp():
                y = xs[0] - xs[1]
            case fixed.MulOp():
                y = xs[0] * xs[1]
            case fixed.MinOp():
                y = min(xs)
            case fixed.MaxOp():
                y = max(xs)
            case fixed.NegOp():
                y = -xs[0]
            case fixed.ShlOp():
                y = xs[0] << xs[1]
            case fixed.ShrOp():
                y = xs[0] >> xs[1]
            case fixed.CmpOp():
                y = COMPARED[op.relation.data](*xs)
            case fixed.SelectOp():
                y = xs[1] if xs[0] else xs[2]
            case fixed.SaturateOp():
                y = min(max(xs[0], interval_of(op.y).low), interval_of(op.y).high)
            case fixed.RefineOp():
                y = xs[0]
            case _:
                raise AssertionError(op.name)
        known[op.results[0]] = y
    raise AssertionError("no yield")


def wide_count(block: Block) -> int:
    types = [op.results[0].type for op in block.ops if op.results]
    return sum(isinstance(type, IntType) and not NARROW.holds(type.interval) for type in types)


@pytest.mark.parametrize("first", range(0, 400, 200))
def test_clipped_bodies_compute_the_same(first: int) -> None:
    fewer = 0
    for seed in range(first, first + 200):
        rng = random.Random(seed)
        body = draw_body(rng)
        clipped = clip_body(body)
        fewer += wide_count(clipped) < wide_count(body)
        ends = [interval_of(arg) for arg in body.args]
        for k in range(24):
            args = [rng.choice((one.low, one.high, rng.randint(one.low, one.high))) for one in ends]
            if k % 2:
                args = [min(max(rng.randint(-300, 300), one.low), one.high) for one in ends]
            assert evaluate(clipped, args) == evaluate(body, args), seed
    assert fewer > 20

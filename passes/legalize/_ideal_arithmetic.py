"""Ideal arithmetic of an update: its equations in reals, without the widths and the roundings of its integers.

Two updates that follow the same rule differ by rounding and by the ranges of their registers. Both are left out here, so that any remaining
difference is one of the rule itself.

| op | here |
| --- | --- |
| saturate, wrap, refine, widen, precision | the value itself |
| a quotient, a shift, a rounded real | the real quotient, a product with a power of two, the real |
| a rounding that produces the number of spikes | unchanged: `n = floor(v / threshold)` is part of the rule |

Shapes: all arrays broadcast to (rows, stimuli).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import i1
from xdsl.ir import Block, Operation, SSAValue

from ...core.arrays.numeric import AnyArray, Reals
from ...core.fixed_point import Interval, Rounding
from ...dialects import fixed, ntensor
from ...dialects.fixed import comparison_symbol
from ...simulation.update import COMPARISONS

Function = Callable[..., Any]

ROUNDED: Mapping[Rounding, Function] = {
    Rounding.FLOOR: np.floor,
    Rounding.CEIL: np.ceil,
    Rounding.TRUNCATE: np.trunc,
    Rounding.ROUND: np.rint,
}


def identity(x: Any) -> Any:
    return x


def shifted_left(a: Any, b: Any) -> Any:
    return a * np.exp2(b)


def shifted_right(a: Any, b: Any) -> Any:
    return a * np.exp2(-b)


def quotient(rounded: Function, a: Any, b: Any) -> Any:
    return rounded(np.divide(a, b))


def clipped(rounded: Function, into: Interval, x: Any) -> Any:
    return np.clip(rounded(x), into.low, into.high)


PLAIN: dict[type[Operation], Function] = {
    **dict.fromkeys((arith.AddfOp, fixed.AddOp), np.add),
    **dict.fromkeys((arith.SubfOp, fixed.SubOp), np.subtract),
    **dict.fromkeys((arith.MulfOp, fixed.MulOp), np.multiply),
    **dict.fromkeys((arith.NegfOp, fixed.NegOp), np.negative),
    **dict.fromkeys((arith.MinimumfOp, fixed.MinOp), np.minimum),
    **dict.fromkeys((arith.MaximumfOp, fixed.MaxOp), np.maximum),
    **dict.fromkeys((arith.SelectOp, fixed.SelectOp), np.where),
    **dict.fromkeys((mathd.AbsFOp, fixed.AbsOp), np.absolute),
    **dict.fromkeys(
        (mathd.FloorOp, mathd.CeilOp, mathd.TruncOp, mathd.RoundEvenOp, arith.ExtFOp, arith.TruncFOp), identity
    ),
    **dict.fromkeys((fixed.SaturateOp, fixed.WrapOp, fixed.RefineOp, fixed.WidenOp, fixed.ToRealOp), identity),
    arith.DivfOp: np.divide,
    arith.AndIOp: np.logical_and,
    arith.OrIOp: np.logical_or,
    arith.XOrIOp: np.logical_xor,
    mathd.CopySignOp: np.copysign,
    mathd.ExpOp: np.exp,
    mathd.LogOp: np.log,
    mathd.SqrtOp: np.sqrt,
    fixed.SignOp: np.sign,
    fixed.ShlOp: shifted_left,
    fixed.ShrOp: shifted_right,
    fixed.DivOp: np.divide,
    fixed.FromRealOp: identity,
    ntensor.LetOp: identity,
}
COMPARING = arith.CmpfOp | fixed.CmpOp
COUNTS = fixed.DivOp | fixed.FromRealOp


def function_of(op: Operation, is_count: bool) -> Function | None:
    """Returns the function of an op on reals, None if it is not known."""
    match op:
        case arith.CmpfOp() | fixed.CmpOp():
            return COMPARISONS.get(comparison_symbol(op))
        case fixed.DivOp() if is_count:
            return partial(quotient, ROUNDED[op.rounding.data])
        case fixed.FromRealOp() if is_count:
            return partial(clipped, ROUNDED[op.rounding.data], fixed.interval_of(op.y))
        case fixed.SaturateOp() if is_count:
            return partial(clipped, identity, fixed.interval_of(op.y))
        case _:
            return PLAIN.get(type(op))


def emission_ops(update: ntensor.UpdateOp) -> tuple[list[Operation], list[Operation], list[Operation]]:
    """Returns the comparisons that decide what a step emits, the roundings that make it a number of spikes, and the limits of that number."""
    tests, counts, limits = list[Operation](), list[Operation](), list[Operation]()
    stack, seen = [update.emitted], set[SSAValue]()
    while stack:
        x = stack.pop()
        if x in seen or not isinstance(x.owner, Operation):
            continue
        seen.add(x)
        if isinstance(x.owner, COMPARING | arith.XOrIOp):  # a negation turns a comparison round
            tests.append(x.owner)
        elif isinstance(x.owner, COUNTS):
            counts.append(x.owner)
        else:
            if isinstance(x.owner, fixed.SaturateOp) and update.emits.data is ntensor.Emits.COUNT:
                limits.append(x.owner)
            stack.extend(x.owner.operands)
    return tests, counts, limits


class Tape:
    """A region as a list of functions over reals."""

    def __init__(self, block: Block, counts: Sequence[Operation] = ()):
        self.args = len(block.args)
        slots: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
        self.constants: dict[int, Any] = {}
        self.calls: list[tuple[Function, tuple[int, ...], int]] = []
        last = block.last_op
        assert last is not None  # verified: a region ends in its terminator
        for op in block.ops:
            if op is last:
                break
            slot = slots[op.results[0]] = len(slots)
            if isinstance(op, arith.ConstantOp | fixed.ConstantOp):
                held: Any = op.value
                self.constants[slot] = bool(held.value.data) if op.results[0].type == i1 else float(held.value.data)
                continue
            function = function_of(op, op in counts)
            if function is None:
                raise UnknownOp(op.name)
            self.calls.append((function, tuple(slots[x] for x in op.operands), slot))
        self.size = len(slots)
        self.ends = [slots[x] for x in last.operands]

    def __call__(self, args: Sequence[Any]) -> list[Any]:
        held: list[Any] = [*args, *[None] * (self.size - self.args)]
        for slot, value in self.constants.items():
            held[slot] = value
        for function, operands, slot in self.calls:
            held[slot] = function(*(held[k] for k in operands))
        return [held[k] for k in self.ends]


class UnknownOp(Exception):
    """An op that has no meaning on reals, so that the rule is not known."""


class Ideal:
    """An update in reals. Raises `UnknownOp`."""

    def __init__(self, update: ntensor.UpdateOp):
        self.update = update
        self.names = {
            kind: [name.data for name in getattr(update, kind)]
            for kind in ("inputs", "states", "params", "raw", "canonical")
        }
        _, counts, limits = emission_ops(update)
        self.deriving, self.starting = Tape(update.derive.block), Tape(update.initial.block)
        self.stepping = Tape(update.step.block, [*counts, *limits])
        self.adding = [(name, into, Tape(block)) for name, into, block in update.accumulators]

    def derive(self, dt: float, raw: Mapping[str, AnyArray]) -> tuple[dict[str, AnyArray], dict[str, AnyArray]]:
        """Returns the parameters of the step, and the canonical ones."""
        with np.errstate(all="ignore"):
            ends = self.deriving([dt, *(raw[name] for name in self.names["raw"])])
        params = self.names["params"]
        return dict(zip(params, ends, strict=False)), dict(
            zip(self.names["canonical"], ends[len(params) :], strict=True)
        )

    def start(self, params: Mapping[str, AnyArray]) -> dict[str, AnyArray]:
        with np.errstate(all="ignore"):
            return dict(zip(self.names["states"], self.starting(self.given(params)), strict=True))

    def given(self, params: Mapping[str, AnyArray]) -> list[AnyArray]:
        return [params[name] for name in self.names["params"]]

    def run(self, params: Mapping[str, AnyArray], x: Reals, first: str) -> Reals:
        """Returns the output tick by tick; the input `first` receives `x`, others receive zero.

        Shapes: x (ticks, rows, stimuli); the result alike.
        """
        states, held = self.start(params), self.given(params)
        found = np.empty(x.shape)
        with np.errstate(all="ignore"):
            for tick, now in enumerate(x):
                for name, into, add in self.adding:
                    if name == first:
                        states[into] = add([now, states[into]])[0]
                inputs = [now if name == first else 0.0 for name in self.names["inputs"]]
                ends = self.stepping([*inputs, *states.values(), *held])
                found[tick] = ends[0]
                states = dict(zip(self.names["states"], ends[1:], strict=False))
        return found

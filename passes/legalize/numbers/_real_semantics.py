"""Ideal arithmetic of an update: its equations in reals, without the widths and the roundings of its integers.

Two updates that follow the same rule differ by rounding and by the ranges of their registers. Both are left out here, so that any remaining
difference is one of the rule itself.

| op | here |
| --- | --- |
| saturate, wrap, refine, widen, precision | the value itself |
| a quotient, a shift, a rounded real | the real quotient, a product with a power of two, the real |
| a half that makes a shift round to nearest, `x + (1 << n >> 1) >> n` | nothing |
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

from ....core.arrays.numeric import AnyArray, Reals
from ....core.fixed_point import ROUND_REALS, Interval
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import texts_of
from ....dialects import fixed, ntensor
from ....dialects.fixed import comparison_symbol
from ....simulation.scalars import Program
from ....simulation.update import COMPARISONS

Function = Callable[..., Any]


def identity(x: Any) -> Any:
    return x


def first(x: Any, _: Any) -> Any:
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
    **dict.fromkeys((ntensor.LetOp, ntensor.RoundRealOp), identity),
}
ENDS = arith.CmpfOp | fixed.CmpOp | arith.XOrIOp | fixed.DivOp | fixed.FromRealOp
"""Ops that decide what a step emits; a negation turns a comparison round."""


def known_function(op: Operation, is_count: bool) -> Function | None:
    """Returns the function of an op on reals, None if it is not known."""
    match op:
        case arith.ConstantOp() | fixed.ConstantOp():
            held: Any = op.value
            number = bool(held.value.data) if op.results[0].type == i1 else float(held.value.data)
            return lambda: number
        case arith.CmpfOp() | fixed.CmpOp():
            return COMPARISONS.get(comparison_symbol(op))
        case fixed.AddOp() if is_half_of_shift(op):
            return first
        case fixed.DivOp() if is_count:
            return partial(quotient, ROUND_REALS[op.rounding.data])
        case fixed.FromRealOp() if is_count:
            return partial(clipped, ROUND_REALS[op.rounding.data], fixed.interval_of(op.y))
        case fixed.SaturateOp() if is_count:
            return partial(clipped, identity, fixed.interval_of(op.y))
        case _:
            return PLAIN.get(type(op))


def is_half_of_shift(op: fixed.AddOp) -> bool:
    """Returns whether an op adds `1 << n >> 1` before a shift to the right by n."""
    match op.b.owner:
        case fixed.ShrOp(a=a, b=b) if isinstance(a.owner, fixed.ShlOp) and is_one(a.owner.a) and is_one(b):
            amount = a.owner.b
            return all(
                isinstance(use.operation, fixed.ShrOp) and use.operation.b is amount for use in op.results[0].uses
            )
        case _:
            return False


def is_one(value: SSAValue) -> bool:
    return isinstance(value.owner, fixed.ConstantOp) and value.owner.value.value.data == 1


def emission_ops(
    update: ntensor.UpdateOp,
) -> tuple[list[Operation], list[fixed.DivOp | fixed.FromRealOp], list[Operation]]:
    """Returns the ops that determine the output of a step: comparisons, roundings to a spike count, and limits of this count."""
    tests, counts, limits = list[Operation](), list[fixed.DivOp | fixed.FromRealOp](), list[Operation]()
    for value in walk_upstream([update.emitted], lambda op: not isinstance(op, ENDS)):
        match value.owner:
            case arith.CmpfOp() | fixed.CmpOp() | arith.XOrIOp() as op:
                tests.append(op)
            case fixed.DivOp() | fixed.FromRealOp() as op:
                counts.append(op)
            case fixed.SaturateOp() as op if update.emits.data is ntensor.Emits.COUNT:
                limits.append(op)
            case _:
                pass
    return tests, counts, limits


class UnknownOp(Exception):
    """An op that has no meaning on reals, so that the rule is not known."""


def compile_region(block: Block, counts: Sequence[Operation] = ()) -> Program:
    """Returns a region as functions on reals. Raises `UnknownOp`."""

    def function_of(op: Operation) -> Function:
        if (function := known_function(op, op in counts)) is None:
            raise UnknownOp(op.name)
        return function

    return Program(block, function_of)


class Ideal:
    """An update in reals. Raises `UnknownOp`."""

    def __init__(self, update: ntensor.UpdateOp):
        self.update = update
        self.names = {
            kind: texts_of(getattr(update, kind)) for kind in ("inputs", "states", "params", "raw", "canonical")
        }
        _, counts, limits = emission_ops(update)
        self.deriving, self.starting = compile_region(update.derive.block), compile_region(update.initial.block)
        self.stepping = compile_region(update.step.block, [*counts, *limits])
        self.adding = [(name, into, compile_region(block)) for name, into, block in update.accumulators]

    def derive(self, dt: float, raw: Mapping[str, AnyArray]) -> tuple[dict[str, AnyArray], dict[str, AnyArray]]:
        """Returns the parameters of the step and the canonical values, derived from the raw parameters."""
        with np.errstate(all="ignore"):
            ends = self.deriving([dt, *(raw[name] for name in self.names["raw"])])
        params, canonical = self.names["params"], self.names["canonical"]
        return dict(zip(params, ends, strict=False)), dict(zip(canonical, ends[len(params) :], strict=True))

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

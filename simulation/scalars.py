"""Scalar semantics of the ops of an update: Python floats, booleans and unbounded integers.

Used for values that are computed once, in f64 and value by value with the C library (`math.exp`), because `numpy.exp` over an array
differs from it in the last bit of some values. Operations that raise in Python return the IEEE 754 result: infinity or NaN.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable
from functools import partial
from itertools import takewhile
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import f32, i1
from xdsl.ir import Block, Operation, SSAValue

from ..core.fixed_point import Interval, Rounding, quotient, wrap_value
from ..core.half_precision import Half, round_to_half
from ..dialects import fixed, ntensor
from ..dialects.fixed import ROUNDINGS, comparison_symbol

Scalar = Callable[..., Any]


def divide(a: float, b: float) -> float:
    if b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1.0, b)
    return a / b


def exponential(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def logarithm(x: float) -> float:
    return -math.inf if x == 0 else math.nan if x < 0 else math.log(x)


def root(x: float) -> float:
    return math.nan if x < 0 else math.sqrt(x)


def identity(x: Any) -> Any:
    return x


def select(test: bool, a: Any, b: Any) -> Any:
    return a if test else b


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


def both(a: bool, b: bool) -> bool:
    return a and b


def either(a: bool, b: bool) -> bool:
    return a or b


def shl(a: int, b: int) -> int:
    return a << b


def shr(a: int, b: int) -> int:
    return a >> b


def smaller(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else min(a, b)


def larger(a: float, b: float) -> float:
    return math.nan if math.isnan(a) or math.isnan(b) else max(a, b)


def round_real(rounding: Rounding, x: float) -> float:
    """Returns a rounded real; infinities and NaN are unchanged."""
    if not math.isfinite(x):
        return x
    whole: Scalar = {"floor": math.floor, "ceil": math.ceil, "truncate": math.trunc, "round": round}[rounding]
    return math.copysign(float(whole(x)), x)


def round_half(format: Half, x: float) -> float:
    """Returns the nearest number of a format of 16 bits."""
    return float(round_to_half(np.array(x, np.float64), format))


def saturate(into: Interval, x: int) -> int:
    return min(max(x, into.low), into.high)


def from_real(rounding: Rounding, into: Interval, x: float) -> int:
    """Returns a rounded real as an integer of `into`; NaN becomes the lower bound."""
    x = round_real(rounding, x)
    return into.low if math.isnan(x) or x <= into.low else into.high if x >= into.high else int(x)


PLAIN: dict[type[Operation], Scalar] = {
    arith.AddfOp: operator.add,
    arith.SubfOp: operator.sub,
    arith.MulfOp: operator.mul,
    arith.DivfOp: divide,
    arith.NegfOp: operator.neg,
    arith.MinimumfOp: smaller,
    arith.MaximumfOp: larger,
    arith.SelectOp: select,
    arith.AndIOp: both,
    arith.OrIOp: either,
    arith.XOrIOp: operator.ne,
    arith.ExtFOp: identity,
    arith.TruncFOp: identity,
    mathd.AbsFOp: abs,
    mathd.CopySignOp: math.copysign,
    mathd.ExpOp: exponential,
    mathd.LogOp: logarithm,
    mathd.SqrtOp: root,
    fixed.AddOp: operator.add,
    fixed.SubOp: operator.sub,
    fixed.MulOp: operator.mul,
    fixed.NegOp: operator.neg,
    fixed.AbsOp: abs,
    fixed.SignOp: sign,
    fixed.MinOp: min,
    fixed.MaxOp: max,
    fixed.ShlOp: shl,
    fixed.ShrOp: shr,
    fixed.SelectOp: select,
    fixed.ToRealOp: float,
    fixed.WidenOp: identity,
    ntensor.LetOp: identity,
}
COMPARISONS: dict[str, Scalar] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@np.errstate(over="ignore")
def in_f32(function: Scalar, *args: Any) -> float:
    """Computes in f64 and rounds to f32, large values to infinity; exact for a sum, product, quotient or root of two f32."""
    return float(np.float32(function(*args)))


def scalar(op: Operation) -> Scalar | None:
    """Returns the function that an op computes, or None for an unknown op."""
    function = scalar_in_f64(op)
    if function is None or op.results[0].type != f32:
        return function
    return partial(in_f32, function)


class Program:
    """A region as a list of calls. Slots store the arguments, then the result of each op."""

    def __init__(self, block: Block, function_of: Callable[[Operation], Scalar]):
        self.slots: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
        self.calls: list[tuple[Scalar, tuple[int, ...]]] = []
        last = block.last_op
        assert last is not None  # verified: a region ends in its terminator
        for op in takewhile(lambda op: op is not last, block.ops):
            self.calls.append((function_of(op), tuple(self.slots[x] for x in op.operands)))
            self.slots[op.results[0]] = len(self.slots)
        self.ends = [self.slots[x] for x in last.operands]

    def __call__(self, args: Iterable[Any]) -> list[Any]:
        """Returns the operands of the terminator."""
        held = list(args)
        for function, operands in self.calls:
            held.append(function(*(held[k] for k in operands)))
        return [held[k] for k in self.ends]


def scalar_in_f64(op: Operation) -> Scalar | None:
    if (rounding := ROUNDINGS.get(type(op))) is not None:
        return partial(round_real, rounding)
    if (plain := PLAIN.get(type(op))) is not None:  # most ops, in less time than the classes below
        return plain
    match op:
        case arith.ConstantOp() | fixed.ConstantOp():
            value: Any = op.value
            number = bool(value.value.data) if op.results[0].type == i1 else value.value.data
            return lambda: number
        case arith.CmpfOp() | fixed.CmpOp():
            return COMPARISONS.get(comparison_symbol(op))
        case fixed.DivOp():
            return partial(quotient, rounding=op.rounding.data)
        case fixed.FromRealOp():
            return partial(from_real, op.rounding.data, fixed.interval_of(op.y))
        case fixed.SaturateOp() | fixed.RefineOp():
            return partial(saturate, fixed.interval_of(op.y))
        case ntensor.RoundRealOp():
            return partial(round_half, op.format)
        case fixed.WrapOp():
            return partial(wrap_value, into=fixed.interval_of(op.y))
        case _:
            return None

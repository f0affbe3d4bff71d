"""Expressions of the languages of equations, read from the scalar ops of an update or a learning rule."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64, i1
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from ...core.diagnostics import Code, describe_op, refuse
from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Neg, Not, Number, walk
from ...core.fixed_point import HIGHEST, LOWEST, Interval
from ...core.neuron.tree import Bounds, Declared
from .. import fixed, ntensor
from ..fixed import ROUNDINGS, comparison_symbol

NEU024 = Code("NEU024", "update-not-expressible", "the neuron language cannot express this update")
SYN008 = Code("SYN008", "rule-not-expressible", "the synapse language cannot express this rule")
BINARY: dict[type[Operation], str] = {
    arith.AddfOp: "+",
    arith.SubfOp: "-",
    arith.MulfOp: "*",
    arith.DivfOp: "/",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    fixed.AddOp: "+",
    fixed.SubOp: "-",
    fixed.MulOp: "*",
    fixed.ShlOp: "<<",
    fixed.ShrOp: ">>",
}
CALLS: dict[type[Operation], str] = {
    arith.MinimumfOp: "min",
    arith.MaximumfOp: "max",
    mathd.AbsFOp: "abs",
    mathd.ExpOp: "exp",
    mathd.LogOp: "log",
    mathd.SqrtOp: "sqrt",
    fixed.MinOp: "min",
    fixed.MaxOp: "max",
    fixed.AbsOp: "abs",
    fixed.SignOp: "sign",
}
CLIPS = ((arith.MinimumfOp, arith.MaximumfOp), (fixed.MinOp, fixed.MaxOp))
CONVERSIONS = (arith.ExtFOp, arith.TruncFOp, fixed.ToRealOp)
ANYTHING = Interval(LOWEST, HIGHEST)
WIDE = Declared("f64")


def owner(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def declared_as(interval: Interval, mode: str = "") -> Declared:
    """Returns the narrowest declared type for an interval, with bounds if the interval is not a whole width."""
    bits = max(interval.high.bit_length(), (~interval.low).bit_length() if interval.low < 0 else 0)
    whole = Interval.unsigned(max(bits, 1)) if interval.low >= 0 else Interval.signed(bits + 1)
    type = f"u{max(bits, 1)}" if interval.low >= 0 else f"s{bits + 1}"
    bounds = None if whole == interval else Bounds(str(interval.low), str(interval.high))
    return Declared(type, mode, bounds)


class Reader:
    """Conversion of one region of an update or a rule to expressions. Errors: NEU024, or SYN008 of a rule."""

    def __init__(self, update: ntensor.UpdateOp | ntensor.RuleOp, block: Block, precision: Attribute, names: list[str]):
        self.update = update
        self.precision = precision
        self.names: dict[SSAValue, str] = dict(zip(block.args, names, strict=True))
        self.arrived: dict[SSAValue, SSAValue] = {}
        """Conversions of raw parameters to their own kind, which the text does not contain."""
        self.convert: dict[SSAValue, str] = {}
        """Values that are converted at each read, because the text declares them in another precision than their region."""
        self.current: dict[str, SSAValue] = {name: arg for arg, name in self.names.items()}

    def cannot(self, what: str) -> Any:
        is_rule = isinstance(self.update, ntensor.RuleOp)
        code, language = (SYN008, "synapse") if is_rule else (NEU024, "neuron")
        message = f"the {language} language does not support: {what}"
        refuse(code, message, at=describe_op(self.update)[0], found=what)

    def bind(self, let: ntensor.LetOp) -> None:
        self.names[let.y] = let.variable.data
        self.current[let.variable.data] = let.y

    def integers(self, value: SSAValue) -> Interval | None:
        return value.type.interval if isinstance(value.type, fixed.IntType) else None

    def expr(self, value: SSAValue) -> Expr:
        value = self.arrived.get(value, value)
        if value in self.names:
            name = self.names[value]
            if self.current[name] is not value:
                self.cannot(f"name for an old value of {name}")
            return self.call(self.convert[value], Name(name)) if value in self.convert else Name(name)
        op = owner(value)
        assert op is not None  # every argument has a name
        return self.operation(op)

    def call(self, function: str, *arguments: Expr) -> Call:
        return Call(function, arguments)

    def binary(self, operator: str, op: Operation) -> Binary:
        left, right = map(self.expr, op.operands)
        return Binary(operator, left, right)

    def operation(self, op: Operation) -> Expr:
        if (special := self.sign(op) or self.clip(op)) is not None:
            return special
        if (operator := BINARY.get(type(op))) is not None:
            return self.binary(operator, op)
        if (function := CALLS.get(type(op))) is not None:
            return self.call(function, *map(self.expr, op.operands))
        if (rounding := ROUNDINGS.get(type(op))) is not None:
            return self.call(self.real(op.results[0].type), self.call(rounding, self.expr(op.operands[0])))
        match op:
            case arith.ConstantOp() | fixed.ConstantOp():
                return self.constant(op)
            case ntensor.RoundRealOp():
                return self.call(op.format, self.expr(op.x))
            case arith.NegfOp() | fixed.NegOp():
                return Neg(self.expr(op.operands[0]))
            case arith.CmpfOp() | fixed.CmpOp() if comparison_symbol(op):
                return self.binary(comparison_symbol(op), op)
            case arith.SelectOp() | fixed.SelectOp():
                test, then, otherwise = map(self.expr, op.operands)
                return Cond(then, test, otherwise)
            case arith.XOrIOp() if self.expr(op.operands[1]) == Name("true"):
                return Not(self.expr(op.operands[0]))
            case fixed.RefineOp() | fixed.WidenOp():
                return self.expr(op.x)
            case fixed.SaturateOp():
                return self.clipped(self.expr(op.x), fixed.interval_of(op.y))
            case fixed.FromRealOp():
                rounded = self.call(str(op.rounding.data), self.expr(op.x))
                return self.clipped(rounded, fixed.interval_of(op.y))
            case fixed.DivOp():
                return self.call(str(op.rounding.data), self.binary("/", op))
            case arith.ExtFOp() | arith.TruncFOp() | fixed.ToRealOp():
                return self.call(self.real(op.results[0].type), self.expr(op.operands[0]))
            case _:
                return self.cannot(op.name)

    def real(self, type: Attribute) -> str:
        """Returns the name of the conversion to a type of reals."""
        return "real" if type == self.precision else "f32" if type == f32 else "f64"

    def constant(self, op: arith.ConstantOp | fixed.ConstantOp) -> Expr:
        held: Any = op.value
        type, number = op.results[0].type, held.value.data
        if type == i1:
            return Name("true" if number else "false")
        if isinstance(type, Float32Type | Float64Type):
            if math.isnan(number):
                return self.cannot("number for NaN")
            return signed_literal(math.copysign(1.0, number) < 0, shortest(abs(number), type))
        return signed_literal(number < 0, str(abs(number)))

    def clipped(self, x: Expr, into: Interval) -> Expr:
        return self.call("clip", x, *(signed_literal(end < 0, str(abs(end))) for end in (into.low, into.high)))

    def clip(self, op: Operation) -> Expr | None:
        """Returns `clip(x, low, high)` for `min(max(x, low), high)`; integers with two constant bounds are a saturation instead."""
        for outer, inner in CLIPS:
            held = owner(op.operands[0]) if isinstance(op, outer) else None
            if isinstance(held, inner) and held.results[0] not in self.names:
                bounds = [held.operands[1], op.operands[1]]
                if isinstance(held, fixed.MaxOp) and all(isinstance(owner(b), fixed.ConstantOp) for b in bounds):
                    continue
                return self.call("clip", *map(self.expr, (held.operands[0], *bounds)))
        return None

    def sign(self, op: Operation) -> Expr | None:
        """Returns `sign(x)` for the two comparisons that compute the sign of a real, else None."""
        if not isinstance(op, arith.SelectOp) or not isinstance(inner := owner(op.operands[2]), arith.SelectOp):
            return None
        tests = [owner(op.operands[0]), owner(inner.operands[0])]
        if not all(isinstance(test, arith.CmpfOp) for test in tests) or None in tests:
            return None
        above, below = (test for test in tests if isinstance(test, arith.CmpfOp))
        x = above.operands[0]
        numbers = [above.operands[1], op.operands[1], below.operands[1], inner.operands[1], inner.operands[2]]
        relations = [comparison_symbol(test) for test in (above, below)]
        same = below.operands[0] is x and relations == [">", "<"]
        if not same or [number_of(number) for number in numbers] != [0.0, 1.0, 0.0, -1.0, 0.0]:
            return None
        return self.call("sign", self.expr(x))


def number_of(value: SSAValue) -> float | None:
    """Returns the real value of a constant, else None."""
    op = owner(value)
    held: Any = op.value if isinstance(op, arith.ConstantOp) and op.result.type != i1 else None
    return None if held is None else held.value.data


def signed_literal(negative: bool, text: str) -> Expr:
    number = Number(text)
    return Neg(number) if negative else number


def shortest(number: float, type: Attribute) -> str:
    """Returns the shortest decimal that converts to the same real."""
    if math.isinf(number):
        return "1e999"  # beyond every double
    text = str(np.float32(number)) if type == f32 else repr(number)
    return text.removesuffix(".0")


def is_number(expr: Expr) -> bool:
    """Returns whether an expression is a number, whose kind depends on its context."""
    if isinstance(expr, Cond):
        return is_number(expr.then) and is_number(expr.otherwise)
    return all(isinstance(part, Number | Neg | Binary) for part in walk(expr)) and not (
        isinstance(expr, Binary) and expr.operator not in "+-*/"
    )


def precision_of(update: ntensor.UpdateOp | ntensor.RuleOp) -> Attribute:
    """Returns the precision of the network: f32 if all reals are f32, or some are and the symbol ends in `.f32`; else f64."""
    regions = (*update.blocks, update.efficacy) if isinstance(update, ntensor.RuleOp) else (update.step,)
    blocks = [region.block for region in regions]
    values = [
        *(arg for block in blocks for arg in block.args),
        *(x for b in blocks for op in b.ops for x in op.results),
    ]
    reals = {value.type for value in values} & {f32, f64}
    return f32 if reals == {f32} or (f32 in reals and update.sym_name.data.endswith(".f32")) else f64


def strip_conversion(value: SSAValue) -> SSAValue:
    """Returns the value before its conversion to f64 for the terminator of the region."""
    op = owner(value)
    return op.operands[0] if isinstance(op, CONVERSIONS) else value


def strip_name(value: SSAValue) -> SSAValue:
    """Returns the assigned value before `ntensor.let` named it."""
    while isinstance(op := owner(value), ntensor.LetOp):
        value = op.x
    return value


def accumulated_state(block: Block) -> SSAValue:
    """Returns the state after an accumulation."""
    assert block.last_op is not None  # verified: the region ends in ntensor.accumulated
    return block.last_op.operands[0]

"""Conversion of an `ntensor.update` to a neuron of the neuron language, so that IR can be read as equations.

    ntensor.let "v" (v + k * (r * x - v))   =>   v = v + k * (r * x - v)

An update that the language cannot express is refused. The text parses, and builds the same update. It contains no options, families,
units, bounds of reals and comments, because an update does not contain them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from attrs import evolve
from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64, i1
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from ...core.diagnostics import Code, described, refuse
from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Neg, Not, Number, walk
from ...core.fixed_point import HIGHEST, LOWEST, Interval, Rounding
from ...core.neuron.tree import (
    NOWHERE,
    Assign,
    Bounds,
    Canonical,
    Canonicals,
    Declared,
    Emit,
    Input,
    Inputs,
    Item,
    Neuron,
    NeuronFile,
    Param,
    Params,
    Record,
    State,
    States,
    format,
)
from .. import fixed, ntensor

NEU024 = Code(
    "NEU024",
    "the neuron language cannot express this update",
    cause="The update was not built from equations: it contains an op that the language does not have, or reads a value whose name "
    "has been assigned another value.",
    remedy="Build the update from equations, or read it as IR.",
)

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
ROUNDINGS: dict[type[Operation], str] = {
    mathd.FloorOp: "floor",
    mathd.CeilOp: "ceil",
    mathd.TruncOp: "truncate",
    mathd.RoundEvenOp: "round",
}
ORDERED = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
RELATIONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
CLIPS = ((arith.MinimumfOp, arith.MaximumfOp), (fixed.MinOp, fixed.MaxOp))
CONVERSIONS = (arith.ExtFOp, arith.TruncFOp, fixed.ToRealOp)
ANYTHING = Interval(LOWEST, HIGHEST)
WIDE = Declared("f64")


def owner(value: SSAValue) -> Operation | None:
    return value.op if isinstance(value, OpResult) else None


def names_of(names: Any) -> list[str]:
    return [name.data for name in names]


def declared_as(interval: Interval, mode: str = "") -> Declared:
    """Returns the narrowest declared type for an interval, with bounds if the interval is not a whole width."""
    bits = max(interval.high.bit_length(), (~interval.low).bit_length() if interval.low < 0 else 0)
    whole = Interval.unsigned(max(bits, 1)) if interval.low >= 0 else Interval.signed(bits + 1)
    type = f"u{max(bits, 1)}" if interval.low >= 0 else f"s{bits + 1}"
    bounds = None if whole == interval else Bounds(str(interval.low), str(interval.high))
    return Declared(type, mode, bounds)


class Reader:
    """Conversion of one region to expressions."""

    def __init__(self, update: ntensor.UpdateOp, block: Block, precision: Attribute, names: list[str]):
        self.update = update
        self.precision = precision
        self.names: dict[SSAValue, str] = dict(zip(block.args, names, strict=True))
        self.arrived: dict[SSAValue, SSAValue] = {}
        """Conversions of raw parameters to their own kind, which the text does not contain."""
        self.convert: dict[SSAValue, str] = {}
        """Values that are converted at each read, because the text declares them in another precision than their region."""
        self.current: dict[str, SSAValue] = {name: arg for arg, name in self.names.items()}

    def cannot(self, what: str) -> Any:
        refuse(NEU024, f"the neuron language does not support: {what}", at=described(self.update)[0], found=what)

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
            case arith.NegfOp() | fixed.NegOp():
                return Neg(self.expr(op.operands[0]))
            case arith.CmpfOp() if op.predicate.value.data in ORDERED:
                return self.binary(ORDERED[op.predicate.value.data], op)
            case fixed.CmpOp():
                return self.binary(RELATIONS[op.relation.data], op)
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
            return signed(math.copysign(1.0, number) < 0, shortest(abs(number), type))
        return signed(number < 0, str(abs(number)))

    def clipped(self, x: Expr, into: Interval) -> Expr:
        return self.call("clip", x, *(signed(end < 0, str(abs(end))) for end in (into.low, into.high)))

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
        relations = [ORDERED.get(test.predicate.value.data) for test in (above, below)]
        same = below.operands[0] is x and relations == [">", "<"]
        if not same or [number_of(number) for number in numbers] != [0.0, 1.0, 0.0, -1.0, 0.0]:
            return None
        return self.call("sign", self.expr(x))


def number_of(value: SSAValue) -> float | None:
    """Returns the real value of a constant, else None."""
    op = owner(value)
    held: Any = op.value if isinstance(op, arith.ConstantOp) and op.result.type != i1 else None
    return None if held is None else held.value.data


def signed(negative: bool, text: str) -> Expr:
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


def precision_of(update: ntensor.UpdateOp) -> Attribute:
    """Returns the precision of the network: f32 if all reals are f32, or some are and the symbol ends in `.f32`; else f64."""
    values = [*update.step.block.args, *(x for op in update.step.block.ops for x in op.results)]
    reals = {value.type for value in values} & {f32, f64}
    return f32 if reals == {f32} or (f32 in reals and update.sym_name.data.endswith(".f32")) else f64


def stripped(value: SSAValue) -> SSAValue:
    """Returns the value before its conversion to f64 for the terminator of the region."""
    op = owner(value)
    return op.operands[0] if isinstance(op, CONVERSIONS) else value


def unnamed(value: SSAValue) -> SSAValue:
    """Returns the assigned value before `ntensor.let` named it."""
    while isinstance(op := owner(value), ntensor.LetOp):
        value = op.x
    return value


def ended(block: Block) -> SSAValue:
    """Returns the state after an accumulation."""
    assert block.last_op is not None  # verified: the region ends in ntensor.accumulated
    return block.last_op.operands[0]


# ---- types


def declaration(type: Attribute, precision: Attribute) -> Declared | None:
    """Returns the declared type of a value; None for a real of the network's precision."""
    if isinstance(type, fixed.IntType):
        return declared_as(type.interval)
    return None if type == precision else Declared("bool" if type == i1 else "f32" if type == f32 else "f64")


def arrival(arg: BlockArgument) -> OpResult | None:
    """Returns the conversion of a raw parameter to an integer or to f32, if that is its only use."""
    uses = [use.operation for use in arg.uses if not isinstance(use.operation, ntensor.DerivedOp)]
    op = uses[0] if len(uses) == 1 else None
    rounds = isinstance(op, fixed.FromRealOp) and op.rounding.data is Rounding.ROUND
    return op.results[0] if op is not None and (rounds or isinstance(op, arith.TruncFOp)) else None


def is_whole(interval: Interval) -> bool:
    """Returns whether a type `uN` or `sN` has exactly this interval."""
    return declared_as(interval).bounds is None


def assignment(reader: Reader, let: ntensor.LetOp, *, always: bool = False) -> tuple[Declared | None, Expr]:
    """Returns the declared type of an assignment, if it needs one (or `always`), and the assigned expression."""
    op, type = owner(let.x) if let.x not in reader.names else None, let.y.type
    if not isinstance(type, fixed.IntType):
        expr = reader.expr(let.x)
        constant = is_number(expr) and type != i1
        return (Declared(reader.real(type)) if constant else None), expr
    whole = is_whole(type.interval)
    match op:
        case fixed.WidenOp():
            return declared_as(type.interval), reader.expr(op.x)
        case fixed.SaturateOp() if whole:
            return declared_as(type.interval, "saturate"), reader.expr(op.x)
        case fixed.WrapOp():
            return declared_as(type.interval, "wrap"), reader.expr(op.x)
        case _:
            return (declared_as(type.interval) if always else None), reader.expr(let.x)


# ---- the parts of a neuron


def neuron_of(update: ntensor.UpdateOp) -> Neuron:
    """Returns the neuron that an update was built from, without the parts that an update does not contain.

    Errors: NEU024 an update that the language cannot express.
    """
    name = re.sub(r"\W", "_", update.sym_name.data)
    step = Step(update)
    return Neuron(name, (), (*derivation(update), *step.declarations(), *step.lines()))


def neuron_text(update: ntensor.UpdateOp) -> str:
    """Returns an update as text in the neuron language; the text builds the same update. Errors: NEU024."""
    return format(NeuronFile(None, (neuron_of(update),)))


def derivation(update: ntensor.UpdateOp) -> Iterator[Item]:
    """Yields the raw, the derived and the canonical parameters."""
    block, last = update.derive.block, update.derive.block.last_op
    assert last is not None  # verified: the region ends in ntensor.derived
    raw, params, precision = names_of(update.raw), names_of(update.params), precision_of(update)
    types = dict(zip(params, (arg.type for arg in update.initial.block.args), strict=True))
    reader = Reader(update, block, f64, ["dt", *raw])
    declared: list[Param] = []
    for arg, name in zip(block.args[1:], raw, strict=True):
        arrived, type = arrival(arg), types.get(name)
        if isinstance(type, fixed.IntType) or (type is None and arrived is not None) or (type == f32 != precision):
            kind = declaration(type or (arrived or arg).type, f64)
        else:
            kind = declaration(type or f64, precision if type else f64)
            arrived = None
        if arrived is not None and arrived.type == (type or arrived.type):
            reader.arrived[arrived] = arg
        if kind == WIDE:
            reader.convert[arg] = "real"
        declared.append(Param(name, None, kind, None))
    if declared:
        yield Params(NOWHERE, tuple(declared))
    for op in block.ops:
        if isinstance(op, ntensor.LetOp):
            kind, expr = assignment(reader, op, always=True)
            reader.bind(op)
            name, type = op.variable.data, op.y.type
            if not isinstance(type, fixed.IntType):
                kind, expr = real_param(reader, op, expr, precision, types.get(name))
            yield Params(NOWHERE, (Param(name, None, kind, expr),))
    for name, value in zip(params, last.operands, strict=False):
        if (inner := stripped(value)) not in reader.names or reader.names[inner] != name:
            reader.cannot(f"parameter {name} that has another name where it is derived")
    for name, value in zip(names_of(update.canonical), list(last.operands)[len(params) :], strict=True):
        yield Canonicals(NOWHERE, (Canonical(name, reader.expr(stripped(value))),))


def real_param(
    reader: Reader, let: ntensor.LetOp, expr: Expr, precision: Attribute, type: Attribute | None
) -> tuple[Declared | None, Expr]:
    """Returns the declared type of a derived real, and its value. `real` is f64 in `derive` and the network's precision in the step."""
    if let.y.type == f32 and precision == f32:
        reader.convert[let.y] = "f32"
        return None, reader.call("real", expr)
    if let.y.type == f64 and precision == f32 and type == f64:
        reader.convert[let.y] = "real"
        return WIDE, reader.call("f64", expr)
    return declaration(let.y.type, f64), expr


class Step:
    """Conversion of the step to declarations and lines, with each line at a place where its names have the right values."""

    def __init__(self, update: ntensor.UpdateOp):
        self.update = update
        self.precision = precision_of(update)
        self.inputs, self.states = names_of(update.inputs), names_of(update.states)
        self.block = update.step.block
        self.reader = Reader(update, self.block, self.precision, [*self.inputs, *self.states, *names_of(update.params)])
        self.ops = list(self.block.ops)
        self.lets = {op: k for k, op in enumerate(self.ops) if isinstance(op, ntensor.LetOp)}
        self.modes = {name: self.mode(name, arg.type) for name, arg in zip(self.states, self.state_args, strict=True)}
        self.received: set[ntensor.LetOp] = set()

    @property
    def state_args(self) -> list[BlockArgument]:
        return list(self.block.args)[len(self.inputs) : len(self.inputs) + len(self.states)]

    def mode(self, name: str, type: Attribute) -> str:
        """Returns how accumulations and assignments reduce a state to its width: `wrap`, `saturate` or neither."""
        met = {owner(let.x).__class__ for let in self.lets if let.variable.data == name and let.y.type == type}
        added = [owner(unnamed(ended(block))) for _, into, block in self.update.accumulators if into == name]
        met.update(op.__class__ for op in added)
        wraps = fixed.WrapOp in met
        return "wrap" if wraps else "saturate" if fixed.SaturateOp in met or added else ""

    def declarations(self) -> Iterator[Item]:
        start = self.update.initial.block
        reader = Reader(self.update, start, self.precision, names_of(self.update.params))
        assert start.last_op is not None  # verified: the region ends in ntensor.initial
        states: list[State] = []
        for name, arg, value in zip(self.states, self.state_args, start.last_op.operands, strict=True):
            declared = declaration(arg.type, self.precision)
            if declared is not None and self.modes[name]:
                declared = evolve(declared, mode=self.modes[name])
            states.append(State(name, declared, reader.expr(value)))
        if states:
            yield States(NOWHERE, tuple(states))
        inputs = [self.input(name, arg) for name, arg in zip(self.inputs, self.block.args, strict=False)]
        inputs += [self.accumulator(*one) for one in self.update.accumulators]
        if inputs:
            yield Inputs(NOWHERE, tuple(inputs))

    def input(self, name: str, arg: BlockArgument) -> Input:
        """Returns the declaration of an input, which includes the wrap or saturation of its sum."""
        uses = [use.operation for use in arg.uses]
        first = uses[0] if len(uses) == 1 and self.reader.integers(arg) == ANYTHING else None
        if isinstance(first, fixed.SaturateOp | fixed.WrapOp):
            lets = [use.operation for use in first.y.uses]
            let = lets[0] if len(lets) == 1 else None
            if isinstance(let, ntensor.LetOp) and let.variable.data == name:
                self.received.add(let)
                self.reader.bind(let)
                mode = "wrap" if isinstance(first, fixed.WrapOp) else "saturate"
                return Input(name, declared_as(fixed.interval_of(first.y), mode), None)
        return Input(name, declaration(arg.type, self.precision), None)

    def accumulator(self, name: str, into: str, block: Block) -> Input:
        """Returns the declaration of an accumulating input.

        Its terms may be reduced to a width. They are added to the state, and the sum is reduced to the width of the state.
        """
        arg, state = block.args
        sum = unnamed(ended(block))
        met = owner(sum)
        if isinstance(met, fixed.SaturateOp | fixed.WrapOp | fixed.WidenOp):
            sum = unnamed(met.x)
        added = owner(sum)
        operands = list(map(unnamed, added.operands)) if isinstance(added, fixed.AddOp) else []
        meets = fixed.WrapOp if self.modes[into] == "wrap" else fixed.SaturateOp
        if operands[:1] != [state] or not isinstance(met, meets | fixed.WidenOp):
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        declared, first = declaration(arg.type, self.precision), owner(operands[1])
        if isinstance(first, fixed.SaturateOp | fixed.WrapOp) and self.reader.integers(arg) == ANYTHING:
            declared = declared_as(
                fixed.interval_of(first.y), "wrap" if isinstance(first, fixed.WrapOp) else "saturate"
            )
            operands[1] = unnamed(first.x)
        if operands[1] is not arg:
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        return Input(name, declared, into)

    def latest(self, value: SSAValue) -> float:
        """Returns the last position among the ops at which the name of a value still has that value."""
        if value not in self.reader.names and not isinstance(owner(value), ntensor.LetOp):
            op = owner(value)
            assert op is not None  # every argument has a name
            return self.ops.index(op)
        let = owner(value)
        name = let.variable.data if isinstance(let, ntensor.LetOp) else self.reader.names[value]
        start = self.lets[let] if isinstance(let, ntensor.LetOp) else -1
        rebound = [
            k for let, k in self.lets.items() if let.variable.data == name and k > start and let not in self.received
        ]
        return min(rebound, default=len(self.ops)) - 0.5

    def lines(self) -> Iterator[Item]:
        last = self.ops[-1]
        emitted, finals = last.operands[0], list(last.operands)[1 : 1 + len(self.states)]
        records = list(zip(names_of(self.update.records), list(last.operands)[1 + len(self.states) :], strict=True))
        placed: list[tuple[float, int, int, Any]] = [
            (k, 0, 0, let) for let, k in self.lets.items() if let not in self.received
        ]
        placed.append((self.latest(emitted), 2, 0, None))
        bound = math.inf  # records keep their order
        for k, (name, value) in reversed(list(enumerate(records))):
            bound = min(bound, self.latest(value))
            placed.append((bound, 1, k, (name, value)))
        typed = set[str]()
        for _, kind, _, held in sorted(placed, key=lambda line: line[:3]):
            if kind == 0:
                yield self.assigned(held, typed)
            elif kind == 1:
                yield Record(NOWHERE, held[0], self.recorded(held[1]))
            else:
                yield Emit(NOWHERE, str(self.update.emits.data), self.reader.expr(emitted))
        for name, value in zip(self.states, finals, strict=True):
            if self.reader.current[name] is not value:
                yield Assign(NOWHERE, name, None, self.reader.expr(value))

    def recorded(self, value: SSAValue) -> Expr:
        expr = self.reader.expr(value)
        numbers = is_number(expr) and isinstance(value.type, Float32Type | Float64Type)
        return self.reader.call(self.reader.real(value.type), expr) if numbers else expr

    def assigned(self, let: ntensor.LetOp, typed: set[str]) -> Assign:
        name = let.variable.data
        if name in self.states:
            declared, expr = None, self.met(let, name)
        else:
            declared, expr = assignment(self.reader, let, always=name in typed)
            typed.update([name] if declared else [])
        self.reader.bind(let)
        return Assign(NOWHERE, name, declared, expr)

    def met(self, let: ntensor.LetOp, name: str) -> Expr:
        """Returns the expression assigned to a state, before the reduction to the width of the state."""
        op = owner(let.x) if let.x not in self.reader.names else None
        if isinstance(op, fixed.WidenOp):
            return self.reader.expr(op.x)
        meets = {"saturate": fixed.SaturateOp, "wrap": fixed.WrapOp}.get(self.modes[name])
        if isinstance(op, fixed.SaturateOp | fixed.WrapOp) and type(op) is meets:
            return self.reader.expr(op.x)
        return self.reader.expr(let.x)

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

from attrs import evolve
from xdsl.dialects import arith
from xdsl.dialects.builtin import Float32Type, Float64Type, f32, f64, i1
from xdsl.ir import Attribute, Block, BlockArgument, OpResult, SSAValue

from ...core.expressions.tree import Expr
from ...core.fixed_point import Rounding
from ...core.ir.operation import texts_of
from ...core.neuron.tree import (
    NOWHERE,
    Assign,
    Declaration,
    Declarations,
    Declared,
    Emit,
    Item,
    Neuron,
    NeuronFile,
    Record,
    format,
)
from .. import fixed, ntensor
from ._expressions import (
    ANYTHING,
    WIDE,
    Reader,
    accumulated_state,
    declared_as,
    is_number,
    owner,
    precision_of,
    strip_conversion,
    strip_name,
)

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


def assignment(reader: Reader, let: ntensor.LetOp, *, always: bool = False) -> tuple[Declared | None, Expr]:
    """Returns the declared type of an assignment (None if the text needs no type, unless `always`), and the assigned expression."""
    op, type = owner(let.x) if let.x not in reader.names else None, let.y.type
    if not isinstance(type, fixed.IntType):
        expr = reader.expr(let.x)
        constant = is_number(expr) and type != i1
        return (Declared(reader.real(type)) if constant else None), expr
    whole = declared_as(type.interval).bounds is None
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
    items = (*derivation(update), *step.declarations(), *step.lines())
    return Neuron(name, (), items=items)


def neuron_text(update: ntensor.UpdateOp) -> str:
    """Returns an update as text in the neuron language; the text builds the same update. Errors: NEU024."""
    return format(NeuronFile(None, (neuron_of(update),)))


def derivation(update: ntensor.UpdateOp) -> Iterator[Item]:
    """Yields the raw, the derived and the canonical parameters."""
    block, last = update.derive.block, update.derive.block.last_op
    assert last is not None  # verified: the region ends in ntensor.derived
    raw, params, precision = texts_of(update.raw), texts_of(update.params), precision_of(update)
    types = dict(zip(params, (arg.type for arg in update.initial.block.args), strict=True))
    reader = Reader(update, block, f64, ["dt", *raw])
    declared: list[Declaration] = []
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
        declared.append(Declaration(name, declared=kind))
    if declared:
        yield Declarations(NOWHERE, "param", tuple(declared))
    for op in block.ops:
        if isinstance(op, ntensor.LetOp):
            kind, expr = assignment(reader, op, always=True)
            reader.bind(op)
            name, type = op.variable.data, op.y.type
            if not isinstance(type, fixed.IntType):
                kind, expr = real_param(reader, op, expr, precision, types.get(name))
            yield Declarations(NOWHERE, "param", (Declaration(name, expr, kind),))
    for name, value in zip(params, last.operands, strict=False):
        if (inner := strip_conversion(value)) not in reader.names or reader.names[inner] != name:
            reader.cannot(f"parameter {name} that has another name where it is derived")
    for name, value in zip(texts_of(update.canonical), list(last.operands)[len(params) :], strict=True):
        yield Declarations(NOWHERE, "canonical", (Declaration(name, reader.expr(strip_conversion(value))),))


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
        self.inputs, self.states = texts_of(update.inputs), texts_of(update.states)
        self.block = update.step.block
        self.reader = Reader(update, self.block, self.precision, [*self.inputs, *self.states, *texts_of(update.params)])
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
        added = [
            owner(strip_name(accumulated_state(block))) for _, into, block in self.update.accumulators if into == name
        ]
        met.update(op.__class__ for op in added)
        wraps = fixed.WrapOp in met
        return "wrap" if wraps else "saturate" if fixed.SaturateOp in met or added else ""

    def declarations(self) -> Iterator[Item]:
        start = self.update.initial.block
        reader = Reader(self.update, start, self.precision, texts_of(self.update.params))
        assert start.last_op is not None  # verified: the region ends in ntensor.initial
        states: list[Declaration] = []
        for name, arg, value in zip(self.states, self.state_args, start.last_op.operands, strict=True):
            declared = declaration(arg.type, self.precision)
            if declared is not None and self.modes[name]:
                declared = evolve(declared, mode=self.modes[name])
            states.append(Declaration(name, reader.expr(value), declared))
        if states:
            yield Declarations(NOWHERE, "state", tuple(states))
        inputs = [self.input(name, arg) for name, arg in zip(self.inputs, self.block.args, strict=False)]
        inputs += [self.accumulator(*one) for one in self.update.accumulators]
        if inputs:
            yield Declarations(NOWHERE, "input", tuple(inputs))

    def input(self, name: str, arg: BlockArgument) -> Declaration:
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
                return Declaration(name, declared=declared_as(fixed.interval_of(first.y), mode))
        return Declaration(name, declared=declaration(arg.type, self.precision))

    def accumulator(self, name: str, into: str, block: Block) -> Declaration:
        """Returns the declaration of an accumulating input.

        Its terms may be reduced to a width. They are added to the state, and the sum is reduced to the width of the state.
        """
        arg, state = block.args
        sum = strip_name(accumulated_state(block))
        met = owner(sum)
        if isinstance(met, fixed.SaturateOp | fixed.WrapOp | fixed.WidenOp):
            sum = strip_name(met.x)
        added = owner(sum)
        operands = list(map(strip_name, added.operands)) if isinstance(added, fixed.AddOp) else []
        meets = fixed.WrapOp if self.modes[into] == "wrap" else fixed.SaturateOp
        if operands[:1] != [state] or not isinstance(met, meets | fixed.WidenOp):
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        declared, first = declaration(arg.type, self.precision), owner(operands[1])
        if isinstance(first, fixed.SaturateOp | fixed.WrapOp) and self.reader.integers(arg) == ANYTHING:
            declared = declared_as(
                fixed.interval_of(first.y), "wrap" if isinstance(first, fixed.WrapOp) else "saturate"
            )
            operands[1] = strip_name(first.x)
        if operands[1] is not arg:
            self.reader.cannot(f"accumulation of {name} other than {into} + {name}")
        return Declaration(name, declared=declared, into=into)

    def latest(self, value: SSAValue) -> float:
        """Returns the last op position where the name of a value still denotes this value."""
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
        records = list(zip(texts_of(self.update.records), list(last.operands)[1 + len(self.states) :], strict=True))
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

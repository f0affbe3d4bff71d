"""Declarations of an `ntensor.update` or `ntensor.rule` in the languages of equations: types, parameters, and assignments with a type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32, f64, i1
from xdsl.ir import Attribute, BlockArgument, OpResult

from ...core.expressions.tree import Expr
from ...core.fixed_point import Rounding
from ...core.ir.operation import texts_of
from ...core.neuron.tree import NOWHERE, Declaration, Declarations, Declared, Item
from .. import fixed, ntensor
from ._expressions import WIDE, Reader, declared_as, is_number, owner, precision_of, strip_conversion


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


def derivation(update: ntensor.UpdateOp | ntensor.RuleOp) -> Iterator[Item]:
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


def initial_states(
    update: ntensor.UpdateOp | ntensor.RuleOp, types: Mapping[str, Attribute], modes: Mapping[str, str]
) -> dict[str, Declaration]:
    """Returns the declarations of states with their initial values, by name; `types` has all states in their order."""
    start, precision = update.initial.block, precision_of(update)
    reader = Reader(update, start, precision, texts_of(update.params))
    assert start.last_op is not None  # verified: the region ends in ntensor.initial
    found: dict[str, Declaration] = {}
    for (name, type), value in zip(types.items(), start.last_op.operands, strict=True):
        declared = declaration(type, precision)
        if declared is not None and modes[name]:
            declared = evolve(declared, mode=modes[name])
        found[name] = Declaration(name, reader.expr(value), declared)
    return found

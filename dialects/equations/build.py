"""Conversion of a neuron of the neuron language to an `ntensor.update`, with one scalar op for every operation of the equations.

The chosen options are folded: only the equations of the chosen values are built, and unused parameters are dropped. The parameters of
the update are the raw ones, then the derived ones, each in the order of their declaration, then `dt` if the step reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    FileLineColLoc,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ...core.device.records import Device
from ...core.expressions.places import NOWHERE, Place
from ...core.fixed_point import Interval, Rounding
from ...core.neuron.elaboration import Elaboration
from ...core.neuron.kinds import Emitted, Kind, Let, Real, Value
from ...core.neuron.neuron import choose_options, combinations, parse_neurons
from ...core.neuron.tree import Neuron
from .. import fixed, ntensor
from ..fixed import ORDERED, RELATIONS, ROUNDINGS

KEPT_UPDATES = 1024
"""Updates that are kept, so that a neuron is built once."""
RELATION_NAMES = {symbol: name for name, symbol in RELATIONS.items()}
PREDICATES = {symbol: predicate for predicate, symbol in ORDERED.items()}
REAL_BINARY: dict[str, Callable[[Any, Any], Operation]] = {
    "add": arith.AddfOp,
    "sub": arith.SubfOp,
    "mul": arith.MulfOp,
    "div": arith.DivfOp,
    "min": arith.MinimumfOp,
    "max": arith.MaximumfOp,
}
REAL_UNARY: dict[str, Callable[[Any], Operation]] = {
    "neg": arith.NegfOp,
    "abs": math.AbsFOp,
    "exp": math.ExpOp,
    "log": math.LogOp,
    "sqrt": math.SqrtOp,
}
REAL_ROUNDINGS: dict[Rounding, Any] = {rounding: op for op, rounding in ROUNDINGS.items()}
INTEGER_BINARY: dict[str, Callable[[Any, Any], Operation]] = {
    "add": fixed.AddOp,
    "sub": fixed.SubOp,
    "mul": fixed.MulOp,
    "min": fixed.MinOp,
    "max": fixed.MaxOp,
    "shl": fixed.ShlOp,
    "shr": fixed.ShrOp,
}
INTEGER_UNARY: dict[str, Callable[[Any], Operation]] = {"neg": fixed.NegOp, "abs": fixed.AbsOp, "sign": fixed.SignOp}
NARROWING: dict[str, Callable[[Any, Interval], Operation]] = {
    "saturate": fixed.SaturateOp,
    "wrap": fixed.WrapOp,
    "refine": fixed.RefineOp,
    "widen": fixed.WidenOp,
}


class Ops:
    """Builder of ops at the end of one block, one op for each value."""

    def __init__(self, precision: Attribute, leaves: Iterable[tuple[str, Attribute]], source: str | None = None):
        held = list(leaves)
        self.precision = precision
        self.source = source
        """The file that locates the ops, if they have locations."""
        self.place = NOWHERE
        self.block = Block(arg_types=[type for _, type in held])
        self.args = {name: arg for (name, _), arg in zip(held, self.block.args, strict=True)}
        for name, arg in self.args.items():
            arg.name_hint = name
        self.built: dict[Value, SSAValue] = {}

    def type_of(self, kind: Kind) -> Attribute:
        if isinstance(kind, Interval):
            return fixed.IntType.of(kind)
        if isinstance(kind, Real):
            return {"f32": f32, "f64": f64}.get(kind.name, self.precision)
        return i1

    def add(self, op: Operation) -> SSAValue:
        if self.source is not None and self.place != NOWHERE:
            op.location = line_location(self.source, self.place)
        self.block.add_op(op)
        return op.results[0]

    def end(self, op: Operation) -> Region:
        self.block.add_op(op)
        return Region(self.block)

    def build(self, value: Value) -> SSAValue:
        """Returns the result of the op that computes `value`, and builds the op and its operands on first use."""
        if value not in self.built:
            args = [self.build(arg) for arg in value.args]
            self.place = value.place
            self.built[value] = self.made(value, *args)
        return self.built[value]

    def made(self, value: Value, *args: SSAValue) -> SSAValue:
        match value.op:
            case "param" | "state" | "input":
                return self.given(self.args[value.data], value.kind)
            case "constant":
                return self.add(self.constant(value.data, value.kind))
            case "let":
                let = self.add(ntensor.LetOp(value.data, args[0]))
                let.name_hint = value.data
                return let
            case "and":
                return self.add(arith.AndIOp(args[0], args[1]))
            case "or":
                return self.add(arith.OrIOp(args[0], args[1]))
            case "not":
                return self.add(arith.XOrIOp(args[0], self.add(arith.ConstantOp(IntegerAttr(1, i1)))))
            case "cast":
                return self.converted(args[0], self.type_of(value.kind))
            case "to_real":
                return self.add(fixed.ToRealOp(args[0], self.type_of(value.kind)))
            case "round_real":
                return self.add(REAL_ROUNDINGS[value.data](args[0]))
            case "f16" | "bf16":
                return self.add(ntensor.RoundRealOp(value.op, args[0]))
            case "from_real":
                assert isinstance(value.kind, Interval)
                return self.add(fixed.FromRealOp(args[0], value.data, value.kind))
            case "quotient":
                return self.add(fixed.DivOp(args[0], args[1], value.data))
            case "saturate" | "wrap" | "refine" | "widen":
                assert isinstance(value.kind, Interval)
                return self.add(NARROWING[value.op](args[0], value.kind))
            case _:
                return self.add(self.arithmetic(value, *args))

    def given(self, arg: SSAValue, kind: Kind) -> SSAValue:
        """Converts an argument from f64 to its declared kind. In the region `derive`, every argument is f64."""
        if isinstance(kind, Interval) and not isinstance(arg.type, fixed.IntType):
            return self.add(fixed.FromRealOp(arg, Rounding.ROUND, kind))
        return self.converted(arg, self.type_of(kind)) if isinstance(kind, Real) else arg

    def constant(self, number: Any, kind: Kind) -> Operation:
        if isinstance(kind, Interval):
            return fixed.ConstantOp(number)
        if isinstance(kind, Real):
            return arith.ConstantOp(FloatAttr(number, cast_float(self.type_of(kind))))
        return arith.ConstantOp(IntegerAttr(int(number), i1))

    def converted(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Converts a real to another precision, or an integer to a real."""
        if isinstance(x.type, fixed.IntType):
            return self.add(fixed.ToRealOp(x, type))
        if x.type == type:
            return x
        return self.add(arith.TruncFOp(x, cast_float(type)) if x.type == f64 else arith.ExtFOp(x, cast_float(type)))

    def arithmetic(self, value: Value, *args: SSAValue) -> Operation:
        integer = isinstance(args[-1].type, fixed.IntType)
        if value.op == "select":
            return (fixed.SelectOp if integer else arith.SelectOp)(*args)
        if value.op == "cmp":
            if integer:
                return fixed.CmpOp(args[0], args[1], fixed.Relation(RELATION_NAMES[value.data]))
            return arith.CmpfOp(args[0], args[1], PREDICATES[value.data])
        if len(args) == 2:
            return (INTEGER_BINARY if integer else REAL_BINARY)[value.op](*args)
        return (INTEGER_UNARY if integer else REAL_UNARY)[value.op](*args)


def line_location(source: str, place: Place) -> FileLineColLoc:
    """Returns the location of a place in a file of equations."""
    return FileLineColLoc(StringAttr(source), IntAttr(place.line), IntAttr(place.column))


def cast_float(type: Attribute) -> Float32Type | Float64Type:
    assert isinstance(type, Float32Type | Float64Type)  # reals have no other types
    return type


def reachable_values(values: Iterable[Value]) -> set[Value]:
    """Returns the values that the given values depend on, including themselves."""
    seen = set[Value]()
    stack = list(values)
    while stack:
        value = stack.pop()
        if value not in seen:
            seen.add(value)
            stack.extend(value.args)
    return seen


def leaves(values: Iterable[Value]) -> set[str]:
    """Returns the names of the parameters among the values."""
    return {value.data for value in values if value.op == "param"}


def symbol_of(neuron: Neuron, options: Mapping[str, str], precision: Attribute) -> str:
    """Returns `NAME`, or `NAME.value1.value2` for its options in the order of declaration; with the suffix `.f32` in that precision."""
    return ".".join([neuron.name, *options.values(), *(["f32"] if precision == f32 else [])])


def build_update(
    neuron: Neuron, *, options: Mapping[str, str], precision: Float32Type | Float64Type, symbol: str | None = None
) -> ntensor.UpdateOp:
    """Builds the update of a neuron.

    Options: options: the value of each option of the neuron, by default the first one; precision: the type of its reals; symbol: the
    name of the update, by default the name of the neuron with the values of its options.
    Errors: NEU005 an unknown option or value; the errors of `check`.
    """
    return shared_update(neuron, options=options, precision=precision, symbol=symbol).clone()


def shared_update(
    neuron: Neuron, *, options: Mapping[str, str], precision: Float32Type | Float64Type, symbol: str | None = None
) -> ntensor.UpdateOp:
    """Returns the cached update of a neuron. Callers must not change it. Options and errors: those of `build_update`."""
    values = choose_options(neuron, options)
    return built(SameNeuron(neuron), tuple(values.items()), precision, symbol)


def device_updates(
    device: Device, precision: Float32Type | Float64Type = f64
) -> Iterator[tuple[str, Mapping[str, str], ntensor.UpdateOp]]:
    """Yields name, options and update of each neuron of a device, with each choice of its options."""
    for name, known in device.updates.items():
        for rule in parse_neurons("\n".join(known.text), device.key).neurons:
            for options in combinations(rule.options) if rule.name == name else ():
                yield name, options, shared_update(rule, options=options, precision=precision)


class SameNeuron:
    """A neuron as a key of a cache, which is equal to the same object alone: the tree of a text is read once."""

    def __init__(self, neuron: Neuron):
        self.neuron = neuron

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SameNeuron) and self.neuron is other.neuron

    def __hash__(self) -> int:
        return id(self.neuron)


@lru_cache(KEPT_UPDATES)
def built(
    key: SameNeuron, options: tuple[tuple[str, str], ...], precision: Float32Type | Float64Type, symbol: str | None
) -> ntensor.UpdateOp:
    """Returns the cached update of a neuron. Callers must not change it. Errors: the errors of `check`."""
    neuron, values = key.neuron, dict(options)
    read = Elaboration(neuron, values)
    read.found.raise_errors()

    results = [line.value for line in read.steps if not isinstance(line, Let)]
    needed = reachable_values([*results, *read.finals.values(), *read.initial.values()])
    used = leaves(needed)
    derived = {let.name: let.value for let in read.derived}
    kept = reachable_values(
        [*(value for name, value in derived.items() if name in used), *(let.value for let in read.canonical)]
    )
    raw = [param.name for param in neuron.raw_params if param.name in used | leaves(kept)]
    params = [
        *(name for name in raw if name in used),
        *(name for name in derived if name in used),
        *(["dt"] if "dt" in used else []),
    ]

    kinds: dict[str, Kind] = {**read.kinds, "dt": Real()}
    derive = Ops(f64, [("dt", f64), *((name, f64) for name in raw)])
    for value in derived.values():
        if value in kept:
            derive.build(value)
    given = [derive.args[name] if name in derive.args else derive.build(derived[name]) for name in params]
    meanings = [derive.build(let.value) for let in read.canonical]
    ends = [derive.converted(value, f64) for value in (*given, *meanings)]

    types = Ops(precision, []).type_of
    initial = Ops(precision, [(name, types(kinds[name])) for name in params])
    starts = [initial.build(value) for value in read.initial.values()]

    names = [*read.inputs.items(), *((state.name, kinds[state.name]) for state in neuron.states)]
    step = Ops(precision, [(name, types(kind)) for name, kind in (*names, *((name, kinds[name]) for name in params))])
    records = list(build_step(step, read, needed))
    emitted = next(line for line in read.steps if isinstance(line, Emitted))
    finals = [step.build(value) for value in read.finals.values()]
    accumulate: list[Region] = []
    for name, one in read.each.items():
        ops = Ops(precision, [(name, types(one.arrives)), (one.into, types(kinds[one.into]))])
        accumulate.append(ops.end(ntensor.AccumulatedOp(ops.build(one.value))))
    return ntensor.UpdateOp(
        symbol_of(neuron, values, precision) if symbol is None else symbol,
        ntensor.Emits(emitted.kind),
        inputs=read.inputs,
        states=read.finals,
        params=params,
        raw=raw,
        canonical=[let.name for let in read.canonical],
        records=[record.name for record in neuron.records],
        derive=derive.end(ntensor.DerivedOp(*ends)),
        initial=initial.end(ntensor.InitialOp(*starts)),
        step=step.end(ntensor.EmitOp(step.build(emitted.value), *finals, *records)),
        each={name: one.into for name, one in read.each.items()},
        accumulate=accumulate,
    )


def build_step(step: Ops, read: Elaboration, needed: set[Value]) -> Iterator[SSAValue]:
    """Builds the needed lines of a step in their order, and yields the records among them."""
    for line in read.steps:
        if line.value in needed:
            built = step.build(line.value)
            if not isinstance(line, Let | Emitted):
                yield built

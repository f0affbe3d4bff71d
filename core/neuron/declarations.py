"""Declarations of the languages of equations: names, kinds, derived parameters, initial states and assignments.

`Declaring` is the part of an elaboration that neurons and synapses share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

from ..diagnostics import Code
from ..expressions.places import Place
from ..expressions.tree import Name, Number, walk
from ..fixed_point import EXACT_IN_F64, Interval
from .arithmetic import NEU017, Refusal
from .expressions import NEU003, NEU022, Expressions
from .kinds import (
    BOOL,
    PRECISIONS,
    REAL,
    WIDTH,
    Bool,
    Emitted,
    Kind,
    Let,
    Real,
    Recorded,
    Value,
    is_reserved,
)
from .tree import Assign, Bounds, Declaration, Declared, Equations

NEU004 = Code("NEU004", "name-declared-twice", "a name is declared twice")
NEU010 = Code("NEU010", "assignment-invalid", "invalid assignment")


class Declaring(Expressions):
    """Walk over declarations and assignments, for one choice of options.

    Errors: NEU003, NEU004, NEU010, NEU017 and NEU022, collected in `found`.
    """

    def __init__(self, neuron: Equations, options: Mapping[str, str]):
        super().__init__(neuron, options)
        self.modes: dict[str, str] = {}
        self.derived: list[Let] = []
        self.canonical: list[Let] = []
        self.initial: dict[str, Value] = {}
        self.steps: list[Let | Emitted | Recorded] = []
        self.typed_locals: dict[str, Declared] = {}

    # ---- declarations

    def introduce(self, name: str, what: str, place: Place) -> None:
        """Declares a name as an option, a parameter, a state or an input."""
        self.reserved(name, place)
        if name in self.what:
            self.report(NEU004, f"{name} is declared twice", place, help="rename one of the two")
        self.what.setdefault(name, what)

    def reserved(self, name: str, place: Place) -> None:
        if is_reserved(name):
            help = f"rename it, for example to {name}_0"
            self.report(NEU003, f"'{name}' is a reserved word", place, expected="a name of your own", help=help)

    def kind_of(self, declared: Declared | None, *, parameter: bool = False) -> Kind:
        """Returns the kind of a declaration."""
        if declared is None or declared.type in ("", *PRECISIONS):
            if declared is not None and (declared.mode or (declared.bounds and not parameter)):
                message = "only integers can wrap, saturate or have bounds"
                expected = "an integer type, for example s16"
                help = "clip(x, low, high) bounds a real"
                raise self.refuse(NEU022, message, declared.place, expected=expected, found=str(declared), help=help)
            return Real(declared.type or "real") if declared else REAL
        if declared.type == "bool":
            if parameter or declared.mode or declared.bounds:
                what = (
                    "a parameter must be a number" if parameter else "only integers can wrap, saturate or have bounds"
                )
                raise self.refuse(NEU022, what, declared.place, expected="a real or an integer", found=str(declared))
            return BOOL
        return self.interval_of(declared, parameter)

    def interval_of(self, declared: Declared, parameter: bool) -> Interval:
        matched = WIDTH.fullmatch(declared.type)
        assert matched is not None  # the grammar has no other types
        sign, bits = matched[1], int(matched[2])
        if not 1 <= bits <= 64 or declared.type == "u64":
            expected = "u1 to u63, s1 to s64"
            found = declared.type
            raise self.refuse(NEU017, f"unknown type {declared.type}", declared.place, expected=expected, found=found)
        interval = Interval.unsigned(bits) if sign == "u" else Interval.signed(bits)
        if declared.bounds:
            interval = self.bounded(interval, declared.bounds, declared.place)
        if parameter and not Interval(-EXACT_IN_F64, EXACT_IN_F64).holds(interval):
            message = "a parameter is a double, which cannot represent every integer of this type"
            raise self.refuse(NEU017, message, declared.place, expected="up to u53 or s54", found=declared.type)
        return interval

    def bounded(self, interval: Interval, bounds: Bounds, place: Place) -> Interval:
        ends = [bounds.low, bounds.high]
        for end in ends:
            if "inf" not in end and not re.fullmatch("-?[0-9]+", end):
                raise self.refuse(NEU022, "bounds of an integer must be integers", place, found=f"in {bounds}")
        low, high = (None if "inf" in end else int(end) for end in ends)
        given = Interval(interval.low if low is None else low, interval.high if high is None else high)
        if given.low > given.high or not interval.holds(given):
            message = "bounds must be inside the type, the lower one first"
            raise self.refuse(NEU022, message, place, expected=f"in {interval}", found=str(bounds))
        return given

    # ---- parameters and initial states

    def derive(self) -> None:
        neuron, self.once = self.neuron, True
        time = {"dt": Value("param", REAL, data="dt")}
        raw = {p.name: self.leaf("param", p.name) for p in neuron.raw_params if p.name in self.kinds}
        self.names = time | raw
        for param in neuron.derived:
            assert param.value is not None
            mode = param.declared.mode if param.declared else ""
            with suppress(Refusal):
                value = self.assigned(self.expression(param.value), self.kinds.get(param.name), mode, param.place)
                let = Let(param.name, Value("let", value.kind, (value,), param.name, param.place))
                self.derived.append(let)
                self.names[param.name] = let.value
        needed = {part.name for value in neuron.expressions for part in walk(value) if isinstance(part, Name)}
        # a raw and a canonical parameter may share a name if only derived parameters read the raw one
        asked = {param.name for param in neuron.raw_params} - needed
        for canonical in neuron.declarations("canonical"):
            assert canonical.value is not None
            same = isinstance(canonical.value, Name) and canonical.value.name == canonical.name
            if canonical.name in self.what and not same and canonical.name not in asked:
                what = self.what[canonical.name]
                message = f"canonical {canonical.name} has another meaning as {what}"
                self.report(NEU004, message, canonical.place, help="rename one of the two")
            with suppress(Refusal):
                value = self.settled(self.expression(canonical.value), REAL, canonical.place)
                if isinstance(value.kind, Bool):
                    raise self.kinds_clash("a canonical parameter must be a number", canonical.place, value.kind)
                self.canonical.append(Let(canonical.name, value))
        self.once = False
        params = {name: self.leaf("param", name) for name in self.kinds if self.what[name] == "parameter"}
        self.names = time | params

    def leaf(self, op: str, name: str) -> Value:
        return Value(op, self.kinds[name], data=name)

    def start(self, states: Iterable[Declaration]) -> None:
        """Computes the initial values of states."""
        for state in states:
            if state.name not in self.kinds:
                continue
            value = state.value or Number("0", state.place)
            if state.value is None and self.kinds[state.name] == BOOL:
                value = Name("false", state.place)
            with suppress(Refusal):
                held = self.expression(value)
                kind, mode = self.kinds[state.name], self.modes[state.name]
                self.initial[state.name] = self.assigned(held, kind, mode, state.place)

    # ---- assignments

    def bind(self, name: str, value: Value) -> None:
        let = Value("let", value.kind, (value,), name, value.place)
        self.names[name] = let
        self.steps.append(Let(name, let))

    def assigned_kind(self, name: str) -> Kind | None:
        """Returns the kind that an assignment of a state converts its value to."""
        return self.kinds.get(name)

    def assign(self, item: Assign) -> None:
        value = self.lenient(item.value)
        what = self.what.setdefault(item.name, "name")  # after its value, which cannot read the name yet
        if what not in ("state", "name"):
            article = "an" if what[0] in "aeiou" else "a"
            raise self.refuse(
                NEU010,
                f"{item.name} is {article} {what} and keeps its value",
                item.place,
                expected="a state or a name of your own",
                found=f"{what} {item.name}",
            )
        if what == "state":
            if item.declared is not None:
                message = f"state {item.name} has its type in its declaration"
                raise self.refuse(NEU010, message, item.declared.place, help=f"{item.name} = ...")
            kind, mode = self.assigned_kind(item.name), self.modes.get(item.name, "")
        elif item.declared is None:
            if (before := self.typed_locals.get(item.name)) is not None:
                message = f"{item.name} was assigned with a type, and now without"
                help = f"{item.name}: {before} = ..., or another name"
                raise self.refuse(NEU010, message, item.place, expected=str(before), help=help)
            kind, mode = None, ""
        else:
            kind, mode = self.kind_of(item.declared), item.declared.mode
            self.typed_locals[item.name] = item.declared
        if value is None:
            raise Refusal
        value = self.settled(value, kind, item.place) if kind is None else self.assigned(value, kind, mode, item.place)
        if value is not self.names.get(item.name):  # else the options reduce the line to v = v
            self.bind(item.name, value)

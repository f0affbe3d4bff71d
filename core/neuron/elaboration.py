"""Elaboration of a neuron: resolves names, kinds and widths for one choice of its options.

`Elaboration` walks the declarations and lines of a neuron and computes the values of its three regions: derived parameters, initial
states, and the step. It is independent of dialects; the builder turns values into ops one by one. All findings are collected; an
invalid line causes no further ones.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress

from ..diagnostics import Code
from ..expressions.places import Place
from ..expressions.tree import Name, Number, walk
from ..fixed_point import EXACT_IN_F64, HIGHEST, LOWEST, Interval
from .arithmetic import NEU017, Refusal
from .expressions import NEU003, NEU007, NEU022, Expressions
from .kinds import (
    BOOL,
    PRECISIONS,
    REAL,
    WIDTH,
    Accumulated,
    Bool,
    Emitted,
    Kind,
    Let,
    Real,
    Recorded,
    Value,
    describe_kind,
    is_reserved,
)
from .tree import Assign, Bounds, Declared, Emit, Neuron, Record

NEU004 = Code("NEU004", "name-declared-twice", "a name is declared twice")
NEU010 = Code("NEU010", "assignment-invalid", "invalid assignment")
NEU018 = Code("NEU018", "single-emit-required", "a neuron requires exactly one emit of one kind")
NEU019 = Code("NEU019", "name-unused", "a name is never used")
NEU020 = Code("NEU020", "state-never-assigned", "a state is never assigned")


class Elaboration(Expressions):
    """Neuron under one choice of options: resolved, typed, and checked.

    Errors: NEU003, NEU004 and NEU007 to NEU022, collected in `found`.
    """

    def __init__(self, neuron: Neuron, options: Mapping[str, str]):
        super().__init__(neuron, options)
        self.modes: dict[str, str] = {}
        self.derived: list[Let] = []
        self.canonical: list[Let] = []
        self.initial: dict[str, Value] = {}
        self.inputs: dict[str, Kind] = {}
        """The kinds of inputs before conversion to a declared width."""
        self.into: dict[str, str] = {}
        """The states of inputs that can accumulate, by name."""
        self.each: dict[str, Accumulated] = {}
        """The accumulation of inputs event by event, by name."""
        self.steps: list[Let | Emitted | Recorded] = []
        self.finals: dict[str, Value] = {}
        self.typed_locals: dict[str, Declared] = {}
        self.declare()
        self.derive()
        self.step()
        self.unused()

    # ---- declarations

    def declare(self) -> None:
        neuron = self.neuron
        for item in neuron.of(Assign):
            self.reserved(item.name, item.place)
        for name in neuron.options:
            self.introduce(name, "option", neuron.place)
        declared = [
            *(("parameter", param) for param in neuron.params),
            *(("state", state) for state in neuron.states),
            *(("input", one) for one in neuron.inputs),
        ]
        for what, one in declared:
            self.introduce(one.name, what, one.place)
        for what, held in (("record", neuron.records), ("canonical", neuron.canonical)):
            seen = set[str]()
            for one in held:
                if one.name in seen:
                    self.report(NEU004, f"{what} {one.name} occurs twice", one.place, help="rename one of the two")
                seen.add(one.name)
        for what, one in declared:
            with suppress(Refusal):
                self.kinds[one.name] = self.kind_of(one.declared, parameter=what == "parameter")
                self.modes[one.name] = one.declared.mode if one.declared else ""
                if one.into is not None:
                    self.check_each(one.name, one.into, one.place)
                    self.into[one.name] = one.into

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

    def check_each(self, name: str, into: str, place: Place) -> None:
        kinds = self.kinds.get(name), self.kinds.get(into)
        if self.what.get(into) != "state":
            raise self.refuse(NEU007, f"{into} is not a state", place, expected=self.listed("state"), found=into)
        if not all(isinstance(kind, Interval) for kind in kinds) or not self.modes.get(into):
            message = "`each into` requires an integer input and an integer state that wraps or saturates"
            expected = f"an integer input, and `state {into}: s16 saturate` or the like"
            found = f"{name}: {kinds[0]}, {into}: {kinds[1]}"
            raise self.refuse(NEU022, message, place, expected=expected, found=found)
        if isinstance(kinds[0], Interval) and not kinds[0].holds(0):
            message = "the bounds of an accumulating input must include 0, the value without an event"
            raise self.refuse(NEU022, message, place, expected="bounds around 0", found=f"{name} in {kinds[0]}")

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

    # ---- the three regions

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
        behind = [state.value for state in neuron.states if state.value]
        behind += [item.value for item in neuron.items if isinstance(item, Assign | Emit | Record)]
        needed = {part.name for value in behind for part in walk(value) if isinstance(part, Name)}
        # a raw and a canonical parameter may share a name if only derived parameters read the raw one
        asked = {param.name for param in neuron.raw_params} - needed
        for canonical in neuron.canonical:
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

    def step(self) -> None:
        neuron = self.neuron
        for state in neuron.states:
            if state.name not in self.kinds:
                continue
            value = state.value or Number("0", state.place)
            if state.value is None and self.kinds[state.name] == BOOL:
                value = Name("false", state.place)
            with suppress(Refusal):
                held = self.expression(value)
                kind, mode = self.kinds[state.name], self.modes[state.name]
                self.initial[state.name] = self.assigned(held, kind, mode, state.place)
        for name in (state.name for state in neuron.states if state.name in self.kinds):
            self.names[name] = self.leaf("state", name)
        for one in neuron.inputs:
            if one.name in self.kinds and one.into is None:
                self.receive(one.name, one.place)
            elif (into := self.into.get(one.name)) is not None:
                with suppress(Refusal):
                    self.accumulate(one.name, into, one.place)
        for item in neuron.items:
            with suppress(Refusal):
                match item:
                    case Assign():
                        self.assign(item)
                    case Record():
                        self.steps.append(
                            Recorded(item.name, self.settled(self.expression(item.value), None, item.place))
                        )
                    case Emit():
                        self.emit(item)
                    case _:
                        pass
        self.finals = {state.name: self.names[state.name] for state in neuron.states if state.name in self.names}
        emits = neuron.of(Emit)
        if len(emits) != 1:
            place = emits[1].place if emits else neuron.place
            what = f"neuron {neuron.name} emits nothing" if not emits else f"neuron {neuron.name} emits more than once"
            self.report(
                NEU018, what, place, expected="one emit", found=str(len(emits)), help=None if emits else "emit spike z"
            )

    def receive(self, name: str, place: Place) -> None:
        """Defines the value of an input. Without a mode it has its type; with one, the exact sum is converted once."""
        kind, mode = self.kinds[name], self.modes[name]
        self.inputs[name] = Interval(LOWEST, HIGHEST) if mode else kind
        value = Value("input", self.inputs[name], data=name)
        if mode:
            self.bind(name, self.assigned(value, kind, mode, place))
        else:
            self.names[name] = value

    def accumulate(self, name: str, into: str, place: Place) -> None:
        """Defines an accumulation: a term is converted to the input's width and added to the state, and the sum to the state's width."""
        kind, mode = self.kinds[name], self.modes[name]
        term = Value("input", Interval(LOWEST, HIGHEST) if mode else kind, data=name, place=place)
        arrives = term.kind
        if mode:
            met = self.assigned(term, kind, mode, place)
            term = Value("let", met.kind, (met,), name, place)
        added = self.operation("add", place, self.leaf("state", into), term)
        after = self.assigned(added, self.kinds[into], self.modes[into], place)
        self.each[name] = Accumulated(into, arrives, Value("let", after.kind, (after,), into, place))

    def bind(self, name: str, value: Value) -> None:
        let = Value("let", value.kind, (value,), name, value.place)
        self.names[name] = let
        self.steps.append(Let(name, let))

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
            kind, mode = self.kinds.get(item.name), self.modes.get(item.name, "")
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

    def emit(self, item: Emit) -> None:
        value = self.expression(item.value)
        kinds: dict[str, Callable[[Kind], bool]] = {
            "spike": lambda kind: kind == BOOL,
            "count": lambda kind: isinstance(kind, Interval) and kind.low >= 0,
            "graded": lambda kind: isinstance(kind, Interval),
            "value": lambda kind: isinstance(kind, Real | Interval),
        }
        value = self.settled(value, REAL if item.kind in ("value", None) else None, item.place)
        inferred = "spike" if value.kind == BOOL else "value" if isinstance(value.kind, Real) else None
        kind = item.kind or inferred
        if kind is None or not kinds[kind](value.kind):
            needed = {"spike": "a boolean", "count": "an integer from 0", "graded": "an integer", "value": "a number"}
            message = (
                f"emit {kind} requires {needed[kind]}"
                if kind
                else "an integer is emitted as a count, as graded or as a value"
            )
            expected = needed[kind] if kind else "emit count, emit graded or emit value"
            raise self.refuse(NEU018, message, item.place, expected=expected, found=describe_kind(value.kind))
        self.steps.append(Emitted(kind, value))

    def unused(self) -> None:
        neuron = self.neuron
        exprs = [e for one in (*neuron.derived, *neuron.canonical, *neuron.states) if (e := one.value)]
        exprs += [item.value for item in neuron.items if isinstance(item, Assign | Emit | Record)]
        read = {part.name for expr in exprs for part in walk(expr) if isinstance(part, Name)}
        assigned = {item.name: item.place for item in neuron.of(Assign)}
        for one in neuron.inputs:
            if one.name not in read and one.into is None:
                self.report(NEU019, f"input {one.name} is never used", one.place, help=f"remove input {one.name}")
            if one.name in read and one.into is not None:
                message = f"input {one.name} is added to {one.into} event by event; its sum is not known"
                self.report(NEU022, message, one.place, help=f"read {one.into}, or remove `each into {one.into}`")
        for name, place in assigned.items():
            if name not in read and self.what.get(name) == "name":
                help = f"remove the line, or record {name} = {name}"
                self.report(NEU019, f"{name} is computed and never used", place, help=help)
        for state in neuron.states:
            if state.name not in assigned and state.name not in {one.into for one in neuron.inputs}:
                self.report(NEU020, f"state {state.name} is never assigned", state.place, help=f"param {state.name}")

"""Elaboration of a neuron: resolves names, kinds and widths for one choice of its options.

`Elaboration` walks the declarations and lines of a neuron and computes the values of its three regions: derived parameters, initial
states, and the step. It is independent of dialects; the builder turns values into ops one by one. All findings are collected; an
invalid line causes no further ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from ..diagnostics import Code
from ..expressions.places import Place
from ..expressions.tree import Name, walk
from ..fixed_point import HIGHEST, LOWEST, Interval
from .arithmetic import Refusal
from .declarations import NEU004, Declaring
from .expressions import NEU007, NEU022
from .kinds import (
    BOOL,
    REAL,
    Accumulated,
    Emitted,
    Kind,
    Real,
    Recorded,
    Value,
    describe_kind,
)
from .tree import Assign, Emit, Neuron, Record

NEU018 = Code("NEU018", "single-emit-required", "a neuron requires exactly one emit of one kind")
NEU019 = Code("NEU019", "name-unused", "a name is never used")
NEU020 = Code("NEU020", "state-never-assigned", "a state is never assigned")


class Elaboration(Declaring):
    """Neuron under one choice of options: resolved, typed, and checked.

    Errors: NEU003, NEU004 and NEU007 to NEU022, collected in `found`.
    """

    def __init__(self, neuron: Neuron, options: Mapping[str, str]):
        super().__init__(neuron, options)
        self.subject = neuron
        self.inputs: dict[str, Kind] = {}
        """The kinds of inputs before conversion to a declared width."""
        self.into: dict[str, str] = {}
        """The states of inputs that can accumulate, by name."""
        self.each: dict[str, Accumulated] = {}
        """The accumulation of inputs event by event, by name."""
        self.finals: dict[str, Value] = {}
        self.declare()
        self.derive()
        self.step()
        self.unused()

    # ---- declarations

    def declare(self) -> None:
        neuron = self.subject
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

    # ---- the three regions

    def step(self) -> None:
        neuron = self.subject
        self.start(neuron.states)
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
        neuron = self.subject
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

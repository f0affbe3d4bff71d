"""Elaboration of a synapse: resolves names, kinds, sides and bounds for one choice of its options.

| name | exists once for each | may be assigned in | may read |
| --- | --- | --- | --- |
| weight, synapse state | synapse | every event | everything |
| pre state | presynaptic neuron | `tick`, `pre` | pre states, parameters |
| post state | postsynaptic neuron | `tick`, `post` | post states, observed states, modulators, parameters |

Every assignment of the weight is clipped to its bounds. A divisor must be known to differ from 0, by literals or the bounds of parameters.
All findings are collected; an invalid line causes no further ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from attrs import frozen

from ..diagnostics import Code
from ..expressions.places import Place
from ..expressions.tree import Expr, Name, Neg, Number, walk
from ..fixed_point import Interval
from ..neuron.arithmetic import NEU015, Refusal
from ..neuron.declarations import Declaring
from ..neuron.elaboration import NEU019, NEU020
from ..neuron.kinds import LITERAL, PRECISIONS, REAL, WIDTH, Bool, Kind, Let, Real, Value
from ..neuron.tree import Assign, Declaration
from .ranges import Range, can_be_zero
from .tree import DELAY, EVENTS, POST, PRE, TICK, Delay, Efficacy, Event, Synapse, Weight

SYN002 = Code("SYN002", "assignment-on-wrong-side", "a trace of a neuron depends on something that the neuron lacks")
SYN003 = Code("SYN003", "weight-bounds-empty", "the bounds of the weight are empty")
SYN004 = Code("SYN004", "event-unknown", "unknown event")
SYN005 = Code("SYN005", "assignment-without-event", "an assignment belongs to no event")
SYN006 = Code("SYN006", "single-weight-required", "a synapse requires exactly one weight, and at most one efficacy")
KNOWN_DELAYS = "axonal, dendritic or split"
SYN007 = Code("SYN007", "delay-meaning-unknown", "the option `delay` has a value that is not a meaning of delays")
SYN009 = Code("SYN009", "random-type-invalid", "a random number has a type without random numbers")

WEIGHT, SYNAPSE, OBSERVED, MODULATOR, RANDOM = "weight", "synapse", "observed", "modulator", "random"
READS = {PRE: (PRE,), POST: (POST, OBSERVED, MODULATOR)}
"""Sides that a trace may read, by its own side."""
ASSIGNED_IN = {PRE: (TICK, PRE), POST: (TICK, POST)}
OWNERS = {PRE: "a presynaptic neuron", POST: "a postsynaptic neuron"}


@frozen
class RuleBlock:
    """The lines of an event, and the value of each state and of the weight after it, by name."""

    event: str
    lines: tuple[Let, ...]
    finals: Mapping[str, Value]


class RuleElaboration(Declaring):
    """Synapse under one choice of options: resolved, typed, and checked.

    Errors: NEU003, NEU004, NEU007 to NEU017 and NEU019 to NEU022; SYN002 to SYN007 and SYN009, collected in `found`.
    """

    def __init__(self, synapse: Synapse, options: Mapping[str, str]):
        super().__init__(synapse, options)
        self.synapse = synapse
        self.sides: dict[str, str] = {}
        """The side of the weight, and of each state, observed state, modulator and random number, in the order of a region's arguments."""
        self.blocks: list[RuleBlock] = []
        self.efficacy: Value | None = None
        self.weight: Weight | None = None
        self.weight_width: Kind | None = None
        """The declared type of the weight; its kind is closer if the bounds are integers."""
        self.declare()
        self.derive()
        self.check_bounds()
        self.start([*synapse.synapse_states, *synapse.pre_states, *synapse.post_states])
        self.outside()
        for event, lines in synapse.events:
            if self.is_event(event) and event.holds(self.options):
                self.block(event, lines)
        for item in synapse.of(Efficacy)[:1]:
            self.transmitted(item)
        self.check_divisors()
        self.unused()

    @property
    def delay(self) -> Delay:
        """The meaning of the delay of a synapse."""
        return Delay(self.options.get(DELAY, Delay.AXONAL))

    def named(self, *sides: str) -> list[str]:
        """Returns the names of some sides, in the order of a region's arguments."""
        return [name for name, side in self.sides.items() if side in sides]

    # ---- declarations

    def declare(self) -> None:
        synapse = self.synapse
        for item in synapse.assigned:
            self.reserved(item.name, item.place)
        for name in synapse.options:
            self.introduce(name, "option", synapse.place)
        self.check_delay()
        self.check_single(synapse.weights, "weight", "weight w in 0..1")
        for param in synapse.params:
            self.introduce(param.name, "parameter", param.place)
            with suppress(Refusal):
                self.kinds[param.name] = self.kind_of(param.declared, parameter=True)
                self.modes[param.name] = param.declared.mode if param.declared else ""
        for weight in synapse.weights[:1]:
            self.weight = weight
            self.take(Declaration(weight.name, None, weight.declared, place=weight.place), WEIGHT, "state")
            self.narrow(weight)
        states = ((SYNAPSE, synapse.synapse_states), (PRE, synapse.pre_states), (POST, synapse.post_states))
        for side, declared in states:
            for one in declared:
                self.take(one, side, "state")
        for side, declared in ((OBSERVED, synapse.observed), (MODULATOR, synapse.signals), (RANDOM, synapse.randoms)):
            for one in declared:
                self.take(one, side, "input")
        for one in synapse.randoms:
            self.check_random(one)

    def take(self, one: Declaration, side: str, what: str) -> None:
        """Declares a name of a side."""
        self.introduce(one.name, what, one.place)
        if side == MODULATOR and one.name in EVENTS:
            message, help = f"{one.name} is an event of every synapse", f"rename it, for example to {one.name}_0"
            self.report(SYN004, message, one.place, expected="a name of its own", found=one.name, help=help)
        with suppress(Refusal):
            self.kinds[one.name] = self.kind_of(one.declared)
            self.modes[one.name] = one.declared.mode if one.declared else ""
            self.sides[one.name] = side

    def check_random(self, one: Declaration) -> None:
        """Refuses a type that no random number has: it is a real in [0, 1), or all bits of an unsigned integer. Errors: SYN009."""
        declared = one.declared
        if (
            declared is None
            or declared.type in PRECISIONS
            or (declared.type[0] == "u" and str(declared) == declared.type)
        ):
            return
        message, width = f"a random number cannot have the type {declared}", WIDTH.fullmatch(declared.type)
        if width is None:
            help = f"random {one.name}: u1, and {one.name} == 1"
        elif declared.type[0] == "s":
            half = 2 ** (int(width[2]) - 1)
            help = f"random {one.name}: u{width[2]}, and {one.name} - {half}"
        else:
            help = f"random {one.name}: {declared.type}"
        expected = "real, f32, f64, or an unsigned integer without bounds: u1 to u63"
        self.report(SYN009, message, declared.place, expected=expected, found=str(declared), help=help)

    def narrow(self, weight: Weight) -> None:
        """Sets the kind of an integer weight to its bounds, if they are integers."""
        width = self.weight_width = self.kinds.get(weight.name)
        ends = [integer_of(end) for end in (weight.low, weight.high)]
        if isinstance(width, Interval) and ends[0] is not None and ends[1] is not None and ends[0] <= ends[1]:
            bounds = Interval(ends[0], ends[1])
            if width.holds(bounds):
                self.kinds[weight.name] = bounds

    def assigned_kind(self, name: str) -> Kind | None:
        return self.weight_width if self.sides.get(name) == WEIGHT else super().assigned_kind(name)

    def check_delay(self) -> None:
        for value in self.synapse.options.get(DELAY, ()):
            if value not in list(Delay):
                place = next(item.place for item in self.synapse.items if getattr(item, "name", "") == DELAY)
                message = f"a delay is {KNOWN_DELAYS}, not {value}"
                self.report(SYN007, message, place, expected=KNOWN_DELAYS, found=value)
                self.options = {**self.options, DELAY: Delay.AXONAL}

    def check_single(self, items: list[Weight], what: str, help: str) -> None:
        efficacies = self.synapse.of(Efficacy)
        if len(items) != 1:
            place = items[1].place if items else self.synapse.place
            message = f"synapse {self.synapse.name} has {'several weights' if items else 'no weight'}"
            self.report(SYN006, message, place, expected=f"one {what}", found=str(len(items)), help=help)
        if len(efficacies) > 1:
            message = f"synapse {self.synapse.name} has several efficacies"
            self.report(SYN006, message, efficacies[1].place, expected="one efficacy", found=str(len(efficacies)))

    # ---- bounds

    def check_bounds(self) -> None:
        """Refuses bounds that are literals and empty. Errors: SYN003."""
        ends = [let.value for let in self.canonical]
        if self.weight is None or len(ends) != 2:
            return
        low, high = (constant_of(value) for value in ends)
        if low is not None and high is not None and low > high:
            message, help = "the lower bound of the weight is above the upper one", "exchange the two bounds"
            self.report(SYN003, message, self.weight.place, expected="low..high", found=f"{low:g}..{high:g}", help=help)

    def within(self, value: Value, kind: Kind, weight: Weight) -> Value:
        """Returns a value within the bounds of the weight."""
        low, high = self.expression(weight.low), self.expression(weight.high)
        if isinstance(kind, Interval):
            value = value.args[0] if value.op == "widen" else value  # its own interval may be within the bounds
            low, high = self.settled(low, kind, weight.place), self.settled(high, kind, weight.place)
        place = value.place
        clipped = self.clip_values([value, low, high], place)
        return self.assigned(clipped, kind, self.modes[weight.name], place)

    def clip_values(self, args: list[Value], place: Place) -> Value:
        """Returns the first of three values, within the other two."""
        x, low, high = args
        both = low.op == high.op == "constant" and not isinstance(x.kind, Real)
        if both and low.data <= high.data and x.kind != LITERAL:
            return self.clipped(x, Interval(low.data, high.data), place)
        x, low, high = self.unified("clip", place, x, low, high)
        return self.operation("min", place, self.operation("max", place, x, low), high)

    # ---- events

    def is_event(self, event: Event) -> bool:
        """Refuses an unknown event, and an unknown option of one. Errors: SYN004, NEU008."""
        known = (*EVENTS, *self.synapse.modulators)
        if event.name not in known:
            message = f"unknown event {event.name}"
            help = f"declare it with modulator {event.name}, or write on {known[0]}"
            self.report(
                SYN004, message, event.place, expected=f"one of {', '.join(known)}", found=event.name, help=help
            )
            return False
        values = self.synapse.options.get(event.option or "", ())
        unknown = [value for value in event.values if value not in values]
        if event.option is not None and unknown:
            message = f"option {event.option} has no value {unknown[0]}" if values else f"unknown option {event.option}"
            expected = " or ".join(values or self.synapse.options) or "no options"
            self.report(SYN004, message, event.place, expected=expected, found=f"{event.option} is {unknown[0]}")
            return False
        return True

    def outside(self) -> None:
        """Refuses assignments above the first event. Errors: SYN005."""
        for item in self.synapse.items:
            if isinstance(item, Event):
                return
            if isinstance(item, Assign):
                message, help = f"{item.name} is assigned outside of an event", "on tick, above it"
                self.report(SYN005, message, item.place, expected="on tick, on pre or on post above it", help=help)

    def leaves(self) -> dict[str, Value]:
        """Returns the values of all names at the start of an event."""
        params = {name: self.leaf("param", name) for name in self.kinds if self.what[name] == "parameter"}
        time = {"dt": Value("param", REAL, data="dt")}
        return time | params | {name: self.leaf("state", name) for name in self.sides}

    def block(self, event: Event, lines: Iterable[Assign]) -> None:
        self.names = self.leaves()
        self.steps.clear()
        self.typed_locals.clear()
        states = self.named(WEIGHT, SYNAPSE, PRE, POST)
        for item in lines:
            with suppress(Refusal):
                self.assign(item)
                self.check_side(event, item)
        finals = {name: self.names[name] for name in states}
        self.blocks.append(RuleBlock(event.name, tuple(one for one in self.steps if isinstance(one, Let)), finals))

    def bind(self, name: str, value: Value) -> None:
        if self.sides.get(name) == WEIGHT and self.weight is not None:
            value = self.within(value, self.kinds[name], self.weight)
        super().bind(name, value)

    def check_side(self, event: Event, item: Assign) -> None:
        """Refuses a trace that depends on something its neuron lacks, or changes at an event of others. Errors: SYN002."""
        side = self.sides.get(item.name)
        if side not in READS:
            return
        if event.name not in ASSIGNED_IN[side]:
            message = f"{item.name} belongs to {OWNERS[side]}, and an event of {event.name} reaches single synapses"
            expected = " or ".join(f"on {name}" for name in ASSIGNED_IN[side])
            help = f"synapse state {item.name}, which every event can change"
            raise self.refuse(SYN002, message, item.place, expected=expected, found=f"on {event.name}", help=help)
        foreign = [name for name in leaf_names(self.names[item.name]) if self.sides[name] not in READS[side]]
        if foreign:
            message = f"{item.name} belongs to {OWNERS[side]}, which lacks {foreign[0]}"
            known = ", ".join(self.named(*READS[side]))
            help = f"synapse state {item.name}, which can read everything"
            raise self.refuse(
                SYN002, message, item.place, expected=f"{known} and parameters", found=foreign[0], help=help
            )

    def transmitted(self, item: Efficacy) -> None:
        self.names = self.leaves()
        with suppress(Refusal):
            kind = self.kinds.get(self.weight.name) if self.weight else None
            if kind is None:
                return
            value = self.settled(self.expression(item.value), kind, item.place)
            if isinstance(value.kind, Bool) or isinstance(value.kind, Interval) != isinstance(kind, Interval):
                raise self.kinds_clash("an efficacy has the kind of the weight", item.place, value.kind, kind)
            self.efficacy = value

    # ---- checks of the whole rule

    def check_divisors(self) -> None:
        """Refuses a real quotient whose divisor may be 0. Errors: NEU015."""
        for value in self.zero_divisors():
            named = divisor_parameters(value.args[1])
            help = f"param {named[0]} in 1e-9..inf" if named else "max(d, 1e-9)"
            expected = "a divisor whose bounds exclude 0"
            self.report(NEU015, "the divisor may be 0", value.place, expected=expected, help=help)

    def zero_divisors(self) -> list[Value]:
        """Returns the real quotients whose divisor can be 0 within the bounds of the parameters."""
        params: dict[str, Range] = {
            one.name: (float(one.bounds.low), float(one.bounds.high)) for one in self.synapse.params if one.bounds
        }
        finals = [
            value for block in self.blocks for value in (*block.finals.values(), *(one.value for one in block.lines))
        ]
        roots = [*(let.value for let in (*self.derived, *self.canonical)), *self.initial.values(), *finals]
        roots += [self.efficacy] if self.efficacy else []
        quotients = (one for one in every_value(roots) if one.op == "div" and isinstance(one.kind, Real))
        return [one for one in quotients if can_be_zero(one.args[1], params)]

    def unused(self) -> None:
        """Reports names that are never read or assigned. Errors: NEU019, NEU020."""
        synapse = self.synapse
        derived: list[Expr] = [param.value for param in synapse.derived if param.value]
        read = {part.name for expr in (*derived, *synapse.expressions) for part in walk(expr) if isinstance(part, Name)}
        assigned = {item.name: item.place for item in synapse.assigned}
        events = {event.name for event, _ in synapse.events}
        for one in (*synapse.observed, *synapse.randoms):
            if one.name not in read:
                self.report(NEU019, f"{one.name} is never used", one.place, help=f"remove {one.name}")
        for one in synapse.signals:
            if one.name not in read | events:
                self.report(NEU019, f"modulator {one.name} is never used", one.place, help=f"on {one.name}")
        for name, place in assigned.items():
            if name not in read and self.what.get(name) == "name":
                self.report(NEU019, f"{name} is computed and never used", place, help="remove the line")
        for state in (*synapse.synapse_states, *synapse.pre_states, *synapse.post_states):
            if state.name not in assigned:
                self.report(NEU020, f"state {state.name} is never assigned", state.place, help=f"param {state.name}")


def every_value(roots: Iterable[Value]) -> Iterator[Value]:
    """Yields values and everything that they depend on, each once."""
    stack, seen = list(roots), set[Value]()
    while stack:
        if (value := stack.pop()) not in seen:
            seen.add(value)
            yield value
            stack += value.args


def divisor_parameters(value: Value) -> list[str]:
    """Returns the names of the raw parameters that a value depends on."""
    return [one.data for one in every_value([value]) if one.op == "param" and one.data != "dt"]


def leaf_names(value: Value) -> list[str]:
    """Returns the names of states, observed states, modulators and random numbers that a value depends on."""
    return sorted({one.data for one in every_value([value]) if one.op == "state"})


def integer_of(end: Expr) -> int | None:
    """Returns the integer that a bound is; None for a parameter or another number."""
    inner = end.x if isinstance(end, Neg) else end
    if not isinstance(inner, Number) or not inner.text.isdigit():
        return None
    return -int(inner.text) if isinstance(end, Neg) else int(inner.text)


def constant_of(value: Value) -> float | None:
    """Returns the number of a constant; None for other values."""
    match value.op:
        case "constant":
            return float(value.data)
        case "neg":
            inner = constant_of(value.args[0])
            return None if inner is None else -inner
        case _:
            return None

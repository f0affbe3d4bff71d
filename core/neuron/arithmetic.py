"""Arithmetic of the neuron language: result kinds of operations, and conversion of values to declared kinds.

An integer literal adopts the kind of its neighbours; otherwise integers and reals do not mix. Every integer result has the
interval implied by its operands. If that exceeds a declared width, `wrap` or `saturate` is required.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..diagnostics import Code, Diagnostics
from ..expressions.places import Place, finding_at
from ..fixed_point import EXACT_IN_F64, HIGHEST, LOWEST, Interval
from .kinds import (
    LITERAL,
    REAL,
    REAL_ONLY,
    Bool,
    Kind,
    Literal,
    Quotient,
    Real,
    Rounded,
    Value,
    describe_kind,
    is_integer_literal,
)
from .tree import Equations

NEU011 = Code("NEU011", "kinds-mismatch", "kinds do not match")
NEU012 = Code("NEU012", "value-exceeds-width", "a value does not fit the declared width")
NEU013 = Code("NEU013", "rounded-real-without-width", "a rounded real has no declared width")
NEU014 = Code("NEU014", "integer-division-not-rounded", "an integer division is not rounded")
NEU015 = Code("NEU015", "neuron-divisor-may-be-zero", "a divisor may be 0")
NEU017 = Code("NEU017", "integer-exceeds-64-bits", "an integer needs more than 64 bits")
NEU021 = Code("NEU021", "constant-computed-in-step", "a division or function of parameters alone is part of the step")


class Refusal(Exception):
    """Exception that ends the elaboration of an expression after a finding."""


class Arithmetic:
    """Operations on values, and the state of a walk over a neuron or a synapse."""

    def __init__(self, neuron: Equations, options: Mapping[str, str]):
        self.neuron = neuron
        self.options = options
        self.found = Diagnostics()
        self.names: dict[str, Value] = {}
        """The value of every name at the current position."""
        self.once = False
        """Whether the current position is in the region that is computed only once."""
        self.what: dict[str, str] = {}
        """Whether a name is an option, a parameter, a state, an input or assigned."""
        self.kinds: dict[str, Kind] = {}

    def report(self, code: Code, message: str, place: Place, **parts: Any) -> None:
        self.found.add(finding_at(code, message, self.neuron.source, self.neuron.lines, place, **parts))

    def refuse(self, code: Code, message: str, place: Place, **parts: Any) -> Refusal:
        self.report(code, message, place, **parts)
        return Refusal()

    def kinds_clash(self, message: str, place: Place, *kinds: Kind, help: str | None = None) -> Refusal:
        found = " and ".join(dict.fromkeys(map(describe_kind, kinds)))
        return self.refuse(NEU011, message, place, found=found, help=help)

    def complete(self, *values: Value) -> None:
        """Refuses values that need a rounding or a width to become integers."""
        for value in values:
            if isinstance(value.kind, Rounded):
                expected = "clip(floor(x), low, high), or a line of its own with a type that saturates"
                help = f"real({value.data}(...)) stays a real"
                raise self.refuse(NEU013, "a rounded real has no bounds", value.place, expected=expected, help=help)
            if isinstance(value.kind, Quotient):
                expected = "floor(a / b), ceil(a / b), truncate(a / b) or round(a / b)"
                raise self.refuse(NEU014, "a quotient of integers is not rounded", value.place, expected=expected)

    def unified(self, what: str, place: Place, *values: Value) -> list[Value]:
        """Converts operands to one kind: literals adopt the kind of the others."""
        kinds = [value.kind for value in values]
        firm = [kind for kind in kinds if kind != LITERAL]
        self.complete(*values)
        if any(isinstance(kind, Bool) for kind in kinds):
            if all(isinstance(kind, Bool) for kind in kinds):
                return list(values)
            help = "write 1 if z else 0 for a boolean z"
            raise self.kinds_clash(f"{what} requires numbers", place, *kinds, help=help)
        if not firm:
            return list(values)
        groups = {kind if isinstance(kind, Real) else None for kind in firm}
        if len(groups) > 1:
            raise self.kinds_clash(f"{what} mixes kinds", place, *kinds, help="convert one, for example real(x)")
        return [self.coerced(value, firm[0]) for value in values]

    def operation(self, op: str, place: Place, *args: Value) -> Value:
        """Returns the result of an operation on operands of one kind."""
        kind = args[0].kind
        self.complete(*args)
        if isinstance(kind, Bool):
            help = "write 1 if z else 0 for a boolean z"
            raise self.kinds_clash(f"{op} requires numbers", place, *(arg.kind for arg in args), help=help)
        if isinstance(kind, Literal):
            return Value(op, LITERAL, args, place=place)
        if isinstance(kind, Real):
            if op in ("div", *REAL_ONLY) and not self.once and not any(arg.varies for arg in args):
                what = "a quotient" if op == "div" else op
                raise self.refuse(
                    NEU021, f"{what} of parameters alone is part of the step", place, help="param k = ..., and k here"
                )
            return Value(op, kind, args, place=place)
        intervals = [arg.kind for arg in args]
        a: Any = intervals[0]
        b: Any = intervals[-1]
        if op == "div":
            if b.holds(0):
                found = f"{b} for the divisor"
                message = "the divisor may be 0"
                expected = "an interval without 0"
                raise self.refuse(NEU015, message, place, expected=expected, found=found, help="max(d, 1)")
            return Value("div", Quotient(), args, place=place)
        results: dict[str, Callable[[], Interval]] = {
            "add": lambda: a + b,
            "sub": lambda: a - b,
            "mul": lambda: a * b,
            "neg": lambda: -a,
            "abs": lambda: abs(a),
            "sign": lambda: a.sign,
            "min": lambda: a.minimum(b),
            "max": lambda: a.maximum(b),
            "shl": lambda: a.shl(b),
            "shr": lambda: a.shr(b),
        }
        return Value(op, self.fitting(results[op](), place), args, place=place)

    def fitting(self, interval: Interval, place: Place) -> Interval:
        if not interval.fits:
            expected = f"{LOWEST}..{HIGHEST}"
            raise self.refuse(
                NEU017, "the result needs more than 64 bits", place, expected=expected, found=str(interval)
            )
        return interval

    def check_exact(self, into: Interval, place: Place) -> None:
        if not Interval(-EXACT_IN_F64, EXACT_IN_F64).holds(into):
            found = str(into)
            message = "a double cannot represent every integer of this width"
            raise self.refuse(NEU017, message, place, expected="up to 53 bits", found=found)

    def coerced(self, value: Value, kind: Kind) -> Value:
        """Converts literals to a kind; other values have that kind already."""
        if value.kind != LITERAL:
            return value
        args, place = value.args, value.place
        if value.op == "select":
            test, *branches = args
            then, otherwise = (self.coerced(branch, kind) for branch in branches)
            joined = then.kind
            if isinstance(joined, Interval) and isinstance(otherwise.kind, Interval):
                joined = joined.join(otherwise.kind)
            return Value("select", joined, (test, then, otherwise), place=place)
        parts = [self.coerced(arg, kind) for arg in args]
        if isinstance(kind, Real):
            if value.op == "literal":
                return Value("constant", kind, data=float(value.data), place=place)
            if value.op == "neg" and parts[0].op == "constant":
                return Value("constant", kind, data=-parts[0].data, place=place)
            return self.operation(value.op, place, *parts)
        if value.op == "literal":
            if not value.data.isdigit():
                raise self.kinds_clash("a fraction is used among integers", place, Literal(), kind, help="real(x)")
            number = int(value.data)
            return Value("constant", self.fitting(Interval(number, number), place), data=number, place=place)
        made = self.operation(value.op, place, *parts)
        if isinstance(made.kind, Interval) and made.kind.size == 1 and all(part.op == "constant" for part in parts):
            return Value("constant", made.kind, data=made.kind.low, place=place)
        return made

    def settled(self, value: Value, kind: Kind | None, place: Place) -> Value:
        """Converts a value that is assigned without a declared kind. Literals adopt `kind`; without `kind` they are integers if possible."""
        self.complete(value)
        if value.kind != LITERAL:
            return value
        return self.coerced(value, kind) if kind is not None else self.settled_alike(value)[0]

    def settled_alike(self, *values: Value) -> list[Value]:
        """Converts literals: to integers if all of them are whole, else to reals."""
        whole = all(is_integer_literal(value) for value in values)
        return [self.coerced(value, Interval(0, 0) if whole else REAL) for value in values]

    def assigned(self, value: Value, kind: Kind | None, mode: str, place: Place) -> Value:
        """Converts a value to a declared kind, by `wrap`, by `saturate`, or only if it fits."""
        if kind is None:
            raise Refusal
        if value.kind == LITERAL and not isinstance(kind, Bool):
            value = self.coerced(value, kind)
        if isinstance(kind, Interval) and isinstance(value.kind, Rounded):
            if mode != "saturate":
                help = "write saturate after the type, or clip the value"
                raise self.refuse(
                    NEU013, "a rounded real can be any integer", value.place, expected=f"{kind}, saturating", help=help
                )
            self.check_exact(kind, place)
            return Value("from_real", kind, value.args, value.data, place)
        self.complete(value)
        if isinstance(kind, Interval) and isinstance(value.kind, Interval):
            if value.kind == kind:
                return value
            if kind.holds(value.kind):
                return Value("widen", kind, (value,), place=place)
            if not mode:
                raise self.refuse(
                    NEU012,
                    "the value does not fit the declared width",
                    place,
                    expected=str(kind),
                    found=str(value.kind),
                    help="write wrap or saturate after the type, or clip the value",
                )
            return Value(mode, kind, (value,), place=place)
        if value.kind != kind:
            help = f"{kind}(x)" if isinstance(kind, Real) and isinstance(value.kind, Real | Interval) else None
            if isinstance(kind, Interval) and isinstance(value.kind, Real):
                help = "clip(round(x), low, high)"
            raise self.kinds_clash(f"{describe_kind(kind)} is declared", place, value.kind, help=help)
        return value

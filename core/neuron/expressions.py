"""Typing of expressions of the neuron language: resolves names, infers kinds, computes intervals, and makes every conversion explicit.

`Expressions` turns an expression into a `Value`. In `A if test else B` a name that the test bounds, such as `c` in
`c - 1 if c > 0 else 0`, has its narrower interval in that branch (a `refine` value). Options are folded: only the chosen branch of
`A if option is value else B` is evaluated.
"""

from __future__ import annotations

from attrs import evolve

from ..diagnostics import Code
from ..expressions.places import Place
from ..expressions.tree import INVERSE, MIRRORED, Binary, Call, Cond, Expr, Is, Name, Neg, Not, Number
from ..fixed_point import LONGEST_SHIFT, Interval, Rounding
from .arithmetic import NEU013, Arithmetic, Refusal
from .kinds import (
    ARITY,
    BOOL,
    HALVES,
    LITERAL,
    PRECISIONS,
    REAL,
    REAL_ONLY,
    ROUNDING_BY_NAME,
    Bool,
    Quotient,
    Real,
    Rounded,
    Value,
    is_reserved,
    narrow_interval,
)

NEU003 = Code("NEU003", "reserved-word-as-name", "a reserved word is used as a name")
NEU007 = Code("NEU007", "name-unknown", "unknown name")
NEU008 = Code("NEU008", "is-needs-option-value", "`is` compares an option with one of its values")
NEU009 = Code("NEU009", "neuron-function-unknown", "unknown function, or wrong number of arguments")
NEU016 = Code("NEU016", "neuron-shift-out-of-range", "a shift amount may be negative or above 63")
NEU022 = Code("NEU022", "declaration-invalid", "invalid declaration")


class Expressions(Arithmetic):
    """Walk over expressions."""

    # ---- expressions

    def expression(self, expr: Expr) -> Value:
        """Returns the value of an expression. Raises `Refusal` after a finding."""
        match expr:
            case Number():
                return Value("literal", LITERAL, data=expr.text, place=expr.place)
            case Name():
                return self.name(expr)
            case Neg():
                x = self.expression(expr.x)
                return self.operation("neg", expr.place, x)
            case Not():
                return self.negated(self.boolean(expr.x, "not"), expr.place)
            case Is():
                return self.choice(expr)
            case Binary():
                return self.binary(expr)
            case Cond():
                return self.conditional(expr)
            case Call():
                return self.call(expr)

    def name(self, expr: Name) -> Value:
        name = expr.name
        if name in self.names:
            return self.names[name]
        if name in ("true", "false"):
            return Value("constant", BOOL, data=name == "true", place=expr.place)
        if is_reserved(name):
            parts = {"expected": "a name of your own", "found": name, "help": f"rename it, for example to {name}_0"}
            raise self.refuse(NEU003, f"'{name}' is a reserved word", expr.place, **parts)
        known = sorted(self.names)
        help = None
        if name in self.what and name not in self.kinds and self.what[name] != "option":
            raise Refusal  # its own line is already refused
        if self.what.get(name) == "option":
            message, help = f"{name} is an option", f"{name} is {self.neuron.options[name][0]}"
        elif self.once and self.what.get(name) in ("state", "input", "name"):
            message = f"{name} is not available before the first tick"
        elif self.once and self.what.get(name) == "parameter":
            message = f"{name} is derived below"
        elif any(item.name == name for item in self.neuron.assigned):
            message = f"{name} is assigned below"
        elif self.what.get(name) == "input":
            message = f"{name} is added to a state event by event"
        else:
            message = f"unknown name {name}"
        raise self.refuse(NEU007, message, expr.place, expected=f"one of {', '.join(known)}", found=name, help=help)

    def listed(self, what: str) -> str:
        return ", ".join(name for name, kind in self.what.items() if kind == what) or f"no {what} is declared"

    def choice(self, expr: Is) -> Value:
        values = self.neuron.options.get(expr.option)
        if values is None:
            raise self.refuse(
                NEU008, f"{expr.option} is not an option", expr.place, expected=self.listed("option"), found=expr.option
            )
        if expr.value not in values:
            message = f"option {expr.option} has no value '{expr.value}'"
            raise self.refuse(NEU008, message, expr.value_place, expected=" or ".join(values), found=expr.value)
        return Value("constant", BOOL, data=self.options[expr.option] == expr.value, place=expr.place)

    def boolean(self, expr: Expr, what: str) -> Value:
        value = self.expression(expr)
        if value.kind != BOOL:
            raise self.kinds_clash(
                f"{what} requires a boolean", expr.place, value.kind, help="compare it, for example x > 0"
            )
        return value

    def negated(self, x: Value, place: Place) -> Value:
        if x.op == "constant":
            return evolve(x, data=not x.data)
        return Value("not", BOOL, (x,), place=place)

    def binary(self, expr: Binary) -> Value:
        op = expr.operator
        if op in ("and", "or"):
            a, b = self.boolean(expr.left, op), self.boolean(expr.right, op)
            for one, other in ((a, b), (b, a)):
                if one.op == "constant":
                    return other if one.data == (op == "and") else one
            return Value(op, BOOL, (a, b), place=expr.place)
        a, b = self.several(expr.left, expr.right)
        if op in INVERSE:
            a, b = self.unified(f"'{op}'", expr.place, a, b)
            if a.kind == LITERAL:
                a, b = self.settled_alike(a, b)
            if a.kind == BOOL:
                raise self.kinds_clash("booleans cannot be compared", expr.place, BOOL, help="use and, or, not")
            return Value("cmp", BOOL, (a, b), op, expr.place)
        if op in ("<<", ">>"):
            return self.shift(expr, a, b)
        names = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
        a, b = self.unified(f"'{op}'", expr.place, a, b)
        return self.operation(names[op], expr.place, a, b)

    def lenient(self, expr: Expr) -> Value | None:
        try:
            return self.expression(expr)
        except Refusal:
            return None

    def several(self, *exprs: Expr) -> list[Value]:
        """Returns the values of operands, and reports the findings of all of them."""
        values = [self.lenient(expr) for expr in exprs]
        if any(value is None for value in values):
            raise Refusal
        return [value for value in values if value is not None]

    def shift(self, expr: Binary, a: Value, b: Value) -> Value:
        self.complete(a, b)
        a, b = (self.coerced(x, Interval(0, 0)) if x.kind == LITERAL else x for x in (a, b))
        if not isinstance(a.kind, Interval) or not isinstance(b.kind, Interval):
            raise self.kinds_clash(
                "a shift requires integers", expr.place, a.kind, b.kind, help="multiply a real by a power of two"
            )
        if not Interval(0, LONGEST_SHIFT).holds(b.kind):
            message = "the shift amount may be negative or above 63"
            help = "max(e, 0)" if b.kind.low < 0 else f"min(e, {LONGEST_SHIFT})"
            raise self.refuse(NEU016, message, expr.place, expected=f"0..{LONGEST_SHIFT}", found=str(b.kind), help=help)
        return self.operation("shl" if expr.operator == "<<" else "shr", expr.place, a, b)

    # ---- conditions

    def conditional(self, expr: Cond) -> Value:
        test = self.boolean(expr.test, "if")
        if test.op == "constant":
            return self.expression(expr.then if test.data else expr.otherwise)
        branches: list[Value | None] = []
        for holds, branch in ((True, expr.then), (False, expr.otherwise)):
            before = self.names
            self.names = self.refined(test, holds)
            branches.append(self.lenient(branch))
            self.names = before
        then, otherwise = branches
        if then is None or otherwise is None:
            raise Refusal
        then, otherwise = self.unified("if ... else", expr.place, then, otherwise)
        kind = then.kind
        if isinstance(kind, Interval) and isinstance(otherwise.kind, Interval):
            kind = kind.join(otherwise.kind)
        return Value("select", kind, (test, then, otherwise), place=expr.place)

    def refined(self, test: Value, holds: bool) -> dict[str, Value]:
        """Returns the names, each with its interval under the condition that `test` equals `holds`."""
        bounds: dict[Value, Interval] = {}
        self.imply(test, holds, bounds)
        refined: dict[Value, Value] = {}
        for value, interval in bounds.items():
            if interval.low <= interval.high and interval != value.kind:
                refined[value] = Value("refine", interval, (value,), place=value.place)
        return {name: refined.get(value, value) for name, value in self.names.items()}

    def imply(self, test: Value, holds: bool, bounds: dict[Value, Interval]) -> None:
        """Narrows the intervals of values that `test` compares."""
        match test.op:
            case "let":
                self.imply(test.args[0], holds, bounds)
            case "not":
                self.imply(test.args[0], not holds, bounds)
            case "and" | "or" if holds == (test.op == "and"):
                for part in test.args:
                    self.imply(part, holds, bounds)
            case "cmp":
                a, b = test.args
                operator = test.data if holds else INVERSE[test.data]
                for one, other, relation in ((a, b, operator), (b, a, MIRRORED[operator])):
                    if isinstance(one.kind, Interval) and isinstance(other.kind, Interval) and one.op != "constant":
                        before = bounds.get(one, one.kind)
                        bounds[one] = narrow_interval(before, relation, other.kind)
            case _:
                pass

    # ---- functions

    def call(self, expr: Call) -> Value:
        name, place = expr.function, expr.place
        if name not in ARITY:
            if name in self.names:
                raise self.refuse(NEU009, f"{name} is a name, not a function", place, found=name)
            raise self.refuse(NEU009, f"unknown function {name}", place, expected=", ".join(ARITY), found=name)
        if len(expr.arguments) != ARITY[name]:
            plural = "" if ARITY[name] == 1 else "s"
            found = str(len(expr.arguments))
            raise self.refuse(
                NEU009, f"{name} takes {ARITY[name]} argument{plural}", place, expected=str(ARITY[name]), found=found
            )
        args = self.several(*expr.arguments)
        if name in ROUNDING_BY_NAME:
            return self.rounding(ROUNDING_BY_NAME[name], args[0], place)
        if name in PRECISIONS:
            return self.precision(Real(name), args[0], place)
        if name == "clip":
            return self.clip(args, place)
        args, real_only = self.unified(name, place, *args), (*REAL_ONLY, *HALVES)
        if args[0].kind == LITERAL:
            args = [self.coerced(arg, REAL) for arg in args] if name in real_only else self.settled_alike(*args)
        if name in real_only and not isinstance(args[0].kind, Real):
            raise self.kinds_clash(f"{name} requires a real", place, args[0].kind, help=f"{name}(real(x))")
        if name == "sign" and isinstance(args[0].kind, Real):
            return self.sign(args[0], place)
        return self.operation(name, place, *args)

    def sign(self, x: Value, place: Place) -> Value:
        """Returns the sign of a real as two comparisons, because upstream dialects define no op for it."""
        zero, one, minus = (Value("constant", x.kind, data=number, place=place) for number in (0.0, 1.0, -1.0))
        above = Value("cmp", BOOL, (x, zero), ">", place)
        below = Value("cmp", BOOL, (x, zero), "<", place)
        inner = Value("select", x.kind, (below, minus, zero), place=place)
        return Value("select", x.kind, (above, one, inner), place=place)

    def rounding(self, rounding: Rounding, x: Value, place: Place) -> Value:
        if isinstance(x.kind, Quotient):
            a, b = x.args
            assert isinstance(a.kind, Interval)
            assert isinstance(b.kind, Interval)
            kind = self.fitting(a.kind.divide(b.kind, rounding), place)
            return Value("quotient", kind, x.args, rounding, place)
        if x.kind == LITERAL:
            x = self.coerced(x, REAL)
        if not isinstance(x.kind, Real):
            self.complete(x)
            raise self.kinds_clash(f"{rounding} requires a real or a quotient of integers", place, x.kind)
        return Value("round", Rounded(), (x,), rounding, place)

    def precision(self, kind: Real, x: Value, place: Place) -> Value:
        if isinstance(x.kind, Rounded):
            (inner,) = x.args
            rounded = Value("round_real", inner.kind, (inner,), x.data, x.place)
            return self.precision(kind, rounded, place)
        self.complete(x)
        if x.kind == LITERAL:
            return self.coerced(x, kind)
        if x.kind == kind:
            return x
        if isinstance(x.kind, Bool):
            raise self.kinds_clash(
                f"{kind} requires a number", place, x.kind, help="write 1 if z else 0 for a boolean z"
            )
        return Value("cast" if isinstance(x.kind, Real) else "to_real", kind, (x,), place=place)

    def clip(self, args: list[Value], place: Place) -> Value:
        x, low, high = args
        whole = isinstance(x.kind, Interval | Rounded)
        if whole and low.kind == LITERAL and high.kind == LITERAL:
            low, high = (self.coerced(end, Interval(0, 0)) for end in (low, high))
            into = Interval(low.data, high.data)
            if into.low > into.high:
                raise self.refuse(
                    NEU022, "the lower bound comes first", place, expected="clip(x, low, high)", found=str(into)
                )
            return self.clipped(x, into, place)
        if isinstance(x.kind, Rounded):
            message = "a rounded real must be clipped to literal bounds"
            raise self.refuse(
                NEU013, message, place, expected="clip(floor(x), 0, 31)", found="bounds that are not numbers"
            )
        x, low, high = self.unified("clip", place, x, low, high)
        if x.kind == LITERAL:
            x, low, high = self.settled_alike(x, low, high)
        return self.operation("min", place, self.operation("max", place, x, low), high)

    def clipped(self, x: Value, into: Interval, place: Place) -> Value:
        """Returns an integer or a rounded real, clipped to an interval."""
        if isinstance(x.kind, Interval):
            # bounds that the value cannot exceed are omitted
            met = Interval(min(max(x.kind.low, into.low), into.high), max(min(x.kind.high, into.high), into.low))
            return x if met == x.kind else Value("saturate", met, (x,), place=place)
        self.check_exact(into, place)
        return Value("from_real", into, x.args, x.data, place)

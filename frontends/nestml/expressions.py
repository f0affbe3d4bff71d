"""Expressions of NESTML as expressions of the neuron language, with all units converted to one coherent system.

| NESTML | here |
| --- | --- |
| `2 ms`, `1 nS / ms` | the number times the factor of the unit |
| `e`, `inf`, `true` | the number, the constant |
| `x ** n` | a product, or `exp(n log(x))` |
| `ln`, `log10`, `sinh`, `cosh`, `tanh` | by `log` and `exp` |
| `resolution()`, `timestep()` | `h`, the length of a tick [ms] |
| `steps(x)` | `x / h`, rounded |
| `a / b` of integers | the quotient, truncated |
| `test ? a : b` | `a if test else b` |
| a call of a function of the model | its value |

Errors: NML002 for everything else; NML003 an unknown name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NoReturn

from attrs import define, field

from ...core.diagnostics import choices_text, near_names
from ...core.expressions.places import Place
from ...core.expressions.tree import Binary, Call, Expr, Name, Neg, Number
from . import algebra
from .model import BOOLEAN, INTEGER, REAL, Function
from .source import NML003, GrammarRule, Source
from .units import unit_factor

STEP_NAME = "resolution()"
"""Name that stands for the length of a tick [ms]; no name of a model is equal to it."""
SIGNS = {
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "FORWARD_SLASH": "/",
    "STAR_STAR": "pow",
    "LEFT_ANGLE": "<",
    "LEFT_ANGLE_EQUALS": "<=",
    "EQUALS_EQUALS": "==",
    "EXCLAMATION_EQUALS": "!=",
    "LEFT_ANGLE_RIGHT_ANGLE": "!=",
    "RIGHT_ANGLE_EQUALS": ">=",
    "RIGHT_ANGLE": ">",
    "AND_KEYWORD": "and",
    "OR_KEYWORD": "or",
}
ARITY = {
    **dict.fromkeys(("exp", "ln", "log10", "sinh", "cosh", "tanh", "abs", "ceil", "floor", "round", "steps"), 1),
    **dict.fromkeys(("min", "max", "pow"), 2),
    "clip": 3,
    "resolution": 0,
    "timestep": 0,
}
RANGE = Number("2147483647")
"""Largest whole number that a rounding produces."""


def whole(rounding: str, x: Expr) -> Expr:
    """Returns a rounded number as a real."""
    return Call("real", (Call("clip", (Call(rounding, (x,)), Neg(RANGE), RANGE)),))


@define
class ExpressionReader:
    """Reader of the expressions of a model, whose names are known by kind."""

    source: Source
    kinds: dict[str, str] = field(factory=dict[str, str])
    """Kind of each declared name; kernels and functions of t have the kind `kernel`."""
    functions: Callable[[str, Place], Function | None] = lambda name, place: None
    """Returns a function of the model by name, which a call at the place needs."""

    # ---- units

    def unit(self, rule: GrammarRule) -> Fraction:
        """Returns the factor of a unit. Errors: NML003."""
        parts = rule.parts
        if len(parts) == 1:
            name = parts[0].text
            factor = Fraction(1) if parts[0].name == "UNSIGNED_INTEGER" else unit_factor(name)
            if factor is None:
                known = "s, V, A, F, S, Ohm, Hz, Bq, … with a prefix of SI"
                self.source.refuse(NML003, parts[0].place, "unknown unit", expected=known, found=name)
            return factor
        if parts[0].name == "LEFT_PAREN":
            return self.unit(parts[1])
        first = self.unit(parts[0]) if parts[0].name == "unitType" else Fraction(1)
        match parts[1].name:
            case "STAR_STAR":
                exponent = int("".join(parts[2].tokens()))
                if abs(exponent) > algebra.MOST_FACTORS:
                    expected = f"an exponent of at most {algebra.MOST_FACTORS}"
                    self.source.unsupported(parts[2].place, "this unit is", expected, str(exponent))
                return first**exponent
            case "STAR":
                return first * self.unit(parts[2])
            case _:
                return first / self.unit(parts[2])

    # ---- expressions

    def read(self, rule: GrammarRule) -> Expr:
        return self.typed(rule)[0]

    def typed(self, rule: GrammarRule) -> tuple[Expr, str]:
        """Returns an expression and its kind."""
        parts = rule.parts
        if rule.name == "simpleExpression":
            return self.simple(rule)
        if len(parts) == 1:
            return self.typed(parts[0])
        match [part.name for part in parts]:
            case ["LEFT_PAREN", "expression", "RIGHT_PAREN"]:
                return self.typed(parts[1])
            case ["unaryOperator", "expression"]:
                return self.unary(parts[0].parts[0], parts[1])
            case ["NOT_KEYWORD", "expression"]:
                return algebra.invert(self.boolean(parts[1])), BOOLEAN
            case ["expression", "QUESTION", "expression", "COLON", "expression"]:
                test, (then, kind), (otherwise, other) = (
                    self.boolean(parts[0]),
                    self.typed(parts[2]),
                    self.typed(parts[4]),
                )
                return algebra.select_value(then, test, otherwise), kind if kind == other else REAL
            case ["expression", _, "expression"]:
                sign = parts[1] if parts[1].text else parts[1].parts[0]
                return self.binary(rule, sign, parts[0], parts[2])
            case _:
                self.source.unsupported(rule.place, "this expression is", "arithmetic of numbers", rule.spelled())

    def unary(self, sign: GrammarRule, operand: GrammarRule) -> tuple[Expr, str]:
        if sign.name == "TILDE":
            self.source.unsupported(sign.place, "operations of bits are", "arithmetic of numbers", sign.text)
        x, kind = self.typed(operand)
        return (algebra.negate(x) if sign.name == "MINUS" else x), kind

    def boolean(self, rule: GrammarRule) -> Expr:
        x, kind = self.typed(rule)
        if kind != BOOLEAN:
            self.source.unsupported(rule.place, "a number as a condition is", "a comparison", rule.spelled())
        return x

    def binary(self, rule: GrammarRule, sign: GrammarRule, left: GrammarRule, right: GrammarRule) -> tuple[Expr, str]:
        operator = SIGNS.get(sign.name)
        if operator is None:
            found = f"the operator {sign.text}"
            self.source.unsupported(sign.place, "this operator is", "+, -, *, /, **, comparisons, and, or", found)
        if operator in ("and", "or"):
            return algebra.both(operator, self.boolean(left), self.boolean(right)), BOOLEAN
        (a, kind), (b, other) = self.typed(left), self.typed(right)
        if operator in ("==", "!=") and kind == other == BOOLEAN:
            same = algebra.alike(a, b)
            return (same if operator == "==" else algebra.invert(same)), BOOLEAN
        if BOOLEAN in (kind, other):
            self.source.unsupported(rule.place, "arithmetic of booleans is", "numbers", rule.spelled())
        both = INTEGER if kind == other == INTEGER else REAL
        if operator in "+-*/":
            if operator == "/" and algebra.fraction_of(b) == 0:
                self.source.unsupported(right.place, "a division by zero is", "another number", right.spelled())
            if operator == "/" and both == INTEGER:
                return self.quotient(a, b), INTEGER
            return algebra.rebuild(Binary(operator, a, b), (a, b)), both
        if operator == "pow":
            return algebra.power(a, b), both
        return Binary(operator, a, b, sign.place), BOOLEAN

    def quotient(self, a: Expr, b: Expr) -> Expr:
        x, y = algebra.fraction_of(a), algebra.fraction_of(b)
        if x is not None and y is not None:
            return algebra.real_number(math.trunc(x / y))
        return whole("truncate", algebra.quotient_of(a, b))

    # ---- leaves

    def simple(self, rule: GrammarRule) -> tuple[Expr, str]:
        first = rule.parts[0]
        match first.name:
            case "UNSIGNED_INTEGER" | "FLOAT":
                value, unit = self.literal(first), rule.first("unitType", "variable")
                if unit is None:
                    return value, INTEGER if first.name == "UNSIGNED_INTEGER" else REAL
                factor = self.variable(unit)[0] if unit.name == "variable" else self.measured(unit)
                return algebra.multiply(value, factor), REAL
            case "INF_KEYWORD":
                return Number(algebra.INFINITY, first.place), REAL
            case "BOOLEAN_LITERAL":
                return Name(first.text.lower(), first.place), BOOLEAN
            case "variable":
                return self.variable(first)
            case "functionCall":
                return self.call(first)
            case _:
                self.source.unsupported(first.place, "a text is", "a number", first.text)

    def literal(self, token: GrammarRule) -> Expr:
        """Returns a number. Errors: NML002 one beyond the range of doubles."""
        nearest = float(token.text)
        if not math.isfinite(nearest) or (nearest == 0) != (set(token.text.lower().partition("e")[0]) <= set("0.")):
            self.source.unsupported(token.place, "this number is", "a number in the range of doubles", token.text)
        return algebra.real_number(Fraction(token.text))

    def measured(self, rule: GrammarRule) -> Expr:
        """Returns what follows a number without an operator: the grammar reads `1 nS * g` as a number with the unit `nS * g`."""
        parts = rule.parts
        if parts[0].name == "LEFT_PAREN":
            return self.measured(parts[1])
        if len(parts) == 1:
            return self.name(parts[0].text, parts[0].place)[0] if parts[0].name == "NAME" else algebra.ONE
        first = self.measured(parts[0]) if parts[0].name == "unitType" else algebra.ONE
        if parts[1].name == "STAR_STAR":
            return algebra.power(first, algebra.real_number(int("".join(parts[2].tokens()))))
        join = algebra.multiply if parts[1].name == "STAR" else algebra.quotient_of
        return join(first, self.measured(parts[2]))

    def variable(self, rule: GrammarRule) -> tuple[Expr, str]:
        """Returns a name, or the factor of a unit. Errors: NML002 an element of a vector; NML003."""
        name = variable_name(rule)
        if rule.has("LEFT_SQUARE_BRACKET", "FULLSTOP"):
            self.source.unsupported(rule.place, "vectors and attributes are", "a single number", rule.spelled())
        return self.name(name, rule.place)

    def name(self, name: str, place: Place) -> tuple[Expr, str]:
        """Returns a declared name, or the number of a unit or of a constant. Errors: NML003."""
        if name in self.kinds:
            return Name(name, place), self.kinds[name]
        if name == "e":
            return algebra.real_number(Fraction(math.e)), REAL
        if (factor := unit_factor(name)) is not None:
            return algebra.real_number(factor), REAL
        self.unknown(place, name)

    def unknown(self, place: Place, name: str) -> NoReturn:
        near = near_names(name, self.kinds)
        expected = f"a declared name, such as {choices_text(near)}" if near else "a declared name"
        self.source.refuse(NML003, place, expected=expected, found=name, help=f"nopt explain {NML003}")

    def call(self, rule: GrammarRule) -> tuple[Expr, str]:
        """Returns the value of a function. Errors: NML002 a function without a counterpart."""
        name, given = rule.parts[0].text, rule.all("expression")
        if name == "convolve":
            return self.convolution(rule, given), REAL
        if (function := self.functions(name, rule.place)) is not None:
            return self.inlined(rule, function, [self.read(one) for one in given]), REAL
        if name == "delta" and "t" in self.kinds and len(given) == 1:
            return Call("delta", (self.read(given[0]),), rule.place), REAL
        if ARITY.get(name) != len(given):
            expected = ", ".join(sorted(ARITY)) if name not in ARITY else f"{ARITY[name]} arguments"
            self.source.unsupported(rule.place, "this function is", expected, rule.spelled())
        arguments = tuple(self.read(one) for one in given)
        return self.applied(name, arguments), REAL

    def applied(self, name: str, arguments: tuple[Expr, ...]) -> Expr:
        if name in ("resolution", "timestep"):
            return Name(STEP_NAME)
        x = arguments[0]
        match name:
            case "steps":
                return whole("round", algebra.quotient_of(x, Name(STEP_NAME)))
            case "ceil" | "floor" | "round":
                return whole(name, x)
            case "ln":
                return Call("log", arguments)
            case "log10":
                return algebra.quotient_of(Call("log", arguments), algebra.real_number(Fraction(math.log(10))))
            case "sinh" | "cosh":
                join = algebra.add if name == "cosh" else algebra.subtract
                both = join(Call("exp", (x,)), Call("exp", (algebra.negate(x),)))
                return algebra.multiply(algebra.real_number(Fraction(1, 2)), both)
            case "tanh":
                double = Call("exp", (algebra.multiply(algebra.real_number(2), Call("abs", (x,))),))
                size = algebra.subtract(
                    algebra.ONE, algebra.quotient_of(algebra.real_number(2), algebra.add(double, algebra.ONE))
                )
                return algebra.multiply(Call("sign", arguments), size)
            case "min" | "max":
                return algebra.extreme(name, *arguments)
            case "pow":
                return algebra.power(*arguments)
            case _:
                return Call(name, arguments)

    def convolution(self, rule: GrammarRule, given: list[GrammarRule]) -> Expr:
        """Returns `convolve(kernel, port)` with names as arguments. Errors: NML002 other arguments."""
        if len(given) == 2:
            kernel, port = (one.parts[0].first("variable") if len(one.parts) == 1 else None for one in given)
            if kernel is not None and port is not None:
                return Call("convolve", (Name(variable_name(kernel)), Name(variable_name(port))), rule.place)
        return self.source.unsupported(rule.place, "this convolution is", "convolve(kernel, port)", rule.spelled())

    def inlined(self, rule: GrammarRule, function: Function, arguments: list[Expr]) -> Expr:
        if len(arguments) != len(function.parameters):
            expected = f"{len(function.parameters)} arguments"
            self.source.unsupported(rule.place, "this call is", expected, rule.spelled())
        values = dict(zip(function.parameters, arguments, strict=True))
        for name, value in function.locals:
            values[name] = algebra.replace_names(value, values)
        return algebra.replace_names(function.value, values)


def variable_name(rule: GrammarRule) -> str:
    """Returns a name with its primes, one for each order of differentiation."""
    return "".join(part.text for part in rule.all("NAME", "DIFFERENTIAL_ORDER"))

"""Names, kinds and units of a contract, checked before any value is known.

`Checker` turns expressions into `Term`s and inserts conversions between units of one dimension. It collects all findings; a part that
is refused causes no further ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from attrs import evolve

from ..diagnostics import Code, Diagnostics, Finding
from ..expressions.places import Place, line_with_caret
from ..expressions.tree import INVERSE, Binary, Call, Expr, Name, Neg, Not, Number, format_expression
from ..units import COUNT, UNITS, Unit, unit
from .terms import Term, convert_term, exact

# CON008 (a factor of 8) and CON011 (pow2) are retired: the language no longer has these features.
NEU026 = Code("NEU026", "contract-quantity-unknown", "a contract uses an unknown quantity")
NEU027 = Code("NEU027", "contract-unit-unknown", "a number has an unknown unit")
NEU028 = Code("NEU028", "contract-units-mismatch", "units do not match")
NEU029 = Code(
    "NEU029", "contract-condition-expected", "a contract has a number in place of a condition, or the reverse"
)
NEU030 = Code("NEU030", "contract-function-unknown", "unknown function, or wrong number of arguments")
NEU031 = Code("NEU031", "contract-rounding-missing", "a logarithm or a time is not rounded")

CONTRACT_FUNCTIONS = ("ceil", "log2", "max", "min")
PURE = Unit("1", COUNT)
BIT = UNITS["bit"]


class UnresolvedExpression(Exception):
    """Exception that ends the check of an expression after a finding."""


class Checker:
    """Checker of an expression; `declared` maps each quantity to its unit, and conditions to None.

    Errors: NEU026, NEU027, NEU028, NEU029, NEU030, NEU031, collected in `found`.
    """

    def __init__(self, declared: Mapping[str, Unit | None], lines: Sequence[str], at: str, file: str | None):
        self.declared = declared
        self.lines = lines
        self.at = at
        self.file = file
        self.found = Diagnostics()

    def resolve(self, expr: Expr, *, is_condition: bool = True) -> Term | None:
        """Returns the whole expression, which is a condition or a number; None after a finding."""
        try:
            return self.condition(expr, "a contract") if is_condition else self.number(expr)
        except UnresolvedExpression:
            return None

    def fail(self, code: Code, message: str, place: Place, **parts: Any) -> UnresolvedExpression:
        note = line_with_caret(self.lines, place)
        self.found.add(Finding(code, message, at=self.at, file=self.file, notes=(note,), **parts))
        return UnresolvedExpression()

    def resolve_all(self, exprs: Sequence[Expr], resolve: Callable[[Expr], Term]) -> list[Term]:
        """Resolves every operand, so that the findings in each of them are reported."""
        terms: list[Term] = []
        failure = None
        for expr in exprs:
            try:
                terms.append(resolve(expr))
            except UnresolvedExpression as unfit:
                failure = unfit
        if failure:
            raise failure
        return terms

    def condition(self, expr: Expr, what: str) -> Term:
        term = self.term(expr)
        if term.unit is not None:
            parts = {"expected": "true or false", "found": f"{term.text}: {term.measure}"}
            raise self.fail(NEU029, f"{what} is not a condition", expr.place, help=f"{term.text} >= 1", **parts)
        return term

    def number(self, expr: Expr) -> Term:
        term = self.term(expr)
        if term.unit is None:
            parts = {"expected": "a number", "found": f"{term.text}: {term.measure}"}
            raise self.fail(NEU029, "an operand is a condition", expr.place, **parts)
        return term

    # ---- expressions

    def term(self, expr: Expr) -> Term:
        match expr:
            case Number(text):
                return Term("number", self.unit_of(expr), expr, data=exact(Fraction(text)), is_bare=expr.unit is None)
            case Name(name):
                return Term("name", self.quantity(expr), expr, data=name)
            case Neg(x):
                arg = self.number(x)
                return Term("neg", arg.unit, expr, (arg,), is_bare=arg.is_bare)
            case Not(x):
                return Term("not", None, expr, (self.condition(x, "the operand of `not`"),))
            case Binary("and" | "or" as operator, left, right):
                args = self.resolve_all((left, right), lambda x: self.condition(x, f"an operand of `{operator}`"))
                return Term(operator, None, expr, tuple(args))
            case Binary(operator, left, right):
                return self.arithmetic(expr, operator, *self.resolve_all((left, right), self.number))
            case Call():
                return self.call(expr)
            case _:
                raise TypeError(expr)  # the grammar of contracts has no other expression

    def unit_of(self, expr: Number) -> Unit:
        if expr.unit is None:
            return PURE
        found = unit(expr.unit)
        if found is None:
            near = get_close_matches(expr.unit, UNITS, 3)
            help = f"{expr.text} {near[0]}" if near else None
            if expr.unit in self.declared:
                help = f"{expr.text} * {expr.unit}"
            parts = {"expected": ", ".join(near or UNITS), "found": expr.unit, "help": help}
            raise self.fail(NEU027, f"unknown unit {expr.unit}", expr.place, **parts)
        return found

    def quantity(self, expr: Name) -> Unit | None:
        if expr.name not in self.declared:
            near = get_close_matches(expr.name, self.declared, 3)
            near += [name for name in self.declared if name.rpartition(".")[2] == expr.name and name not in near]
            if expr.name in CONTRACT_FUNCTIONS:
                near = [f"{expr.name}(…)", *near]
            parts = {"expected": f"one of {', '.join(sorted(self.declared))}", "found": expr.name}
            help = " or ".join(near) or None
            raise self.fail(NEU026, f"unknown quantity {expr.name}", expr.place, help=help, **parts)
        return self.declared[expr.name]

    def arithmetic(self, expr: Binary, operator: str, left: Term, right: Term) -> Term:
        assert left.unit is not None
        assert right.unit is not None
        is_bare = left.is_bare and right.is_bare
        if operator in INVERSE:
            return Term(operator, None, expr, self.match(expr.place, operator, left, right)[0])
        if operator in ("+", "-"):
            args, unit = self.match(expr.place, operator, left, right)
            return Term(operator, unit, expr, args, is_bare=is_bare)
        if operator == "*":
            factors = sorted((left, right), key=lambda one: one.unit is not None and one.unit.dimension == COUNT)
            if factors[1].unit is None or factors[1].unit.dimension != COUNT:
                raise self.mismatch(expr.place, "a pure number as one factor", operator, left, right)
            return Term(operator, factors[0].unit, expr, (left, right), is_bare=is_bare)
        if right.unit.dimension == COUNT:
            return Term(operator, left.unit, expr, (left, right), is_bare=is_bare)
        return Term(operator, PURE, expr, self.match(expr.place, operator, left, right)[0])

    # ---- functions

    def call(self, expr: Call) -> Term:
        name, arguments = expr.function, expr.arguments
        if name not in CONTRACT_FUNCTIONS:
            near = get_close_matches(name, CONTRACT_FUNCTIONS, 1)
            help = f"{near[0]}(…)" if near else f"{name} * (…)" if name in self.declared else None
            parts = {"expected": ", ".join(CONTRACT_FUNCTIONS), "found": name, "help": help}
            raise self.fail(NEU030, f"unknown function {name}", expr.place, **parts)
        least, words = (2, "at least two arguments") if name in ("min", "max") else (1, "one argument")
        count = len(arguments)
        if count < least or (least == 1 and count > 1):
            parts = {"expected": f"{name}(a, b, …)" if least == 2 else f"{name}(x)"}
            found = f"{count} argument{'s' if count > 1 else ''}"
            raise self.fail(NEU030, f"{name} takes {words}", expr.place, found=found, **parts)
        inner = arguments[0]
        if name == "ceil" and isinstance(inner, Call) and inner.function == "log2" and len(inner.arguments) == 1:
            return self.logarithm(expr, inner)
        args = self.resolve_all(arguments, self.number)
        if least == 2:
            same, unit = self.match(expr.place, name, *args)
            return Term(name, unit, expr, same, is_bare=all(arg.is_bare for arg in args))
        (arg,) = args
        assert arg.unit is not None
        if name == "log2":
            text = format_expression(expr)
            parts = {"expected": "log2 directly inside of ceil", "found": text, "help": f"ceil({text})"}
            raise self.fail(NEU031, "log2 is not rounded", expr.place, **parts)
        if arg.unit.dimension not in (COUNT, BIT.dimension):
            parts = {"expected": "a pure number, bits or bytes", "found": f"{arg.text}: {arg.measure}"}
            help = f"ceil({in_units(arg)})"
            raise self.fail(NEU031, f"ceil cannot round a number of {arg.unit.name}", expr.place, help=help, **parts)
        return Term(name, arg.unit, expr, args=(arg,), is_bare=arg.is_bare)

    def logarithm(self, expr: Call, inner: Call) -> Term:
        arg = self.number(inner.arguments[0])
        assert arg.unit is not None
        if arg.unit.dimension != COUNT:
            parts = {"expected": "a pure number", "found": f"{arg.text}: {arg.measure}"}
            help = f"ceil(log2({in_units(arg)}))"
            raise self.fail(NEU028, "log2 takes a pure number", inner.place, help=help, **parts)
        return Term("ceil log2", PURE, expr, (arg,), is_bare=True)

    # ---- units

    def match(self, place: Place, operator: str, *args: Term) -> tuple[tuple[Term, ...], Unit]:
        """Converts operands to one unit, the finest among them, and returns them. A number without a unit is in bits next to bits; 0 has any unit."""
        units = [arg.unit for arg in args if arg.unit is not None and not arg.is_bare]
        finest = min(units, key=lambda one: (one.factor, len(one.name)), default=PURE)
        for arg in args:
            is_zero = arg.is_bare and arg.data == 0
            is_bits = arg.is_bare and all(one == BIT for one in units)
            if arg.unit is not None and arg.unit.dimension != finest.dimension and not (is_zero or is_bits):
                other = next(one for one in args if one.unit == finest)
                pair = (arg, other) if args.index(arg) < args.index(other) else (other, arg)
                raise self.mismatch(place, "numbers of one dimension", operator, *pair)
        return tuple(evolve(arg, unit=finest) if arg.is_bare else convert_term(arg, finest) for arg in args), finest

    def mismatch(self, place: Place, expected: str, operator: str, left: Term, right: Term) -> UnresolvedExpression:
        found = [f"{one.text}: {'a number without a unit' if one.is_bare else one.measure}" for one in (left, right)]
        parts: dict[str, str | None] = {"expected": expected, "found": "\n".join(found), "help": None}
        # the operand without a dimension, then the one with a dimension
        bare, other = sorted((left, right), key=lambda one: one.unit is None or one.unit.dimension != COUNT)
        if bare.is_bare and isinstance(bare.expr, Number) and other.unit is not None:
            parts["help"] = f"{bare.text} {other.unit.name}"
        elif bare.unit is not None and (bare.unit.dimension == COUNT or operator == "*"):
            parts["help"] = in_units(other)
        return self.fail(NEU028, f"units of the operands of `{operator}` do not match", place, **parts)


def in_units(term: Term) -> str:
    """Returns the text of a term divided by one of its units, which makes it a pure number."""
    assert term.unit is not None
    return format_expression(Binary("/", term.expr, Number("1", unit=term.unit.name)))

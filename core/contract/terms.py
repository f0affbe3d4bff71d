"""Typed terms of a contract: an operation, its operands, and the unit of its value."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from attrs import frozen

from ..expressions.tree import Expr, format_expression
from ..units import COUNT, Unit


@frozen(eq=False)
class Term:
    """Part of a contract. Terms with the op `convert` are inserted between operands with different units of one dimension."""

    operation: str
    unit: Unit | None
    """None for a condition."""
    expr: Expr
    args: tuple[Term, ...] = ()
    data: Any = None
    """The value of a constant, the name of a quantity, the factor of a conversion."""
    is_bare: bool = False
    """Whether the term consists only of numbers without a unit; such a term adopts the unit bit next to bits."""

    @property
    def text(self) -> str:
        return format_expression(self.expr)

    @property
    def measure(self) -> str:
        return describe_unit(self.unit)

    def walk(self) -> Iterator[Term]:
        """Yields a term and all its sub-terms."""
        yield self
        for arg in self.args:
            yield from arg.walk()


def exact(value: Fraction) -> int | Fraction:
    """Returns an integer if the value is whole, else the fraction."""
    return value.numerator if value.denominator == 1 else value


def convert_term(term: Term, unit: Unit) -> Term:
    """Returns a term in another unit of its dimension."""
    if term.unit is None or term.unit.factor == unit.factor:
        return term
    return Term("convert", unit, term.expr, (term,), exact(term.unit.factor / unit.factor))


# ---- text


def describe_unit(unit: Unit | None) -> str:
    """Returns the kind of a value, as messages name it."""
    if unit is None:
        return "true or false"
    return "a pure number" if unit.dimension == COUNT else f"a number of {plural(unit.name)}"


def plural(name: str) -> str:
    return f"{name}s" if name in ("bit", "byte") else name


def format_number(value: int | Fraction) -> str:
    """Returns a number exactly: as an integer, as a decimal if it ends, else as a quotient."""
    value = Fraction(value)
    places = next((k for k in range(13) if (value * 10**k).denominator == 1), None)
    if not places:
        return str(value)
    digits = f"{abs(value) * 10**places}".rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def format_amount(value: int | Fraction, unit: Unit) -> str:
    """Returns a number with its unit: `64`, `1 bit`, `32768 bytes`, `1.5 pJ`."""
    if unit.dimension == COUNT:
        return format_number(value)
    return f"{format_number(value)} {unit.name if abs(value) == 1 else plural(unit.name)}"


def format_value(value: int | Fraction | None, unit: Unit | None) -> str:
    """Returns a value of any kind, as messages and explanations show it."""
    if value is None:
        return "not known"
    return str(value).lower() if unit is None else format_amount(value, unit)

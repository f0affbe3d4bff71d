"""Expressions of the contract language and of the neuron language: records, traversal and text.

Two expressions are equal if they have the same form; places are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from .places import NOWHERE, Place

# Precedence, from loose to tight. An operand of a looser operator is printed in parentheses.
COND, OR, AND, NOT, COMPARE, SHIFT, SUM, TERM, UNARY, ATOM = range(10)
INVERSE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
"""Each comparison with its negation."""
MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
"""Each comparison with its equivalent for exchanged operands."""
LEVELS = {
    "or": OR,
    "and": AND,
    **dict.fromkeys(INVERSE, COMPARE),
    **dict.fromkeys(("<<", ">>"), SHIFT),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/"), TERM),
}


@frozen
class Number:
    """Number in its original spelling; in contracts it can have a unit."""

    text: str
    place: Place = field(default=NOWHERE, eq=False, repr=False)
    unit: str | None = field(default=None, kw_only=True)


@frozen
class Name:
    name: str
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Neg:
    x: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Not:
    x: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Binary:
    """Arithmetic, a shift, a comparison, `and` or `or`; `place` is the operator's."""

    operator: str
    left: Expr
    right: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Is:
    """Test of the value of a neuron's option."""

    option: str
    value: str
    place: Place = field(eq=False, repr=False)
    value_place: Place = field(eq=False, repr=False)


@frozen
class Cond:
    """`then if test else otherwise`."""

    then: Expr
    test: Expr
    otherwise: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Call:
    function: str
    arguments: tuple[Expr, ...]
    place: Place = field(default=NOWHERE, eq=False, repr=False)


Expr = Number | Name | Neg | Not | Binary | Is | Cond | Call


def walk(expr: Expr) -> Iterator[Expr]:
    """Yields an expression and all its sub-expressions."""
    yield expr
    for part in operands_of(expr):
        yield from walk(part)


def operands_of(expr: Expr) -> tuple[Expr, ...]:
    match expr:
        case Neg(x) | Not(x):
            return (x,)
        case Binary(_, left, right):
            return left, right
        case Cond(then, test, otherwise):
            return then, test, otherwise
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def format_expression(expr: Expr, around: int = COND) -> str:
    """Returns an expression as text, in parentheses where `around` binds more tightly."""
    text, level = format_bare(expr)
    return text if level >= around else f"({text})"


def format_bare(expr: Expr) -> tuple[str, int]:
    match expr:
        case Number(text):
            return f"{text} {expr.unit}" if expr.unit else text, ATOM
        case Name(text):
            return text, ATOM
        case Neg(x):
            return "-" + format_expression(x, UNARY), UNARY
        case Not(x):
            return "not " + format_expression(x, NOT), NOT
        case Is(option, value):
            return f"{option} is {value}", COMPARE
        case Call(function, arguments):
            return f"{function}({', '.join(map(format_expression, arguments))})", ATOM
        case Cond(then, test, otherwise):
            text = f"{format_expression(then, OR)} if {format_expression(test, OR)} else {format_expression(otherwise)}"
            return text, COND
        case Binary(operator, left, right):
            level = LEVELS[operator]
            # All operators associate to the left except comparisons, which do not chain.
            first = level + 1 if level == COMPARE else level
            return f"{format_operand(left, first)} {operator} {format_operand(right, level + 1)}", level


def format_operand(expr: Expr, around: int) -> str:
    """Returns an operand as text. A shift always has parentheses because languages disagree on its precedence."""
    is_shift = isinstance(expr, Binary) and LEVELS[expr.operator] == SHIFT
    return format_expression(expr, ATOM if is_shift else around)

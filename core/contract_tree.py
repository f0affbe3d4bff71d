"""What a contract says, as records, and those records as text again.

A contract is one expression. Two records are equal if they say the same, wherever they stand: places take no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from .places import NOWHERE, Place

# How tightly an expression holds together; an operand that is looser than its place allows gets parentheses.
COND, IMPLIES, OR, AND, NOT, COMPARE, SUM, TERM, UNARY, ATOM = range(10)
LEVELS = {
    "implies": IMPLIES,
    "or": OR,
    "and": AND,
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "//", "%"), TERM),
}


@frozen
class Number:
    """A number as it is written, and the unit behind it."""

    text: str
    unit: str | None = None
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Truth:
    """`true` or `false`."""

    value: bool
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Name:
    """A quantity of the device, `core.neurons`, or of what is verified, `fan_in`."""

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
    """Arithmetic, `and`, `or` or `implies`; `place` is the operator's."""

    operator: str
    left: Expr
    right: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Compare:
    """`a <= b`, or a chain `a <= b < c`, which says `a <= b and b < c`; `places` are the operators'."""

    operands: tuple[Expr, ...]
    operators: tuple[str, ...]
    places: tuple[Place, ...] = field(default=(), eq=False, repr=False)

    @property
    def place(self) -> Place:
        return self.places[0] if self.places else NOWHERE


@frozen
class Between:
    """`x in low..high`, both ends included."""

    x: Expr
    low: Expr
    high: Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Among:
    """`x in [a, b]`, or `x in NAME` of a quantity that is a list."""

    x: Expr
    items: tuple[Expr, ...] | Expr
    place: Place = field(default=NOWHERE, eq=False, repr=False)


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


Expr = Number | Truth | Name | Neg | Not | Binary | Compare | Between | Among | Cond | Call


def parts(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside of one, in the order in which they are written."""
    match expr:
        case Neg(x) | Not(x):
            return (x,)
        case Binary(_, left, right):
            return left, right
        case Compare(operands):
            return operands
        case Between(x, low, high):
            return x, low, high
        case Among(x, items):
            return (x, *items) if isinstance(items, tuple) else (x, items)
        case Cond(then, test, otherwise):
            return then, test, otherwise
        case Call(_, arguments):
            return arguments
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """An expression and everything in it."""
    yield expr
    for part in parts(expr):
        yield from walk(part)


# ---- text


def spelled(expr: Expr, around: int = COND) -> str:
    """An expression as text, in parentheses where `around` binds more tightly."""
    text, level = spelled_bare(expr)
    return text if level >= around else f"({text})"


def spelled_bare(expr: Expr) -> tuple[str, int]:
    match expr:
        case Number(text, unit):
            return f"{text} {unit}" if unit else text, ATOM
        case Truth(value):
            return str(value).lower(), ATOM
        case Name(name):
            return name, ATOM
        case Neg(x):
            return "-" + spelled(x, UNARY), UNARY
        case Not(x):
            return "not " + spelled(x, NOT), NOT
        case Call(function, arguments):
            return f"{function}({', '.join(map(spelled, arguments))})", ATOM
        case Cond(then, test, otherwise):
            return f"{spelled(then, IMPLIES)} if {spelled(test, IMPLIES)} else {spelled(otherwise)}", COND
        case Compare((first, *rest), operators):
            chain = (f" {operator} {spelled(x, SUM)}" for operator, x in zip(operators, rest, strict=True))
            return spelled(first, SUM) + "".join(chain), COMPARE
        case Between(x, low, high):
            return f"{spelled(x, SUM)} in {spelled(low, SUM)}..{spelled(high, SUM)}", COMPARE
        case Among(x, items):
            listed = (
                f"[{', '.join(spelled(one, SUM) for one in items)}]"
                if isinstance(items, tuple)
                else spelled(items, SUM)
            )
            return f"{spelled(x, SUM)} in {listed}", COMPARE
        case Binary("implies", left, right):
            # it associates to the right: a implies (b implies c)
            return f"{spelled(left, OR)} implies {spelled(right, IMPLIES)}", IMPLIES
        case Binary(operator, left, right):
            level = LEVELS[operator]
            return f"{spelled(left, level)} {operator} {spelled(right, level + 1)}", level
        case _:
            raise TypeError(expr)

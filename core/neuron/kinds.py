"""Kinds and values of the neuron language: what an expression is, once every name in it is resolved.

Integers have an `Interval` for their kind. `Literal`, `Rounded` and `Quotient` are kinds on the way: numbers that are still of any
kind, rounded reals without a width, and quotients without a rounding; no value that is assigned has one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from attrs import frozen

from ..expressions.places import NOWHERE, Place
from ..fixed_point import Interval, Rounding

STATEMENTS = ("preset", "neuron", "option", "param", "canonical", "state", "input", "record", "emit")
OPERATORS = ("if", "else", "and", "or", "not", "is", "in")
ROUNDINGS = {str(rounding): rounding for rounding in Rounding}
PRECISIONS = ("real", "f32", "f64")
ARITY = {
    **dict.fromkeys(("min", "max"), 2),
    "clip": 3,
    **dict.fromkeys(("sign", "abs", "exp", "log", "sqrt", *ROUNDINGS, "real", "f32", "f64"), 1),
}
REAL_ONLY = ("exp", "log", "sqrt")
WIDTH = re.compile(r"([us])([0-9]+)")


def is_reserved(name: str) -> bool:
    """Whether a name means something in the language."""
    return name in (*STATEMENTS, *OPERATORS, *ARITY, "dt", "true", "false", "bool")


# ---- kinds


@frozen
class Real:
    """A real: of the network's precision (`real`), or of a fixed one."""

    name: str = "real"

    def __str__(self) -> str:
        return self.name


@frozen
class Bool:
    def __str__(self) -> str:
        return "bool"


@frozen
class Literal:
    """Numbers alone: a real or an integer, whatever is needed."""

    def __str__(self) -> str:
        return "a number"


@frozen
class Rounded:
    """A rounded real that has no width yet."""

    def __str__(self) -> str:
        return "an integer without bounds"


@frozen
class Quotient:
    """A quotient of integers that is not rounded yet."""

    def __str__(self) -> str:
        return "a quotient of integers"


Kind: TypeAlias = Real | Bool | Interval | Literal | Rounded | Quotient
REAL, BOOL, LITERAL = Real(), Bool(), Literal()


@frozen(eq=False)
class Value:
    """One resolved operation. `data` is what is not an operand: a name, a constant, a rounding, a comparison."""

    op: str
    kind: Kind
    args: tuple[Value, ...] = ()
    data: Any = None
    place: Place = NOWHERE
    varies: bool = False
    """Whether it depends on a state or an input."""


@frozen
class Let:
    name: str
    value: Value


@frozen
class Emitted:
    kind: str
    value: Value


@frozen
class Accumulated:
    """An input that is added to a state event by event: the state, the kind in which terms arrive, the state after one of them."""

    into: str
    arrives: Kind
    value: Value


@frozen
class Recorded:
    name: str
    value: Value


def described(kind: Kind) -> str:
    """A kind, as messages say it."""
    match kind:
        case Interval():
            return f"an integer {kind}"
        case Real(name):
            return "a real" if name == "real" else f"a real of precision {name}"
        case Bool():
            return "a boolean"
        case _:
            return str(kind)


def is_whole(value: Value) -> bool:
    """Whether numbers are integers: no fraction, no division."""
    if value.op == "literal":
        return value.data.isdigit()
    args: Sequence[Value] = value.args[1:] if value.op == "select" else value.args
    return value.op != "div" and all(is_whole(arg) for arg in args)


def narrowed(interval: Interval, relation: str, other: Interval) -> Interval:
    """What is left of an interval if its value stands in that relation to some value of `other`; may be empty (low > high)."""
    low, high = interval.low, interval.high
    match relation:
        case "<":
            return Interval(low, min(high, other.high - 1))
        case "<=":
            return Interval(low, min(high, other.high))
        case ">":
            return Interval(max(low, other.low + 1), high)
        case ">=":
            return Interval(max(low, other.low), high)
        case "==":
            return Interval(max(low, other.low), min(high, other.high))
        case _:  # unequal to a single value: an end can go
            if other.low == other.high:
                return Interval(low + (low == other.low), high - (high == other.low))
            return interval

"""Kinds and values of the neuron language: the resolved forms of expressions.

The kind of an integer is an `Interval`. `Literal`, `Rounded` and `Quotient` are intermediate kinds: literals without a kind of their own,
rounded reals without a width, and quotients without a rounding. An assigned value never has an intermediate kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, TypeAlias

from attrs import frozen

from ..expressions.places import NOWHERE, Place
from ..fixed_point import Interval, Rounding

STATEMENTS = ("preset", "neuron", "option", "param", "canonical", "state", "input", "record", "emit")
OPERATORS = ("if", "else", "and", "or", "not", "is", "in")
ROUNDING_BY_NAME = {str(rounding): rounding for rounding in Rounding}
PRECISIONS = ("real", "f32", "f64")
HALVES = ("f16", "bf16")
"""Roundings to formats of 16 bits."""
ARITY = {
    **dict.fromkeys(("min", "max"), 2),
    "clip": 3,
    **dict.fromkeys(("sign", "abs", "exp", "log", "sqrt", *ROUNDING_BY_NAME, *PRECISIONS, *HALVES), 1),
}
REAL_ONLY = ("exp", "log", "sqrt")
WIDTH = re.compile(r"([us])([0-9]+)")


def is_reserved(name: str) -> bool:
    """Returns whether a name is reserved in the language."""
    return name in (*STATEMENTS, *OPERATORS, *ARITY, "dt", "true", "false", "bool")


# ---- kinds


@frozen
class Real:
    """Real type: of the network's precision (`real`), or of a fixed precision."""

    name: str = "real"

    def __str__(self) -> str:
        return self.name


@frozen
class Bool:
    def __str__(self) -> str:
        return "bool"


@frozen
class Literal:
    """Literal number: a real or an integer, depending on its use."""

    def __str__(self) -> str:
        return "a number"


@frozen
class Rounded:
    """Rounded real without a width."""

    def __str__(self) -> str:
        return "an integer without bounds"


@frozen
class Quotient:
    """Quotient of integers without a rounding."""

    def __str__(self) -> str:
        return "a quotient of integers"


Kind: TypeAlias = Real | Bool | Interval | Literal | Rounded | Quotient
REAL, BOOL, LITERAL = Real(), Bool(), Literal()


@frozen(eq=False, slots=False)
class Value:
    """One resolved operation. `data` is its attribute: a name, a constant, a rounding, or a comparison."""

    op: str
    kind: Kind
    args: tuple[Value, ...] = ()
    data: Any = None
    place: Place = NOWHERE

    @cached_property
    def varies(self) -> bool:
        """Returns whether it depends on a state or an input."""
        return self.op in ("state", "input") or any(arg.varies for arg in self.args)


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
    """Input that is added to a state event by event: the state, the kind of the terms, and the state after one term."""

    into: str
    arrives: Kind
    value: Value


@frozen
class Recorded:
    name: str
    value: Value


def describe_kind(kind: Kind) -> str:
    """Formats a kind for messages."""
    match kind:
        case Interval():
            return f"an integer {kind}"
        case Real(name):
            return "a real" if name == "real" else f"a real of precision {name}"
        case Bool():
            return "a boolean"
        case _:
            return str(kind)


def is_integer_literal(value: Value) -> bool:
    """Returns whether literals are integers, without fraction or division."""
    if value.op == "literal":
        return value.data.isdigit()
    args: Sequence[Value] = value.args[1:] if value.op == "select" else value.args
    return value.op != "div" and all(is_integer_literal(arg) for arg in args)


def narrow_interval(interval: Interval, relation: str, other: Interval) -> Interval:
    """Returns the part of an interval whose values satisfy a relation to some value of `other`; can be empty (low > high)."""
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
        case _:  # unequal to a single value: a bound can be excluded
            if other.low == other.high:
                return Interval(low + (low == other.low), high - (high == other.low))
            return interval

"""Evaluation of contracts: exact numbers and three truth values.

Numbers are integers and fractions; only `ceil` rounds. A quantity that is null or absent is unknown, and so is everything that needs
it, except if the other operand decides: `fan_in <= 64 or x` holds if the fan-in is small enough, for every x.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from numbers import Integral
from typing import Any, TypeAlias

from ..diagnostics import Code
from .terms import Term, exact, format_value

NEU032 = Code("NEU032", "contract-division-by-zero", "a contract divides by zero")
NEU033 = Code(
    "NEU033", "contract-logarithm-not-positive", "a contract takes the logarithm of a number that is not positive"
)

Value: TypeAlias = int | Fraction | float | None
Values: TypeAlias = Mapping[str, Value]


class Undefined(Exception):
    """Part of a contract that is undefined for the given values."""

    def __init__(self, code: Code, message: str, term: Term, expected: str, arg: Term, value: Any):
        super().__init__(message)
        self.code = code
        self.term = term
        self.expected = expected
        self.found = f"{arg.text} = {format_value(value, arg.unit)}"


def evaluate(term: Term, values: Values) -> Any:
    """Returns the value of a term, None if it is unknown.

    Errors: Undefined with NEU032 for a division by zero, with NEU033 for log2 of a number that is not positive.
    """
    match term.operation:
        case "number":
            return term.data
        case "name":
            return read_value(values.get(term.data))
        case "and" | "or":
            decisive = term.operation == "or"
            result: bool | None = not decisive
            for arg in term.args:
                value = evaluate(arg, values)
                if value is decisive:
                    return decisive
                result = None if value is None else result
            return result
        case _:
            held = [evaluate(arg, values) for arg in term.args]
            if term.operation == "/" and held[1] == 0:  # also of an unknown dividend
                raise Undefined(NEU032, "division by zero", term, "a divisor other than 0", term.args[1], 0)
            return None if None in held else compute(term, *held)


def read_value(value: Any) -> Any:
    """Returns the exact value of a quantity; a float is read as its decimal representation."""
    if value is None or isinstance(value, bool | int | Fraction):
        return value
    return int(value) if isinstance(value, Integral) else exact(Fraction(str(value)))


def ceil_log2(term: Term, x: Any) -> int:
    """Returns the least k with x <= 2^k."""
    if x <= 0:
        raise Undefined(NEU033, "log2 of a number that is not positive", term, "a number above 0", term.args[0], x)
    # 2^-k <= 1 / x is the greatest power of two in 1 / x
    return (ceil(x) - 1).bit_length() if x >= 1 else 1 - floor(1 / Fraction(x)).bit_length()


def divide(x: Any, y: Any) -> Any:
    return exact(Fraction(x) / y)


def compute(term: Term, *args: Any) -> Any:
    """Returns the result of the operation of a term on known operands."""
    match term.operation:
        case "ceil log2":
            return ceil_log2(term, *args)
        case "convert":
            return args[0] * term.data
        case operation:
            return COMPUTE[operation](*args)


COMPUTE: dict[str, Callable[..., Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "neg": operator.neg,
    "not": operator.not_,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "min": min,
    "max": max,
    "ceil": ceil,
}

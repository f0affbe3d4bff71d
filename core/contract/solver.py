"""Solver for one quantity: the value at which a contract begins or ceases to hold.

Whether a condition becomes true or false as a quantity grows follows from the monotonicity of its operations, with the values of all
other quantities. Where the condition is monotonic, bisection finds the limit; elsewhere the result is None.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from attrs import frozen

from ..units import Unit
from .evaluation import Undefined, Values, evaluate
from .terms import Term, format_amount

LARGEST_VALUE = 1 << 62
"""The largest value that is searched."""
RISING = ("+", "min", "max", "ceil", "ceil log2", "convert", "and", "or")
"""Operations that rise with each operand."""


@frozen
class Needed:
    """Limit of a quantity up to which a contract holds."""

    name: str
    value: int
    """In the declared unit of the quantity."""
    is_most: bool
    """Whether the limit is the largest or the smallest permitted value."""
    unit: Unit

    def __str__(self) -> str:
        return f"{self.name} {'at most' if self.is_most else 'at least'} {format_amount(self.value, self.unit)}"


def solve(term: Term, name: str, values: Values) -> Needed | None:
    """Returns the largest or smallest integer at which a condition on a quantity holds; None without a single limit."""
    unit = next((one.unit for one in term.walk() if one.data == name), None)
    if unit is None:
        return None
    found = find_limit(term, name, values)
    if found is None:
        failing = [part for part in conjuncts(term) if not is_true(part, values)]
        found = common_limit(find_limit(part, name, values) for part in failing)
        if found is not None and not is_true(term, {**values, name: found[0]}):
            found = None
    return None if found is None else Needed(name, *found, unit)


def conjuncts(term: Term) -> list[Term]:
    """Returns the conditions that must all hold."""
    return [one for arg in term.args for one in conjuncts(arg)] if term.operation == "and" else [term]


def common_limit(limits: Iterable[tuple[int, bool] | None]) -> tuple[int, bool] | None:
    """Returns the strictest limit, if all are upper or all are lower limits."""
    found = list(limits)
    known = [one for one in found if one is not None]
    if not known or len(known) < len(found) or len({is_most for _, is_most in known}) > 1:
        return None
    return min(known) if known[0][1] else max(known)


def is_true(term: Term, values: Values) -> bool:
    return value_of(term, values) is True


def value_of(term: Term, values: Values) -> object:
    """Returns the value of a term; None if it is unknown or undefined."""
    try:
        return evaluate(term, values)
    except Undefined:
        return None


def find_limit(term: Term, name: str, values: Values) -> tuple[int, bool] | None:
    """Returns the limit of a quantity in a condition, and whether it is the largest or the smallest permitted value."""
    low = 0 if all(is_defined(part, {**values, name: 0}) for part in term.walk()) else 1
    slope = find_slope(term, name, {**values, name: low})
    if slope not in (-1, 1):
        return None

    def is_unturned(value: int) -> bool:
        return is_true(term, {**values, name: value}) is (slope == -1)

    last, first = low, max(2 * low, low + 1)
    if not is_unturned(low):
        return None
    while is_unturned(first):
        last, first = first, 2 * first
        if first > LARGEST_VALUE:
            return None
    while first - last > 1:
        middle = (first + last) // 2
        last, first = (middle, first) if is_unturned(middle) else (last, middle)
    return (last, True) if slope == -1 else (first, False)


def is_defined(term: Term, values: Values) -> bool:
    try:
        evaluate(term, values)
    except Undefined:
        return False
    return True


def find_slope(term: Term, name: str, values: Values) -> int | None:
    """Returns how a term changes as a quantity grows from its value in `values`.

    1: it does not fall; -1: it does not rise; 0: it does not depend on the quantity; None: unclear. True is above false.
    """
    if term.operation == "name":
        return int(term.data == name)
    slopes = [find_slope(arg, name, values) for arg in term.args]
    if not any(slope != 0 for slope in slopes):
        return 0
    match term.operation, slopes:
        case operation, [*_] if operation in RISING:
            return join(*slopes)
        case "neg" | "not", [slope]:
            return negate(slope)
        case "-" | ">" | ">=", [left, right]:
            return join(left, negate(right))
        case "<" | "<=", [left, right]:
            return join(negate(left), right)
        case "*", [slope, 0]:
            return times(slope, sign(term.args[1], values))
        case "*", [0, slope]:
            return times(slope, sign(term.args[0], values))
        case "*", [1, 1] if all(sign(arg, values) in (0, 1) for arg in term.args):
            return 1
        case "/", [slope, 0]:
            return times(slope, sign(term.args[1], values))
        case "/", [0, 1] if sign(term.args[1], values) == 1:
            return negate(sign(term.args[0], values))
        case _:
            return None


def join(*slopes: int | None) -> int | None:
    """Returns the slope of a sum of terms."""
    found = {slope for slope in slopes if slope != 0}
    return found.pop() if len(found) == 1 else None if found else 0


def negate(slope: int | None) -> int | None:
    return None if slope is None else -slope


def times(slope: int | None, factor: int | None) -> int | None:
    return None if slope is None or factor is None else slope * factor


def sign(term: Term, values: Values) -> int | None:
    value = value_of(term, values)
    return (value > 0) - (value < 0) if isinstance(value, int | Fraction) else None

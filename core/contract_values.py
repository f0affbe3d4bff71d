"""Evaluates contracts: exact numbers, three truth values, closures that are made once.

Numbers are integers and fractions; nothing is rounded but by `ceil`, `floor`, `//`. A quantity that is null or absent is not known,
and neither is what needs it, except where the rest decides: `fan_in <= 64 or x` holds if the fan-in is small enough, whatever x is.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import ceil, floor
from numbers import Integral, Rational, Real
from typing import Any, TypeAlias

from .contract_measures import Measure, valued
from .contract_nodes import Node
from .diagnostics import Code

CON009 = Code(
    "CON009",
    "a contract divides by zero",
    cause="With the values that the message shows, a divisor is 0, and the quotient is no number.",
    remedy="Correct the value, or ask first: `core.banks == 0 or core.synapse_bytes / core.banks <= 4 KiB`.",
)
CON010 = Code(
    "CON010",
    "a contract takes the logarithm of a number that is not positive",
    cause="log2 is defined above 0 alone; with the values that the message shows its argument is 0 or less.",
    remedy="Correct the value, or write `log2(max(x, 1))` where none takes no bits.",
)
CON011 = Code(
    "CON011",
    "a contract takes a power of two that it cannot compute",
    cause="pow2 takes a whole number of moderate size: the result is exact, and its digits are as many as the exponent says.",
    remedy="Round the exponent with ceil or floor, or correct the value.",
)

Number: TypeAlias = int | Fraction
Value: TypeAlias = int | Fraction | float | bool | Iterable[int | Fraction | float | None] | None
Values: TypeAlias = Mapping[str, Value]
Closure: TypeAlias = Callable[[Values], Any]

LARGEST_POWER = 4096
"""The largest exponent of pow2: numbers of more digits say nothing about hardware."""


class Undefined(Exception):
    """A part of a contract has no value, for the values of its quantities."""

    def __init__(self, code: Code, message: str, node: Node, expected: str, found: str):
        super().__init__(message)
        self.code = code
        self.node = node
        self.expected = expected
        self.found = found


# ---- values of quantities


def exact(value: Any, name: str, measure: Measure) -> Number | None:
    """A number as an exact one; a float is the decimal number that is written for it."""
    if value is None or value.__class__ is Fraction:
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} is {measure}, not {value!r}")
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    try:
        return Fraction(str(value))
    except ValueError:
        raise TypeError(f"{name} is {measure}, not {value!r}") from None


def quantity(name: str, measure: Measure) -> Closure:
    def number(values: Values) -> Any:
        value = values.get(name)
        return value if value.__class__ is int else exact(value, name, measure)

    def boolean(values: Values) -> Any:
        value = values.get(name)
        if value is None or value is True or value is False:
            return value
        if type(value).__name__ in ("bool", "bool_"):
            return bool(value)
        raise TypeError(f"{name} is {measure}, not {value!r}")

    def listed(values: Values) -> Any:
        value: Any = values.get(name)
        if value is None:
            return None
        if isinstance(value, str | Real):
            raise TypeError(f"{name} is {measure}, not {value!r}")
        return tuple(exact(one, name, measure) for one in value)

    return {"number": number, "boolean": boolean, "list": listed}[measure.form]


# ---- arithmetic


def quotient(a: Any, b: Any) -> Any:
    whole, rest = divmod(a, b)
    return Fraction(a, b) if rest else whole


def floor_quotient(a: Any, b: Any) -> Any:
    return a // b


def ceil_log2(x: Any) -> int:
    """The least k with x <= 2^k."""
    if isinstance(x, int):
        return (x - 1).bit_length()
    k = floor_log2(x)
    return k if Fraction(2) ** k == x else k + 1


def floor_log2(x: Any) -> int:
    """The greatest k with 2^k <= x."""
    if isinstance(x, int):
        return x.bit_length() - 1
    k = x.numerator.bit_length() - x.denominator.bit_length()
    return k if Fraction(2) ** k <= x else k - 1


def pow2(x: Any) -> Any:
    return 1 << x if x >= 0 else Fraction(1, 1 << -x)


def implies(a: Any, b: Any) -> Any:
    return True if a is False or b is True else None if a is None or b is None else False


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": quotient,
    "//": floor_quotient,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": operator.neg,
    "not": operator.not_,
    "abs": abs,
    "ceil": ceil,
    "floor": floor,
}
SEVERAL: dict[str, Callable[[Any], Any]] = {"min": min, "max": max, "sum": sum}
LOGARITHMS = {"ceil log2": ceil_log2, "floor log2": floor_log2}


# ---- closures


def compiled(node: Node) -> Closure:
    """A function from the values of the quantities to the value of a node; None is "not known".

    Errors, when it is called: Undefined with CON009 a division by zero, CON010 log2 of what is not positive, CON011 pow2 of a
    fraction or of a large number; TypeError a value of another kind than declared, which is the caller's mistake.
    """
    op = node.op
    if op in ("number", "truth"):
        constant = node.data
        return lambda values: constant
    if op == "name":
        return quantity(node.data, node.measure)
    args = [compiled(arg) for arg in node.args]
    if op in ("/", "//", "%"):
        return divided(node, BINARY[op], *args)
    if op in BINARY:
        return binary(BINARY[op], *args)
    if op in UNARY:
        return unary(UNARY[op], *args)
    if op in SEVERAL:
        return several(SEVERAL[op], args)
    if op in LOGARITHMS:
        return logarithm(node, LOGARITHMS[op], *args)
    return SPECIAL[op](node, *args)


def binary(compute: Callable[[Any, Any], Any], left: Closure, right: Closure) -> Closure:
    def run(values: Values) -> Any:
        a = left(values)
        b = right(values)
        return None if a is None or b is None else compute(a, b)

    return run


def divided(node: Node, compute: Callable[[Any, Any], Any], left: Closure, right: Closure) -> Closure:
    def run(values: Values) -> Any:
        a = left(values)
        b = right(values)
        if b is None:
            return None
        if b == 0:
            divisor = node.args[1]
            found = f"{divisor.text} = {valued(b, divisor.measure)}"
            raise Undefined(CON009, "division by zero", node, "a divisor other than 0", found)
        return None if a is None else compute(a, b)

    return run


def unary(compute: Callable[[Any], Any], arg: Closure) -> Closure:
    def run(values: Values) -> Any:
        x = arg(values)
        return None if x is None else compute(x)

    return run


def several(compute: Callable[[Any], Any], args: list[Closure]) -> Closure:
    def run(values: Values) -> Any:
        held = [arg(values) for arg in args]
        return None if None in held else compute(held)

    return run


def logarithm(node: Node, compute: Callable[[Any], int], arg: Closure) -> Closure:
    def run(values: Values) -> Any:
        x = arg(values)
        if x is None:
            return None
        if x <= 0:
            found = f"{node.args[0].text} = {valued(x, node.args[0].measure)}"
            raise Undefined(CON010, "log2 of a number that is not positive", node, "a number above 0", found)
        return compute(x)

    return run


def power(node: Node, arg: Closure) -> Closure:
    def run(values: Values) -> Any:
        x = arg(values)
        if x is None:
            return None
        if x != int(x) or abs(x) > LARGEST_POWER:
            found = f"{node.args[0].text} = {valued(x, node.args[0].measure)}"
            expected = f"a whole number in -{LARGEST_POWER}..{LARGEST_POWER}"
            raise Undefined(CON011, "a power of two that cannot be computed", node, expected, found)
        return pow2(int(x))

    return run


def list_convert(factor: Any, arg: Closure) -> Closure:
    def run(values: Values) -> Any:
        held = arg(values)
        return None if held is None else tuple(None if x is None else x * factor for x in held)

    return run


def convert(node: Node, arg: Closure) -> Closure:
    factor = node.data
    if node.measure.form == "list":
        return list_convert(factor, arg)

    def run(values: Values) -> Any:
        x = arg(values)
        return None if x is None else x * factor

    return run


def conjunction(_: Node, *args: Closure) -> Closure:
    def run(values: Values) -> Any:
        result = True
        for arg in args:
            x = arg(values)
            if x is False:
                return False
            if x is None:
                result = None
        return result

    return run


def disjunction(_: Node, *args: Closure) -> Closure:
    def run(values: Values) -> Any:
        result = False
        for arg in args:
            x = arg(values)
            if x is True:
                return True
            if x is None:
                result = None
        return result

    return run


def implication(_: Node, left: Closure, right: Closure) -> Closure:
    def run(values: Values) -> Any:
        a = left(values)
        return True if a is False else implies(a, right(values))

    return run


def choice(_: Node, then: Closure, test: Closure, otherwise: Closure) -> Closure:
    def run(values: Values) -> Any:
        chosen = test(values)
        if chosen is not None:
            return then(values) if chosen else otherwise(values)
        # whatever the test would say, if both values are the same
        a = then(values)
        return a if a == otherwise(values) else None

    return run


def among(_: Node, x: Closure, *items: Closure) -> Closure:
    def run(values: Values) -> Any:
        return held_in(x(values), [item(values) for item in items])

    return run


def member(node: Node, x: Closure, items: Closure) -> Closure:
    def run(values: Values) -> Any:
        return held_in(x(values), items(values))

    return run


def held_in(x: Any, items: Any) -> bool | None:
    if x is None or items is None:
        return None
    return True if x in items else None if None in items else False


def reduced(compute: Callable[[Any], Any], is_empty_known: bool = False) -> Callable[[Node, Closure], Closure]:
    def made(_: Node, arg: Closure) -> Closure:
        def run(values: Values) -> Any:
            held = arg(values)
            if held is None or (None in held and compute is not len) or not (held or is_empty_known):
                return None
            return compute(held)

        return run

    return made


SPECIAL: dict[str, Callable[..., Closure]] = {
    "and": conjunction,
    "or": disjunction,
    "implies": implication,
    "cond": choice,
    "among": among,
    "in": member,
    "pow2": power,
    "convert": convert,
    "list len": reduced(len, True),
    "list sum": reduced(sum, True),
    "list min": reduced(min),
    "list max": reduced(max),
}


# ---- what is not known


def blaming(node: Node) -> Closure:
    """A function that lists the quantities because of which the value of a node is not known; some may stand twice."""
    if node.op == "name":
        return blaming_name(node)
    args = [(compiled(arg), blaming(arg), arg.measure.form == "list") for arg in node.args]

    def run(values: Values) -> list[str]:
        return [name for value, blame, is_list in args if is_list or value(values) is None for name in blame(values)]

    if node.op != "cond":
        return run
    then, test, otherwise = args

    def chosen(values: Values) -> list[str]:
        decided = test[0](values)
        return test[1](values) if decided is None else (then if decided else otherwise)[1](values)

    return chosen


def blaming_name(node: Node) -> Closure:
    value, name = compiled(node), node.data

    def run(values: Values) -> list[str]:
        held = value(values)
        is_known = held is not None and (node.measure.form != "list" or (held and None not in held))
        return [] if is_known else [name]

    return run

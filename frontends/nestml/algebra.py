"""Algebra of expressions: sums and products with folded numbers, substitution, linear forms and values.

Numbers are fractions of their decimals, so that `exc_spikes * 1 s` with weights per second is exactly the sum of weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from functools import reduce

from attrs import evolve

from ...core.expressions.tree import Binary, Call, Cond, Expr, Name, Neg, Not, Number, operands_of, walk

ZERO, ONE = Number("0.0"), Number("1.0")
INFINITY = "inf"
LARGEST_REAL = 1.7976931348623157e308
"""Number that stands for infinity."""
MOST_FACTORS = 8
"""Largest exponent of a power that is written as a product."""


def clip(x: float, low: float, high: float) -> float:
    return min(max(x, low), high)


FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "abs": abs,
    "min": min,
    "max": max,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": round,
    "truncate": math.trunc,
    "real": float,
    "clip": clip,
}


def real_number(value: Fraction | int) -> Expr:
    """Returns a number, whose text is that of the nearest double."""
    text = repr(float(abs(Fraction(value))))
    return Neg(Number(text)) if value < 0 else Number(text)


def double_number(value: float) -> Expr:
    """Returns the number of a double; the largest one stands for infinity."""
    text = INFINITY if abs(value) >= LARGEST_REAL else repr(abs(float(value)))
    return Neg(Number(text)) if value < 0 else Number(text)


def fraction_of(expr: Expr) -> Fraction | None:
    """Returns the value of a finite number; None for another expression."""
    if isinstance(expr, Neg):
        inner = fraction_of(expr.x)
        return None if inner is None else -inner
    return Fraction(expr.text) if isinstance(expr, Number) and expr.text != INFINITY else None


def names_of(expr: Expr) -> set[str]:
    return {part.name for part in walk(expr) if isinstance(part, Name)}


def is_infinite(expr: Expr) -> bool:
    return isinstance(expr, Number) and expr.text == INFINITY


# ---- sums and products


def add(a: Expr, b: Expr) -> Expr:
    x, y = fraction_of(a), fraction_of(b)
    if x is not None and y is not None:
        return real_number(x + y)
    if x == 0:
        return b
    if y == 0:
        return a
    if isinstance(b, Neg):
        return Binary("-", a, b.x)
    return Binary("+", a, b)


def negate(a: Expr) -> Expr:
    if fraction_of(a) == 0:
        return a
    if isinstance(a, Neg):
        return a.x
    if isinstance(a, Binary) and a.operator == "-":
        return Binary("-", a.right, a.left)
    return Neg(a)


def subtract(a: Expr, b: Expr) -> Expr:
    return (
        add(a, negate(b))
        if fraction_of(b) is not None or isinstance(b, Neg)
        else Binary("-", a, b)
        if fraction_of(a) != 0
        else negate(b)
    )


def terms(expr: Expr) -> list[Expr]:
    """Returns the terms of a sum, with their signs."""
    match expr:
        case Binary("+", left, right):
            return [*terms(left), *terms(right)]
        case Binary("-", left, right):
            return [*terms(left), *(negate(one) for one in terms(right))]
        case _:
            return [expr]


def is_boolean_choice(expr: Expr) -> bool:
    """Returns whether a choice is one of booleans."""
    return isinstance(expr, Cond) and (truth(expr.then) is not None or isinstance(expr.then, Not))


def factors(expr: Expr) -> tuple[Fraction, list[Expr], list[Expr]]:
    """Returns a product as a number, the factors above and those below the line."""
    value = fraction_of(expr)
    if value is not None:
        return value, [], []
    match expr:
        case Neg(x):
            number, above, below = factors(x)
            return -number, above, below
        case Binary("*", left, right):
            a, b = factors(left), factors(right)
            return a[0] * b[0], a[1] + b[1], a[2] + b[2]
        case Binary("/", left, right):
            a, b = factors(left), factors(right)
            if not b[0]:
                return Fraction(1), [expr], []
            return a[0] / b[0], a[1] + b[2], a[2] + b[1]
        case _:
            return Fraction(1), [expr], []


def join_factors(factor: Expr, above: list[Expr], below: list[Expr]) -> tuple[Fraction, list[Expr], list[Expr]]:
    """Returns a product with one more factor, which stays as it is."""
    value = fraction_of(factor)
    if value is not None:
        return value, above, below
    return (
        (Fraction(-1), [factor.x, *above], below) if isinstance(factor, Neg) else (Fraction(1), [factor, *above], below)
    )


def product(value: Fraction, above: list[Expr], below: list[Expr]) -> Expr:
    """Returns a product; equal factors above and below the line are left out."""
    rest, kept = list(below), list[Expr]()
    for one in above:
        if one in rest:
            rest.remove(one)
        else:
            kept.append(one)
    if not value:
        return ZERO
    size = abs(value)
    terms = kept if size == 1 and kept else [real_number(size), *kept]
    result = reduce(lambda a, b: Binary("*", a, b), terms)
    for one in rest:
        result = Binary("/", result, one)
    return Neg(result) if value < 0 else result


def multiply(a: Expr, b: Expr) -> Expr:
    return product(*factors(Binary("*", a, b)))


def quotient_of(a: Expr, b: Expr) -> Expr:
    return product(*factors(Binary("/", a, b)))


def power(x: Expr, exponent: Expr) -> Expr:
    """Returns a power: a product for a small integer, else `exp(n log(x))`."""
    n = fraction_of(exponent)
    value = fraction_of(x)
    if n is not None and n.denominator == 1 and abs(n) <= MOST_FACTORS:
        if value is not None and (value or n >= 0):
            return real_number(value ** int(n))
        terms = [x] * abs(int(n))
        return product(Fraction(1), terms, []) if n >= 0 else product(Fraction(1), [], terms)
    return Call("exp", (multiply(exponent, Call("log", (x,))),))


# ---- rewriting


def rebuild(expr: Expr, parts: tuple[Expr, ...]) -> Expr:
    """Returns an expression with other operands, simplified."""
    match expr:
        case Neg():
            return negate(parts[0])
        case Not():
            return invert(parts[0])
        case Binary("+"):
            return add(*parts)
        case Binary("-"):
            return subtract(*parts)
        case Binary("*"):
            return multiply(*parts)
        case Binary("/"):
            return quotient_of(*parts)
        case Binary("and" | "or" as operator):
            return both(operator, *parts)
        case Binary():
            return evolve(expr, left=parts[0], right=parts[1])
        case Cond():
            return select_value(*parts)
        case Call("pow"):
            return power(*parts)
        case Call("min" | "max" as function):
            return extreme(function, *parts)
        case Call():
            return evolve(expr, arguments=parts)
        case _:
            return expr


def truth(expr: Expr) -> bool | None:
    """Returns the value of a test that is known."""
    return expr.name == "true" if isinstance(expr, Name) and expr.name in ("true", "false") else None


def invert(test: Expr) -> Expr:
    known = truth(test)
    if known is not None:
        return Name("false" if known else "true")
    return test.x if isinstance(test, Not) else Not(test)


def both(operator: str, a: Expr, b: Expr) -> Expr:
    """Returns `a and b` or `a or b`; a test that is known is left out."""
    for x, other in ((a, b), (b, a)):
        known = truth(x)
        if known is not None:
            return other if known == (operator == "and") else x
    return Binary(operator, a, b)


def alike(a: Expr, b: Expr) -> Expr:
    """Returns whether two booleans are equal."""
    return both("or", both("and", a, b), both("and", invert(a), invert(b)))


def select_value(then: Expr, test: Expr, otherwise: Expr) -> Expr:
    """Returns a choice; a test that is known leaves one side."""
    known = truth(test)
    if known is not None:
        return then if known else otherwise
    return then if then == otherwise else Cond(then, test, otherwise)


def extreme(function: str, a: Expr, b: Expr) -> Expr:
    """Returns `min` or `max`; a bound that is infinite is left out."""
    for x, other in ((a, b), (b, a)):
        neutral = x if function == "min" else x.x if isinstance(x, Neg) else None
        if neutral is not None and is_infinite(neutral):
            return other
    return Call(function, (a, b))


def substitute(expr: Expr, change: Callable[[Expr], Expr | None]) -> Expr:
    """Replaces sub-expressions; `change` returns None where nothing changes. Its results are not replaced again."""
    changed = change(expr)
    if changed is not None:
        return changed
    return rebuild(expr, tuple(substitute(part, change) for part in operands_of(expr)))


def replace_names(expr: Expr, values: Mapping[str, Expr]) -> Expr:
    return substitute(expr, lambda one: values.get(one.name) if isinstance(one, Name) else None)


# ---- linear forms


def linear_form(expr: Expr, variables: Collection[str]) -> tuple[dict[str, Expr], Expr] | None:
    """Returns the coefficient of each variable and the rest; None if the expression is not linear in the variables."""
    match expr:
        case Name(name) if name in variables:
            return {name: ONE}, ZERO
        case Neg(x):
            return scaled(linear_form(x, variables), lambda one: negate(one))
        case Binary("+" | "-" as operator, left, right):
            a, b = linear_form(left, variables), linear_form(right, variables)
            if a is None or b is None:
                return None
            join = add if operator == "+" else subtract
            keys = dict.fromkeys((*a[0], *b[0]))
            return {key: join(a[0].get(key, ZERO), b[0].get(key, ZERO)) for key in keys}, join(a[1], b[1])
        case Binary("*", left, right):
            for x, other in ((left, right), (right, left)):
                if not names_of(other) & set(variables):
                    return scaled(linear_form(x, variables), lambda one, by=other: multiply(one, by))
            return None
        case Binary("/", left, right) if not names_of(right) & set(variables):
            return scaled(linear_form(left, variables), lambda one: quotient_of(one, right))
        case _:
            return None if names_of(expr) & set(variables) else ({}, expr)


def scaled(
    form: tuple[dict[str, Expr], Expr] | None, change: Callable[[Expr], Expr]
) -> tuple[dict[str, Expr], Expr] | None:
    if form is None:
        return None
    return {key: change(value) for key, value in form[0].items()}, change(form[1])


# ---- values


def number_at(expr: Expr, values: Mapping[str, float]) -> float:
    """Returns the value of an expression. Raises ArithmeticError or ValueError where it has none, KeyError for an unknown name."""
    match expr:
        case Number(text):
            return float(text)
        case Name(name):
            return {"true": 1.0, "false": 0.0}[name] if name in ("true", "false") else values[name]
        case Neg(x):
            return -number_at(x, values)
        case Not(x):
            return float(not number_at(x, values))
        case Cond(then, test, otherwise):
            return number_at(then if number_at(test, values) else otherwise, values)
        case Call(function, arguments):
            return float(FUNCTIONS[function](*(number_at(one, values) for one in arguments)))
        case Binary(operator, left, right):
            return operate(operator, number_at(left, values), number_at(right, values))
        case _:
            raise KeyError(str(expr))


def operate(operator: str, a: float, b: float) -> float:
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "and":
            return float(bool(a) and bool(b))
        case "or":
            return float(bool(a) or bool(b))
        case _:
            return float(COMPARED[operator](a, b))


COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}

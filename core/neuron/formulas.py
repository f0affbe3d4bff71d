"""Formulas: expressions of the neuron language over arrays of numbers, evaluated entry by entry in double precision.

    evaluate(read("tau * dt", "sinabs.toml"), {"tau": values, "dt": 1e-3})

The mapping defines the valid names. Functions of integers, options and shifts are refused.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..expressions.tree import Binary, Call, Cond, Expr, Name, Neg, Not, Number, walk
from .neuron import parse_neurons

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": np.divide,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "and": np.logical_and,
    "or": np.logical_or,
}
NUMPY_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": np.abs,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "min": np.minimum,
    "max": np.maximum,
}
SELECT: Callable[..., Any] = np.where


def read_formula(text: str, source: str) -> Expr:
    """Reads one expression. `source` is its name in messages. Errors: those of the neuron language."""
    file = parse_neurons(f"neuron formula\nparam value = {text}\n", source)
    value = file.neurons[0].params[0].value
    assert value is not None  # the text above defines it
    return value


def names_in_formula(formula: Expr) -> frozenset[str]:
    """Returns the names that a formula reads."""
    return frozenset(part.name for part in walk(formula) if isinstance(part, Name))


def evaluate(formula: Expr, values: Mapping[str, NDArray[Any] | float]) -> NDArray[Any]:
    """Returns the value of a formula; overflow and undefined results become infinite or NaN, without a warning.

    Raises KeyError for a name that `values` lacks, and ValueError for an unsupported expression.
    """

    def value(expr: Expr) -> Any:
        match expr:
            case Number(text):
                return np.float64(text)
            case Name("true" | "false" as word):
                return np.bool_(word == "true")
            case Name(name):
                given = np.asarray(values[name])
                return given if given.dtype.kind == "b" else given.astype(np.float64)
            case Neg(x):
                return -value(x)
            case Not(x):
                return ~value(x)
            case Binary(sign, left, right) if sign in BINARY:
                return BINARY[sign](value(left), value(right))
            case Cond(then, test, otherwise):
                return SELECT(value(test), value(then), value(otherwise))
            case Call(name, arguments) if name in NUMPY_FUNCTIONS:
                return NUMPY_FUNCTIONS[name](*map(value, arguments))
            case _:
                raise ValueError(f"a formula cannot contain {type(expr).__name__.lower()}")

    with np.errstate(all="ignore"):
        found: NDArray[Any] = np.asarray(value(formula), dtype=None)
    return found

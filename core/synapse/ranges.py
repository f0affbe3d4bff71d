"""Ranges of real values: bounds that follow from declared bounds of parameters, so that a divisor is known to differ from 0."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ..neuron.kinds import Value

Range = tuple[float, float]
EVERYTHING: Range = (-math.inf, math.inf)
LEAST_POSITIVE = 5e-324
"""The smallest positive number: an exponential is positive, unless it underflows, which its operand's range excludes."""
UNDERFLOW = -745.0


def range_of(value: Value, params: Mapping[str, Range]) -> Range:
    """Returns the least and the greatest number that a real value can be; `params` are the bounds of parameters."""
    args = [range_of(arg, params) for arg in value.args]
    match value.op:
        case "constant":
            return (value.data, value.data)
        case "literal":
            return (float(value.data), float(value.data))
        case "param":
            return params.get(value.data, EVERYTHING)
        case "let":
            return params.get(value.data, args[0])  # a derived parameter with bounds is checked where it is computed
        case "cast" | "to_real":
            return args[0]
        case "neg":
            return (-args[0][1], -args[0][0])
        case "abs":
            low, high = args[0]
            return (0.0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))
        case "add":
            return (args[0][0] + args[1][0], args[0][1] + args[1][1])
        case "sub":
            return (args[0][0] - args[1][1], args[0][1] - args[1][0])
        case "mul":
            ends = [0.0 if 0 in (a, b) else a * b for a in args[0] for b in args[1]]
            return (min(ends), max(ends))
        case "max":
            return (max(args[0][0], args[1][0]), max(args[0][1], args[1][1]))
        case "min":
            return (min(args[0][0], args[1][0]), min(args[0][1], args[1][1]))
        case "select":
            return (min(args[1][0], args[2][0]), max(args[1][1], args[2][1]))
        case "exp":
            return (LEAST_POSITIVE if args[0][0] > UNDERFLOW else 0.0, math.inf)
        case _:
            return EVERYTHING


def can_be_zero(value: Value, params: Mapping[str, Range]) -> bool:
    """Returns whether the range of a value has 0."""
    low, high = range_of(value, params)
    return low <= 0 <= high

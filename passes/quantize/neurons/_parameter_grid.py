"""Grid of neuron parameters: equally spaced points, and the error of rounding to them.

The points are `step n` for the integers n of an interval. Steps are powers of two unless they are given. Every point is then a number of
f32 and f64, as long as n has no more bits than they hold.

Output scale of synapses with quantized weights: the value of the integer 1.

A bias and a threshold are compared with sums of weights, so they belong on the grid of these sums. The grid exists where all weights of a
neuron have the same scale: one scale for all weights, for each row or for each neuron, but not for each column.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import f32
from xdsl.ir import Attribute, Operation, SSAValue

from ....analysis.node_selection import name_of
from ....core.arrays.arrays import dtype_of
from ....core.arrays.numeric import AnyArray, Bools, Reals
from ....core.diagnostics import Code, ExitCode, describe_op, refuse
from ....core.fixed_point import Interval
from ....core.ir.operation import shape_of
from ....core.ir.pipeline import NoptPass, suggest_pass
from ....dialects import ntensor

QUA027 = Code("QUA027", "bits-out-of-range", "the number of bits is out of range", exit_code=ExitCode.MISUSED)


def of_bias(op: ntensor.SynapseOpInterface) -> Reals | None:
    """Returns the scale of each entry of a bias; None if the weights are not quantized, or if a neuron has weights of several scales.

    A neuron without synapses gets the finest scale. Shapes: result () or that of the bias.
    """
    found = op.output_scale()
    if found is None or not np.isnan(found).any():
        return found
    return np.where(np.isnan(found), 1.0 if np.isnan(found).all() else np.nanmin(found), found)


def of_result(op: ntensor.SynapseOpInterface) -> Reals | None:
    """Returns the real value of the integer 1 for each element of a synapse op's result, including the exponent. Shapes: result () or that of y."""
    found, exponent = of_bias(op), op.optional_array("exponent")
    if found is None or exponent is None:
        return found if found is None else op.spread_outputs(found)
    return op.spread_outputs(found) * op.spread_outputs(np.ldexp(1.0, exponent.values.astype(np.int64)))


def arriving(x: SSAValue, seen: set[SSAValue] | None = None) -> Reals | None:
    """Returns for each neuron the common scale of the synapses that `x` sums; None if any of them is not quantized, or if scales differ.

    Sums, delays and reshapes keep the flat order, so scales meet in it. Shapes: result that of x.
    """
    seen = set[SSAValue]() if seen is None else seen
    found: Reals | None = None
    stack = [x]
    while stack:
        value = stack.pop()
        if value in seen:  # a cycle of sums and delays adds no synapses
            continue
        seen.add(value)
        op = value.owner
        if isinstance(op, ntensor.SumOp):
            stack.extend(op.xs)
            continue
        if isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp):
            stack.append(op.x)
            continue
        scale = None
        if isinstance(op, ntensor.MaxPool2dOp) or (isinstance(op, ntensor.SynapseOpInterface) and op.is_plain_sum):
            inner = arriving(op.x, seen)
            scale = None if inner is None else op.carry_scale(inner)
        elif isinstance(op, ntensor.SynapseOpInterface):
            scale = of_result(op)
        if scale is None:
            return None
        flat = np.broadcast_to(scale, shape_of(value)).reshape(-1)
        if found is not None and not np.array_equal(found, flat):
            return None
        found = flat
    return None if found is None else found.reshape(shape_of(x))


def check_bits(step: NoptPass, bits: int, least: int, most: int, op: Operation | None = None) -> None:
    """Checks the `bits` of a pass; `op` is the op whose reals limit them. Errors: QUA027."""
    if least <= bits <= most:
        return
    nearest: dict[str, Any] = {"bits": min(max(bits, least), most)}
    where = step.name if op is None else f"{step.name}, {describe_op(op)[0]}"
    refuse(
        QUA027,
        f"{bits} bits are out of range",
        at=where,
        node=None if op is None else name_of(op),
        expected=f"{least} to {most}" + ("" if op is None else ", which its reals hold"),
        found=str(bits),
        help=suggest_pass(replace(step, **nearest)),
    )


def bits_held(type: Attribute) -> int:
    """Returns the signed bits whose integers, times any power of two, a type of reals holds exactly."""
    return 24 if type == f32 else 53


@frozen(eq=False)
class Moved:
    """Numbers on grid points, the error of each, and which of them were beyond the ends."""

    values: AnyArray
    errors: Reals
    beyond: Bools


def moved(values: AnyArray, step: Reals | float, within: Interval) -> Moved:
    """Returns the nearest grid point for each number, with ties to even; infinities and NaN are unchanged.

    Points are computed in f64 and rounded once to the type of the numbers. Shapes: step broadcasts to the values.
    """
    wide = values.astype(np.float64)
    is_finite = np.isfinite(wide)
    with np.errstate(invalid="ignore", over="ignore"):
        n = np.rint(wide / step)
        beyond = is_finite & ((n < within.low) | (n > within.high))
        points = np.where(is_finite, np.clip(n, within.low, within.high) * step, wide).astype(values.dtype)
    return Moved(points, changes(wide, points), beyond)


def changes(before: AnyArray, after: AnyArray) -> Reals:
    """Returns the difference of each number, in f64; infinities and NaN are left out."""
    old, new = before.astype(np.float64), after.astype(np.float64)
    with np.errstate(invalid="ignore"):
        return np.where((old == new) | (np.isnan(old) & np.isnan(new)), 0.0, np.abs(new - old))


def exponent_for(lowest: float, highest: float, bits: int, finest: int = -1022) -> int:
    """Returns the least exponent such that `bits` signed bits with steps of 2^exponent cover both numbers; if both are 0, such that they cover -1..1.

    The exponent is at least `finest`, so that steps and their inverses are finite.
    """
    if lowest == highest == 0:
        return 1 - bits
    high, low = 2 ** (bits - 1) - 1, -(2 ** (bits - 1))
    first = math.frexp(max(abs(lowest), abs(highest)))[1] - bits
    fitting = (k for k in range(first, first + 4) if math.ldexp(highest, -k) <= high and math.ldexp(lowest, -k) >= low)
    return max(finest, next(fitting))


def steps_of(value: float, step: float) -> int:
    """Returns the number of steps that is nearest to a finite value, however large."""
    return round(Fraction(value) / Fraction(step))


def bits_for(*steps: int) -> int:
    """Returns the signed bits that hold these integers."""
    return 1 + max((~n).bit_length() if n < 0 else n.bit_length() for n in steps)


def in_type(values: AnyArray, type: Attribute) -> AnyArray:
    """Returns values as they are computed with: in the type of reals, whatever type they are stored in."""
    dtype = dtype_of(type)
    assert dtype is not None  # a type of reals
    return values.astype(dtype)

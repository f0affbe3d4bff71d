"""Output scale of synapses with quantized weights: the value of the integer 1.

A bias and a threshold are compared with sums of weights, so they belong on the grid of these sums. The grid exists where all weights of a
neuron have the same scale: one scale for all weights, for each row or for each neuron, but not for each column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Reals
from ...core.ir.operation import shape_of
from ...dialects import ntensor


def of_bias(op: Operation) -> Reals | None:
    """Returns the scale of each entry of a bias; None where the weights are not quantized, or one neuron has weights of several scales.

    Shapes: result () or that of the bias.
    """
    match op:
        case ntensor.LinearOp() if op.quantized is not None:
            return common(op.quantized.scale.values, op.weight.shape, 1)
        case ntensor.ConvolutionOp() if op.quantized is not None:
            return common(op.quantized.scale.values, op.weight.shape, len(op.weight.shape) - 1)
        case ntensor.SparseLinearOp() if op.quantized is not None:
            scale = op.quantized.scale.values.astype(np.float64)
            return scale if scale.ndim == 0 else at_targets(scale, op)
        case _:
            return None


def common(scale: NDArray[np.generic], shape: tuple[int, ...], axes: int) -> Reals | None:
    """Returns one scale for each output, where it does not vary over the last `axes` axes of the weights."""
    wide = scale.astype(np.float64)
    if wide.ndim == 0:
        return wide
    rows = wide.reshape(*wide.shape[: wide.ndim - axes], -1)
    if rows.size == 0 or (rows != rows[..., :1]).any():
        return None
    return np.broadcast_to(rows[..., 0], shape[: len(shape) - axes])


def at_targets(scale: Reals, op: ntensor.SparseLinearOp) -> Reals | None:
    """Returns one scale for each target, where its synapses have the same; a target without synapses takes the finest."""
    target = op.target.values.astype(np.int64)
    found = np.full(int(np.prod(shape_of(op.y))), scale.min() if scale.size else 1.0)
    found[target] = scale
    return found.reshape(shape_of(op.y)) if (found[target] == scale).all() else None


def by_channel(values: Reals, op: ntensor.ConvolutionOp) -> Reals:
    """Returns numbers of channels in the shape of a convolution's result. Shapes: values () or [c'], result () or [c', 1, ...]."""
    return values.reshape(-1, *[1] * (len(shape_of(op.y)) - 1)) if values.ndim else values


def of_result(op: Operation) -> Reals | None:
    """Returns the value of 1 in each element of a synapse's result, its exponent included. Shapes: result () or that of y."""
    if isinstance(op, ntensor.ScaleOp):
        return None if op.quantized is None else op.quantized.scale.values.astype(np.float64)
    found = of_bias(op)
    if found is None:
        return None
    exponent = op.properties.get("exponent")
    powers = np.ldexp(1.0, exponent.values.astype(np.int64)) if isinstance(exponent, ArrayAttr) else np.ones(())
    if isinstance(op, ntensor.ConvolutionOp):
        found, powers = by_channel(found, op), by_channel(powers, op)
    return found * powers


def arriving(x: SSAValue, seen: set[SSAValue] | None = None) -> Reals | None:
    """Returns the scale that all synapses share whose sum is `x`, for each neuron; None where one is not quantized or they differ.

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
        scale = pooled(op, seen) if isinstance(op, ntensor.SumPool2dOp) else None
        if isinstance(op, Operation) and scale is None:
            scale = of_result(op)
        if scale is None:
            return None
        flat = np.broadcast_to(scale, shape_of(value)).reshape(-1)
        if found is not None and not np.array_equal(found, flat):
            return None
        found = flat
    return None if found is None else found.reshape(shape_of(x))


def pooled(op: ntensor.SumPool2dOp, seen: set[SSAValue]) -> Reals | None:
    """Returns the scales that a sum pool keeps of its inputs: one for each channel, where it exists."""
    inner = arriving(op.x, seen)
    if inner is None:
        return None
    rows = inner.reshape(len(inner), -1)
    return rows[:, :1, np.newaxis] if (rows == rows[:, :1]).all() else None

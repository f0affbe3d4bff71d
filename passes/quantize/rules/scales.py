"""What 1 is worth at the output of a synapse whose weights are quantized.

A bias and a threshold meet sums of weights, so they belong on the grid of these sums. There is one where all weights of a neuron have
the same scale: for all, for each row, for each neuron; not for each column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from ....core.operation import shape_of
from ....dialects import ntensor

Reals = NDArray[np.float64]


def of_bias(op: Operation) -> Reals | None:
    """The scale of each entry of a bias; None where the weights are not quantized, or the weights of one neuron differ in it.

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
    """One scale for each output, where it does not vary over the last `axes` axes of the weights."""
    wide = scale.astype(np.float64)
    if wide.ndim == 0:
        return wide
    rows = wide.reshape(*wide.shape[: wide.ndim - axes], -1)
    if rows.size == 0 or (rows != rows[..., :1]).any():
        return None
    return np.broadcast_to(rows[..., 0], shape[: len(shape) - axes])


def at_targets(scale: Reals, op: ntensor.SparseLinearOp) -> Reals | None:
    """One scale for each target, where its synapses have the same; a target without synapses takes the finest."""
    target = op.target.values.astype(np.int64)
    found = np.full(int(np.prod(shape_of(op.y))), scale.min() if scale.size else 1.0)
    found[target] = scale
    return found.reshape(shape_of(op.y)) if (found[target] == scale).all() else None


def of_result(op: Operation) -> Reals | None:
    """The scale of each element that a synapse gives. Shapes: result () or that of y."""
    if isinstance(op, ntensor.ScaleOp):
        return None if op.quantized is None else op.quantized.scale.values.astype(np.float64)
    found = of_bias(op)
    if found is not None and found.ndim and isinstance(op, ntensor.ConvolutionOp):
        return found.reshape(-1, *(1,) * (len(shape_of(op.y)) - 1))
    return found


def arriving(x: SSAValue) -> Reals | None:
    """The scale that all synapses share whose sum is `x`, for each neuron; None where one is not quantized or they differ.

    Shapes: result that of x.
    """
    shape, op = shape_of(x), x.owner
    match op:
        case ntensor.SumOp():
            found = [arriving(term) for term in op.xs]
            first = found[0]
            same = first is not None and all(one is not None and (one == first).all() for one in found)
            return first if same else None
        case ntensor.ReshapeOp():
            inner = arriving(op.x)
            return None if inner is None else inner.reshape(shape)
        case ntensor.DelayOp():
            return arriving(op.x)
        case Operation() if (given := of_result(op)) is not None:
            return np.broadcast_to(given, shape)
        case _:
            return None

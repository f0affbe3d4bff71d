"""Output scale of synapses with quantized weights: the value of the integer 1.

A bias and a threshold are compared with sums of weights, so they belong on the grid of these sums. The grid exists where all weights of a
neuron have the same scale: one scale for all weights, for each row or for each neuron, but not for each column.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import SSAValue

from ...core.arrays.numeric import Reals
from ...core.ir.operation import shape_of
from ...dialects import ntensor


def of_bias(op: ntensor.SynapseOpInterface) -> Reals | None:
    """Returns the scale of each entry of a bias; None where the weights are not quantized, or one neuron has weights of several scales.

    A neuron without synapses takes the finest scale. Shapes: result () or that of the bias.
    """
    found = op.output_scale()
    if found is None or not np.isnan(found).any():
        return found
    return np.where(np.isnan(found), 1.0 if np.isnan(found).all() else np.nanmin(found), found)


def of_result(op: ntensor.SynapseOpInterface) -> Reals | None:
    """Returns the value of 1 in each element of a synapse's result, its exponent included. Shapes: result () or that of y."""
    found, exponent = of_bias(op), op.optional_array("exponent")
    if found is None or exponent is None:
        return found if found is None else op.spread_outputs(found)
    return op.spread_outputs(found) * op.spread_outputs(np.ldexp(1.0, exponent.values.astype(np.int64)))


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
        scale = None
        if isinstance(op, ntensor.SynapseOpInterface) and op.is_plain_sum:
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

"""Constant inputs of the values of a tick: the sums of biases without any event."""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import define, field
from xdsl.ir import Operation, SSAValue

from ....core.arrays.numeric import Ints, Reals
from ....core.ir.operation import shape_of
from ....dialects import ntensor


@define
class ConstantInputs:
    """The values of a network in a tick without events. Populations and inputs are 0."""

    known: dict[SSAValue, Reals | None] = field(factory=dict[SSAValue, "Reals | None"])

    def value(self, x: SSAValue) -> Reals | None:
        """Returns the constant part of a value; None where it is 0 everywhere. Shapes: that of the value."""
        if x not in self.known:
            op = x.owner
            found = self.result(op) if isinstance(op, Operation) else None
            self.known[x] = None if found is None or not found.any() else found
        return self.known[x]

    def result(self, op: Operation) -> Reals | None:
        match op:
            case ntensor.SumOp():
                parts = [part for x in op.xs if (part := self.value(x)) is not None]
                return sum(parts[1:], parts[0]) if parts else None
            case ntensor.ReshapeOp():
                part = self.value(op.x)
                return None if part is None else part.reshape(shape_of(op.y))
            case ntensor.SynapseOpInterface():
                return self.synapses(op)
            case _:
                return None

    def synapses(self, op: ntensor.SynapseOpInterface) -> Reals | None:
        """Returns the bias of a synapse op, and what it makes of a constant operand."""
        bias, part = op.optional_array("bias"), self.value(op.x)
        found = np.zeros(shape_of(op.y))
        if bias is not None:
            found = found + op.spread_outputs(bias.values.astype(np.float64))
        if part is not None:
            source, target, weights = pair_weights(op)
            found = found + np.bincount(target, weights * part.reshape(-1)[source], found.size).reshape(found.shape)
        return found


def pair_weights(op: ntensor.SynapseOpInterface) -> tuple[Ints, Ints, Reals]:
    """Returns source and target of each synapse, and the number by which it multiplies."""
    source, target, place = op.pairs()
    weights = np.ones(len(place)) if op.weights is None else op.weight_values().values.reshape(-1)[place]
    mean = prod(op.kernel.values.tolist()) if isinstance(op, ntensor.AvgPool2dOp) else 1
    return source, target, weights.astype(np.float64) / mean

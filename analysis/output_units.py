"""Units of outputs: the value in the network that the number 1 of an output on a chip represents."""

from __future__ import annotations

import numpy as np

from ..core.arrays.numeric import Reals
from ..core.ir.operation import texts_of
from ..dialects import ntensor

UNIT = "step"
"""Canonical value of a population of integers that are emitted as values: the membrane potential of the value 1."""


def output_units(network: ntensor.NetworkOp) -> dict[str, Reals]:
    """Returns the unit of each output whose numbers are not in units of the network.

    Shapes: [] or the shape of the output.
    """
    last = network.body.block.last_op
    assert isinstance(last, ntensor.OutputOp)  # verified
    found: dict[str, Reals] = {}
    for name, value in zip(texts_of(network.output_names), last.values, strict=True):
        op = value.owner
        while isinstance(op, ntensor.ReshapeOp | ntensor.DelayOp):
            op = op.x.owner
        if isinstance(op, ntensor.NeuronOp) and op.canonical is not None:
            unit = dict(op.arrays(op.canonical)).get(UNIT)
            if unit is not None:
                found[name] = unit.values.astype(np.float64)
    return found

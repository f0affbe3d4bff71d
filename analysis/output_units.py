"""Units of outputs and populations: the value in the network that the number 1 on a chip represents."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import FloatAttr, f64
from xdsl.ir import SSAValue

from ..core.arrays.numeric import Reals
from ..core.ir.operation import texts_of
from ..dialects import ntensor

VALUE_UNIT = "step"
"""Canonical value of a population of integers that are emitted as values: the membrane potential of the value 1."""
POOLS = (ntensor.SumPool2dOp, ntensor.AvgPool2dOp, ntensor.MaxPool2dOp)
COUNT_UNIT = "machine.count_unit"
"""Attribute of a population: the number of spikes that a count of 1 represents, if it is not 1."""


def set_count_unit(op: ntensor.NeuronOp, unit: float) -> None:
    """Stores the number of spikes that a count of a population represents."""
    if unit != 1:
        op.attributes[COUNT_UNIT] = FloatAttr(unit, f64)


def count_unit(op: ntensor.NeuronOp) -> float:
    """Returns the number of spikes that a count of a population represents."""
    found = op.attributes.get(COUNT_UNIT)
    return found.value.data if isinstance(found, FloatAttr) else 1.0


def output_units(network: ntensor.NetworkOp) -> dict[str, Reals]:
    """Returns the unit of each output whose numbers are not in units of the network.

    Shapes: [] or the shape of the output.
    """
    last = network.body.block.last_op
    assert isinstance(last, ntensor.OutputOp)  # verified
    units = {name: value_unit(x) for name, x in zip(texts_of(network.output_names), last.values, strict=True)}
    return {name: unit for name, unit in units.items() if unit is not None}


def value_unit(value: SSAValue) -> Reals | None:
    """Returns the unit of a value that a population emits, also after reshapes, delays and pools; None if it is 1 or unknown."""
    op, is_pooled = value.owner, False
    while isinstance(op, (ntensor.ReshapeOp, ntensor.DelayOp, *POOLS)):
        op, is_pooled = op.x.owner, is_pooled or isinstance(op, POOLS)
    if not isinstance(op, ntensor.NeuronOp):
        return None
    held = None if op.canonical is None else dict(op.arrays(op.canonical)).get(VALUE_UNIT)
    if held is not None:
        units = held.values.astype(np.float64)
        return None if is_pooled and units.size > 1 else units
    return None if (unit := count_unit(op)) == 1 else np.asarray(unit)

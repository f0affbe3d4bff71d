"""Plan of a network: attributes of its populations that assign neurons to slices."""

from __future__ import annotations

import numpy as np

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from ..dialects.resources.connectivity import Slicing

BOXES = "machine.boxes"
"""Attribute of a population: its slices, [slice, axis, first and end]."""
ORDER = "machine.order"
"""Attribute of a population: the order of neurons of which the slices are ranges."""
ADDED = "machine.added"
"""Attribute of a population that legalisation added."""


def planned_slicing(neuron: ntensor.NeuronOp) -> Slicing | None:
    """Returns the planned slices of a population, or None without a plan."""
    boxes, order = neuron.attributes.get(BOXES), neuron.attributes.get(ORDER)
    if not isinstance(boxes, ArrayAttr):
        return None
    own = order.values.astype(np.int64) if isinstance(order, ArrayAttr) else None
    return Slicing(shape_of(neuron.z), boxes.values.astype(np.int64), own)

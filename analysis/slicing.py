"""Plan of a network: attributes of its populations that assign neurons to slices, and the needs of these slices."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import IntegerAttr

from ..core.arrays.arrays import ArrayAttr
from ..core.device.records import Device
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from ..dialects.chip_base.connectivity import Arrivals, count_arrivals, count_destinations
from ..dialects.chip_base.needs import Needs, needs_of, sending_needs
from ..dialects.chip_base.slicing import Slicing
from .wiring import Wiring

BOXES = "machine.boxes"
"""Attribute of a population: its slices, [slice, axis, first and end]."""
ORDER = "machine.order"
"""Attribute of a population: the order of neurons of which the slices are ranges."""
COPIES = "machine.copies"
"""Attribute of a population: the axons of one source for which its slices have room, if its plan reserved some for duplicates."""
ADDED = "machine.added"
"""Attribute of a population that legalisation added."""


def planned_slicing(neuron: ntensor.NeuronOp) -> Slicing | None:
    """Returns the planned slices of a population; None without a plan."""
    boxes, order = neuron.attributes.get(BOXES), neuron.attributes.get(ORDER)
    if not isinstance(boxes, ArrayAttr):
        return None
    own = order.values.astype(np.int64) if isinstance(order, ArrayAttr) else None
    return Slicing(shape_of(neuron.z), boxes.values.astype(np.int64), own)


def planned_copies(neuron: ntensor.NeuronOp) -> int | None:
    """Returns the axons of one source for which the slices of a population have room; None without a plan of duplicates."""
    given = neuron.attributes.get(COPIES)
    return given.value.data if isinstance(given, IntegerAttr) else None


def needs_of_slices(
    wiring: Wiring, slices: Mapping[str, Slicing], updates: Mapping[str, ntensor.UpdateOp], device: Device | None
) -> tuple[dict[str, Arrivals], dict[str, list[Needs]]]:
    """Returns the arrivals (synapses and axons) at each population, and the needs of each slice of it."""
    reached = {name: np.zeros(slicing.size, np.int64) for name, slicing in slices.items()}
    counted = {
        name: count_arrivals(slices[name], [one.path for one in wiring.into(name)], slices, reached)
        for name in wiring.neurons
    }
    each = None if device is None else device.integer("core.destinations")
    outputs = [source for _, source, _ in wiring.outputs]
    sent = {} if each is None else count_destinations(counted.values(), slices, outputs)
    needs: dict[str, list[Needs]] = {}
    for name, neuron in wiring.neurons.items():
        own = needs_of(neuron.params, neuron.z.type, updates[neuron.update_name], slices[name], counted[name], device)
        sending = sending_needs(slices[name], reached[name], sent.get(name), each)
        needs[name] = [a | b for a, b in zip(own, sending, strict=True)]
    return counted, needs

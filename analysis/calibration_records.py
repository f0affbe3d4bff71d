"""Observations of a calibration: a dictionary attribute of a network and of its nodes; and the neurons that need them."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, FloatAttr
from xdsl.ir import Attribute, Operation

from ..core.device.records import Device

OBSERVED = "ntensor.observed"
"""Attribute of a network or node: the observations of a calibration, by name."""

PEAKS = ("peak", "peak_i")
"""Parameters of a neuron that only a calibration shows: the largest distance of v from the leak, and the largest input of v by the current."""


def find_observation(op: Operation, *keys: str) -> Attribute | None:
    """Returns an entry of the observations of a network or node, through nested dictionaries; None if it is missing."""
    found: Attribute | None = op.attributes.get(OBSERVED)
    for key in keys:
        found = found.data.get(key) if isinstance(found, DictionaryAttr) else None
    return found


def observed_rate(op: Operation, *keys: str) -> float | None:
    """Returns an observed number, such as a rate or density; None if it is missing."""
    found = find_observation(op, *keys)
    return float(found.value.data) if isinstance(found, FloatAttr) else None


def needs_calibration(device: Device) -> bool:
    """Returns whether a neuron of a device has a parameter that only a calibration shows."""
    from ..core.neuron.neuron import parse_neurons

    for name, update in device.updates.items():
        for neuron in parse_neurons("\n".join(update.text), update.file or device.key).neurons:
            if neuron.name == name and any(one.name in PEAKS and one.value is None for one in neuron.params):
                return True
    return False

"""Fullness of cores: the capacity with the largest share in use. Precision, delays and fan-in are limits, but not capacities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from ...core.device.device import Device
from ...core.device.topology import topology_class, topology_of
from ...core.number_texts import number_text
from ..json_record import Record

CAPACITIES = {
    "neurons": "neurons",
    "synapses": "synapses",
    "synapse_bytes": "synapses",
    "input_axons": "axons",
    "output_axons": "axons",
    "axon_bytes": "axons",
    "memory_bytes": "memory",
    "neuron_bytes": "memory",
}
"""Capacities of a core that its vertices share, each with its name in texts and drawings. A sum of several bytes is memory."""
ORDER = ("neurons", "axons", "synapses", "memory")


@frozen
class Fullness(Record):
    """The share of a capacity that is in use."""

    name: str
    """Neurons, axons, synapses or memory."""
    quantity: str
    """The quantity of the report."""
    used: float
    limit: float

    @property
    def share(self) -> float:
        return self.used / self.limit

    def __str__(self) -> str:
        return f"{self.quantity}: {number_text(self.used)} of {number_text(self.limit)}"


def capacity_name(quantity: str) -> str | None:
    """Returns the name of a capacity; None for a limit that is not a capacity."""
    parts = [CAPACITIES.get(part) for part in quantity.split("+")]
    return None if None in parts else parts[0] if len(parts) == 1 else "memory"


def capacities(uses: Iterable[Mapping[str, Any]]) -> list[Fullness]:
    """Returns the use of each capacity with a limit, in the order of the uses."""
    return [
        Fullness(name, one["quantity"], one["used"], one["limit"])
        for one in uses
        if (name := capacity_name(one["quantity"])) and one["limit"] and one["used"] is not None
    ]


def fullest(uses: Iterable[Mapping[str, Any]]) -> Fullness | None:
    """Returns the capacity with the largest share, the first in `ORDER` of equal ones; None if no capacity has a limit."""
    return min(capacities(uses), key=lambda one: (-one.share, ORDER.index(one.name)), default=None)


def usable_cores(device: Device) -> int | None:
    """Returns the number of cores of a device that are neither faulty nor reserved; None if the device does not declare its cores."""
    if device.topology is None or any(size is None for size, _ in topology_class(device).sides(device).values()):
        return None
    return int(topology_of(device).is_usable.sum())

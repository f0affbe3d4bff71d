"""Lower bound of the neurons that a chip has to hold, whatever passes legalise the network.

    bound = sum over the counted populations of their neurons

A population is counted if

1. it emits events: a population of values may be a readout, which moves to the host,
2. an output of the network depends on it: others may be removed,
3. and it has a state: an activation may be pooled first, and then has fewer neurons.

Legalisation only adds neurons to these populations: relays, partial sums, replicas.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from attrs import frozen
from xdsl.ir import Operation

from ..core.device.core_kinds import has_neuron_cores, kind_of_cores, kinds_of
from ..core.device.records import Device
from ..core.device.topology import topology_of
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor


@frozen
class NeuronRooms:
    """The neurons that a device holds."""

    rooms: Sequence[tuple[int, int]]
    """For each kind of core the neurons of a core, and the number of usable cores."""

    @property
    def neurons(self) -> int:
        return sum(each * cores for each, cores in self.rooms)

    @property
    def cores(self) -> int:
        return sum(cores for _, cores in self.rooms)


def neuron_rooms(device: Device) -> NeuronRooms | None:
    """Returns the neurons that the cores of a device hold; None if they have no limit."""
    if device.integer("core.neurons") is None or (
        device.integer("topology.cores") is None and device.integer("topology.mesh.width") is None
    ):
        return None
    topology = topology_of(device)
    names, kind = kind_of_cores(device, topology.cores, topology.own)
    kinds = kinds_of(device)
    return NeuronRooms(
        [
            (kinds[name].integer("core.neurons") or 0, int((topology.is_usable & (kind == k)).sum()))
            for k, name in enumerate(names)
        ]
    )


def exceeds_device(network: ntensor.NetworkOp, device: Device) -> bool:
    """Returns whether a network exceeds the neurons of a device after every legalisation."""
    rooms = neuron_rooms(device) if has_neuron_cores(device) else None
    return rooms is not None and least_neurons(network) > rooms.neurons


def least_neurons(network: ntensor.NetworkOp) -> int:
    """Returns a lower bound of the neurons of a legalised network in ticks."""
    return sum(prod(shape_of(op.z)) for op in live_populations(network) if is_counted(op))


def is_counted(op: ntensor.NeuronOp) -> bool:
    return bool(op.initial.data) and ntensor.is_event(element_type(op.z))


def live_populations(network: ntensor.NetworkOp) -> Iterator[ntensor.NeuronOp]:
    """Yields the populations that outputs depend on."""
    known, work = set[Operation](), [value.owner for value in network.outputs.values]
    while work:
        op = work.pop()
        if not isinstance(op, Operation) or op in known:
            continue
        known.add(op)
        work += [value.owner for value in op.operands]
        if isinstance(op, ntensor.NeuronOp):
            yield op

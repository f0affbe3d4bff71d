"""Configuration of DYNAP-SE1 in the vendor's classes: `Dynapse1Configuration` with chips, cores, neurons, synapses and destinations.

The parts that are not used keep the vendor's defaults. The first of the four destinations of a neuron sends its events to the host: the vendor's
library sets it. The number of a neuron on its core is the lower part of its tags, and neurons without destinations have the numbers that are left.
An event that the host sends is a `FpgaSpikeEvent`, whose neuron is the whole tag.

Source: samna.dynapse1 (names of the classes and fields), without a copy of its text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...core.device.device import Device
from ...core.device.topology import topology_of
from ...dialects.dynapse import ChipOp, CoreOp, DestinationsOp, NeuronsOp, destinations_of
from .bias_generator1 import parameters_of1

TAG_NUMBERS = "features.tag_neurons"
SYNAPSE_BITS1 = 10 + 2
"""Tag and type of a synapse."""
DESTINATION_BITS1 = 10 + 4 + 6
"""Tag, mask of cores, and the offsets of the chip with their signs. The 6 bits of the offsets are assumed."""
SYNAPSE_TYPES: Mapping[int, str] = {1: "AMPA", 2: "NMDA", 4: "GABA_B"}
"""The name of the type of a synapse in `Dynapse1SynType`, by its mask."""
RESERVED_DESTINATIONS = 1


def configuration1(chip: ChipOp, device: Device) -> dict[str, Any]:
    """Returns the fields of the vendor's `Dynapse1Configuration` that the network sets, and the events that the host sends."""
    topology, numbers = topology_of(device, len(chip.cores)), device.integer(TAG_NUMBERS)
    assert numbers is not None  # a device of this kind
    chips: dict[int, list[dict[str, Any]]] = {}
    for place, core in chip.cores.items():
        record = core_record1(core, place, topology, numbers, chip.tick_ns.value.data * 1e-9)
        chips.setdefault(place // topology.own, []).append(record)
    return {
        "chips": [{"chip_id": number, "cores": cores} for number, cores in sorted(chips.items())],
        "input_events": [
            {
                "input": op.source.data,
                "entries": op.index.values.tolist(),
                "events": [
                    {"entry": neuron, "core_mask": cores, "neuron_id": tag, "target_chip": at}
                    for neuron, at, cores, tag in destination_rows(found)
                ],
            }
            for op in chip.inputs
            if (found := destinations_of(op)) is not None
        ],
    }


def destination_rows(found: DestinationsOp) -> list[tuple[int, int, int, int]]:
    """Returns the neuron, chip, mask of cores and tag of each destination."""
    columns = (found.neuron, found.chip, found.cores, found.tag)
    return [*zip(*(one.values.tolist() for one in columns), strict=True)]


def core_record1(core: CoreOp, place: int, topology: Any, numbers: int, dt: float) -> dict[str, Any]:
    """Returns the parameters of a core, and its neurons in the order of its groups. Units: dt [s]."""
    chip, own = place // topology.own, place % topology.own
    neurons: list[dict[str, Any]] = []
    for group, numbered in zip(core.groups, neuron_numbers(core, numbers), strict=True):
        synapses, destinations = synapse_records1(group, numbers), destination_records1(group, chip, topology, numbers)
        for k, number in enumerate(numbered):
            neurons.append(
                {
                    "chip_id": chip,
                    "core_id": own,
                    "neuron_id": number,
                    "population": group.source.data,
                    "index": int(group.index.values[k]),
                    "synapses": synapses[k],
                    "destinations": destinations[k],
                }
            )
    first = core.groups[0]
    parameters = parameters_of1(first.parameters(), first.currents.values, dt)
    return {"chip_id": chip, "core_id": own, "parameter_group": {"param_map": parameters}, "neurons": neurons}


def neuron_numbers(core: CoreOp, numbers: int) -> list[list[int]]:
    """Returns the number of each neuron on its core, by group."""
    found = [np.full(group.size, -1) for group in core.groups]
    for numbered, group in zip(found, core.groups, strict=True):
        if (held := destinations_of(group)) is not None:
            numbered[held.neuron.values] = held.tag.values % numbers
    used = {int(n) for numbered in found for n in numbered}
    free = iter(n for n in range(numbers) if n not in used)
    return [[int(n) if n >= 0 else next(free) for n in numbered] for numbered in found]


def synapse_records1(group: NeuronsOp, numbers: int) -> list[list[dict[str, Any]]]:
    """Returns the synapses of each neuron."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(group.size)]
    held = group.synapses
    if held is None:
        return found
    columns = (held.neuron.values.tolist(), held.tag.values.tolist(), held.mask.values.tolist())
    for neuron, tag, mask in zip(*columns, strict=True):
        one = {"listen_core_id": tag // numbers, "listen_neuron_id": tag % numbers, "syn_type": SYNAPSE_TYPES[mask]}
        found[int(neuron)].append(one)
    return found


def destination_records1(group: NeuronsOp, chip: int, topology: Any, numbers: int) -> list[list[dict[str, Any]]]:
    """Returns each neuron's destinations, with their place after the reserved destinations, and with the chip offset from the neuron's chip."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(group.size)]
    held, columns = destinations_of(group), int(topology.chips_x)
    for neuron, at, cores, tag in () if held is None else destination_rows(held):
        hops = {"x": at % columns - chip % columns, "y": at // columns - chip // columns}
        offsets = {f"s{axis}": int(hop < 0) for axis, hop in hops.items()} | {
            f"d{axis}": abs(hop) for axis, hop in hops.items()
        }
        place = RESERVED_DESTINATIONS + len(found[neuron])
        words = {"in_use": True, "target_chip_id": at, "virtual_core_id": tag // numbers, "core_mask": cores}
        found[neuron].append({"destination": place, **words, **offsets})
    return found

"""Writes a `dynapse.chip`: the network as nopt reads it back, and the configuration of the chips in the vendor's classes.

| file | content |
| --- | --- |
| `network.json`, `arrays/NNNN.npy` | the `dynapse.chip` in the form of `dialects/chip_base/codec.py` |
| `configuration.json` | the fields of `Dynapse2Configuration`: chips, cores, neurons with synapses and destinations, parameters (`bias_generator.py`); for DYNAP-SE1 those of `Dynapse1Configuration` (`configuration1.py`) |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |

`configuration.json` lists the neurons, synapses and destinations that are used; all others keep the vendor's defaults. Every decision was made
before: the emitter chooses nothing.

Source: rockpool 3.1.0, devices/dynapse/samna_alias: names of the classes and fields, without a copy of their text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.device.topology import topology_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...dialects.chip_base.parts import SenderOp
from ...dialects.dynapse import ChipOp, CoreOp, SynapsesOp, destinations_of
from .bias_generator import parameters_of
from .configuration1 import DESTINATION_BITS1, SYNAPSE_BITS1, TAG_NUMBERS, configuration1
from .current_losses import report_currents
from .model import Model

CONFIGURATION = "configuration.json"
SYNAPSE_COLUMNS = ("neuron", "tag", "mask", "is_inhibitory")
DESTINATION_COLUMNS = ("neuron", "chip", "cores", "tag")
SYNAPSE_BITS = 11 + 4 + 4 + 3
"""Tag, mask, dendrites, and the switches of delays and short-term plasticity of a synapse."""
DESTINATION_BITS = 11 + 4 + 2 * 4
"""Tag, mask of cores, and the offsets of the chip."""
AMPA, GABA = 1024, 512
"""Codes of the dendrites of excitatory and inhibitory synapses."""


# ---- the vendor's classes


def configuration(chip: ChipOp, device: Device) -> dict[str, Any]:
    """Returns the fields of the vendor's configuration that the network sets, and the events that the host sends."""
    if device.integer(TAG_NUMBERS) is not None:
        return configuration1(chip, device)
    topology = topology_of(device, len(chip.cores))
    chips: dict[int, list[dict[str, Any]]] = {}
    for place, core in chip.cores.items():
        chips.setdefault(place // topology.own, []).append(core_record(core, place, topology, chip.tick_ns.value.data))
    return {
        "chips": [{"chip": number, "cores": cores} for number, cores in sorted(chips.items())],
        "input_events": [
            {"input": op.source.data, "entries": op.index.values.tolist(), "destinations": listed}
            for op in chip.inputs
            if (listed := destination_records(op, op.at.value.data, topology))
        ],
    }


def core_record(core: CoreOp, place: int, topology: Any, tick_ns: int) -> dict[str, Any]:
    """Returns the parameters of a core, and its neurons in the order of its groups."""
    neurons: list[dict[str, Any]] = []
    for group in core.groups:
        synapses = synapse_records(group.synapses, group.size)
        listed = destination_records(group, place, topology)
        for k in range(group.size):
            mine = [one["destination"] for one in listed if one["neuron"] == k]
            neurons.append(
                {
                    "neuron": len(neurons),
                    "population": group.source.data,
                    "index": int(group.index.values[k]),
                    "synapses": synapses[k],
                    "destinations": mine,
                }
            )
    first = core.groups[0]
    parameters = parameters_of(first.parameters(), first.currents.values, tick_ns * 1e-9)
    return {"core": place % topology.own, "parameters": parameters, "neurons": neurons}


def synapse_records(held: SynapsesOp | None, neurons: int) -> list[list[dict[str, Any]]]:
    """Returns the synapses of each neuron."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(neurons)]
    if held is not None:
        for neuron, tag, mask, is_inhibitory in rows(*(getattr(held, name).values for name in SYNAPSE_COLUMNS)):
            found[neuron].append(
                {
                    "dendrite": GABA if is_inhibitory else AMPA,
                    "weight": [bool(mask >> bit & 1) for bit in range(4)],
                    "tag": tag,
                    "stp": False,
                    "precise_delay": False,
                    "mismatched_delay": False,
                }
            )
    return found


def destination_records(op: SenderOp, place: int, topology: Any) -> list[dict[str, Any]]:
    """Returns the neuron destinations of a group or input, with the chip offset of each destination from the sender's chip."""
    held, found = destinations_of(op), list[dict[str, Any]]()
    if held is None:
        return found
    at = topology.place(place)[0]
    columns = topology.chips_x
    for neuron, chip, cores, tag in rows(*(getattr(held, name).values for name in DESTINATION_COLUMNS)):
        hops = {"x_hop": chip % columns - at % columns, "y_hop": chip // columns - at // columns}
        mask = [bool(cores >> bit & 1) for bit in range(4)]
        found.append({"neuron": neuron, "destination": {"core": mask, **hops, "tag": tag}})
    return found


def rows(*columns: AnyArray) -> Iterator[tuple[int, ...]]:
    yield from zip(*(np.asarray(column).tolist() for column in columns), strict=True)


# ---- files


def json_lines(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1) + "\n"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `configuration.json` of a module (`-t dynapse`). Errors: CHI018; DEV023 no device is specified; those of reading a device."""
    chip = Model.chip_of(module)
    return json_lines(configuration(chip, device_of(chip)))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader and for the vendor's library. Errors: CHI018. Warnings: DSN008."""
    chip = Model.chip_of(module)
    record = configuration(chip, device)
    report_currents(record, diagnostics)
    files = {
        **chip_files(module, chip, device, OpWriter()),
        CONFIGURATION: json_lines(record).encode(),
    }
    words = sum(0 if (held := group.synapses) is None else len(held.neuron.values) for group in chip.groups)
    targets = sum(0 if (held := destinations_of(op)) is None else len(held.neuron.values) for op in chip.groups)
    each = (
        (SYNAPSE_BITS, DESTINATION_BITS) if device.integer(TAG_NUMBERS) is None else (SYNAPSE_BITS1, DESTINATION_BITS1)
    )
    bits = {"synapses": words * each[0], "destinations": targets * each[1]}
    return Artefact(files=files, memory={name: -(-n // 8) for name, n in bits.items()})

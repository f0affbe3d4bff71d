"""Writes a `spinnaker2.chip`: `network.json`, the connections of each core, and a script that builds the same network with py-spinnaker2.

| file | content |
| --- | --- |
| `network.json` | inputs, cores, neurons, tables of connections and outputs (`nopt.spinnaker2/1`) |
| `cores/NNNNN/connections.bin` | for each connection of the core pre, post, weight and delay, table after table |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `spinnaker2_network.py` | reads these files, builds the network with py-spinnaker2, and runs it: `python spinnaker2_network.py OUT.json` |

Numbers of `connections.bin` have 32 bits and are stored with the least byte first. Every decision was made before: the emitter chooses nothing.

Source: the format is our own; the script calls the interface of py-spinnaker2 as of the NIR paper (2024).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.groups import arrays_of
from ...dialects.chip_base.json_form import ChipWriter, shared_files
from ...dialects.spinnaker2 import ChipOp, ConnectionsOp, CoreOp, NeuronsOp
from .model import spinnaker2_chip

SPINNAKER2_SCHEMA = "nopt.spinnaker2/1"
NETWORK, SCRIPT = "network.json", "spinnaker2_network.py"
PY_SPINNAKER2_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
DICTIONARIES = ("params", "initial")
CONNECTION = np.dtype("<i4")
CONNECTION_COLUMNS = ("pre", "post", "weight", "delay")


def connections_path(place: int) -> str:
    return f"cores/{place:05}/connections.bin"


def connection_bytes(op: ConnectionsOp) -> bytes:
    """Returns the connections of a table."""
    arrays = op.pre.values, op.post.values, op.weight.values, op.delays
    return np.stack([one.astype(CONNECTION) for one in arrays], 1).tobytes()


class ConnectionsWriter(ChipWriter):
    """Writer of one chip; the connections of a core are in a file of their own."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def chip(self, chip: ChipOp, device: Device) -> dict[str, Any]:
        return {
            "schema": SPINNAKER2_SCHEMA,
            "network": chip.sym_name.data,
            "device": device.key,
            "chips": device.whole("topology.chips"),
            "tick_ns": chip.tick_ns.value.data,
            "inputs": [self.input(op) for op in chip.inputs],
            "cores": [self.core(core) for core in chip.cores.values()],
            "outputs": [self.output(op) for op in chip.outputs],
        }

    def core(self, op: CoreOp) -> dict[str, Any]:
        place = op.place.value.data
        listed = [one for group in op.groups for one in group.connections]
        self.files[connections_path(place)] = b"".join(connection_bytes(one) for one in listed)
        return {"core": place, "axons": op.axons.value.data, "neurons": [self.neurons(one) for one in op.groups]}

    def neurons(self, op: NeuronsOp) -> dict[str, Any]:
        return {
            **self.group(op),
            "model": op.model.data,
            "reset": op.reset.data,
            "index": self.array(op, "index", op.index.values),
            **{what: self.arrays(op, what) for what in DICTIONARIES},
            "connections": [
                {
                    "projection": one.node.data,
                    "source": one.source.data,
                    "connections": one.pre.data.size,
                    "weight": str(one.weight.data.dtype),
                    "delays": "one" if not one.delay.shape else "each",
                }
                for one in op.connections
            ],
        }

    def arrays(self, op: NeuronsOp, what: str) -> dict[str, Any]:
        return {name: self.array(op, f"{what}.{name}", values) for name, values in arrays_of(getattr(op, what)).items()}


def as_text(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1) + "\n"


def connections_text(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t spinnaker2`). Errors: ASM002; PLN001 no device is specified; those of reading a device."""
    chip = spinnaker2_chip(module)
    return as_text(ConnectionsWriter().chip(chip, device_of(chip)))


def spinnaker2_artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: ASM002."""
    chip, writer = spinnaker2_chip(module), ConnectionsWriter()
    record = writer.chip(chip, device)
    files = {
        NETWORK: as_text(record).encode(),
        **writer.files,
        **shared_files(module, chip, device),
        SCRIPT: PY_SPINNAKER2_SCRIPT.read_bytes(),
    }
    used = [core.quantities(device) for core in chip.cores.values()]
    memory: dict[str, int | None] = {}
    for kind, need in (("synapses", "synapse_bytes"), ("neurons", "neuron_bytes")):
        each = [one.get(need) for one in used]
        memory[kind] = None if None in each else sum(n for n in each if n is not None)
    return Artefact(files=files, memory=memory)

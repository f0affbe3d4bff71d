"""Writes a `neurogrid.chip`: `network.json`, the terminals of all senders, and a script that builds the same network with Brian 2.

| file | content |
| --- | --- |
| `network.json` | inputs, cores, neurons with their sites and parameters, and outputs (`nopt.neurogrid/1`) |
| `terminals.bin` | neuron, core, synapse population, row, column and events of each terminal, sender after sender |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `neurogrid_network.py` | reads these files, and runs the network with Brian 2: `python neurogrid_network.py OUT.json` |

Numbers of `terminals.bin` have 32 bits and are stored with the least byte first. Every decision was made before: the emitter chooses nothing.

Source: the format is our own, since none is published. The script calls Brian 2 in the style of PyNN.
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
from ...dialects.chip_base.parts import SenderOp
from ...dialects.neurogrid import ChipOp, CoreOp, SomasOp, TerminalsOp, terminals_of
from ...dialects.neurogrid.arbors import ARBOR_LEVELS
from .model import neurogrid_chip

NEUROGRID_SCHEMA = "nopt.neurogrid/1"
NETWORK, TERMINALS, SCRIPT = "network.json", "terminals.bin", "neurogrid_network.py"
BRIAN_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
SOMA_DICTIONARIES = ("params", "initial")
TERMINAL = np.dtype("<i4")
TERMINAL_COLUMNS = 6


def terminal_bytes(op: TerminalsOp) -> bytes:
    """Returns the terminals of one projection of a sender."""
    return np.concatenate([op.places, op.counts[None]]).T.astype(TERMINAL).tobytes()


class TerminalsWriter(ChipWriter):
    """Writer of one chip; the terminals of all senders are in a file of their own."""

    def __init__(self) -> None:
        self.rows: list[bytes] = []

    def chip(self, chip: ChipOp, device: Device) -> dict[str, Any]:
        return {
            "schema": NEUROGRID_SCHEMA,
            "network": chip.sym_name.data,
            "device": device.key,
            "tick_ns": chip.tick_ns.value.data,
            "levels": ARBOR_LEVELS,
            "inputs": [{**self.input(op), "terminals": self.terminals(op)} for op in chip.inputs],
            "cores": [self.core(core) for core in chip.cores.values()],
            "outputs": [self.output(op) for op in chip.outputs],
        }

    def terminals(self, op: SenderOp) -> list[dict[str, Any]]:
        listed = terminals_of(op)
        self.rows += [terminal_bytes(one) for one in listed]
        return [{"projection": one.node.data, "terminals": one.size} for one in listed]

    def core(self, op: CoreOp) -> dict[str, Any]:
        return {"core": op.place.value.data, "neurons": [self.neurons(one) for one in op.groups]}

    def neurons(self, op: SomasOp) -> dict[str, Any]:
        return {
            **self.group(op),
            "index": self.array(op, "index", op.index.values),
            "row": self.array(op, "row", op.row.values),
            "column": self.array(op, "column", op.column.values),
            "arbors": self.array(op, "arbors", op.arbors.values),
            **{what: self.arrays(op, what) for what in SOMA_DICTIONARIES},
            "terminals": self.terminals(op),
        }

    def arrays(self, op: SomasOp, what: str) -> dict[str, Any]:
        return {name: self.array(op, f"{what}.{name}", values) for name, values in arrays_of(getattr(op, what)).items()}


def as_text(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1) + "\n"


def somas_text(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t neurogrid`). Errors: ASM002; PLN001 no device is specified; those of reading a device."""
    chip = neurogrid_chip(module)
    return as_text(TerminalsWriter().chip(chip, device_of(chip)))


def neurogrid_artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: ASM002."""
    chip, writer = neurogrid_chip(module), TerminalsWriter()
    record = writer.chip(chip, device)
    files = {
        NETWORK: as_text(record).encode(),
        TERMINALS: b"".join(writer.rows),
        **shared_files(module, chip, device),
        SCRIPT: BRIAN_SCRIPT.read_bytes(),
    }
    each = device.whole("features.terminal_bytes")
    events = sum(int(one.counts.sum()) for _, op in chip.senders() for one in terminals_of(op))
    return Artefact(files=files, memory={"terminals": None if each is None else each * events})

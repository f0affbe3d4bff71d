"""Writes a `loihi2.chip` for its loader: `network.json`, arrays, and a script that builds the same network with Lava.

| file | content |
| --- | --- |
| `network.json` | inputs, neuro-cores, compartments, synapses and outputs (`nopt.loihi2/1`) |
| `arrays/NNNN.npy` | arrays with more than 16 elements |
| `updates.mlir` | the updates of the compartments |
| `device.json` | the device |
| `sanafe/architecture.yaml`, `sanafe/network.yaml` | the chip and the network for SANA-FE (`sanafe.py`), unless it cannot read them |
| `lava_network.py` | reads these files and runs the network in Lava: `python lava_network.py IN.npz OUT.npz`; a note of `compile` states if it cannot |

An array is in `network.json`, `{"type": "i16", "shape": [2], "values": [2, -6]}`, or in a file, `{"type": "i16", "shape": [38, 12], "file": "arrays/0003.npy"}`.

Every decision was made before: the emitter chooses nothing. Source: the format is our own; the names of registers are those of Lava 0.10.0.
"""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import element_of
from ...core.arrays.files import dump
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.groups import arrays_of
from ...dialects.chip_base.json_form import ChipWriter, array_json, shared_files
from ...dialects.loihi2 import ChipOp, CompartmentsOp, LearningRuleAttr, NeuroCoreOp, SparseOp, SynapsesOp
from ...dialects.loihi2.cores import SHARED_BY
from ...dialects.loihi2.learning import CONSTANTS, EQUATIONS
from . import sanafe
from .model import chip_of

SCHEMA = "nopt.loihi2/1"
NETWORK, SCRIPT = "network.json", "lava_network.py"
LAVA_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
FIXED_FUNCTION = "loihi"
"""The only update that Lava has."""
INLINE = 16
"""The most elements of an array in `network.json`."""
INTEGERS = ("num_weight_bits", "weight_exp")
DICTIONARIES = ("registers", "initial")


class Writer(ChipWriter):
    """Writer of one chip; large arrays become files."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def array(self, op: Any, name: str, values: AnyArray) -> dict[str, Any]:
        if values.size <= INLINE:
            return array_json(values)
        file, content = f"arrays/{len(self.files):04}.npy", BytesIO()
        dump(content, np.ascontiguousarray(values))
        self.files[file] = content.getvalue()
        return {"type": str(element_of(values.dtype)), "shape": list(values.shape), "file": file}

    def chip(self, chip: ChipOp, device: Device) -> dict[str, Any]:
        return {
            "schema": SCHEMA,
            "network": chip.sym_name.data,
            "device": device.key,
            "tick_ns": chip.tick_ns.value.data,
            "inputs": [self.input(op) for op in chip.inputs],
            "cores": [self.core(core) for core in chip.cores.values()],
            "outputs": [self.output(op) for op in chip.outputs],
        }

    def core(self, op: NeuroCoreOp) -> dict[str, Any]:
        return {
            "core": op.place.value.data,
            "axons": op.axons.value.data,
            **{table: self.arrays(op, table, getattr(op, table)) for table in SHARED_BY},
            "compartments": [self.compartments(group) for group in op.groups],
        }

    def arrays(self, op: Any, what: str, given: Any) -> dict[str, Any]:
        return {name: self.array(op, f"{what}.{name}", values) for name, values in arrays_of(given).items()}

    def compartments(self, op: CompartmentsOp) -> dict[str, Any]:
        return {
            **self.group(op),
            "index": self.array(op, "index", op.index.values),
            **{which: self.array(op, which, getattr(op, which).values) for which in SHARED_BY.values()},
            **{what: self.arrays(op, what, getattr(op, what)) for what in DICTIONARIES},
            "synapses": [self.synapses(table) for table in op.tables],
            "outputs": self.axons(op),
        }

    def synapses(self, op: SynapsesOp) -> dict[str, Any]:
        arrays = ["axons", "weight", "delay", *(["axon", "compartment"] if isinstance(op, SparseOp) else [])]
        return {
            "projection": op.node.data,
            "layout": op.name.partition(".")[2],
            "format": op.format.data,
            **{name: getattr(op, name).value.data for name in INTEGERS},
            "sign_mode": op.sign.value,
            **{name: self.array(op, name, getattr(op, name).values) for name in arrays},
            "learning_rule": None if (rule := op.learning_rule) is None else rule_json(rule),
        }


def rule_json(rule: LearningRuleAttr) -> dict[str, Any]:
    """Returns a learning rule; equations that it lacks are null, and constants that it lacks 0."""
    equations, constants = rule.equations, rule.constants
    return {
        **{name: equations.get(name) for name in EQUATIONS},
        **{name: constants.get(name, 0.0) for name in CONSTANTS},
        "t_epoch": rule.t_epoch,
    }


def network_text(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t loihi2`). Errors: ASM002; PLN001 no device is specified; those of reading a device."""
    chip = chip_of(module)
    return network_json(Writer().chip(chip, device_of(chip)))


def network_json(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1) + "\n"


def artefact_of(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: ASM002."""
    chip, writer = chip_of(module), Writer()
    record = writer.chip(chip, device)
    used = [core.quantities(device) for core in chip.cores.values()]
    files = {
        NETWORK: network_json(record).encode(),
        **writer.files,
        **shared_files(module, chip, device),
        SCRIPT: LAVA_SCRIPT.read_bytes(),
    }
    more, reason = sanafe.files_of(chip, device)
    memory: dict[str, int | None] = {}
    for what in ("synapses", "neurons"):
        each = [one.get(f"{what[:-1]}_bytes") for one in used]
        memory[what] = None if None in each else sum(n for n in each if n is not None)
    return Artefact(files={**files, **more}, memory=memory, notes=tuple(filter(None, (lava_obstacle(chip), reason))))


def lava_obstacle(chip: ChipOp) -> str | None:
    """Returns why the script for Lava refuses a chip, as a sentence; None if it runs it."""
    for group in chip.groups:
        if group.update_name != FIXED_FUNCTION:
            return (
                f"{SCRIPT} does not run this network: Lava has no process with the update @{group.update_name} of "
                f'"{group.source.data}"'
            )
        for table in group.tables:
            if table.learning_rule is not None:
                return f'{SCRIPT} does not run this network: the weights of "{table.node.data}" learn'
    return None

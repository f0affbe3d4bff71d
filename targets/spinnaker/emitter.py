"""Writes a `spinnaker.chip`: `network.json`, the regions of each core, and a script that builds the same network with sPyNNaker.

| file | content |
| --- | --- |
| `network.json` | inputs, cores, neurons, tables of rows and outputs (`nopt.spinnaker/1`) |
| `cores/NNNNN/population_table.bin` | entries of the master population table, then the list of addresses, as sPyNNaker's structures |
| `cores/NNNNN/synapses.bin` | the rows of the core, each table at a multiple of 16 bytes |
| `tables.json` | the table of each router, and the keys: for each sender the mask, its neurons and the cores that its keys reach |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `spynnaker_network.py` | reads these files and builds the network with sPyNNaker: `python spynnaker_network.py OUT.json` |

Words have 32 bits and are stored with the least byte first. Every decision was made before: the emitter chooses nothing.

Source: sPyNNaker 7.4.1, models/neuron/master_pop_table.py and synapse_io.py for the regions; the JSON format is our own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.groups import arrays_of
from ...dialects.chip_base.json_form import ChipWriter, shared_files
from ...dialects.spinnaker import ChipOp, CoreOp, NeuronsOp, StdpAttr
from ...dialects.spinnaker.cores import KeyedOp
from .budgets import budgets, lines
from .model import Model

SPINNAKER_SCHEMA = "nopt.spinnaker/1"
NETWORK, TABLES, SCRIPT = "network.json", "tables.json", "spynnaker_network.py"
PYNN_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
DICTIONARIES = ("params", "initial")
ALIGNMENT = 16
"""Bytes of which the address of a table is a multiple. Source: master_pop_table.py, _ADDRESS_SCALE."""
ROW_WORD = np.dtype("<u4")
LENGTH_BITS = 8
"""Bits of the length of a row, less 1, in the list of addresses. Source: master_pop_table.py, _AddressListEntryCType."""
COUNT_SHIFT = 16
"""Bits of an entry below the number of its tables. Source: master_pop_table.py, _MasterPopEntryCType."""


def region_path(place: int, name: str) -> str:
    return f"cores/{place:05}/{name}.bin"


def padded(words: AnyArray) -> AnyArray:
    """Returns words in a multiple of the alignment."""
    missing = -words.size % (ALIGNMENT // ROW_WORD.itemsize)
    return np.concatenate([words.reshape(-1), np.zeros(missing, words.dtype)])


def addresses(core: CoreOp) -> list[int]:
    """Returns the address of each table of a core. Units: result [16 bytes]."""
    found, at = list[int](), 0
    for rows in core.groups[0].rows:
        found.append(at)
        at += -(-rows.words.data.size * ROW_WORD.itemsize // ALIGNMENT)
    return found


def population_table(core: CoreOp) -> bytes:
    """Returns the master population table: entries by key, each with the addresses of its tables."""
    tables: dict[tuple[int, int], list[int]] = {}
    for rows, address in zip(core.groups[0].rows, addresses(core), strict=True):
        entry = address << LENGTH_BITS | max(rows.length - 1, 0)
        tables.setdefault((rows.key.value.data, rows.mask.value.data), []).append(entry)
    size = {(one.key.value.data, one.mask.value.data): one.size for one in core.groups[0].rows}
    entries, listed = list[int](), list[int]()
    for (key, mask), some in sorted(tables.items()):
        neurons = size[key, mask]
        entries += [key, mask, len(listed) | len(some) << COUNT_SHIFT, 0, neurons | -(-neurons // 32) << COUNT_SHIFT]
        listed += some
    return np.array([len(tables), len(listed), *entries, *listed], ROW_WORD).tobytes()


def synapse_region(core: CoreOp) -> bytes:
    """Returns the rows of a core."""
    return b"".join(
        padded(rows.words.values.view(np.uint32)).astype(ROW_WORD).tobytes() for rows in core.groups[0].rows
    )


class Writer(ChipWriter):
    """Writer of one chip; the rows of a core are in a file of their own."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def chip(self, chip: ChipOp, device: Device) -> dict[str, Any]:
        return {
            "schema": SPINNAKER_SCHEMA,
            "network": chip.sym_name.data,
            "device": device.key,
            "tick_ns": chip.tick_ns.value.data,
            "inputs": [{**self.input(op), **self.keys(op)} for op in chip.inputs],
            "cores": [self.core(core) for core in chip.cores.values()],
            "outputs": [self.output(op) for op in chip.outputs],
        }

    def keys(self, op: KeyedOp) -> dict[str, Any]:
        return {"key": op.key.value.data, "mask": op.mask.value.data, "cores": self.array(op, "cores", op.cores.values)}

    def core(self, op: CoreOp) -> dict[str, Any]:
        place = op.place.value.data
        self.files[region_path(place, "population_table")] = population_table(op)
        self.files[region_path(place, "synapses")] = synapse_region(op)
        return {"core": place, "axons": op.axons.value.data, "neurons": [self.neurons(one, op) for one in op.groups]}

    def region_bytes(self, place: int) -> tuple[int, int]:
        """Returns the bytes of the population table and of the rows of a core."""
        table, rows = (len(self.files[region_path(place, name)]) for name in ("population_table", "synapses"))
        return table, rows

    def neurons(self, op: NeuronsOp, core: CoreOp) -> dict[str, Any]:
        return {
            **self.group(op),
            **self.keys(op),
            "index": self.array(op, "index", op.index.values),
            "index_bits": op.index_bits.value.data,
            "delay_bits": op.delay_bits.value.data,
            **{what: self.arrays(op, what) for what in DICTIONARIES},
            "rows": [
                {
                    "projection": rows.node.data,
                    "key": rows.key.value.data,
                    "mask": rows.mask.value.data,
                    "rows": rows.size,
                    "synapses": rows.length,
                    "address": address,
                    "learning_rule": None if rows.plasticity is None else rule_json(rows.plasticity),
                }
                for rows, address in zip(op.rows, addresses(core), strict=True)
            ],
        }

    def arrays(self, op: NeuronsOp, what: str) -> dict[str, Any]:
        return {name: self.array(op, f"{what}.{name}", values) for name, values in arrays_of(getattr(op, what)).items()}


def rule_json(rule: StdpAttr) -> dict[str, Any]:
    """Returns a learning rule. All delays are dendritic."""
    return {
        "timing": rule.timing.data,
        "weights": rule.weights.data,
        **rule.values,
        "dendritic_delay_fraction": 1.0,
    }


def tables_json(chip: ChipOp) -> dict[str, Any]:
    """Returns the tables of all routers, in the order of priority, and the keys of all senders."""
    return {
        "routers": [
            {
                "chip": place,
                "key": router.key.values.tolist(),
                "mask": router.mask.values.tolist(),
                "route": router.route.values.tolist(),
            }
            for place, router in chip.routers.items()
        ],
        "senders": [
            {
                "name": op.node.data,
                "key": op.key.value.data,
                "mask": op.mask.value.data,
                "neurons": op.size,
                "cores": op.cores.values.tolist(),
            }
            for op in chip.keyed
        ],
    }


def as_text(record: dict[str, Any]) -> str:
    return json.dumps(record, indent=1) + "\n"


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t spinnaker`). Errors: CHI018; DEV023 no device is specified; those of reading a device."""
    chip = Model.chip_of(module)
    return as_text(Writer().chip(chip, device_of(chip)))


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip, writer = Model.chip_of(module), Writer()
    record = writer.chip(chip, device)
    files = {
        NETWORK: as_text(record).encode(),
        TABLES: as_text(tables_json(chip)).encode(),
        **writer.files,
        **shared_files(module, chip, device),
        SCRIPT: PYNN_SCRIPT.read_bytes(),
    }
    neurons = [core.quantities(device).get("neuron_bytes") for core in chip.cores.values()]
    memory = {
        "synapses": sum(len(one) for name, one in writer.files.items() if name.endswith("synapses.bin")),
        "neurons": None if None in neurons else sum(n for n in neurons if n is not None),
    }
    found = budgets(chip, device, {place: writer.region_bytes(place) for place in chip.cores})
    return Artefact(files=files, memory=memory, notes=tuple(lines(found)), facts={"budgets": found})

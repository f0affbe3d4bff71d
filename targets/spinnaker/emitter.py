"""Writes a `spinnaker.chip`: `network.json`, the regions of each core, and a script that builds the same network with sPyNNaker.

| file | content |
| --- | --- |
| `network.json`, `arrays/NNNN.npy` | the `spinnaker.chip` in the form of `dialects/chip_base/codec.py` (`nopt.spinnaker/2`) |
| `cores/NNNNN/population_table.bin` | entries of the master population table, then the list of addresses, as sPyNNaker's structures |
| `cores/NNNNN/synapses.bin` | the rows of the core, each table at a multiple of 16 bytes |
| `tables.json` | the table of each router, and the keys: for each sender the mask, its neurons and the cores that its keys reach |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `spynnaker_network.py` | reads these files, builds the network with sPyNNaker, runs and records it: `python spynnaker_network.py IN.npz OUT.npz` |

The words of rows are not in `network.json`: `{"type": "i32", "shape": [3, 5], "core": 0, "address": 1}` are those of the region `synapses` of core 0, from
16 bytes on. Words have 32 bits and are stored with the least byte first. Every decision was made before: the emitter chooses nothing.

Source: sPyNNaker 7.4.1, models/neuron/master_pop_table.py and synapse_io.py for the regions; the JSON format is our own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.chip_base.codec import OpWriter, chip_files
from ...dialects.spinnaker import ChipOp, CoreOp, RowsOp
from ...simulation.host.script_files import script_bytes
from .budgets import budgets, lines
from .model import Model

TABLES, SCRIPT = "tables.json", "spynnaker_network.py"
PYNN_SCRIPT = Path(__file__).parent / f"{SCRIPT}.in"
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


class RegionWriter(OpWriter):
    """Writer of a chip. The words of rows are stored in the regions of their cores."""

    def __init__(self, chip: ChipOp):
        super().__init__()
        self.places = {
            id(rows): {"core": place, "address": address}
            for place, core in chip.cores.items()
            for rows, address in zip(core.groups[0].rows, addresses(core), strict=True)
        }

    def array(self, op: IRDLOperation, path: str, array: ArrayAttr) -> dict[str, Any]:
        """Returns the place of words in a region, else the array."""
        if not isinstance(op, RowsOp):
            return super().array(op, path, array)
        return {"type": str(array.element), "shape": list(array.shape), **self.places[id(op)]}


def region_files(chip: ChipOp) -> dict[str, bytes]:
    """Returns the files of the machine: the regions of all cores, and the tables of all routers."""
    files = {TABLES: (json.dumps(tables_json(chip), indent=1) + "\n").encode()}
    for place, core in chip.cores.items():
        files[region_path(place, "population_table")] = population_table(core)
        files[region_path(place, "synapses")] = synapse_region(core)
    return files


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


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `network.json` of a module (`-t spinnaker`). Errors: CHI018."""
    chip = Model.chip_of(module)
    return RegionWriter(chip).text(chip)


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip = Model.chip_of(module)
    regions = region_files(chip)
    files = {**chip_files(module, chip, device, RegionWriter(chip)), **regions, SCRIPT: script_bytes(PYNN_SCRIPT)}
    rows = sum(len(content) for name, content in regions.items() if name.endswith("synapses.bin"))
    memory = {"synapses": rows, **chip.memory(device, neurons="neuron_bytes")}
    sizes = {
        place: tuple(len(regions[region_path(place, name)]) for name in ("population_table", "synapses"))
        for place in chip.cores
    }
    found = budgets(chip, device, sizes)
    return Artefact(files=files, memory=memory, notes=tuple(lines(found)), facts={"budgets": found})

"""Writes a `tally.chip` for its loader.

| file | content |
| --- | --- |
| `chip.json` | inputs, cores, tables and outputs |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |

The emitter prints, and decides nothing: `loader.py` reads the same chip back.
"""

from __future__ import annotations

import json
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.device import Device
from nopt.core.device.device_attr import record_of
from nopt.core.diagnostics import Code, Diagnostics, refuse
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.core.target import Artefact
from nopt.dialects.ntensor import UpdateOp

from .dialects.tally import ChipOp, InputOp, OutputOp

TLY003 = Code("TLY003", "tally-network-missing", "the module contains no network of the chip")

CHIP, UPDATES, DEVICE = "chip.json", "updates.mlir", "device.json"
SYNAPSE_BYTES, BIAS_BYTES = 4, 2


def chip_of(module: ModuleOp) -> ChipOp:
    """Returns the one chip of a module. Errors: TLY003."""
    chips = [op for op in module.ops if isinstance(op, ChipOp)]
    if len(chips) != 1:
        help = "nopt compile FILE --target tally -o DIR"
        refuse(TLY003, "the module has no tally.chip, or several", expected="one", found=str(len(chips)), help=help)
    return chips[0]


def arrays(held: DictionaryAttr) -> dict[str, Any]:
    """Returns parameters or states with their types; a single number serves all neurons."""
    found = {name: cast("ArrayAttr", array).values for name, array in held.data.items()}
    return {name: {"type": str(array.dtype), "values": array.tolist()} for name, array in found.items()}


def record(chip: ChipOp) -> dict[str, Any]:
    cores = [
        {
            "core": op.place.value.data,
            "name": op.node.data,
            "population": op.population.data,
            "size": op.size.value.data,
            "update": op.update.root_reference.data,
            "neurons": op.neurons.values.tolist(),
            "bias": op.bias.values.tolist(),
            "params": arrays(op.params),
            "initial": arrays(op.initial),
        }
        for op in chip.cores
    ]
    tables = [
        {
            "from": op.sender.data,
            "to": op.core.data,
            "ticks": op.ticks.value.data,
            "synapses": [
                list(map(int, row)) for row in zip(op.source.values, op.target.values, op.weight.values, strict=True)
            ],
        }
        for op in chip.tables
    ]
    ops = list(chip.body.block.ops)
    return {
        "network": chip.sym_name.data,
        "tick_ns": chip.tick_ns.value.data,
        "inputs": [{"name": op.node.data, "type": str(op.type)} for op in ops if isinstance(op, InputOp)],
        "cores": cores,
        "tables": tables,
        "outputs": [
            {"name": op.node.data, "population": op.population.data, "ticks": op.ticks.value.data}
            for op in ops
            if isinstance(op, OutputOp)
        ],
    }


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns the JSON of a module. Errors: TLY003."""
    return json.dumps(record(chip_of(module)), indent=1) + "\n"


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: TLY003."""
    chip = chip_of(module)
    updates = ModuleOp([op.clone() for op in module.ops if isinstance(op, UpdateOp)])
    files = {
        CHIP: emit(module, diagnostics).encode(),
        UPDATES: source.format_module(NoptContext(), updates).encode(),
        DEVICE: f"{record_of(device).text}\n".encode(),
    }
    memory = {
        "synapses": sum(op.weight.data.size for op in chip.tables) * SYNAPSE_BYTES,
        "biases": sum(op.bias.data.size for op in chip.cores) * BIAS_BYTES,
    }
    return Artefact(files=files, memory=memory)

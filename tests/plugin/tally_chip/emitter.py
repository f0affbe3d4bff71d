"""Writes a `tally.chip` as the JSON that its loader would take."""

from __future__ import annotations

import json
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.device import Device
from nopt.core.diagnostics import Code, Diagnostics, refuse
from nopt.core.target import Artefact

from .dialects.tally import ChipOp, CoreOp, OutputOp, TableOp

TLY003 = Code("TLY003", "the module contains no network of the chip")
SYNAPSE_BYTES = 4


def chip_of(module: ModuleOp) -> ChipOp:
    """Returns the one chip of a module. Errors: TLY003."""
    chips = [op for op in module.ops if isinstance(op, ChipOp)]
    if len(chips) != 1:
        help = "nopt compile FILE --target tally -o DIR"
        refuse(TLY003, "the module has no tally.chip, or several", expected="one", found=str(len(chips)), help=help)
    return chips[0]


def values(held: DictionaryAttr) -> dict[str, Any]:
    return {name: cast("ArrayAttr", array).values.tolist() for name, array in held.data.items()}


def record(chip: ChipOp) -> dict[str, Any]:
    ops = list(chip.body.block.ops)
    cores = [
        {
            "core": op.place.value.data,
            "name": op.node.data,
            "population": op.population.data,
            "neurons": op.neurons.values.tolist(),
            "params": values(op.params),
            "initial": values(op.initial),
        }
        for op in ops
        if isinstance(op, CoreOp)
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
        for op in ops
        if isinstance(op, TableOp)
    ]
    outputs = {op.node.data: op.population.data for op in ops if isinstance(op, OutputOp)}
    return {"tick_ns": chip.tick_ns.value.data, "cores": cores, "tables": tables, "outputs": outputs}


def text_of(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns the JSON of a module. Errors: TLY003."""
    return json.dumps(record(chip_of(module)), indent=1) + "\n"


def artefact_of(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: TLY003."""
    chip = chip_of(module)
    synapses = sum(op.weight.data.size for op in chip.body.block.ops if isinstance(op, TableOp))
    return Artefact(
        files={"chip.json": text_of(module, diagnostics).encode()}, memory={"synapses": synapses * SYNAPSE_BYTES}
    )

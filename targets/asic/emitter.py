"""Writes an `asic.chip` for its loader: `chip.json`, and the memory images of each core as hexadecimal text.

| file | content |
| --- | --- |
| `chip.json` | cores, groups of neurons, tables, routes, and the fields of the words of each image (`nopt.asic/1`) |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `core-N/IMAGE.hex` | the images of `images.py`, a word on each line |

An array is either in `chip.json`, `{"type": "i8", "shape": [2], "values": [1, -3]}`, or a field of an image,
`{"type": "i8", "shape": [2], "image": "dense", "field": "weight", "first": 128, "base": 0}`: the words from `first` on, minus `base`.

Every decision was made before: the emitter chooses nothing. Source: the format is our own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.ir import Attribute, Operation

from ...core.arrays.arrays import ArrayAttr, element_of
from ...core.arrays.numeric import AnyArray
from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.device.words import hex_lines
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.asic import (
    LAYOUTS,
    ChipOp,
    CoreOp,
    KernelOp,
    NeuronsOp,
    RouteOp,
    SparseOp,
    TableOp,
    WindowAttr,
)
from ...dialects.chip_base.json_form import ChipWriter, array_json, shared_files
from ...dialects.ntensor import UpdateOp
from .images import CoreImages, Image, images_of
from .model import chip_of

SCHEMA = "nopt.asic/1"
CHIP = "chip.json"
OPTIONAL = ("bias", "first", "exponent", "scale")
"""Arrays that a table may have."""
WINDOW_ARRAYS = ("size", "kernel", "stride", "padding", "dilation")


def optional_json(array: Attribute | None) -> dict[str, Any] | None:
    return array_json(array.values) if isinstance(array, ArrayAttr) else None


class CoreWriter(ChipWriter):
    """Writer of one core."""

    def __init__(self, core: CoreOp, images: CoreImages, device: Device):
        self.core, self.images = core, images
        self.has_signs = device.synapse is not None and bool(device.synapse.sign_modes)

    def array(self, op: Operation, name: str, values: AnyArray) -> dict[str, Any]:
        """Returns the place of an array in an image, else the array."""
        held = self.images.held.get((id(op), name))
        if held is None:
            return array_json(values)
        head = {"type": str(element_of(values.dtype)), "shape": list(values.shape)}
        return {**head, "image": held.image, "field": held.field, "first": held.first, "base": held.base}

    def record(self) -> dict[str, Any]:
        place = self.core.place.value.data
        return {
            "core": place,
            "axons": self.core.axons.value.data,
            "images": {name: image_json(f"core-{place}/{name}.hex", one) for name, one in self.images.images.items()},
            "groups": [
                self.numbered(group, first) for group, first in zip(self.core.groups, self.images.firsts, strict=True)
            ],
        }

    def numbered(self, op: NeuronsOp, first: int) -> dict[str, Any]:
        return {
            **super().group(op),
            "first": first,
            "index": array_json(op.index.values),
            **{
                part: {
                    name: self.array(op, f"{part}.{name}", cast("ArrayAttr", array).values)
                    for name, array in cast("DictionaryAttr", op.properties[part]).data.items()
                }
                for part in ("params", "initial")
            },
            "tables": [self.table(table) for table in op.tables],
            "outputs": self.axons(op),
        }

    def table(self, op: TableOp) -> dict[str, Any]:
        found: dict[str, Any] = {
            "projection": op.node.data,
            "layout": LAYOUTS[type(op)],
            "format": None if op.format is None else op.format.data,
            "port": op.port.value.data,
            **{
                name: self.array(op, name, cast("ArrayAttr", op.properties[name]).values)
                for name in ("axons", "weight", "delay")
            },
            **{name: optional_json(op.properties.get(name)) for name in OPTIONAL},
            "sums": None if op.sums is None else str(op.sums),
            "weights": None if op.weights is None else str(op.weights),
            "divisor": None if op.divisor is None else op.divisor.value.data,
        }
        if op.shared_exponent:
            found["weight_exponent"] = op.shared_exponent
        if self.has_signs:
            found["sign"] = op.sign
        if op.plasticity is not None:
            found["plasticity"] = {"rule": "stdp", **op.plasticity.values}
        if isinstance(op, SparseOp):
            found["neuron"] = self.array(op, "neuron", op.neuron.values)
            found["axon"] = None if (id(op), "counts") in self.images.held else array_json(op.axon.values)
            if found["axon"] is None:
                found["counts"] = self.array(op, "counts", op.axons.values)
        if isinstance(op, KernelOp):
            found["sources"] = self.array(op, "sources", op.sources.values)
            found["windows"] = [window_json(window) for window in op.windows]
        return found


def image_json(file: str, image: Image) -> dict[str, Any]:
    fields = [{"name": one.name, "bits": one.bits, "is_signed": one.is_signed} for one in image.word.fields]
    return {"file": file, "bits": image.word.bits, "words": image.words, "fields": fields}


def window_json(window: WindowAttr) -> dict[str, Any]:
    return {
        **{name: cast("ArrayAttr", getattr(window, name)).values.tolist() for name in WINDOW_ARRAYS},
        "channels": window.channels.value.data,
        "groups": window.groups.value.data,
        "is_pool": bool(window.is_pool.value.data),
    }


def route_json(op: RouteOp) -> dict[str, Any]:
    return {"from": op.node.data, "links": op.links.values.tolist(), "neurons": optional_json(op.neurons)}


def chip_images(module: ModuleOp, chip: ChipOp, device: Device) -> dict[int, CoreImages]:
    """Returns the images of each core."""
    updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
    return {place: images_of(core, updates, device) for place, core in chip.cores.items()}


def chip_json(chip: ChipOp, device: Device, images: Mapping[int, CoreImages]) -> str:
    """Returns the text of `chip.json`."""
    record = {
        "schema": SCHEMA,
        "network": chip.sym_name.data,
        "device": device.key,
        "tick_ns": chip.tick_ns.value.data,
        "inputs": [ChipWriter().input(op) for op in chip.inputs],
        "cores": [CoreWriter(core, images[place], device).record() for place, core in chip.cores.items()],
        "routes": [route_json(op) for op in chip.routes],
        "outputs": [ChipWriter().output(op) for op in chip.outputs],
    }
    return json.dumps(record, indent=1) + "\n"


def text_of(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `chip.json` of a module (`-t asic`). Errors: ASM002; PLN001 no device is specified; those of reading a device."""
    chip = chip_of(module)
    device = device_of(chip)
    return chip_json(chip, device, chip_images(module, chip, device))


def artefact_of(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: ASM002."""
    chip = chip_of(module)
    images = chip_images(module, chip, device)
    files = {CHIP: chip_json(chip, device, images).encode(), **shared_files(module, chip, device)}
    memory: dict[str, int | None] = {}
    for place, one in images.items():
        for name, image in one.images.items():
            files[f"core-{place}/{name}.hex"] = hex_lines(image.word.pack(image.arrays), image.word.bits).encode()
            kind = name.partition("-")[0]
            memory[kind] = (memory.get(kind) or 0) + -(-image.words * image.word.bits // 8)
    return Artefact(files=files, memory=memory)

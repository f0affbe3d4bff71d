"""Writes an `asic.chip` for its loader: `chip.json`, and the memory images of each core as hexadecimal text.

| file | content |
| --- | --- |
| `chip.json` | the `asic.chip` in the form of `dialects/chip_base/codec.py`, and the fields of the words of each image (`nopt.asic/2`) |
| `arrays/NNNN.npy` | arrays with more than 16 elements that are in no image |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |
| `core-N/IMAGE.hex` | the images of `images.py`, a word on each line |

An array can be a field of an image, `{"type": "i8", "shape": [2], "image": "core-0/dense.hex", "field": "weight", "first": 128, "base": 0}`: the
words from `first` on, minus `base`. With `"runs": 3` these are 3 words, and each is the number of elements that are its place: `[2, 0, 1]` is 0, 0, 2.

Every decision was made before: the emitter chooses nothing. Source: the format is our own.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation

from ...core.arrays.arrays import ArrayAttr
from ...core.device.device import Device
from ...core.device.named_device import device_of
from ...core.device.register_fields import hex_lines
from ...core.diagnostics import Diagnostics
from ...core.target import Artefact
from ...dialects.asic import ChipOp, SparseOp
from ...dialects.chip_base.codec import OpWriter
from ...dialects.chip_base.json_form import shared_files
from ...dialects.ntensor import UpdateOp
from .images import CoreImages, Image, images_of
from .model import Model

CHIP = "chip.json"


class ImageWriter(OpWriter):
    """Writer of a chip. An array that has a place in an image is stored there, any other array in its own file."""

    def __init__(self, images: dict[int, CoreImages]):
        super().__init__()
        self.images = images
        self.places = {key: (place, held) for place, one in images.items() for key, held in one.held.items()}

    def chip(self, chip: ChipOp) -> str:
        """Returns the text of `chip.json`."""
        listed = {
            image_path(place, name): image_json(image)
            for place, one in self.images.items()
            for name, image in one.images.items()
        }
        return self.text(chip, images=listed)

    def array(self, op: IRDLOperation, path: str, array: ArrayAttr) -> dict[str, Any]:
        """Returns the place of an array in an image, else the array."""
        is_counted = isinstance(op, SparseOp) and path == "axon"
        if (id(op), "counts" if is_counted else path) not in self.places:
            return super().array(op, path, array)
        place, held = self.places[id(op), "counts" if is_counted else path]
        head = {"type": str(array.element), "shape": list(array.shape), "image": image_path(place, held.image)}
        runs = {"runs": op.axons.data.size} if isinstance(op, SparseOp) and is_counted else {}
        return {**head, "field": held.field, "first": held.first, "base": held.base, **runs}


def image_path(place: int, name: str) -> str:
    return f"core-{place}/{name}.hex"


def image_json(image: Image) -> dict[str, Any]:
    fields = [{"name": one.name, "bits": one.bits, "is_signed": one.is_signed} for one in image.word.fields]
    return {"bits": image.word.bits, "words": image.words, "fields": fields}


def chip_images(module: ModuleOp, chip: ChipOp, device: Device) -> dict[int, CoreImages]:
    """Returns the images of each core."""
    updates = {op.sym_name.data: op for op in module.ops if isinstance(op, UpdateOp)}
    return {place: images_of(core, updates, device) for place, core in chip.cores.items()}


def emit(module: ModuleOp, diagnostics: Diagnostics) -> str:
    """Returns `chip.json` of a module (`-t asic`). Errors: CHI018; DEV023 no device is specified; those of reading a device."""
    chip = Model.chip_of(module)
    return ImageWriter(chip_images(module, chip, device_of(chip))).chip(chip)


def artefact(module: ModuleOp, device: Device, diagnostics: Diagnostics) -> Artefact:
    """Returns the files for the loader. Errors: CHI018."""
    chip = Model.chip_of(module)
    images = chip_images(module, chip, device)
    writer = ImageWriter(images)
    files = {CHIP: writer.chip(chip).encode(), **writer.files, **shared_files(module, chip, device)}
    memory: dict[str, int | None] = {}
    for place, one in images.items():
        for name, image in one.images.items():
            files[image_path(place, name)] = hex_lines(image.word.pack(image.arrays), image.word.bits).encode()
            kind = name.partition("-")[0]
            memory[kind] = (memory.get(kind) or 0) + -(-image.words * image.word.bits // 8)
    return Artefact(files=files, memory=memory)

"""Reads the files of `emitter.py` back into an `asic.chip`. No path in a file is followed: an image is found by its name.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `asic.chip`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.arrays import ArrayAttr
from ...core.device.register_fields import Field, Word
from ...core.diagnostics import Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...dialects.asic import ChipOp
from ...dialects.chip_base.codec import OpReader, schema_of
from ...dialects.chip_base.json_form import CHI023, MAX_ARRAY_ELEMENTS
from .emitter import CHIP

IMAGE = re.compile(r"core-\d{1,9}/[A-Za-z_][A-Za-z0-9_-]*\.hex")


@frozen(eq=False)
class Image:
    """The words of an image."""

    word: Word
    words: list[int]


class ImageReader(OpReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics)
        self.head_node = self.head(CHIP, schema_of(ChipOp))
        self.images = {name: self.image(name, node) for name, node in self.head_node["images"].members()}

    def image(self, file: str, node: JsonNode) -> Image:
        """Reads an image. Errors: CHI023."""
        if not IMAGE.fullmatch(file):
            node.refuse("core-N/NAME.hex", file)
        fields = [
            Field(one["name"].text(), one["bits"].integer(1, 64), one["is_signed"].flag())
            for one in node["fields"].items()
        ]
        if not fields:
            node["fields"].refuse("at least one field")
        word = Word(tuple(fields))
        lines, digits = self.text(file).split("\n"), -(-word.bits // 4)
        lines = lines[:-1] if lines[-1] == "" else lines
        if len(lines) != node["words"].integer(0, MAX_ARRAY_ELEMENTS):
            node["words"].refuse(f"{len(lines)}, the lines of {file}")
        pattern = re.compile(f"[0-9a-f]{{{digits}}}")
        for number, line in enumerate(lines, 1):
            if not pattern.fullmatch(line) or int(line, 16) >> word.bits:
                expected = f"{word.bits} bits in {digits} hexadecimal digits"
                found = line if len(line) <= 40 else f"{line[:37]}…"
                message, at = f"line {number} of {file} is invalid", f"line {number}"
                refuse(CHI023, message, file=file, at=at, expected=expected, found=found, help=HELP)
        return Image(word, [int(line, 16) for line in lines])

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array from an image, or that of another file. Errors: CHI023."""
        if node.optional("image") is None:
            return super().array(node)
        dtype, shape, file, runs = self.dtype(node), self.shape(node), node["image"].text(), node.optional("runs")
        first, size = (
            node["first"].integer(0, MAX_ARRAY_ELEMENTS),
            prod(shape) if runs is None else runs.integer(0, MAX_ARRAY_ELEMENTS),
        )
        if file not in self.images:
            node["image"].refuse(f"an image: {', '.join(self.images) or 'none'}")
        image, field = self.images[file], node["field"].text()
        if field not in {one.name for one in image.word.fields}:
            node["field"].refuse(f"a field of {file}: {', '.join(one.name for one in image.word.fields)}")
        if first + size > len(image.words):
            node["first"].refuse(f"{size} words within the {len(image.words)} of {file}")
        kind = dtype if runs is None else np.dtype(np.int64)
        values = image.word.unpack(image.words[first : first + size], field, kind)
        if runs is not None:
            if values.min(initial=0) < 0 or float(values.sum(dtype=np.float64)) != prod(shape) or len(shape) != 1:
                runs.refuse(f"words that add up to the shape {list(shape)}", "another sum")
            values = np.repeat(np.arange(size), values)
        return self.typed(node, (values - node["base"].integer(0, MAX_ARRAY_ELEMENTS)).astype(dtype).reshape(shape))


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `asic.chip`."""
    reader = ImageReader(files, diagnostics)
    return reader.read_from(reader.head_node, ChipOp)

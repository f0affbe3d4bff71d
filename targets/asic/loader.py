"""Reads the files of `emitter.py` back into an `asic.chip`. No path in a file is followed: an image is found by its core and its name.

Errors: ASF001 a file that is missing or has another content than the emitter writes; those of the verifier of `asic.chip`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import NoReturn, cast

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import (
    DictionaryAttr,
    Float32Type,
    Float64Type,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    i64,
)
from xdsl.ir import Attribute, Block, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.words import Field, Word
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...dialects import asic
from ...dialects.chip_base.json_form import MOST, ChipReader, read_number
from ...dialects.nir import StdpAttr
from .emitter import CHIP, OPTIONAL, SCHEMA, WINDOW_ARRAYS

ASF001 = Code("ASF001", "an artefact cannot be read")

LAYOUTS = {layout: kind for kind, layout in asic.LAYOUTS.items()}
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@frozen(eq=False)
class Image:
    """The words of an image."""

    word: Word
    words: list[int]


class Loader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics, ASF001)
        self.images: Mapping[str, Image] = {}
        """The images of the core that is being read."""

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: ASF001."""
        chip = self.head(CHIP, SCHEMA)
        properties = self.chip(chip)
        block = Block([self.input(node, asic.HostInputOp, asic.OutputAxonsOp) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        self.images = {}
        block.add_ops(self.route(node) for node in chip["routes"].items())
        block.add_ops(self.output(node, asic.HostOutputOp) for node in chip["outputs"].items())
        return self.module(asic.ChipOp(properties=properties, regions=[Region(block)]))

    # ---- ops

    def core(self, node: JsonNode) -> asic.CoreOp:
        place = node["core"].whole()
        self.images = {name: self.image(place, name, one) for name, one in node["images"].members()}
        numbers = {"place": place, "axons": node["axons"].whole(0, MOST)}
        groups = [self.neurons(group) for group in node["groups"].items()]
        properties = {name: IntegerAttr(n, i64) for name, n in numbers.items()}
        return asic.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def image(self, place: int, name: str, node: JsonNode) -> Image:
        """Reads an image. Errors: ASF001."""
        if not NAME.fullmatch(name):
            node.refuse("a name of letters, digits, dashes and underscores", name)
        fields = [
            Field(one["name"].text(), one["bits"].whole(1, 64), one["is_signed"].flag())
            for one in node["fields"].items()
        ]
        if not fields:
            node["fields"].refuse("at least one field")
        word, file = Word(tuple(fields)), f"core-{place}/{name}.hex"
        lines, digits = self.text(file).split("\n"), -(-word.bits // 4)
        lines = lines[:-1] if lines[-1] == "" else lines
        if len(lines) != node["words"].whole(0, MOST):
            node["words"].refuse(f"{len(lines)}, the lines of {file}")
        pattern = re.compile(f"[0-9a-f]{{{digits}}}")
        wrong = next(
            (k for k, line in enumerate(lines) if not pattern.fullmatch(line) or int(line, 16) >> word.bits), None
        )
        if wrong is not None:
            refuse_line(file, wrong, f"{word.bits} bits in {digits} hexadecimal digits", lines[wrong])
        return Image(word, [int(line, 16) for line in lines])

    def neurons(self, node: JsonNode) -> asic.NeuronsOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            **{
                part: DictionaryAttr({name: self.array(one) for name, one in node[part].members()})
                for part in ("params", "initial")
            },
        }
        tables = [self.table(table) for table in node["tables"].items()]
        body = Block([*tables, *self.axons(node, asic.OutputAxonsOp)])
        return asic.NeuronsOp(properties=properties, regions=[Region(body)])

    def table(self, node: JsonNode) -> asic.TableOp:
        layout = node["layout"].text()
        if layout not in LAYOUTS:
            node["layout"].refuse(f"one of {', '.join(LAYOUTS)}")
        format, divisor = node.optional("format"), node.optional("divisor")
        found: dict[str, Attribute | None] = {
            "node": StringAttr(node["projection"].text()),
            "format": None if format is None else StringAttr(format.text()),
            "port": IntegerAttr(node["port"].whole(0, MOST), i64),
            "divisor": None if divisor is None else IntegerAttr(divisor.whole(1), i64),
            **{name: self.array(node[name]) for name in ("axons", "weight", "delay")},
            **{name: self.array(one) for name in OPTIONAL if (one := node.optional(name)) is not None},
            **{
                name: self.type(one, Float32Type, Float64Type)
                for name in ("sums", "weights")
                if (one := node.optional(name)) is not None
            },
        }
        if (rule := node.optional("plasticity")) is not None:
            found["plasticity"] = self.rule(rule)
        if (exponent := node.optional("weight_exponent")) is not None:
            found["weight_exponent"] = IntegerAttr(exponent.whole(-63, 63), i64)
        kind = LAYOUTS[layout]
        if kind is asic.SparseOp:
            found["neuron"] = self.array(node["neuron"])
            if (axon := node.optional("axon")) is not None:
                found["axon"] = self.array(axon)
            else:
                counts = self.array(node["counts"]).values.astype(np.int64)
                if counts.sum() > MOST:
                    node["counts"].refuse(f"at most {MOST} entries", str(counts.sum()))
                found["axon"] = ArrayAttr.of(np.repeat(np.arange(len(counts), dtype=np.int32), counts))
        if kind is asic.KernelOp:
            found["sources"] = self.array(node["sources"])
            found["windows"] = ListAttr([self.window(one) for one in node["windows"].items()])
        made = kind.of(found)
        if (sign := node.optional("sign")) is not None and sign.text() != made.sign:
            sign.refuse(f'"{made.sign}", the sign of the weights')
        return made

    def rule(self, node: JsonNode) -> StdpAttr:
        """Returns the learning rule of a table. Errors: ASF001."""
        if node["rule"].text() != "stdp":
            node["rule"].refuse('"stdp"')
        return StdpAttr.of(*(read_number(node[name], np.dtype("f8")) for name in StdpAttr.of(0, 0, 1, 1, 0, 1).values))

    def window(self, node: JsonNode) -> asic.WindowAttr:
        shapes = {"size": (3,), "padding": (2, 2)}
        arrays = {name: ArrayAttr.of(whole_numbers(node[name], shapes.get(name, (2,)))) for name in WINDOW_ARRAYS}
        return asic.WindowAttr(
            arrays["size"],
            IntegerAttr(node["channels"].whole(1, MOST), i64),
            arrays["kernel"],
            arrays["stride"],
            arrays["padding"],
            arrays["dilation"],
            IntegerAttr(node["groups"].whole(1, MOST), i64),
            IntegerAttr(int(node["is_pool"].flag()), i64),
        )

    def route(self, node: JsonNode) -> asic.RouteOp:
        links = [[one.whole(0, MOST) for one in link.items()] for link in node["links"].items()]
        if len({len(link) for link in links}) > 1:
            node["links"].refuse("links of equally many numbers")
        neurons = node.optional("neurons")
        properties: dict[str, Attribute | None] = {
            "node": StringAttr(node["from"].text()),
            "links": ArrayAttr.of(np.array(links, np.int64).reshape(len(links), -1 if links else 4)),
            "neurons": None if neurons is None else self.array(neurons),
        }
        return asic.RouteOp(properties=properties)

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array from the file, or from an image. Errors: ASF001."""
        if node.optional("values") is not None:
            return super().array(node)
        dtype, shape, images = self.dtype(node), self.shape(node), self.images
        name, first, size = node["image"].text(), node["first"].whole(0, MOST), prod(shape)
        if name not in images:
            node["image"].refuse(f"an image of the core: {', '.join(images) or 'none'}")
        image, field = images[name], node["field"].text()
        if field not in {one.name for one in image.word.fields}:
            node["field"].refuse(f"a field of {name}: {', '.join(one.name for one in image.word.fields)}")
        if first + size > len(image.words):
            node["first"].refuse(f"{size} words within the {len(image.words)} of {name}")
        found = image.word.unpack(image.words[first : first + size], field, dtype) - dtype.type(
            node["base"].whole(0, MOST)
        )
        return ArrayAttr.of(found.astype(dtype).reshape(shape))


def refuse_line(file: str, k: int, expected: str, found: str) -> NoReturn:
    """Errors: ASF001."""
    shown = found if len(found) <= 40 else f"{found[:37]}…"
    refuse(
        ASF001,
        f"line {k + 1} of {file} is invalid",
        file=file,
        at=f"line {k + 1}",
        expected=expected,
        found=shown,
        help=HELP,
    )


def whole_numbers(node: JsonNode, shape: tuple[int, ...]) -> Ints:
    """Returns integers of a shape. Errors: ASF001."""
    rows = node.items()
    found = (
        [[one.whole(0, MOST) for one in row.items()] for row in rows]
        if len(shape) == 2
        else [one.whole(0, MOST) for one in rows]
    )
    if [len(cast("list[int]", row)) for row in found] != [2, 2] if len(shape) == 2 else len(found) != shape[0]:
        node.refuse(f"numbers of the shape {list(shape)}")
    return np.array(found, np.int64)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: ASF001; those of the verifier of `asic.chip`."""
    return Loader(files, diagnostics).read()

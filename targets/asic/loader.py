"""Reads the files of `emitter.py` back into an `asic.chip`. No path in a file is followed: an image is found by its core and its name.

Errors: ASF001 a file that is missing or has another content than the emitter writes; those of the verifier of `asic.chip`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Any, NoReturn, cast

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
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, Block, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.device import from_record
from ...core.device.named_device import name_device
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.json_node import HELP, JsonNode
from ...dialects import asic
from ...dialects.nir import StdpAttr
from ...dialects.ntensor import UpdateOp
from .emitter import CHIP, DEVICE, OPTIONAL, SCHEMA, UPDATES, WINDOW_ARRAYS
from .words import Field, Word

ASF001 = Code("ASF001", "an artefact cannot be read")

DTYPES = {
    f"{kind}{8 * size}": np.dtype(f"{kind}{size}") for kind in "if" for size in (1, 2, 4, 8) if kind + str(size) != "f1"
}
LAYOUTS = {layout: kind for kind, layout in asic.LAYOUTS.items()}
MOST = 2**31
"""The largest number of elements of an array."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


@frozen(eq=False)
class Image:
    """The words of an image."""

    word: Word
    words: list[int]


class Loader:
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        self.files, self.context = files, NoptContext(diagnostics=diagnostics)

    def text(self, name: str) -> str:
        """Returns the text of a file. Errors: ASF001."""
        try:
            return self.files[name].decode("utf-8")
        except (KeyError, UnicodeDecodeError) as failure:
            found = "no such file" if isinstance(failure, KeyError) else "bytes that are not UTF-8"
            refuse(ASF001, f"{name} cannot be read", file=name, expected="a text", found=found, help=HELP)

    def module(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: ASF001."""
        chip = JsonNode.parse(CHIP, self.text(CHIP), ASF001)
        if chip["schema"].text() != SCHEMA:
            chip["schema"].refuse(f'"{SCHEMA}"')
        device = from_record(self.text(DEVICE))
        updates = source.parse_module(self.context, self.text(UPDATES), UPDATES)
        self.updates = {op.sym_name.data for op in updates.ops if isinstance(op, UpdateOp)}
        block = Block([self.input(node) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        block.add_ops(self.route(node) for node in chip["routes"].items())
        block.add_ops(self.output(node) for node in chip["outputs"].items())
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(chip["network"].text()),
            "tick_ns": IntegerAttr(chip["tick_ns"].whole(1), i64),
        }
        made = asic.ChipOp(properties=properties, regions=[Region(block)])
        name_device(made, device)
        updates.body.block.add_op(made)
        source.check_module(updates)
        return updates

    # ---- ops

    def input(self, node: JsonNode) -> asic.HostInputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["input"].text()),
            "at": IntegerAttr(node["core"].whole(), i64),
            "index": self.array(node["index"], {}),
            "type": self.type(node["type"]),
        }
        return asic.HostInputOp(properties=properties, regions=[Region(Block(self.outputs(node, {})))])

    def core(self, node: JsonNode) -> asic.CoreOp:
        place = node["core"].whole()
        images = {name: self.image(place, name, one) for name, one in node["images"].members()}
        numbers = {"place": place, "axons": node["axons"].whole(0, MOST)}
        groups = [self.group(group, images) for group in node["groups"].items()]
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

    def group(self, node: JsonNode, images: Mapping[str, Image]) -> asic.NeuronsOp:
        update = node["update"].text()
        if update not in self.updates:
            node["update"].refuse(f"an update of {UPDATES}: {', '.join(sorted(self.updates)) or 'none'}")
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["population"].text()),
            "update": SymbolRefAttr(update),
            "index": self.array(node["index"], images),
            "type": self.type(node["type"]),
            **{
                part: DictionaryAttr({name: self.array(one, images) for name, one in node[part].members()})
                for part in ("params", "initial")
            },
        }
        tables = [self.table(table, images) for table in node["tables"].items()]
        return asic.NeuronsOp(properties=properties, regions=[Region(Block([*tables, *self.outputs(node, images)]))])

    def table(self, node: JsonNode, images: Mapping[str, Image]) -> asic.TableOp:
        layout = node["layout"].text()
        if layout not in LAYOUTS:
            node["layout"].refuse(f"one of {', '.join(LAYOUTS)}")
        format, divisor = node.optional("format"), node.optional("divisor")
        found: dict[str, Attribute | None] = {
            "node": StringAttr(node["projection"].text()),
            "format": None if format is None else StringAttr(format.text()),
            "port": IntegerAttr(node["port"].whole(0, MOST), i64),
            "divisor": None if divisor is None else IntegerAttr(divisor.whole(1), i64),
            **{name: self.array(node[name], images) for name in ("axons", "weight", "delay")},
            **{name: self.array(one, images) for name in OPTIONAL if (one := node.optional(name)) is not None},
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
            found["neuron"] = self.array(node["neuron"], images)
            if (axon := node.optional("axon")) is not None:
                found["axon"] = self.array(axon, images)
            else:
                counts = self.array(node["counts"], images).values.astype(np.int64)
                if counts.sum() > MOST:
                    node["counts"].refuse(f"at most {MOST} entries", str(counts.sum()))
                found["axon"] = ArrayAttr.of(np.repeat(np.arange(len(counts), dtype=np.int32), counts))
        if kind is asic.KernelOp:
            found["sources"] = self.array(node["sources"], images)
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

    def outputs(self, node: JsonNode, images: Mapping[str, Image]) -> list[asic.OutputAxonsOp]:
        given = node.optional("outputs")
        if given is None:
            return []
        neuron, core, axon = (self.array(given[name], images).values for name in ("neuron", "core", "axon"))
        return [asic.OutputAxonsOp(neuron, core, axon)]

    def route(self, node: JsonNode) -> asic.RouteOp:
        links = [[one.whole(0, MOST) for one in link.items()] for link in node["links"].items()]
        if len({len(link) for link in links}) > 1:
            node["links"].refuse("links of equally many numbers")
        neurons = node.optional("neurons")
        properties: dict[str, Attribute | None] = {
            "node": StringAttr(node["from"].text()),
            "links": ArrayAttr.of(np.array(links, np.int64).reshape(len(links), -1 if links else 4)),
            "neurons": None if neurons is None else self.array(neurons, {}),
        }
        return asic.RouteOp(properties=properties)

    def output(self, node: JsonNode) -> asic.HostOutputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["population"].text()),
            "delay": self.array(node["delay"], {}),
            "type": self.type(node["type"]),
        }
        return asic.HostOutputOp(properties=properties)

    # ---- values

    def type(self, node: JsonNode, *kinds: type[Attribute]) -> Any:
        """Returns a type of some kinds, by default of a tensor. Errors: ASF001."""
        try:
            found: Any = Parser(self.context, node.text()).parse_type()
        except (ParseError, VerifyException):
            node.refuse("a type of MLIR")
        if not isinstance(found, kinds or (TensorType,)):
            node.refuse("a type of this member")
        return cast("Any", found)

    def array(self, node: JsonNode, images: Mapping[str, Image]) -> ArrayAttr:
        """Returns an array from the file, or from an image. Errors: ASF001."""
        dtype = DTYPES.get(node["type"].text())
        if dtype is None:
            node["type"].refuse(f"one of {', '.join(DTYPES)}")
        shape = tuple(one.whole(0, MOST) for one in node["shape"].items())
        size = prod(shape)
        given = node.optional("values")
        if given is not None:
            values = [read_number(one, dtype) for one in given.items()]
            if len(values) != size:
                given.refuse(f"{size} numbers, as the shape {list(shape)} requires", f"{len(values)} numbers")
            return ArrayAttr.of(np.array(values, dtype).reshape(shape))
        name, first = node["image"].text(), node["first"].whole(0, MOST)
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


def read_number(node: JsonNode, dtype: np.dtype[Any]) -> int | float:
    """Returns a number of a type. Errors: ASF001."""
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        return node.whole(int(limits.min), int(limits.max))
    if isinstance(node.value, str) and node.value in ("nan", "inf", "-inf"):
        return float(node.value)
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        node.refuse("a number")
    return node.value


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
    return Loader(files, diagnostics).module()

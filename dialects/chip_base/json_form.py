"""JSON form of the parts that exit dialects share, and the files that every artefact of a chip with cores contains.

| part | members |
| --- | --- |
| array | `type`, `shape`, `values`; numbers that are not finite have their names |
| input, group, output | `name`, `input` or `population`, `type` |
| output | `delay`, too |

| file | content |
| --- | --- |
| `updates.mlir` | the updates of the neurons |
| `device.json` | the device |

No path in a file is followed. Errors of the reader: the code of the target, with the file and the path of the value.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, NoReturn, TypeVar, cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, i64
from xdsl.ir import Attribute
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ...core.arrays.arrays import ArrayAttr, element_of
from ...core.arrays.numeric import AnyArray
from ...core.device.device import from_record
from ...core.device.device_attr import record_of
from ...core.device.named_device import name_device
from ...core.device.records import Device
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.ir.graph_region import names
from ...core.ir.operation import NoptOperation
from ...core.json_node import HELP, JsonNode
from ..ntensor import NeuronOp, UpdateOp
from ..ntensor.network import PROBES
from ..ntensor.probes import probe_names
from .groups import GroupOp
from .parts import InputBase, LayerOutputBase, OutputBase, SenderOp

UPDATES, DEVICE = "updates.mlir", "device.json"
Class = type
"""The built-in class of classes: the reader has a method `type`."""
LayerOutput = TypeVar("LayerOutput", bound=LayerOutputBase)

CHI023 = Code("CHI023", "artefact-unreadable", "an artefact cannot be read")

DTYPES: Mapping[str, np.dtype[Any]] = {
    "i1": np.dtype(np.bool_),
    **{f"{kind}{8 * size}": np.dtype(f"{kind[0]}{size}") for kind in ("i", "ui") for size in (1, 2, 4, 8)},
    **{f"f{8 * size}": np.dtype(f"f{size}") for size in (2, 4, 8)},
    "bf16": np.dtype(np.float32),
}
"""Types of the numbers of arrays."""
MAX_ARRAY_ELEMENTS = 2**31
"""The largest number of elements of an array."""


# ---- writing


def array_json(array: AnyArray) -> dict[str, Any]:
    """Returns an array; numbers that are not finite have their names."""
    flat = array.reshape(-1).tolist()
    values = [value if value - value == 0 else str(value) for value in flat] if array.dtype.kind == "f" else flat
    return {"type": str(element_of(array.dtype)), "shape": list(array.shape), "values": values}


def node_json(op: InputBase | SenderOp | OutputBase, source: str = "population") -> dict[str, Any]:
    """Returns the JSON members that inputs, groups and outputs have in common; `source` is the key for the name of the population or input."""
    return {"name": op.node.data, source: op.source.data, "type": str(op.type)}


def output_json(op: OutputBase) -> dict[str, Any]:
    return {**node_json(op), "delay": array_json(op.delay.values)}


def probes_json(op: NoptOperation) -> dict[str, list[str]]:
    """Returns the member `probes` of a compiled network: the arrays that a run records; no member without probes."""
    return {"probes": found} if (found := probe_names(op)) else {}


def shared_files(module: ModuleOp, chip: NoptOperation, device: Device) -> dict[str, bytes]:
    """Returns the updates of the neurons, and the device."""
    used = {op.update_name for op in chip.walk() if isinstance(op, GroupOp | NeuronOp)}
    kept = ModuleOp([op.clone() for op in module.ops if isinstance(op, UpdateOp) and op.sym_name.data in used])
    return {
        UPDATES: source.format_module(NoptContext(), kept).encode(),
        DEVICE: f"{record_of(device).text}\n".encode(),
    }


# ---- reading


class ChipReader:
    """Reader of the files of one artefact. A target overrides `array` for arrays in files of their own."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics, code: Code = CHI023):
        self.files, self.code, self.context = files, code, NoptContext(diagnostics=diagnostics)
        self.updates: ModuleOp | None = None

    def content(self, name: str) -> bytes:
        """Returns the content of a file."""
        if name not in self.files:
            self.refuse_file(name, "a file", "no such file")
        return self.files[name]

    def text(self, name: str) -> str:
        """Returns the text of a file."""
        try:
            return self.content(name).decode("utf-8")
        except UnicodeDecodeError:
            self.refuse_file(name, "a text", "bytes that are not UTF-8")

    def refuse_file(self, name: str, expected: str, found: str) -> NoReturn:
        refuse(self.code, f"{name} cannot be read", file=name, expected=expected, found=found, help=HELP)

    def head(self, file: str, schema: str) -> JsonNode:
        """Returns the content of the main file."""
        found = JsonNode.parse(file, self.text(file), self.code)
        if found["schema"].text() != schema:
            found["schema"].refuse(f'"{schema}"')
        return found

    def module(self, chip: NoptOperation) -> ModuleOp:
        """Returns the module with the updates, if there are any, and the compiled network, which verifies."""
        name_device(chip, from_record(self.text(DEVICE)))
        module = ModuleOp([]) if self.updates is None else self.updates
        module.body.block.add_op(chip)
        source.check_module(module)
        return module

    def network(self, node: JsonNode) -> dict[str, Attribute]:
        """Returns the properties of a compiled network."""
        return {
            "sym_name": StringAttr(node["network"].text()),
            "tick_ns": IntegerAttr(node["tick_ns"].integer(1), i64),
        }

    def set_probes(self, node: JsonNode, op: NoptOperation) -> None:
        """Sets the probes of a compiled network, where the file has any."""
        if (found := node.optional("probes")) is not None:
            op.attributes[PROBES] = names([one.text() for one in found.items()])

    def node(self, node: JsonNode, source: str = "population") -> dict[str, Attribute]:
        """Returns the properties that inputs, groups and outputs have in common; `source` is the key for the name of the population or input."""
        texts = {"node": StringAttr(node["name"].text()), "source": StringAttr(node[source].text())}
        return {**texts, "type": self.type(node["type"])}

    def output(self, node: JsonNode, kind: Class[OutputBase]) -> OutputBase:
        return kind(properties={**self.node(node), "delay": self.array(node["delay"])})

    def layer_output(self, node: JsonNode, kind: Class[LayerOutput]) -> LayerOutput:
        """Returns an output of the values of a layer."""
        return kind(properties=self.node(node, "source"))

    def type(self, node: JsonNode) -> Any:
        """Returns the type of a tensor."""
        type = self.mlir(node)
        if not isinstance(type, TensorType):
            node.refuse("a type of this member")
        return cast("Any", type)

    def mlir(self, node: JsonNode) -> Attribute:
        """Returns the attribute or type in a text. The text has to be in the form that MLIR prints."""
        try:
            found = Parser(self.context, node.text()).parse_attribute()
        except (ParseError, VerifyException, RecursionError):
            node.refuse("an attribute or a type of MLIR")
        if str(found) != node.text():
            node.refuse(str(found))
        return found

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array whose values are in the file."""
        dtype, shape = self.dtype(node), self.shape(node)
        values = [read_number(one, dtype) for one in node["values"].items()]
        if len(values) != prod(shape):
            expected = f"{prod(shape)} numbers, as the shape {list(shape)} requires"
            node["values"].refuse(expected, f"{len(values)} numbers")
        return self.typed(node, np.array(values, dtype).reshape(shape))

    def typed(self, node: JsonNode, values: AnyArray) -> ArrayAttr:
        """Returns values as an array of the type that is declared for them."""
        return ArrayAttr.nearest(values, "bf16") if node["type"].value == "bf16" else ArrayAttr.of(values)

    def dtype(self, node: JsonNode) -> np.dtype[Any]:
        found = DTYPES.get(node["type"].text())
        return node["type"].refuse(f"one of {', '.join(DTYPES)}") if found is None else found

    def shape(self, node: JsonNode) -> tuple[int, ...]:
        return tuple(one.integer(0, MAX_ARRAY_ELEMENTS) for one in node["shape"].items())


def read_number(node: JsonNode, dtype: np.dtype[Any]) -> int | float:
    """Returns a number of a type."""
    if dtype.kind == "b":
        return node.flag()
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return node.integer(int(limits.min), int(limits.max))
    return read_real(node)


def read_real(node: JsonNode) -> float:
    """Returns a real number; in JSON, an infinite number or NaN is a string."""
    if isinstance(node.value, str) and node.value in ("nan", "inf", "-inf"):
        return float(node.value)
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        node.refuse("a number")
    try:
        return float(node.value)
    except OverflowError:
        node.refuse("a number of 64 bits")

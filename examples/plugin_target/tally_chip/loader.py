"""Reads the files of `emitter.py` back into a `tally.chip`. It proves that the artefact is complete.

Errors: TLY004 a file that is missing or has another content than the emitter writes; those of the verifier of `tally.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, SymbolRefAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.device.device import from_record
from nopt.core.device.named_device import name_device
from nopt.core.diagnostics import Code, Diagnostics, refuse
from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.core.json_node import HELP, JsonNode

from .dialects.tally import BIASES, ChipOp, CoreOp, InputOp, OutputOp, TableOp
from .emitter import CHIP, DEVICE, UPDATES

TLY004 = Code("TLY004", "tally-artefact-unreadable", "an artefact cannot be read")
TYPES = {str(np.dtype(kind)): np.dtype(kind) for kind in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "f4", "f8")}


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: TLY004; those of the verifier."""
    context = NoptContext(diagnostics=diagnostics)
    module = source.parse_module(context, text_of(files, UPDATES), UPDATES)
    record = JsonNode.parse(CHIP, text_of(files, CHIP), TLY004)
    ops = [
        *(read_input(node, context) for node in record["inputs"].items()),
        *map(read_core, record["cores"].items()),
        *map(read_table, record["tables"].items()),
        *map(read_output, record["outputs"].items()),
    ]
    properties: dict[str, Attribute] = {"sym_name": name_of(record["network"]), "tick_ns": number(record["tick_ns"], 1)}
    chip = ChipOp(properties=properties, regions=[Region(Block(ops))])
    name_device(chip, from_record(text_of(files, DEVICE)))
    module.body.block.add_op(chip)
    source.check_module(module)
    return module


def text_of(files: Mapping[str, bytes], name: str) -> str:
    """Returns the text of a file. Errors: TLY004."""
    try:
        return files[name].decode("utf-8")
    except (KeyError, UnicodeDecodeError) as failure:
        found = "no such file" if isinstance(failure, KeyError) else "bytes that are not UTF-8"
        refuse(TLY004, f"{name} cannot be read", file=name, expected="a text", found=found, help=HELP)


def read_input(node: JsonNode, context: NoptContext) -> Operation:
    try:
        type = Parser(context, node["type"].text()).parse_type()
    except (ParseError, VerifyException):
        node["type"].refuse("a type of MLIR")
    if not isinstance(type, TensorType):
        node["type"].refuse("a tensor")
    return InputOp(properties={"node": name_of(node["name"]), "type": type})


def read_core(node: JsonNode) -> Operation:
    return CoreOp(
        properties={
            "place": number(node["core"]),
            "node": name_of(node["name"]),
            "population": name_of(node["population"]),
            "size": number(node["size"]),
            "update": SymbolRefAttr(node["update"].text()),
            "neurons": ArrayAttr.of(np.array([one.integer() for one in node["neurons"].items()], np.int64)),
            "bias": ArrayAttr.of(
                np.array([one.integer(BIASES.start, BIASES.stop - 1) for one in node["bias"].items()], np.int16)
            ),
            "params": read_arrays(node["params"]),
            "initial": read_arrays(node["initial"]),
        }
    )


def read_table(node: JsonNode) -> Operation:
    rows = [[one.integer(-(2**31), 2**31 - 1) for one in row.items()] for row in node["synapses"].items()]
    if any(len(row) != 3 or not -128 <= row[2] < 128 for row in rows):
        node["synapses"].refuse("rows of source, target and weight, a byte")
    source, target, weight = np.array(rows, np.int32).reshape(-1, 3).T
    return TableOp(
        properties={
            "sender": name_of(node["from"]),
            "core": name_of(node["to"]),
            "source": ArrayAttr.of(source),
            "target": ArrayAttr.of(target),
            "weight": ArrayAttr.of(weight.astype(np.int8)),
            "ticks": number(node["ticks"]),
        }
    )


def read_output(node: JsonNode) -> Operation:
    properties = {"node": name_of(node["name"]), "population": name_of(node["population"])}
    return OutputOp(properties={**properties, "ticks": number(node["ticks"])})


# ---- values


def name_of(node: JsonNode) -> StringAttr:
    return StringAttr(node.text())


def number(node: JsonNode, low: int = 0) -> IntegerAttr[Any]:
    return IntegerAttr(node.integer(low), i64)


def read_arrays(node: JsonNode) -> DictionaryAttr:
    return DictionaryAttr({name: read_array(one) for name, one in node.members()})


def read_array(node: JsonNode) -> ArrayAttr:
    """Returns one number for all neurons, or a number for each. Errors: TLY004."""
    dtype = TYPES.get(node["type"].text())
    if dtype is None:
        node["type"].refuse(f"one of {', '.join(TYPES)}")
    given = node["values"]
    listed = given.items() if isinstance(given.value, list) else [given]
    numbers = [read_number(one, dtype) for one in listed]
    return ArrayAttr.of(np.array(numbers if isinstance(given.value, list) else numbers[0], dtype))


def read_number(node: JsonNode, dtype: np.dtype[Any]) -> int | float:
    """Returns a number of a type. Errors: TLY004."""
    if dtype.kind != "f":
        limits = np.iinfo(dtype)
        return node.integer(int(limits.min), int(limits.max))
    if isinstance(node.value, bool) or not isinstance(node.value, int | float):
        node.refuse("a number")
    return node.value

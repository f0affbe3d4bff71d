"""Reads the files of `emitter.py` back into an `akida.model`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `akida.model`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, TensorType, i64
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

from ...core.arrays.arrays import ArrayAttr
from ...core.device.device import from_record
from ...core.device.named_device import name_device
from ...core.diagnostics import Diagnostics, refuse
from ...core.ir import source
from ...core.ir.context import NoptContext
from ...core.json_node import HELP, JsonNode
from ...dialects import akida, akida2
from ...dialects.akida.layer_bases import MAX, LayerBase, NpBase, WindowBase
from ...dialects.akida.model_base import InputDataBase, ModelBase, OutputBase
from ...dialects.chip_base.json_form import CHI023
from .emitter import DEVICE, MAPPING, MAPPING_SCHEMA, MODEL
from .emitter2 import MOST_VALUE, MOST_VALUE_SHIFT, PADDINGS, POOLS

MODELS: dict[str, type[ModelBase]] = {"v1": akida.ModelOp, "v2": akida2.Model2Op}
"""The models by the vendor's version of the processors."""
KINDS: dict[str, tuple[type[LayerBase], ...]] = {
    "v1": (akida.ConvolutionalOp, akida.FullyConnectedOp, akida.InputConvolutionalOp, akida.SeparableConvolutionalOp),
    "v2": (akida2.Conv2dOp, akida2.Dense1dOp, akida2.DepthwiseConv2dOp, akida2.InputConv2dOp),
}
PAIRS = {
    "v1": {
        "kernel_stride": ("stride_x", "stride_y"),
        "pool_size": ("pooling_width", "pooling_height"),
        "pool_stride": ("pooling_stride_x", "pooling_stride_y"),
    },
    "v2": {name: (name, name) for name in ("kernel_stride", "pool_size", "pool_stride")},
}
"""The vendor's names for both axes of a property."""
INPUT = "InputData"
MOST = 2**31 - 1
DTYPES = {
    "v1": {"weights": "int8", "weights_pw": "int8", "threshold": "int32", "act_step": "float32"},
    "v2": {
        "weights": "int8",
        "bias": "int8",
        "bias_shift": "uint8",
        "output_scales": "uint8",
        "output_shift": "int8",
        "input_shift": "uint8",
        "padding_value": "uint8",
        "max_value": "uint8",
        "max_value_shift": "uint8",
    },
}
CONSTANTS = {"input_shift": 0, "padding_value": 0, "max_value": MOST_VALUE, "max_value_shift": MOST_VALUE_SHIFT}
"""Variables of version 2 with one value."""
ACTIVATIONS = ("output_scales", "output_shift")
"""Variables of version 2 that a layer without activation does not use."""


class ModelLoader:
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        self.files, self.context = files, NoptContext(diagnostics=diagnostics)
        self.version = "v1"

    def text(self, name: str) -> str:
        """Returns the text of a file."""
        try:
            return self.files[name].decode("utf-8")
        except (KeyError, UnicodeDecodeError) as failure:
            found = "no such file" if isinstance(failure, KeyError) else "bytes that are not UTF-8"
            refuse(CHI023, f"{name} cannot be read", file=name, expected="a text", found=found, help=HELP)

    def read(self) -> ModuleOp:
        """Returns the module with the model. Errors: CHI023."""
        mapping, model = (JsonNode.parse(name, self.text(name), CHI023) for name in (MAPPING, MODEL))
        if mapping["schema"].text() != MAPPING_SCHEMA:
            mapping["schema"].refuse(f'"{MAPPING_SCHEMA}"')
        self.version = self.read_version(model["IP version"])
        given, rows = model["layers"].items(), mapping["layers"].items()
        data: list[Operation] = []
        if given and given[0]["parameters"]["layer_type"].text() == INPUT:
            data.append(self.input(given.pop(0)))
        if len(given) != len(rows):
            mapping["layers"].refuse(f"{len(given)} layers, as in {MODEL}", f"{len(rows)} layers")
        layers = [self.layer(layer, row) for layer, row in zip(given, rows, strict=True)]
        outputs = [self.output(node) for node in mapping["outputs"].items()]
        made = MODELS[self.version](
            properties={
                "sym_name": StringAttr(mapping["network"].text()),
                "tick_ns": IntegerAttr(mapping["tick_ns"].whole(1), i64),
                "ip_version": StringAttr(model["IP version"].text()),
                "input": None if data else StringAttr(mapping["input"].text()),
            },
            regions=[Region(Block([*data, *layers, *outputs]))],
        )
        name_device(made, from_record(self.text(DEVICE)))
        found = ModuleOp([made])
        source.check_module(found)
        return found

    def read_version(self, node: JsonNode) -> str:
        return node.text() if node.text() in MODELS else node.refuse(f"one of {', '.join(MODELS)}", node.text())

    def input(self, node: JsonNode) -> InputDataBase:
        return MODELS[self.version].DATA(
            properties={
                "node": StringAttr(node["name"].text()),
                "input_shape": self.whole_array(node["input_shape"], 3),
                "input_bits": IntegerAttr(node["parameters"]["input_bits"].whole(1, 8), i64),
            }
        )

    def layer(self, node: JsonNode, row: JsonNode) -> LayerBase:
        """Returns a layer with its processors."""
        parameters = node["parameters"]
        kinds = {one.TYPE: one for one in KINDS[self.version]}
        kind = kinds.get(name := parameters["layer_type"].text())
        if kind is None:
            parameters["layer_type"].refuse(f"one of {', '.join(kinds)}", name)
        if row["layer"].text() != node["name"].text():
            row["layer"].refuse(f'"{node["name"].text()}", as in {MODEL}')
        variables = node["variables"]
        found: dict[str, Attribute | None] = {
            "node": StringAttr(row["name"].text()),
            "source": StringAttr(row["source"].text()),
            "input_shape": self.whole_array(node["input_shape"], 3),
            "weights_bits": IntegerAttr(parameters["weights_bits"].whole(1, 8), i64),
        }
        has_activation = bool(parameters["activation"].whole(0, 1))
        for key, one in variables.members():
            array = self.variable(key, one)
            if self.version == "v2" and key != "weights":
                array = self.parameter(key, one, array, has_activation=has_activation)
            if array is not None:
                found[key] = array
        if number := row["pass"].whole(0, MOST):
            found["pass_number"] = IntegerAttr(number, i64)
        if has_activation:
            bits = parameters["act_bits" if self.version == "v1" else "output_bits"]
            found["act_bits"] = IntegerAttr(bits.whole(1, 8), i64)
        if issubclass(kind, WindowBase):
            found |= self.window(parameters)
        elif (learning := row.optional("learning")) is not None:
            values = [self.real(learning[name]) for name in akida.LEARNED]
            found["learning"] = ArrayAttr.of(np.array(values, np.float32))
        known = kind.get_irdl_definition().properties
        if extra := next((key for key in found if key not in known), None):
            variables.refuse(f"variables of {name}", extra)
        nps = [self.processor(one) for one in row["processors"].items()]
        return kind(properties=found, regions=[Region(Block(nps))])

    def window(self, node: JsonNode) -> dict[str, Attribute | None]:
        """Returns the properties of a window."""
        pool = self.word(node["pool_type"], POOLS)
        found: dict[str, Attribute | None] = {
            "padding": StringAttr(self.word(node["padding"], PADDINGS)),
            "pool_type": StringAttr(pool),
            "kernel_stride": self.pair(node, *PAIRS[self.version]["kernel_stride"]),
        }
        if pool == MAX:
            found["pool_size"] = self.pair(node, *PAIRS[self.version]["pool_size"])
            found["pool_stride"] = self.pair(node, *PAIRS[self.version]["pool_stride"])
        return found

    def parameter(self, name: str, node: JsonNode, array: ArrayAttr, *, has_activation: bool) -> ArrayAttr | None:
        """Returns a parameter of a layer of version 2; None for one with a fixed value."""
        fixed = CONSTANTS.get(name)
        if fixed is None and not has_activation and name in ACTIVATIONS:
            fixed = int(name == "output_scales")
        if fixed is None:
            return ArrayAttr.of(array.values.astype(np.int32))
        if (array.values != fixed).any():
            node["data"].refuse(f"{fixed} alone", f"{array.data.least()} to {array.data.greatest()}")
        return None

    def pair(self, node: JsonNode, first: str, second: str) -> ArrayAttr:
        return ArrayAttr.of(np.array([node[name].whole(1, MOST) for name in (first, second)], np.int32))

    def word(self, node: JsonNode, known: Mapping[str, int]) -> str:
        number = node.whole(0, MOST)
        return next((word for word, n in known.items() if n == number), None) or node.refuse("a known number")

    def variable(self, name: str, node: JsonNode) -> ArrayAttr:
        """Returns an array of a layer."""
        known = DTYPES[self.version]
        if name not in known:
            node.refuse(f"one of {', '.join(known)}", name)
        dtype = np.dtype(known[name])
        if node["dtype"].text() != str(dtype):
            node["dtype"].refuse(f'"{dtype}"')
        shape = [one.whole(0, MOST) for one in node["shape"].items()]
        values: Any = node["data"].value
        try:
            with np.errstate(all="raise"):
                found = np.array(values, np.float64 if dtype.kind == "f" else np.int64)
        except (ValueError, TypeError, OverflowError):
            node["data"].refuse("numbers")
        if found.size != prod(shape):
            node["data"].refuse(f"{prod(shape)} numbers, as the shape {shape} requires", f"{found.size} numbers")
        if dtype.kind in "iu" and found.size:
            held = np.iinfo(str(dtype))
            if not held.min <= found.min() <= found.max() <= held.max:
                node["data"].refuse(f"numbers of {dtype}", f"{found.min()} to {found.max()}")
        return ArrayAttr.of(np.ascontiguousarray(found.reshape(shape).astype(dtype)))

    def whole_array(self, node: JsonNode, size: int) -> ArrayAttr:
        values = [one.whole(0, MOST) for one in node.items()]
        if len(values) != size:
            node.refuse(f"{size} integers")
        return ArrayAttr.of(np.array(values, np.int32))

    def real(self, node: JsonNode) -> float:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            node.refuse("a number")
        return float(value)

    def processor(self, node: JsonNode) -> NpBase:
        arrays = {name: self.whole_array(node[name], n) for name, n in (("ident", 3), ("filters", 2), ("tile", 4))}
        sizes = ("input_bytes", "weight_bytes", "external_bytes")
        return MODELS[self.version].NP.create(
            properties={
                "function": StringAttr(node["function"].text()),
                **arrays,
                **{name: IntegerAttr(node[name].whole(0), i64) for name in sizes},
            }
        )

    def output(self, node: JsonNode) -> OutputBase:
        try:
            found: Any = Parser(self.context, node["type"].text()).parse_type()
        except (ParseError, VerifyException):
            node["type"].refuse("a type of MLIR")
        if not isinstance(found, TensorType):
            node["type"].refuse("a tensor")
        names: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["source"].text()),
        }
        return MODELS[self.version].RESULT(properties={**names, "type": cast("Attribute", found)})


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `akida.model`."""
    return ModelLoader(files, diagnostics).read()

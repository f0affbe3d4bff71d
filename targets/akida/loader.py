"""Reads the files of `emitter.py` back into an `akida.model`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `akida.model`.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Operation, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects import akida, akida2
from ...dialects.akida.layer_bases import LayerBase, NpBase, WindowBase
from ...dialects.akida.layers import LEARNED
from ...dialects.akida.model_base import InputDataBase, ModelBase
from ...dialects.akida.parts import MAX
from ...dialects.chip_base.json_form import CHI023, ChipReader
from ...dialects.ntensor.network import FRAME_TICKS, INPUT_PADDING, STACKED_TICKS
from .emitter import MAPPING, MAPPING_SCHEMA, MODEL
from .layer_fields import BITS, CONSTANTS, DTYPES, NO_ACTIVATION, PADDINGS, PAIRS, POOLS

MODELS: dict[str, type[ModelBase]] = {"v1": akida.ModelOp, "v2": akida2.Model2Op}
"""The models by the vendor's version of the processors."""
KINDS: dict[str, tuple[type[LayerBase], ...]] = {
    "v1": (akida.ConvolutionalOp, akida.FullyConnectedOp, akida.InputConvolutionalOp, akida.SeparableConvolutionalOp),
    "v2": (akida2.Conv2dOp, akida2.Dense1dOp, akida2.DepthwiseConv2dOp, akida2.InputConv2dOp),
}
INPUT = "InputData"
MOST = 2**31 - 1


class ModelLoader(ChipReader):
    """Reader of one artefact."""

    version = "v1"

    def read(self) -> ModuleOp:
        """Returns the module with the model. Errors: CHI023."""
        mapping, model = self.head(MAPPING, MAPPING_SCHEMA), JsonNode.parse(MODEL, self.text(MODEL), CHI023)
        self.version = self.read_version(model["IP version"])
        given, rows = model["layers"].items(), mapping["layers"].items()
        data: list[Operation] = []
        if given and given[0]["parameters"]["layer_type"].text() == INPUT:
            data.append(self.input_data(given.pop(0)))
        if len(given) != len(rows):
            mapping["layers"].refuse(f"{len(given)} layers, as in {MODEL}", f"{len(rows)} layers")
        layers = [self.layer(layer, row) for layer, row in zip(given, rows, strict=True)]
        outputs = [self.layer_output(node, MODELS[self.version].RESULT) for node in mapping["outputs"].items()]
        made = MODELS[self.version](
            properties={
                **self.network(mapping),
                "ip_version": StringAttr(model["IP version"].text()),
                "input": None if data else StringAttr(mapping["input"].text()),
            },
            regions=[Region(Block([*data, *layers, *outputs]))],
        )
        self.set_probes(mapping, made)
        made.attributes.update(self.frame(mapping["frame"], made.input_name))
        return self.module(made)

    def frame(self, node: JsonNode, name: str) -> dict[str, Attribute]:
        """Returns the attributes that define how a frame of the input follows from the data."""
        found: dict[str, Attribute] = {}
        if (ticks := node["ticks"].integer(1, MOST)) > 1:
            found[FRAME_TICKS] = IntegerAttr(ticks, i64)
        if node["stacked"].flag():
            found[STACKED_TICKS] = UnitAttr()
        if rows := [[one.integer(0, MOST) for one in row.items()] for row in node["padding"].items()]:
            found[INPUT_PADDING] = DictionaryAttr({name: ArrayAttr.of(np.array(rows, np.int64))})
        return found

    def read_version(self, node: JsonNode) -> str:
        return node.text() if node.text() in MODELS else node.refuse(f"one of {', '.join(MODELS)}", node.text())

    def input_data(self, node: JsonNode) -> InputDataBase:
        return MODELS[self.version].DATA(
            properties={
                "node": StringAttr(node["name"].text()),
                "input_shape": self.whole_array(node["input_shape"], 3),
                "input_bits": IntegerAttr(node["parameters"]["input_bits"].integer(1, 8), i64),
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
            "weights_bits": IntegerAttr(parameters["weights_bits"].integer(1, 8), i64),
        }
        has_activation = bool(parameters["activation"].integer(0, 1))
        for key, one in variables.members():
            array = self.variable(key, one)
            if self.version == "v2" and key != "weights":
                array = self.parameter(key, one, array, has_activation=has_activation)
            if array is not None:
                found[key] = array
        if number := row["pass"].integer(0, MOST):
            found["pass_number"] = IntegerAttr(number, i64)
        if has_activation:
            found["act_bits"] = IntegerAttr(parameters[BITS[self.version]].integer(1, 8), i64)
        if issubclass(kind, WindowBase):
            found |= self.window(parameters)
        elif (learning := row.optional("learning")) is not None:
            values = [self.real(learning[name]) for name in LEARNED]
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
        if fixed is None and not has_activation:
            fixed = NO_ACTIVATION.get(name)
        if fixed is None:
            return ArrayAttr.of(array.values.astype(np.int32))
        if (array.values != fixed).any():
            node["data"].refuse(f"{fixed} alone", f"{array.data.least()} to {array.data.greatest()}")
        return None

    def pair(self, node: JsonNode, first: str, second: str) -> ArrayAttr:
        return ArrayAttr.of(np.array([node[name].integer(1, MOST) for name in (first, second)], np.int32))

    def word(self, node: JsonNode, known: Mapping[str, int]) -> str:
        number = node.integer(0, MOST)
        return next((word for word, n in known.items() if n == number), None) or node.refuse("a known number")

    def variable(self, name: str, node: JsonNode) -> ArrayAttr:
        """Returns an array of a layer."""
        known = DTYPES[self.version]
        if name not in known:
            node.refuse(f"one of {', '.join(known)}", name)
        dtype = np.dtype(known[name])
        if node["dtype"].text() != str(dtype):
            node["dtype"].refuse(f'"{dtype}"')
        shape = [one.integer(0, MOST) for one in node["shape"].items()]
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
        values = [one.integer(0, MOST) for one in node.items()]
        if len(values) != size:
            node.refuse(f"{size} integers")
        return ArrayAttr.of(np.array(values, np.int32))

    def real(self, node: JsonNode) -> float:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            node.refuse("a number")
        return float(value)

    def processor(self, node: JsonNode) -> NpBase:
        kind = MODELS[self.version].NP
        return kind.create(
            properties={
                "function": StringAttr(node["function"].text()),
                **{name: self.whole_array(node[name], n) for name, n in kind.ARRAYS.items()},
                **{name: IntegerAttr(node[name].integer(0), i64) for name in kind.BYTES},
            }
        )


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `akida.model`."""
    return ModelLoader(files, diagnostics).read()

"""Reads the files of `emitter.py` back into a `dynapcnn.configuration`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `dynapcnn.configuration`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, UnitAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects.chip_base.json_form import CHI023, ChipReader
from ...dialects.dynapcnn import CnnLayerOp, ConfigurationOp, InputOp, OutputOp
from ...dialects.dynapcnn.layers import MOST_THRESHOLD, READOUT_STEP
from .emitter import CONFIGURATION, DESTINATIONS, FLAGS, MAPPING, MAPPING_SCHEMA, READOUT_LAYER
from .integers import destination_rows, int_array, narrow

LARGEST_NUMBER = 2**31 - 1


class ConfigurationLoader(ChipReader):
    """Reader of one artefact."""

    def read(self) -> ModuleOp:
        """Returns the module with the configuration. Errors: CHI023."""
        mapping = self.head(MAPPING, MAPPING_SCHEMA)
        given = JsonNode.parse(CONFIGURATION, self.text(CONFIGURATION), CHI023)
        rows, layers = mapping["layers"].items(), given["cnn_layers"]
        if sorted(str(row["layer"].integer(0, LARGEST_NUMBER)) for row in rows) != sorted(layers.entries()):
            mapping["layers"].refuse(f"the layers of {CONFIGURATION}: {', '.join(layers.entries())}")
        ops = [
            *(self.layer_input(node) for node in mapping["inputs"].items()),
            *(self.layer(layers[str(row["layer"].integer(0, LARGEST_NUMBER))], row) for row in rows),
            *(self.layer_output(node, OutputOp) for node in mapping["outputs"].items()),
        ]
        made = ConfigurationOp(properties=self.network(mapping), regions=[Region(Block(ops))])
        self.set_probes(mapping, made)
        return self.module(made)

    def layer_input(self, node: JsonNode) -> InputOp:
        layers, shifts = (
            [one.integer(0, LARGEST_NUMBER) for one in node[name].items()] for name in ("layers", "feature_shifts")
        )
        if len(shifts) != len(layers):
            node["feature_shifts"].refuse(f"{len(layers)} integers, as layers has")
        return InputOp(
            properties={
                "node": StringAttr(node["name"].text()),
                "input_shape": self.map(node["shape"]),
                "layers": int_array(layers),
                **({"feature_shifts": int_array(shifts)} if any(shifts) else {}),
            }
        )

    def layer(self, node: JsonNode, row: JsonNode) -> CnnLayerOp:
        """Returns a layer on its core."""
        dimensions = node["dimensions"]
        readout = row.optional("readout")
        step = 1 if readout is None else READOUT_STEP
        weights = self.classes(node["weights"], 4, step)
        shift = row["feature_shift"].integer(0, LARGEST_NUMBER)
        found: dict[str, Attribute | None] = {
            "node": StringAttr(row["name"].text()),
            "source": StringAttr(row["source"].text()),
            "layer": IntegerAttr(row["layer"].integer(0, LARGEST_NUMBER), i64),
            "input_shape": self.map(dimensions["input_shape"]),
            "output_shape": int_array([len(weights), *self.map(dimensions["output_shape"]).values.tolist()[1:]]),
            "weights": narrow(weights),
            "stride": self.pair(dimensions["stride"], 1),
            "padding": self.pair(dimensions["padding"], 0),
            "threshold_high": IntegerAttr(node["threshold_high"].integer(1, LARGEST_NUMBER), i64),
            "threshold_low": IntegerAttr(node["threshold_low"].integer(-LARGEST_NUMBER, 0), i64),
            "destinations": self.destinations(node["destinations"], shift, has_readout=readout is not None),
        }
        if dimensions["kernel_size"].integer(1, LARGEST_NUMBER) != weights.shape[2]:
            dimensions["kernel_size"].refuse(f"{weights.shape[2]}, as the weights have")
        if shift:
            found["feature_shift"] = IntegerAttr(shift, i64)
        biases = self.classes(node["biases"], 1, step)
        if row["memory"]["bias"].integer(0, LARGEST_NUMBER):
            found["biases"] = narrow(biases)
        elif biases.any():
            node["biases"].refuse(f"zeros, as {MAPPING} has no memory of biases")
        if self.numbers(node["neurons_initial_value"], 3).any():
            node["neurons_initial_value"].refuse("zeros")
        found |= {name: UnitAttr() for name in FLAGS if node[name].flag()}
        if readout is not None:
            found["readout"] = int_array([one.integer(1, MOST_THRESHOLD) for one in readout.items()])
        made = CnnLayerOp(properties=found)
        if row["features"].integer(1, LARGEST_NUMBER) != made.made[0]:
            row["features"].refuse(f"{made.made[0]}, as output_shape has")
        words = {name: one.integer(0) for name, one in row["memory"].members()}
        if words != made.words():
            row["memory"].refuse(json.dumps(made.words()))
        return made

    def classes(self, node: JsonNode, rank: int, step: int) -> Ints:
        """Returns the arrays of the filters of a layer, which are every filter of the core or every fourth."""
        values = self.numbers(node, rank)
        others = np.delete(values, slice(None, None, step), 0)
        return node.refuse("zeros between the classes of the readout block") if others.any() else values[::step]

    def destinations(self, node: JsonNode, shift: int, *, has_readout: bool) -> ArrayAttr | None:
        """Returns the destinations that are enabled, each with a shift from that of the layer on; None if there are none."""
        items = node.items()
        if len(items) != DESTINATIONS:
            node.refuse(f"{DESTINATIONS} destinations")
        used = [one for one in items if one["enable"].flag()]
        if has_readout and (not used or used.pop()["layer"].integer(0, LARGEST_NUMBER) != READOUT_LAYER):
            node.refuse(f"the readout block, layer {READOUT_LAYER}, as the last one")
        rows = [
            (
                one["layer"].integer(0, LARGEST_NUMBER),
                one["pooling"].integer(1, LARGEST_NUMBER),
                one["feature_shift"].integer(shift, LARGEST_NUMBER) - shift,
            )
            for one in used
        ]
        return destination_rows(rows)

    def map(self, node: JsonNode) -> ArrayAttr:
        size = node["size"]
        return int_array([one.integer(1, LARGEST_NUMBER) for one in (node["feature_count"], size["x"], size["y"])])

    def pair(self, node: JsonNode, low: int) -> ArrayAttr:
        return int_array([node["x"].integer(low, LARGEST_NUMBER), node["y"].integer(low, LARGEST_NUMBER)])

    def numbers(self, node: JsonNode, rank: int) -> Ints:
        """Returns nested lists of integers."""
        values: Any = node.value
        try:
            found = np.array(values)
        except ValueError:
            node.refuse(f"integers in {rank} levels of lists")
        if found.dtype.kind not in "iu" or found.ndim != rank:
            node.refuse(f"integers in {rank} levels of lists")
        return found.astype(np.int64)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `dynapcnn.configuration`."""
    return ConfigurationLoader(files, diagnostics).read()

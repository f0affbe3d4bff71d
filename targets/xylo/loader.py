"""Reads the files of `emitter.py` back into a `xylo.chip`: numbers from `specification.json`, and names from `chip.json`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `xylo.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, Region

from ...analysis.core_tables import attributes_of, uniform_entry
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.device import from_record
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects import xylo
from ...dialects.chip_base.json_form import CHI023, DEVICE, MAX_ARRAY_ELEMENTS, ChipReader
from ...dialects.xylo.weights import BYTE
from .emitter import CHIP, CONFIGURATION, SPECIFICATION, XYLO_SCHEMA, texts

NEURON_OPS: Mapping[str, type[xylo.NumberedOp]] = {"hidden": xylo.HiddenOp, "output": xylo.ReadoutOp}
WEIGHT_ARRAYS = {
    xylo.WeightLayer.INPUT: ("weights_in", "weight_shift_in"),
    xylo.WeightLayer.RECURRENT: ("weights_rec", "weight_shift_rec"),
    xylo.WeightLayer.OUTPUT: ("weights_out", "weight_shift_out"),
}
MOST_SHIFT = 15


class SpecificationReader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics)
        self.device = from_record(self.text(DEVICE))
        self.specification = JsonNode.parse(SPECIFICATION, self.text(SPECIFICATION), CHI023)

    def read(self) -> ModuleOp:
        """Returns the module with the chip. Errors: CHI023."""
        chip = self.head(CHIP, XYLO_SCHEMA)
        inputs = [self.input_op(node) for node in chip["inputs"].items()]
        groups = [self.group_op(node) for node in chip["neurons"].items()]
        hidden = sum(op.size for op in groups if isinstance(op, xylo.HiddenOp))
        layers = [found for layer in xylo.WeightLayer if (found := self.weights(layer, hidden)) is not None]
        axons = 1 + max((int(op.channels.values.max(initial=-1)) for op in inputs), default=-1)
        core = xylo.CoreOp(
            properties={"place": IntegerAttr(0, i64), "axons": IntegerAttr(axons, i64)},
            regions=[Region(Block([*groups, *layers]))],
        )
        outputs = [self.output(node, xylo.OutputOp) for node in chip["outputs"].items()]
        made = xylo.ChipOp(properties=self.network(chip), regions=[Region(Block([*inputs, core, *outputs]))])
        self.set_probes(chip, made)
        module = self.module(made)
        for name, wanted in texts(made, self.device).items():
            self.compare(name, wanted)
        return module

    def compare(self, name: str, wanted: bytes) -> None:
        """Refuses a file that does not agree with the others. Errors: CHI023."""
        found = self.files.get(name)
        if found != wanted:
            shown = "no such file" if found is None else f"{len(found)} other bytes"
            expected = f"that of {SPECIFICATION}" if name == CONFIGURATION else "the content that nopt compile writes"
            self.refuse_file(name, expected, shown)

    def input_op(self, node: JsonNode) -> xylo.InputOp:
        properties: dict[str, Attribute] = {
            **self.node(node, "input"),
            "at": IntegerAttr(node["core"].integer(0, MAX_ARRAY_ELEMENTS), i64),
            "index": self.array(node["index"]),
            "channels": self.array(node["channels"]),
        }
        return xylo.InputOp(properties=properties, regions=[Region(Block())])

    def group_op(self, node: JsonNode) -> xylo.NumberedOp:
        kind = NEURON_OPS.get(node["kind"].text())
        if kind is None:
            node["kind"].refuse(f"one of {', '.join(NEURON_OPS)}")
        ids = self.array(node["ids"])
        suffix = "_out" if kind is xylo.ReadoutOp else ""
        registers: dict[str, ArrayAttr] = {}
        size = 0
        for name in kind.KNOWN:
            values = self.numbers(self.specification[f"{name}{suffix}"], *xylo.REGISTERS[name])
            size = len(values)
            self.verify_numbers(node["ids"], ids, size)
            registers[name] = ArrayAttr.of(np.asarray(uniform_entry(values[ids.values]), np.int32))
        properties: dict[str, Attribute] = {
            **self.node(node),
            "index": self.array(node["index"]),
            "ids": ids,
            "registers": attributes_of(registers),
        }
        if kind is xylo.HiddenOp:
            properties["aliases"] = ArrayAttr.of(self.aliases(size)[ids.values].astype(np.int32))
        return kind(properties=properties, regions=[Region(Block())])

    def verify_numbers(self, node: JsonNode, ids: ArrayAttr, below: int) -> None:
        """Refuses numbers of neurons that the specification does not have. Errors: CHI023."""
        values = ids.values
        if (
            values.ndim != 1
            or values.dtype.kind != "i"
            or (values.size and not 0 <= values.min() <= values.max() < below)
        ):
            node.refuse(f"numbers of neurons below {below}")

    def numbers(self, node: JsonNode, low: int, high: int) -> Ints:
        return np.array([one.integer(low, high) for one in node.items()], np.int64)

    def aliases(self, size: int) -> Ints:
        """Returns the number of the alias of each hidden neuron; -1 if it has no alias."""
        node = self.specification["aliases"]
        found = np.full(size, xylo.NO_ALIAS, np.int64)
        if node.value is None:
            return found
        for number, one in enumerate(node.items()[:size]):
            for alias in one.items()[:1]:
                found[number] = alias.integer(0, MAX_ARRAY_ELEMENTS)
        return found

    def weights(self, layer: xylo.WeightLayer, hidden: int) -> xylo.WeightsOp | None:
        """Returns the weights of a layer; None if all are 0."""
        name, shift = WEIGHT_ARRAYS[layer]
        node = self.specification[name]
        found = self.dense(node, 2 if layer is xylo.WeightLayer.OUTPUT else 3)
        found = found.reshape(*found.shape[:2], -1)
        source, target, current = np.nonzero(found)
        if not len(source):
            return None
        first = hidden - found.shape[0] if layer is xylo.WeightLayer.OUTPUT else 0
        number = self.specification[shift].integer(0, MOST_SHIFT)
        weight = found[source, target, current]
        order = np.lexsort((current, target, source))
        return xylo.WeightsOp(layer, number, *(one[order] for one in (source + first, target, current, weight)))

    def dense(self, node: JsonNode, axes: int) -> Ints:
        """Returns an array of bytes with a number of axes."""
        value: Any = node.value
        try:
            found = np.array(value)
        except ValueError:
            node.refuse("rows of one length")
        is_byte = found.dtype.kind == "i" and BYTE[0] <= found.min(initial=0) <= found.max(initial=0) <= BYTE[1]
        if found.ndim != axes or not is_byte:
            node.refuse(f"integers from {BYTE[0]} to {BYTE[1]} in {axes} axes")
        return found.astype(np.int64)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `xylo.chip`."""
    return SpecificationReader(files, diagnostics).read()

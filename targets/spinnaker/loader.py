"""Reads the files of `emitter.py` back into a `spinnaker.chip`. No path in a file is followed: a region is found by the number of its core.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `spinnaker.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region
from xdsl.utils.exceptions import VerifyException

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...core.routing.table import Table
from ...dialects import spinnaker
from ...dialects.chip_base.json_form import CHI023, MAX_ARRAY_ELEMENTS, ChipReader, read_number
from ...dialects.spinnaker.learning import NUMBERS, TIMINGS, WEIGHTS
from ...dialects.spinnaker.rows import HEADER_WORDS, KEY_BITS
from .emitter import (
    ALIGNMENT,
    DICTIONARIES,
    NETWORK,
    ROW_WORD,
    SPINNAKER_SCHEMA,
    TABLES,
    as_text,
    population_table,
    region_path,
    synapse_region,
    tables_json,
)

FORMAT_FIELDS = {"index_bits": (0, 16), "delay_bits": (0, 16)}


class RowsReader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics)

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: CHI023."""
        chip = self.head(NETWORK, SPINNAKER_SCHEMA)
        properties = self.chip(chip)
        block = Block([self.host_input(node) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        tables = JsonNode.parse(TABLES, self.text(TABLES), CHI023)
        block.add_ops(self.router(node) for node in tables["routers"].items())
        block.add_ops(self.output(node, spinnaker.OutputOp) for node in chip["outputs"].items())
        made = spinnaker.ChipOp(properties=properties, regions=[Region(block)])
        module = self.module(made)
        for core in made.cores.values():
            place = core.place.value.data
            self.compare(region_path(place, "population_table"), population_table(core))
            self.compare(region_path(place, "synapses"), synapse_region(core))
        self.compare(TABLES, as_text(tables_json(made)).encode())
        return module

    def compare(self, name: str, wanted: bytes) -> None:
        """Refuses a file that does not agree with the others. Errors: CHI023."""
        if self.region(name) != wanted:
            found = f"{len(self.files[name])} other bytes"
            refuse(CHI023, f"{name} cannot be read", file=name, expected=f"that of {NETWORK}", found=found, help=HELP)

    def region(self, name: str) -> bytes:
        if (found := self.files.get(name)) is None:
            refuse(CHI023, f"{name} cannot be read", file=name, expected="a region", found="no such file", help=HELP)
        return found

    def router(self, node: JsonNode) -> spinnaker.RouterOp:
        key, mask, route = (
            np.array([one.whole(0, 2**KEY_BITS - 1) for one in node[name].items()], np.int64)
            for name in ("key", "mask", "route")
        )
        return spinnaker.RouterOp(node["chip"].whole(0, MAX_ARRAY_ELEMENTS), Table(key, mask, route))

    def keys(self, node: JsonNode) -> dict[str, Attribute]:
        return {
            **{name: IntegerAttr(node[name].whole(0, 2**KEY_BITS - 1), i64) for name in ("key", "mask")},
            "cores": self.array(node["cores"]),
        }

    def host_input(self, node: JsonNode) -> spinnaker.InputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["input"].text()),
            "at": IntegerAttr(node["core"].whole(0, MAX_ARRAY_ELEMENTS), i64),
            "index": self.array(node["index"]),
            "type": self.type(node["type"]),
            **self.keys(node),
        }
        return spinnaker.InputOp(properties=properties, regions=[Region(Block())])

    def rule(self, node: JsonNode) -> spinnaker.StdpAttr:
        """Returns a learning rule. Errors: CHI023 another rule than the chip has."""
        for name, known in (("timing", TIMINGS), ("weights", WEIGHTS)):
            if node[name].text() not in known:
                node[name].refuse(" or ".join(known))
        if (fraction := read_number(node["dendritic_delay_fraction"], np.dtype("f8"))) != 1:
            node["dendritic_delay_fraction"].refuse("1, as all delays are dendritic", f"{fraction:g}")
        numbers = [read_number(node[name], np.dtype("f8")) for name in NUMBERS]
        try:
            return spinnaker.StdpAttr.of(node["timing"].text(), node["weights"].text(), *numbers)
        except VerifyException as wrong:
            node.refuse(str(wrong))

    def core(self, node: JsonNode) -> spinnaker.CoreOp:
        place = node["core"].whole(0, MAX_ARRAY_ELEMENTS)
        properties: dict[str, Attribute] = {
            "place": IntegerAttr(place, i64),
            "axons": IntegerAttr(node["axons"].whole(0, MAX_ARRAY_ELEMENTS), i64),
        }
        groups = [self.neurons(one, place) for one in node["neurons"].items()]
        return spinnaker.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def neurons(self, node: JsonNode, place: int) -> spinnaker.NeuronsOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            **self.keys(node),
            **{name: IntegerAttr(node[name].whole(*ends), i64) for name, ends in FORMAT_FIELDS.items()},
            **{
                what: DictionaryAttr({name: self.array(one) for name, one in node[what].members()})
                for what in DICTIONARIES
            },
        }
        rows = [self.rows(one, region_path(place, "synapses")) for one in node["rows"].items()]
        return spinnaker.NeuronsOp(properties=properties, regions=[Region(Block(rows))])

    def rows(self, node: JsonNode, file: str) -> spinnaker.RowsOp:
        content = self.region(file)
        size, length = (
            node["rows"].whole(0, MAX_ARRAY_ELEMENTS),
            HEADER_WORDS + node["synapses"].whole(0, MAX_ARRAY_ELEMENTS),
        )
        start = ALIGNMENT * node["address"].whole(0, MAX_ARRAY_ELEMENTS)
        end = start + ROW_WORD.itemsize * size * length
        if end > len(content):
            refuse(
                CHI023,
                f"{file} cannot be read",
                file=file,
                expected=f"at least {end} bytes",
                found=f"{len(content)} bytes",
                help=HELP,
            )
        words = np.frombuffer(content[start:end], ROW_WORD).astype(np.uint32).view(np.int32).reshape(size, length)
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["projection"].text()),
            **{name: IntegerAttr(node[name].whole(0, 2**KEY_BITS - 1), i64) for name in ("key", "mask")},
            "words": ArrayAttr.of(np.ascontiguousarray(words)),
        }
        if (rule := node.optional("learning_rule")) is not None:
            properties["plasticity"] = self.rule(rule)
        return spinnaker.RowsOp(properties=properties)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `spinnaker.chip`."""
    return RowsReader(files, diagnostics).read()

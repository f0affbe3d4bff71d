"""Reads the files of `emitter.py` back into a `spinnaker2.chip`. No path in a file is followed: connections are found by the number of their core.

Errors: STF001 a file that is missing or has another content than the emitter writes; those of the verifier of `spinnaker2.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...dialects import spinnaker2
from ...dialects.chip_base.json_form import MOST, ChipReader
from .emitter import CONNECTION, CONNECTION_COLUMNS, DICTIONARIES, NETWORK, SPINNAKER2_SCHEMA, connections_path

STF001 = Code("STF001", "an artefact cannot be read")

WEIGHTS = {f"int{bits}": np.dtype(f"i{bits // 8}") for bits in (8, 16, 32)}
DELAYS = ("one", "each")


class ConnectionsReader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics, STF001)

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: STF001."""
        chip = self.head(NETWORK, SPINNAKER2_SCHEMA)
        properties = self.chip(chip)
        block = Block([self.host_input(node) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        block.add_ops(self.output(node, spinnaker2.OutputOp) for node in chip["outputs"].items())
        return self.module(spinnaker2.ChipOp(properties=properties, regions=[Region(block)]))

    def host_input(self, node: JsonNode) -> spinnaker2.InputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["input"].text()),
            "at": IntegerAttr(node["core"].whole(0, MOST), i64),
            "index": self.array(node["index"]),
            "type": self.type(node["type"]),
        }
        return spinnaker2.InputOp(properties=properties, regions=[Region(Block())])

    def core(self, node: JsonNode) -> spinnaker2.CoreOp:
        place = node["core"].whole(0, MOST)
        properties: dict[str, Attribute] = {
            "place": IntegerAttr(place, i64),
            "axons": IntegerAttr(node["axons"].whole(0, MOST), i64),
        }
        listed = [one for group in node["neurons"].items() for one in group["connections"].items()]
        tables = self.tables(connections_path(place), [one["connections"].whole(0, MOST) for one in listed])
        groups = [
            self.neurons(one, [(held, tables.pop(0)) for held in one["connections"].items()])
            for one in node["neurons"].items()
        ]
        return spinnaker2.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def tables(self, file: str, sizes: list[int]) -> list[AnyArray]:
        """Returns the connections of each table of a core. Shapes: results [connections, 4]. Errors: STF001."""
        content, wanted = self.files.get(file), sum(sizes) * len(CONNECTION_COLUMNS) * CONNECTION.itemsize
        if content is None or len(content) != wanted:
            found = "no such file" if content is None else f"{len(content)} bytes"
            refuse(STF001, f"{file} cannot be read", file=file, expected=f"{wanted} bytes", found=found, help=HELP)
        rows = np.frombuffer(content, CONNECTION).reshape(-1, len(CONNECTION_COLUMNS)).astype(np.int32)
        ends = np.cumsum([0, *sizes])
        return [rows[a:b] for a, b in pairwise(ends)]

    def neurons(self, node: JsonNode, tables: list[tuple[JsonNode, AnyArray]]) -> spinnaker2.NeuronsOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            "model": StringAttr(node["model"].text()),
            "reset": StringAttr(node["reset"].text()),
            **{
                what: DictionaryAttr({name: self.array(one) for name, one in node[what].members()})
                for what in DICTIONARIES
            },
        }
        listed = [self.connections(*one) for one in tables]
        return spinnaker2.NeuronsOp(properties=properties, regions=[Region(Block(listed))])

    def connections(self, node: JsonNode, rows: AnyArray) -> spinnaker2.ConnectionsOp:
        pre, post, weight, delay = rows.T
        dtype, kind = WEIGHTS.get(node["weight"].text()), node["delays"].text()
        if dtype is None:
            node["weight"].refuse(f"one of {', '.join(WEIGHTS)}")
        if kind not in DELAYS or (kind == "one" and len(set(delay.tolist())) != 1):
            node["delays"].refuse('"each", or "one" for connections with the same delay')
        limits = np.iinfo(dtype)
        if weight.size and not limits.min <= weight.min() <= weight.max() <= limits.max:
            node["weight"].refuse(f"a type that holds {weight.min()} to {weight.max()}")
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["projection"].text()),
            "source": StringAttr(node["source"].text()),
            "pre": ArrayAttr.of(np.ascontiguousarray(pre)),
            "post": ArrayAttr.of(np.ascontiguousarray(post)),
            "weight": ArrayAttr.of(weight.astype(dtype)),
            "delay": ArrayAttr.of(np.asarray(delay[0]) if kind == "one" else np.ascontiguousarray(delay)),
        }
        return spinnaker2.ConnectionsOp(properties=properties)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: STF001; those of the verifier of `spinnaker2.chip`."""
    return ConnectionsReader(files, diagnostics).read()

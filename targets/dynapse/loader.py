"""Reads `network.json` of `emitter.py` back into a `dynapse.chip`. No path in a file is followed.

Errors: DSF001 a file that is missing or has another content than the emitter writes; those of the verifier of `dynapse.chip`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...core.diagnostics import Code, Diagnostics
from ...core.ir.operation import NoptOperation
from ...core.json_node import JsonNode
from ...dialects import dynapse
from ...dialects.chip_base.json_form import MOST, ChipReader
from .emitter import ARRAY_GROUPS, DESTINATION_COLUMNS, DYNAPSE_SCHEMA, NETWORK, SYNAPSE_COLUMNS

DSF001 = Code("DSF001", "an artefact cannot be read")

TagTable = TypeVar("TagTable", bound=NoptOperation)


class DynapseReader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics, DSF001)

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: DSF001."""
        chip = self.head(NETWORK, DYNAPSE_SCHEMA)
        properties = self.chip(chip)
        block = Block([self.host_input(node) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        block.add_ops(self.output(node, dynapse.OutputOp) for node in chip["outputs"].items())
        return self.module(dynapse.ChipOp(properties=properties, regions=[Region(block)]))

    def host_input(self, node: JsonNode) -> dynapse.InputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["input"].text()),
            "at": IntegerAttr(node["core"].whole(0, MOST), i64),
            "index": self.array(node["index"]),
            "type": self.type(node["type"]),
        }
        body = Block([*self.tables(node, "destinations", DESTINATION_COLUMNS, dynapse.DestinationsOp)])
        return dynapse.InputOp(properties=properties, regions=[Region(body)])

    def core(self, node: JsonNode) -> dynapse.CoreOp:
        properties = {
            what: IntegerAttr(node[name].whole(0, MOST), i64) for what, name in (("place", "core"), ("axons", "axons"))
        }
        groups = [self.neurons(one) for one in node["neurons"].items()]
        return dynapse.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def neurons(self, node: JsonNode) -> dynapse.NeuronsOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            "currents": self.array(node["currents"]),
            **{
                what: DictionaryAttr({name: self.array(one) for name, one in node[what].members()})
                for what in ARRAY_GROUPS
            },
        }
        synapses = self.tables(node, "synapses", SYNAPSE_COLUMNS, dynapse.SynapsesOp)
        destinations = self.tables(node, "destinations", DESTINATION_COLUMNS, dynapse.DestinationsOp)
        return dynapse.NeuronsOp(properties=properties, regions=[Region(Block([*synapses, *destinations]))])

    def tables(self, node: JsonNode, name: str, columns: tuple[str, ...], kind: type[TagTable]) -> Iterator[TagTable]:
        """Yields a table of synapses or destinations, if there is one."""
        if (held := node.optional(name)) is not None:
            yield kind(properties={column: self.array(held[column]) for column in columns})


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: DSF001; those of the verifier of `dynapse.chip`."""
    return DynapseReader(files, diagnostics).read()

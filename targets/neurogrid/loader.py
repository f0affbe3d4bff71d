"""Reads the files of `emitter.py` back into a `neurogrid.chip`. No path in a file is followed.

Errors: NGF001 a file that is missing or has another content than the emitter writes; those of the verifier of `neurogrid.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...dialects import neurogrid
from ...dialects.chip_base.json_form import MOST, ChipReader
from .emitter import NETWORK, NEUROGRID_SCHEMA, SOMA_DICTIONARIES, TERMINAL, TERMINAL_COLUMNS, TERMINALS

NGF001 = Code("NGF001", "an artefact cannot be read")


class TerminalsReader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics, NGF001)
        content = files.get(TERMINALS)
        if content is None or len(content) % (TERMINAL_COLUMNS * TERMINAL.itemsize):
            expected = f"rows of {TERMINAL_COLUMNS} numbers of 32 bits"
            found = "no such file" if content is None else f"{len(content)} bytes"
            refuse(NGF001, f"{TERMINALS} cannot be read", file=TERMINALS, expected=expected, found=found, help=HELP)
        self.rows = np.frombuffer(content, TERMINAL).reshape(-1, TERMINAL_COLUMNS).astype(np.int64)
        self.used = 0
        """Rows that were read."""

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: NGF001."""
        chip = self.head(NETWORK, NEUROGRID_SCHEMA)
        properties = self.chip(chip)
        block = Block([self.host_input(node) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        block.add_ops(self.output(node, neurogrid.OutputOp) for node in chip["outputs"].items())
        if self.used != len(self.rows):
            expected, found = f"{self.used} terminals, as in {NETWORK}", str(len(self.rows))
            refuse(NGF001, f"{TERMINALS} cannot be read", file=TERMINALS, expected=expected, found=found, help=HELP)
        return self.module(neurogrid.ChipOp(properties=properties, regions=[Region(block)]))

    def host_input(self, node: JsonNode) -> neurogrid.InputOp:
        properties: dict[str, Attribute] = {
            "node": StringAttr(node["name"].text()),
            "source": StringAttr(node["input"].text()),
            "at": IntegerAttr(node["core"].whole(0, MOST), i64),
            "index": self.array(node["index"]),
            "type": self.type(node["type"]),
        }
        return neurogrid.InputOp(properties=properties, regions=[Region(Block(self.terminals(node)))])

    def core(self, node: JsonNode) -> neurogrid.CoreOp:
        return neurogrid.CoreOp(node["core"].whole(0, MOST), [self.neurons(one) for one in node["neurons"].items()])

    def neurons(self, node: JsonNode) -> neurogrid.SomasOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            "row": self.array(node["row"]),
            "column": self.array(node["column"]),
            "arbors": self.array(node["arbors"]),
            **{
                what: DictionaryAttr({name: self.array(one) for name, one in node[what].members()})
                for what in SOMA_DICTIONARIES
            },
        }
        return neurogrid.SomasOp(properties=properties, regions=[Region(Block(self.terminals(node)))])

    def terminals(self, node: JsonNode) -> list[neurogrid.TerminalsOp]:
        """Returns the terminals of a sender. Errors: NGF001."""
        found: list[neurogrid.TerminalsOp] = []
        for one in node["terminals"].items():
            count = one["terminals"].whole(0, MOST)
            rows = self.rows[self.used : self.used + count]
            if len(rows) != count:
                one["terminals"].refuse(
                    f"at most {len(self.rows) - self.used}, the terminals that {TERMINALS} still has"
                )
            self.used += count
            found.append(neurogrid.TerminalsOp(one["projection"].text(), rows[:, :5].T, rows[:, 5]))
        return found


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: NGF001; those of the verifier of `neurogrid.chip`."""
    return TerminalsReader(files, diagnostics).read()

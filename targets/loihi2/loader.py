"""Reads the files of `emitter.py` back into a `loihi2.chip`. No path in a file is followed: an array is found by its name.

Errors: LOF001 a file that is missing or has another content than the emitter writes; those of the verifier of `loihi2.chip`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from io import BytesIO

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numpy_files import Pickled, Unreadable, read_npy
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.json_node import HELP, JsonNode
from ...dialects import loihi2
from ...dialects.chip_base.json_form import MOST, ChipReader, read_number
from ...dialects.loihi2.cores import SHARED_BY
from ...dialects.loihi2.learning import CONSTANTS, EQUATIONS
from .emitter import DICTIONARIES, NETWORK, SCHEMA

LOF001 = Code("LOF001", "an artefact cannot be read")

TABLES: dict[str, type[loihi2.SynapsesOp]] = {layout: kind for kind, layout in loihi2.LAYOUTS.items()}
FILE = re.compile(r"arrays/\d{4,9}\.npy")
REGISTERS = {"num_weight_bits": (1, 8), "weight_exp": (-64, 64)}


class Loader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics, LOF001)

    def read(self) -> ModuleOp:
        """Returns the module with the chip and its updates. Errors: LOF001."""
        chip = self.head(NETWORK, SCHEMA)
        properties = self.chip(chip)
        block = Block([self.input(node, loihi2.InputOp, loihi2.OutputAxonsOp) for node in chip["inputs"].items()])
        block.add_ops(self.core(node) for node in chip["cores"].items())
        block.add_ops(self.output(node, loihi2.OutputOp) for node in chip["outputs"].items())
        return self.module(loihi2.ChipOp(properties=properties, regions=[Region(block)]))

    def core(self, node: JsonNode) -> loihi2.NeuroCoreOp:
        properties: dict[str, Attribute] = {
            "place": IntegerAttr(node["core"].whole(0, MOST), i64),
            "axons": IntegerAttr(node["axons"].whole(0, MOST), i64),
            **{table: self.arrays(node[table]) for table in SHARED_BY},
        }
        groups = [self.compartments(one) for one in node["compartments"].items()]
        return loihi2.NeuroCoreOp(properties=properties, regions=[Region(Block(groups))])

    def compartments(self, node: JsonNode) -> loihi2.CompartmentsOp:
        properties: dict[str, Attribute] = {
            **self.group(node),
            **{which: self.array(node[which]) for which in SHARED_BY.values()},
            **{what: self.arrays(node[what]) for what in DICTIONARIES},
        }
        tables = [self.synapses(one) for one in node["synapses"].items()]
        body = Block([*tables, *self.axons(node, loihi2.OutputAxonsOp)])
        return loihi2.CompartmentsOp(properties=properties, regions=[Region(body)])

    def synapses(self, node: JsonNode) -> loihi2.SynapsesOp:
        layout, sign, rule = node["layout"].text(), node["sign_mode"].text(), node.optional("learning_rule")
        if layout not in TABLES:
            node["layout"].refuse(f"one of {', '.join(TABLES)}")
        if sign not in [*loihi2.Sign]:
            node["sign_mode"].refuse(f"one of {', '.join(loihi2.Sign)}")
        kind = TABLES[layout]
        arrays = ["axons", "weight", "delay", *(["axon", "compartment"] if kind is loihi2.SparseOp else [])]
        properties: dict[str, Attribute | None] = {
            "node": StringAttr(node["projection"].text()),
            "format": StringAttr(node["format"].text()),
            **{name: IntegerAttr(node[name].whole(*ends), i64) for name, ends in REGISTERS.items()},
            "sign_mode": loihi2.SignModeAttr(loihi2.Sign(sign)),
            **{name: self.array(node[name]) for name in arrays},
            "learning_rule": None if rule is None else self.rule(rule),
        }
        return kind(properties=properties)

    def rule(self, node: JsonNode) -> loihi2.LearningRuleAttr:
        """Returns a learning rule, whose numbers its verifier checks."""
        equations = {name: one.text() for name in EQUATIONS if (one := node.optional(name)) is not None}
        constants = {name: read_number(node[name], np.dtype("f8")) for name in CONSTANTS}
        return loihi2.LearningRuleAttr.of(equations, constants, node["t_epoch"].whole(0, MOST))

    def arrays(self, node: JsonNode) -> DictionaryAttr:
        return DictionaryAttr({name: self.array(one) for name, one in node.members()})

    def array(self, node: JsonNode) -> ArrayAttr:
        """Returns an array from the JSON file, or from a file of its own. Errors: LOF001."""
        if node.optional("values") is not None:
            return super().array(node)
        dtype, shape, file = self.dtype(node), self.shape(node), node["file"].text()
        if not FILE.fullmatch(file):
            node["file"].refuse("arrays/NNNN.npy with decimal digits")
        content = self.files.get(file)
        if content is None:
            refuse(LOF001, f"{file} cannot be read", file=file, expected="an array", found="no such file", help=HELP)
        try:
            found = read_npy(BytesIO(content), len(content))
        except (Unreadable, Pickled) as failure:
            refuse(LOF001, f"{file} cannot be read", file=file, expected="an array", found=str(failure), help=HELP)
        if (found.dtype, found.shape) != (dtype, shape):
            expected, given = f"{dtype} of shape {list(shape)}", f"{found.dtype} of shape {list(found.shape)}"
            refuse(LOF001, f"{file} holds another array", file=file, expected=expected, found=given, help=HELP)
        return ArrayAttr.of(np.ascontiguousarray(found))


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: LOF001; those of the verifier of `loihi2.chip`."""
    return Loader(files, diagnostics).read()

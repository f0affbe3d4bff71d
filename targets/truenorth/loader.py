"""Reads the files of `emitter.py` back into a `truenorth.chip`: the numbers from `network.json`, and names from `chip.json`.

Errors: CHI023 a file that is missing or has another content than the emitter writes; those of the verifier of `truenorth.chip`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region

from ...analysis.core_tables import attributes_of, uniform_entry
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.device import from_record
from ...core.device.topology import topology_of
from ...core.diagnostics import Diagnostics
from ...core.json_node import JsonNode
from ...dialects import truenorth
from ...dialects.chip_base.json_form import CHI023, ChipReader
from .emitter import CHIP, CHIP_SCHEMA, DEVICE_FILE, FURTHER, MEMBERS, NETWORK

LEAST, MOST = -(2**31), 2**31 - 1


class Loader(ChipReader):
    """Reader of one artefact."""

    def __init__(self, files: Mapping[str, bytes], diagnostics: Diagnostics):
        super().__init__(files, diagnostics)
        self.device = from_record(self.text(DEVICE_FILE))
        self.topology = topology_of(self.device)

    def read(self) -> ModuleOp:
        """Returns the module with the chip. Errors: CHI023."""
        chip, network = self.head(CHIP, CHIP_SCHEMA), JsonNode.parse(NETWORK, self.text(NETWORK), CHI023)
        self.bus, self.origin = self.offset(chip["bus"]), self.offset(chip["origin"])
        given = network["output_bus"]
        self.network_bus = [one.integer(0, MOST) for one in given["coordinates"].items()]
        self.discard = given["num_outputs"].integer(1, MOST) - 1
        known = {tuple(self.offset(one["coordinates"])): one for one in network["cores"].items()}
        block = Block([self.input_op(node) for node in chip["inputs"].items()])
        for node in chip["cores"].items():
            place = node["core"].integer(0, self.topology.cores - 1)
            position = self.position(place)
            if position not in known:
                node["core"].refuse(f"a core of {NETWORK}", f"none at {position}")
            block.add_op(self.core(node, place, known[position]))
        block.add_ops(self.output_op(node) for node in chip["outputs"].items())
        properties: dict[str, Attribute] = {
            **self.network(chip),
            "potential_bits": IntegerAttr(chip["potential_bits"].integer(2, 32), i64),
            "overflow": StringAttr(chip["overflow"].text()),
            "neuron_reset_type": IntegerAttr(chip["neuron_reset_type"].integer(0, 1), i64),
            "bus": ArrayAttr.of(np.array(self.bus, np.int32)),
        }
        return self.module(truenorth.ChipOp(properties=properties, regions=[Region(block)]))

    def position(self, place: int) -> tuple[int, int]:
        """Returns the position of a core in the simulator."""
        column, line = truenorth.column(self.topology, place), truenorth.line(self.topology, place)
        return column - self.origin[0], line - self.origin[1]

    def offset(self, node: JsonNode) -> list[int]:
        found = [one.integer(LEAST, MOST) for one in node.items()]
        return found if len(found) == 2 else node.refuse("two integers")

    def integers(self, node: JsonNode, low: int = 0) -> Ints:
        return np.array([one.integer(low, MOST) for one in node.items()], np.int64)

    def input_op(self, node: JsonNode) -> truenorth.InputOp:
        packets = node["packets"]
        neuron, axon, delay = (self.integers(packets[name]) for name in ("neuron", "axon", "delay"))
        core = np.array([self.core_at(one) for one in packets["core"].items()], np.int64)
        if len({len(one) for one in (neuron, axon, delay, core)}) > 1:
            packets.refuse("arrays of one length", "arrays of several lengths")
        properties: dict[str, Attribute] = {
            **self.node(node, "input"),
            "at": IntegerAttr(node["core"].integer(0, MOST), i64),
            "index": ArrayAttr.of(self.integers(node["index"]).astype(np.int32)),
        }
        body = Block([truenorth.PacketsOp(neuron, core, axon, delay)] if len(neuron) else [])
        return truenorth.InputOp(properties=properties, regions=[Region(body)])

    def core_at(self, node: JsonNode) -> int:
        """Returns the core at a position."""
        x, y = (own + first for own, first in zip(self.offset(node), self.origin, strict=True))
        if not (0 <= x < truenorth.columns(self.topology) and 0 <= y < truenorth.lines(self.topology)):
            node.refuse("the position of a core")
        return int(truenorth.core_at(self.topology, np.array(x), np.array(y)))

    def core(self, node: JsonNode, place: int, given: JsonNode) -> truenorth.CoreOp:
        types = self.integers(given["axons"])
        neurons, connections = given["neurons"].items(), given["connections"].items()
        groups, first = list[truenorth.NeuronsOp](), 0
        for one in node["groups"].items():
            index = self.integers(one["index"])
            rows = slice(first, first + len(index))
            if first + len(index) > min(len(neurons), len(connections)):
                one["index"].refuse(f"rows of {NETWORK}", f"{first + len(index)} rows, of {len(neurons)}")
            groups.append(self.group_op(one, place, index, neurons[rows], connections[rows], len(types)))
            first += len(index)
        properties: dict[str, Attribute] = {
            "place": IntegerAttr(place, i64),
            "axons": IntegerAttr(len(types), i64),
            "types": ArrayAttr.of(types.astype(np.int32)),
        }
        return truenorth.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def group_op(
        self, node: JsonNode, place: int, index: Ints, neurons: list[JsonNode], connections: list[JsonNode], axons: int
    ) -> truenorth.NeuronsOp:
        crossbar = [self.integers(one) for one in connections]
        weights = [self.integers(one["weights"], LEAST) for one in neurons]
        for rows, nodes, size in (
            (crossbar, connections, axons),
            (weights, neurons, len(weights[0]) if weights else 0),
        ):
            wrong = next((k for k, row in enumerate(rows) if len(row) != size), None)
            if wrong is not None:
                nodes[wrong].refuse(f"{size} numbers", f"{len(rows[wrong])} numbers")
        registers = {name: self.column(neurons, member) for member, name in MEMBERS.items()}
        registers["negative_threshold"] = -self.column(neurons, "negative_threshold")
        further = node["registers"]
        registers |= {name: self.register(further[name], len(index)) for name in FURTHER}
        held = {name: ArrayAttr.of(compact(registers[name])) for name in truenorth.PARAMETERS}
        properties: dict[str, Attribute] = {
            **self.node(node),
            "index": ArrayAttr.of(index.astype(np.int32)),
            "crossbar": ArrayAttr.of(np.array(crossbar, np.int8).reshape(len(index), axons)),
            "weights": ArrayAttr.of(np.array(weights, np.int32)),
            "parameters": attributes_of(held),
            "potential": ArrayAttr.of(compact(self.column(neurons, "current_potential"))),
        }
        sent = self.sending(place, neurons)
        return truenorth.NeuronsOp(properties=properties, regions=[Region(Block(sent))])

    def column(self, neurons: list[JsonNode], member: str) -> Ints:
        return np.array([one[member].integer(LEAST, MOST) for one in neurons], np.int64)

    def register(self, node: JsonNode, size: int) -> Ints:
        """Returns a register of each row."""
        if not isinstance(node.value, list):
            return np.full(size, node.integer(0, MOST))
        found = self.integers(node)
        return found if len(found) == size else node.refuse(f"{size} numbers", f"{len(found)} numbers")

    def sending(self, place: int, neurons: list[JsonNode]) -> list[truenorth.DestinationsOp]:
        """Returns the destinations of rows. A row that sends to the last row of the bus has no destination."""
        own = self.position(place)
        each = (self.device.integer("core.input_axons")) or 256
        found: list[list[int]] = []
        for row, one in enumerate(neurons):
            dx, dy = self.offset(one["destination_core_offset"])
            axon, tick = one["destination_axon"].integer(0, MOST), 1 + one["destination_tick"].integer(0, MOST)
            if [own[0] + dx, own[1] + dy] == self.network_bus:
                if axon == self.discard:
                    continue
                dx = self.bus[0] + axon // each - self.origin[0] - own[0]
                dy = self.bus[1] - self.origin[1] - own[1]
                axon %= each
            found.append([row, dx, dy, axon, tick])
        if not found:
            return []
        row, dx, dy, axon, tick = np.array(found, np.int64).T
        return [truenorth.DestinationsOp(row=row, dx=dx, dy=dy, axon=axon, tick=tick)]

    def output_op(self, node: JsonNode) -> truenorth.OutputOp:
        rows = node.optional("rows")
        properties: dict[str, Attribute | None] = {
            **self.node(node),
            "delay": ArrayAttr.of(np.asarray(uniform_entry(self.integers(node["delay"])), np.int64)),
            "rows": None if rows is None else ArrayAttr.of(self.integers(rows).astype(np.int32)),
        }
        return truenorth.OutputOp(properties=properties)


def compact(values: Ints) -> Any:
    """Returns a scalar if all numbers are equal, else the array."""
    return np.asarray(uniform_entry(values), np.int32)


def load(files: Mapping[str, bytes], diagnostics: Diagnostics) -> ModuleOp:
    """Returns the module of an artefact. Errors: CHI023; those of the verifier of `truenorth.chip`."""
    return Loader(files, diagnostics).read()

"""Conversion of a routed machine graph to a `spinnaker.chip`: keys, the rows of each core, and the bits of their words.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                         spinnaker.core 3 {axons = 64} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>        spinnaker.neurons "lif1/0" of "lif1" @spinnaker_delta.zero {…} {
                                                                                spinnaker.rows "fc1" {key = 0, mask = 4294967232, words = […]}

1. Keys and tables are those of the graph (`machine-make-tables`).
2. A projection has rows for each vertex that it reads, one for each of its neurons, in the order of their keys.
3. The bits of a word are those that the neurons of the core and the longest delay into it need.
4. Weights that learn have rows of another form, also where they are 0. `learning.py` converts their rule.
5. A spike goes to each core with rows for its key, which the tables of the routers reach.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a sum that the chip does not compute; SPN010 a graph without keys; ANA004 a learning rule that it does not
compute; DEV023 no device is specified. Warnings: SPN011 a ring buffer can saturate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import Rewriter

from ...analysis.calibration_records import OBSERVED
from ...analysis.chip_properties import input_properties, output_properties, routed_chip
from ...analysis.core_tables import CoreTables, Part, attributes_of, entries_of
from ...analysis.routing_tables import index_bits
from ...analysis.synapse_lists import ANA003
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, spinnaker
from ...dialects.machine.graph import routed_graphs
from ...dialects.spinnaker.rows import KEY_BITS, WEIGHT_SHIFT, Synapses, WordFormat, encode
from ...passes.pipelines import LEGALISE, MERGE_OR_OTHER
from .learning import LearningRules
from .saturation import report_saturation

SPN010 = Code("SPN010", "graph-without-keys", "the graph has no keys")

FULL_MASK = 2**KEY_BITS - 1


@dataclass(frozen=True)
class ConvertMachineToSpinnakerPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-spinnaker"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            if not graph.keys:
                refuse_op(graph, SPN010, expected="a key of each vertex", found="none", help="machine-make-tables")
            chip = ChipBuilder(graph).chip()
            report_saturation(chip, diagnostics_of(ctx))
            Rewriter.replace_op(graph, chip)


class ChipBuilder:
    """The conversion of one graph."""

    def __init__(self, graph: machine.GraphOp):
        self.graph, self.tables = graph, CoreTables(graph, MERGE_OR_OTHER)
        self.members = {vertex.node.data: (source, own) for source, vertex, own in self.tables.members()}
        self.keys = self.blocks_of_keys()
        self.learning = LearningRules(graph.tick_ns.value.data)
        self.vertices: dict[str, list[str]] = {}
        """Vertices of a source, by its name."""
        for name, (source, _) in self.members.items():
            self.vertices.setdefault(source, []).append(name)
        self.readers: dict[str, set[int]] = {name: set() for name in self.members}
        """The cores with rows for the keys of each vertex."""

    def blocks_of_keys(self) -> dict[str, tuple[int, int]]:
        """Returns key and mask of each vertex. Those that nothing reads have keys after all others, which reach no core."""  # 1
        found = {name: (op.key.value.data, op.mask.value.data) for name, op in self.graph.keys.items()}
        free = max((key + (~mask & FULL_MASK) + 1 for key, mask in found.values()), default=0)
        for name, (_, own) in self.members.items():
            if name not in found:
                size = 1 << index_bits(len(own))
                free = -(-free // size) * size
                found[name] = free, ~(size - 1) & FULL_MASK
                free += size
        return found

    def chip(self) -> spinnaker.ChipOp:
        """Returns the chip."""
        graph, block, vertices = self.graph, Block(), self.graph.vertices
        cores = [self.core(place, *vertices) for place, vertices in self.tables.vertices_by_core()]
        for name, (source, own) in self.members.items():
            if source in self.tables.inputs:
                properties = input_properties(self.tables.inputs[source], vertices[name], own) | self.sending(name)
                block.add_op(spinnaker.InputOp(properties=properties, regions=[Region(Block())]))
        for core in cores:
            for group in core.groups:
                group.properties.update(self.sending(group.node.data))
            block.add_op(core)
        for position, table in graph.tables.items():
            block.add_op(spinnaker.RouterOp(position, table.entries))
        for output in graph.outputs.values():
            block.add_op(spinnaker.OutputOp.create(properties=output_properties(output)))
        return routed_chip(spinnaker.ChipOp, graph, block)

    def sending(self, name: str) -> dict[str, Attribute]:
        """Returns key, mask and destinations of a vertex, when all rows are made."""  # 5
        return {**self.block_of(name), "cores": ArrayAttr.of(np.array(sorted(self.readers[name]), np.int32))}

    def block_of(self, name: str) -> dict[str, Attribute]:
        key, mask = self.keys[name]
        return {"key": IntegerAttr(key, i64), "mask": IntegerAttr(mask, i64)}

    def core(self, place: int, *vertices: tuple[str, machine.VertexOp, Ints]) -> spinnaker.CoreOp:
        groups = [self.group(place, source, vertex, own) for source, vertex, own in vertices]
        axons = sum(rows.size for group in groups for rows in group.rows)
        numbers = {"place": place, "axons": axons}
        properties = {name: IntegerAttr(n, i64) for name, n in numbers.items()}
        return spinnaker.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def group(self, place: int, source: str, vertex: machine.VertexOp, own: Ints) -> spinnaker.NeuronsOp:
        population = self.tables.populations[source]
        parts = self.tables.parts[vertex.node.data]
        longest = max((int(part.delay.max(initial=1)) for part in parts), default=1)
        format = WordFormat(index_bits(len(own)), index_bits(longest))  # 3
        rows = [one for part in parts for one in self.rows(place, source, part, format)]
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "update": population.update,
            "index": ArrayAttr.of(own.astype(np.int32)),
            "index_bits": IntegerAttr(format.index_bits, i64),
            "delay_bits": IntegerAttr(format.delay_bits, i64),
            "params": attributes_of(entries_of(population.params, own)),
            "initial": attributes_of(entries_of(population.initial, own)),
            "type": population.type,
            "key": IntegerAttr(0, i64),
            "mask": IntegerAttr(0, i64),
            "cores": ArrayAttr.of(np.zeros(0, np.int32)),
        }
        made = spinnaker.NeuronsOp(properties=properties, regions=[Region(Block(rows))])
        made.location = population.location
        if (observed := population.attributes.get(OBSERVED)) is not None:
            made.attributes[OBSERVED] = observed
        return made

    def rows(self, place: int, population: str, part: Part, format: WordFormat) -> list[spinnaker.RowsOp]:
        """Returns the rows of a projection, for each vertex that it reads. Errors: ANA003, ANA004."""  # 2
        given, own = part.given, part.members
        if given.merged is not None or given.real is not None:
            refuse_sum(part, "sums of integers", "a pool of spikes" if given.real is None else str(given.real))
        if given.bias is not None and given.bias[own].any():
            refuse_sum(part, "a sum of spikes alone", "a constant in each tick")
        if given.exponent is not None and given.exponent[own].any():
            refuse_sum(part, "weights without an exponent", "an exponent")
        weight = part.weight.astype(np.int64)
        if weight.size and (weight.min() < 0 or weight.max() >> WEIGHT_SHIFT):
            refuse_sum(part, f"weights from 0 to {2**WEIGHT_SHIFT - 1}", f"{weight.min()} to {weight.max()}")
        source = part.sources[part.source]
        if part.delay.size and part.delay.min() < 1:
            refuse_sum(part, "a delay of at least 1 tick", f"{part.delay.min()} ticks")
        rule = self.learning.rule(population, part.projection)  # 4
        is_used = weight >= (0 if rule is not None else 1)
        found: list[spinnaker.RowsOp] = []
        for name in self.vertices[part.projection.source.data]:
            _, members = self.members[name]
            row = np.full(int(max(members.max(initial=-1), source.max(initial=-1))) + 1, -1)
            row[members] = np.arange(len(members))
            mine = np.flatnonzero((row[source] >= 0) & is_used)
            if not len(mine):
                continue
            receptor = np.full(len(mine), part.port)
            held = Synapses(row[source[mine]], part.neuron[mine], receptor, weight[mine], part.delay[mine])
            order = np.argsort(held.source, kind="stable")
            held = Synapses(*(getattr(held, one)[order] for one in ("source", "neuron", "receptor", "weight", "delay")))
            words, _ = encode(held, len(members), format, learns=rule is not None)
            self.readers[name].add(place)
            properties = {**self.block_of(name), "node": part.projection.node, "words": ArrayAttr.of(words)}
            properties |= {} if rule is None else {"plasticity": rule}
            found.append(spinnaker.RowsOp(properties=properties))
        return found


def refuse_sum(part: Part, expected: str, found: str) -> None:
    """Errors: ANA003."""
    refuse_op(part.projection, ANA003, expected=expected, found=found, help=LEGALISE)

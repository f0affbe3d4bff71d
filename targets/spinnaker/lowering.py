"""Conversion of a routed machine graph to a `spinnaker.chip`: keys, the rows of each core, and the bits of their words.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                         spinnaker.core 3 {axons = 64} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>        spinnaker.neurons "lif1/0" of "lif1" @spinnaker_delta.zero.none.above {…} {
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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.calibration_records import OBSERVED
from ...analysis.core_tables import Part
from ...analysis.routing_tables import index_bits
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, spinnaker
from ...dialects.chip_base.parts import SenderOp
from ...dialects.machine.graph import routed_graphs
from ...dialects.spinnaker.rows import KEY_BITS, WEIGHT_SHIFT, Synapses, WordFormat, encode
from ..chip_builder import TableBuilder, refuse_sum, verify_weighted_spikes
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
            chip = SpinnakerBuilder(graph).chip()
            report_saturation(chip, diagnostics_of(ctx))
            Rewriter.replace_op(graph, chip)


class SpinnakerBuilder(TableBuilder[spinnaker.ChipOp]):
    """The conversion of one graph."""

    CHIP, CORE, GROUP = spinnaker.ChipOp, spinnaker.CoreOp, spinnaker.NeuronsOp
    INPUT, OUTPUT = spinnaker.InputOp, spinnaker.OutputOp

    def __init__(self, graph: machine.GraphOp):
        super().__init__(graph)
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
        """Returns the key and mask of each vertex. A vertex without readers gets a key after all others; no table routes it."""  # 1
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
        chip = super().chip()
        for group in chip.groups:
            group.properties.update(self.keys_and_cores(group.node.data))
        return chip

    def routes(self) -> Iterator[spinnaker.RouterOp]:
        for position, table in self.graph.tables.items():
            yield spinnaker.RouterOp(position, table.entries)

    def input_properties(self, source: str, vertex: machine.VertexOp, own: Ints) -> dict[str, Attribute]:
        return self.keys_and_cores(vertex.node.data)

    def keys_and_cores(self, name: str) -> dict[str, Attribute]:
        """Returns key, mask and destinations of a vertex, when all rows are made."""  # 5
        return {**self.block_of(name), "cores": ArrayAttr.of(np.array(sorted(self.readers[name]), np.int32))}

    def block_of(self, name: str) -> dict[str, Attribute]:
        key, mask = self.keys[name]
        return {"key": IntegerAttr(key, i64), "mask": IntegerAttr(mask, i64)}

    def count_axons(self, place: int, groups: Sequence[spinnaker.NeuronsOp]) -> int:
        return sum(rows.size for group in groups for rows in group.rows)

    def word_format(self, vertex: machine.VertexOp, own: Ints) -> WordFormat:
        """Returns the bits of the words of a core."""  # 3
        longest = max((int(part.delay.max(initial=1)) for part in self.tables.parts[vertex.node.data]), default=1)
        return WordFormat(index_bits(len(own)), index_bits(longest))

    def group(self, source: str, vertex: machine.VertexOp, own: Ints) -> SenderOp:
        group = super().group(source, vertex, own)
        if (observed := self.tables.populations[source].attributes.get(OBSERVED)) is not None:
            group.attributes[OBSERVED] = observed
        return group

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        format = self.word_format(vertex, own)
        bits = {"index_bits": format.index_bits, "delay_bits": format.delay_bits}
        more = {name: IntegerAttr(count, i64) for name, count in bits.items()}
        return super().group_properties(source, vertex, own, **more)

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> list[spinnaker.RowsOp]:
        format = self.word_format(vertex, own)
        return [rows for part in self.tables.parts[vertex.node.data] for rows in self.rows(source, part, format)]

    def rows(self, population: str, part: Part, format: WordFormat) -> list[spinnaker.RowsOp]:
        """Returns the rows of a projection, for each vertex that it reads. Errors: ANA003, ANA004."""  # 2
        verify_weighted_spikes(part)
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
            mine = mine[np.argsort(row[source[mine]], kind="stable")]
            receptor = np.broadcast_to(np.int64(part.port), mine.shape)
            synapses = Synapses(row[source[mine]], part.neuron[mine], receptor, weight[mine], part.delay[mine])
            words, _ = encode(synapses, len(members), format, rule=None if rule is None else rule.pairs)
            self.readers[name].add(self.tables.places[part.vertex.node.data])
            properties = {**self.block_of(name), "node": part.projection.node, "words": ArrayAttr.of(words)}
            if rule is not None:
                properties["plasticity"] = rule.pairs
                properties |= {} if rule.triplet is None else {"triplet": rule.triplet}
            found.append(spinnaker.RowsOp(properties=properties))
        return found

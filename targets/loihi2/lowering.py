"""Conversion of a routed machine graph to a `loihi2.chip`: configurations, compartments, synapses and axons of each neuro-core.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                        loihi2.neuro_core 3 {axons = 12, profiles = {…}} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>       loihi2.compartments "lif1/0" of "lif1" @loihi {…} {
                                                                               loihi2.dense "fc1" {weight_exp = -1, …}

1. `analysis/core_tables.py` defines axons, and the synapses of each table in the format that takes least memory.
2. The weight n of b bits with the exponent k becomes the register n * 2^s with weight_exp = k - s; s = 8 - b, and one more with mixed signs.
3. A delay of d ticks becomes the register d - 1.
4. Parameters of `core.shared` of the device become configurations of the core, each different set of values once.
5. Routes are not stored: the network between cores delivers each spike to the core of its output axon.
6. Weights n that change become the registers 2 n with weight_exp = k - 1, whatever their signs. `learning.py` converts their rule.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a sum that the chip does not compute; ANA004 a learning rule that it does not compute; ANA001 a
projection that no table can hold; DEV023 no device is specified.
Remarks: ANA002 a table of single synapses in place of the format that takes least memory.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import Rewriter

from ...analysis.chip_properties import input_properties, output_properties, routed_chip
from ...analysis.core_tables import CoreTables, Part, attributes_of, entries_of, uniform_entry
from ...analysis.synapse_lists import ANA002, ANA003
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.dtypes import dtype_bits
from ...core.diagnostics import Diagnostics, refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import loihi2, machine
from ...dialects.chip_base.formats import TableFormat
from ...dialects.loihi2.cores import SHARED_BY
from ...dialects.machine.graph import routed_graphs
from ...passes.pipelines import LEGALISE, MERGE_OR_OTHER, MERGE_SYNAPSES
from .learning import learning_rule

ONE_DELAY = "split the op by the delays of its synapses, or give it an exponent of at least 0"

KINDS: dict[str, type[loihi2.SynapsesOp]] = {"sparse": loihi2.SparseOp, "dense": loihi2.DenseOp}


@dataclass(frozen=True)
class ConvertMachineToLoihi2Pass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-loihi2"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            Rewriter.replace_op(graph, ChipBuilder(graph, diagnostics_of(ctx)).chip())


class ChipBuilder:
    """The conversion of one graph."""

    def __init__(self, graph: machine.GraphOp, diagnostics: Diagnostics):
        self.graph, self.tables, self.diagnostics = graph, CoreTables(graph, MERGE_OR_OTHER), diagnostics
        self.device = self.tables.device
        shared = self.device.core.shared if self.device.core is not None else {}
        self.shared = {name: [*shared[name].parameters] if name in shared else list[str]() for name in SHARED_BY}
        """The parameters that the compartments of a core share, by the kind of their configuration."""
        self.remarked: set[machine.ProjectionOp] = set()

    def chip(self) -> loihi2.ChipOp:
        """Returns the chip."""
        graph, block = self.graph, Block()
        for source, vertex, own in self.tables.members():
            if source in self.tables.inputs:
                block.add_op(self.input(source, vertex, own))
        for place, vertices in self.tables.vertices_by_core():
            block.add_op(self.core(place, vertices))
        for output in graph.outputs.values():
            block.add_op(loihi2.OutputOp.create(properties=output_properties(output)))
        return routed_chip(loihi2.ChipOp, graph, block)

    def input(self, source: str, vertex: machine.VertexOp, own: Ints) -> loihi2.InputOp:
        properties = input_properties(self.tables.inputs[source], vertex, own)
        return loihi2.InputOp(properties=properties, regions=[Region(Block(self.sending(source, own)))])

    def sending(self, source: str, own: Ints) -> list[loihi2.OutputAxonsOp]:
        """Returns the output axons of some neurons; none if they have none."""
        found = self.tables.destinations(source, own)
        return [] if found is None else [loihi2.OutputAxonsOp(found.neuron, found.core, found.axon)]

    def core(self, place: int, vertices: list[tuple[str, machine.VertexOp, Ints]]) -> loihi2.NeuroCoreOp:
        """Returns a neuro-core with its configurations and compartments."""
        populations = [self.tables.populations[source] for source, _, _ in vertices]
        params = [entries_of(one.params, own) for one, (_, _, own) in zip(populations, vertices, strict=True)]
        sizes = [len(own) for _, _, own in vertices]
        tables: dict[str, DictionaryAttr] = {}
        places: dict[str, list[Ints]] = {}
        for name, wanted in self.shared.items():
            tables[name], places[name] = configurations(wanted, params, sizes)
        body = Block()
        for k, (population, (_, vertex, own)) in enumerate(zip(populations, vertices, strict=True)):
            selected = {which: places[name][k] for name, which in SHARED_BY.items()}
            body.add_op(self.group(population, vertex, own, selected))
        properties: dict[str, Attribute] = {
            "place": IntegerAttr(place, i64),
            "axons": IntegerAttr(self.tables.axon_counts.get(place, 0), i64),
            **tables,
        }
        return loihi2.NeuroCoreOp(properties=properties, regions=[Region(body)])

    def group(
        self, population: machine.PopulationOp, vertex: machine.VertexOp, own: Ints, selected: dict[str, Ints]
    ) -> loihi2.CompartmentsOp:
        tables = [table for part in self.tables.parts[vertex.node.data] if (table := self.table(part)) is not None]
        held = {name for listed in self.shared.values() for name in listed}
        registers = {name: one for name, one in entries_of(population.params, own).items() if name not in held}
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "update": population.update,
            "index": ArrayAttr.of(own.astype(np.int32)),
            **{which: ArrayAttr.of(one.astype(np.int32)) for which, one in selected.items()},
            "registers": attributes_of(registers),
            "initial": attributes_of(entries_of(population.initial, own)),
            "type": population.type,
        }
        body = Block([*tables, *self.sending(population.node.data, own)])
        made = loihi2.CompartmentsOp(properties=properties, regions=[Region(body)])
        made.location = population.location
        return made

    def table(self, part: Part) -> loihi2.SynapsesOp | None:
        """Returns the table of a part; None if it has no synapses. Errors: ANA003."""
        given, own = part.given, part.members
        if given.bias is not None and given.bias[own].any():
            self.refuse_sum(part, "a sum of spikes alone", "a constant in each tick")
        if given.real is not None:
            self.refuse_sum(part, "integers", str(given.real))
        after = np.zeros(1, np.int64) if given.exponent is None else np.unique(given.exponent[own])
        if len(after) > 1:
            self.refuse_sum(part, "one exponent for all neurons", ", ".join(map(str, after.tolist())))
        if not len(part.own):
            return None
        stored = part.planned
        assert stored is not None  # the formats of the devices are known
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        more: dict[str, Attribute] = {}
        if formats[stored.name].layout == "dense" and (matrix := part.matrix) is not None:
            kind, weight, delay = loihi2.DenseOp, matrix, self.delay_matrix(part)
        else:
            if formats[stored.name].layout == "dense":
                stored = self.sparse_format(part, stored)
            kind, weight, delay = loihi2.SparseOp, part.weight, np.asarray(uniform_entry(part.delay))
            indices = {"axon": part.source, "compartment": part.neuron}
            more = {name: ArrayAttr.of(values.astype(np.int32)) for name, values in indices.items()}
        bits = dtype_bits(formats[stored.name].dtype) or 0
        sign = loihi2.Sign(stored.sign)
        rule = learning_rule(part.projection, self.device, self.graph.tick_ns.value.data)
        lost = loihi2.lost_bits(bits, sign if rule is None else loihi2.Sign.MIXED)  # 6
        register = (weight.astype(np.int64) >> stored.exponent) << lost
        exponent = stored.exponent - lost + int(after[0])
        if delay.ndim and exponent < 0 and (register % (1 << -exponent)).any():
            self.refuse_sum(part, "the same delay for all terms of a sum that is rounded", "several delays", ONE_DELAY)
        properties: dict[str, Attribute] = {
            "node": StringAttr(part.projection.node.data),
            "axons": ArrayAttr.of(part.axons.astype(np.int32)),
            "format": StringAttr(stored.name),
            "num_weight_bits": IntegerAttr(bits, i64),
            "sign_mode": loihi2.SignModeAttr(sign),
            "weight_exp": IntegerAttr(exponent, i64),
            "weight": ArrayAttr.of(register.astype(np.int16)),
            "delay": ArrayAttr.of((delay - 1).astype(np.int32)),
            **more,
            **({} if rule is None else {"learning_rule": rule}),
        }
        return kind(properties=properties)

    def delay_matrix(self, part: Part) -> AnyArray:
        """Returns the delay of all pairs, or of each. Shapes: () or [axons, compartments]."""
        if len(part.own) == 0 or (part.delay == part.delay[0]).all():
            return np.asarray(part.delay[0] if len(part.own) else 1)
        found = np.ones(part.shape, np.int64)
        found[part.source, part.neuron] = part.delay
        return found

    def sparse_format(self, part: Part, planned: TableFormat) -> TableFormat:
        """Returns a format of single synapses. Errors: ANA001. Remarks: ANA002."""
        expected = f"one synapse of each axon and compartment, in the layout dense ({planned.name})"
        found = "several synapses between the same two neurons"
        sparse = part.sparse_format(self.device, expected, found, MERGE_OR_OTHER)
        if part.projection not in self.remarked:
            self.remarked.add(part.projection)
            found = f"{found}, stored as {sparse.name}"
            self.diagnostics.remark(ANA002, op=part.projection, expected=expected, found=found, help=MERGE_SYNAPSES)
        return sparse

    def refuse_sum(self, part: Part, expected: str, found: str, help: str = LEGALISE) -> None:
        refuse_op(part.projection, ANA003, expected=expected, found=found, help=help)


def configurations(
    wanted: list[str], params: list[dict[str, ArrayAttr]], sizes: list[int]
) -> tuple[DictionaryAttr, list[Ints]]:
    """Returns the different sets of values of some parameters of several groups, and the place of that of each neuron.

    A parameter that a group does not have is 0 there. Shapes: an entry [configurations]; a place () if all parameters are, or [neurons of the group].
    """
    used = [name for name in wanted if any(name in one for one in params)]
    if not used:
        return DictionaryAttr({}), [np.zeros((), np.int64) for _ in params]
    rows = [values_of(used, one, size) for one, size in zip(params, sizes, strict=True)]
    different, place = np.unique(np.concatenate(rows), axis=0, return_inverse=True)
    entries = {name: ArrayAttr.of(np.ascontiguousarray(different[:, k])) for k, name in enumerate(used)}
    places = np.split(place.reshape(-1).astype(np.int64), np.cumsum([len(one) for one in rows])[:-1])
    is_own = [any(one[name].shape for name in used if name in one) for one in params]
    return attributes_of(entries), [one if own else one[0] for one, own in zip(places, is_own, strict=True)]


def values_of(names: list[str], params: dict[str, ArrayAttr], size: int) -> Ints:
    """Returns the values of some parameters of a group; one row if all neurons have the same. Shapes: [rows, parameters]."""
    given = [params[name].values if name in params else np.zeros((), np.int64) for name in names]
    rows = size if any(values.ndim for values in given) else 1
    return np.stack([np.broadcast_to(values, (rows,)).astype(np.int64) for values in given], axis=-1).reshape(rows, -1)

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
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Part, Slice, attributes_of, entries_of, uniform_entry
from ...analysis.synapse_lists import ANA002
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.dtypes import dtype_bits
from ...core.diagnostics import Diagnostics
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import loihi2, machine
from ...dialects.chip_base.formats import TableFormat
from ...dialects.chip_base.groups import CoreBase
from ...dialects.loihi2.cores import SHARED_BY
from ...dialects.machine.graph import routed_graphs
from ...passes.pipelines import MERGE_OR_OTHER, MERGE_SYNAPSES
from ..chip_builder import TableBuilder, refuse_sum
from .learning import learning_rule

ONE_DELAY = "split the op by the delays of its synapses, or give it an exponent of at least 0"

KINDS: dict[str, type[loihi2.SynapsesOp]] = {"sparse": loihi2.SparseOp, "dense": loihi2.DenseOp}


@dataclass(frozen=True)
class ConvertMachineToLoihi2Pass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-loihi2"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            Rewriter.replace_op(graph, Loihi2Builder(graph, diagnostics_of(ctx)).chip())


class Loihi2Builder(TableBuilder[loihi2.ChipOp]):
    """The conversion of one graph."""

    CHIP, CORE, GROUP = loihi2.ChipOp, loihi2.NeuroCoreOp, loihi2.CompartmentsOp
    INPUT, OUTPUT, AXONS = loihi2.InputOp, loihi2.OutputOp, loihi2.OutputAxonsOp

    def __init__(self, graph: machine.GraphOp, diagnostics: Diagnostics):
        super().__init__(graph)
        self.diagnostics = diagnostics
        shared = self.device.core.shared if self.device.core is not None else {}
        self.shared = {name: [*shared[name].parameters] if name in shared else list[str]() for name in SHARED_BY}
        """The parameters that the compartments of a core share, by the kind of their configuration."""
        self.selected: dict[str, dict[str, Attribute]] = {}
        """The places of the configurations that the compartments of each vertex select."""
        self.remarked: set[machine.ProjectionOp] = set()

    def core(self, place: int, slices: list[Slice]) -> CoreBase:
        """Returns a neuro-core with its configurations and compartments."""
        params = [entries_of(self.tables.populations[source].params, own) for source, _, own in slices]
        sizes = [len(own) for _, _, own in slices]
        configured: dict[str, Attribute] = {}
        for name, wanted in self.shared.items():
            configured[name], places = configurations(wanted, params, sizes)
            for (_, vertex, _), selected in zip(slices, places, strict=True):
                of_vertex = self.selected.setdefault(vertex.node.data, {})
                of_vertex[SHARED_BY[name]] = ArrayAttr.of(selected.astype(np.int32))
        core = super().core(place, slices)
        core.properties.update(configured)
        return core

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        shared = {name for names in self.shared.values() for name in names}
        params = entries_of(self.tables.populations[source].params, own)
        registers = attributes_of({name: array for name, array in params.items() if name not in shared})
        selected = self.selected[vertex.node.data]
        properties = super().group_properties(source, vertex, own, **selected, registers=registers)
        del properties["params"]
        return properties

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> list[loihi2.SynapsesOp]:
        return [table for part in self.tables.parts[vertex.node.data] if (table := self.table(part)) is not None]

    def table(self, part: Part) -> loihi2.SynapsesOp | None:
        """Returns the table of a part; None if it has no synapses. Errors: ANA003."""
        given, own = part.given, part.members
        if given.bias is not None and given.bias[own].any():
            refuse_sum(part, "a sum of spikes alone", "a constant in each tick")
        if given.real is not None:
            refuse_sum(part, "integers", str(given.real))
        after = np.zeros(1, np.int64) if given.exponent is None else np.unique(given.exponent[own])
        if len(after) > 1:
            refuse_sum(part, "one exponent for all neurons", ", ".join(map(str, after.tolist())))
        if not part.count:
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
            refuse_sum(part, "the same delay for all terms of a sum that is rounded", "several delays", ONE_DELAY)
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
        if (grid := part.grid) is not None and not grid.ndim:
            return grid if part.count else np.asarray(1)
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


def configurations(
    wanted: list[str], params: list[dict[str, ArrayAttr]], sizes: list[int]
) -> tuple[DictionaryAttr, list[Ints]]:
    """Returns the distinct configurations (values of some parameters) of several groups, and the configuration index of each neuron.

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
    """Returns the values of some parameters of a group; a single row if all neurons have equal values. Shapes: [rows, parameters]."""
    given = [params[name].values if name in params else np.zeros((), np.int64) for name in names]
    rows = size if any(values.ndim for values in given) else 1
    return np.stack([np.broadcast_to(values, (rows,)).astype(np.int64) for values in given], axis=-1).reshape(rows, -1)

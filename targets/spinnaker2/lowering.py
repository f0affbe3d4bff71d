"""Conversion of a routed machine graph to a `spinnaker2.chip`: the neuron model of each core, and its connections.

    machine.vertex "lif1/0" of "lif1" {core = 3, …}                         spinnaker2.core 3 {axons = 64} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}                  =>        spinnaker2.neurons "lif1/0" of "lif1" @lif_no_delay.value {…} {
                                                                                spinnaker2.connections "fc1" of "input" {pre, post, weight, delay}

1. The neuron model and its reset follow from the name of the update, which `ntensor-legalize` takes from the device: `@MODEL.RESET`.
2. Weights of 0 are omitted.
3. A connection that takes n ticks has the delay n - 1.
4. Connections are sorted by pre, then by post.
5. Each slice of an input is a `spike_list`, which takes a processing element of its own.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a sum that the chip does not compute; CHI013 neurons of another chip; STN006 no processing
element for the inputs; DEV023 no device is specified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Part, uniform_entry
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.device.topology import topology_of
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import PassesOption, Phrase
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, spinnaker2
from ...dialects.chip_base.groups import CHI013
from ...dialects.chip_base.weights import smallest_integers
from ...dialects.machine.graph import routed_graphs
from ...dialects.spinnaker2.cores import MODELS, RESET_NAMES
from ...passes.pipelines import LEGALISE
from ...passes.place.machine_place_vertices import suggest_more_cores
from ..chip_builder import TableBuilder, refuse_sum, verify_weighted_spikes

STN006 = Code("STN006", "inputs-without-element", "the inputs have no processing element")


@dataclass(frozen=True)
class ConvertMachineToSpinnaker2Pass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-spinnaker2"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            verify_places(graph)
            Rewriter.replace_op(graph, Spinnaker2Builder(graph).chip())


def verify_places(graph: machine.GraphOp) -> None:
    """Errors: STN006."""  # 5
    device, inputs, vertices = device_of(graph), graph.inputs, graph.vertices.values()
    topology = topology_of(device, len({vertex.place for vertex in vertices}))
    limit = int(topology.is_usable.sum())
    own = len([vertex for vertex in vertices if vertex.source.data in inputs])
    cores = len({vertex.place for vertex in vertices if vertex.source.data not in inputs})
    if cores + own > limit:
        refuse_op(
            graph,
            STN006,
            expected=f"at most {limit} processing elements",
            found=f"{cores + own}: {cores} of neurons and {own} of inputs",
            **device.limit_facts("topology.cores", cores + own, limit),
            help=suggest_more_cores(graph, topology, cores + own),
        )


class Spinnaker2Builder(TableBuilder[spinnaker2.ChipOp]):
    """The conversion of one graph. Errors: ANA003, CHI013."""

    CHIP, CORE, GROUP = spinnaker2.ChipOp, spinnaker2.CoreOp, spinnaker2.NeuronsOp
    INPUT, OUTPUT = spinnaker2.InputOp, spinnaker2.OutputOp

    def count_axons(self, place: int, groups: Sequence[spinnaker2.NeuronsOp]) -> int:
        return sum(len(group.rows) for group in groups)

    def content(self, source: str, vertex: machine.VertexOp, own: Ints) -> list[spinnaker2.ConnectionsOp]:
        listed = (connections(part, self.device) for part in self.tables.parts[vertex.node.data])
        return [op for op in listed if op is not None]

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        model, reset = neuron_model(self.tables.populations[source])
        return {"model": StringAttr(model), "reset": StringAttr(reset), **super().group_properties(source, vertex, own)}


def neuron_model(population: machine.PopulationOp) -> tuple[str, str]:
    """Returns the model of py-spinnaker2 and its reset. Errors: CHI013."""  # 1
    symbol = population.update.root_reference.data
    model, _, reset = symbol.partition(".")
    if model not in MODELS or reset not in RESET_NAMES:
        expected = f"one of {', '.join(MODELS)}, with the reset {' or '.join(RESET_NAMES)}"
        refuse_op(population, CHI013, expected=expected, found=f"@{symbol}", help=LEGALISE)
    return model, RESET_NAMES[reset]


def connections(part: Part, device: Device) -> spinnaker2.ConnectionsOp | None:
    """Returns the connections of a projection into a vertex; None if there are none. Errors: ANA003."""
    verify_weighted_spikes(part)
    weight, delay = part.weight.astype(np.int64), part.delay
    most = device.integer("features.largest_weight")
    if most is not None and (found := int(np.abs(weight).max(initial=0))) > most:
        quantize = f"ntensor-quantize-weights{{bits={most.bit_length() + 1} per=population}}"
        refuse_sum(part, f"weights from -{most} to {most}", f"{found} in magnitude", Phrase(PassesOption(quantize)))
    if delay.size and delay.min() < 1:
        refuse_sum(part, "a delay of at least 1 tick", f"{delay.min()} ticks")
    pre = part.sources[part.source]
    mine = np.flatnonzero(weight)  # 2
    if not len(mine):
        return None
    mine = mine[np.lexsort((delay[mine], part.neuron[mine], pre[mine]))]  # 4
    properties: dict[str, Attribute] = {
        "node": part.projection.node,
        "source": part.projection.source,
        "pre": ArrayAttr.of(pre[mine].astype(np.int32)),
        "post": ArrayAttr.of(part.neuron[mine].astype(np.int32)),
        "weight": ArrayAttr.of(smallest_integers(weight[mine])),
        "delay": ArrayAttr.of(np.asarray(uniform_entry(delay[mine] - 1), np.int32)),  # 3
    }
    return spinnaker2.ConnectionsOp(properties=properties)

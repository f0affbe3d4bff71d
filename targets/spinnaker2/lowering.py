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

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import Rewriter

from ...analysis.chip_properties import input_properties, output_properties, routed_chip
from ...analysis.core_tables import CoreTables, Part, attributes_of, entries_of, uniform_entry
from ...analysis.synapse_lists import ANA003
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
from ...passes.pipelines import LEGALISE, MERGE_OR_OTHER
from ...passes.place.machine_place_vertices import suggest_more_cores

STN006 = Code("STN006", "inputs-without-element", "the inputs have no processing element")


@dataclass(frozen=True)
class ConvertMachineToSpinnaker2Pass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-spinnaker2"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            verify_places(graph)
            Rewriter.replace_op(graph, GraphConversion(graph).chip())


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
            source=device.cite("topology.cores"),
            path="topology.cores",
            limit=limit,
            value=cores + own,
            help=suggest_more_cores(graph, topology, cores + own),
        )


class GraphConversion:
    """The conversion of one graph."""

    def __init__(self, graph: machine.GraphOp):
        self.graph, self.tables = graph, CoreTables(graph, MERGE_OR_OTHER)

    def chip(self) -> spinnaker2.ChipOp:
        """Returns the chip."""
        graph, block = self.graph, Block()
        for source, vertex, own in self.tables.members():
            if source in self.tables.inputs:
                properties = input_properties(self.tables.inputs[source], vertex, own)
                block.add_op(spinnaker2.InputOp(properties=properties, regions=[Region(Block())]))
        block.add_ops(self.core(place, *vertices) for place, vertices in self.tables.vertices_by_core())
        for output in graph.outputs.values():
            block.add_op(spinnaker2.OutputOp.create(properties=output_properties(output)))
        return routed_chip(spinnaker2.ChipOp, graph, block)

    def core(self, place: int, *vertices: tuple[str, machine.VertexOp, Ints]) -> spinnaker2.CoreOp:
        groups = [self.group(self.tables.populations[source], vertex, own) for source, vertex, own in vertices]
        numbers = {"place": place, "axons": sum(len(group.rows) for group in groups)}
        properties = {name: IntegerAttr(n, i64) for name, n in numbers.items()}
        return spinnaker2.CoreOp(properties=properties, regions=[Region(Block(groups))])

    def group(self, population: machine.PopulationOp, vertex: machine.VertexOp, own: Ints) -> spinnaker2.NeuronsOp:
        """Returns the slice of a population. Errors: ANA003, CHI013."""
        parts = self.tables.parts[vertex.node.data]
        listed = [made for part in parts if (made := connections(part, self.tables.device)) is not None]
        model, reset = neuron_model(population)
        properties: dict[str, Attribute] = {
            "node": vertex.node,
            "source": vertex.source,
            "update": population.update,
            "model": StringAttr(model),
            "reset": StringAttr(reset),
            "index": ArrayAttr.of(own.astype(np.int32)),
            "params": attributes_of(entries_of(population.params, own)),
            "initial": attributes_of(entries_of(population.initial, own)),
            "type": population.type,
        }
        made = spinnaker2.NeuronsOp(properties=properties, regions=[Region(Block(listed))])
        made.location = population.location
        return made


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
    given, own = part.given, part.members
    if given.merged is not None or given.real is not None:
        refuse_unsupported_sum(part, "sums of integers", "a pool of spikes" if given.real is None else str(given.real))
    if given.bias is not None and given.bias[own].any():
        refuse_unsupported_sum(part, "a sum of spikes alone", "a constant in each tick")
    if given.exponent is not None and given.exponent[own].any():
        refuse_unsupported_sum(part, "weights without an exponent", "an exponent")
    weight, delay = part.weight.astype(np.int64), part.delay
    most = device.whole("features.largest_weight")
    if most is not None and (found := int(np.abs(weight).max(initial=0))) > most:
        quantize = f"ntensor-quantize-weights{{bits={most.bit_length() + 1} per=population}}"
        refuse_unsupported_sum(
            part, f"weights from -{most} to {most}", f"{found} in magnitude", Phrase(PassesOption(quantize))
        )
    if delay.size and delay.min() < 1:
        refuse_unsupported_sum(part, "a delay of at least 1 tick", f"{delay.min()} ticks")
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


def refuse_unsupported_sum(part: Part, expected: str, found: str, help: str = LEGALISE) -> None:
    """Errors: ANA003."""
    refuse_op(part.projection, ANA003, expected=expected, found=found, help=help)

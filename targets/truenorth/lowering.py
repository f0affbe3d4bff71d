"""Conversion of a routed machine graph to a `truenorth.chip`: the rows of each core, with a copy of a neuron for each of its destinations.

    machine.vertex "if1/0" of "if1" {core = 3, …}                        truenorth.core 3 {axons = 12, types = […]} {
    machine.edge "fc1" : "input/0" -> "if1/0" {…}                  =>      truenorth.neurons "if1/0" of "if1" {crossbar = …, weights = …} {
                                                                             truenorth.destinations {row = […], dx = […], …}

1. `crossbars.py` defines the axons of each core and their types, `registers.py` the registers of each row.
2. A neuron has a row for each destination: an axon of a core, or a row of the output bus. One without destinations has one row.
3. A destination is an offset in the mesh of all chips. The output bus is below the last line of cores, or above the first, where it is in reach.
4. Routes are not stored: the network between cores delivers each spike to the core at the offset.

Exactness: exact.

Errors: MCH017 a graph that is not routed; ANA003 a population or sum that a core does not compute; TRN009 too many types of axons; DEV023
no device is specified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import GraphSlices, Slice, attributes_of, entries_of, uniform_entry
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.device.topology import topology_of
from ...core.ir.pipeline import NoptPass
from ...dialects import machine, truenorth
from ...dialects.chip_base.groups import CoreBase, arrays_of
from ...dialects.machine.graph import routed_graphs
from ...dialects.machine.parts import updates_of
from ..chip_builder import ChipBuilder
from .crossbars import Crossbar, CrossbarBuilder
from .registers import Neuron, neuron_of, refuse_other_sums


@dataclass(frozen=True)
class ConvertMachineToTruenorthPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-truenorth"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            refuse_other_sums(graph)
            Rewriter.replace_op(graph, TruenorthBuilder(graph, op).chip())


class TruenorthBuilder(ChipBuilder[truenorth.ChipOp]):
    """The conversion of one graph."""

    CHIP, CORE, GROUP = truenorth.ChipOp, truenorth.CoreOp, truenorth.NeuronsOp
    INPUT, OUTPUT = truenorth.InputOp, truenorth.OutputOp

    def __init__(self, graph: machine.GraphOp, module: ModuleOp):
        super().__init__(graph, GraphSlices(graph))
        self.topology = topology_of(self.device, len(graph.vertices))
        self.populations, self.sources = self.slices.populations, self.slices.sources
        updates = updates_of(module)
        self.neurons = {
            name: neuron_of(one, updates[one.update.root_reference.data], self.device)
            for name, one in self.populations.items()
        }
        builder = CrossbarBuilder(graph, self.device)
        self.crossbars: dict[int, Crossbar] = {}
        self.first: dict[str, int] = {}
        """The first neuron of each vertex on its core."""
        for place, slices in self.slices.vertices_by_core():
            self.crossbars[place] = builder.crossbar(place, [(source, own) for source, _, own in slices])
            sizes = np.cumsum([0, *(len(own) for _, _, own in slices)]).tolist()
            self.first |= {vertex.node.data: n for (_, vertex, _), n in zip(slices, sizes, strict=False)}
        self.rows = self.bus_rows()
        self.destinations = {source: self.sorted_destinations(k) for k, source in enumerate(self.sources)}

    # ---- destinations

    def bus_rows(self) -> dict[str, Ints]:
        """Returns the row of the output bus of each neuron, for populations that are outputs."""
        found: dict[str, Ints] = {}
        first = 0
        outputs = {one.source.data for one in self.graph.outputs.values()}
        for name, population in self.populations.items():
            if name in outputs:
                size = machine.size_of(population.type)
                found[name] = first + np.arange(size)
                first += size
        return found

    @property
    def bus(self) -> Ints:
        """Returns the position of the output bus."""  # 3
        height, reach = truenorth.lines(self.topology), self.device.integer("topology.routers.reach")
        return np.array([0, height if reach is None or height <= reach else -1])

    def sorted_destinations(self, source: int) -> Ints:
        """Returns neuron, core, axon and delay of each destination of a source, by neuron. The core BUS is the output bus."""
        found: list[Ints] = [np.zeros((0, 4), np.int64)]
        for place, one in self.crossbars.items():
            axon = np.flatnonzero(one.source == source)
            found.append(np.stack([one.neuron[axon], np.full(len(axon), place), axon, one.delay[axon]], axis=1))
        least = max(1, self.device.integer("synapse.delay.min") or 0)
        if (rows := self.rows.get(self.sources[source])) is not None:
            neuron = np.arange(len(rows))
            found.append(np.stack([neuron, np.full(len(rows), truenorth.BUS), rows, np.full(len(rows), least)], axis=1))
        every = np.concatenate(found)
        return every[np.lexsort(every.T[::-1])]

    # ---- ops

    def chip_properties(self) -> dict[str, Attribute]:
        neuron = next(iter(self.neurons.values()), Neuron({}, 20, "saturate"))
        return {
            "potential_bits": IntegerAttr(neuron.potential_bits, i64),
            "overflow": StringAttr(neuron.overflow),
            "neuron_reset_type": IntegerAttr(neuron.neuron_reset_type, i64),
            "bus": ArrayAttr.of(self.bus.astype(np.int32)),
        }

    def output_properties(self, output: machine.OutputOp) -> dict[str, Attribute]:
        rows = self.rows.get(output.source.data)
        own = {} if rows is None else {"rows": ArrayAttr.of(rows.astype(np.int32))}
        return {**super().output_properties(output), **own}

    def of_neurons(self, source: str, own: Ints) -> Ints:
        """Returns the destinations of some neurons, with their places in `own`, by place."""
        every = self.destinations[source]
        place = np.full(int(max(own.max(initial=-1), every[:, 0].max(initial=-1))) + 1, -1)
        place[own] = np.arange(len(own))
        found = every.copy()
        found[:, 0] = place[every[:, 0]]
        found = found[found[:, 0] >= 0]
        return found[np.argsort(found[:, 0], kind="stable")]

    def core(self, place: int, slices: list[Slice]) -> CoreBase:
        core = super().core(place, slices)
        core.properties["types"] = ArrayAttr.of(self.crossbars[place].types.astype(np.int32))
        return core

    def count_axons(self, place: int, groups: Sequence[truenorth.NeuronsOp]) -> int:
        return len(self.crossbars[place].types)

    def rows_in(self, own: Ints, sent: Ints) -> tuple[Ints, Ints]:
        """Returns the neuron of each row of a vertex, and the row of each of its destinations."""
        return rows_of(sent[:, 0], len(own), self.device.integer("core.destinations") or len(sent) + 1)

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        population, crossbar = self.populations[source], self.crossbars[self.slices.places[vertex.node.data]]
        neuron, _ = self.rows_in(own, self.of_neurons(source, own))
        params = {name: array.values for name, array in entries_of(population.params, own).items()}
        initial = arrays_of(attributes_of(entries_of(population.initial, own)))
        registers = self.neurons[source].registers(params)
        parameters = {
            name: ArrayAttr.of(spread(registers.get(name, np.zeros((), np.int64)), neuron))
            for name in truenorth.PARAMETERS
        }
        potential = next(iter(initial.values()), np.zeros((), np.int64))
        on_core = self.first[vertex.node.data] + neuron
        return {
            "index": ArrayAttr.of(own[neuron].astype(np.int32)),
            "crossbar": ArrayAttr.of(crossbar.switches[on_core].astype(np.int8)),
            "weights": ArrayAttr.of(crossbar.weights[on_core].astype(np.int32)),
            "parameters": attributes_of(parameters),
            "potential": ArrayAttr.of(spread(potential, neuron)),
            "type": population.type,
        }

    def sending(self, source: str, vertex: machine.VertexOp, own: Ints) -> Iterator[Operation]:
        """Yields the packets of an input, or the destinations of rows, as offsets from their core."""
        sent = self.of_neurons(source, own)
        if not len(sent):
            return
        if source in self.slices.inputs:
            yield truenorth.PacketsOp(*sent.T)
            return
        _, row = self.rows_in(own, sent)
        core, axon, tick = sent[:, 1], sent[:, 2], sent[:, 3]
        is_bus, topology, place = core == truenorth.BUS, self.topology, self.slices.places[vertex.node.data]
        per_bus = self.device.integer("core.input_axons") or 256
        x = np.array([truenorth.column(topology, c) if c >= 0 else 0 for c in core.tolist()])
        y = np.array([truenorth.line(topology, c) if c >= 0 else 0 for c in core.tolist()])
        x, y = np.where(is_bus, self.bus[0] + axon // per_bus, x), np.where(is_bus, self.bus[1], y)
        places = np.where(is_bus, axon % per_bus, axon)
        dx, dy = x - truenorth.column(topology, place), y - truenorth.line(topology, place)
        yield truenorth.DestinationsOp(row=row, dx=dx, dy=dy, axon=places, tick=tick)


def rows_of(sender: Ints, neurons: int, each: int) -> tuple[Ints, Ints]:
    """Returns the neuron of each row, and the row of each destination; `sender` is the neuron of each destination, ascending."""  # 2
    count = np.bincount(sender, minlength=neurons)
    copies = np.maximum(1, -(-count // each))
    first = np.cumsum(copies) - copies
    rank = np.arange(len(sender)) - np.searchsorted(sender, sender)
    return np.repeat(np.arange(neurons), copies), first[sender] + rank // each


def spread(values: AnyArray, neuron: Ints) -> AnyArray:
    """Returns the entry of each row; a scalar if all entries are equal. Shapes: values () or [neurons]."""
    found = values[neuron] if values.shape else values
    return np.asarray(uniform_entry(found) if found.shape else found, np.int32)

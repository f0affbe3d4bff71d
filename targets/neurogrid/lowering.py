"""Conversion of a routed machine graph to a `neurogrid.chip`: the site of each neuron, and the terminals of each sender.

    machine.vertex "lif1/0" of "lif1" {core = 0, …}                    neurogrid.core 0 {axons = 0} {
    machine.edge "fc1" : "input/0" -> "lif1/0" {…}           =>          neurogrid.somas "lif1/0" of "lif1" @neurogrid.pulse {row = …, column = …, params = …}

1. `layout.py` chooses the sites of the neurons of a core.
2. The operands of a neuron are its synapse populations, in their order. A weight is a number of events at the site of its neuron.
3. Where a population has arbors (`neurogrid.arbors`), `events.py` finds the events whose arbors have the weights.
4. Terminals of a sender are listed by projection. Weights of 0 are omitted.

5. The model computes one step of forward Euler in each tick. After the time tau, (1 - dt / tau)^(tau / dt) remains of a state, and 1/e in continuous time. Loops
   amplify the difference, so that one of more than 2 % is a warning there.

Exactness: exact.

Warnings: NGR017 long steps in a loop. Errors: MCH017 a graph that is not routed; ANA003 a sum that the chip does not compute; CHI013 neurons of another chip; NGR015 weights that no events have;
DEV023 no device is specified.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute
from xdsl.rewriter import Rewriter

from ...analysis.core_tables import Part
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, Diagnostics, refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.graph_region import components
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass
from ...core.number_texts import number_text
from ...dialects import machine, neurogrid
from ...dialects.chip_base.groups import CHI013
from ...dialects.machine.graph import routed_graphs
from ...dialects.neurogrid.arbors import radii_of
from ...dialects.neurogrid.cores import SYNAPSES, count_synapse_populations
from ...passes.pipelines import LEGALISE
from ..chip_builder import (
    TableBuilder,
    refuse_invalid,
    refuse_sum,
    verify_fixed_weights,
    verify_single_delay,
    verify_weighted_spikes,
)
from .events import events_for
from .layout import Extent, sites_of

NGR015 = Code("NGR015", "weights-fit-no-events", "no events have these weights")
NGR017 = Code("NGR017", "steps-long-in-loop", "the steps of the model are long for a loop")

LARGEST_STEP_ERROR = 0.02
"""Largest relative error of the state that remains after one time constant; a larger error causes a warning."""
ARRAY_COLUMNS = 256
"""Columns of the array where the device does not declare them."""


@dataclass(frozen=True)
class ConvertMachineToNeurogridPass(NoptPass):
    """Converts every routed `machine.graph`."""

    name = "convert-machine-to-neurogrid"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in routed_graphs(op):
            report_steps(graph, diagnostics_of(ctx))
            chip = NeurogridBuilder(graph).chip()
            Rewriter.replace_op(graph, chip)
            refuse_invalid(chip)


class NeurogridBuilder(TableBuilder[neurogrid.ChipOp]):
    """The conversion of one graph."""

    CHIP, CORE, GROUP = neurogrid.ChipOp, neurogrid.CoreOp, neurogrid.SomasOp
    INPUT, OUTPUT = neurogrid.InputOp, neurogrid.OutputOp

    def __init__(self, graph: machine.GraphOp):
        super().__init__(graph)
        self.radii = {name: radii_of(one, verified_synapses(one)) for name, one in graph.populations.items()}
        self.sites: dict[str, Ints] = {}
        """Row and column of the neurons of each vertex."""
        columns = self.tables.device.integer("features.columns") or ARRAY_COLUMNS
        for _, vertices in self.tables.vertices_by_core():
            extents = [self.extent(source, own) for source, _, own in vertices]
            for (_, vertex, _), found in zip(vertices, sites_of(extents, columns), strict=True):
                self.sites[vertex.node.data] = found
        self.terminals = self.terminals_by_vertex()

    def extent(self, source: str, own: Ints) -> Extent:
        shape = shape_of(self.tables.populations[source].type)
        return Extent(own, shape, max(self.radii[source], default=0.0))

    def count_axons(self, place: int, groups: Sequence[neurogrid.SomasOp]) -> int:
        return 0

    def sending(self, source: str, vertex: machine.VertexOp, own: Ints) -> list[neurogrid.TerminalsOp]:
        return self.terminals.get(vertex.node.data, [])

    def group_properties(
        self, source: str, vertex: machine.VertexOp, own: Ints, **more: Attribute
    ) -> dict[str, Attribute]:
        row, column = (ArrayAttr.of(place.astype(np.int32)) for place in self.sites[vertex.node.data])
        arbors = ArrayAttr.of(np.array(self.radii[source], np.float64))
        return super().group_properties(source, vertex, own, row=row, column=column) | {"arbors": arbors}

    # ---- terminals

    def terminals_by_vertex(self) -> dict[str, list[neurogrid.TerminalsOp]]:
        """Returns the terminals of each vertex by its name."""  # 4
        places: dict[tuple[str, str], list[tuple[Ints, Ints]]] = {}
        homes = {source: self.home(source) for source in self.tables.sources}
        for parts in self.tables.parts.values():
            for part in parts:
                source, neuron, sites, events = self.events(part)
                vertex_of, place_in = homes[part.projection.source.data]
                core = self.tables.places[part.vertex.node.data]
                for number, vertex in enumerate(self.vertex_names(part.projection.source.data)):
                    mine = vertex_of[source] == number
                    here = place_in[source[mine]]
                    known = np.full((2, len(here)), [[core], [part.port]])
                    where = np.concatenate([here[None], known, sites[:, neuron[mine]]])
                    if len(here):
                        places.setdefault((vertex, part.projection.node.data), []).append((where, events[mine]))
        found: dict[str, list[neurogrid.TerminalsOp]] = {}
        for (name, projection), listed in places.items():
            every, events = (np.concatenate(one, axis=-1) for one in zip(*listed, strict=True))
            unique, which = np.unique(every, axis=1, return_inverse=True)
            total = np.zeros(unique.shape[1], np.int64)
            np.add.at(total, which.reshape(-1), events)
            found.setdefault(name, []).append(neurogrid.TerminalsOp(projection, unique, total))
        return found

    def vertex_names(self, source: str) -> list[str]:
        return [vertex.node.data for vertex in self.tables.counts.vertices[source]]

    def home(self, source: str) -> tuple[Ints, Ints]:
        """Returns for each neuron of a source the number of its vertex, and its index in the vertex. Shapes: [neurons]."""
        slicing = self.tables.counts.slices[source]
        vertex, place = np.zeros(slicing.size, np.int64), np.zeros(slicing.size, np.int64)
        for k, own in enumerate(slicing.members):
            vertex[own], place[own] = k, np.arange(len(own))
        return vertex, place

    def events(self, part: Part) -> tuple[Ints, Ints, Ints, Ints]:
        """Returns source, target and number of events of each terminal, and the sites of all targets. Errors: ANA003, NGR015.

        Shapes: source, target (a place in the vertex) and events [terminals]; sites [2, neurons].
        """
        verify_fixed_weights(part)
        verify_weighted_spikes(part, "events")
        verify_single_delay(part)
        sites, weight = self.sites[part.vertex.node.data], part.weight.astype(np.int64)
        used = weight != 0
        source, neuron, weight = part.sources[part.source[used]], part.neuron[used], weight[used]
        if (weight < 0).any():
            refuse_sum(part, "numbers of events, from 0", str(weight.min()))
        radius = self.radii[part.vertex.source.data][part.port]
        if radius <= 0:  # 2
            return source, neuron, sites, weight
        found: list[tuple[Ints, Ints, Ints]] = []
        for one in np.unique(source).tolist():  # 3
            mine = source == one
            total = np.zeros(sites.shape[1], np.int64)
            np.add.at(total, neuron[mine], weight[mine])
            events = events_for(total, sites, radius)
            if events is None:
                refuse_op(
                    part.projection,
                    NGR015,
                    node=part.vertex.source.data,
                    expected=f"sums of arbors with the radius {radius:g} of {SYNAPSES[part.port]}",
                    found=f"other weights of neuron {one} of {part.projection.source.data}",
                    help="fit the weights by arbors again, before the network is legalised",
                )
            chosen = np.flatnonzero(events)
            found.append((np.full(len(chosen), one), chosen, events[chosen]))
        source, neuron, events = (np.concatenate(one) for one in zip(*found, strict=True))
        return source, neuron, sites, events


def report_steps(graph: machine.GraphOp, diagnostics: Diagnostics) -> None:
    """Warns of the population of a loop with the shortest time constant in steps. Warnings: NGR017."""  # 5
    signals = {name: one.source.data for name, one in graph.projections.items()}
    sources = {
        name: [signals.get(one.data, one.data) for port in op.inputs for one in port]
        for name, op in graph.populations.items()
    }
    dt, worst = graph.tick_ns.value.data / 1e9, (0.0, "", "")
    for component in components(list(sources), lambda name: [one for one in sources[name] if one in sources]):
        for name in component if len(component) > 1 or component[0] in sources[component[0]] else ():
            for key, array in graph.populations[name].params.data.items():
                is_used = key == "tau_s" or key.removeprefix("tau_") in SYNAPSES
                if is_used and isinstance(array, ArrayAttr) and graph.populations[name].family is not None:
                    worst = max(worst, (dt / float(array.values.min()), name, key))
    step, name, key = worst
    error = 1 - max(1 - step, 0.0) ** (1 / step) * np.e if step else 0.0
    if error > LARGEST_STEP_ERROR:
        diagnostics.warning(
            NGR017,
            op=graph.populations[name],
            expected=f"at most {LARGEST_STEP_ERROR:.0%} less of a state than in continuous time after {key} = {number_text(dt / step * 1e3)} ms",
            found=f"{error:.1%} less, with steps of {number_text(dt * 1e3)} ms",
            help=f"nopt explain {NGR017}",
        )


def verified_synapses(population: machine.PopulationOp) -> int:
    """Returns the number of synapse populations of a population. Errors: CHI013."""
    found = count_synapse_populations(list(population.params.data))
    if found is None:
        symbol = population.update.root_reference.data
        expected = "parameters of a soma, and of at most four synapse populations"
        refuse_op(population, CHI013, expected=expected, found=f"those of @{symbol}", help=LEGALISE)
    return found

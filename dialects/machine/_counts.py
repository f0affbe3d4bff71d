"""Verification of the counts of a machine graph: synapses, axons, delays and resources follow from its projections and slices.

No declared number is trusted. Counts come from `dialects/chip_base`, the same that the mapper uses, and limits are compared with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import Ints
from ...core.device.core_kinds import kind_at
from ...core.device.limits import Contracts, excesses, limit_exceeded
from ...core.device.outside_memory import STORE, outside_uses
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, InvalidOp, describe_op, invalid
from ...core.ir.operation import shape_of
from ..chip_base.chains import Chain, ChainCounts
from ..chip_base.connectivity import Arrivals, count_arrivals, count_destinations, joints
from ..chip_base.needs import Needs, learning_violations, needs_of, sending_needs, weight_needs
from ..chip_base.parts import abbreviate
from ..chip_base.sharing import Contents, contents_of, join_needs
from ..chip_base.slicing import Slicing
from ..ntensor import SynapseOpInterface
from .mapping import EdgeOp, VertexOp
from .parts import MCH001, PopulationOp, ProjectionOp, updates_of

if TYPE_CHECKING:
    from .graph import GraphOp

MCH011 = Code("MCH011", "declared-count-differs", "a declared number differs from the graph")
MCH012 = Code("MCH012", "edges-mismatch-synapses", "the edges differ from the synapses")
MCH013 = Code("MCH013", "projection-unsupported", "the device does not support a projection")

HELP_REMAP = "map the network again, with ntensor-legalize before convert-ntensor-to-machine"


# ---- counting


@frozen(eq=False)
class GraphCounts:
    """The slices of a graph and the synapses between them, by the name of the population or input."""

    slices: dict[str, Slicing]
    vertices: dict[str, list[VertexOp]]
    arrivals: dict[str, Arrivals]
    reached: dict[str, Ints]
    """The slices that each neuron has synapses into."""


def slicing_of(part: object, shape: tuple[int, ...], vertices: Iterable[VertexOp]) -> Slicing:
    """Returns the slices of a population or input as its vertices define them."""
    order = part.order if isinstance(part, PopulationOp) else None
    boxes = [vertex.box.values for vertex in vertices]
    axes = len(shape) if order is None else 1
    stacked = np.stack(boxes).astype(np.int64) if boxes else np.zeros((0, axes, 2), np.int64)
    return Slicing(shape, stacked, None if order is None else order.values.astype(np.int64))


def count_graph(graph: GraphOp) -> GraphCounts:
    """Counts the synapses between the slices of a graph whose parts and slices verify."""
    populations = graph.populations
    vertices = graph.vertices_by_source()
    slices = {
        name: slicing_of(populations.get(name), shape_of(type), vertices[name])
        for name, type in graph.source_types().items()
    }
    chains = {name: (one.source.data, Chain(tuple(one.steps))) for name, one in graph.projections.items()}
    reached = {name: np.zeros(slicing.size, np.int64) for name, slicing in slices.items()}
    arrivals = {
        name: count_arrivals(slices[name], [chains[one] for one in population.projections], slices, reached)
        for name, population in populations.items()
    }
    return GraphCounts(slices, vertices, arrivals, reached)


def count_needs(graph: GraphOp, counts: GraphCounts, device: Device | None) -> dict[str, Needs]:
    """Returns the needs of each vertex, by name. Requires a graph in a module."""
    module, found = graph.parent_op(), dict[str, Needs]()
    assert isinstance(module, ModuleOp)  # a trait of the graph
    updates, populations = updates_of(module), graph.populations
    each = None if device is None else device.integer("core.destinations")
    outputs = [one.source.data for one in graph.outputs.values()]
    destinations = {} if each is None else count_destinations(counts.arrivals.values(), counts.slices, outputs)
    for name, vertices in counts.vertices.items():
        slicing = counts.slices[name]
        needs: list[Needs] = [{"neurons": len(own)} for own in slicing.members]
        if (one := populations.get(name)) is not None:
            update = updates[one.update.root_reference.data]
            needs = needs_of(one.params, one.type, update, slicing, counts.arrivals[name], device)
        sending = sending_needs(slicing, counts.reached[name], destinations.get(name), each)
        for vertex, own, sent in zip(vertices, needs, sending, strict=True):
            found[vertex.node.data] = own | sent
    return found


def count_contents(graph: GraphOp, counts: GraphCounts, device: Device | None) -> dict[str, Contents]:
    """Returns the contents of each population vertex (axons and parameter classes that vertices on a core share), by vertex name."""
    found: dict[str, Contents] = {}
    for name, one in graph.populations.items():
        listed = contents_of(one.params, counts.slices[name], counts.arrivals[name], device)
        found.update(zip((vertex.node.data for vertex in counts.vertices[name]), listed, strict=True))
    return found


# ---- declared counts


def verify_edge_counts(graph: GraphOp, counts: GraphCounts) -> None:
    """Refuses missing edges, edges without synapses, and edges with other counts. Errors: MCH001, MCH011, MCH012."""
    waiting = {(edge.projection.data, edge.source.data, edge.target.data): edge for edge in graph.edges}
    projections = graph.projections
    for name, population in graph.populations.items():
        names = population.projections
        if len(set(names)) < len(names):
            twice = next(one for k, one in enumerate(names) if one in names[:k])
            invalid(
                population, MCH001, f'"{twice}" is added twice', help="define a second projection with another name"
            )
        found = counts.arrivals[name]
        sources = [counts.vertices[projections[one].source.data] for one in names]
        for joint in joints(found):
            c = joint.chain
            ends = sources[c][joint.source].node.data, counts.vertices[name][joint.target].node.data
            edge = waiting.pop((names[c], *ends), None)
            if edge is None:
                invalid(
                    projections[names[c]],
                    MCH012,
                    f'no edge from "{ends[0]}" to "{ends[1]}"',
                    node=name_of_layer(projections[names[c]]),
                    expected=f"an edge with synapses = {joint.synapses}",
                    found="none",
                    help="map the network again with convert-ntensor-to-machine",
                )
            if (edge.synapses.value.data, edge.axons.value.data) != (joint.synapses, joint.axons):
                one, other = ("synapses", joint.synapses), ("axons", joint.axons)
                what, counted = one if edge.synapses.value.data != joint.synapses else other
                refuse_count(graph, edge, what, counted, getattr(edge, what).value.data)
            chain = found.chains[c]
            if (delays := tuple(edge.delays.values.tolist())) != joint.delays:
                refuse_count(graph, edge, "delays", list(joint.delays), list(delays))
            if edge.sources is not None:
                verify_sources(graph, edge, chain, joint.target, joint.source)
    for edge in waiting.values():
        expected, found = "synapses = 1 or more", "no synapse in the projection"
        refuse_edge(graph, edge, MCH012, "an edge without synapses", expected, found, "remove the edge")


def verify_sources(graph: GraphOp, edge: EdgeOp, chain: ChainCounts, target: int, source: int) -> None:
    assert edge.sources is not None  # asked before
    counted = chain.sources(target, source)
    wanted = np.arange(len(chain.source.members[source])) if counted is None else counted
    listed = edge.sources.values
    if not np.array_equal(listed, wanted) and not np.array_equal(np.sort(listed), wanted):
        refuse_count(graph, edge, "sources", abbreviate(wanted), abbreviate(listed))


def refuse_count(graph: GraphOp, edge: EdgeOp, what: str, counted: object, found: object) -> NoReturn:
    """Errors: MCH011."""
    expected, help = f"{counted}, counted in the projection", "map the network again with convert-ntensor-to-machine"
    refuse_edge(graph, edge, MCH011, f"declared {what} differ from the graph", expected, str(found), help)


def refuse_edge(
    graph: GraphOp, edge: EdgeOp, code: Code, message: str, expected: str, found: str, help: str
) -> NoReturn:
    node = name_of_layer(graph.projections[edge.projection.data])
    invalid(edge, code, message, at=edge_text(edge), node=node, expected=expected, found=found, help=help)


def edge_text(edge: EdgeOp) -> str:
    return f'{edge.name} "{edge.projection.data}" : "{edge.source.data}" -> "{edge.target.data}"'


def name_of_layer(projection: ProjectionOp) -> str:
    """Returns the user's name of a projection's layer: the name of its last named synapse op, else the name of the projection."""
    named = [describe_op(op)[1] for op in projection.steps if isinstance(op, SynapseOpInterface)]
    return next((name for name in reversed(named) if name), projection.node.data)


DEVICE_NEEDS = ("synapse_bytes", "classes.", STORE)
"""Needs that are counted only for a device."""


def verify_declared_needs(graph: GraphOp, needs: Mapping[str, Needs], device: Device | None) -> None:
    """Refuses declared needs that differ from the counted needs. Errors: MCH011."""
    for vertex in graph.vertices.values():
        counted = needs[vertex.node.data]
        declared = {
            name: n
            for name, n in vertex.needed.items()
            if n != counted.get(name) and (device is not None or name in counted or not name.startswith(DEVICE_NEEDS))
        }
        for name, found in declared.items():
            expected = f"{name} = {counted[name]}, counted in the graph" if name in counted else "no such need"
            others = [f"{one} = {n}, counted {counted.get(one, 'none')}" for one, n in declared.items() if one != name]
            invalid(
                vertex,
                MCH011,
                f"declared {name} differs from the graph",
                node=vertex.source.data,
                expected=expected,
                found=f"{name} = {found}",
                help="map the network again with convert-ntensor-to-machine",
                notes=others,
            )


# ---- limits of the device


def verify_projections(graph: GraphOp, counts: GraphCounts, device: Device) -> None:
    """Refuses weights, delays and learning rules that the device does not support. Errors: MCH013."""
    least, projections, populations = device.integer("synapse.delay.min") or 0, graph.projections, graph.populations
    verified: set[str] = set()
    for name, population in populations.items():
        for one, found in zip(population.projections, counts.arrivals[name].chains, strict=True):
            if one not in verified:
                verified.add(one)
                verify_projection(
                    projections[one], found, device, least if projections[one].source.data in populations else 0
                )


def verify_projection(projection: ProjectionOp, found: ChainCounts, device: Device, least: int) -> None:
    node = name_of_layer(projection)
    if exceeded := excesses(device, {**weight_needs(found.mantissas, device), "delay": found.delays[1]}):
        raise InvalidOp(limit_exceeded(exceeded, node=node, help=HELP_REMAP).about(projection))
    if found.axons.any() and found.delays[0] < least:
        invalid(
            projection,
            MCH013,
            f"delay below the minimum of {device.key}",
            node=node,
            expected=f"at least {least} ticks",
            found=f"{found.delays[0]} ticks",
            source=device.cite("synapse.delay.min"),
            help=HELP_REMAP,
        )
    for op in projection.steps:
        violations = learning_violations(op, device) if isinstance(op, SynapseOpInterface) else None
        if violations is not None and all(violations.values()):
            rules = device.plasticity or {}
            invalid(
                projection,
                MCH013,
                f"{device.key} does not have this learning rule",
                node=describe_op(op)[1],
                expected=", ".join(f"{key} ({rule.rule})" for key, rule in rules.items()) or "weights without a rule",
                found=str(op.properties["plasticity"].name),
                source=f"{device.key}, plasticity",
                help="map the network again, with ntensor-freeze-plasticity before convert-ntensor-to-machine",
                notes=[f"{key}: {reason}" for key, reasons in violations.items() for reason in reasons],
            )


def verify_limits(graph: GraphOp, needs: Mapping[str, Needs], device: Device) -> None:
    """Refuses a vertex that exceeds the resources of a core, or violates a contract. Errors: DEV016, DEV021."""
    populations, contracts = graph.populations, device.derive(Contracts)
    for vertex in graph.vertices.values():
        if vertex.source.data not in populations:
            continue
        counted = needs[vertex.node.data]
        for broken in contracts.broken(counted):
            raise InvalidOp(broken.finding(node=vertex.source.data).about(vertex))
        if found := excesses(device, counted):
            help = "map the network again, with ntensor-plan-cores before convert-ntensor-to-machine"
            raise InvalidOp(limit_exceeded(found, node=vertex.source.data, help=help).about(vertex))


def verify_cores(
    graph: GraphOp, counts: GraphCounts, needs: Mapping[str, Needs], device: Device, topology: Topology
) -> None:
    """Refuses vertices that together exceed the resources of their core, or memory outside of the cores. Errors: DEV016, DEV022."""
    contents, vertices, used = count_contents(graph, counts, device), graph.vertices, dict[int, Needs]()
    for core, names in graph.vertices_by_core().items():
        together = join_needs([needs[name] for name in names], [contents[name] for name in names])
        used[core] = together
        kind = kind_at(device, core, topology.own) if device.core_kinds else None
        if (len(names) > 1 or kind is not None) and (found := excesses(device, together, kind)):
            needed = f"{found[0].value} of {', '.join(names)}"
            shared = f"the vertices share {topology.format_core(core)}"
            finding = limit_exceeded(found, needed, [shared], help="place the graph again")
            raise InvalidOp(finding.about(vertices[names[-1]]))
    for one in outside_uses(device, used, {core: topology.place(core)[0] for core in used}):
        if one.is_exceeded:
            raise InvalidOp(one.finding(device, "place the graph again").about(graph))

"""New slices of populations in a partitioned machine graph: orders, boxes, needs and edges, counted anew."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.placement.placement_problem import Problem
from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.device.limits import Contracts, excesses
from ...core.device.records import Device
from ...dialects import machine
from ...dialects.chip_base.connectivity import joints

Plan = tuple[Ints | None, Ints]
"""The order and the boxes of the slices of a population."""


def plan_of(members: list[Ints]) -> Plan:
    """Returns the order and the boxes of slices with these neurons. Shapes: order [neurons], boxes [slices, 1, 2]."""
    sizes = np.array([len(one) for one in members], np.int64)
    ends = sizes.cumsum()
    boxes: Ints = np.stack([ends - sizes, ends], axis=1)[:, None, :]
    return np.concatenate(members), boxes


def replan(graph: machine.GraphOp, plans: Mapping[str, Plan], rates: Mapping[str, float], device: Device) -> None:
    """Replaces the slices of populations, by name: their order and boxes. Vertices of populations with another number of slices are replaced."""
    populations, vertices = graph.populations, graph.vertices_by_source()
    for name, (order, boxes) in plans.items():
        populations[name].order = None if order is None else ArrayAttr.of(order)
        if len(boxes) != len(vertices[name]):
            vertices[name] = replace_vertices(name, vertices[name], boxes)
        for vertex, box in zip(vertices[name], boxes, strict=True):
            vertex.box = ArrayAttr.of(box.astype(np.int64))
    counts = graph.counts()
    needs = graph.counted_needs(device)
    for listed in vertices.values():
        for vertex in listed:
            if vertex.needs is not None:
                vertex.needs = machine.number_dictionary(needs[vertex.node.data])
    for edge in graph.edges:
        Rewriter.erase_op(edge)
    edges, projections = list[machine.EdgeOp](), graph.projections
    for name, population in populations.items():
        for joint in joints(found := counts.arrivals[name]):
            projection = population.projections[joint.chain]
            source, one = projections[projection].source.data, found.chains[joint.chain]
            edges.append(
                machine.EdgeOp(
                    projection,
                    vertices[source][joint.source].node.data,
                    vertices[name][joint.target].node.data,
                    synapses=joint.synapses,
                    axons=joint.axons,
                    activity=joint.axons * rates[source],
                    delays=joint.delays,
                    sources=one.sources(joint.target, joint.source),
                )
            )
    Rewriter.insert_op(edges, InsertPoint.at_end(graph.body.block))


def replace_vertices(name: str, before: list[machine.VertexOp], boxes: Ints) -> list[machine.VertexOp]:
    """Returns the new vertices of a population, in place of the ones before; they declare needs if those do."""
    needs = None if before[0].needs is None else {}
    found = [machine.VertexOp(f"{name}/{k}", name, box.astype(np.int64), needs) for k, box in enumerate(boxes)]
    Rewriter.insert_op(found, InsertPoint.before(before[0]))
    for one in before:
        Rewriter.erase_op(one)
    return found


def has_exact_slices(graph: machine.GraphOp, problem: Problem, device: Device) -> bool:
    """Returns whether slices may change: the cost is that of the trees of single neurons, and no slice has duplicates of neurons or axons."""
    topology, vertices = problem.topology, graph.vertices
    return (
        topology.is_multicast
        and not topology.is_keyed
        and problem.kinds is None
        and problem.outside is None
        and problem.input_axons is None
        and device.integer("core.crossbar.axon_types") is None
        and device.integer("core.destinations") is None
        and all(
            edge.sources is not None or edge.axons.value.data == vertices[edge.source.data].neurons
            for edge in graph.edges
        )
    )


def keeps_limits(graph: machine.GraphOp, device: Device) -> bool:
    """Returns whether each vertex of a population keeps the limits and contracts of the device; an input needs no core."""
    contracts, needs, populations = device.derive(Contracts), graph.counted_needs(device), graph.populations
    return not any(
        excesses(device, needs[name]) or any(True for _ in contracts.broken(needs[name]))
        for name, vertex in graph.vertices.items()
        if vertex.source.data in populations
    )

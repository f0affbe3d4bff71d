"""New slices of populations in a partitioned machine graph: orders, boxes, needs and edges, counted anew."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.rewriter import InsertPoint, Rewriter

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
    """Replaces the slices of populations, by name: their order and boxes. The number of slices stays."""
    populations, vertices = graph.populations, graph.vertices_by_source()
    for name, (order, boxes) in plans.items():
        populations[name].order = None if order is None else ArrayAttr.of(order)
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


def keeps_limits(graph: machine.GraphOp, device: Device) -> bool:
    """Returns whether each vertex keeps the limits and contracts of the device."""
    contracts = device.derive(Contracts)
    return not any(
        excesses(device, one) or any(True for _ in contracts.broken(one))
        for one in graph.counted_needs(device).values()
    )

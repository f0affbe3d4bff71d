"""Mapping of a routed machine graph, with the cores of neurons and the routes of spikes: the record `nopt.mapping/1`.

    {"schema": "nopt.mapping/1", "network": "braille", "device": "asic/mesh",
     "populations": [{"node": "lif1", "shape": [38], "is_input": false, "order": null, "rate": 0.05}, …],
     "vertices": [{"id": "lif1/0", "node": "lif1", "slice": [[0, 38]], "ordered": false, "neurons": 38, "core": 7, "chip": 0}, …],
     "cores": [{"id": 7, "chip": 0, "x": 1, "y": 1}, …],
     "edges": [{"source": "input/0", "target": "lif1/0", "projection": "fc1", "synapses": 456, "axons": 12, "activity": 12.0,
                "format": "dense8", "entries": 456}, …],
     "routes": [{"source": "input/0", "neurons": [0, 2, …], "shared": false, "activity": 12.0,
                 "links": [[0, 0, 1, 0], [1, 0, 1, 1]]}, …],
     "deliveries": [{"source": "input/0", "core": 7, "chip": 0, "neurons": 12, "activity": 12.0}, …],
     "cost": {"objective": "…", "value": 24.0, "bound": 12.0, "network_bound": 6.0, "weights": {"hop": 1.0, "crossing": 0.0}},
     "placement": {"objective": "hops", "unit": "events per tick", "value": 24.0, "bound": 12.0, "reason": null}}

    value = sum over routes of activity * (links * hop + links between chips * crossing)

Neurons of a route are positions in the vertex, in the order of its slice, or null for all of them. Slices are boxes of the population's shape, or, if `ordered`, runs
of its `order`, a permutation of the flat indices. `mapping_schema.py` defines all fields. Links are [x0, y0, x1, y1] on a mesh; with several
chips [chip0, x0, y0, chip1, x1, y1]. Cores that share a position of a mesh have a `slot`, and routes between them no link. Other topologies define other rows of integers (`core/topology/`). The bound holds for every placement of these vertices with fixed inputs (`analysis/placement/placement_cost.py` derives
it), and the bound of the network for every partition, too (`analysis/placement/partition_bound.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import Reals
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.device.topology import Topology, topology_of
from ...core.ir.operation import shape_of
from ...dialects import machine
from ...dialects.chip_base.formats import smallest_formats
from .mappings.objectives import placement_record

OBJECTIVE = "events per tick on links, each multicast tree counted once, and between chips"


def mapping(module: ModuleOp) -> dict[str, Any] | None:
    """Returns the mapping of the first routed machine graph of a module; None if there is none.

    Errors: DEV023 the graph names no device; those of reading a device.
    """
    for op in module.ops:
        if isinstance(op, machine.GraphOp) and op.stage.data is machine.Stage.ROUTED:
            return mapping_of(op)
    return None


def mapping_of(graph: machine.GraphOp) -> dict[str, Any]:
    """Returns the mapping of a routed graph. Errors: DEV023 it names no device; those of reading a device."""
    device = device_of(graph)
    topology = topology_of(device, len(graph.vertices))
    places = {name: place for name, vertex in graph.vertices.items() if (place := vertex.place) is not None}
    record: dict[str, Any] = {
        "schema": "nopt.mapping/1",
        "network": graph.sym_name.data,
        "device": device.key,
        "populations": [*sources_of(graph)],
        "vertices": [*vertex_rows(graph, places, topology.own)],
        "cores": [{"id": core % topology.own, **place_fields(topology, core)} for core in sorted({*places.values()})],
        "edges": [*edge_rows(graph, Storage(graph, device))],
        "routes": [*route_rows(graph)],
        "deliveries": [*delivery_rows(graph, topology.own)],
        "cost": cost_record(graph, places, topology),
    }
    return record | {"placement": placement_record(graph, record, topology, device, tree_costs)}


def vertex_rows(graph: machine.GraphOp, places: Mapping[str, int], own: int) -> Iterator[dict[str, Any]]:
    """Yields the slice and the core of each vertex; `own` is the number of cores of a chip."""
    ordered = {name for name, population in graph.populations.items() if population.order is not None}
    for name, vertex in graph.vertices.items():
        yield {
            "id": name,
            "node": vertex.source.data,
            "slice": vertex.box.values.tolist(),
            "ordered": vertex.source.data in ordered,
            "neurons": vertex.neurons,
            "core": places[name] % own,
            "chip": places[name] // own,
        }


def edge_rows(graph: machine.GraphOp, storage: Storage) -> Iterator[dict[str, Any]]:
    for edge in graph.edges:
        yield {
            "source": edge.source.data,
            "target": edge.target.data,
            "projection": edge.projection.data,
            "synapses": edge.synapses.value.data,
            "axons": edge.axons.value.data,
            "activity": edge.activity.value.data,
            **storage.of(edge),
        }


def route_rows(graph: machine.GraphOp) -> Iterator[dict[str, Any]]:
    from ...analysis.placement.spike_destinations import shared_routes

    shared = iter(shared_routes(graph))
    for route in graph.routes:
        for users, links, activity in zip(route.users(), route.tree_links(), route.activities.tolist(), strict=True):
            yield {
                "source": route.source.data,
                "neurons": None if users is None else users.tolist(),
                "shared": next(shared),
                "activity": activity,
                "links": links.tolist(),
            }


def delivery_rows(graph: machine.GraphOp, own: int) -> Iterator[dict[str, Any]]:
    from ...analysis.placement.spike_destinations import deliveries_of

    for one in deliveries_of(graph):
        core = {"core": one.core % own, "chip": one.core // own}
        yield {"source": one.source, **core, "neurons": one.neurons, "activity": one.activity}


def cost_record(graph: machine.GraphOp, places: Mapping[str, int], topology: Topology) -> dict[str, Any]:
    """Returns the communication cost of a mapping, with its bounds."""
    from ...analysis.placement.partition_bound import bound_of_network
    from ...analysis.placement.placement_cost import bound_near
    from ...analysis.placement.placement_problem import problem_of

    vertices, inputs = graph.vertices, graph.inputs
    entered = {name: place for name, place in places.items() if vertices[name].source.data in inputs}
    value = 0.0
    for route in graph.routes:
        value += float(route.activities @ tree_costs(route, topology))
    return {
        "objective": OBJECTIVE,
        "value": value,
        "bound": bound_near(problem_of(graph, entered), np.array([*places.values()])),
        "network_bound": bound_of_network(graph),
        "weights": {"hop": topology.hop, "crossing": topology.crossing},
    }


def tree_costs(route: machine.RouteOp, topology: Topology) -> Reals:
    """Returns what one event costs on each tree of a route. Shapes: [trees]."""
    sizes = route.tree_sizes[:, 0]
    if not sizes.any():
        return np.zeros(len(sizes))
    costs = topology.link_costs(*topology.link_ends(route.links.values.astype(np.int64)))
    return np.bincount(np.repeat(np.arange(len(sizes)), sizes), costs, len(sizes)).astype(np.float64)


def place_fields(topology: Topology, core: int) -> dict[str, int]:
    """Returns the chip and the position of a core, and its slot where several cores share a position."""
    chip, x, y = topology.place(core)
    return {"chip": chip, "x": x, "y": y} | ({"slot": topology.slot(core)} if topology.slots > 1 else {})


class Storage:
    """The format in which each vertex stores the synapses of a projection."""

    def __init__(self, graph: machine.GraphOp, device: Device):
        counts = graph.counts()
        self.formats = device.synapse.formats if device.synapse is not None else {}
        self.neurons = {name: vertex.neurons for name, vertex in graph.vertices.items()}
        self.names: dict[tuple[str, str], str] = {}
        """By projection and target vertex."""
        for name, population in graph.populations.items():
            for projection, one in zip(population.projections, counts.arrivals[name].chains, strict=True):
                chosen = smallest_formats(one, counts.slices[name].sizes, device) or []
                for vertex, format in zip(counts.vertices[name], chosen, strict=False):
                    self.names[projection, vertex.node.data] = format.name

    def of(self, edge: machine.EdgeOp) -> dict[str, Any]:
        """Returns the format of an edge and its number of entries: all pairs of axon and neuron in a dense format, else the synapses."""
        target = edge.target.data
        name = self.names.get((edge.projection.data, target))
        is_dense = name is not None and self.formats[name].layout == "dense"
        entries = edge.axons.value.data * self.neurons[target] if is_dense else edge.synapses.value.data
        return {"format": name, "entries": entries}


def sources_of(graph: machine.GraphOp) -> Iterator[dict[str, Any]]:
    """Yields inputs and populations; those sliced by index with the order of their neurons."""
    from ...analysis.placement.spike_destinations import source_rates

    rates = source_rates(graph)
    for name, op in graph.inputs.items():
        yield {"node": name, "shape": [*shape_of(op.type)], "is_input": True, "order": None, "rate": rates[name]}
    for name, population in graph.populations.items():
        (z,) = population.function_type.outputs.data
        order = None if population.order is None else population.order.values.tolist()
        yield {"node": name, "shape": [*shape_of(z)], "is_input": False, "order": order, "rate": rates[name]}

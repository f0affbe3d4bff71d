"""Deliveries of a placed machine graph: the cores that the spikes of each vertex reach, its own among them.

    machine.edge "fc" : "a/0" -> "b/0", sources 0, 1     core 4                    Delivery("a/0", core=4, neurons=3, activity=3 * rate)
    machine.edge "fc" : "a/0" -> "b/1", sources 1, 2     core 4         =>
    machine.edge "rec" : "a/0" -> "a/0"                  core 3                    Delivery("a/0", core=3, neurons=8, activity=8 * rate)

A core receives a spike once, for all its vertices. Routes lead to other cores only, and on a device whose routers cannot copy a spike, there
is one for each vertex.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from ...core.arrays.unique_integers import unique_integers
from ...core.device.named_device import device_of
from ...core.device.topology import topology_of
from ...dialects import machine
from ..calibration_records import observed_rate
from .multicast_sets import multicast_sets, runs_of_vertices
from .placement_problem import sendings_of


@frozen
class Delivery:
    """The spikes of a vertex that one core receives."""

    source: str
    """The vertex."""
    core: int
    neurons: int
    """Neurons of the vertex with a synapse into the core."""
    activity: float
    """Their spikes [events per tick]."""


def source_rates(graph: machine.GraphOp) -> dict[str, float | None]:
    """Returns the mean events of one neuron in one tick for each input and population, as a calibration observed them; None without an observation."""
    inputs = {name: observed_rate(graph, "inputs", name, "density") for name in graph.inputs}
    return inputs | {name: observed_rate(op, "rate") for name, op in graph.populations.items()}


def deliveries_of(graph: machine.GraphOp) -> Iterator[Delivery]:
    """Yields the deliveries of a placed graph, by vertex, then by core. Without an observation, a neuron counts as active once per tick."""
    vertices, rates = graph.vertices, source_rates(graph)
    reached: dict[tuple[str, int], np.ndarray] = {}
    for edge in graph.edges:
        place, source = vertices[edge.target.data].place, edge.source.data
        assert place is not None  # a placed graph
        mask = reached.setdefault((source, place), np.zeros(vertices[source].neurons, np.bool_))
        mask[slice(None) if edge.sources is None else edge.sources.values] = True
    order = {name: k for k, name in enumerate(vertices)}
    for name, core in sorted(reached, key=lambda one: (order[one[0]], one[1])):
        rate = rates[vertices[name].source.data]
        neurons = int(reached[name, core].sum())
        yield Delivery(name, core, neurons, neurons * (1.0 if rate is None else rate))


def shared_routes(graph: machine.GraphOp) -> list[bool]:
    """Returns for each tree of a routed graph whether some of its neurons have no target on a core that others of them have targets on.

    On a device whose routers cannot copy a spike, each route leads to one target and is not shared.
    """
    vertices, routes = graph.vertices, graph.routes
    if not topology_of(device_of(graph), len(vertices)).is_multicast or not routes:
        return [False] * sum(len(route.tree_sizes) for route in routes)
    place = {name: k for k, name in enumerate(vertices)}
    sizes = np.array([vertex.neurons for vertex in vertices.values()], np.int64)
    core = np.array([-1 if vertex.place is None else vertex.place for vertex in vertices.values()], np.int64)
    sets = multicast_sets(list(sendings_of(graph, place)), sizes)
    base = np.concatenate([[0], np.cumsum(sizes)])
    route_of = np.full(int(base[-1]), -1)
    count = 0
    for route in routes:
        vertex, listed = place[route.source.data], route.tree_sizes[:, 1]
        for k in np.flatnonzero(listed == 0).tolist():
            route_of[base[vertex] : base[vertex + 1]] = count + k
        route_of[base[vertex] + route.listed_neurons] = count + np.repeat(np.arange(len(listed)), listed)
        count += len(listed)
    owner, cores = route_of[base[sets.source] + sets.member[sets.member_start[:-1]]], int(core.max()) + 1
    is_shared = np.zeros(count, np.bool_)
    for low, high in runs_of_vertices(sets.source, sets.start):  # the trees of a vertex in one run
        own, source, start = owner[low:high], sets.source[low:high], sets.start[low : high + 1]
        net = np.repeat(np.arange(len(own)), np.diff(start))
        there = core[sets.target[start[0] : start[-1]]]
        is_routed = (own[net] >= 0) & (there != core[source[net]])
        needed = unique_integers(net[is_routed] * cores + there[is_routed])
        needed_by = needed // cores
        reached = unique_integers(own[needed_by] * cores + needed % cores)
        reached_count = np.bincount(reached // cores, minlength=count)
        needed_count = np.bincount(needed_by, minlength=len(own))
        is_shared[own[(own >= 0) & (needed_count < reached_count[own])]] = True
    return is_shared.tolist()

"""Nets of single neurons, for the exchange of neurons between the vertices of a population.

A population is movable if its slices are runs, of an order or of one axis, and some synapses into or out of it are given one by one. A net is a source and its targets: movable neurons,
and vertices of other populations.

| sources | nets |
| --- | --- |
| movable neurons | one for each neuron |
| other vertices | one for each set of neurons with the same targets |
"""

from __future__ import annotations

from collections.abc import Container, Mapping

import numpy as np
from attrs import frozen

from ...analysis.irregular_synapses import irregular_synapses
from ...analysis.placement.multicast_sets import equal_rows
from ...analysis.placement.placement_problem import sendings_of
from ...core.arrays.numeric import Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ...core.arrays.unique_integers import unique_integers
from ...dialects import machine
from ...dialects.machine import GraphCounts


@frozen(eq=False)
class NeuronNets:
    """Movable neurons and the nets of all sources, in compressed rows.

    Shapes: vertex [neurons]: their vertices now; own_net [neurons], or -1; source_vertex and source_neuron [nets], one of them -1; activity [nets];
    pin_start and fixed_start [nets + 1]; pin: movable neurons; fixed: vertices.
    """

    populations: tuple[str, ...]
    base: Mapping[str, int]
    """The first neuron of each movable population."""
    slices: Mapping[str, Ints]
    """The vertices of each movable population."""
    vertex: Ints
    own_net: Ints
    source_vertex: Ints
    source_neuron: Ints
    activity: Reals
    pin_start: Ints
    pin: Ints
    fixed_start: Ints
    fixed: Ints

    @property
    def nets(self) -> int:
        return len(self.activity)


def neuron_nets(
    graph: machine.GraphOp, counts: GraphCounts, rates: Mapping[str, float], kept: Container[str] = ()
) -> NeuronNets | None:
    """Returns the nets of a graph; None if no population but the `kept` ones is movable. `rates` holds the events of one neuron in one tick."""
    place = {name: k for k, name in enumerate(graph.vertices)}
    projections = graph.projections
    pairs = {name: found for name, one in projections.items() if (found := irregular_synapses(one.steps))}
    populations = graph.populations
    sending = {projections[projection].source.data for projection in pairs}
    movable = tuple(
        name
        for name, one in populations.items()
        if name not in kept
        and len(counts.vertices[name]) > 1
        and (one.order is not None or len(counts.slices[name].shape) == 1)
        and (name in sending or any(p in pairs for p in one.projections))
    )
    if not movable:
        return None
    sizes = {name: one.size for name, one in counts.slices.items()}
    base, total = dict[str, int](), 0
    for name in movable:
        base[name], total = total, total + sizes[name]
    vertex = np.full(total, -1)
    for name in movable:
        for one, own in zip(counts.vertices[name], counts.slices[name].members, strict=True):
            vertex[base[name] + own] = place[one.node.data]
    offsets, size = dict(base), total
    for name in sizes:
        if name not in offsets:
            offsets[name], size = size, size + sizes[name]
    source, target = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for name in movable:
        for projection in populations[name].projections:
            if projection in pairs:
                own, other = pairs[projection]
                source.append(offsets[projections[projection].source.data] + own)
                target.append(base[name] + other)
    pin = unique_integers(np.concatenate(source) * total + np.concatenate(target))
    source, target = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    vertices = graph.vertices
    members = {
        one.node.data: offsets[name] + own
        for name in sizes
        for one, own in zip(counts.vertices[name], counts.slices[name].members, strict=True)
    }
    for edge, one in zip(
        (edge for edge in graph.edges if edge.axons.value.data), sendings_of(graph, place), strict=True
    ):
        if edge.projection.data not in pairs or vertices[edge.target.data].source.data not in movable:
            own = members[edge.source.data]
            own = own if one.neurons is None else own[one.neurons]
            source.append(own)
            target.append(np.full(len(own), one.target))
    fixed = unique_integers(np.concatenate(source) * len(vertices) + np.concatenate(target))
    owner = np.full(size, -1)
    rate = np.zeros(size)
    for name in sizes:
        rate[offsets[name] : offsets[name] + sizes[name]] = rates[name]
        if name not in base:
            for one in counts.vertices[name]:
                owner[members[one.node.data]] = place[one.node.data]
    return joined_nets(
        movable, base, counts, place, vertex, owner, rate, np.divmod(pin, total), np.divmod(fixed, len(vertices))
    )


def joined_nets(
    movable: tuple[str, ...],
    base: Mapping[str, int],
    counts: GraphCounts,
    place: Mapping[str, int],
    vertex: Ints,
    owner: Ints,
    rate: Reals,
    pins: tuple[Ints, Ints],
    fixed: tuple[Ints, Ints],
) -> NeuronNets:
    """Returns the nets; sources of one vertex with the same targets are one net. Shapes: owner and rate [sources], movable ones first."""
    sources, total = len(owner), len(vertex)
    combined = np.concatenate([pins[0] * 2 * sources + pins[1], fixed[0] * 2 * sources + sources + fixed[1]])
    row, value = np.divmod(np.sort(combined), 2 * sources)  # vertices are fewer than neurons
    start = np.searchsorted(row, np.arange(sources + 1))
    unique = np.where(owner < 0, -2 - np.arange(sources), owner)
    label = equal_rows(unique, start, value)
    label[start[1:] == start[:-1]] = -1
    leaders, which = np.unique(label[label >= 0], return_inverse=True)
    activity = np.bincount(which, rate[label >= 0], len(leaders)).astype(np.float64)
    size = np.diff(start)[leaders]
    net, entry = np.repeat(np.arange(len(leaders)), size), value[indices_of_runs(start[:-1][leaders], size)]
    is_pin = entry < sources
    every = np.arange(len(leaders) + 1)
    is_own = leaders < total
    own_net = np.full(total, -1)
    own_net[leaders[is_own]] = np.flatnonzero(is_own)
    return NeuronNets(
        movable,
        base,
        {name: np.array([place[one.node.data] for one in counts.vertices[name]]) for name in movable},
        vertex,
        own_net,
        np.where(is_own, -1, owner[leaders]),
        np.where(is_own, leaders, -1),
        activity,
        np.searchsorted(net[is_pin], every).astype(np.int64),
        entry[is_pin],
        np.searchsorted(net[~is_pin], every).astype(np.int64),
        entry[~is_pin] - sources,
    )

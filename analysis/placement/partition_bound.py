"""Lower bound of the cost of a network, for every partition into vertices and every placement.

A spike of a neuron travels along a tree to every core with one of its targets. A core has `core.neurons` neurons, so the neuron and its
targets need

    cores = ceil((targets + 1) / core.neurons)

and the tree has at least one link less; where k cores share a router, one less than ceil(cores / k); or one link on a bus with multicast. An input needs no neuron of a core, and enters at a core that can have targets:
`ceil(targets / core.neurons)`.

    bound = hop * sum over neurons and inputs of activity * (least links of a tree that joins these cores)

A tree also costs as much as the path to any of its cores, so at least as much as the mean path to its targets. An input enters at a known core. Its spikes share their
events among their targets, and neurons with many shares are at best on the nearest cores, each with room for `core.neurons`:

    bound of an input = the greater of both:  hop * sum of activity * least links
                                              sum over neurons, by share: share * distance of the i-th nearest place of a neuron
    share of a neuron = sum over entries of the input of activity * paths to the neuron / paths to all neurons

Each other router with a target of a neuron is reached over a link of its own, and the nearest of them over further ones. So the links of a population are at least the pairs of a neuron and such a
router, of which convolutions have a least number, and the links before the nearest router, around which there is room for some sources only (`neighbourhood_bound.py`).

All hold for each source alone, so that their sums over inputs and populations hold for the network. `docs/rationale/mapping.md` has the argument.

Targets are counted once. If synapses of a chain can reach one target twice, as after overlapping pools, a neuron with targets has one.
A source whose spikes stay on their core is silent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from ...core.arrays.numeric import Counts
from ...core.device.core_kinds import kinds_of
from ...core.device.named_device import device_of
from ...core.device.topology import Topology, topology_of
from ...core.ir.operation import shape_of
from ...dialects import machine, ntensor
from ...dialects.chip_base.chains import count_forwards, prepare_backwards
from .neighbourhood_bound import Neighbourhood


def bound_of_network(graph: machine.GraphOp) -> float:
    """A lower bound of the cost over all partitions, placements and routings of a routed graph. Errors: DEV023 it names no device."""
    device = device_of(graph)
    rooms = [kind.integer("core.neurons") for kind in kinds_of(device).values()]
    room = max((0 if one is None else one for one in rooms), default=0)
    if not room or None in rooms:
        return 0.0
    reached: dict[str, dict[str, Counts]] = {}
    """By source, then by population."""
    inputs, projections = graph.inputs, graph.projections
    ways: dict[str, list[tuple[Sequence[Operation], int]]] = {}
    """Of inputs: the chains, each with the size of its population."""
    for name, population in graph.populations.items():
        for one in (entry.data for listed in population.inputs for entry in listed):
            projection = projections[one]
            if projection.source.data in inputs:
                ways.setdefault(projection.source.data, []).append((projection.steps, population_size(population)))
            found = targets_of(projection.steps, population_size(population))
            own = reached.setdefault(projection.source.data, {})
            own[name] = np.maximum(own[name], found) if name in own else found
    total, topology = 0.0, topology_of(device, len(graph.vertices))
    windows = links_of_windows(graph, projections, room, topology)
    entries = {vertex.source.data: vertex.place for vertex in graph.vertices.values()}
    for source, activity in activities(graph).items():
        if listed := reached.get(source):
            own = 0 if source in inputs or source in listed else 1
            cores = np.ceil((np.sum([*listed.values()], axis=0) + own) / room)
            links = max(float(topology.least_links(cores).sum()), windows.get(source, 0.0))
            bound = activity * topology.hop * links
            if source in inputs and (entry := entries[source]) is not None:
                shape = shape_of(inputs[source].type)
                bound = max(bound, activity * reach_of(ways[source], shape, entry, topology, room))
            total += bound
    return total


def links_of_windows(
    graph: machine.GraphOp, projections: Mapping[str, machine.ProjectionOp], room: int, topology: Topology
) -> dict[str, float]:
    """Returns the least number of links by source population, for projections of convolutions and pools."""
    found, slots = dict[str, float](), topology.slots
    if topology.least_links(slots * np.arange(1, 4)).tolist() != [0, 1, 2]:  # on a bus, one link leads to several
        return found
    if topology.hop <= 0:
        return found
    path = topology.nearest()[::slots] - topology.hop - topology.crossing  # without the link to the target
    way, populations = np.maximum(path / topology.hop, 0), graph.populations
    for name, population in populations.items():
        for one in dict.fromkeys(entry.data for listed in population.inputs for entry in listed):
            source = projections[one].source.data
            if source in populations and (near := Neighbourhood.of(projections[one].steps)) is not None:
                links = near.links(room * slots, way, is_recurrent=source == name)
                found[source] = max(found.get(source, 0.0), links)
    return found


def reach_of(
    ways: Sequence[tuple[Sequence[Operation], int]], shape: tuple[int, ...], entry: int, topology: Topology, room: int
) -> float:
    """Returns the least sum, over the entries of an input, of the mean path from its core to the targets; `room` neurons fit on a core."""
    paths = [paths_of(ops, size, shape) for ops, size in ways]
    total = np.sum(paths, axis=0)
    given = np.divide(1.0, total, out=np.zeros(shape), where=total > 0)
    shares = list[Counts]()
    for ops, _ in ways:
        found = given
        for op in ops:
            found = count_forwards(op, found)
        shares.append(found)
    share = np.sort(np.concatenate([one.reshape(-1) for one in shares]))[::-1]
    distance = np.sort(topology.distances(entry)[topology.is_usable]) if topology.is_multicast else np.zeros(0)
    places = np.repeat(distance[: -(-len(share) // room)], room)[: len(share)]
    return float(share[: len(places)] @ places)


def paths_of(ops: Sequence[Operation], targets: int, shape: tuple[int, ...]) -> Counts:
    """Returns the number of paths from each entry of an input through a chain. Shapes: result [shape]."""
    paths = np.ones(targets).reshape(shape if not ops else shape_of(ops[-1].results[0]))
    for op in reversed(ops):
        paths = prepare_backwards(op)(paths)
    return paths.reshape(shape)


def population_size(population: machine.PopulationOp) -> int:
    (z,) = population.function_type.outputs.data
    assert isinstance(z, TensorType)  # verified
    tensor: TensorType[Attribute] = z
    return prod(tensor.get_shape())


def targets_of(ops: Sequence[Operation], targets: int) -> Counts:
    """For each neuron of a source the targets that it reaches through a chain, at least. Shapes: result [neurons of the source]."""
    if not ops:
        return np.ones(targets)
    paths = np.ones(shape_of(ops[-1].results[0]))
    for op in reversed(ops):
        paths = prepare_backwards(op)(paths)
    found = paths.reshape(-1)
    return found if is_simple(ops) else np.minimum(found, 1)


def is_simple(ops: Sequence[Operation]) -> bool:
    """Whether each path through a chain leads to another target."""
    many = [op for op in ops if isinstance(op, ntensor.SynapseOpInterface) and not is_disjoint(op)]
    return sum(op.target_multiplicity() for op in many) <= 1


def is_disjoint(op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether an op is a pool whose windows do not overlap, so that each element reaches one other at most."""
    return isinstance(op, ntensor.PoolOp) and all(axis.stride >= axis.taps for axis in op.axes())


def activities(graph: machine.GraphOp) -> dict[str, float]:
    """Returns for each source with routes the lowest mean events per neuron and tick of a route."""
    found, vertices = dict[str, float](), graph.vertices
    for route in graph.routes:
        vertex = vertices[route.source.data]
        each = float((route.activities / np.maximum(route.user_counts(vertex.neurons), 1)).min())
        source = vertex.source.data
        found[source] = min(found.get(source, each), each)
    return found

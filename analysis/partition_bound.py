"""Lower bound of the cost of a network, for every partition into vertices and every placement.

A spike of a neuron travels along a tree to every core with one of its targets. A core has `core.neurons` neurons, so the neuron and its
targets need

    cores = ceil((targets + 1) / core.neurons)

and the tree has at least one link less; where k cores share a router, one less than ceil(cores / k); or one link on a bus with multicast. An input needs no neuron of a core, and enters at a core that can have targets:
`ceil(targets / core.neurons)`.

    bound = hop * sum over neurons and inputs of activity * (least links of a tree that joins these cores)

Targets are counted once. If synapses of a chain can reach one target twice, as after overlapping pools, a neuron with targets has one.
A source whose spikes stay on their core is silent.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Operation

from ..core.arrays.numeric import Counts
from ..core.device.named_device import device_of
from ..core.device.topology import topology_of
from ..core.ir.operation import shape_of
from ..dialects import machine, ntensor
from ..dialects.chip_base.chains import prepare_backwards


def bound_of_network(graph: machine.GraphOp) -> float:
    """A lower bound of the cost over all partitions, placements and routings of a routed graph. Errors: DEV023 it names no device."""
    device = device_of(graph)
    room = device.integer("core.neurons")
    if not room:
        return 0.0
    reached: dict[str, dict[str, Counts]] = {}
    """By source, then by population."""
    inputs, projections = graph.inputs, graph.projections
    for name, population in graph.populations.items():
        for one in (entry.data for listed in population.inputs for entry in listed):
            projection = projections[one]
            found = targets_of(projection.steps, population_size(population))
            own = reached.setdefault(projection.source.data, {})
            own[name] = np.maximum(own[name], found) if name in own else found
    total, topology = 0.0, topology_of(device, len(graph.vertices))
    for source, activity in activities(graph).items():
        if listed := reached.get(source):
            own = 0 if source in inputs or source in listed else 1
            cores = np.ceil((np.sum([*listed.values()], axis=0) + own) / room)
            total += activity * float(topology.least_links(cores).sum())
    return total * topology.hop


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
    return sum(op.target_multiplicity() for op in ops if isinstance(op, ntensor.SynapseOpInterface)) <= 1


def activities(graph: machine.GraphOp) -> dict[str, float]:
    """Returns for each source with routes the lowest mean events per neuron and tick of a route."""
    found, vertices = dict[str, float](), graph.vertices
    for route in graph.routes:
        vertex = vertices[route.source.data]
        neurons = vertex.neurons if route.neurons is None else len(route.neurons.values)
        each = route.activity.value.data / max(neurons, 1)
        source = vertex.source.data
        found[source] = min(found.get(source, each), each)
    return found

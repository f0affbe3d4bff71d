"""Exchange of neurons and of cores in a placed graph, on meshes whose routers copy spikes for each neuron.

1. Neurons of populations with irregular synapses change their vertex (`_refinement.py`), with noise in the first half of the rounds.
2. The contents of two cores are exchanged where that lowers the cost of all trees.
3. Neurons change their vertex again, without noise; then 2. again.

The result is used if each slice keeps the limits of the device. If not, the sizes of slices stay as they are; if limits are exceeded even so, the graph stays as it is.
The number of rounds falls with the number of changes that one round computes; very large networks are not refined.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

import numpy as np
from attrs import frozen

from ...analysis.placement.placement_cost import cost_of
from ...analysis.placement.placement_problem import Problem, problem_of
from ...analysis.placement.spike_destinations import source_rates
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.routing.mesh_covers import MeshCovers
from ...core.topology.mesh import MeshTopology
from ...dialects import machine
from ...dialects.machine import GraphCounts
from ._neuron_nets import NeuronNets, neuron_nets
from ._refinement import HEAT, Exchange, refine
from ._replanning import Plan, has_exact_slices, keeps_limits, plan_of, replan

ROUNDS, LEAST_ROUNDS = 240, 8
"""The number of rounds with default effort on few vertices, and the least that are worth it."""
FEW_VERTICES, MOST_FACTOR = 16, 3
"""Rounds and noise grow with the vertices beyond these few, up to this factor. Measured: `docs/rationale/mapping.md`."""
CHANGES = 3 * 10**9
"""Changes of nets by positions that all rounds compute with default effort."""
MOST_CELLS = 1 << 25
"""Nets times positions, of which several arrays are kept."""
SWAPS = 1 << 28
"""Nets times positions that exchanges of cores look at with default effort."""


@frozen(eq=False)
class Exchanged:
    """The result of an exchange. Shapes: core [vertices]."""

    problem: Problem
    core: Ints
    neurons: int
    """Neurons that have another vertex than before."""


def exchange(
    graph: machine.GraphOp,
    device: Device,
    problem: Problem,
    pins: Mapping[str, int],
    first: Ints,
    fixed: Container[str],
    effort: float,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
    improve: Callable[[Ints], Ints] | None = None,
) -> Exchanged | None:
    """Exchanges neurons of a graph between vertices on these cores, but those of `fixed` populations; None if nothing changes.

    `improve` returns better cores for the vertices, and is called only if an exchange is possible. Shapes: first [vertices]: cores.
    """
    topology = problem.topology
    if not isinstance(topology, MeshTopology) or topology.slots > 1 or not has_exact_slices(graph, problem, device):
        return None
    counts = graph.counts()
    rates = {name: 1.0 if rate is None else rate for name, rate in source_rates(graph).items()}
    nets = neuron_nets(graph, counts, rates, fixed)
    if nets is None:
        return None
    covers = MeshCovers.of(topology)
    each = max(1, len(nets.pin) * covers.positions)
    factor = min(max(sum(len(slices) for slices in nets.slices.values()) / FEW_VERTICES, 1.0), MOST_FACTOR)
    rounds = min(int(ROUNDS * factor * effort), int(CHANGES * effort) // each)
    if rounds < LEAST_ROUNDS or nets.nets * covers.positions > MOST_CELLS:
        return None
    first = first if improve is None else improve(first)
    axes = topology.tree_axes
    before = {name: plan_now(graph, counts, name) for name in nets.populations}
    for is_fixed in (False, True):
        sizes, core = np.bincount(nets.vertex, minlength=len(first)), first.copy()
        room = sizes if is_fixed else rooms(problem, device, core, sizes)
        state = Exchange(nets, covers, axes.a[core] * len(covers.far_b) + axes.b[core], room)
        start = state.cost()
        random = np.random.Generator(np.random.PCG64(seed))
        step = Steps(progress, rounds)
        refine(state, max(1, rounds * 3 // 4), random, step, heat=HEAT * factor)
        swap_cores(state, topology, problem, core, random, int(SWAPS * effort))
        refine(state, max(1, rounds // 4), random, step, heat=0.0)
        swap_cores(state, topology, problem, core, random, int(SWAPS * effort))
        if state.cost() >= start:
            return None
        replan(graph, plans_of(nets, state.vertex), rates, device)
        if keeps_limits(graph, device):
            found = problem_of(graph, pins)
            if cost_of(found, core) < cost_of(problem, first):  # synapses by rule are counted here alone
                return Exchanged(found, core, int((state.vertex != nets.vertex).sum()))
        replan(graph, before, rates, device)
    return None


class Steps:
    """Calls of `progress` with the number of rounds."""

    def __init__(self, progress: Callable[[int, int], None] | None, rounds: int):
        self.progress, self.rounds, self.done = progress, rounds, 0

    def __call__(self) -> None:
        self.done += 1
        if self.progress is not None:
            self.progress(min(self.done, self.rounds), self.rounds)


def plan_now(graph: machine.GraphOp, counts: GraphCounts, name: str) -> Plan:
    order = graph.populations[name].order
    return None if order is None else order.values.astype(np.int64), counts.slices[name].boxes


def rooms(problem: Problem, device: Device, core: Ints, sizes: Ints) -> Ints:
    """Returns the most neurons of each vertex: those of a core if it is alone there, else as many as it has."""
    most = device.integer("core.neurons")
    occupies = (problem.pin < 0) | (problem.load.sum(axis=1) > 0)  # an input that is pinned does not
    alone = np.bincount(core[occupies], minlength=problem.topology.cores)[core] == 1
    return np.where(alone & (sizes > 0), sizes if most is None else np.maximum(sizes, most), sizes)


def plans_of(nets: NeuronNets, vertex: Ints) -> dict[str, Plan]:
    """Returns the order and boxes of each movable population."""
    found: dict[str, Plan] = {}
    for name in nets.populations:
        slices, low = nets.slices[name], nets.base[name]
        own = vertex[low : low + int(np.isin(nets.vertex, slices).sum())]
        found[name] = plan_of([np.flatnonzero(own == one) for one in slices.tolist()])
    return found


def swap_cores(
    state: Exchange, topology: MeshTopology, problem: Problem, core: Ints, random: np.random.Generator, budget: int
) -> None:
    """Exchanges the contents of two cores wherever that lowers the cost, in rounds over all pairs; `core` and the state change."""
    is_open = topology.is_usable.copy()
    is_open[core[(problem.pin >= 0) & (problem.load.sum(axis=1) > 0)]] = False  # inputs stay, and leave room for others
    cores = np.flatnonzero(is_open)
    moving = problem.pin < 0
    first, second = np.triu_indices(len(cores), 1)
    targets, best = state.targets() > 0, state.cost()
    left = budget // max(1, targets.size)
    improved = True
    while improved and left > 0:
        improved = False
        for k in random.permutation(len(first))[:left].tolist():
            a, b = int(cores[first[k]]), int(cores[second[k]])
            on_a, on_b = moving & (core == a), moving & (core == b)
            if not on_a.any() and not on_b.any():
                continue
            tried = core.copy()
            tried[on_a], tried[on_b] = b, a
            left -= 1
            position = state.position.copy()
            position[[*np.flatnonzero(on_a | on_b)]] = place_of(state, topology, tried[on_a | on_b])
            old, state.position = state.position, position
            if (cost := state.cost()) < best - 1e-9:
                best, improved = cost, True
                core[:] = tried
            else:
                state.position = old


def place_of(state: Exchange, topology: MeshTopology, core: Ints) -> Ints:
    """Returns the positions of cores."""
    axes = topology.tree_axes
    return axes.a[core] * len(state.covers.far_b) + axes.b[core]

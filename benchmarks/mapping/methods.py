"""Ways to map a partitioned graph, and their figures: hops, remote pairs of a neuron and a core, seconds.

| method | slices | placement |
| --- | --- | --- |
| nopt | those of `machine-place-vertices`, with default effort | the same |
| plan | those of `ntensor-plan-cores`: spatial tiles, or runs of an order by bisection | annealing, one run of nopt's |
| file order | runs of indices | annealing |
| mtkahypar | those of Mt-KaHyPar, of the same number and largest size | annealing |
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.placement.placement_cost import bound_of
from nopt.analysis.placement.placement_problem import problem_of
from nopt.core.device.named_device import device_of
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import machine
from nopt.passes.place._annealing import Placement, default_moves, search
from nopt.passes.place._initial_placement import first_places
from nopt.passes.place._neuron_nets import NeuronNets, neuron_nets
from nopt.passes.place._replanning import Plan, plan_of, replan

Figures = dict[str, float]


def processor_seconds() -> float:
    """Returns the time of all threads of this process and of its ended children, which other load of the machine hardly changes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def graph_of(module: ModuleOp) -> machine.GraphOp:
    return next(op for op in module.ops if isinstance(op, machine.GraphOp))


def remote_pairs(graph: machine.GraphOp, core: np.ndarray) -> int:
    """Returns the pairs of a sending neuron and another core with its targets."""
    problem = problem_of(graph)
    net = np.repeat(np.arange(problem.nets), np.diff(problem.start))
    there = core[problem.target]
    pairs = np.unique(np.stack([net, there])[:, there != core[problem.source[net]]], axis=1)
    return int(np.diff(problem.member_start)[pairs[0]].sum())


def annealed(graph: machine.GraphOp, started: float) -> Figures:
    """Returns the figures of the slices of a graph after one search."""
    problem = problem_of(graph)
    first = first_places(problem)
    assert first is not None
    moves = default_moves(Placement(problem, first))
    found = search(problem, first, moves, 0, bound_of(problem), None)
    return {
        "hops": found.cost,
        "remote_pairs": remote_pairs(graph, found.core),
        "seconds": round(processor_seconds() - started, 2),
    }


def nopt_figures(module: ModuleOp) -> Figures:
    """Returns the figures of the passes of nopt, with the bounds that a compilation prints."""
    from nopt.api.compiling.mapping import mapping

    start = processor_seconds()
    nopt.apply(module, "machine-place-vertices", diagnostics=Diagnostics())
    seconds = processor_seconds() - start
    nopt.apply(module, "machine-route-edges", diagnostics=Diagnostics())
    graph = graph_of(module)
    record = mapping(module)
    assert record is not None
    core = np.array([vertex.place for vertex in graph.vertices.values()])
    cost = record["cost"]
    return {
        "hops": cost["value"],
        "remote_pairs": remote_pairs(graph, core),
        "seconds": round(seconds, 2),
        "vertex_bound": cost["bound"],
        "network_bound": cost["network_bound"],
    }


def file_order(graph: machine.GraphOp) -> dict[str, Plan]:
    """Returns runs of indices, as many for each population as it has slices."""
    found: dict[str, Plan] = {}
    for name, vertices in graph.vertices_by_source().items():
        if name in graph.populations:
            size = sum(vertex.neurons for vertex in vertices)
            found[name] = plan_of(np.array_split(np.arange(size), len(vertices)))
    return found


def partitioned(graph: machine.GraphOp, folder: Path, python: Path) -> dict[str, Plan] | None:
    """Returns the slices of the partitioner for the one population of a graph; None for other graphs."""
    rates = dict.fromkeys([*graph.inputs, *graph.populations], 1.0)
    nets = neuron_nets(graph, graph.counts(), rates)
    if nets is None or len(graph.populations) != 1:
        return None
    (name,) = nets.populations
    given, result = folder / "hypergraph.npz", folder / "part.npz"
    parts, neurons = len(nets.slices[name]), len(nets.vertex)
    room = device_of(graph).integer("core.neurons")
    assert room is not None
    index, pins = hyperedges(nets)
    imbalance = max(0.0, room * parts / neurons - 1 - 1e-9)
    np.savez(given, index=index, pins=pins, nodes=neurons, parts=parts, imbalance=imbalance)
    subprocess.run([python, Path(__file__).with_name("partition.py"), given, result], check=True)
    part = np.load(result)["part"]
    members = [np.flatnonzero(part == k) for k in range(parts)]
    if not all(0 < len(one) <= room for one in members):
        return None
    return {name: plan_of(members)}


def hyperedges(nets: NeuronNets) -> tuple[np.ndarray, np.ndarray]:
    """Returns the edges of all neurons that send: each with its targets."""
    sends = np.flatnonzero(nets.source_neuron >= 0)
    edges = [
        np.union1d(nets.pin[nets.pin_start[k] : nets.pin_start[k + 1]], nets.source_neuron[k]) for k in sends.tolist()
    ]
    return np.concatenate([[0], np.cumsum([len(one) for one in edges])]), np.concatenate(edges)


def compared(module: ModuleOp, folder: Path, python: Path | None) -> dict[str, Any]:
    """Returns the figures of each method for a partitioned graph; None where a method does not apply."""
    graph = graph_of(module)
    device, rates = device_of(graph), dict.fromkeys([*graph.inputs, *graph.populations], 1.0)
    found: dict[str, Any] = {
        "neurons": sum(v.neurons for v in graph.vertices.values() if v.source.data not in graph.inputs)
    }
    found["synapses"] = sum(edge.synapses.value.data for edge in graph.edges)
    found["plan"] = annealed(graph, processor_seconds())
    clone = module.clone()
    other = graph_of(clone)
    start = processor_seconds()
    replan(other, file_order(other), rates, device)
    found["file order"] = annealed(other, start)
    found["mtkahypar"] = None
    start = processor_seconds()
    if python is not None and (plans := partitioned(other, folder, python)) is not None:
        replan(other, plans, rates, device)
        found["mtkahypar"] = annealed(other, start)
    found["nopt"] = nopt_figures(module)
    return found

"""Objectives of placement: the quantities that the search over places lowers, in place of the device's weights of hops and crossings.

| objective | cost of one event of a set of neurons |
| --- | --- |
| `hops` | links of its tree, with the device's weights |
| `remote-pairs` | other cores with a target |
| `input-axons` | cores with a target, its own among them |
| `crossings` | links between chips |
| `peak-load` | none: the events of all sets on the most loaded link (`_peak_load.py`) |
| `energy` | links, each with the energy of a hop and of a crossing (`cost.energy`) [pJ] |
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from attrs import evolve

from ...analysis.placement.placement_problem import KindRooms, Problem
from ...core.device.cost.records import Measure
from ...core.device.records import Device
from ...core.device.topology import Topology
from ...core.diagnostics import Code, refuse_op
from ...core.help_text import Option, Phrase
from ...core.topology.all_to_all import AllToAllTopology
from ...dialects import machine

MAP024 = Code("MAP024", "placement-objective-unsupported", "the device has no such cost to place for")


def objective_of(device: Device) -> Measure:
    """Returns the objective that a device file names, or hops."""
    cost = device.cost
    named = None if cost is None or cost.objective is None else cost.objective.measure
    return named or "hops"


def problem_for(objective: Measure, problem: Problem, graph: machine.GraphOp, device: Device) -> Problem:
    """Returns the problem with the costs of an objective; `input-axons` adds a vertex at the end. Errors: MAP024."""
    topology = problem.topology
    if objective == "crossings":
        if topology.chips == 1:
            refuse_objective(graph, objective, "a device with several chips", f"{device.key} has one")
        return evolve(problem, topology=reweighted(topology, 0.0, 1.0), axon_cost=0.0)
    if objective == "energy":
        hop, crossing = device.number("cost.energy.hop"), device.number("cost.energy.crossing")
        if hop is None:
            refuse_objective(graph, objective, "the energy of a hop, cost.energy.hop", f"none in {device.key}")
        return evolve(problem, topology=reweighted(topology, float(hop), float(crossing or 0)), axon_cost=0.0)
    if objective == "remote-pairs":
        flat = AllToAllTopology(topology.cores, usable=topology.is_usable)
        return evolve(problem, topology=flat, axon_cost=0.0)
    return counting_own_core(problem) if objective == "input-axons" else problem


def reweighted(topology: Any, hop: float, crossing: float) -> Topology:
    """Returns a topology with other costs of links."""
    return evolve(topology, hop=hop, crossing=crossing)  # each kind is an attrs class with both


def counting_own_core(problem: Problem) -> Problem:
    """Returns a problem whose nets start at an additional vertex on an additional core, so that each core with a target is another one."""
    topology, count = problem.topology, len(problem.vertices)
    flat = AllToAllTopology(topology.cores + 1, usable=np.append(topology.is_usable, np.False_))
    kinds = problem.kinds
    return evolve(
        problem,
        topology=flat,
        vertices=(*problem.vertices, ""),
        load=np.concatenate([problem.load, np.zeros((1, problem.load.shape[1]), np.int64)]),
        pin=np.append(problem.pin, topology.cores),
        source=np.full(problem.nets, count),
        axon_cost=0.0,
        kinds=None
        if kinds is None
        else KindRooms(
            np.append(kinds.kind, 0), kinds.room, np.concatenate([kinds.is_allowed, np.ones_like(kinds.is_allowed[:1])])
        ),
    )


def refuse_objective(graph: machine.GraphOp, objective: str, expected: str, found: str) -> NoReturn:
    """Errors: MAP024."""
    help = Phrase(Option("machine-place-vertices{objective=hops}", "--objective hops"))
    refuse_op(
        graph,
        MAP024,
        f"a placement for {objective} needs a cost that the device does not have",
        expected=expected,
        found=found,
        help=help,
    )

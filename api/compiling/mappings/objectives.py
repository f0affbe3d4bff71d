"""Objective of a placement in `mapping.json`: the quantity that it lowers, with its value for the routes, and its bound for the vertices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

import numpy as np
from attrs import evolve
from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, StringAttr

from ....core.arrays.numeric import Reals
from ....core.device.cost.records import Measure
from ....core.device.records import Device
from ....core.device.topology import Topology
from ....core.diagnostics import Code, ExitCode, choices_text, refuse
from ....core.help_text import Phrase, WithoutOptions
from ....dialects import machine
from ....passes.pipeline_edits import step_text, takes_options
from ..target_pipelines import steps_of

CMP020 = Code("CMP020", "objective-without-effect", "an objective has no effect", exit_code=ExitCode.MISUSED)
CMP021 = Code("CMP021", "objective-unknown", "an objective is unknown", exit_code=ExitCode.MISUSED)

OBJECTIVE_OPTION, OBJECTIVE_NAME = "--objective", "objective"
PLACED, CHOSEN = "machine.placed", "machine.objective"
"""Attributes of a graph with the figures of its placement, and with its objective if that is not hops."""
OBJECTIVE_UNITS = {"energy": "pJ per tick"}
"""Units other than events per tick."""


def objective_passes(device: Device, objective: str | None, until: str | None) -> list[str]:
    """Returns the passes of a device's target that take an objective, with this one. Errors: CMP020, CMP021."""
    if objective is None:
        return []
    known: Sequence[Measure] = get_args(Measure)
    if objective not in known:
        near, *_ = get_close_matches(objective, known, 1, 0)
        refuse(
            CMP021,
            at=f"{OBJECTIVE_OPTION} {objective}",
            expected=choices_text(known),
            found=objective,
            help=f"{OBJECTIVE_OPTION} {near}",
        )
    names = [step.name for step in steps_of(device, until) if takes_options(step.name, [OBJECTIVE_NAME])]
    if not names:
        refuse(
            CMP020,
            at=f"{OBJECTIVE_OPTION} {objective}",
            expected="a device with cores, and a level at which they are placed",
            found=device.key if until is None else f"{device.key}, --until {until}",
            help=Phrase(WithoutOptions((OBJECTIVE_OPTION,))),
        )
    return [step_text(name, {OBJECTIVE_NAME: (objective,)}) for name in names]


def placement_record(
    graph: machine.GraphOp, routed: Mapping[str, Any], topology: Topology, device: Device, tree_costs: TreeCosts
) -> dict[str, Any]:
    """Returns the objective of a routed graph; `routed` has its rows `deliveries` and `vertices`, and `cost`."""
    chosen = graph.attributes.get(CHOSEN)
    objective = chosen.data if isinstance(chosen, StringAttr) else "hops"
    unit = OBJECTIVE_UNITS.get(objective, "events per tick")
    if objective == "hops":
        cost = routed["cost"]
        return {"objective": objective, "unit": unit, "value": cost["value"], "bound": cost["bound"], "reason": None}
    figures = graph.attributes.get(PLACED)
    bound = figures.data.get("bound") if isinstance(figures, DictionaryAttr) else None
    reason = None if isinstance(bound, FloatAttr) else f"no bound of {objective} is known"
    return {
        "objective": objective,
        "unit": unit,
        "value": placement_value(objective, graph, routed, topology, device, tree_costs),
        "bound": bound.value.data if isinstance(bound, FloatAttr) else None,
        "reason": reason,
    }


def placement_value(
    objective: str,
    graph: machine.GraphOp,
    routed: Mapping[str, Any],
    topology: Topology,
    device: Device,
    tree_costs: TreeCosts,
) -> float:
    """Returns the value of an objective for the routes of a graph."""
    if objective in ("crossings", "energy"):
        hop, crossing = (device.number(f"cost.energy.{name}") for name in ("hop", "crossing"))
        costs = (0.0, 1.0) if objective == "crossings" else (float(hop or 0), float(crossing or 0))
        kind: Any = topology  # each kind is an attrs class with both
        weighed: Topology = evolve(kind, hop=costs[0], crossing=costs[1])
        return float(sum(float(route.activities @ tree_costs(route, weighed)) for route in graph.routes))
    if objective == "peak-load":
        return peak_load(graph)
    places = {one["id"]: (one["chip"], one["core"]) for one in routed["vertices"]}
    rows = routed["deliveries"]
    is_counted = [objective == "input-axons" or places[one["source"]] != (one["chip"], one["core"]) for one in rows]
    return float(sum(one["activity"] for one, counted in zip(rows, is_counted, strict=True) if counted))


def peak_load(graph: machine.GraphOp) -> float:
    """Returns the events per tick on the most loaded link."""
    loads: dict[tuple[int, ...], float] = {}
    for route in graph.routes:
        activity = np.repeat(route.activities, route.tree_sizes[:, 0])
        for link, events in zip(map(tuple, route.links.values.tolist()), activity.tolist(), strict=True):
            loads[link] = loads.get(link, 0.0) + events
    return max(loads.values(), default=0.0)


TreeCosts = Callable[[machine.RouteOp, Topology], Reals]

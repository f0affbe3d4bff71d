"""Reasons of cores and limits: what fills a core, how much room is left, and which other vertices would fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i64

from ...core.device.core_kinds import kind_at, kinds_of
from ...core.device.limits import excesses
from ...core.device.topology import topology_of
from ...core.number_texts import counted_text, percent_text
from ...dialects import machine
from ..compiling.build_report import only_graph
from ..compiling.device_fit import NATURAL, limit_uses
from ..compiling.occupancy import core_uses
from .build_trace import Trace
from .records import Alternative, Fact, Why

MOST_MOVES = 6
"""Maximum number of vertices that are tried on a core."""
MOST_LIMITS = 8
"""Maximum number of limits in a list."""


def cores_of(trace: Trace) -> dict[str, int]:
    """Returns the cores with neurons by their names: `core 7`, or `chip 1 core 7` on several chips."""
    if trace.graph is None:
        return {}
    graph = only_graph(trace.graph)
    topology = topology_of(trace.device, len(graph.vertices))
    cores = core_uses(graph, trace.device)
    is_single = len({topology.place(core)[0] for core in cores}) == 1
    own = topology.own
    return {
        f"core {core % own}" if is_single else f"chip {topology.place(core)[0]} core {core % own}": core
        for core in cores
    }


def reasons_of_core(build: str, trace: Trace, name: str) -> Why:
    """Returns the reasons of one core."""
    assert trace.graph is not None  # the name is one of `cores_of`
    core, graph = cores_of(trace)[name], only_graph(trace.graph)
    uses = sorted(core_uses(graph, trace.device)[core], key=share_of, reverse=True)
    limited = [use for use in uses if use["limit"] and use["quantity"] not in NATURAL]
    vertices = [one for one in graph.vertices_by_core()[core] if graph.vertices[one].source.data not in graph.inputs]
    neurons = sum(graph.vertices[one].neurons for one in vertices)
    facts = [
        Fact(
            "vertices", ", ".join(f"{one} ({counted_text(graph.vertices[one].neurons, 'neuron')})" for one in vertices)
        ),
        *(Fact(use["quantity"], use_text(use), source_of(trace, use["fields"])) for use in limited[:MOST_LIMITS]),
    ]
    fullest = f", fullest in {limited[0]['quantity']}: {percent_text(share_of(limited[0]))}" if limited else ""
    return Why(
        build=build,
        subject=name,
        kind="core",
        decision=f"{counted_text(len(vertices), 'vertex')} with {counted_text(neurons, 'neuron')}{fullest}",
        facts=tuple(facts),
        alternatives=tuple(moves(trace, core)),
    )


def share_of(use: Mapping[str, Any]) -> float:
    return use["used"] / use["limit"] if use["limit"] else 0.0


def use_text(use: Mapping[str, Any]) -> str:
    return (
        f"{use['used']:,} of {use['limit']:,} ({percent_text(share_of(use))}), room for {use['limit'] - use['used']:,}"
    )


def source_of(trace: Trace, paths: list[str]) -> str | None:
    return "; ".join(map(trace.device.cite, paths)) or None


def moves(trace: Trace, core: int) -> Iterator[Alternative]:
    """Yields the smallest vertices of other cores, each with the limit that this core would exceed with it."""
    assert trace.graph is not None
    device, graph = trace.device, only_graph(trace.graph)
    topology, kinds = topology_of(device, len(graph.vertices)), kinds_of(device)
    others = [
        one
        for one in graph.vertices.values()
        if one.source.data not in graph.inputs and one.core is not None and one.core.value.data != core
    ]
    for vertex in sorted(others, key=lambda one: (one.neurons, one.node.data))[:MOST_MOVES]:
        copied = trace.graph.clone()
        moved: machine.GraphOp = only_graph(copied)
        moved.vertices[vertex.node.data].properties["core"] = IntegerAttr(core, i64)
        found = excesses(kinds[kind_at(device, core, topology.own)], moved.core_needs(device)[core])
        what = f"{vertex.node.data} ({counted_text(vertex.neurons, 'neuron')}) on this core, too"
        if found:
            first = found[0]
            cost = f"{first.need}: {first.found:,} of at most {first.limit:,} ({first.path})"
            yield Alternative(what, cost, is_possible=False)
        else:
            others_there = len([one for one in others if one.place == vertex.place]) - 1
            yield Alternative(what, "fits" if others_there else "fits, and takes one core less", is_possible=True)


# ---- limits


def reasons_of_limit(build: str, trace: Trace, path: str | None) -> Why:
    """Returns the reasons of a limit, by its device field; without one, of the limit with the largest ratio of use."""
    assert trace.graph is not None
    rows = sorted(all_uses(trace), key=lambda one: -one["used"] / max(1, one["value"]))
    own = [one for one in rows if path is None or one["limit"] == path]
    first = own[0]
    margin = first["value"] - first["used"]
    where = "" if first["at"] is None else f" at {first['at']}"
    facts = [
        Fact("limit", f"{first['value']:,}", trace.device.cite(first["limit"])),
        Fact("used", f"{first['used']:,}{where} ({percent_text(first['used'] / max(1, first['value']))})"),
        Fact("margin", f"{margin:,}"),
    ]
    if trace.device.is_open(first["limit"]):
        facts.append(Fact("relaxed by", f"--set {first['limit']}=N"))
    others: dict[str, dict[str, Any]] = {}
    for one in rows:
        if one["limit"] != first["limit"]:
            others.setdefault(one["limit"], one)
    alternatives = [
        Alternative(
            f"without this limit, {one['limit']} binds" if number == 0 else one["limit"],
            f"{one['used']:,} of {one['value']:,} ({percent_text(one['used'] / max(1, one['value']))})",
            is_possible=True,
        )
        for number, one in enumerate([*others.values()][:MOST_LIMITS])
    ]
    return Why(
        build=build,
        subject=path or "limit",
        kind="limit",
        decision=f"{first['limit']}: {first['used']:,} of {first['value']:,}{where}, a margin of {margin:,}",
        facts=tuple(facts),
        alternatives=tuple(alternatives) if path is None else (),
    )


def all_uses(trace: Trace) -> list[dict[str, Any]]:
    """Returns every limit of a build with its use; none for a build without cores."""
    return [] if trace.graph is None else list(limit_uses(only_graph(trace.graph), trace.device))

"""Verification of the routes of a machine graph: every link of a tree, and the delivery of every edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np
from attrs import frozen

from ...core.device.topology import Topology, Walk
from ...core.diagnostics import Code, invalid
from .mapping import EdgeOp, RouteOp, VertexOp
from .parts import verify_known

MCH008 = Code("MCH008", "route-not-a-tree", "a route is not a tree of links")
MCH009 = Code("MCH009", "edge-not-delivered", "an edge is not delivered")


def verify_routes(
    routes: Sequence[RouteOp], edges: Sequence[EdgeOp], vertices: Mapping[str, VertexOp], topology: Topology
) -> None:
    """Refuses routes that are not trees, and edges that are not delivered. Errors: MCH001, MCH008, MCH009."""
    core = {name: place for name, vertex in vertices.items() if (place := vertex.place) is not None}
    walks: dict[str, list[Delivery]] = {}
    for route in routes:
        verify_known(route, "vertex", route.source.data, vertices)
        walks.setdefault(route.source.data, []).append(follow_route(route, core[route.source.data], topology))
    for edge in edges:
        name = edge.source.data
        verify_delivery(edge, vertices[name].neurons, core, topology, walks.get(name, []))
    for one in (one for several in walks.values() for one in several):
        if one.walk.fault is not None:
            refuse_link(one.route, topology, *one.walk.fault)


@frozen(eq=False)
class Delivery:
    """A route, and the cores that it reaches."""

    route: RouteOp
    walk: Walk


def refuse_link(route: RouteOp, topology: Topology, message: str, k: int) -> NoReturn:
    """Refuses link `k` of a route. Errors: MCH008."""
    links = route.links.values.astype(np.int64)
    if topology.has_form(links):
        expected = "links between neighbours, each once, that lead away from the source"
        text = topology.format_link(links[k])
    else:
        expected, text = topology.link_form, str(links[k].tolist())
    found, help = f"hop {k} of {len(links)}: {text}", "route the graph again"
    invalid(route, MCH008, f'{message}, from "{route.source.data}"', expected=expected, found=found, help=help)


def follow_route(route: RouteOp, start: int, topology: Topology) -> Delivery:
    """Follows the links of a route from the core of its source. Errors: MCH008 links that do not exist."""
    walk = topology.follow(route.links.values.astype(np.int64), start)
    if walk.fault is not None and not walk.reached:
        refuse_link(route, topology, *walk.fault)
    return Delivery(route, walk)


def verify_delivery(
    edge: EdgeOp, neurons: int, core: Mapping[str, int], topology: Topology, walks: Sequence[Delivery]
) -> None:
    """Refuses an edge whose source neurons no route delivers to its target. Errors: MCH009."""
    start, end = core[edge.source.data], core[edge.target.data]
    if start == end:
        return
    reaching = [one.route for one in walks if end in one.walk.reached]
    if any(route.neurons is None for route in reaching):
        return
    waiting = np.zeros(neurons, np.bool_)
    waiting[edge.sources.values if edge.sources is not None else slice(None)] = True
    for route in reaching:
        waiting[route.neurons.values if route.neurons is not None else slice(0)] = False
    if not waiting.any() or not edge.axons.value.data:
        return
    first = int(np.argmax(waiting))
    taken = [one for one in walks if one.route.neurons is None or first in one.route.neurons.values]
    invalid(
        edge,
        MCH009,
        f'edge "{edge.source.data}" -> "{edge.target.data}" of "{edge.projection.data}" is not delivered',
        expected=f"a route from {topology.format_core(start)} to {topology.format_core(end)} for each of its {edge.axons.value.data} sources",
        found=f"none for {int(waiting.sum())} of them, the first at index {first}: {describe_break(taken, start, end, topology)}",
        help="route the graph again",
    )


def describe_break(walks: Sequence[Delivery], start: int, end: int, topology: Topology) -> str:
    """Returns the first hop of the path that no route takes."""
    reached = frozenset[int]().union(*(one.walk.reached for one in walks)) if walks else frozenset([start])
    path = topology.path(start, end)
    k = next(k for k in range(1, len(path)) if path[k] not in reached)
    steps = [topology.format_core(start), *map(topology.format_router, path[1:-1]), topology.format_core(end)]
    return f"hop {k - 1} of {len(path) - 1}, {steps[k - 1]} to {steps[k]}"

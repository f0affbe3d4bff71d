"""Verification of the routes of a machine graph: every link of a tree, and the delivery of every edge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..core.device.mesh import Mesh, Walk
from ..core.diagnostics import Code, invalid
from .machine_ops.mapping import EdgeOp, RouteOp, VertexOp
from .machine_ops.parts import verify_known

MCH008 = Code("MCH008", "a route is not a tree of links")
MCH009 = Code("MCH009", "an edge is not delivered")


def verify_routes(
    routes: Sequence[RouteOp], edges: Sequence[EdgeOp], vertices: Mapping[str, VertexOp], mesh: Mesh
) -> None:
    """Refuses routes that are not trees, and edges that are not delivered. Errors: MCH001, MCH008, MCH009."""
    core = {name: place for name, vertex in vertices.items() if (place := vertex.place) is not None}
    walks: dict[str, list[Delivery]] = {}
    for route in routes:
        verify_known(route, "vertex", route.source.data, vertices)
        walks.setdefault(route.source.data, []).append(follow_route(route, core[route.source.data], mesh))
    for edge in edges:
        name = edge.source.data
        verify_delivery(edge, vertices[name].neurons, core, mesh, walks.get(name, []))
    for one in (one for several in walks.values() for one in several):
        if one.walk.fault is not None:
            refuse_link(one.route, mesh, *one.walk.fault)


@frozen(eq=False)
class Delivery:
    """A route, and the cores that it reaches."""

    route: RouteOp
    walk: Walk


def refuse_link(route: RouteOp, mesh: Mesh, message: str, k: int) -> NoReturn:
    """Refuses link `k` of a route. Errors: MCH008."""
    expected = "links between neighbours, each once, that lead away from the source"
    found, help = (
        f"hop {k} of {len(route.links.values)}: {link_text(chips_of(route)[k], mesh)}",
        "route the graph again",
    )
    invalid(route, MCH008, f'{message}, from "{route.source.data}"', expected=expected, found=found, help=help)


def chips_of(route: RouteOp) -> NDArray[np.int64]:
    """Returns the links of a route with their chips."""
    links = route.links.values.astype(np.int64)
    return np.insert(links, [0, 2], 0, axis=1) if links.shape[1] == 4 else links


def follow_route(route: RouteOp, start: int, mesh: Mesh) -> Delivery:
    """Follows the links of a route from the core of its source. Errors: MCH008 links that do not exist."""
    walk = mesh.follow(route.links.values.astype(np.int64), start)
    if walk.fault is not None and not walk.reached:
        refuse_link(route, mesh, *walk.fault)
    return Delivery(route, walk)


def link_text(link: Iterable[int], mesh: Mesh) -> str:
    chip0, x0, y0, chip1, x1, y1 = map(int, link)
    if mesh.chips == 1:
        return f"({x0}, {y0}) to ({x1}, {y1})"
    return f"({x0}, {y0}) of chip {chip0} to ({x1}, {y1}) of chip {chip1}"


def verify_delivery(edge: EdgeOp, neurons: int, core: Mapping[str, int], mesh: Mesh, walks: Sequence[Delivery]) -> None:
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
        expected=f"a route from {mesh.said(start)} to {mesh.said(end)} for each of its {edge.axons.value.data} sources",
        found=f"none for {int(waiting.sum())} of them, the first at index {first}: {describe_break(taken, start, end, mesh)}",
        help="route the graph again",
    )


def describe_break(walks: Sequence[Delivery], start: int, end: int, mesh: Mesh) -> str:
    """Returns the first hop of the dimension-ordered path that no route takes."""
    reached = frozenset[int]().union(*(one.walk.reached for one in walks)) if walks else frozenset([start])
    path = ordered_path(start, end, mesh)
    k = next(k for k in range(1, len(path)) if path[k] not in reached)
    return f"hop {k - 1} of {len(path) - 1}, {mesh.said(path[k - 1])} to {mesh.said(path[k])}"


def ordered_path(start: int, end: int, mesh: Mesh) -> list[int]:
    """Returns the cores on the path between two, in the dimension order of the device."""
    x, y = int(mesh.x[start]), int(mesh.y[start])
    to_x, to_y = int(mesh.x[end]), int(mesh.y[end])
    found = [start]
    for axis in "xy" if mesh.is_x_first else "yx":
        while (x if axis == "x" else y) != (to_x if axis == "x" else to_y):
            if axis == "x":
                x += 1 if to_x > x else -1
            else:
                y += 1 if to_y > y else -1
            found.append(int(mesh.core(x, y)))
    return found

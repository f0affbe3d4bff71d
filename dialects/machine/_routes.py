"""Verification of the routes of a machine graph: every link of a tree, and the delivery of every edge.

Verification of the tables of a machine graph: a walk of the keys of every vertex through the tables of all routers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import NoReturn

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...core.device.topology import Topology, kind_of
from ...core.diagnostics import Code, invalid
from ...core.routing.forest import Forest, TreeFault
from ...core.routing.walk import walk
from .mapping import MCH005, EdgeOp, RouteOp, VertexOp
from .parts import verify_known
from .tables import MCH015, KeyOp, TableOp

MCH008 = Code("MCH008", "route-not-a-tree", "a route is not a tree of links")
MCH009 = Code("MCH009", "edge-not-delivered", "an edge is not delivered")


def verify_routes(
    routes: Sequence[RouteOp], edges: Sequence[EdgeOp], vertices: Mapping[str, VertexOp], topology: Topology
) -> None:
    """Refuses routes that are not trees, and edges that are not delivered. Errors: MCH001, MCH005, MCH008, MCH009."""
    core = {name: place for name, vertex in vertices.items() if (place := vertex.place) is not None}
    by_source: dict[str, tuple[list[RouteOp], list[EdgeOp]]] = {name: ([], []) for name in vertices}
    for route in routes:
        verify_known(route, "vertex", route.source.data, vertices)
        verify_users(route, vertices[route.source.data].neurons)
        by_source[route.source.data][0].append(route)
    for edge in edges:
        by_source[edge.source.data][1].append(edge)
    for name, (own, sent) in by_source.items():  # the trees of one vertex at a time are kept
        walks = [follow_route(route, core[name], topology) for route in own]
        for edge in sent:
            verify_delivery(edge, vertices[name].neurons, core, topology, walks)
        for one in walks:
            if one.forest.fault is not None:
                refuse_link(one.route, topology, one.forest.fault)


@frozen(eq=False)
class Delivery:
    """The routes of a vertex, and the cores that they reach."""

    route: RouteOp
    forest: Forest


def verify_users(route: RouteOp, neurons: int) -> None:
    """Refuses neurons that the vertex does not have. Errors: MCH005."""
    if len(listed := route.listed_neurons) and (last := int(listed.max())) >= neurons:
        message, help = f'neurons are not those of "{route.source.data}"', "route the graph again"
        invalid(route, MCH005, message, expected=f"indices below {neurons}", found=str(last), help=help)


def refuse_link(route: RouteOp, topology: Topology, fault: TreeFault) -> NoReturn:
    """Refuses a link of a tree. Errors: MCH008."""
    first, count = route.first_links, len(route.tree_sizes)
    links = route.links.values.astype(np.int64)[first[fault.tree] : first[fault.tree + 1]]
    if topology.has_form(links):
        expected = "links between neighbours, each once, that lead away from the source"
        text = topology.format_link(links[fault.link])
    else:
        expected, text = topology.link_form, str(links[fault.link].tolist())
    found = f"hop {fault.link} of {len(links)}: {text}" + (f", in tree {fault.tree} of {count}" if count > 1 else "")
    message, help = f'{fault.message}, from "{route.source.data}"', "route the graph again"
    invalid(route, MCH008, message, expected=expected, found=found, help=help)


def follow_route(route: RouteOp, start: int, topology: Topology) -> Delivery:
    """Follows the trees of a route from the core of its source. Errors: MCH008 links that do not exist."""
    forest = route.follow(topology, start)
    if forest.fault is not None and forest.fault.is_unknown:
        refuse_link(route, topology, forest.fault)
    return Delivery(route, forest)


def verify_delivery(
    edge: EdgeOp, neurons: int, core: Mapping[str, int], topology: Topology, walks: Sequence[Delivery]
) -> None:
    """Refuses an edge if no route delivers the spikes of some of its source neurons to its target. Errors: MCH009."""
    start, end = core[edge.source.data], core[edge.target.data]
    if start == end or not edge.axons.value.data:
        return
    waiting = np.zeros(neurons, np.bool_)
    waiting[edge.sources.values if edge.sources is not None else slice(None)] = True
    for one in walks:
        waiting &= ~one.route.served(one.forest.trees_to(end), neurons)
    if not waiting.any():
        return
    first = int(np.argmax(waiting))
    reached = {start}.union(
        *(one.forest.core[np.isin(one.forest.tree, trees_of(one.route, first))].tolist() for one in walks)
    )
    invalid(
        edge,
        MCH009,
        f'edge "{edge.source.data}" -> "{edge.target.data}" of "{edge.projection.data}" is not delivered',
        expected=f"a route from {topology.format_core(start)} to {topology.format_core(end)} for each of its {edge.axons.value.data} sources",
        found=f"none for {int(waiting.sum())} of them, the first at index {first}: {describe_break(reached, start, end, topology)}",
        help="route the graph again",
    )


def trees_of(route: RouteOp, neuron: int) -> list[int]:
    """Returns the trees that a neuron uses."""
    return [k for k, users in enumerate(route.users()) if users is None or neuron in users]


def describe_break(reached: Collection[int], start: int, end: int, topology: Topology) -> str:
    """Returns the first hop of the path that no route takes."""
    path = topology.path(start, end)
    k = next(k for k in range(1, len(path)) if path[k] not in reached)
    steps = [topology.format_core(start), *map(topology.format_router, path[1:-1]), topology.format_core(end)]
    return f"hop {k - 1} of {len(path) - 1}, {steps[k - 1]} to {steps[k]}"


MCH016 = Code(
    "MCH016", "routing-key-misses-core", "a key does not reach the cores of its targets, or reaches another core"
)


def first_processor(device: Device) -> int:
    """Returns the processor number of a position's first core."""
    return device.integer("topology.torus.first_processor") or 0


def targets_of(edges: Sequence[EdgeOp], vertices: Mapping[str, VertexOp]) -> dict[str, Ints]:
    """Returns the cores that need the spikes of each vertex, sorted; of placed vertices."""
    found: dict[str, set[int]] = {}
    for edge in edges:
        if edge.axons.value.data and (core := vertices[edge.target.data].place) is not None:
            found.setdefault(edge.source.data, set()).add(core)
    return {name: np.array(sorted(cores), np.int64) for name, cores in found.items()}


def verify_tables(
    keys: Sequence[KeyOp],
    tables: Sequence[TableOp],
    edges: Sequence[EdgeOp],
    vertices: Mapping[str, VertexOp],
    topology: Topology,
    device: Device,
) -> None:
    """Refuses keys that overlap, and keys that do not reach exactly the cores of their targets. Errors: MCH001, MCH015, MCH016."""
    if not keys and not tables:
        return
    help = "make the tables again: machine-make-tables"
    if not topology.is_keyed:
        message, expected = (
            "routers of the device do not select routes by keys",
            "a kind of topology with keys: hex-torus",
        )
        invalid(
            (*keys, *tables)[0],
            MCH015,
            message,
            expected=expected,
            found=kind_of(device),
            help="remove keys and tables",
        )
    for op in keys:
        verify_known(op, "vertex", op.source.data, vertices)
        if (most := vertices[op.source.data].neurons) > op.size:
            expected = f"{most} keys, one for each neuron"
            invalid(op, MCH015, "a block of keys is too small", expected=expected, found=f"{op.size}", help=help)
    verify_apart(keys, help)
    for op in tables:
        if op.position.value.data >= topology.positions:
            expected, found = f"positions 0 to {topology.positions - 1}", str(op.position.value.data)
            invalid(op, MCH015, "the device has no such router", expected=expected, found=found, help=help)
    targets, held = targets_of(edges, vertices), {op.source.data: op for op in keys}
    for name in targets:
        if name not in held:
            expected = "a block of keys for each vertex with targets"
            invalid(vertices[name], MCH015, "the vertex has no keys", expected=expected, found="none", help=help)
    names = list(held)
    key, mask = (
        np.array([getattr(held[name], part).value.data for name in names], np.int64) for part in ("key", "mask")
    )
    place = np.array([vertices[name].place for name in names], np.int64) // topology.slots
    found = walk({op.position.value.data: op.entries for op in tables}, topology.neighbours, key, mask, place)
    if (fault := found.fault) is not None:
        router = topology.format_router(fault.position * topology.slots)
        expected = "a path to the core of each target"
        invalid(held[names[fault.block]], MCH016, fault.message, expected=expected, found=f"at {router}", help=help)
    slot = found.processor - first_processor(device)
    if len(out := np.flatnonzero((slot < 0) | (slot >= topology.slots))):
        k = int(out[0])
        router = topology.format_router(int(found.position[k]) * topology.slots)
        first = first_processor(device)
        expected = f"processors {first} to {first + topology.slots - 1} of {router}"
        message = "a key reaches a processor without a core"
        invalid(
            held[names[int(found.block[k])]],
            MCH016,
            message,
            expected=expected,
            found=f"processor {int(found.processor[k])}",
            help=help,
        )
    reached = found.position * topology.slots + slot
    starts = np.searchsorted(found.block, np.arange(len(names) + 1))
    for k, name in enumerate(names):
        mine, wanted = reached[starts[k] : starts[k + 1]], targets.get(name, np.zeros(0, np.int64))
        if not np.array_equal(mine, wanted):
            only = np.setxor1d(mine, wanted)
            core = int(only[0])
            message = "a key reaches a core without its targets" if core in mine else "a key does not reach a target"
            where = topology.format_core(core) if core < topology.cores else f"core {core}"
            invalid(held[name], MCH016, message, expected=f"{len(wanted)} cores", found=where, help=help)


def verify_apart(keys: Sequence[KeyOp], help: str) -> None:
    """Refuses blocks with common keys. Errors: MCH015."""
    ordered = sorted(keys, key=lambda op: op.key.value.data)
    for first, second in pairwise(ordered):
        end = first.key.value.data + first.size
        if second.key.value.data < end:
            expected = f"keys from {end:#x}, above those of {first.source.data}"
            invalid(
                second,
                MCH015,
                "two vertices have common keys",
                expected=expected,
                found=f"{second.key.value.data:#x}",
                help=help,
            )

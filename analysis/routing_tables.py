"""Keys and routing tables of a routed graph, for topologies whose routers select routes by keys.

    vertex      -> a block of keys, a power of two, aligned
    population  -> the blocks of its vertices, one after the other in their order, aligned to the power of two that holds all of them
    router      -> one entry for each vertex whose spikes pass it, start there or end there

All blocks of a population have the size that its largest vertex needs. The populations with most keys come first, so that all are aligned without gaps
between them.

A router's entry for a vertex has a bit for each link of the vertex's tree from the router, and for each processor of a target. Spikes of a vertex for its
own core pass the router as well. An entry of one link, opposite to the link by which the spikes come, has a default route: packets take it without an entry.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from ..core.arrays.numeric import Bools, Ints
from ..core.device.named_device import device_of
from ..core.device.topology import topology_of
from ..core.routing.table import FULL, LINK_BITS, Table
from ..dialects import machine
from ..dialects.machine import first_processor, targets_of


@frozen(eq=False)
class Keys:
    """Blocks of keys. Shapes: key and mask [vertices], in the order of the graph's vertices."""

    names: tuple[str, ...]
    key: Ints
    mask: Ints
    end: int
    """The first key after all blocks."""


@frozen(eq=False)
class RouterEntries:
    """The entries of one router, in the order of keys. Shapes: is_default [entries]."""

    table: Table
    is_default: Bools


def allocate_keys(graph: machine.GraphOp) -> Keys:
    """Returns the keys of all vertices that have targets. The keys can need more than 32 bits."""
    sending = {edge.source.data for edge in graph.edges if edge.axons.value.data}
    groups: dict[str, list[str]] = {}
    for name, vertex in graph.vertices.items():
        if name in sending:
            groups.setdefault(vertex.source.data, []).append(name)
    vertices = graph.vertices
    bits = {source: index_bits(max(vertices[name].neurons for name in names)) for source, names in groups.items()}
    whole = {source: bits[source] + index_bits(len(names)) for source, names in groups.items()}
    names, keys, masks, end = list[str](), list[int](), list[int](), 0
    for source in sorted(groups, key=lambda source: -whole[source]):
        for k, name in enumerate(groups[source]):
            names.append(name)
            keys.append(end + (k << bits[source]))
            masks.append(FULL >> bits[source] << bits[source])
        end += 1 << whole[source]
    return Keys(tuple(names), np.array(keys, np.int64), np.array(masks, np.int64), end)


def index_bits(count: int) -> int:
    """Returns the bits of numbers below a count."""
    return max(0, count - 1).bit_length()


def router_entries(graph: machine.GraphOp, keys: Keys) -> Mapping[int, RouterEntries]:
    """Returns the entries of each router that spikes pass, by its position. The topology of the device is keyed."""
    device, vertices = device_of(graph), graph.vertices
    topology, place = topology_of(device, len(vertices)), {name: k for k, name in enumerate(keys.names)}
    owners, places, bits = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    heads, arrivals = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for route in graph.routes:
        links = route.links.values.astype(np.int64).reshape(-1, 2)
        owner = np.full(len(links), place[route.source.data])
        owners.append(owner)
        places.append(links[:, 0])
        bits.append(1 << links[:, 1])
        heads.append(owner * topology.positions + topology.neighbours[links[:, 0], links[:, 1]])
        arrivals.append(links[:, 1])
    for name, cores in targets_of(graph.edges, vertices).items():
        owners.append(np.full(len(cores), place[name]))
        places.append(cores // topology.slots)
        bits.append(1 << (LINK_BITS + first_processor(device) + cores % topology.slots))
    pair, which = np.unique(np.concatenate(owners) * topology.positions + np.concatenate(places), return_inverse=True)
    route = np.zeros(len(pair), np.int64)
    np.bitwise_or.at(route, which, np.concatenate(bits))
    came = np.zeros(len(pair), np.int64)
    head, link = np.concatenate(heads), np.concatenate(arrivals)
    came[np.searchsorted(pair, head)] = 1 << link
    owner, position = np.divmod(pair, topology.positions)
    found: dict[int, RouterEntries] = {}
    order = np.lexsort((keys.key[owner], position))
    for some in np.split(order, np.flatnonzero(np.diff(position[order])) + 1) if len(order) else ():
        table = Table(keys.key[owner[some]], keys.mask[owner[some]], route[some])
        found[int(position[some[0]])] = RouterEntries(table, route[some] == came[some])
    return found

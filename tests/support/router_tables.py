"""Generated routing tables: those of invented keys and routes, and the tables of routers on a triangular torus.

table, is_default = generated("random keys", seed=0, entries=120)
topology, nets = drawn_nets(seed=0, nets=80)
position, (table, is_default) = next(iter(entries_of(topology, nets).items()))
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from nopt.core.arrays.numeric import Bools, Ints
from nopt.core.routing.table import FULL, LINK_BITS, Table
from nopt.core.topology.hex_torus import HexTorusTopology

KINDS = ("few routes", "random keys", "skewed", "structured", "default")
BLOCK_BITS = 4
"""Bits of the keys of one source."""


def generated(kind: str, seed: int, entries: int) -> tuple[Table, Bools]:
    """Returns entries that match different keys, and those with a default route."""
    random = np.random.default_rng(seed)
    key, route = np.arange(entries), 1 << random.integers(0, 4, entries)
    match kind:
        case "random keys":
            key, route = np.sort(random.choice(2**14, entries, replace=False)), 1 << random.integers(0, 20, entries)
        case "skewed":
            route = 1 << np.minimum(random.geometric(0.4, entries), 20)
        case "structured":
            route = 1 << (6 + np.arange(entries) // 10 % 16)
        case _:
            pass
    is_default = (random.random(entries) < 0.3) & (route < 64) & (kind == "default")
    return Table(key << 3, np.full(entries, FULL - 7), route.astype(np.int64)), is_default


@frozen(eq=False)
class Nets:
    """Sources and their targets. Shapes: source [nets], start [nets + 1], target [targets]: cores."""

    source: Ints
    start: Ints
    target: Ints


def drawn_nets(topology: HexTorusTopology, seed: int, nets: int, most: int = 9) -> Nets:
    """Returns random nets with fewer than `most` targets each, between cores that paths reach."""
    random = np.random.default_rng(seed)
    works = topology.rows(topology.entry // topology.slots)[0] < 2**14
    usable = np.flatnonzero(np.repeat(works, topology.slots))
    start = np.concatenate([[0], np.cumsum(random.integers(1, most, nets))])
    source, target = random.choice(usable, nets), random.choice(usable, int(start[-1]))
    return Nets(source, start, target)


def entries_of(topology: HexTorusTopology, nets: Nets) -> Mapping[int, tuple[Table, Bools]]:
    """Returns the entries of each router, and which have a default route."""
    source, start, target = nets.source, nets.start, nets.target
    trees = topology.shorter(topology.trees(source, start, target), source, start, target)
    routes: dict[int, dict[int, int]] = {}
    came: dict[tuple[int, int], int] = {}
    for net in range(len(source)):
        for position, link in trees.links(net).tolist():
            entries = routes.setdefault(position, {})
            entries[net] = entries.get(net, 0) | 1 << link
            came[int(topology.neighbours[position, link]), net] = link
        for core in target[start[net] : start[net + 1]].tolist():
            entries = routes.setdefault(core // topology.slots, {})
            entries[net] = entries.get(net, 0) | 1 << (LINK_BITS + core % topology.slots)
    found: dict[int, tuple[Table, Bools]] = {}
    for position, entries in routes.items():
        names = np.array(sorted(entries))
        route = np.array([entries[net] for net in names.tolist()])
        straight = np.array([entries[net] == 1 << came.get((position, net), 62) for net in names.tolist()])
        mask = np.full(len(names), FULL >> BLOCK_BITS << BLOCK_BITS)
        found[position] = Table(names << BLOCK_BITS, mask, route), straight
    return found

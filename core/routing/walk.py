"""Walk of blocks of keys through the tables of all routers, with default routes.

All blocks walk together, link by link: a block enters a router by a link, the table selects its route, and each link of the route leads on to a
router. A block without a match is forwarded straight on: its output link is opposite to its input link.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from attrs import frozen

from ..arrays.numeric import Bools, Ints
from .table import LINK_BITS, MOST_PROCESSORS, SPLIT, UNMATCHED, Table, look_up

NO_LINK = -1
"""Input link of a block at the router of its source."""


@frozen
class Fault:
    """A block that cannot be forwarded."""

    block: int
    position: int
    message: str


@frozen(eq=False)
class Reached:
    """The processors that each block reaches, sorted, and the first fault. Shapes: block, position and processor [arrivals]."""

    block: Ints
    position: Ints
    processor: Ints
    fault: Fault | None


def walk(tables: Mapping[int, Table], neighbours: Ints, key: Ints, mask: Ints, start: Ints) -> Reached:
    """Walks blocks of keys from the positions of their sources.

    Shapes: neighbours [positions, 6], -1 where a link does not exist; key, mask and start [blocks].
    """
    positions, links = len(neighbours), int(neighbours.shape[1])
    empty = Table(*(np.zeros(0, np.int64) for _ in range(3)))
    block: Ints = np.arange(len(key))
    place: Ints = start.astype(np.int64)
    came: Ints = np.full(len(key), NO_LINK, np.int64)
    seen: Ints = np.zeros(0, np.int64)
    found: list[Ints] = [np.zeros((0, 3), np.int64)]
    fault: Fault | None = None
    while len(block):
        now = block * positions + place
        if len(again := np.flatnonzero(np.isin(now, seen) | is_repeated(now))):
            fault = fault or Fault(int(block[again[0]]), int(place[again[0]]), "a key enters a router twice")
            break
        seen = np.concatenate([seen, now])
        route: Ints = np.empty(len(block), np.int64)
        order: Ints = np.argsort(place, kind="stable")
        for some in np.split(order, np.flatnonzero(np.diff(place[order])) + 1):
            at = int(place[some[0]])
            route[some] = look_up(tables.get(at, empty), key[block[some]], mask[block[some]])
        if len(split := np.flatnonzero(route == SPLIT)):
            message = "keys of one vertex have different routes"
            fault = fault or Fault(int(block[split[0]]), int(place[split[0]]), message)
        is_lost = (route == UNMATCHED) & (came == NO_LINK)
        if len(lost := np.flatnonzero(is_lost)):
            fault = fault or Fault(int(block[lost[0]]), int(place[lost[0]]), "no entry matches a key at its source")
        route = np.where(route == UNMATCHED, np.where(came >= 0, 1 << np.maximum(came, 0), 0), np.maximum(route, 0))
        to, processor = np.nonzero(route[:, None] >> (LINK_BITS + np.arange(MOST_PROCESSORS)) & 1)
        found.append(np.stack([block[to], place[to], processor], axis=1))
        sent, link = np.nonzero(route[:, None] >> np.arange(links) & 1)
        head = neighbours[place[sent], link]
        if len(dead := np.flatnonzero(head < 0)):
            message = f"link {int(link[dead[0]])} does not work, or leads out of the device"
            fault = fault or Fault(int(block[sent[dead[0]]]), int(place[sent[dead[0]]]), message)
        block, place, came = block[sent][head >= 0], head[head >= 0], link[head >= 0]
    all_found = np.concatenate(found)
    all_found = all_found[np.lexsort(all_found.T[::-1])]
    return Reached(all_found[:, 0], all_found[:, 1], all_found[:, 2], fault)


def is_repeated(values: Ints) -> Bools:
    """Returns a mask of the values that also occur earlier in the array."""
    found = np.ones(len(values), np.bool_)
    found[np.unique(values, return_index=True)[1]] = False
    return found

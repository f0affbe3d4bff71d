"""Topology `bus`: one medium that all cores share. There is nothing to route.

An event for other cores occupies the bus once, and every core reads it; without multicast it occupies the bus once for each core that
needs it. The bus is the only link, with the row [0]. Its load is the sum of the activity of all routes, in events per tick; the device
can limit it (`topology.bus.events_per_tick`). Events of a core for itself do not occupy the bus.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np

from ..arrays.numeric import Bools, Ints, Reals
from ..device.records import Device
from ..device.topology import RowTopology, Trees, Walk


class BusTopology(RowTopology):
    """Cores on one bus, across all chips."""

    uses: ClassVar[frozenset[str]] = frozenset(["topology.bus"])
    columns: ClassVar[tuple[int, ...]] = (1,)
    link_form: ClassVar[str] = "[1, 1]: [[0]], the bus"
    link_layout: ClassVar[Literal["neighbours", "tree", "medium", "pairs"]] = "medium"
    link_limit: ClassVar[str | None] = "topology.bus.events_per_tick"

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        yield "All cores share one bus. A core has a number and no other position."

    def distance(self, tail: Any, head: Any) -> Reals:
        return np.where(tail == head, 0.0, self.hop)

    def pull(self, partners: Ints, events: Reals) -> Reals:
        return self.hop * (events.sum() - np.bincount(partners, events, self.cores))

    def nearest(self) -> Reals:
        return self.distances(0)

    def least_links(self, cores: Any) -> Any:
        apart = np.maximum(cores - 1, 0)
        return np.minimum(apart, 1) if self.is_multicast else apart

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        net = np.repeat(np.arange(len(source)), np.diff(start))
        uses = np.zeros(len(source), np.int64)
        uses[net[target != source[net]]] = 1
        sender = source[uses == 1]
        return Trees(self, np.concatenate([[0], np.cumsum(uses)]), sender, sender)

    def link_rows(self, tail: Ints, head: Ints) -> Ints:
        return np.zeros((len(tail), 1), np.int64)

    def link_ends(self, links: Ints) -> tuple[Ints, Ints]:
        return links[:, 0], links[:, 0]

    def is_link(self, tail: Ints, head: Ints) -> Bools:
        return tail == 0

    def find_fault(self, links: Ints) -> tuple[str, int] | None:
        if len(out := np.flatnonzero(links[:, 0] > 0)):
            return "a link leaves the device", int(out[0])
        return ("the bus is used twice", 1) if len(links) > 1 else None

    def walk(self, links: Ints, start: int) -> Walk:
        return Walk(frozenset(range(self.cores)), None)

    def format_link(self, link: Ints) -> str:
        return "the bus"

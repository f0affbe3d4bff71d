"""Topology `all-to-all`: one link from every core to every other, as in a crossbar. There is nothing to route.

cost of a tree = sum over the cores of its targets, the source's own excluded, of hop (+ crossing to another chip)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

import numpy as np

from ..arrays.numeric import Bools, Ints, Reals
from ..arrays.unique_integers import unique_integers
from ..device.records import Device
from ..device.topology import RowTopology, Trees


class AllToAllTopology(RowTopology):
    """Cores that are all neighbours of each other."""

    link_layout: ClassVar[Literal["neighbours", "tree", "medium", "pairs"]] = "pairs"
    uses: ClassVar[frozenset[str]] = frozenset(["topology.routers", "cost.objective.crossing"])

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        yield "The topology is all-to-all: each core has a link to every other core. A core has a number and no other position."

    def distance(self, tail: Any, head: Any) -> Reals:
        crossing = self.crossing * (tail // self.own != head // self.own)
        return np.where(tail == head, 0.0, self.hop + crossing)

    def pull(self, partners: Ints, events: Reals) -> Reals:
        elsewhere = events.sum() - np.bincount(partners, events, self.cores)
        on_other_chips = events.sum() - np.bincount(partners // self.own, events, self.chips)
        return self.hop * elsewhere + self.crossing * np.repeat(on_other_chips, self.own)

    def nearest(self) -> Reals:
        return np.sort(self.distances(0))

    def is_link(self, tail: Ints, head: Ints) -> Bools:
        return tail != head

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        net = np.repeat(np.arange(len(source)), np.diff(start))
        apart = target != source[net]
        net, head = np.divmod(unique_integers(net[apart] * self.cores + target[apart]), self.cores)
        size = np.bincount(net, minlength=len(source))
        return Trees(self, np.concatenate([[0], np.cumsum(size)]), source[net], head)

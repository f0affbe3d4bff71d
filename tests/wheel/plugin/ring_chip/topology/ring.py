"""Topology `ring`: each core has a link to the next and to the previous one; an event takes the shorter way.

A tree goes as far as a target lies in each direction.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from nopt.core.arrays.numeric import Bools, Ints, Reals
from nopt.core.device.records import Device
from nopt.core.device.topology import RowTopology, Trees


class RingTopology(RowTopology):
    """Cores in a circle."""

    uses: ClassVar[frozenset[str]] = frozenset(["topology.routers"])

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        yield "The cores form a ring."

    def steps(self, tail: Any, head: Any) -> Ints:
        """Returns the links from one core to another, negative for those to previous cores."""
        ahead = (head - tail) % self.cores
        return np.where(2 * ahead <= self.cores, ahead, ahead - self.cores)

    def distance(self, tail: Any, head: Any) -> Reals:
        return self.hop * np.abs(self.steps(tail, head))

    def is_link(self, tail: Ints, head: Ints) -> Bools:
        return np.abs(self.steps(tail, head)) == 1

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        net = np.repeat(np.arange(len(source)), np.diff(start))
        steps = self.steps(source[net], target)
        ahead, behind = np.zeros((2, len(source)), np.int64)
        np.maximum.at(ahead, net, steps)
        np.maximum.at(behind, net, -steps)
        found = [
            (s + sign * k, s + sign * (k + 1))
            for s, a, b in zip(source.tolist(), ahead.tolist(), behind.tolist(), strict=True)
            for sign, length in ((1, a), (-1, b))
            for k in range(length)
        ]
        tail, head = np.array(found, np.int64).reshape(-1, 2).T % self.cores
        return Trees(self, np.concatenate([[0], np.cumsum(ahead + behind)]), tail, head)

    def path(self, start: int, end: int) -> list[int]:
        steps = int(self.steps(start, end))
        sign = 1 if steps > 0 else -1
        return [(start + sign * k) % self.cores for k in range(abs(steps) + 1)]

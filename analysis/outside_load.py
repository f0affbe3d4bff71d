"""Memory outside of the cores that vertices use, as plain arrays. `core/device/outside_memory.py` defines the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from attrs import evolve, frozen

from ..core.arrays.numeric import Bools, Ints
from ..core.device.outside_memory import OutsideLimit, outside_limits
from ..core.device.records import Device
from ..core.device.topology import Topology


@frozen(eq=False)
class OutsideLoad:
    """The contents of vertices that can be stored outside of their cores.

    Shapes: amount [vertices, needs], room [limits], owner [cores, limits]: the chip that the limit holds for, 0 for the host.
    """

    limits: tuple[OutsideLimit, ...]
    needs: tuple[str, ...]
    amount: Ints
    room: Ints
    owner: Ints

    def used(self, amount: Ints) -> Ints:
        """Returns the bytes that cores with these contents store outside of their memory. Shapes: amount [..., needs], result [..., limits]."""
        columns = {need: amount[..., k] for k, need in enumerate(self.needs)}
        return np.stack([limit.used(columns) for limit in self.limits], axis=-1)

    def shortage(self) -> tuple[OutsideLimit, int] | None:
        """Returns a limit that every placement exceeds, and the least bytes that one chip or the host must store; None if no such limit is known."""
        cores, owners = len(self.owner), self.owner.max(axis=0) + 1
        total = dict(zip(self.needs, self.amount.sum(axis=0).tolist(), strict=True))
        for k, limit in enumerate(self.limits):
            own = sum(total[need] for need in limit.stores)
            excess = max((sum(total[need] for need in some) - cores * room for some, room in limit.overflow), default=0)
            if (least := -(-(own + max(0, excess)) // int(owners[k]))) > limit.room:
                return limit, least
        return None


def outside_load(topology: Topology, device: Device, needs: Sequence[Mapping[str, int]]) -> OutsideLoad | None:
    """Returns the contents of vertices with these needs, and the limits that some placement may exceed; None if there are none."""
    limits = [limit for limit in outside_limits(device) if most_used(limit, needs) > limit.room]
    if not limits:
        return None
    names = tuple(dict.fromkeys(name for limit in limits for name in limit.needs))
    amount = np.array([[one.get(name, 0) for name in names] for one in needs], np.int64).reshape(len(needs), len(names))
    chip = np.arange(topology.cores) // topology.own
    owner = np.stack([np.zeros_like(chip) if limit.is_host else chip for limit in limits], axis=1)
    return OutsideLoad(tuple(limits), names, amount, np.array([limit.room for limit in limits]), owner)


def most_used(limit: OutsideLimit, needs: Sequence[Mapping[str, int]]) -> int:
    """Returns an upper bound of the bytes that vertices store outside of core memory in total, for any placement.

    It is their use of cores without memory: the excess of a core is at most the sum of what its vertices hold.
    """
    without = evolve(limit, overflow=tuple((some, 0) for some, _ in limit.overflow))
    return sum(int(without.used(one)) for one in needs)


class OutsideFilling:
    """The use of stores by the vertices that are placed."""

    def __init__(self, load: OutsideLoad):
        self.load = load
        self.amount = np.zeros((len(load.owner), len(load.needs)), np.int64)
        """Contents of each core. Shapes: [cores, needs]."""
        self.total = np.zeros((int(load.owner.max(initial=0)) + 1, len(load.limits)), np.int64)
        """The bytes that all cores store outside. Shapes: [owners, limits]."""
        self.column = np.arange(len(load.limits))

    def change(self, core: Ints, amount: Ints) -> Ints:
        """Returns how much more cores store outside with some more contents. Shapes: core [n], amount [n, needs], result [n, limits]."""
        held = self.amount[core]
        return self.load.used(held + amount) - self.load.used(held)

    def move(self, vertex: int, core: int, sign: int = 1) -> None:
        """Puts a vertex on a core, or takes it away."""
        amount = sign * self.load.amount[vertex]
        self.total[self.load.owner[core], self.column] += self.change(np.array([core]), amount[None])[0]
        self.amount[core] += amount

    def fits(self, vertex: int) -> Bools:
        """Returns whether all limits are kept with a vertex on each core. Shapes: [cores]."""
        cores = np.arange(len(self.amount))
        more = self.change(cores, np.broadcast_to(self.load.amount[vertex], self.amount.shape))
        return np.all(self.total[self.load.owner, self.column] + more <= self.load.room, axis=1)

    def allows(self, vertex: Ints, there: Ints, other: Ints, here: Ints) -> Bools:
        """Returns whether vertices can move from `here` to `there`, and others (-1: none) back, with all limits kept. Shapes: [trials]."""
        comes = np.where((other >= 0)[:, None], self.load.amount[other], 0)
        gains = self.load.amount[vertex] - comes
        more, less = self.change(there, gains), self.change(here, -gains)
        is_shared = self.load.owner[there] == self.load.owner[here]
        totals = [self.total[self.load.owner[core], self.column] for core in (there, here)]
        new_there = totals[0] + more + np.where(is_shared, less, 0)
        new_here = totals[1] + less + np.where(is_shared, more, 0)
        return np.all(np.maximum(new_there, new_here) <= self.load.room, axis=1)

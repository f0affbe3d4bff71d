"""Memory outside of the cores: stores on a chip or on the host, and their joint use by the cores of a chip.

The contents of a core are stored in its own memory, and the excess in a suitable store of its chip. The contents of a synapse
format with `memory` are only in that store. For each set of contents that stores of a chip can contain:

    sum over cores of max(0, max over subsets (bytes of the subset - memory of the core for it)) + bytes of formats  <=  bytes of these stores

Source: the condition is Hall's theorem (P. Hall, On representatives of subsets, J. London Math. Soc. 10:26, 1935).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, combinations

import numpy as np
from attrs import frozen

from ..arrays.numeric import Ints
from ..diagnostics import Code, Finding
from .records import Device

DEV022 = Code("DEV022", "outside-memory-exceeded", "the memory outside of the cores is exceeded")

CONTENTS = {
    "synapse_bytes": ("synapses",),
    "neuron_bytes": ("neurons", "parameters"),
    "axon_bytes": ("axons", "routes", "delays"),
}
"""The contents that qualify a region for each kind of memory: the region must store at least one of them."""
WHOLE_MEMORY = "core.memory_bytes"
STORE = "memory."
"""Prefix of the need of a store by name: bytes of the synapse formats that are kept in it."""


def contents_of(needs: Collection[str]) -> set[str]:
    """Returns the contents of some needs."""
    return {content for need in needs for content in CONTENTS[need]}


def chip_memories(device: Device, contents: Collection[str]) -> list[str]:
    """Returns the stores of a chip that can store one of the contents of its cores. Host memory stores only formats that name it."""
    found = [name for name, one in device.memory.items() if one.where == "chip" and {*one.holds} & {*contents}]
    return [f"memory.{name}.bytes" for name in found]


def core_memories(device: Device, contents: Collection[str]) -> list[str]:
    """Returns the fields of core memory that can store one of the contents: regions if the core has any, else its whole memory."""
    core = device.core
    if core is None:
        return []
    if core.memory:
        return [f"core.memory.{name}.bytes" for name, region in core.memory.items() if {*region.holds} & {*contents}]
    return [] if core.memory_bytes is None else [WHOLE_MEMORY]


def subsets(needs: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields every non-empty subset of needs, the smallest first."""
    yield from chain.from_iterable(combinations(needs, n) for n in range(1, len(needs) + 1))


@frozen
class OutsideLimit:
    """A limit on the joint use of stores by several cores."""

    paths: tuple[str, ...]
    """The device fields with the sizes of the stores."""
    room: int
    is_host: bool
    """Whether all cores of the device share the limit; otherwise the cores of a chip share it."""
    overflow: tuple[tuple[tuple[str, ...], int], ...]
    """Sets of needs, each with the core memory for this set. Bytes beyond it are stored outside."""
    stores: tuple[str, ...]
    """Needs that are stored outside in any case."""

    def used(self, needs: Mapping[str, Ints | int]) -> Ints:
        """Returns the bytes of the stores that each core uses. Shapes: needs [cores] or (); result the same."""
        none: Ints = np.zeros((), np.int64)
        found = none
        for some, room in self.overflow:
            found = np.maximum(found, np.asarray(sum((needs.get(need, none) for need in some), none)) - room)
        return np.asarray(found + sum((needs.get(need, none) for need in self.stores), none), np.int64)

    @property
    def needs(self) -> tuple[str, ...]:
        """Returns the names of all needs that the limit counts."""
        return (*dict.fromkeys(need for some, _ in self.overflow for need in some), *self.stores)


def outside_limits(device: Device) -> list[OutsideLimit]:
    """Returns the limits of all stores with a known size."""
    found: list[OutsideLimit] = []
    for some in subsets(tuple(CONTENTS)):
        paths = chip_memories(device, contents_of(some))
        sizes = [device.integer(path) for path in paths]
        rooms = {part: room_of_core(device, part) for part in subsets(some)}
        if paths and None not in sizes:
            known = tuple((part, room) for part, room in rooms.items() if room is not None)
            stores = tuple(path.removesuffix(".bytes") for path in paths)
            found.append(OutsideLimit(tuple(paths), sum(n for n in sizes if n is not None), False, known, stores))
    for name, store in device.memory.items():
        path = f"{STORE}{name}.bytes"
        if (room := device.integer(path)) is not None:
            found.append(OutsideLimit((path,), room, store.where == "host", (), (f"{STORE}{name}",)))
    return found


def room_of_core(device: Device, needs: Collection[str]) -> int | None:
    """Returns the memory of a core for some contents; None if a size is not known."""
    sizes = [device.integer(path) for path in core_memories(device, contents_of(needs))]
    return None if None in sizes else sum(n for n in sizes if n is not None)


@frozen
class OutsideUse:
    """The use of stores by the cores of a chip; for host memory, by all cores of the device."""

    limit: OutsideLimit
    chip: int | None
    used: int

    @property
    def path(self) -> str:
        return self.limit.paths[0] if len(self.limit.paths) == 1 else "memory"

    @property
    def place(self) -> str:
        """Returns the owner of the stores for messages."""
        return "the host" if self.chip is None else f"chip {self.chip}"

    @property
    def is_exceeded(self) -> bool:
        return self.used > self.limit.room

    def finding(self, device: Device, help: str) -> Finding:
        """Returns the finding about an excess. Errors: DEV022."""
        paths = self.limit.paths
        return Finding(
            DEV022,
            f"the cores use more memory than {self.place} has",
            expected=f"at most {self.limit.room} bytes for {self.place}",
            found=f"{self.used} bytes",
            source=device.cite(self.path) if len(paths) == 1 else f"{device.key}, {' and '.join(paths)}",
            path=self.path,
            limit=self.limit.room,
            value=self.used,
            help=help,
        )


def outside_uses(device: Device, needs: Mapping[int, Mapping[str, int]], chips: Mapping[int, int]) -> list[OutsideUse]:
    """Returns the use of every store. `needs` are the needs of each core, `chips` is the chip of each core."""
    found: list[OutsideUse] = []
    for limit in outside_limits(device):
        total: dict[int | None, int] = {}
        for core, own in needs.items():
            chip = None if limit.is_host else chips[core]
            total[chip] = total.get(chip, 0) + int(limit.used(own))
        found += [OutsideUse(limit, chip, used) for chip, used in total.items()]
    return found

"""Positions of the cores of a device, and the cost of paths between them.

Cores are numbered chip by chip, chips along x first, and on a chip `y * width + x`. Adjacent chips form one large mesh. A link
from a core at a chip's border to the next chip is a crossing. Routers of faulty and of reserved cores forward spikes.

Source: the numbering and the order of hops are the device's (`topology` of its file).
"""

from __future__ import annotations

from functools import cached_property
from math import isqrt
from typing import Any

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from .records import Device, Spot


@frozen(eq=False)
class Walk:
    """The cores that a tree of links reaches; none if a link does not exist."""

    reached: frozenset[int]
    fault: tuple[str, int] | None
    """The message and the index of an invalid link, which does not exclude that all targets are reached."""


@frozen(eq=False, slots=False)
class Mesh:
    """Cores on a grid.

    Shapes: `is_usable` [cores], unless all are.
    """

    width: int
    """Cores of one chip along x."""
    height: int
    chips_x: int = 1
    chips_y: int = 1
    is_x_first: bool = True
    is_multicast: bool = True
    hop: float = 1.0
    """Cost of one spike over one link."""
    crossing: float = 0.0
    """Additional cost of one spike from chip to chip."""
    usable: NDArray[np.bool_] | None = field(default=None)

    @property
    def chips(self) -> int:
        return self.chips_x * self.chips_y

    @property
    def cores(self) -> int:
        return self.width * self.height * self.chips

    @property
    def columns(self) -> int:
        """Returns the number of cores of all chips along x."""
        return self.width * self.chips_x

    @property
    def rows(self) -> int:
        return self.height * self.chips_y

    @cached_property
    def is_usable(self) -> NDArray[np.bool_]:
        return np.ones(self.cores, np.bool_) if self.usable is None else self.usable

    @cached_property
    def x(self) -> NDArray[np.int64]:
        """Returns the column of each core in the mesh of all chips."""
        chip, place = np.divmod(np.arange(self.cores), self.width * self.height)
        return chip % self.chips_x * self.width + place % self.width

    @cached_property
    def y(self) -> NDArray[np.int64]:
        chip, place = np.divmod(np.arange(self.cores), self.width * self.height)
        return chip // self.chips_x * self.height + place // self.width

    @cached_property
    def far_x(self) -> NDArray[np.float64]:
        """Returns the cost from column 0 to each column; the cost between two columns is the difference."""
        column = np.arange(self.columns)
        return self.hop * column + self.crossing * (column // self.width)

    @cached_property
    def far_y(self) -> NDArray[np.float64]:
        row = np.arange(self.rows)
        return self.hop * row + self.crossing * (row // self.height)

    def core(self, x: Any, y: Any) -> Any:
        """Returns the core at a column and a row of the mesh of all chips, also for arrays."""
        chip = y // self.height * self.chips_x + x // self.width
        return (chip * self.height + y % self.height) * self.width + x % self.width

    def place(self, core: int) -> tuple[int, int, int]:
        """Returns the chip of a core, and x and y on it."""
        chip, place = divmod(core, self.width * self.height)
        return chip, place % self.width, place // self.width

    def follow(self, links: NDArray[np.int64], start: int) -> Walk:
        """Follows links from a core. Shapes: links [links, 4] of [x0, y0, x1, y1], or [links, 6] with the chip before x."""
        links = np.insert(links, [0, 2], 0, axis=1) if links.shape[1] == 4 else links
        if len(out := np.flatnonzero((links >= [self.chips, self.width, self.height] * 2).any(axis=1))):
            return Walk(frozenset(), ("a link leaves the device", int(out[0])))
        ends = [(links[:, k] * self.height + links[:, k + 2]) * self.width + links[:, k + 1] for k in (0, 3)]
        far = np.abs(self.x[ends[0]] - self.x[ends[1]]) + np.abs(self.y[ends[0]] - self.y[ends[1]])
        if len(wide := np.flatnonzero(far != 1)):
            return Walk(frozenset(), ("a link does not connect neighbours", int(wide[0])))
        after: dict[int, list[tuple[int, int]]] = {}
        for k, (a, b) in enumerate(zip(ends[0].tolist(), ends[1].tolist(), strict=True)):
            after.setdefault(a, []).append((b, k))
        found, waiting, used = {start}, [start], set[int]()
        fault: tuple[str, int] | None = None
        while waiting:
            for b, k in after.get(waiting.pop(), ()):
                used.add(k)
                if b in found:
                    fault = fault or ("a core is reached twice", k)
                    continue
                found.add(b)
                waiting.append(b)
        if fault is None and len(used) < len(links):
            fault = "a link is not reachable from the source", next(k for k in range(len(links)) if k not in used)
        return Walk(frozenset(found), fault)

    def said(self, core: int) -> str:
        """Formats a core for messages: `core 7 (1, 1)`, with several chips `core 7 (1, 1) of chip 2`."""
        chip, x, y = self.place(core)
        return f"core {y * self.width + x} ({x}, {y})" + (f" of chip {chip}" if self.chips > 1 else "")


def mesh_of(device: Device, vertices: int = 1) -> Mesh:
    """Returns the mesh of a device. Without a declared mesh, it is the smallest square that holds all cores; without a declared number of cores,
    it has one core per vertex."""
    topology = device.topology
    chips = device.whole("topology.chips") or 1
    width, height = device.whole("topology.mesh.width"), device.whole("topology.mesh.height")
    chips_x, chips_y = device.whole("topology.chip_mesh.width"), device.whole("topology.chip_mesh.height")
    known = None
    if width is None or height is None:
        known = -(-(device.whole("topology.cores") or vertices) // chips)
        width = height = isqrt(known - 1) + 1
    if chips_x is None or chips_y is None:
        chips_x, chips_y = chips, 1
    routers = topology.routers if topology else None
    hop, crossing = device.number("cost.objective.hop"), device.number("cost.objective.crossing")
    mesh = Mesh(
        width,
        height,
        chips_x,
        chips_y,
        routers is None or routers.order == "x-first",
        routers is None or routers.is_multicast,
        1.0 if hop is None else float(hop),
        0.0 if crossing is None else float(crossing),
    )
    usable = np.ones(mesh.cores, np.bool_)
    if known is not None:
        usable.reshape(mesh.chips, -1)[:, known:] = False
    spots: tuple[Spot, ...] = (*topology.faulty, *topology.reserved) if topology else ()
    for spot in spots:
        if spot.x < width and spot.y < height and spot.chip < mesh.chips:  # checked only for a declared mesh
            usable[(spot.chip * height + spot.y) * width + spot.x] = False
    return evolve(mesh, usable=usable)

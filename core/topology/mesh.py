"""Topology `mesh`: cores on a grid, whose routers forward spikes in dimension order.

Adjacent chips form one large mesh. A link from a position at a chip's border to the next chip is a crossing. Each position has a router and
one or several cores (`slots`); on a chip a core is `(y * width + x) * slots + slot`. Links connect routers, and spikes between cores of one
position use none. Routers of faulty and reserved cores still forward spikes.

    0 -- 1 -- 2 -- 3      from core 1 to the cores marked *, along x first: 1 to 2, 2 to 3, then down from 2 and from 3
              |    |
              *    6
                   |
                   *

A tree has a trunk along its source's row, up to the outermost columns with a target, and a branch along each column with a target; routers that go
along y first exchange the two. Each link counts once, delivery at the source's own position nothing.

    cost of a tree = far_x[most x] - far_x[least x] + sum over columns of (far_y[most y] - far_y[least y]),  the source's own place included

The default mesh is the smallest square with enough positions for all cores.

Source: the numbering and the order of hops are the device's (`topology` of its file).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import isqrt
from typing import Any, ClassVar

import numpy as np
from attrs import Factory, field, frozen

from ..arrays.numeric import Bools, Ints, Reals
from ..device.core_kinds import cores_at_position
from ..device.records import Device
from ..device.topology import Topology, Trees, has_multicast, objective_of, usable_cores
from ..device.topology_records import Grid


@frozen(eq=False)
class TreeAxes:
    """The axes of a mesh by their role in a tree: `a` along the trunk, `b` along its branches.

    Shapes: a and b [cores]: places; far_a and far_b: the cost of the path from place 0.
    """

    a: Ints
    b: Ints
    far_a: Reals
    far_b: Reals


@frozen(eq=False, slots=False)
class MeshTopology(Topology):
    """Cores on a grid of positions, each with one router and `slots` cores.

    Shapes: `usable` [cores], unless all are.
    """

    uses: ClassVar[frozenset[str]] = frozenset(
        [
            "topology.mesh",
            "topology.chip_mesh",
            "topology.routers",
            "topology.routers.order",
            "cost.objective.crossing",
        ]
    )
    columns: ClassVar[tuple[int, ...]] = (4, 6)
    link_form: ClassVar[str] = "[links, 4] of [x, y, next x, next y], or [links, 6] with the chip before x"

    width: int
    height: int
    chips_x: int = 1
    chips_y: int = 1
    is_x_first: bool = True
    is_multicast: bool = True
    hop: float = 1.0
    crossing: float = 0.0
    usable: Bools | None = field(default=None)
    slots: int = 1
    chips: int = field(init=False, default=Factory(lambda mesh: mesh.chips_x * mesh.chips_y, takes_self=True))

    @classmethod
    def of(cls, device: Device, vertices: int) -> MeshTopology:
        topology = device.topology
        chips = device.integer("topology.chips") or 1
        width, height = device.integer("topology.mesh.width"), device.integer("topology.mesh.height")
        chips_x, chips_y = device.integer("topology.chip_mesh.width"), device.integer("topology.chip_mesh.height")
        slots, own = cores_at_position(device), -(-(device.integer("topology.cores") or vertices) // chips)
        known = own if width is None or height is None or slots is None else None
        if width is None or height is None:
            slots = slots or 1
            width = height = isqrt(-(-own // slots) - 1) + 1
        slots = slots or -(-own // (width * height))
        if chips_x is None or chips_y is None:
            chips_x, chips_y = chips, 1
        routers = topology.routers if topology else None
        return cls(
            width,
            height,
            chips_x,
            chips_y,
            routers is None or routers.order != "y-first",
            has_multicast(device),
            *objective_of(device),
            usable_cores(device, width, height, chips_x * chips_y, slots, known),
            slots,
        )

    @classmethod
    def sides(cls, device: Device) -> Mapping[str, tuple[int | None, str]]:
        paths = {"x": "topology.mesh.width", "y": "topology.mesh.height"}
        return {
            **{axis: (device.integer(path), path) for axis, path in paths.items()},
            "slot": (cores_at_position(device), "topology.mesh.cores"),
        }

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        held = device.topology
        if held is None:
            return
        if held.chip_mesh is not None:
            yield f"The chips form a mesh of {grid_text(held.chip_mesh)}."
        if held.mesh is not None:
            slots = cores_at_position(device)
            positions = "" if slots == 1 else f" positions with {slots or 'unknown'} cores each, which share a router"
            number = "`y * width + x`" if slots == 1 else f"`(y * width + x) * {slots or 'cores'} + slot`"
            yield (
                f"The cores of one chip form a mesh of {grid_text(held.mesh)}{positions}. Cores are numbered chip by chip; on a chip, "
                f"the number is {number}."
            )

    @property
    def grid_columns(self) -> int:
        """Returns the number of positions of all chips along x."""
        return self.width * self.chips_x

    @property
    def grid_rows(self) -> int:
        return self.height * self.chips_y

    @cached_property
    def x(self) -> Ints:
        """Returns the column of each core in the mesh of all chips."""
        chip, place = np.divmod(np.arange(self.cores) // self.slots, self.width * self.height)
        return chip % self.chips_x * self.width + place % self.width

    @cached_property
    def y(self) -> Ints:
        chip, place = np.divmod(np.arange(self.cores) // self.slots, self.width * self.height)
        return chip // self.chips_x * self.height + place // self.width

    @cached_property
    def far_x(self) -> Reals:
        """Returns the cost from column 0 to each column; the cost between two columns is the difference."""
        column = np.arange(self.grid_columns)
        return self.hop * column + self.crossing * (column // self.width)

    @cached_property
    def far_y(self) -> Reals:
        row = np.arange(self.grid_rows)
        return self.hop * row + self.crossing * (row // self.height)

    @cached_property
    def first_cores(self) -> Ints:
        """Returns the first core at each row and column of the mesh of all chips. Shapes: [rows, columns]."""
        return self.core(np.arange(self.grid_columns)[None, :], np.arange(self.grid_rows)[:, None])

    def core(self, x: Any, y: Any) -> Any:
        """Returns the first core at a column and a row of the mesh of all chips, also for arrays."""
        chip = y // self.height * self.chips_x + x // self.width
        return ((chip * self.height + y % self.height) * self.width + x % self.width) * self.slots

    def format_core(self, core: int) -> str:
        """Formats a core for messages: `core 7 (1, 1)`, `core 7 (1, 0, slot 3)`, with several chips `core 7 (1, 1) of chip 2`."""
        chip, x, y = self.place(core)
        slot = f", slot {self.slot(core)}" if self.slots > 1 else ""
        return f"core {core % self.own} ({x}, {y}{slot})" + (f" of chip {chip}" if self.chips > 1 else "")

    def format_router(self, core: int) -> str:
        if self.slots == 1:
            return self.format_core(core)
        chip, x, y = self.place(core)
        return f"position ({x}, {y})" + (f" of chip {chip}" if self.chips > 1 else "")

    def enlarged(self, cores: int) -> dict[str, int]:
        """Returns the fields of a mesh with more rows on each chip."""
        row = self.width * self.slots * self.chips
        height = -(-cores // row)
        return {"topology.mesh.height": height, "topology.cores": row * height}

    # ---- cost

    @cached_property
    def tree_axes(self) -> TreeAxes:
        if self.is_x_first:
            return TreeAxes(self.x, self.y, self.far_x, self.far_y)
        return TreeAxes(self.y, self.x, self.far_y, self.far_x)

    def distance(self, tail: Any, head: Any) -> Reals:
        along = self.far_x[self.x[tail]] - self.far_x[self.x[head]]
        return np.abs(along) + np.abs(self.far_y[self.y[tail]] - self.far_y[self.y[head]])

    def distances(self, core: int) -> Reals:
        along, across = self.far_x - self.far_x[self.x[core]], self.far_y - self.far_y[self.y[core]]
        return np.abs(along)[self.x] + np.abs(across)[self.y]

    def nearest(self) -> Reals:
        """Returns the path costs from the middle of a mesh without faults, a lower bound: no other core has nearer neighbours."""
        along = np.abs(np.arange(self.grid_columns) - self.grid_columns // 2)
        across = np.abs(np.arange(self.grid_rows) - self.grid_rows // 2)
        return np.repeat(np.sort((along[:, None] + across).reshape(-1)) * self.hop, self.slots)

    def least_links(self, cores: Any) -> Any:
        return np.maximum(-(-cores // self.slots) - 1, 0)

    def tree_costs(self, source: Ints, start: Ints, tree: Ints, target: Ints) -> tuple[Reals, Reals]:
        axes = self.tree_axes
        at = axes.a[target]
        along = axes.far_a[at] - axes.far_a[axes.a[source]][tree]
        off = axes.far_b[axes.b[target]] - axes.far_b[axes.b[source]][tree]
        mean = np.add.reduceat(np.abs(along) + np.abs(off), start) / np.bincount(tree)
        total = np.maximum(np.maximum.reduceat(along, start), 0) - np.minimum(np.minimum.reduceat(along, start), 0)
        branch = tree * self.tree_places + at
        ends = np.zeros((2, len(source) * self.tree_places))
        np.maximum.at(ends[0], branch, off)
        np.minimum.at(ends[1], branch, off)
        return total + (ends[0] - ends[1]).reshape(len(source), self.tree_places).sum(1), mean

    @property
    def tree_places(self) -> int:
        """Returns the number of positions along the trunk."""
        return len(self.tree_axes.far_a)

    def pull(self, partners: Ints, events: Reals) -> Reals:
        along = np.abs(self.far_x[:, None] - self.far_x[self.x[partners]]) @ events
        across = np.abs(self.far_y[:, None] - self.far_y[self.y[partners]]) @ events
        return along[self.x] + across[self.y]

    @cached_property
    def central(self) -> Reals:
        return -(np.abs(self.x - (self.grid_columns - 1) / 2) + np.abs(self.y - (self.grid_rows - 1) / 2))

    @property
    def reach(self) -> int:
        return max(self.grid_columns, self.grid_rows) - 1

    def propose(self, random: np.random.Generator, here: Ints, window: int) -> Ints:
        """Returns cores at most `window` columns and rows away, each core of a position with the same probability."""
        step = random.integers(-window, window + 1, (2, len(here)))
        x = np.minimum(np.maximum(self.x[here] + step[0], 0), self.grid_columns - 1)
        y = np.minimum(np.maximum(self.y[here] + step[1], 0), self.grid_rows - 1)
        found = self.first_cores[y, x]
        return found if self.slots == 1 else found + random.integers(0, self.slots, len(here))

    # ---- routes

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        nets = len(source)
        a, b, places = self.tree_axes.a, self.tree_axes.b, self.tree_places
        net = np.repeat(np.arange(nets), np.diff(start))
        a0, b0 = a[source], b[source]
        ahead, behind = np.zeros((2, nets), np.int64)
        np.maximum.at(ahead, net, a[target] - a0[net])
        np.maximum.at(behind, net, a0[net] - a[target])
        branch, place = np.unique(net * places + a[target], return_inverse=True)
        owner, column = np.divmod(branch, places)
        up, down = np.zeros((2, len(branch)), np.int64)
        np.maximum.at(up, place, b[target] - b0[net])
        np.maximum.at(down, place, b0[net] - b[target])
        every = np.arange(nets)
        zero, one = np.zeros(nets, np.int64), np.zeros(len(branch), np.int64)
        runs = [
            (every, a0, b0, zero + 1, zero, ahead),
            (every, a0, b0, zero - 1, zero, behind),
            (owner, column, b0[owner], one, one + 1, up),
            (owner, column, b0[owner], one, one - 1, down),
        ]
        owner, x, y, dx, dy, length = (np.concatenate(part) for part in zip(*runs, strict=True))
        run = np.repeat(np.arange(len(owner)), length)
        step = np.arange(len(run)) - np.repeat(np.cumsum(length) - length, length)
        order = np.argsort(owner[run], kind="stable")
        run, step = run[order], step[order]
        at = [(x[run] + dx[run] * k, y[run] + dy[run] * k) for k in (step, step + 1)]
        tail, head = (self.core(*(one if self.is_x_first else one[::-1])) for one in at)
        size = np.bincount(owner[run], minlength=nets)
        return Trees(self, np.concatenate([[0], np.cumsum(size)]), np.asarray(tail), np.asarray(head))

    def link_rows(self, tail: Ints, head: Ints) -> Ints:
        return np.concatenate([self.chip_spots(tail), self.chip_spots(head)], axis=1)

    def chip_spots(self, core: Ints) -> Ints:
        """Returns x and y of cores on their chip, after the chip where there are several. Shapes: [cores, 2] or [cores, 3]."""
        chip, place = np.divmod(core // self.slots, self.width * self.height)
        parts = [place % self.width, place // self.width]
        return np.stack([chip, *parts] if self.chips > 1 else parts, axis=1)

    def link_ends(self, links: Ints) -> tuple[Ints, Ints]:
        links = with_chips(links)
        tail, head = ((links[:, k] * self.height + links[:, k + 2]) * self.width + links[:, k + 1] for k in (0, 3))
        return tail * self.slots, head * self.slots

    def is_along_y(self, tail: Ints, head: Ints) -> Bools:
        return np.asarray(self.x[tail] == self.x[head])

    def spots(self, cores: Ints) -> Reals:
        return np.stack([self.x[cores], self.y[cores]], axis=1).astype(np.float64)

    def find_fault(self, links: Ints) -> tuple[str, int] | None:
        out = (with_chips(links) >= [self.chips, self.width, self.height] * 2).any(axis=1)
        if len(found := np.flatnonzero(out)):
            return "a link leaves the device", int(found[0])
        tail, head = self.link_ends(links)
        far = np.abs(self.x[tail] - self.x[head]) + np.abs(self.y[tail] - self.y[head])
        if len(found := np.flatnonzero(far != 1)):
            return "a link does not connect neighbours", int(found[0])
        return None

    def format_link(self, link: Ints) -> str:
        chip0, x0, y0, chip1, x1, y1 = with_chips(link[None])[0].tolist()
        if self.chips == 1:
            return f"({x0}, {y0}) to ({x1}, {y1})"
        return f"({x0}, {y0}) of chip {chip0} to ({x1}, {y1}) of chip {chip1}"

    def path(self, start: int, end: int) -> list[int]:
        """Returns the path between two cores in the dimension order of the device: the cores, and the first core of each router in between."""
        if start != end and self.router(start) == self.router(end):
            return [start, end]
        x, y = int(self.x[start]), int(self.y[start])
        to_x, to_y = int(self.x[end]), int(self.y[end])
        found = [start]
        for axis in "xy" if self.is_x_first else "yx":
            while (x if axis == "x" else y) != (to_x if axis == "x" else to_y):
                if axis == "x":
                    x += 1 if to_x > x else -1
                else:
                    y += 1 if to_y > y else -1
                found.append(int(self.core(x, y)))
        return [*found[:-1], end]


def with_chips(links: Ints) -> Ints:
    """Returns links with the chip before each position."""
    return np.insert(links, [0, 2], 0, axis=1) if links.shape[1] == 4 else links


def grid_text(grid: Grid) -> str:
    return " x ".join(
        "unknown" if side is None or side.value is None else str(side.value) for side in (grid.width, grid.height)
    )

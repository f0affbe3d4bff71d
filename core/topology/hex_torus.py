"""Topology `hex-torus`: routers with six links on a triangular torus, as in SpiNNaker.

    link   0: (1, 0)   1: (1, 1)   2: (0, 1)   3: (-1, 0)   4: (-1, -1)   5: (0, -1)

Positions and cores are numbered as in a mesh. Adjacent chips form one large grid, whose borders are connected in the directions that
wrap (`topology.torus.wraps`). A faulty position without a slot is dead: its router and links do not exist. With a slot, one core is dead.
Dead links are dead in both directions. A link is a row of two numbers: its router, `core // slots`, and its index at that router.

A tree consists of shortest paths along the longest dimension first. A vector to a router has two directions; the steps in the longer of these
directions come first. For each source, every router has one predecessor, so that the paths to any targets form a tree. Where links or routers are dead, the
predecessor is the one of the remaining shortest paths that is nearest to this order. `shorter` connects each target to the nearest router of the
tree instead (Takahashi and Matsuyama 1980), and returns that tree if it has fewer links.

    distance = hop * (max(|dx|, |dy|) if dx and dy have the same sign, else |dx| + |dy|),  the least over all wraps

Source: Davies et al., Population-based routing in the SpiNNaker neuromorphic architecture, IJCNN 2012; the size is the device's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ..arrays.numeric import Bools, Ints, Reals
from ..arrays.unique_integers import unique_integers
from ..device.records import Device
from ..device.topology import Trees
from .mesh import MeshTopology, grid_text

STEPS = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
"""The step of each link along x and y."""
LINKS = len(STEPS)
FAR = 2**14
"""The distance to an unreachable router."""
BATCH = 2**24
"""The number of pairs of a tree and a router that are examined together."""
NAMES = ("E", "NE", "N", "W", "SW", "S")


def opposite(link: Any) -> Any:
    """Returns the link that leads back, also for arrays."""
    return (link + LINKS // 2) % LINKS


@frozen(eq=False, slots=False)
class HexTorusTopology(MeshTopology):
    """Routers on a triangular torus, each with `slots` cores.

    Shapes: dead [positions]; dead_links [n, 2] of [position, link].
    """

    uses: ClassVar[frozenset[str]] = frozenset(
        ["topology.mesh", "topology.chip_mesh", "topology.routers", "topology.torus"]
    )
    columns: ClassVar[tuple[int, ...]] = (2,)
    link_form: ClassVar[str] = "[links, 2] of [position, link 0 to 5]"

    is_keyed: ClassVar[bool] = True

    wraps_x: bool = True
    wraps_y: bool = True
    dead: Bools | None = field(default=None)
    dead_links: Ints | None = field(default=None)

    @classmethod
    def of(cls, device: Device, vertices: int) -> HexTorusTopology:
        made = super().of(device, vertices)
        assert isinstance(made, HexTorusTopology)
        topology = device.topology
        if topology is None:
            return made
        each = made.width * made.height
        spots = [
            spot.chip * each + spot.y * made.width + spot.x
            for spot in topology.faulty
            if spot.slot is None and spot.chip < made.chips and spot.x < made.width and spot.y < made.height
        ]
        dead = np.zeros(made.positions, np.bool_)
        dead[np.array(spots, np.int64)] = True
        torus = topology.torus
        wraps = "both" if torus is None else torus.wraps
        cut = () if torus is None else torus.dead_links
        links = [(dead_link.chip * each + dead_link.y * made.width + dead_link.x, dead_link.link) for dead_link in cut]
        made = evolve(
            made,
            wraps_x=wraps in ("both", "x"),
            wraps_y=wraps in ("both", "y"),
            dead=dead,
            dead_links=np.array(links, np.int64).reshape(-1, 2),
        )
        reached = np.repeat(made.rows(made.entry // made.slots)[0] < FAR, made.slots)
        return evolve(made, usable=made.is_usable & reached)

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        yield from super().sentences(device)
        yield "The topology is a hex-torus: each position has a router with six links, to its neighbours along x, along y and along both."
        topology = device.topology
        torus = None if topology is None else topology.torus
        if torus is not None and torus.note is not None:
            yield f"{torus.note[:1].upper()}{torus.note[1:]}."
        if topology is None or torus is None or topology.chip_mesh is None:
            return
        borders = {"both": "both pairs", "x": "those along x", "y": "those along y", "none": "none"}[torus.wraps]
        yield f"Connected borders of the mesh of {grid_text(topology.chip_mesh)} chips: {borders}."

    @property
    def entry(self) -> int:
        """Returns the first core of the first working position; positions that are unreachable from it are not usable."""
        return 0 if self.dead is None else int(np.argmin(self.dead)) * self.slots

    def can_enter(self, core: int) -> bool:
        """Returns whether the router of a core works and has outgoing paths. The core itself may be dead."""
        return bool(self.rows(self.entry // self.slots)[0][core // self.slots] < FAR)

    def enlarged(self, cores: int) -> dict[str, int]:
        """Returns the fields of a torus with more rows of chips, or of one chip with more rows."""
        if self.chips == 1:
            return super().enlarged(cores)
        rows = -(-cores // (self.own * self.chips_x))
        chips = rows * self.chips_x
        return {
            "topology.chip_mesh.height": rows,
            "topology.chips": chips,
            "topology.cores": chips * self.own,
        }

    @cached_property
    def at(self) -> tuple[Ints, Ints]:
        """Returns the column and row of each position. Shapes: [positions]."""
        return self.x[:: self.slots], self.y[:: self.slots]

    @cached_property
    def neighbours(self) -> Ints:
        x, y = self.at
        found = np.full((self.positions, LINKS), -1, np.int64)
        dead = self.dead if self.dead is not None else np.zeros(self.positions, np.bool_)
        for link, (dx, dy) in enumerate(STEPS):
            to_x, to_y = x + dx, y + dy
            out_x, out_y = (to_x < 0) | (to_x >= self.grid_columns), (to_y < 0) | (to_y >= self.grid_rows)
            exists = (self.wraps_x | ~out_x) & (self.wraps_y | ~out_y)
            head = np.asarray(self.core(to_x % self.grid_columns, to_y % self.grid_rows)) // self.slots
            exists &= (head != np.arange(self.positions)) & ~dead & ~dead[head]
            found[exists, link] = head[exists]
        for position, link in self.dead_links.tolist() if self.dead_links is not None else ():
            if position < self.positions and (head := found[position, link]) >= 0:
                found[position, link] = found[head, opposite(link)] = -1
        return found

    # ---- paths from a position

    @cached_property
    def tables(self) -> tuple[NDArray[np.int16], NDArray[np.int8], Bools]:
        """Storage of `rows`: the distance, the last link of the path, and whether the row is known. Shapes: [positions, positions], [positions]."""
        size = (self.positions, self.positions)
        return np.empty(size, np.int16), np.empty(size, np.int8), np.zeros(self.positions, np.bool_)

    def rows(self, position: int) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
        """Returns the links on the path to each position, and the last link of each path, -1 without one. Shapes: [positions]."""
        distance, last, is_known = self.tables
        if not is_known[position]:
            distance[position] = self.count_links(position)
            last[position] = self.last_links(position, distance[position])
            is_known[position] = True
        return distance[position], last[position]

    def know(self, positions: Ints) -> None:
        """Computes the rows of some positions."""
        for position in np.unique(positions[~self.tables[2][positions]]).tolist():
            self.rows(position)

    def count_links(self, position: int) -> NDArray[np.int16]:
        """Returns the least number of links to each position, by breadth-first search."""
        found = np.full(self.positions, FAR, np.int16)
        front, distance = np.array([position]), 0
        while len(front):
            found[front] = distance
            after = self.neighbours[front]
            after = after[after >= 0]
            front, distance = np.unique(after[found[after] == FAR]), distance + 1
        return found

    def vectors(self, position: int) -> tuple[Ints, Ints]:
        """Returns the shortest vector to each position, over all wraps. Shapes: [positions]."""
        x, y = self.at
        dx, dy = x - x[position], y - y[position]
        best = np.stack([dx, dy])
        for kx in (0, -1, 1) if self.wraps_x else (0,):
            for ky in (0, -1, 1) if self.wraps_y else (0,):
                one = np.stack([dx + kx * self.grid_columns, dy + ky * self.grid_rows])
                best = np.where(length(*one) < length(*best), one, best)
        return best[0], best[1]

    def last_links(self, position: int, distance: NDArray[np.int16]) -> Ints:
        """Returns the last link of the path to each position. The link is along the shorter direction of the vector if a shortest path can end with it."""
        dx, dy = self.vectors(position)
        along = np.where(dx * dy > 0, np.sign(dx) * np.minimum(np.abs(dx), np.abs(dy)), 0)
        steps = np.stack([dx - along, along, dy - along], axis=1)
        steps = np.concatenate([steps, -steps], axis=1)
        before = self.neighbours[:, opposite(np.arange(LINKS))]
        is_last = (before >= 0) & (distance[before] == distance[:, None] - 1)
        rank = np.where(steps > 0, steps, self.positions + np.arange(LINKS))
        rank = np.where(is_last, rank, np.iinfo(np.int64).max)
        return np.where(is_last.any(axis=1), rank.argmin(axis=1), -1)

    # ---- cost

    def distance(self, tail: Any, head: Any) -> Reals:
        tail, head = np.broadcast_arrays(np.asarray(tail) // self.slots, np.asarray(head) // self.slots)
        self.know(tail.reshape(-1))
        return self.hop * self.tables[0][tail, head].astype(np.float64)

    def distances(self, core: int) -> Reals:
        return np.repeat(self.hop * self.rows(core // self.slots)[0].astype(np.float64), self.slots)

    def nearest(self) -> Reals:
        """Returns the lower bound of `nearest` on a plane, where at most 6 k routers are k links away."""
        ring = np.arange(1, self.positions + 1)
        size = 6 * ring[: int(np.searchsorted(3 * ring * (ring + 1), self.positions)) + 1]
        links = np.concatenate([[0], np.repeat(np.arange(1, len(size) + 1), size)])[: self.positions]
        return np.repeat(links * self.hop, self.slots)

    def pull(self, partners: Ints, events: Reals) -> Reals:
        partners = partners // self.slots
        self.know(partners)
        return np.repeat(self.hop * (events @ self.tables[0][partners].astype(np.float64)), self.slots)

    @cached_property
    def central(self) -> Reals:
        along = np.abs(self.x - (self.grid_columns - 1) / 2) * (not self.wraps_x)
        return -(along + np.abs(self.y - (self.grid_rows - 1) / 2) * (not self.wraps_y))

    def propose(self, random: np.random.Generator, here: Ints, window: int) -> Ints:
        step = random.integers(-window, window + 1, (2, len(here)))
        x, y = self.x[here] + step[0], self.y[here] + step[1]
        x = x % self.grid_columns if self.wraps_x else np.clip(x, 0, self.grid_columns - 1)
        y = y % self.grid_rows if self.wraps_y else np.clip(y, 0, self.grid_rows - 1)
        return np.asarray(self.core(x, y)) + random.integers(0, self.slots, len(here))

    @property
    def tree_places(self) -> int:
        return self.grid_columns + self.grid_rows

    def tree_costs(self, source: Ints, start: Ints, tree: Ints, target: Ints) -> tuple[Reals, Reals]:
        mean = np.bincount(tree, self.distance(source[tree], target)) / np.bincount(tree)
        owner, _ = self.tree_members(source // self.slots, tree, target // self.slots)
        return self.hop * np.bincount(owner, minlength=len(source)).astype(np.float64), mean

    # ---- routes

    def tree_members(self, source: Ints, tree: Ints, target: Ints) -> tuple[Ints, Ints]:
        """Returns the tree and the position of each router of trees, without the sources, sorted. All are positions."""
        self.know(source)
        owners, places = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        step = max(1, BATCH // self.positions)
        for low in range(0, len(source), step):
            mine = source[low : low + step]
            is_mine = (tree >= low) & (tree < low + step)
            is_seen = np.zeros(len(mine) * self.positions, np.bool_)
            is_seen[np.arange(len(mine)) * self.positions + mine] = True
            key = unique_integers((tree[is_mine] - low) * self.positions + target[is_mine])
            while len(key := key[~is_seen[key]]):
                is_seen[key] = True
                owner, place = np.divmod(key, self.positions)
                link = self.tables[1][mine[owner], place]
                assert (link >= 0).all()  # targets are usable cores, which paths reach
                key = unique_integers(owner * self.positions + self.neighbours[place, opposite(link.astype(np.int64))])
            is_seen[np.arange(len(mine)) * self.positions + mine] = False
            owner, place = np.divmod(np.flatnonzero(is_seen), self.positions)
            owners.append(owner + low)
            places.append(place)
        return np.concatenate(owners), np.concatenate(places)

    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        tree = np.repeat(np.arange(len(source)), np.diff(start))
        positions = source // self.slots
        owner, place = self.tree_members(positions, tree, target // self.slots)
        order = np.lexsort((place, self.tables[0][positions[owner], place], owner))
        owner, place = owner[order], place[order]
        link = self.tables[1][positions[owner], place].astype(np.int64)
        tail = self.neighbours[place, opposite(link)]
        size = np.bincount(owner, minlength=len(source))
        return Trees(self, np.concatenate([[0], np.cumsum(size)]), tail * self.slots, place * self.slots)

    def shorter(self, trees: Trees, source: Ints, start: Ints, target: Ints) -> Trees:
        found: dict[tuple[int, bytes], tuple[list[int], list[int]]] = {}
        tails, heads = list[Ints](), list[Ints]()
        for net, core in enumerate(source.tolist()):
            mine = slice(int(trees.start[net]), int(trees.start[net + 1]))
            ends = np.unique(target[start[net] : start[net + 1]] // self.slots)
            key = core // self.slots, ends.tobytes()
            if key not in found:
                found[key] = self.nearest_tree(key[0], ends)
            tail, head = (np.array(one, np.int64) * self.slots for one in found[key])
            is_shorter = len(tail) < mine.stop - mine.start
            tails.append(tail if is_shorter else trees.tail[mine])
            heads.append(head if is_shorter else trees.head[mine])
        size = [len(one) for one in tails]
        empty = [np.zeros(0, np.int64)]
        return Trees(
            self,
            np.concatenate([[0], np.cumsum(size, dtype=np.int64)]),
            *map(np.concatenate, (tails or empty, heads or empty)),
        )

    def nearest_tree(self, source: int, ends: Ints) -> tuple[list[int], list[int]]:
        """Returns tails and heads of a tree that is built target by target, the nearest first: each is connected to the nearest router of the tree."""
        routers, tails, heads = [source], list[int](), list[int]()
        self.know(ends)
        for end in ends[np.argsort(self.rows(source)[0][ends], kind="stable")].tolist():
            distance = self.tables[0][end, np.array(routers)]
            here = routers[int(distance.argmin())]
            _, last = self.rows(here)
            path = [end]
            while path[-1] != here:
                path.append(int(self.neighbours[path[-1], opposite(int(last[path[-1]]))]))
            path.reverse()
            tails += path[:-1]
            heads += path[1:]
            routers += path[1:]
        return tails, heads

    def link_rows(self, tail: Ints, head: Ints) -> Ints:
        tail, head = tail // self.slots, head // self.slots
        return np.stack([tail, (self.neighbours[tail] == head[:, None]).argmax(axis=1)], axis=1)

    def link_ends(self, links: Ints) -> tuple[Ints, Ints]:
        return links[:, 0] * self.slots, self.neighbours[links[:, 0], links[:, 1]] * self.slots

    def steps(self, links: Ints) -> Reals:
        return np.array(STEPS, np.float64)[links[:, 1]]

    def is_along_y(self, tail: Ints, head: Ints) -> Bools:
        return self.link_rows(tail, head)[:, 1] % 3 == 2

    def find_fault(self, links: Ints) -> tuple[str, int] | None:
        if len(out := np.flatnonzero((links >= [self.positions, LINKS]).any(axis=1))):
            return "a link leaves the device", int(out[0])
        if len(out := np.flatnonzero(self.neighbours[links[:, 0], links[:, 1]] < 0)):
            return "a link does not work, or leads out of the device", int(out[0])
        return None

    def format_link(self, link: Ints) -> str:
        position, number = link.tolist()
        name = f"link {number} ({NAMES[number]})" if number < LINKS else f"link {number}"
        tail = self.format_router(position * self.slots)
        if self.find_fault(link[None]) is not None:
            return f"{name} of {tail}"
        return f"{name} of {tail} to {self.format_router(int(self.neighbours[position, number]) * self.slots)}"

    def path(self, start: int, end: int) -> list[int]:
        here, place = start // self.slots, end // self.slots
        if here == place:
            return [start] if start == end else [start, end]
        _, last = self.rows(here)
        found = [end]
        while (place := int(self.neighbours[place, opposite(int(last[place]))])) != here:
            found.append(place * self.slots)
        return [start, *reversed(found)]


def length(dx: Ints, dy: Ints) -> Ints:
    """Returns the links of a vector on the triangular grid."""
    return np.where(dx * dy > 0, np.maximum(np.abs(dx), np.abs(dy)), np.abs(dx) + np.abs(dy))

"""Meshes with several cores at each position, against a mesh of positions that is written out: numbers, distances, trees, entries, bounds."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import chain, pairwise, permutations, product
from typing import NamedTuple

import numpy as np
import pytest
from extent import times
from topology_files import device_with, number

from nopt.analysis.placement.placement_cost import bound_of, cost_of
from nopt.analysis.placement.placement_problem import problem_from
from nopt.core.device.core_kinds import cores_of_chip
from nopt.core.device.records import Device
from nopt.core.device.topology import topology_of
from nopt.core.topology.mesh import MeshTopology
from nopt.passes.place._annealing import anneal
from nopt.passes.place._initial_placement import first_places

Position = tuple[int, int]
"""Column and row in the mesh of all chips."""


class Sizes(NamedTuple):
    """A mesh of chips, and what its links cost."""

    width: int
    height: int
    chips_x: int = 1
    chips_y: int = 1
    is_x_first: bool = True
    hop: float = 1.0
    crossing: float = 0.0


SIZES = [
    Sizes(4, 3),
    Sizes(3, 2, is_x_first=False, hop=2.0),
    Sizes(2, 3, 2, 2, hop=2.0, crossing=5.0),
    Sizes(3, 1, 1, 3, is_x_first=False, crossing=0.5),
    Sizes(1, 1, 2, 1, crossing=3.0),
]


class Positions:
    """The same mesh, as a list of cores and a set of links between positions."""

    def __init__(self, sizes: Sizes, slots: int):
        self.sizes = sizes
        self.cores = [
            (chip, x, y, slot)
            for chip in range(sizes.chips_x * sizes.chips_y)
            for y in range(sizes.height)
            for x in range(sizes.width)
            for slot in range(slots)
        ]
        self.at: list[Position] = []
        for chip, x, y, _ in self.cores:
            self.at.append((chip % sizes.chips_x * sizes.width + x, chip // sizes.chips_x * sizes.height + y))
        self.chip = dict(zip(self.at, (chip for chip, *_ in self.cores), strict=True))

    def price(self, tail: Position, head: Position) -> float:
        return self.sizes.hop + self.sizes.crossing * (self.chip[tail] != self.chip[head])

    def distances(self, start: Position) -> dict[Position, float]:
        """Returns the cost of the cheapest path to each position."""
        found: dict[Position, float] = {}
        waiting = [(0.0, start)]
        while waiting:
            cost, (x, y) = heappop(waiting)
            if (x, y) in found:
                continue
            found[x, y] = cost
            for head in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if head in self.chip:
                    heappush(waiting, (cost + self.price((x, y), head), head))
        return found

    def tree(self, source: int, targets: list[int]) -> set[tuple[Position, Position]]:
        """Returns the links of the paths to all targets, step by step in the order of the dimensions."""
        links: set[tuple[Position, Position]] = set()
        for target in targets:
            here = list(self.at[source])
            for axis in (0, 1) if self.sizes.is_x_first else (1, 0):
                while here[axis] != self.at[target][axis]:
                    tail = here[0], here[1]
                    here[axis] += 1 if self.at[target][axis] > here[axis] else -1
                    links.add((tail, (here[0], here[1])))
        return links

    def row(self, tail: Position, head: Position) -> list[int]:
        """Returns a link as a device with these chips writes it."""
        width, height = self.sizes.width, self.sizes.height
        ends = [[self.chip[x, y], x % width, y % height] for x, y in (tail, head)]
        return [*chain(*(end if len({*self.chip.values()}) > 1 else end[1:] for end in ends))]


@pytest.fixture(params=[1, 2, 3, 4])
def slots(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(params=SIZES, ids=str)
def sizes(request: pytest.FixtureRequest) -> Sizes:
    return request.param


@pytest.fixture
def mesh(sizes: Sizes, slots: int) -> MeshTopology:
    width, height, chips_x, chips_y, is_x_first, hop, crossing = sizes
    return MeshTopology(width, height, chips_x, chips_y, is_x_first, hop=hop, crossing=crossing, slots=slots)


@pytest.fixture
def positions(sizes: Sizes, slots: int) -> Positions:
    return Positions(sizes, slots)


def test_cores_are_numbered_position_by_position(mesh: MeshTopology, positions: Positions) -> None:
    assert [(*mesh.place(core), mesh.slot(core)) for core in range(mesh.cores)] == positions.cores
    assert list(zip(mesh.x.tolist(), mesh.y.tolist(), strict=True)) == positions.at
    for core, at in enumerate(positions.at):
        assert [*mesh.sharing(core)] == [k for k, other in enumerate(positions.at) if other == at]
        assert mesh.router(core) == mesh.core(*at) == mesh.sharing(core)[0]
    own = len(positions.cores) // mesh.chips
    assert {mesh.format_core(core) for core in range(mesh.cores)} == {
        f"core {k % own} ({x}, {y}{f', slot {slot}' if mesh.slots > 1 else ''}){f' of chip {chip}' if mesh.chips > 1 else ''}"
        for k, (chip, x, y, slot) in enumerate(positions.cores)
    }
    assert len({mesh.format_router(core) for core in range(mesh.cores)}) == mesh.cores // mesh.slots


def test_distances_are_those_of_the_positions(mesh: MeshTopology, positions: Positions) -> None:
    every = np.arange(mesh.cores)
    nearest = mesh.nearest()
    assert nearest.shape == (mesh.cores,)
    for core in every.tolist():
        known = positions.distances(positions.at[core])
        expected = [known[at] for at in positions.at]
        np.testing.assert_allclose(mesh.distances(core), expected)
        np.testing.assert_allclose(mesh.distance(core, every), expected)
        assert (nearest <= np.sort(expected) + 1e-9).all()
        for end in every.tolist():
            path = mesh.path(core, end)
            assert (path[0], path[-1]) == (core, end)
            steps = [positions.at[one] for one in path]
            links = list(pairwise(steps))
            assert sum(positions.price(*link) for link in links if link[0] != link[1]) == pytest.approx(
                known[steps[-1]]
            )
    partners, events = np.array([0, mesh.cores - 1, mesh.cores // 2]), np.array([1.0, 2.0, 0.5])
    np.testing.assert_allclose(mesh.pull(partners, events), [mesh.distance(core, partners) @ events for core in every])


def test_trees_are_those_of_the_positions(mesh: MeshTopology, positions: Positions) -> None:
    random = np.random.default_rng(1)
    size = random.integers(1, 6, 60)
    start = np.concatenate([[0], np.cumsum(size)])
    source, target = random.integers(0, mesh.cores, 60), random.integers(0, mesh.cores, int(start[-1]))
    trees = mesh.trees(source, start, target)
    costs, _ = mesh.tree_costs(source, start[:-1], np.repeat(np.arange(60), size), target)
    np.testing.assert_allclose(trees.costs(), costs)
    is_sent = np.zeros(60, np.bool_)
    entries = dict.fromkeys(positions.at, 0)
    for net, core in enumerate(source.tolist()):
        mine = target[start[net] : start[net + 1]].tolist()
        expected, links = positions.tree(core, mine), trees.links(net)
        assert sorted(links.tolist()) == sorted(positions.row(*link) for link in expected)
        assert costs[net] == pytest.approx(sum(positions.price(*link) for link in expected))
        assert len(links) >= mesh.least_links(len({core, *mine}))
        assert mesh.crossings(links) == sum(positions.chip[a] != positions.chip[b] for a, b in expected)
        walk, reached = mesh.follow(links, core), {positions.at[core], *(head for _, head in expected)}
        assert walk.fault is None
        assert walk.reached == {k for k, at in enumerate(positions.at) if at in reached}
        assert walk.reached >= {core, *mine}
        is_sent[net] = {core} != {*mine}
        for at in reached if is_sent[net] else ():
            entries[at] += 1
        if len(links):
            np.testing.assert_array_equal(mesh.link_rows(*mesh.link_ends(links)), links)
            assert mesh.follow(np.concatenate([links, links[:1]]), core).fault is not None
    assert trees.entries(source, is_sent).tolist() == [
        entries[at] if mesh.router(core) == core else 0 for core, at in enumerate(positions.at)
    ]


def test_the_least_links_are_enough_on_a_line(slots: int) -> None:
    line = MeshTopology(5, 1, slots=slots)
    for cores in range(1, line.cores + 1):
        links = line.trees(np.array([0]), np.array([0, cores]), np.arange(cores)).links(0)
        assert len(links) == line.least_links(cores)
    np.testing.assert_array_equal(line.least_links(np.array([0, 1, slots, slots + 1])), [0, 0, 0, 1])


def test_the_search_proposes_each_core_nearby(mesh: MeshTopology, positions: Positions) -> None:
    here = np.repeat(np.arange(mesh.cores), 400)
    found = mesh.propose(np.random.default_rng(0), here, 1)
    for core in range(mesh.cores):
        x, y = positions.at[core]
        near = {k for k, (a, b) in enumerate(positions.at) if abs(a - x) <= 1 and abs(b - y) <= 1}
        assert {*found[here == core].tolist()} == near


def test_more_rows_hold_more_cores(mesh: MeshTopology, sizes: Sizes) -> None:
    for cores in range(1, 3 * mesh.cores):
        fields = mesh.enlarged(cores)
        row = sizes.width * sizes.chips_x * sizes.chips_y * mesh.slots
        assert (
            fields["topology.cores"] == row * fields["topology.mesh.height"] >= cores > fields["topology.cores"] - row
        )


SMALL = [
    MeshTopology(2, 1, slots=2),
    MeshTopology(1, 1, slots=4),
    MeshTopology(1, 1, 2, 1, crossing=3.0, slots=2),
    MeshTopology(3, 1, slots=2, usable=np.array([True, False, True, True, False, True])),
    MeshTopology(2, 1, slots=3, usable=np.array([False, True, True, True, True, False])),
    MeshTopology(2, 1, slots=2, is_multicast=False),
]


@pytest.mark.parametrize("mesh", SMALL)
@pytest.mark.parametrize("is_large", [True, False])
def test_no_placement_is_below_the_bound(mesh: MeshTopology, is_large: bool) -> None:
    """Enumerates all placements of four vertices; then the first is an input at core 0, and the others are on cores that work."""
    random = np.random.default_rng(4)
    for pin in ({}, {0: 0}):
        for _ in range(times(2)):
            nets = [
                (
                    int(random.integers(4)),
                    random.choice(4, int(random.integers(1, 4)), replace=False).tolist(),
                    float(n),
                )
                for n in random.integers(1, 5, 4)
            ]
            load = np.full(4, 3 if is_large else 2)
            load[[*pin]] = 0
            problem = problem_from(mesh, list("abcd"), load, 4, nets, pin)
            problem = problem if mesh.is_multicast else problem.unicast()
            works = np.flatnonzero(mesh.is_usable).tolist()
            free = [k for k in range(4) if k not in pin]
            ways = permutations(works, len(free)) if is_large else product(works, repeat=len(free))
            costs: list[float] = []
            for way in ways:
                core = np.zeros(4, np.int64)
                core[free] = way
                if (np.bincount(core, load, mesh.cores) <= 4).all():
                    costs.append(cost_of(problem, core))
            first = first_places(problem)
            assert first is not None
            done = anneal(problem, first, 2000, 0)
            assert mesh.is_usable[done.core[free]].all()
            assert bound_of(problem) <= min(costs) == done.cost


def test_cores_of_one_position_hold_partners() -> None:
    """Four vertices that fill a core each exchange spikes without a link where four cores share a router."""
    nets = [(k, [(k + 1) % 4, (k + 2) % 4], 1.0) for k in range(4)]
    for slots, least in ((1, 8), (2, 4), (4, 0)):
        problem = problem_from(MeshTopology(2, 2, slots=slots), list("abcd"), np.full(4, 4), 4, nets)
        first = first_places(problem)
        assert first is not None
        done = anneal(problem, first, 2000, 0)
        assert bound_of(problem) <= done.cost == least
        assert problem.leaves_core(done.core).all()


# ---- from device files


def device(
    chips: int,
    cores: int | None,
    mesh: dict[str, int | None],
    faulty: list[dict[str, int]],
    reserved: list[dict[str, int]],
) -> Device:
    topology = {
        "chips": number(chips),
        "cores": number(cores),
        "mesh": {name: number(value) for name, value in mesh.items()},
        "faulty": [{**spot, "source": "here"} for spot in faulty],
        "reserved": [{**spot, "source": "here"} for spot in reserved],
    }
    return device_with(topology)


def test_a_spot_is_a_core_or_a_position() -> None:
    shape: dict[str, int | None] = {"width": 3, "height": 2, "cores": 4}
    faulty = [{"x": 1, "y": 0, "slot": 2}, {"x": 0, "y": 1, "chip": 1, "slot": 0}]
    reserved = [{"x": 2, "y": 1}, {"x": 0, "y": 1, "chip": 1, "slot": 3}]
    given = device(2, 48, shape, faulty, reserved)
    lost = {1 * 4 + 2, 24 + 3 * 4 + 0, *range(5 * 4, 6 * 4), 24 + 3 * 4 + 3}
    assert {*np.flatnonzero(~topology_of(given).is_usable).tolist()} == lost
    assert cores_of_chip(given) == 24


@pytest.mark.parametrize(
    ("cores", "mesh", "size", "usable"),
    [
        (24, {"width": 3, "height": 2, "cores": None}, (3, 2, 4), 24),
        (20, {"width": 3, "height": 2, "cores": None}, (3, 2, 4), 20),
        (20, {"width": None, "height": 2, "cores": 4}, (3, 3, 4), 20),
        (20, {"width": None, "height": None, "cores": None}, (5, 5, 1), 20),
        (None, {"width": 3, "height": 2, "cores": 2}, (3, 2, 2), 12),
        (None, {"width": 3, "height": 2, "cores": None}, (3, 2, 2), 7),
    ],
)
def test_what_is_not_published_follows_from_the_rest(
    cores: int | None, mesh: dict[str, int | None], size: tuple[int, int, int], usable: int
) -> None:
    """Without a number of cores, there is one for each of 7 vertices."""
    found = topology_of(device(1, cores, mesh, [], []), 7)
    assert (found.width, found.height, found.slots) == size
    assert int(found.is_usable.sum()) == usable

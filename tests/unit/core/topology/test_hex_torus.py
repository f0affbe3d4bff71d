"""The triangular torus: distances against a search, the order of dimensions, trees with fewer links, dead routers and links."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from topology_files import device_with, number

from nopt.core.device.topology import topology_of
from nopt.core.diagnostics import Refused
from nopt.core.topology.hex_torus import FAR, LINKS, STEPS, HexTorusTopology, opposite


def torus(
    width: int,
    height: int,
    cores: int = 2,
    wraps: str = "both",
    dead: tuple[int, ...] = (),
    links: tuple[tuple[int, int], ...] = (),
) -> HexTorusTopology:
    """Returns the topology of a device with one position on each chip."""
    chips = width * height
    device = device_with({
        "kind": "hex-torus",
        "chips": number(chips),
        "cores": number(chips * cores),
        "mesh": {"width": number(1), "height": number(1), "cores": number(cores)},
        "chip_mesh": {"width": number(width), "height": number(height)},
        "torus": {
            "source": "here",
            "wraps": wraps,
            "dead_links": [{"chip": chip, "link": link, "source": "here"} for chip, link in links],
        },
        "faulty": [{"chip": chip, "x": 0, "y": 0, "source": "here"} for chip in dead],
    })  # fmt: skip
    found = topology_of(device)
    assert isinstance(found, HexTorusTopology)
    return found


TORI = {
    "one": torus(1, 1),
    "spinn3": torus(2, 2),
    "odd": torus(7, 5),
    "triads": torus(12, 12, 1),
    "no wraps": torus(8, 8, 1, "none"),
    "along x": torus(6, 4, 3, "x"),
    "along y": torus(4, 6, 1, "y"),
    "dead": torus(
        8,
        8,
        1,
        "none",
        dead=(5, 6, 7, 14, 15, 23, 27, 28, 32, 40, 41, 48, 49, 50, 56, 57, 58, 59),
        links=((9, 1), (0, 2)),
    ),
    "dead at 0": torus(6, 6, 2, dead=(0, 7, 14), links=((1, 0), (2, 1), (20, 5))),
}


@pytest.fixture(params=TORI.values(), ids=list(TORI))
def topology(request: pytest.FixtureRequest) -> HexTorusTopology:
    return request.param


def searched(topology: HexTorusTopology, start: int) -> list[int]:
    """Returns the links of the shortest paths, by a search over the columns and rows."""
    width, height = topology.grid_columns, topology.grid_rows
    dead = {k for k, one in enumerate(topology.dead.tolist()) if one} if topology.dead is not None else set[int]()
    cut = (
        {(a, b) for a, b in topology.dead_links.tolist()} if topology.dead_links is not None else set[tuple[int, int]]()
    )
    found, waiting = {start: 0}, deque([start] if start not in dead else [])
    while waiting:
        here = waiting.popleft()
        for link, (dx, dy) in enumerate(STEPS):
            x, y = here % width + dx, here // width + dy
            if (not topology.wraps_x and not 0 <= x < width) or (not topology.wraps_y and not 0 <= y < height):
                continue
            head = y % height * width + x % width
            if head in found or head in dead or (here, link) in cut or (head, opposite(link)) in cut:
                continue
            found[head] = found[here] + 1
            waiting.append(head)
    return [found.get(k, FAR) for k in range(width * height)]


def test_distances_are_those_of_a_search(topology: HexTorusTopology) -> None:
    for position in range(topology.positions):
        assert topology.rows(position)[0].tolist() == searched(topology, position)
        assert (topology.nearest()[:: topology.slots] <= np.sort(topology.rows(position)[0])).all()


def test_links_lead_back(topology: HexTorusTopology) -> None:
    for position, link in np.argwhere(topology.neighbours >= 0).tolist():
        head = topology.neighbours[position, link]
        assert topology.neighbours[head, opposite(link)] == position
        assert topology.find_fault(np.array([[position, link]])) is None
    dead = np.argwhere(topology.neighbours < 0)
    assert topology.find_fault(dead) == (("a link does not work, or leads out of the device", 0) if len(dead) else None)


def test_the_longest_dimension_comes_first() -> None:
    """From (0, 0) to (6, 2): the vector has 4 steps along x and 2 along both."""
    topology = torus(16, 16, 1)
    trees = topology.trees(np.array([0]), np.array([0, 1]), np.array([2 * 16 + 6]))
    assert trees.links(0)[:, 1].tolist() == [0, 0, 0, 0, 1, 1]
    trees = topology.trees(np.array([0]), np.array([0, 1]), np.array([5 * 16 + 6]))
    assert trees.links(0)[:, 1].tolist() == [1, 1, 1, 1, 1, 0]
    trees = topology.trees(np.array([0]), np.array([0, 1]), np.array([14 * 16 + 3]))
    assert trees.links(0)[:, 1].tolist() == [0, 0, 0, 5, 5]
    for end in range(256):
        links = topology.trees(np.array([0]), np.array([0, 1]), np.array([end])).links(0)[:, 1]
        counts = np.bincount(links, minlength=LINKS)
        assert np.count_nonzero(counts) <= 2
        assert np.count_nonzero(np.diff(links)) <= 1
        if len(links):
            assert counts[links[0]] == counts.max()


def nets(topology: HexTorusTopology, count: int = 60) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(1)
    usable = np.flatnonzero(topology.is_usable)
    size = random.integers(1, 20, count)
    start = np.concatenate([[0], np.cumsum(size)])
    return random.choice(usable, count), start, random.choice(usable, int(start[-1]))


def test_trees_reach_their_targets_with_fewer_links(topology: HexTorusTopology) -> None:
    source, start, target = nets(topology)
    first = topology.trees(source, start, target)
    second = topology.shorter(first, source, start, target)
    tree = np.repeat(np.arange(len(source)), np.diff(start))
    np.testing.assert_allclose(topology.tree_costs(source, start[:-1], tree, target)[0], first.costs())
    assert (second.costs() <= first.costs()).all()
    for trees in (first, second):
        for net, core in enumerate(source.tolist()):
            walk = topology.follow(trees.links(net), core)
            ends = {*target[start[net] : start[net + 1]].tolist(), core}
            assert walk.fault is None
            assert ends <= walk.reached
            routers = {topology.router(one) for one in walk.reached}
            leaves = routers - set((trees.tail[trees.start[net] : trees.start[net + 1]]).tolist())
            assert leaves <= {topology.router(one) for one in ends}


def test_some_trees_have_fewer_links() -> None:
    topology = TORI["triads"]
    source, start, target = nets(topology)
    first = topology.trees(source, start, target)
    assert len(topology.shorter(first, source, start, target).tail) < 0.95 * len(first.tail)


def test_dead_positions_are_not_used() -> None:
    topology = TORI["dead at 0"]
    assert topology.entry == 2
    assert not topology.is_usable[[0, 1, 14, 15, 28, 29]].any()
    assert topology.is_usable.sum() == 2 * 33


def test_positions_without_a_path_are_not_usable() -> None:
    """(0, 0) of a grid without wraps has the links 0, 1 and 2."""
    topology = torus(3, 3, 1, "none", links=((4, 4), (0, 2), (1, 3)))
    assert topology.is_usable.tolist() == [True] + [False] * 8


def test_more_cores_are_more_rows_of_chips() -> None:
    assert torus(4, 2, 2).enlarged(17) == {"topology.chip_mesh.height": 3, "topology.chips": 12, "topology.cores": 24}


@pytest.mark.parametrize(
    "torus", [{"source": "here", "wraps": "z"}, {"source": "here", "dead_links": [{"link": 6, "source": "here"}]}]
)
def test_a_torus_has_known_wraps_and_six_links(torus: dict[str, object]) -> None:
    with pytest.raises(Refused):
        device_with({"kind": "hex-torus", "cores": number(4), "torus": torus})


def test_other_kinds_have_no_torus() -> None:
    with pytest.raises(Refused, match=r"does not use topology\.torus"):
        device_with({"kind": "mesh", "cores": number(4), "torus": {"source": "here"}})

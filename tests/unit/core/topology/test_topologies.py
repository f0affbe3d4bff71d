"""Properties of every kind of topology: costs, trees and walks agree with each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from topology_files import device_with, number

from nopt.core.arrays.numeric import Ints
from nopt.core.device import topology as kinds
from nopt.core.device.topology import RowTopology, Topology, topology_of

KINDS = sorted(kinds.topologies())


def of_kind(kind: str, cores: int, chips: int, crossing: float = 0.0) -> Topology:
    """Returns the topology of a device of that kind."""
    objective = {"hop": number(2)} | ({"crossing": number(crossing)} if crossing else {})
    return topology_of(
        device_with({"kind": kind, "chips": number(chips), "cores": number(cores)}, cost={"objective": objective})
    )


def topologies() -> list[Topology]:
    found = [of_kind(kind, 12, chips) for kind in KINDS for chips in (1, 3)]
    crossing = [kind for kind in KINDS if "cost.objective.crossing" in kinds.topologies()[kind]().uses]
    return found + [of_kind(kind, 12, 3, 5.0) for kind in crossing]


@pytest.fixture(params=topologies(), ids=lambda one: f"{type(one).__name__}-{one.chips}-{one.crossing}")
def topology(request: pytest.FixtureRequest) -> Topology:
    return request.param


def nets(topology: Topology) -> tuple[Ints, Ints, Ints]:
    """Returns sources and groups of targets, some of them at the source or twice."""
    random = np.random.default_rng(0)
    size = random.integers(1, 6, 40)
    start = np.concatenate([[0], np.cumsum(size)])
    return random.integers(0, topology.cores, 40), start, random.integers(0, topology.cores, int(start[-1]))


def test_cost_of_trees_is_the_cost_of_their_links(topology: Topology) -> None:
    source, start, target = nets(topology)
    tree = np.repeat(np.arange(len(source)), np.diff(start))
    total, mean = topology.tree_costs(source, start[:-1], tree, target)
    by_links, by_distance = Topology.tree_costs(topology, source, start[:-1], tree, target)
    np.testing.assert_allclose(total, by_links)
    np.testing.assert_allclose(mean, by_distance)
    assert (total >= mean - 1e-9).all()


def test_a_walk_reaches_the_targets(topology: Topology) -> None:
    source, start, target = nets(topology)
    trees = topology.trees(source, start, target)
    for net, core in enumerate(source.tolist()):
        links = trees.links(net)
        needed = {*target[start[net] : start[net + 1]].tolist()}
        walk = topology.follow(links, core)
        assert walk.fault is None
        assert needed | {core} <= walk.reached
        assert len(links) >= topology.least_links(len(needed | {core}))
        if len(links):
            assert links.shape[1] in topology.columns
            assert topology.follow(np.concatenate([links, links[:1]]), core).fault is not None
            assert topology.crossings(links) <= len(links)
            tail, head = topology.link_ends(links)
            np.testing.assert_array_equal(topology.link_rows(tail, head), links)
    assert topology.follow(np.zeros((1, 9), np.int64), 0).fault == ("a link has another form", 0)
    assert topology.follow(np.full((1, topology.columns[0]), 99), 0).fault == ("a link leaves the device", 0)


def test_paths_and_distances(topology: Topology) -> None:
    every = np.arange(topology.cores)
    for core in every.tolist():
        row = topology.distances(core)
        np.testing.assert_allclose(row, topology.distance(np.full(topology.cores, core), every))
        assert row[core] == 0
        assert (topology.nearest() <= np.sort(row) + 1e-9).all()
        path = topology.path(core, int(every[-1]))
        assert (path[0], path[-1]) == (core, every[-1])
    partners, events = np.array([0, 3, 11]), np.array([1.0, 2.0, 0.5])
    np.testing.assert_allclose(topology.pull(partners, events), Topology.pull(topology, partners, events))


def test_search_stays_on_the_device(topology: Topology) -> None:
    here = np.arange(topology.cores)
    for window in (1, topology.reach):
        found = topology.propose(np.random.default_rng(0), here, window)
        assert found.shape == here.shape
        assert ((found >= 0) & (found < topology.cores)).all()


def test_a_bus_carries_each_event_once(topology: Topology) -> None:
    """1 on a bus with multicast, one for each target core without; on links between cores one for each core at least."""
    source, start, target = np.array([1]), np.array([0, 3]), np.array([0, 2, 2])
    links = len(topology.trees(source, start, target).links(0))
    assert links == 1 if "topology.bus" in topology.uses else links >= 2


def test_a_row_has_a_place_for_each_core() -> None:
    for topology in topologies():
        if isinstance(topology, RowTopology):
            width = topology.width
            assert [topology.place(core) for core in (0, width - 1, topology.cores - 1)] == [
                (0, 0, 0),
                (0, width - 1, 0),
                (topology.chips - 1, width - 1, 0),
            ]


@pytest.mark.parametrize(
    ("degree", "source", "targets", "links"),
    [
        (2, 4, [3], [[4, 1], [1, 3]]),  # siblings: through their parent
        (2, 4, [5, 6, 5], [[4, 1], [1, 0], [0, 2], [2, 5], [2, 6]]),  # the climb is shared
        (2, 0, [0], np.zeros((0, 2))),
        (3, 11, [2], [[11, 3], [3, 0], [0, 2]]),
        (1, 0, [3, 1], [[0, 1], [1, 2], [2, 3]]),
    ],
)
def test_a_hierarchy_climbs_to_the_common_ancestor(degree: int, source: int, targets: list[int], links: Any) -> None:
    device = device_with(
        {
            "kind": "hierarchy",
            "cores": number(12),
            "hierarchy": {"source": "here", "degree": number(degree)},
        }
    )
    topology = topology_of(device)
    found = topology.trees(np.array([source]), np.array([0, len(targets)]), np.array(targets))
    np.testing.assert_array_equal(found.links(0), links)
    assert topology.distance(source, targets[-1]) == len(topology.path(source, targets[-1])) - 1

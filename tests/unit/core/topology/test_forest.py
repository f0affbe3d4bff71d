"""The trees of a vertex: all at once as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.core.device.topology import Topology
from nopt.core.routing.forest import Forest, follow_trees, walk_one_by_one
from nopt.core.topology.bus import BusTopology
from nopt.core.topology.mesh import MeshTopology

TOPOLOGIES: dict[str, Topology] = {
    "mesh": MeshTopology(5, 4),
    "shared positions": MeshTopology(3, 2, slots=2),
    "bus": BusTopology(6),
}


def trees_of(topology: Topology, random: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray]:
    """Returns a core, and the links of trees to random cores, with the place where those of each tree start."""
    core, counts = int(random.integers(topology.cores)), random.integers(0, 5, 6)
    start = np.concatenate([[0], np.cumsum(counts)])
    target = random.integers(0, topology.cores, int(start[-1]))
    trees = topology.trees(np.full(6, core), start, target)
    return core, topology.link_rows(trees.tail, trees.head), trees.start


def pairs(forest: Forest) -> set[tuple[int, int]]:
    return {*zip(forest.tree.tolist(), forest.core.tolist(), strict=True)}


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_trees_reach_the_same_cores_all_at_once(name: str) -> None:
    topology, random = TOPOLOGIES[name], np.random.default_rng(0)
    for _ in range(50):
        core, links, first = trees_of(topology, random)
        found, expected = follow_trees(topology, links, first, core), walk_one_by_one(topology, links, first, core)
        assert found.fault is None
        assert expected.fault is None
        assert pairs(found) == pairs(expected)
        assert found.trees_to(core).tolist() == list(range(6))


def test_faults_name_the_tree_and_the_link() -> None:
    mesh, random = TOPOLOGIES["mesh"], np.random.default_rng(1)
    faults = 0
    for _ in range(50):
        core, links, first = trees_of(mesh, random)
        if not len(links):
            continue
        k = int(random.integers(len(links)))
        tree = int(np.searchsorted(first, k, "right")) - 1
        broken = links.copy()
        broken[k] = [0, 0, 4, 3]
        fault = follow_trees(mesh, broken, first, core).fault
        assert fault is not None
        assert (fault.tree, fault.link, fault.is_unknown) == (tree, k - first[tree], True)
        turned = links.copy()
        turned[k] = links[k][[2, 3, 0, 1]]  # leads back: it is not reachable, or reaches a router twice
        fault = follow_trees(mesh, turned, first, core).fault
        assert fault is not None
        assert (fault.tree, fault.is_unknown) == (tree, False)
        faults += 1
    assert faults > 40

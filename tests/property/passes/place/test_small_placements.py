"""Enumeration of small problems: its bound is the least cost of every placement, and ends the search without changing the result."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from attrs import evolve
from extent import times
from numpy.typing import NDArray

from nopt.analysis.placement import small_placements
from nopt.analysis.placement.peak_load_bound import peak_load_bound
from nopt.analysis.placement.placement_cost import bound_near, bound_of, cost_of
from nopt.analysis.placement.placement_problem import Problem, problem_from
from nopt.analysis.placement.small_placements import least_cost
from nopt.core.device.topology import Topology
from nopt.core.topology.bus import BusTopology
from nopt.core.topology.hierarchy import HierarchyTopology
from nopt.core.topology.mesh import MeshTopology
from nopt.passes.place._annealing import Placement, anneal
from nopt.passes.place._initial_placement import first_places
from nopt.passes.place._peak_load import LinkLoads

TOPOLOGIES = [
    MeshTopology(3, 2),
    MeshTopology(2, 2, 1, 2, is_x_first=False, hop=0.5, crossing=1.75),
    MeshTopology(2, 2, usable=np.array([True, False, True, True])),
    MeshTopology(3, 1, slots=2),
    BusTopology(5, hop=0.25),
    HierarchyTopology(2, 2, crossing=2.0),
]


def problem(random: np.random.Generator, topology: Topology, is_exact: bool) -> Problem:
    """Returns four vertices, one of which may be pinned; if `is_exact`, sums of the costs of nets are not rounded."""
    nets: list[tuple[int, list[int], float]] = []
    for source in range(4):
        targets = np.flatnonzero(random.random(4) < 0.5).tolist()
        activity = int(random.integers(1, 9)) / 8 if is_exact else float(random.random())
        nets += [(source, targets or [3], activity)]
    free = np.flatnonzero(topology.is_usable)
    pin = {0: int(random.choice(free))} if random.random() < 0.5 else {}
    return problem_from(topology, list("abcd"), random.integers(1, 4, 4), 5, nets, pin)


def placements(given: Problem) -> list[NDArray[np.int64]]:
    """Returns every placement that leaves all cores with room."""
    found: list[NDArray[np.int64]] = []
    for cores in product(np.flatnonzero(given.topology.is_usable).tolist(), repeat=4):
        core, used = np.array(cores), np.zeros((given.topology.cores, len(given.room)), np.int64)
        np.add.at(used, core, given.load)
        pinned = given.pin >= 0
        if (used <= given.room).all() and (core[pinned] == given.pin[pinned]).all():
            found.append(core)
    return found


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda topology: type(topology).__name__)
def test_least_cost_is_that_of_the_best_placement(topology: Topology, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(4)
    for seed in range(times(2)):
        given = problem(random, topology, is_exact=False)
        monkeypatch.setattr(small_placements, "BATCH", 2**17 if seed % 2 else 500)
        costs = [cost_of(given, core) for core in placements(given)]
        assert least_cost(given) == min(costs, default=None)
        assert bound_of(given) <= min(costs) * (1 + 1e-12)


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda topology: type(topology).__name__)
def test_no_placement_has_a_smaller_peak_load_than_the_bound(topology: Topology) -> None:
    random = np.random.default_rng(6)
    shares = list[float]()
    for _ in range(times(2)):
        given = problem(random, topology, is_exact=False)
        bound = peak_load_bound(given)
        if bound is None:
            assert not isinstance(topology, MeshTopology)
            continue
        least = min((LinkLoads(given, core).figures[0] for core in placements(given)), default=None)
        if least is None:  # the vertices do not fit
            continue
        assert bound <= least + 1e-9
        shares.append(bound / least if least else 1.0)
    assert not shares or max(shares) > 0.2


@pytest.mark.parametrize("topology", TOPOLOGIES, ids=lambda topology: type(topology).__name__)
@pytest.mark.parametrize("is_exact", [True, False])
def test_an_early_end_does_not_change_the_placement(topology: Topology, is_exact: bool) -> None:
    """Of several with the same cost, rounding may choose another one in the search."""
    random = np.random.default_rng(5)
    for seed in range(times(2)):
        given = problem(random, topology, is_exact)
        if (first := first_places(given)) is None:
            continue
        whole = anneal(given, first, 3000, seed)
        done = anneal(given, first, 3000, seed, bound_near(given, first))
        assert done.tried <= whole.tried
        assert Placement(given, done.core).cost == pytest.approx(whole.cost)
        assert not is_exact or done.core.tolist() == whole.core.tolist()


def test_many_placements_are_not_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    given = problem_from(MeshTopology(6, 6), list("abcd"), np.full(4, 3), 4, [(0, [1, 2, 3], 1.0)], {})
    assert least_cost(given) is None
    monkeypatch.setattr(small_placements, "MOST_VISITS", 2**30)
    small = evolve(given, topology=MeshTopology(2, 2))
    assert least_cost(small) == 3.0
    assert least_cost(evolve(given, topology=MeshTopology(3, 1))) is None  # no placement leaves all cores with room

"""Multicast sets against sets of Python, with a hash that collides, and the routes that neurons share where routers hold few."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from attrs import asdict

from nopt.analysis.placement.multicast_sets import Sending, equal_rows, multicast_sets
from nopt.analysis.placement.placement_cost import bound_of, cost_of
from nopt.analysis.placement.placement_problem import problem_from
from nopt.core.topology.mesh import MeshTopology
from nopt.passes.place._annealing import anneal
from nopt.passes.place._initial_placement import Partners
from nopt.passes.place._sampled_nets import sampled_problem
from nopt.passes.route._shared_routes import is_held, share_routes


def random_sendings(seed: int) -> tuple[list[Sending], np.ndarray]:
    random = np.random.default_rng(seed)
    sizes = random.integers(1, 200, 5)
    found: list[Sending] = []
    for source in range(5):
        for target in range(5):
            chosen = np.flatnonzero(random.random(sizes[source]) < random.choice([0.1, 0.5, 1.0]))
            if len(chosen):
                found.append(Sending(source, target, None if source == 4 else chosen, 0.25 * (1 + source)))
    return found, sizes


@pytest.mark.parametrize("seed", range(6))
def test_sets_are_those_of_each_neuron(seed: int) -> None:
    sendings, sizes = random_sendings(seed)
    expected: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for source, size in enumerate(sizes.tolist()):
        for neuron in range(size):
            targets = [
                one.target
                for one in sendings
                if one.source == source and (one.neurons is None or neuron in one.neurons.tolist())
            ]
            if targets:
                expected.setdefault((source, tuple(targets)), []).append(neuron)
    found = multicast_sets(sendings, sizes)
    sets = {
        (int(source), tuple(found.target[found.start[k] : found.start[k + 1]].tolist())): found.member[
            found.member_start[k] : found.member_start[k + 1]
        ].tolist()
        for k, source in enumerate(found.source)
    }
    assert sets == expected
    assert len(found.source) == len(expected)
    for k, source in enumerate(found.source.tolist()):
        assert found.activity[k] == pytest.approx(0.25 * (1 + source) * np.diff(found.member_start)[k])


def test_equal_hashes_of_different_rows_make_no_set() -> None:
    """All rows have the same hash: only those that equal the first row of their owner share its set."""
    start, value = np.array([0, 2, 4, 6, 8]), np.array([1, 2, 1, 3, 1, 2, 1, 3])
    owner = np.zeros(4, np.int64)
    assert equal_rows(owner, start, value).tolist() == [0, 1, 0, 1]
    assert equal_rows(owner, start, value, lambda one: np.zeros(len(one), np.uint64)).tolist() == [0, 1, 0, 3]
    assert equal_rows(np.array([0, 1, 2, 2]), start, value).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("most", [40, 12, 9])
def test_routes_are_shared_where_routers_hold_few(most: int) -> None:
    """Merged routes reach all targets, cost no less than those of each set, and no router passes more than it holds."""
    random = np.random.default_rng(most)
    nets = [(v, sorted({int(t) for t in random.integers(0, 9, 3)} - {v}), 1.0) for v in range(9) for _ in range(8)]
    nets = [(v, targets, activity) for v, targets, activity in nets if targets]
    problem = problem_from(MeshTopology(3, 3), [str(v) for v in range(9)], np.ones(9, np.int64), 1, nets)
    core = np.arange(9)
    assert not is_held([problem], core, most)
    (found,) = share_routes(problem, core, most)
    assert is_held([found], core, most)
    assert len({*found.source.tolist()}) == 9
    assert cost_of(found, core) >= cost_of(problem, core)
    assert found.activity.sum() == problem.activity.sum()
    reached = {(int(v), int(t)) for k, v in enumerate(found.source) for t in found.targets(k)}
    assert reached == {(v, t) for v, targets, _ in nets for t in targets}


def test_sets_with_the_same_tree_share_a_route() -> None:
    """Vertices 1 and 2 are on one core, so both nets of vertex 0 have one tree."""
    nets = [(0, [1], 1.0), (0, [2], 2.0), (0, [3], 1.0)]
    problem = problem_from(MeshTopology(2, 2), list("abcd"), np.ones(4, np.int64), 2, nets)
    (found,) = share_routes(problem, np.array([0, 1, 1, 2]), None)
    assert [found.targets(k).tolist() for k in range(found.nets)] == [[1, 2], [3]]
    assert found.activity.tolist() == [3.0, 1.0]


def test_parts_have_the_sets_and_costs_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large problem is handled in parts, each with all nets of its vertices; here with few pairs each."""
    random = np.random.default_rng(3)
    sizes = np.full(12, 20)
    sendings = [
        Sending(v, t, np.flatnonzero(random.random(20) < 0.3), float(v + 1)) for v in range(12) for t in range(12)
    ]
    whole = multicast_sets(sendings, sizes)
    monkeypatch.setattr("nopt.analysis.placement.multicast_sets.MOST_PAIRS", 100)
    for name, array in asdict(multicast_sets(sendings, sizes)).items():
        assert np.array_equal(array, getattr(whole, name)), name
    nets = [
        (int(v), whole.target[whole.start[k] : whole.start[k + 1]].tolist(), 1 / (k + 3))
        for k, v in enumerate(whole.source)
    ]
    problem = problem_from(MeshTopology(4, 3), [str(v) for v in range(12)], np.ones(12, np.int64), 1, nets)
    core = random.permutation(12)
    cost, bound, partners = cost_of(problem, core), bound_of(problem), Partners.of(problem)
    monkeypatch.setattr("nopt.analysis.placement.multicast_sets.RUN_PAIRS", 100)
    parts = list(problem.parts())
    assert len(parts) > 3
    assert sum(part.nets for part in parts) == problem.nets
    assert all(set(a.source).isdisjoint(b.source) for a, b in pairwise(parts))
    assert cost_of(problem, core) == cost
    assert bound_of(problem) == pytest.approx(bound)
    found = Partners.of(problem)  # equal to the last bit: the first placement depends on them
    assert all(np.array_equal(getattr(found, name), getattr(partners, name)) for name in ("start", "other", "events"))


def test_a_sample_has_the_events_of_all_nets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each vertex keeps some of its nets, with the events of all of them."""
    random = np.random.default_rng(4)
    nets = [(v, sorted({*random.integers(0, 9, 4).tolist()}), float(1 + k)) for v in range(9) for k in range(10)]
    problem = problem_from(MeshTopology(3, 3), [str(v) for v in range(9)], np.ones(9, np.int64), 1, nets)
    assert sampled_problem(problem) is problem
    monkeypatch.setattr("nopt.passes.place._sampled_nets.MOST_PAIRS", 100)
    sample = sampled_problem(problem)
    assert len(sample.target) < 150
    assert np.bincount(sample.source, sample.activity, 9) == pytest.approx(
        np.bincount(problem.source, problem.activity, 9)
    )
    first = np.arange(9)
    done = anneal(problem, first, 500, 0, 0.0)
    assert done.cost == cost_of(problem, done.core) <= cost_of(problem, first)

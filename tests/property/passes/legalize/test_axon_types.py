"""Fit of weights to axon types: the recorded error against brute force and an independent optimiser, and the weights against their axons."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import nir
import numpy as np
import pytest
from extent import seeds
from xdsl.dialects.builtin import FloatAttr, ModuleOp

import nopt.api as nopt
from nopt.analysis.axon_types import population_axons
from nopt.analysis.wiring import wiring_of
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.legalize.axons import _axon_fit, _population_axons

TYPES = 4
SEEDS = seeds(6)


def network(*weights: np.ndarray) -> ModuleOp:
    """Returns a network with one layer of integrate-and-fire neurons for each array of weights."""
    nodes: dict[str, nir.NIRNode] = {"in": nir.Input({"input": np.array([weights[0].shape[1]])})}
    for k, weight in enumerate(weights):
        one = np.ones(len(weight), np.float32)
        nodes[f"fc{k}"] = nir.Linear(weight=weight.astype(np.float32))
        nodes[f"if{k}"] = nir.IF(r=one, v_threshold=one, v_reset=0 * one)
    nodes["out"] = nir.Output({"output": np.array([len(weights[-1])])})
    return discrete(nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes))))


def discrete(graph: nir.NIRGraph) -> ModuleOp:
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    return module


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def fitted(module: ModuleOp, options: str = f"types={TYPES}") -> ModuleOp:
    after = module.clone()
    nopt.apply(after, f"ntensor-fit-axon-types{{{options}}}", diagnostics=Diagnostics())
    return after


def recorded(module: ModuleOp) -> tuple[float, float]:
    """Returns the largest and the mean error of the last record; zero without one."""
    last = list(network_of(module).approximations or ())[-1]
    if not last.step.data.startswith("ntensor-fit-axon-types"):
        return 0.0, 0.0
    assert isinstance(last.largest, FloatAttr)
    assert isinstance(last.mean, FloatAttr)
    return last.largest.value.data, last.mean.value.data


def weights_of(module: ModuleOp, name: str) -> np.ndarray:
    op = next(op for op in module.walk() if isinstance(op, ntensor.SynapseOpInterface) and op.node.data == name)
    found = np.zeros((op.y.type.get_shape()[0], op.x.type.get_shape()[0]))  # type: ignore[attr-defined]
    source, target, place = op.used_pairs()
    assert op.weights is not None
    np.add.at(found, (target, source), op.weights.values.reshape(-1)[place].astype(np.float64))
    return found


# ---- the error


def least_error(weights: np.ndarray) -> float:
    """Returns the least sum of errors over all assignments of types, and over all weights as values."""
    sources = weights.shape[1]
    subsets = {}
    for members in product((False, True), repeat=sources):
        total = 0.0
        for row in weights[:, np.array(members)]:
            total += min((np.minimum(abs(row), abs(row - value)).sum() for value in (0.0, *row)), default=0.0)
        subsets[members] = total
    best = np.inf
    for types in product(range(TYPES), repeat=sources):
        if types[0] == 0:  # by symmetry
            parts = (tuple(one == type for one in types) for type in range(TYPES))
            best = min(best, sum(subsets[part] for part in parts))
    return best


@pytest.mark.parametrize("seed", SEEDS)
def test_error_is_the_least_of_all_assignments(seed: int) -> None:
    """Six inputs and several neurons with five different weights."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-40, 41, 5) / 16
    weights = rng.choice(values, (int(rng.integers(2, 6)), 6)) * (rng.random((1, 6)) < 0.9)
    expected = least_error(weights)
    _, mean = recorded(fitted(network(weights)))
    synapses = np.count_nonzero(weights)
    assert mean * synapses == pytest.approx(expected, abs=1e-9)


def independent_error(weights: np.ndarray, rng: np.random.Generator, starts: int) -> float:
    """Returns the least sum of errors of a local search from several random assignments, in which single sources change their types."""
    sources = weights.shape[1]

    def best_values(columns: np.ndarray) -> np.ndarray:
        found = np.zeros(len(columns))
        for k, row in enumerate(columns):
            candidates = np.concatenate([[0.0], row])
            errors = np.minimum(abs(row), abs(row - candidates[:, np.newaxis])).sum(axis=1)
            found[k] = candidates[errors.argmin()]
        return found

    best = np.inf
    for _ in range(starts):
        types = rng.integers(0, TYPES, sources)
        error = np.inf
        while True:
            values = np.stack([best_values(weights[:, types == t]) for t in range(TYPES)], axis=1)
            each = np.minimum(abs(weights)[..., np.newaxis], abs(weights[..., np.newaxis] - values[:, np.newaxis]))
            types, found = each.sum(axis=0).argmin(axis=1), float(each.sum(axis=0).min(axis=1).sum())
            if found >= error:
                break
            error = found
        best = min(best, error)
    return best


@pytest.mark.parametrize("neurons", [4, 24, 64])
@pytest.mark.parametrize("seed", seeds(2))
def test_error_of_many_inputs_is_near_that_of_a_search(seed: int, neurons: int) -> None:
    rng = np.random.default_rng(seed)
    weights = np.rint(rng.normal(0, 48, (neurons, 64))).clip(-255, 255) / 256
    weights = weights.astype(np.float32).astype(np.float64)
    expected = independent_error(weights, rng, starts=40)
    _, mean = recorded(fitted(network(weights)))
    assert mean * np.count_nonzero(weights) <= 1.05 * expected


def test_four_axons_have_sixteen_sums() -> None:
    """64 inputs with four axons each: every neuron has 16 weights, which are found exactly."""
    rng = np.random.default_rng(0)
    base = rng.permuted(np.tile([1, 2, 4, -8], (20, 1)), axis=1) * rng.integers(1, 9, (20, 1))
    links = rng.integers(0, 2, (20, 64, TYPES))
    weights = (links * base[:, np.newaxis]).sum(axis=2) / 256
    assert len(np.unique(weights[0])) > 12
    module = network(weights)
    one, four = recorded(fitted(module)), recorded(fitted(module, "types=4 copies=4 axons=256"))
    assert one[1] > 0.2 * abs(weights).mean()
    assert four == (0.0, 0.0)
    half = fitted(module, "types=4 copies=4 axons=128")
    assert 0 < recorded(half)[1] < one[1]
    (core,) = population_axons(wiring_of(network_of(half), ""))["if0"]
    assert len(core.op) <= 128


def test_trained_values_are_found() -> None:
    """Weights that are values of four types, with half of the connections, are fitted without an error."""
    rng = np.random.default_rng(1)
    types = rng.integers(0, TYPES, 64)
    values = rng.integers(-255, 256, (40, TYPES)) / 256
    weights = values[:, types] * (rng.random((40, 64)) < 0.5)
    after = fitted(network(weights))
    assert recorded(after) == (0.0, 0.0)
    assert (weights_of(after, "fc0") == weights).all()


# ---- the axons


@pytest.mark.parametrize("seed", SEEDS)
def test_weights_are_sums_of_axons(seed: int) -> None:
    """The weights of all slices follow from axons, values and connections; errors and sources do not exceed the record and the limits."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 20, 3)
    given = [np.rint(rng.normal(0, 40, (b, a))) / 64 for a, b in pairwise(sizes)]
    module = network(*given)
    nopt.apply(module, 'ntensor-plan-cores{device="asic/mesh" set="core.neurons=5"}', diagnostics=Diagnostics())
    copies, types = int(rng.integers(1, 4)), int(rng.integers(2, 5))
    after = fitted(module, f"types={types} copies={copies} axons=30")
    largest, mean = recorded(after)
    cores = population_axons(wiring_of(network_of(after), ""))
    for k, weights in enumerate(given):
        found = np.zeros(weights.shape)
        for core in cores[f"if{k}"]:
            assert len(core.op) <= 30
            assert np.unique(np.stack([core.source, core.delay]), axis=1, return_counts=True)[1].max() <= copies
            assert core.values.shape == (len(core.neurons), types)
            for axon, neuron in zip(core.axon, core.neuron, strict=True):
                found[core.neurons[neuron], core.source[axon]] += core.values[neuron, core.type[axon]]
        assert (found == weights_of(after, f"fc{k}")).all()
        assert abs(found - weights).max() <= largest
        assert (found[weights == 0] == 0).all()
    assert mean <= largest


def test_second_fit_changes_nothing() -> None:
    weights = np.random.default_rng(0).normal(0, 1, (12, 20))
    after = fitted(network(weights))
    assert nopt.write(fitted(after)) == nopt.write(after)


@pytest.mark.parametrize("seed", seeds(4))
def test_convolution_with_pool_keeps_its_sums(seed: int) -> None:
    """Weights of two values fit exactly, through convolution and pools: spikes are the same, as f64 adds these weights without rounding."""
    rng = np.random.default_rng(seed)
    one = np.ones((2, 4, 4), np.float32)
    weight = rng.choice([0.5, 0.75, 1.25], (2, 1, 1, 1)).astype(np.float32)
    nodes = {
        "in": nir.Input({"input": np.array([1, 4, 4])}),
        "conv": nir.Conv2d((4, 4), weight, 1, 0, 1, 1, np.zeros(2, np.float32)),
        "if0": nir.IF(r=one, v_threshold=one, v_reset=0 * one),
        "pool": nir.SumPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0])),
        "flat": nir.Flatten({"input": np.array([2, 2, 2])}, start_dim=0, end_dim=-1),
        "fc": nir.Linear(weight=rng.choice([0.5, -0.25, 0.375], (3, 8)).astype(np.float32)),
        "if1": nir.IF(r=np.ones(3, np.float32), v_threshold=np.ones(3, np.float32), v_reset=np.zeros(3, np.float32)),
        "out": nir.Output({"output": np.array([3])}),
    }
    module = discrete(nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)), type_check=False))
    after = fitted(module, "types=4 copies=4")
    x = (rng.random((40, 1, 4, 4)) < 0.5).astype(np.float32)
    before, now = (nopt.run(one, x, engine="numpy", diagnostics=Diagnostics()) for one in (module, after))
    assert before["out"].any()
    assert (before["out"] == now["out"]).all()
    kinds = [type(op).__name__ for op in network_of(after).body.block.ops]
    assert "SumPool2dOp" not in kinds
    assert recorded(after)[0] == 0


def test_tiles_of_a_convolution_are_fitted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four tiles of a convolution without padding have the same weights from other sources."""
    shapes = list[tuple[int, ...]]()

    def counted(weights: np.ndarray, *args: Any) -> Any:
        shapes.append(weights.shape)
        return _axon_fit.fit_axons(weights, *args)

    monkeypatch.setattr(_population_axons, "fit_axons", counted)
    weight = np.random.default_rng(5).normal(size=(2, 1, 3, 3)).astype(np.float32)
    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input({"input": np.array([1, 6, 6])}),
        "conv": nir.Conv2d((6, 6), weight, 1, 0, 1, 1, np.zeros(2, np.float32)),
        "if": nir.IF(*(np.full((2, 4, 4), value, np.float32) for value in (1, 1, 0))),
        "out": nir.Output({"output": np.array([2, 4, 4])}),
    }
    module = discrete(nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes))))
    nopt.apply(module, 'ntensor-plan-cores{device="truenorth/ns1e" set="core.neurons=8"}', diagnostics=Diagnostics())
    after = fitted(module)
    assert shapes == [(8, 16)]
    (slices,) = population_axons(wiring_of(network_of(after), "")).values()
    assert len(slices) == 4
    assert all(np.array_equal(one.values, slices[0].values) for one in slices)


def test_sources_of_many_neurons_get_the_types_that_lose_nothing() -> None:
    """Two groups that excite themselves and inhibit each other, a common input, and a source of each neuron alone: four values for each neuron."""
    size = 12
    side = np.arange(size) < size // 2
    groups = np.where(side[:, None] == side, 5.0, -19.0)
    weights = np.concatenate([groups, np.full((size, 1), 3.0), -255.0 * np.eye(size)], axis=1)
    after = fitted(network(weights))
    assert np.array_equal(weights_of(after, "fc0"), weights)
    assert not network_of(after).approximations or recorded(after) == (0.0, 0.0)

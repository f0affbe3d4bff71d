"""Fit of linear leaks: spike counts of single samples, against those of the leak that is the mean from rest to threshold."""

from __future__ import annotations

import nir
import numpy as np
import pytest
from extent import seeds
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.pipelines import KEPT_SAMPLES

SAMPLES, TICKS = 16, 60


def network(rng: np.random.Generator) -> ModuleOp:
    """Returns two layers of leaky neurons that are often far below their thresholds, with inhibition."""
    nodes: dict[str, nir.NIRNode] = {"in": nir.Input({"input": np.array([10])})}
    edges = ["in"]
    for k, (inputs, neurons) in enumerate(((10, 14), (14, 5))):
        one = np.ones(neurons)
        nodes[f"fc{k}"] = nir.Linear(weight=rng.normal(3.0, 8.0, (neurons, inputs)))
        nodes[f"lif{k}"] = nir.LIF(tau=0.02 * one, r=one, v_leak=0 * one, v_threshold=one, v_reset=0 * one)
        edges += [f"fc{k}", f"lif{k}"]
    nodes["out"] = nir.Output({"output": np.array([5])})
    graph = nir.NIRGraph(nodes=nodes, edges=list(zip(edges, [*edges[1:], "out"], strict=True)))
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    return module


def with_leaks(module: ModuleOp, x: np.ndarray, folder: str, direction: str, keep: int) -> ModuleOp:
    np.save(f"{folder}/x.npy", x)
    after = module.clone()
    steps = f'ntensor-calibrate{{data="{folder}/x.npy" keep={keep}}},ntensor-linearize-leak{{direction={direction}}}'
    nopt.apply(after, steps, diagnostics=Diagnostics())
    return after


def count_error(module: ModuleOp, other: ModuleOp, x: np.ndarray) -> int:
    """Returns the sum of the differences of spike counts of all samples and outputs."""
    counts = [nopt.run(one, x, diagnostics=Diagnostics())["out"].sum(axis=1).astype(int) for one in (module, other)]
    return int(np.abs(counts[0] - counts[1]).sum())


@pytest.mark.parametrize("direction", ["rest", "down"])
@pytest.mark.parametrize("seed", seeds(3))
def test_fitted_leaks_keep_spike_counts(seed: int, direction: str, tmp_path: object) -> None:
    """Shares are fitted to half of the samples, if the other half shows that this helps; counts of other samples of the same kind are about as near, or nearer."""
    rng = np.random.default_rng([48, seed])
    module = network(rng)
    x, other = (rng.random((SAMPLES, TICKS, 10)) < rng.uniform(0, 0.3, (SAMPLES, 1, 10)) for _ in range(2))
    mean, fitted = (with_leaks(module, x, str(tmp_path), direction, keep) for keep in (0, KEPT_SAMPLES))
    is_fitted = count_error(mean, fitted, x) > 0
    assert is_fitted or direction == "rest"  # a leak that is a constant has other counts than one towards rest
    assert not is_fitted or count_error(module, fitted, x) < count_error(module, mean, x)
    assert count_error(module, fitted, other) <= 1.1 * count_error(module, mean, other)
    populations = [op for op in fitted.walk() if isinstance(op, ntensor.NeuronOp)]
    assert [op.family.data for op in populations if op.family is not None] == [
        {"rest": "linear_lif", "down": "falling_lif"}[direction]
    ] * 2
    shares = set[float]()
    for op in populations:
        assert op.canonical is not None
        steps = [dict(op.arrays(one))["leak_step"].values for one in (op.params, op.canonical)]
        assert np.array_equal(*steps)
        shares |= {*np.unique(steps[0]).tolist()}
    assert len(shares) > 2 or not is_fitted  # of each neuron, not of each population
    (record,) = (
        one
        for network in fitted.ops
        if isinstance(network, ntensor.NetworkOp)
        for one in network.approximations or ()
        if one.step.data.startswith("ntensor-linearize-leak")
    )
    assert ("fitted to spike counts" in record.what.data) == is_fitted

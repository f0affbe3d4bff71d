"""Layers that are fitted to data, matrices of windows, and chains of layers, against the networks that they come from."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics
from nopt.passes.legalize.rates._fitted_responses import fitted_lines, fitted_responses


def lif(n: int, tau: float = 0.02) -> nir.LIF:
    one = np.ones(n, np.float32)
    return nir.LIF(tau=tau * one, r=one, v_leak=0 * one, v_threshold=one)


def network(seed: int, *, has_skip: bool = False) -> nir.NIRGraph:
    """Returns a network of two or three populations of leaky neurons, the last of which reads both others."""
    rng = np.random.default_rng(seed)

    def linear(rows: int, columns: int) -> nir.Linear:
        return nir.Linear((20 * rng.normal(0.3, 1, (rows, columns)) / np.sqrt(columns)).astype(np.float32))

    nodes: dict[str, nir.NIRNode] = {
        "in": nir.Input(np.array([8])),
        "w1": linear(12, 8),
        "a": lif(12),
        "w2": linear(12, 12),
        "b": lif(12),
        "w3": linear(4, 12),
        "c": lif(4),
        "out": nir.Output(np.array([4])),
    }
    edges = [("in", "w1"), ("w1", "a"), ("a", "w2"), ("w2", "b"), ("b", "w3"), ("w3", "c"), ("c", "out")]
    if has_skip:
        nodes["skip"] = linear(4, 12)
        edges += [("a", "skip"), ("skip", "c")]
    return nir.NIRGraph(nodes, edges)


def data(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    rates = np.resize([0.1, 0.2, 0.3, 0.4], 40)[:, None, None] * rng.uniform(0.3, 1.7, (40, 1, 8))
    return (rng.random((40, 60, 8)) < rates).astype(np.float32)


def apply(graph: nir.NIRGraph, passes: str) -> nopt.ModuleOp:
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    steps = f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse reset=value}}{',' * bool(passes)}{passes}"
    nopt.apply(module, steps, diagnostics=Diagnostics())
    return module


def outputs(module: nopt.ModuleOp, x: np.ndarray) -> np.ndarray:
    return nopt.run(module, x, engine="numpy", diagnostics=Diagnostics())["out"].astype(np.float64)


@settings(max_examples=30, deadline=None)
@given(slope=st.floats(0.05, 20), start=st.floats(-30, 30), most=st.sampled_from([4, 15, 60]), seed=st.integers(0, 999))
def test_lines_of_exact_data_are_found(slope: float, start: float, most: int, seed: int) -> None:
    """Inputs spread over the whole line and both bounds, so that the least squared error is 0."""
    rng = np.random.default_rng(seed)
    x = start + rng.uniform(-0.5, 1.5, (200, 1)) * most / slope
    found = fitted_lines(x, np.clip(slope * (x - start), 0, most), most)
    assert found[0][0] == pytest.approx(slope, rel=1e-6)
    assert found[1][0] == pytest.approx(start, abs=1e-6 * most / slope + 1e-9)


def test_silent_neurons_stay_silent_and_constant_ones_constant() -> None:
    x = np.linspace(-3, 5, 50)[:, None] * np.ones(2)
    spikes = np.stack([np.zeros(50), np.full(50, 7.0)], 1)
    found = fitted_responses(x, spikes, 4, 15.0, has_channels=False)
    counts = np.clip(np.ceil((x - found.threshold) / found.level), 0, 15) * found.unit
    assert not counts[:, 0].any()
    assert np.abs(counts[:, 1] - 7).max() <= 0.5


def test_fit_has_less_error_than_constant_inputs(tmp_path: Path) -> None:
    """Counts of the output per sample, relative to the mean of the spiking network."""
    path, x, graph = tmp_path / "x.npy", data(1), network(1)
    np.save(path, x)
    spikes = outputs(apply(graph, ""), x).sum(1)
    fitted = apply(graph, f'ntensor-encode-rates{{window=15 bits=4 fit=data data="{path}"}}')
    constant = apply(graph, "ntensor-encode-rates{window=15 bits=4 approximate=leak,response}")
    unit = next(
        op.attributes["machine.count_unit"].value.data
        for op in fitted.walk()
        if op.name == "ntensor.neuron" and op.node.data == "c"
    )
    errors = [
        float(np.abs(one - spikes).mean() / spikes.mean())
        for one in (outputs(fitted, x).sum(1) * unit, outputs(constant, x).sum(1))
    ]
    assert errors[0] < 0.5 * errors[1]


def test_samples_of_a_calibration_are_the_data(tmp_path: Path) -> None:
    """All samples are kept, so both networks are the same."""
    path, x, graph = tmp_path / "x.npy", data(2), network(2)
    np.save(path, x)
    options = "window=30 bits=4 fit=data weight-bits=4 input-bits=5 shorter=true"
    kept = apply(graph, f'ntensor-calibrate{{data="{path}" keep=40}},ntensor-encode-rates{{{options}}}')
    file = apply(graph, f'ntensor-encode-rates{{{options} data="{path}"}}')
    np.testing.assert_array_equal(outputs(kept, x), outputs(file, x))


@pytest.mark.parametrize("seed", range(4))
def test_chain_has_the_counts_of_the_network(seed: int, tmp_path: Path) -> None:
    path, x, graph = tmp_path / "x.npy", data(seed), network(seed, has_skip=True)
    np.save(path, x)
    rates = f'ntensor-encode-rates{{window=15 bits=4 fit=data weight-bits=4 input-bits=4 data="{path}"}}'
    found = [outputs(apply(graph, steps), x) for steps in (rates, f"{rates},ntensor-chain-layers")]
    assert found[0].any()
    np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("groups", [1, 2])
def test_matrix_computes_the_convolution_and_the_pool(stride: int, groups: int) -> None:
    """Weights are short binary fractions, so that all sums are exact."""
    rng = np.random.default_rng(stride)
    conv = nir.Conv2d(
        input_shape=(7, 7),
        weight=(rng.integers(-8, 9, (4, 2 // groups, 3, 3)) / 8).astype(np.float32),
        stride=stride,
        padding=1,
        dilation=1,
        groups=groups,
        bias=(rng.integers(-4, 5, 4) / 4).astype(np.float32),
    )
    side = 7 if stride == 1 else 4
    pool = nir.SumPool2d(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0]))
    one, half = np.ones((4, side // 2, side // 2), np.float32), side // 2
    spikes = nir.IF(r=one, v_threshold=one, v_reset=0 * one)
    flat = nir.Flatten(input_type={"input": np.array([4, half, half])}, start_dim=0, end_dim=-1)
    last = nir.Linear((rng.integers(-8, 9, (5, 4 * half * half)) / 8).astype(np.float32))
    ends = nir.Input(np.array([2, 7, 7])), nir.Output(np.array([5]))
    names = ["in", "conv", "pool", "if", "flat", "fc", "out"]
    nodes = dict(zip(names, [ends[0], conv, pool, spikes, flat, last, ends[1]], strict=True))
    graph = nir.NIRGraph(nodes, [*pairwise(names)], type_check=False)
    x = (rng.random((3, 12, 2, 7, 7)) < 0.3).astype(np.float32)
    found = [outputs(apply(graph, steps), x) for steps in ("", "ntensor-expand-synapses")]
    assert found[0].any()
    np.testing.assert_array_equal(*found)

"""Networks of layers against the networks of spikes that they come from, with their counts computed tick by tick."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from runpy import run_path

import nir
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import EXAMPLES, GOLDENS
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.dialects import ntensor

LAYER = GOLDENS / "passes" / "legalize" / "inputs" / "layer.neuron"


def chain(shape: tuple[int, ...], *nodes: tuple[str, nir.NIRNode], outputs: int) -> nir.NIRGraph:
    """Returns a network of nodes in a row."""
    ends = {
        "in": nir.Input({"input": np.array(shape)}),
        **dict(nodes),
        "out": nir.Output({"output": np.array([outputs])}),
    }
    return nir.NIRGraph(nodes=ends, edges=list(pairwise(ends)), type_check=False)


def integrate(n: int, threshold: np.ndarray | float = 1.0, r: float = 1.0) -> nir.IF:
    one = np.ones(n, np.float32)
    return nir.IF(r=one * np.float32(r), v_threshold=one * np.asarray(threshold, np.float32), v_reset=0 * one)


def spiking(graph: nir.NIRGraph, like: str = "norse", reset: str = "subtract") -> ModuleOp:
    module = nopt.from_nir(graph, diagnostics=Diagnostics())
    text = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}}"
    nopt.apply(module, text, diagnostics=Diagnostics())
    return module


def layered(module: ModuleOp, passes: str) -> ModuleOp:
    found = module.clone()
    nopt.apply(found, passes, diagnostics=Diagnostics())
    return found


def counts(module: ModuleOp, x: np.ndarray) -> np.ndarray:
    """Returns the events of the output in each sample."""
    found = nopt.run(module, x, engine="numpy", diagnostics=Diagnostics())["out"]
    return found.sum(1, dtype=np.int64)


def records(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    return list(network.approximations or ())


# ---- exactness


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**20),
    window=st.integers(1, 24),
    like=st.sampled_from(["norse", "sinabs", "euler"]),
    r=st.sampled_from([0.5, 1.0, 2.0]),
)
def test_constant_inputs_have_the_same_counts(seed: int, window: int, like: str, r: float) -> None:
    """Inputs, weights, biases and thresholds are short binary fractions, so all sums are exact, and some potentials equal the threshold."""
    rng = np.random.default_rng(seed)
    weight = (rng.integers(-8, 9, (7, 5)) / 8).astype(np.float32)
    bias = (rng.integers(-4, 5, 7) / 16).astype(np.float32)
    threshold = (rng.integers(1, 17, 7) / 8).astype(np.float32)
    graph = chain((5,), ("fc", nir.Affine(weight, bias)), ("if", integrate(7, threshold, r)), outputs=7)
    module = spiking(graph, like)
    x = np.repeat(rng.integers(0, 5, (6, 1, 5)) / 4, window, 1)
    found = layered(module, f"ntensor-encode-rates{{window={window}}}")
    np.testing.assert_array_equal(counts(found, x), counts(module, x))
    (record,) = [one for one in records(found) if one.step.data.startswith("ntensor-encode-rates")]
    assert "approximated" not in record.what.data


@pytest.mark.parametrize("like", ["norse", "sinabs"])
@pytest.mark.parametrize("r", [1.0, 0.3])
def test_a_potential_slightly_below_the_threshold_is_no_spike(like: str, r: float) -> None:
    """The rule of some frameworks includes the threshold. Neither its layer nor those of other rules includes what is below it."""
    threshold = np.random.default_rng(0).uniform(0.5, 2, 64).astype(np.float32)
    graph = chain(
        (64,), ("fc", nir.Linear(np.eye(64, dtype=np.float32))), ("if", integrate(64, threshold, r)), outputs=64
    )
    module = spiking(graph, like)
    found = layered(module, "ntensor-encode-rates{window=4}")
    for part, spikes in ((1 - 2.0**-14, 0), (1 + 2.0**-14, 1)):
        x = np.repeat((threshold * part / np.float32(r) / 4)[None, None], 4, 1).astype(np.float64)
        assert (counts(module, x) == spikes).all()
        assert (counts(found, x) == spikes).all()


@settings(max_examples=20)
@given(seed=st.integers(0, 2**20), window=st.integers(2, 24))
def test_excitatory_layers_are_exact_at_any_depth(seed: int, window: int) -> None:
    """Weights are positive, and the input of a tick is at most the threshold: the count depends on the sum of the inputs alone."""
    rng = np.random.default_rng(seed)
    weights = [(rng.integers(0, 9, shape) / 64).astype(np.float32) for shape in ((6, 8), (5, 6), (4, 5))]
    nodes: list[tuple[str, nir.NIRNode]] = []
    for k, weight in enumerate(weights):
        nodes += [(f"fc{k}", nir.Linear(weight)), (f"if{k}", integrate(len(weight)))]
    module = spiking(chain((8,), *nodes, outputs=4))
    x = rng.random((5, window, 8)) < 0.6
    found = layered(module, f"ntensor-encode-rates{{window={window}}}")
    np.testing.assert_array_equal(counts(found, x), counts(module, x))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**20), bits=st.sampled_from([2, 4]))
def test_layers_of_integers_follow_the_law(seed: int, bits: int) -> None:
    """After the conversion to integers the counts are those of the formula, computed by NumPy in single precision."""
    rng = np.random.default_rng(seed)
    weight = rng.normal(0, 0.4, (6, 5)).astype(np.float32)
    graph = chain((5,), ("fc", nir.Linear(weight)), ("if", integrate(6, rng.uniform(0.5, 2, 6))), outputs=6)
    steps = (
        "ntensor-encode-rates{window=15}",
        "ntensor-quantize-inputs{kind=count bits=4}",
        f"ntensor-quantize-weights{{bits={bits} per=neuron}}",
        f'ntensor-set-neuron-model{{to="{LAYER}"}}',
    )
    found = layered(spiking(graph), ",".join(steps))
    (neuron,) = next(op for op in found.ops if isinstance(op, ntensor.NetworkOp)).populations
    params = {name: array.values for name, array in neuron.arrays(neuron.params)}
    linear = next(op for op in found.walk() if isinstance(op, ntensor.LinearOp))
    assert np.abs(linear.weight.values).max() <= 2 ** (bits - 1) - 1
    x = rng.integers(0, 16, (20, 1, 5))
    potential = x[:, 0] @ linear.weight.values.astype(np.int64).T
    expected = np.ceil((potential - params["at"]).astype(np.float32) / params["step"])
    np.testing.assert_array_equal(counts(found, x), np.clip(expected, 0, 15))


# ---- measured errors


def noisy(seed: int, reset: str = "subtract") -> tuple[ModuleOp, np.ndarray]:
    """Returns a network of two layers with weights of both signs, and random spikes."""
    rng = np.random.default_rng(seed)
    first, second = (rng.normal(0, 0.4, shape).astype(np.float32) for shape in ((12, 10), (6, 12)))
    nodes = ("fc1", nir.Linear(first)), ("if1", integrate(12)), ("fc2", nir.Linear(second)), ("if2", integrate(6))
    return spiking(chain((10,), *nodes, outputs=6), reset=reset), rng.random((8, 40, 10)) < 0.3


@pytest.mark.parametrize("reset", ["subtract", "value"])
def test_errors_are_those_of_the_data(tmp_path: Path, reset: str) -> None:
    """The record holds the largest and the mean difference over both populations, 3 frames of 16 ticks each, the last of 8."""
    module, x = noisy(3, reset)
    path = tmp_path / "x.npy"
    np.save(path, x)
    found = layered(module, f'ntensor-encode-rates{{window=16 approximate=response data="{path}"}}')
    names = ["if1", "if2"]
    was = nopt.run(module, x, record=names, engine="numpy", diagnostics=Diagnostics())
    now = nopt.run(found, x, record=names, engine="numpy", diagnostics=Diagnostics())
    errors: list[np.ndarray] = []
    for name in names:
        frames = np.stack([was[name][:, start : start + 16].sum(1) for start in (0, 16, 32)], 1)
        assert now[name].shape == frames.shape
        errors.append(np.abs(frames - now[name]).ravel())
    record = records(found)[-1]
    assert record.largest.value.data == np.concatenate(errors).max() > 0
    assert record.mean.value.data == pytest.approx(np.concatenate(errors).mean())


def test_samples_limit_the_data(tmp_path: Path) -> None:
    module, x = noisy(3)
    paths = tmp_path / "all.npy", tmp_path / "two.npy"
    np.save(paths[0], x)
    np.save(paths[1], x[:2])
    texts = [
        f'ntensor-encode-rates{{window=16 data="{path}"{more}}}'
        for path, more in zip(paths, (" samples=2", ""), strict=True)
    ]
    first, second = (records(layered(module, text))[-1] for text in texts)
    assert (first.largest, first.mean) == (second.largest, second.mean)


def test_units_are_folded_into_the_readers() -> None:
    """16 bits of counts and one bit more change nothing but the types, so a unit of 1 is exact; a unit of 2 halves the counts."""
    module, x = noisy(5)
    rates = layered(module, "ntensor-encode-rates{window=30}")
    same = layered(rates, "ntensor-quantize-counts{bits=5}")
    half = layered(rates, "ntensor-quantize-counts{bits=4}")
    np.testing.assert_array_equal(counts(same, x), counts(rates, x))
    assert np.abs(2 * counts(half, x) - counts(rates, x)).mean() < 1
    assert np.abs(counts(half, x)).max() <= 30


@pytest.mark.parametrize("kind", [nir.SumPool2d, nir.AvgPool2d])
@pytest.mark.parametrize("dense", [False, True])
def test_pools_as_layers_are_exact_with_enough_bits(kind: type[nir.NIRNode], dense: bool) -> None:
    rng = np.random.default_rng(4)
    conv = nir.Conv2d(
        input_shape=(6, 6),
        weight=rng.normal(0, 0.5, (3, 1, 3, 3)).astype(np.float32),
        stride=1,
        padding=1,
        dilation=1,
        groups=1,
        bias=rng.normal(0, 0.1, 3).astype(np.float32),
    )
    one = np.ones((3, 6, 6), np.float32)
    pool = kind(kernel_size=np.array([2, 2]), stride=np.array([2, 2]), padding=np.array([0, 0]))
    nodes: list[tuple[str, nir.NIRNode]] = [
        ("conv", conv),
        ("if1", nir.IF(r=one, v_threshold=one, v_reset=0 * one)),
        ("pool", pool),
    ]
    nodes += [("flat", nir.Flatten({"input": np.array([3, 3, 3])}, start_dim=0, end_dim=-1))]
    nodes += [("fc", nir.Linear(rng.normal(0, 0.3, (4, 27)).astype(np.float32))), ("if2", integrate(4))]
    rates = layered(spiking(chain((1, 6, 6), *nodes, outputs=4)), "ntensor-encode-rates{window=15}")
    options = "bits=6 kernel=3 dense" if dense else "bits=6"
    found = layered(rates, f"ntensor-lower-pools{{{options}}}")
    assert len(records(found)) == len(records(rates))
    assert not any(isinstance(op, ntensor.PoolOp) for op in found.walk())
    x = rng.random((5, 15, 1, 6, 6)) < 0.4
    np.testing.assert_array_equal(counts(found, x), counts(rates, x))


# ---- real networks


def test_recurrent_network_is_refused(shared: Path) -> None:
    path = shared / "samples" / "nir_paper" / "braille" / "braille_noDelay_bias_zero.nir"
    module = nopt.read(path, diagnostics=Diagnostics())
    text = "convert-nir-to-ntensor{dt-ns=100000 like=snntorch reset=value},ntensor-encode-rates{window=16}"
    with pytest.raises(Refused, match="a layer depends on its own output") as refusal:
        nopt.apply(module, text, diagnostics=Diagnostics())
    (finding,) = refusal.value.findings
    assert (finding.code.id, finding.node) == ("LEG085", "lif1.lif")
    assert '"lif1.w_rec"' in str(finding.found)


def edges(samples: int, ticks: int) -> np.ndarray:
    """Returns digits of 34 x 34 pixels whose vertical edges spike: rising ones in channel 0, falling ones in channel 1. Seed 1."""
    encoder = EXAMPLES / "encoder.py"
    file = run_path(str(encoder))["digits_file"]()
    digits = np.loadtxt(file, delimiter=",", max_rows=samples)[:, :-1].reshape(-1, 8, 8)
    rng = np.random.default_rng(1)
    images = np.pad(np.kron(digits / 16, np.ones((4, 4))), ((0, 0), (1, 1), (1, 1)))
    change = images - np.roll(images, 1, 2)
    strength = np.stack([np.maximum(change, 0), np.maximum(-change, 0)], 1)[:, None] / 2
    return rng.random((samples, ticks, 2, 34, 34)) < strength


AGREEMENT = {
    "ntensor-encode-rates": (0.815, 0.97),
    "ntensor-quantize-inputs": (0.815, 0.97),
    "ntensor-quantize-counts": (0.79, 0.97),
    "ntensor-lower-pools": (0.76, 0.96),
    "ntensor-quantize-weights": (0.65, 0.95),
    "ntensor-set-neuron-model": (0.64, 0.95),
}
"""Least agreement of the arg-max with the network of spikes, and least mean cosine of the output counts of a sample, after each pass."""


def test_convolutions_of_sinabs_by_rates(shared: Path, tmp_path: Path) -> None:
    """The network spikes several times in a tick, and its deep layers are inhibited: the order of spikes matters there."""
    x, path = edges(800, 16), tmp_path / "x.npy"
    np.save(path, x)
    net = nopt.read(shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir", diagnostics=Diagnostics())
    nopt.apply(net, "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}", diagnostics=Diagnostics())
    steps = (
        "ntensor-encode-rates{window=16}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        f'ntensor-quantize-counts{{bits=4 data="{path}"}}',
        f'ntensor-lower-pools{{kernel=3 data="{path}"}}',
        "ntensor-quantize-weights{bits=4 per=neuron fit=error}",
        f'ntensor-set-neuron-model{{to="{LAYER}"}}',
    )
    expected = nopt.run(net, x, engine="native", diagnostics=Diagnostics())["output"].sum(1).astype(np.float64)
    module = net
    for step in steps:
        module = layered(module, step)
        found = nopt.run(module, x, engine="native", diagnostics=Diagnostics())["output"].sum(1).astype(np.float64)
        same = float((found.argmax(1) == expected.argmax(1)).mean())
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(expected, axis=1)
        cosine = float(((found * expected).sum(1) / np.maximum(lengths, 1e-9)).mean())
        print(f"{step.partition('{')[0]}: {same:.3f} of arg-max equal, cosine {cosine:.4f}")
        least = AGREEMENT[step.partition("{")[0]]
        assert same >= least[0]
        assert cosine >= least[1]

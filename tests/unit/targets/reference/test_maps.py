"""Max pools, transposed convolutions and upsampling against plain loops, and against SciPy: the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from map_layers import (
    FACTORS,
    POOLS,
    TRANSPOSED,
    max_pool,
    max_pool_loop,
    transposed,
    transposed_loop,
    upsample_loop,
    upsampled,
)
from nets import Net, run, same_bits
from scipy.signal import convolve2d
from xdsl.dialects.builtin import f32, f64, i1, i8, i32

from nopt.dialects.ntensor import ConvTranspose2dOp, CountType, Upsample2dOp
from nopt.targets.reference.sparse import sparse_of

SHAPE = (2, 5, 4)


def signal(rng: np.random.Generator, kind: str) -> tuple[np.ndarray, Any]:
    """Returns samples of a kind of signal, and the type of an input for them."""
    events = rng.random((2, 3, *SHAPE)) < 0.4
    match kind:
        case "spikes":
            return events, i1
        case "counts":
            return events * rng.integers(1, 9, events.shape), CountType(4)
        case _:
            return events * rng.normal(size=events.shape).astype(np.float32), f32


def each_row(x: np.ndarray, function: Any) -> np.ndarray:
    return np.array([[function(row) for row in sample] for sample in x])


def steps_of(options: dict[str, Any]) -> list[Any]:
    defaults = {"stride": (1, 1), "padding": ((0, 0), (0, 0)), "dilation": (1, 1), "groups": 1}
    return [options.get(name, default) for name, default in defaults.items()]


@pytest.mark.parametrize("kind", ["spikes", "counts", "values"])
@pytest.mark.parametrize("name", POOLS)
def test_max_pool(name: str, kind: str) -> None:
    x, element = signal(np.random.default_rng(3), kind)
    net = Net(f32, x=(SHAPE, element))
    found = run(net.network(y=max_pool(net, net.input("x"), *POOLS[name])), x=x)["y"]
    np.testing.assert_array_equal(found, each_row(x, lambda row: max_pool_loop(row, *POOLS[name])))


@pytest.mark.parametrize("kind", ["spikes", "counts", "values"])
@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed_convolution(name: str, kind: str) -> None:
    options = dict(TRANSPOSED[name])
    rng = np.random.default_rng(4)
    weight = rng.normal(size=options.pop("weight")).astype(np.float32)
    bias = rng.normal(size=len(weight)).astype(np.float32)
    x, element = signal(rng, kind)
    net = Net(f32, x=(SHAPE, element))
    y, biased = (transposed(net, net.input("x"), weight, b, **options) for b in (None, bias))
    found = run(net.network(y=y, biased=biased), x=x)
    expected = each_row(x, lambda row: transposed_loop(row, weight, *steps_of(options)))
    assert same_bits(found["y"], expected)
    assert same_bits(found["biased"], expected + bias[:, None, None])


def test_a_transposed_convolution_is_a_full_convolution() -> None:
    rng = np.random.default_rng(5)
    x, weight = rng.integers(0, 5, (1, 1, 1, 6, 7)).astype(np.float64), rng.integers(-9, 9, (1, 1, 3, 4)).astype(float)
    net = Net(f64, x=((1, 6, 7), f64))
    found = run(net.network(y=transposed(net, net.input("x"), weight)), x=x)["y"]
    np.testing.assert_array_equal(found[0, 0, 0], convolve2d(x[0, 0, 0], weight[0, 0]))


def test_integers_are_exact() -> None:
    rng = np.random.default_rng(6)
    x, weight = rng.integers(-8, 8, (1, 4, *SHAPE)), rng.integers(-100, 100, (3, 2, 3, 3)).astype(np.int8)
    bias, exponent = rng.integers(-50, 50, 3), np.array([0, 1, -2])
    net = Net(i32, x=(SHAPE, i8))
    options = {"stride": (2, 2), "padding": ((1, 0), (1, 0))}
    y = transposed(net, net.input("x"), weight, bias, exponent=exponent, **options)
    found = run(net.network(y=y), x=x)["y"]
    wide = weight.astype(np.int64)
    sums = each_row(x, lambda row: transposed_loop(row, wide, *steps_of(options))) + bias[:, None, None]
    np.testing.assert_array_equal(found, np.floor(np.ldexp(sums.astype(float), exponent[:, None, None])))


def test_zeros_of_infinite_weights_are_skipped() -> None:
    net = Net(f32, x=((1, 2, 2), f32))
    x = np.array([[[[[1.0, 0.0], [0.0, 0.0]]]]])
    found = run(net.network(y=transposed(net, net.input("x"), np.full((1, 1, 1, 1), np.inf, np.float32))), x=x)["y"]
    assert found.tolist() == [[[[[np.inf, 0], [0, 0]]]]]


@pytest.mark.parametrize("kind", ["spikes", "counts", "values"])
@pytest.mark.parametrize("factor", FACTORS, ids=str)
def test_upsampling(factor: tuple[int, int], kind: str) -> None:
    x, element = signal(np.random.default_rng(7), kind)
    net = Net(f32, x=(SHAPE, element))
    found = run(net.network(y=upsampled(net, net.input("x"), factor)), x=x)["y"]
    np.testing.assert_array_equal(found, each_row(x, lambda row: upsample_loop(row, factor)))


def paths(op: ConvTranspose2dOp | Upsample2dOp) -> np.ndarray:
    """Returns the number of synapses between each pair of neurons, from the list of synapses."""
    source, target, _ = op.used_pairs()
    found = np.zeros((len(op.count_synapses()), int(np.prod(SHAPE))))
    np.add.at(found, (target, source), 1)
    return found


@pytest.mark.parametrize("name", [*TRANSPOSED, *map(str, FACTORS)])
def test_counts_of_paths_follow_the_synapses(name: str) -> None:
    rng = np.random.default_rng(8)
    net = Net(f32, x=(SHAPE, i1))
    if name in TRANSPOSED:
        options = dict(TRANSPOSED[name])
        weight = rng.integers(-1, 2, options.pop("weight")).astype(np.float32)
        op: Any = transposed(net, net.input("x"), weight, **options).owner
    else:
        op = upsampled(net, net.input("x"), eval(name)).owner
    matrix = paths(op)
    ahead, back = rng.integers(0, 4, SHAPE).astype(float), rng.integers(0, 4, op.y.type.get_shape()).astype(float)
    np.testing.assert_array_equal(op.count_forwards(ahead).reshape(-1), matrix @ ahead.reshape(-1))
    np.testing.assert_array_equal(op.prepare_backwards()(back).reshape(-1), back.reshape(-1) @ matrix)
    np.testing.assert_array_equal(op.count_synapses(), matrix.sum(axis=1))
    assert matrix.max(initial=0) <= 1
    assert len(sparse_of(op).source.values) == matrix.sum()

"""Synapse kernels against plain loops over presynaptic neurons: the same bits, in float32 and float64."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from nets import Net, run, same_bits
from xdsl.dialects.builtin import f32, f64, i1, i8, i32

import nopt.api as nopt
from nopt.core.diagnostics import Refused
from nopt.dialects.ntensor import CountType
from nopt.simulation.signals import DenseSignal, EventSignal
from nopt.targets.reference import windows

REALS = {"f32": f32, "f64": f64}
DTYPES = {"f32": np.float32, "f64": np.float64}
SAMPLES, TICKS = 3, 6


@pytest.fixture(params=["f32", "f64"])
def real(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=["few spikes", "many spikes", "few values", "all values"])
def kind(request: pytest.FixtureRequest) -> str:
    return request.param


def signal(rng: np.random.Generator, kind: str, real: str, shape: tuple[int, ...]) -> tuple[np.ndarray, Any]:
    """Returns samples of a kind of signal, and the type of an input for them."""
    share = 0.06 if kind.startswith("few") else 0.7
    events = rng.random((SAMPLES, TICKS, *shape)) < share
    if kind.endswith("spikes"):
        return events, i1
    values = rng.normal(size=events.shape).astype(DTYPES[real])
    return values if kind.startswith("all") else values * events, REALS[real]


def each_row(x: np.ndarray, function: Any) -> np.ndarray:
    return np.array([[function(row) for row in sample] for sample in x])


def linear_loop(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    y = np.zeros(weight.shape[:-1], weight.dtype)
    for place in np.ndindex(y.shape):
        total = weight.dtype.type(0)
        for i in range(weight.shape[-1]):
            if x[(*place[:-1], i)] != 0:
                total = total + weight[(*place, i)] * weight.dtype.type(x[(*place[:-1], i)])
        y[place] = total
    return y


def window_loop(x: np.ndarray, weight: np.ndarray, stride: Any, padding: Any, dilation: Any, groups: int) -> np.ndarray:
    """Loops over presynaptic neurons (c, y, x) in flat order, for all taps that they reach."""
    out, inside, *kernel = weight.shape
    sizes = [
        (n + a + b - d * (k - 1) - 1) // s + 1
        for n, k, s, (a, b), d in zip(x.shape[1:], kernel, stride, padding, dilation, strict=True)
    ]
    y = np.zeros((out, *sizes), weight.dtype)
    for o in range(out):
        group = o // (out // groups)
        for place in np.ndindex(*sizes):
            total = weight.dtype.type(0)
            for c in range(inside):
                for taps in product(*map(range, kernel)):
                    at = [
                        p * s + k * d - a
                        for p, s, k, d, (a, _) in zip(place, stride, taps, dilation, padding, strict=True)
                    ]
                    if all(0 <= n < size for n, size in zip(at, x.shape[1:], strict=True)):
                        value = x[(group * inside + c, *at)]
                        if value != 0:
                            total = total + weight[(o, c, *taps)] * weight.dtype.type(value)
            y[(o, *place)] = total
    return y


# ---- linear


@pytest.mark.parametrize(
    "shape",
    [(5, 12), (1, 40), (2, 40), (40, 1), (1, 1), (3, 200), (17, 33), (3, 4, 9), (2, 3, 1, 7)],
    ids=str,
)
def test_linear(shape: tuple[int, ...], kind: str, real: str) -> None:
    rng = np.random.default_rng(1)
    weight = rng.normal(size=shape).astype(DTYPES[real])
    bias = rng.normal(size=shape[:-1]).astype(DTYPES[real])
    x, element = signal(rng, kind, real, shape[:-2] + shape[-1:])
    net = Net(REALS[real], x=(x.shape[2:], element))
    network = net.network(y=net.linear(net.input("x"), weight), biased=net.linear(net.input("x"), weight, bias))
    expected = each_row(x, lambda row: linear_loop(row, weight))
    for block in [None, (1, 1), (2, 4)]:
        found = run(network, x=x, block=block)
        assert same_bits(found["y"], expected)
        assert same_bits(found["biased"], expected + bias)


def test_sums_are_not_those_of_another_order() -> None:
    """Checks the sensitivity of the tests above: with these weights the order affects the last bit."""
    weight = np.random.default_rng(1).normal(size=(17, 33)).astype(np.float32)
    x = np.ones((1, 1, 33), bool)
    assert not same_bits(linear_loop(x[0, 0], weight), linear_loop(x[0, 0], weight[:, ::-1]))


@pytest.mark.parametrize("outputs", [1, 2, 3, 64])
@pytest.mark.parametrize("rows", [1, 2, 300])
def test_long_sums(outputs: int, rows: int, real: str) -> None:
    """Compares thousands of terms, for which a sum in pairs or in blocks would differ, with a running sum over all terms."""
    rng = np.random.default_rng(2)
    weight = rng.normal(size=(outputs, 5000)).astype(DTYPES[real])
    for share in (0.01, 0.9):
        x = rng.random((1, rows, 5000)) < share
        net = Net(REALS[real], x=((5000,), i1))
        found = run(net.network(y=net.linear(net.input("x"), weight)), x=x)["y"]
        for t in (0, rows - 1):
            terms = weight[:, x[0, t]]
            assert same_bits(found[0, t], np.add.accumulate(terms, axis=1)[:, -1])


def test_blocks_of_a_large_layer_change_nothing() -> None:
    rng = np.random.default_rng(3)
    weight = rng.normal(size=(700, 900)).astype(np.float32)
    x = rng.random((2, 300, 900)) < rng.random((2, 300, 1)) * 0.1  # rows with many and with few events
    net = Net(f32, x=((900,), i1))
    network = net.network(y=net.linear(net.input("x"), weight))
    whole = run(network, x=x)["y"]
    for block in [(1, 1), (2, 7), (1, 300)]:
        assert same_bits(run(network, x=x, block=block)["y"], whole)
    assert same_bits(whole[1, 5], np.add.accumulate(weight[:, x[1, 5]], axis=1)[:, -1])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_zeros_add_nothing(share: float, real: str) -> None:
    """A zero times an infinite weight is not NaN, and a sum from zero is never -0."""
    rng = np.random.default_rng(4)
    weight = np.full((3, 20), -0.0, DTYPES[real])
    weight[1, 7] = np.inf
    weight[2, 3] = np.nan
    x = rng.random((2, 5, 20)) < share
    x[:, :, [3, 7]] = False
    net = Net(REALS[real], x=((20,), i1))
    found = run(net.network(y=net.linear(net.input("x"), weight)), x=x)["y"]
    assert same_bits(found, np.zeros((2, 5, 3), DTYPES[real]))


def test_parameters_widen_before_they_are_used() -> None:
    """Weights of float32 in a result of float64: the products are those of float64."""
    rng = np.random.default_rng(5)
    weight = rng.normal(size=(4, 6)).astype(np.float32)
    x = rng.normal(size=(1, 2, 6))
    net = Net(f64, x=((6,), f64))
    found = run(net.network(y=net.linear(net.input("x"), weight)), x=x)["y"]
    assert same_bits(found, each_row(x, lambda row: linear_loop(row, weight.astype(np.float64))))


@pytest.mark.parametrize("share", [0.1, 1.0])
def test_integers_are_exact(share: float) -> None:
    rng = np.random.default_rng(6)
    weight = rng.integers(-128, 128, (5, 50)).astype(np.int8)
    x = rng.integers(0, 32, (2, 9, 50)) * (rng.random((2, 9, 50)) < share)
    net = Net(i32, x=((50,), CountType(5)))
    found = run(net.network(y=net.linear(net.input("x"), weight)), x=x)["y"]
    assert found.dtype == np.int32
    np.testing.assert_array_equal(found, x @ weight.astype(int).T)


def test_refuses_an_integer_sum_beyond_its_type() -> None:
    net = Net(i8, x=((2,), i1))
    network = net.network(y=net.linear(net.input("x"), np.array([[100, 100]], np.int8), node="fc"))
    assert run(network, x=np.array([[[1, 0]]]))["y"] == 100
    with pytest.raises(Refused, match=r"SIM022.*\n.*\"fc\"\n.*-128\.\.127\n.*200"):
        run(network, x=np.array([[[1, 1]]]))


# ---- convolutions


CONVOLUTIONS = {
    "plain": {"weight": (4, 2, 3, 3)},
    "stride (2, 1)": {"weight": (3, 2, 3, 3), "stride": (2, 1), "padding": ((1, 1), (1, 1))},
    "stride (3, 2)": {"weight": (3, 2, 2, 3), "stride": (3, 2), "padding": ((0, 1), (2, 0))},
    "stride wider than the kernel": {"weight": (3, 2, 2, 1), "stride": (3, 2)},
    "dilation 2": {"weight": (3, 2, 3, 2), "dilation": (2, 2), "padding": ((2, 2), (1, 1))},
    "dilation (2, 3), stride (4, 3)": {
        "weight": (2, 2, 3, 3),
        "dilation": (2, 3),
        "stride": (4, 3),
        "padding": ((2, 2), (3, 3)),
    },
    "dilation 3, stride 2": {"weight": (2, 2, 3, 3), "dilation": (3, 3), "stride": (2, 2), "padding": ((3, 3), (3, 3))},
    "groups 2": {"weight": (6, 1, 3, 3), "groups": 2, "padding": ((1, 1), (1, 1))},
    "depthwise": {"weight": (2, 1, 3, 3), "groups": 2},
    "padding same, 4 x 2": {"weight": (3, 2, 4, 2), "padding": ((1, 2), (0, 1))},
    "3 x 5": {"weight": (3, 2, 3, 5), "padding": ((1, 1), (2, 2))},
    "1 x 1": {"weight": (5, 2, 1, 1)},
    "padding wider than the kernel": {"weight": (2, 2, 2, 2), "padding": ((4, 3), (0, 5))},
    "one axis": {"weight": (3, 2, 3)},
    "one axis, everything": {"weight": (4, 1, 3), "stride": (2,), "dilation": (3,), "groups": 2, "padding": ((2, 3),)},
}


WAYS = {
    "event by event": {"LEAST_SHARE": 2, "TAP_COST": 10**9},
    "tap by tap": {"LEAST_SHARE": 2, "TAP_COST": 0},
    "whole": {"LEAST_SHARE": -1, "MOST_SHARE": -1},
}
"""Constants that choose between the methods of a convolution."""


@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name: str, kind: str, real: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = dict(CONVOLUTIONS[name])
    shape = options.pop("weight")
    rank = len(shape) - 2
    rng = np.random.default_rng(7)
    weight = rng.normal(size=shape).astype(DTYPES[real])
    bias = rng.normal(size=shape[0]).astype(DTYPES[real])
    x, element = signal(rng, kind, real, (2, 7, 6)[: rank + 1])
    x = x[:2, :3]
    net = Net(REALS[real], x=(x.shape[2:], element))
    y, biased = (net.conv(net.input("x"), weight, b, **options) for b in (None, bias))
    network = net.network(y=y, biased=biased)
    moves = [options.get(key, (least,) * rank) for key, least in (("stride", 1), ("padding", (0, 0)), ("dilation", 1))]
    expected = each_row(x, lambda row: window_loop(row, weight, *moves, options.get("groups", 1)))
    for constants in WAYS.values():
        for constant, value in constants.items():
            monkeypatch.setattr(windows, constant, value)
        for block in (None, (1, 1)):
            found = run(network, x=x, block=block)
            assert same_bits(found["y"], expected)
            assert same_bits(found["biased"], expected + bias.reshape(-1, *(1,) * rank))


@pytest.mark.parametrize("share", [0.01, 0.2, 0.9])
def test_convolution_is_the_same_in_blocks(share: float) -> None:
    """All methods for a block (tap by tap, event by event, whole) compute the same bits."""
    rng = np.random.default_rng(8)
    weight = rng.normal(size=(8, 5, 3, 3)).astype(np.float32)
    x = (rng.random((2, 200, 5, 12, 9)) < share) * rng.normal(size=(2, 200, 5, 12, 9)).astype(np.float32)
    net = Net(f32, x=((5, 12, 9), f32))
    network = net.network(y=net.conv(net.input("x"), weight, stride=(2, 1), padding=((1, 0), (1, 1))))
    whole = run(network, x=x)["y"]
    for block in [(1, 1), (2, 7), (1, 200)]:
        assert same_bits(run(network, x=x, block=block)["y"], whole)


def test_convolution_skips_zeros_of_infinite_weights() -> None:
    weight = np.full((1, 1, 2, 2), np.inf, np.float32)
    x = np.zeros((1, 2, 1, 3, 3))
    x[0, 1, 0, 0, 0] = 1
    net = Net(f32, x=((1, 3, 3), f32))
    found = run(net.network(y=net.conv(net.input("x"), weight)), x=x)["y"]
    assert found.tolist() == [[[[[0, 0], [0, 0]]], [[[math.inf, 0], [0, 0]]]]]


# ---- pools


@pytest.mark.parametrize("mean", [False, True], ids=["sum", "mean"])
@pytest.mark.parametrize(
    ("kernel", "stride", "padding"),
    [((2, 2), (2, 2), ((0, 0), (0, 0))), ((3, 2), (2, 1), ((1, 0), (0, 1))), ((20, 20), (1, 1), ((9, 8), (8, 9)))],
    ids=["2 x 2", "3 x 2, padded", "more than a byte counts"],
)
def test_pool(kernel: Any, stride: Any, padding: Any, mean: bool, kind: str, real: str) -> None:
    rng = np.random.default_rng(9)
    x, element = signal(rng, kind, real, (2, 6, 6))
    x = x[:2, :2]
    net = Net(REALS[real], x=((2, 6, 6), element))
    network = net.network(y=net.pool(net.input("x"), kernel, stride, padding, mean=mean))
    ones = np.ones((2, 1, *kernel), DTYPES[real])
    expected = each_row(x, lambda row: window_loop(row, ones, stride, padding, (1, 1), 2))
    if mean:
        expected = expected / DTYPES[real](kernel[0] * kernel[1])
    for block in [None, (1, 1)]:
        assert same_bits(run(network, x=x, block=block)["y"], expected)


def test_pool_of_counts() -> None:
    rng = np.random.default_rng(10)
    x = rng.integers(0, 200, (1, 3, 1, 4, 4))
    net = Net(f32, x=((1, 4, 4), CountType(8)))
    found = run(net.network(y=net.pool(net.input("x"), (2, 2), (2, 2))), x=x)["y"]
    np.testing.assert_array_equal(found, x.reshape(1, 3, 1, 2, 2, 2, 2).sum((4, 6)))


# ---- element by element


def test_sum_goes_from_left_to_right(real: str) -> None:
    dtype = DTYPES[real]
    big = dtype(2.0 ** (30 if real == "f32" else 60))
    x = np.array([big, dtype(1), -big], dtype)
    net = Net(REALS[real], **dict.fromkeys("abc", ((1,), REALS[real])))
    a, b, c = map(net.input, "abc")
    network = net.network(y=net.sum(a, b, c), z=net.sum(a, c, b))
    found = run(network, **{name: np.full((1, 1, 1), value) for name, value in zip("abc", x, strict=True)})
    assert (found["y"].item(), found["z"].item()) == (0.0, 1.0)


def test_sum_of_spikes_and_counts_is_a_value() -> None:
    net = Net(f32, s=((3,), i1), n=((3,), CountType(4)), v=((3,), f32))
    s, n, v = map(net.input, "snv")
    given = {"s": np.array([[[1, 0, 1]]]), "n": np.array([[[5, 0, 15]]]), "v": np.array([[[0.5, 0.25, 0]]])}
    found = run(net.network(y=net.sum(s, n, v), one=net.sum(s)), **given)
    assert same_bits(found["y"], np.array([[[6.5, 0.25, 16]]], np.float32))
    assert same_bits(found["one"], np.array([[[1, 0, 1]]], np.float32))


@pytest.mark.parametrize("scale", [np.float32(0.1), np.array([0.1, -2, 3], np.float32)], ids=["scalar", "each"])
def test_scale(scale: Any) -> None:
    net = Net(f32, x=((3,), f32), s=((3,), i1))
    network = net.network(
        y=net.scale(net.input("x"), np.asarray(scale)), z=net.scale(net.input("s"), np.asarray(scale))
    )
    x, s = np.array([[[0.1, 0.2, 0.3]]], np.float32), np.array([[[1, 0, 1]]], bool)
    found = run(network, x=x, s=s)
    assert same_bits(found["y"], x * scale)
    assert same_bits(found["z"], s.astype(np.float32) * scale)


def test_reshape_keeps_the_flat_order() -> None:
    x = np.random.default_rng(11).random((2, 3, 2, 3, 4)) < 0.5
    net = Net(f32, x=((2, 3, 4), i1))
    found = run(net.network(y=net.reshape(net.input("x"), (4, 6))), x=x)["y"]
    assert same_bits(found, x.reshape(2, 3, 4, 6))


# ---- events and fast sums


def test_events_equal_their_dense_form(real: str) -> None:
    rng = np.random.default_rng(12)
    count = 40
    tick, index, sample = rng.integers(0, 9, count), rng.integers(0, 72, count), rng.integers(0, 2, count)
    value = rng.normal(size=count).astype(DTYPES[real])
    events = EventSignal(tick, index, shape=(2, 6, 6), ticks=9, sample=sample, value=value, samples=2)
    dense = np.zeros((2, 9, 72), DTYPES[real])
    np.add.at(dense, (sample, tick, index), value)
    net = Net(REALS[real], x=((2, 6, 6), REALS[real]))
    network = net.network(y=net.conv(net.input("x"), rng.normal(size=(3, 2, 3, 3)).astype(DTYPES[real])))
    for block in [None, (1, 4)]:
        found = run(network, x=events, block=block)["y"]
        assert same_bits(found, run(network, x=DenseSignal(dense.reshape(2, 9, 2, 6, 6)))["y"])


@pytest.mark.parametrize("share", [0.001, 0.5])
def test_fast_sums_are_close(share: float) -> None:
    """Two orders of a sum of n terms differ by at most 2 n u sum|terms|, with u = 2^-53 in f64; here n <= 41 and |terms| < 6."""
    rng = np.random.default_rng(13)
    x = rng.random((2, 50, 4, 10, 10)) < share
    net = Net(f64, x=((4, 10, 10), i1))
    kernel = rng.normal(size=(64, 2, 3, 5))
    y = net.conv(
        net.input("x"), kernel, rng.normal(size=64), stride=(2, 1), dilation=(1, 2), padding=((1, 2), (2, 1)), groups=2
    )
    z = net.linear(net.reshape(net.input("x"), (10, 40)), rng.normal(size=(10, 3, 40)), rng.normal(size=(10, 3)))
    network = net.network(y=y, z=z)
    exact, fast = run(network, x=x), run(network, x=x, sum_order="fast")
    bound = 2 * 41 * 2.0**-53 * 41 * 6
    for name in exact:
        assert np.abs(exact[name] - fast[name]).max() < bound


# ---- synapses by fan-in


@pytest.mark.parametrize("width", [1, 7, 40])
def test_fan_in_equals_sparse_synapses(width: int, kind: str, real: str) -> None:
    rng = np.random.default_rng(width)
    x, _ = signal(rng, kind, real, (4, 5))
    source, weight = rng.integers(0, 20, (9, width)), rng.normal(size=(9, width)).astype(DTYPES[real])
    target = np.repeat(np.arange(9), width)
    order = np.lexsort((target, source.reshape(-1)))
    given = "i1" if kind.endswith("spikes") else real
    arrays = {
        "weight": weight,
        "source": source,
        "flat": weight.reshape(-1)[order],
        "from": source.reshape(-1)[order],
        "to": target[order],
    }
    text = {
        name: f'#nopt.array<"0x{array.tobytes().hex()}" : tensor<{"x".join(map(str, array.shape))}x'
        f"{real if array.dtype.kind == 'f' else 'i64'}>>"
        for name, array in arrays.items()
    }
    module = nopt.parse(
        f"""ntensor.network @n("x" %x: tensor<4x5x{given}>) -> ("a": tensor<9x{real}>, "b": tensor<9x{real}>)
            attributes {{tick_ns = 1000}} {{
          %a = ntensor.fan_in_linear "by" %x {{weight = {text["weight"]}, source = {text["source"]}}}
            : tensor<4x5x{given}> -> tensor<9x{real}>
          %b = ntensor.sparse_linear "each" %x {{weight = {text["flat"]}, source = {text["from"]}, target = {text["to"]}}}
            : tensor<4x5x{given}> -> tensor<9x{real}>
          ntensor.output %a, %b : tensor<9x{real}>, tensor<9x{real}>
        }}"""
    )
    found = nopt.run(module, x, engine="numpy")
    assert found["a"].tobytes() == found["b"].tobytes()

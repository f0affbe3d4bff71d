"""Max pools, transposed convolutions and upsampling in C: the bits of the reference, in reals and integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from map_layers import FACTORS, POOLS, TRANSPOSED, max_pool, transposed, upsampled
from nets import Net, same_bits
from programs import needs_compiler
from xdsl.dialects.builtin import f32, f64, i1, i8, i32

from nopt.dialects.ntensor import CountType, NetworkOp
from nopt.simulation.signals import DenseSignal
from nopt.targets.c.model import NativeModel
from nopt.targets.reference.model import ReferenceModel

pytestmark = needs_compiler
SHAPE = (2, 5, 4)
KINDS = {"spikes": i1, "counts": CountType(4), "reals": f64, "integers": i8}


def input_of(kind: str) -> np.ndarray:
    rng = np.random.default_rng(1)
    events = rng.random((2, 4, *SHAPE)) < 0.4
    match kind:
        case "spikes":
            return events
        case "counts":
            return events * rng.integers(1, 9, events.shape)
        case "integers":
            return rng.integers(-128, 128, events.shape)
        case _:
            return events * rng.normal(size=events.shape)


def require_same(network: NetworkOp, x: np.ndarray) -> None:
    signals: dict[str, Any] = {"x": DenseSignal(x)}
    wanted, found = (kind(network).run(signals) for kind in (ReferenceModel, NativeModel))
    assert all(same_bits(wanted[name], found[name]) for name in wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_max_pools(kind: str) -> None:
    net = Net(f64, x=(SHAPE, KINDS[kind]))
    outputs = {f"y{k}": max_pool(net, net.input("x"), *pool) for k, pool in enumerate(POOLS.values())}
    require_same(net.network(**outputs), input_of(kind))


def test_a_max_pool_keeps_nan() -> None:
    x = np.random.default_rng(2).normal(size=(1, 3, *SHAPE))
    net = Net(f64, x=(SHAPE, f64))
    scale = np.ones(SHAPE)
    scale[0, 0, 1] = scale[1, 1, 0] = np.inf  # inf - inf is NaN
    sums = net.sum(net.scale(net.input("x"), scale), net.scale(net.input("x"), -scale))
    network = net.network(y=max_pool(net, sums, *POOLS["2 x 2"]))
    signals: dict[str, Any] = {"x": DenseSignal(x)}
    wanted, found = (kind(network).run(signals)["y"] for kind in (ReferenceModel, NativeModel))
    np.testing.assert_array_equal(wanted, found)
    assert np.isnan(found).sum() == 6


@pytest.mark.parametrize("kind", KINDS)
def test_transposed_convolutions(kind: str) -> None:
    rng = np.random.default_rng(3)
    is_whole = kind == "integers"
    net = Net(i32 if is_whole else f32 if kind == "spikes" else f64, x=(SHAPE, KINDS[kind]))
    outputs: dict[str, Any] = {}
    for k, given in enumerate(TRANSPOSED.values()):
        options = dict(given)
        shape = options.pop("weight")
        weight = rng.integers(-100, 100, shape).astype(np.int8) if is_whole else rng.normal(size=shape)
        dtype = np.int8 if is_whole else np.float32
        bias = rng.integers(-9, 9, shape[0]).astype(dtype)
        outputs[f"y{k}"] = transposed(net, net.input("x"), weight.astype(dtype), bias, **options)
    require_same(net.network(**outputs), input_of(kind))


@pytest.mark.parametrize("kind", KINDS)
def test_upsampling(kind: str) -> None:
    net = Net(i32 if kind == "integers" else f64, x=(SHAPE, KINDS[kind]))
    outputs = {f"y{k}": upsampled(net, net.input("x"), factor) for k, factor in enumerate(FACTORS)}
    require_same(net.network(**outputs), input_of(kind))

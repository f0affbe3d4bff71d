"""Max pools as populations: the outputs of the network with max pools, in every tick, with the neurons of each device that has some."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from map_layers import POOLS, max_pool, max_pool_loop
from nets import Net, run
from xdsl.dialects.builtin import ModuleOp, f64, i1

from nopt.core import registry
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.ir.context import NoptContext
from nopt.core.ir.pipeline import parse_pipeline
from nopt.core.ir.source import check_module
from nopt.dialects.ntensor import MaxPool2dOp, NetworkOp
from nopt.passes.legalize.relays._helper_neurons import relay_of, serves

SHAPE = (2, 6, 5)
DEVICES = (
    "asic/edge",
    "asic/mesh",
    "loihi2/loihi1",
    "loihi2/programmable",
    "neurogrid/board",
    "spinnaker/spinn5",
    "spinnaker2/chip",
    "truenorth/ns1e",
    "truenorth/ranc",
)
"""Devices with a neuron that several spikes let fire once."""


def transformed(network: NetworkOp, text: str) -> NetworkOp:
    """Returns a network after passes, which change its module."""
    module = network.parent_op()
    assert isinstance(module, ModuleOp)
    ctx = NoptContext(diagnostics=Diagnostics())
    for step in parse_pipeline(text, registry.passes()):
        step.apply(ctx, module)
    check_module(module)
    return next(op for op in module.ops if isinstance(op, NetworkOp))


def pooled(name: str) -> NetworkOp:
    net = Net(f64, x=(SHAPE, i1))
    return net.network(y=max_pool(net, net.input("x"), *POOLS[name]))


def spikes(share: float) -> np.ndarray:
    return np.random.default_rng(1).random((3, 20, *SHAPE)) < share


@pytest.mark.parametrize("share", [0.05, 0.5])
@pytest.mark.parametrize("name", POOLS)
def test_a_population_is_a_max_pool(name: str, share: float) -> None:
    x = spikes(share)
    network = transformed(pooled(name), "ntensor-lower-max-pools")
    assert not any(isinstance(op, MaxPool2dOp) for op in network.body.block.ops)
    expected = np.array([[max_pool_loop(row, *POOLS[name]) for row in sample] for sample in x])
    np.testing.assert_array_equal(run(network, x=x)["y"], expected)


@pytest.mark.parametrize("key", DEVICES)
def test_neurons_of_devices_are_max_pools(key: str) -> None:
    x = spikes(0.3)
    for name, pool in POOLS.items():
        network = transformed(pooled(name), f'ntensor-lower-max-pools,ntensor-map-relays{{device="{key}"}}')
        updates = [op.update_name for op in network.populations]
        assert not any(update.startswith("relay") for update in updates), updates
        expected = np.array([[max_pool_loop(row, *pool) for row in sample] for sample in x])
        np.testing.assert_array_equal(run(network, x=x)["y"], expected)


@pytest.mark.parametrize("key", ["xylo/audio2", "dynapcnn/speck2f"])
def test_neurons_that_fire_for_each_spike_are_no_max_pools(key: str) -> None:
    device = resolve_device(key)
    assert not serves(device, "spikes", 1e-3, events=4)
    assert relay_of(device, 1e-3, 4) is None


def test_moved_max_pools_keep_windows_with_one_active_neuron() -> None:
    """Where one neuron of each window has all of the input, the order of pool and population is the same."""
    from nopt.core.neuron.neuron import parse_neurons
    from nopt.dialects.equations.build import build_update

    text = "neuron sum\nparam th\nstate v = 0\ninput x\nv = v + x\nz = v > th\nv = 0 if z else v\nemit spike z\n"
    update = build_update(parse_neurons(text).neurons[0], options={}, precision=f64)
    rng = np.random.default_rng(2)
    x: np.ndarray[Any, Any] = np.zeros((2, 30, 1, 4, 4))
    x[..., ::2, ::2] = rng.random((2, 30, 1, 2, 2))
    outputs: list[np.ndarray] = []
    for text in ("", "ntensor-move-max-pools"):
        net = Net(f64, x=((1, 4, 4), f64))
        pooled = max_pool(net, net.input("x"), *POOLS["2 x 2"])
        th = np.array([[[0.5, 1.0], [1.5, 2.0]]])
        network = net.network(y=net.neuron("sum", update.clone(), [pooled], i1, {"th": th}, {"v": np.zeros(())}))
        outputs.append(run(transformed(network, text) if text else network, x=x)["y"])
    np.testing.assert_array_equal(*outputs)
    assert outputs[0].any()

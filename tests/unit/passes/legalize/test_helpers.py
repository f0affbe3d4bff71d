"""Relays and delayed biases as neurons of a device: mapped networks compute the same results after their latency."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp, f64

import nopt.api as nopt
from nopt.analysis.latency import output_latencies
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.core.neuron.neuron import parse_neurons
from nopt.dialects import ntensor
from nopt.dialects.equations.build import build_update
from nopt.passes.legalize.relays._helper_neurons import Relay, is_proven, relay_of

TICKS = 60


def network(sizes: tuple[int, int, int], ticks: int) -> ModuleOp:
    """Returns two layers with biases, and a delay between them."""
    rng = np.random.default_rng(sum(sizes) + ticks)
    a, b, c = sizes

    def f32(values: object) -> np.ndarray:
        return np.asarray(values, np.float32)

    def lif(n: int) -> nir.LIF:
        zero, one = f32(np.zeros(n)), f32(np.ones(n))
        return nir.LIF(tau=one / 50, r=one, v_leak=zero, v_threshold=one / 8, v_reset=zero)

    def affine(m: int, n: int) -> nir.Affine:
        return nir.Affine(weight=f32(rng.normal(0, 1, (m, n))), bias=f32(rng.normal(0.2, 0.2, m)))

    nodes = {"in": nir.Input({"input": np.array([a])}), "fc1": affine(b, a), "lif1": lif(b)}
    nodes |= {"d": nir.Delay(delay=f32(np.full(b, ticks * 1e-3)))} if ticks else {}
    nodes |= {"fc2": affine(c, b), "lif2": lif(c), "out": nir.Output({"output": np.array([c])})}
    module = nopt.from_nir(nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes))), diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    return module


NETWORKS = {
    "layers": ((64, 100, 10), 0),
    "delay 3": ((16, 12, 5), 3),
    "delay 12": ((16, 12, 5), 12),
    "wide": ((200, 20, 5), 0),
}


@pytest.fixture
def skeleton(tmp_path: Path) -> str:
    """Returns a new device whose delays are one tick, so that relays serve longer ones."""
    file = nopt.new_device("chip", tmp_path)[0]
    record = json.loads(file.read_text(encoding="utf-8"))
    record["synapse"]["delay"]["max"]["value"] = 1
    record["fallbacks"]["delay"]["passes"] = "ntensor-relay-delays{max-delay=1}"
    file.write_text(json.dumps(record), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("device", ["asic/edge", "skeleton"])
def test_added_populations_are_neurons_of_the_device(device: str, name: str, skeleton: str) -> None:
    key = skeleton if device == "skeleton" else device
    before = network(*NETWORKS[name])
    after = before.clone()
    left = "delay,latency,fan_out"
    nopt.apply(before, f'ntensor-legalize{{device="{key}" keep={left}}}', diagnostics=Diagnostics())
    nopt.apply(after, f'ntensor-legalize{{device="{key}"}}', diagnostics=Diagnostics())
    found = next(op for op in after.ops if isinstance(op, ntensor.NetworkOp))
    own = resolve_device(key).neuron
    assert own is not None
    populations = [op for op in found.body.block.ops if isinstance(op, ntensor.NeuronOp)]
    assert len(populations) > 2
    assert {op.update.root_reference.data.split(".")[0] for op in populations} <= own.updates.keys()
    lag = output_latencies(found)["out"]
    x = (np.random.default_rng(1).random((TICKS, NETWORKS[name][0][0])) < 0.3).astype(np.float32)
    longer = np.concatenate([x, np.zeros((lag, x.shape[1]), np.float32)])
    old = nopt.run(before, x, engine="numpy", diagnostics=Diagnostics())["out"]
    new = nopt.run(after, longer, engine="numpy", diagnostics=Diagnostics())["out"]
    assert old.any()
    np.testing.assert_array_equal(new[lag:], old)
    nopt.apply(
        after, "convert-ntensor-to-machine,machine-place-vertices,machine-route-edges", diagnostics=Diagnostics()
    )
    np.testing.assert_array_equal(nopt.run(after, longer, engine="numpy", diagnostics=Diagnostics())["out"], new)


RULES = {
    "fires once a spike": ("v = x", "0", True),
    "rests for a tick": ("v = x if wait == 0 else 0", "1 if v > 0 else 0", False),
    "fires by itself in the third tick": ("v = x if wait < 2 else 1", "min(wait + 1, 3)", False),
    "counts on for ever": ("v = x if wait < 1000 else 0", "wait + 1", False),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_relay_is_proven_over_all_states(rule: str) -> None:
    v, wait, is_relay = RULES[rule]
    lines = ["neuron n", "state v: s8 = 0, wait: u12 saturate = 0", "input x: s8 saturate", v]
    text = "\n".join([*lines, "z = v > 0", f"wait = {wait}", "emit spike z"])
    update = build_update(parse_neurons(text).neurons[0], options={}, precision=f64)
    zero = np.asarray(0)
    assert is_proven(Relay(update, {}, {"v": zero, "wait": zero}, 1, False)) is is_relay


def test_shipped_devices_serve_what_their_fallbacks_add() -> None:
    for key in ("asic/edge", "asic/mesh"):
        assert relay_of(resolve_device(key), 1e-3) is not None
        assert not [finding for finding in nopt.check_device(key).findings if finding.code.id == "DEV012"]

"""The observations of a calibration equal those of a run, for any partition of the run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from extent import seeds
from integer_networks import integer_network
from xdsl.dialects.builtin import DictionaryAttr, ModuleOp

import nopt.api as nopt
from nopt.dialects import ntensor
from nopt.passes.quantize.signals import ntensor_calibrate

CONVERSION = "convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}"


@pytest.fixture
def bars(root: Path) -> ModuleOp:
    """Returns convolution, neurons that fire several times a tick, a pool, a vote."""
    return nopt.apply(nopt.read(root / "examples" / "bars" / "bars.nir"), CONVERSION)


def entries(module: ModuleOp) -> dict[str, dict[str, Any]]:
    """Returns observations by node; those of the network have the empty name."""
    found: dict[str, dict[str, Any]] = {}
    for op in module.walk():
        seen = op.attributes.get("ntensor.observed")
        if isinstance(seen, DictionaryAttr):
            node = op.properties.get("node")
            found[getattr(node, "data", "")] = dict(seen.data)
    return found


def calibrated(module: ModuleOp, data: Path, **options: int) -> dict[str, dict[str, Any]]:
    text = " ".join(f"{name}={value}" for name, value in options.items())
    return entries(nopt.apply(module, f'ntensor-calibrate{{data="{data}" {text}}}'))


def test_observations_are_those_of_a_run(bars: ModuleOp, root: Path) -> None:
    data = root / "examples" / "bars" / "input.npy"
    found = calibrated(bars, data)
    network = next(op for op in bars.ops if isinstance(op, ntensor.NetworkOp))
    neurons = [op for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)]
    synapses = [op for op in network.body.block.ops if isinstance(op, ntensor.SynapseOpInterface)]
    assert neurons
    assert synapses
    given = nopt.run(bars, data, record=[op.node.data for op in (*neurons, *synapses)])
    for op in synapses:
        y = given[op.node.data]
        assert found[op.node.data]["y"].values.tolist() == [y.min(), y.max()]
    for op in neurons:
        z = given[op.node.data]
        assert isinstance(op.z.type.get_element_type(), ntensor.CountType)
        assert found[op.node.data]["rate"].value.data == z.sum() / z.size
    x = np.load(data)
    seen = found[""]["inputs"].data["input"].data
    assert seen["range"].values.tolist() == [x.min(), x.max()]
    assert seen["density"].value.data == np.count_nonzero(x) / x.size
    assert seen["integral"].value.data


def test_a_state_is_seen_wherever_it_is_assigned(root: Path) -> None:
    """v is above the threshold before the reset, and below it after the reset, when records read it."""
    data = root / "examples" / "rhythm" / "input.npy"
    module = nopt.apply(
        nopt.read(root / "examples" / "rhythm" / "rhythm.nir"), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    )
    found = calibrated(module, data)
    neurons = [op for op in module.walk() if isinstance(op, ntensor.NeuronOp)]
    given = nopt.run(module, data, record=[f"{op.node.data}.{state}" for op in neurons for state in ("v", "i")])
    for op in neurons:
        name = op.node.data
        lowest, highest = found[name]["v"].values
        assert op.canonical is not None
        threshold = dict(op.arrays(op.canonical))["threshold"].values.max()
        assert lowest <= given[f"{name}.v"].min()
        assert given[f"{name}.v"].max() <= threshold < highest
        i = given[f"{name}.i"]
        assert found[name]["i"].values.tolist() == [min(i.min(), 0.0), max(i.max(), 0.0)]


def test_means_are_those_of_a_run(root: Path, tmp_path: Path) -> None:
    """The mean of a result is that of its weights and of the means of its operand, plus the bias."""
    data = tmp_path / "x.npy"
    np.save(data, np.random.default_rng(0).random((3, 40, 64)) < 0.2)
    network = nopt.read(root / "examples" / "digits" / "fc.nir")
    module = nopt.apply(network, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    found = calibrated(module, data)
    synapses = [op for op in module.walk() if isinstance(op, ntensor.SynapseOpInterface)]
    given = nopt.run(module, data, record=[op.node.data for op in synapses])
    assert synapses
    for op in synapses:
        means = found[op.node.data]["means"].data
        np.testing.assert_allclose(means["y"].values, given[op.node.data].mean(axis=(0, 1)), rtol=1e-9)
        bias = op.optional_array("bias")
        assert bias is not None
        sums = (op.weight_values().values * op.operand_means(means["x"].values)).sum(axis=-1)
        np.testing.assert_allclose(sums + bias.values, means["y"].values, rtol=1e-6, atol=1e-6)


def test_pieces_change_nothing(bars: ModuleOp, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples one by one, and records in groups of one."""
    data = root / "examples" / "bars" / "input.npy"
    whole = calibrated(bars, data)
    monkeypatch.setattr(ntensor_calibrate, "ROOM_BYTES", 1)
    assert calibrated(bars, data) == whole


def test_the_network_stays(bars: ModuleOp, root: Path) -> None:
    """Only observations are added, and those of an earlier calibration replaced."""
    data = root / "examples" / "bars" / "input.npy"
    before = nopt.write(bars)
    calibrated(bars, data, samples=1)
    first = nopt.write(bars)
    calibrated(bars, data)
    assert nopt.write(bars) != first
    calibrated(bars, data, samples=1)
    assert nopt.write(bars) == first
    for op in bars.walk():
        op.attributes.pop("ntensor.observed", None)
    assert nopt.write(bars) == before


@pytest.mark.parametrize("seed", seeds(3))
def test_integer_networks_too(seed: int, tmp_path: Path) -> None:
    """Also where inputs accumulate event by event, and records differ from the state of the same name."""
    case = integer_network(seed)
    np.savez(tmp_path / "x.npz", **case.inputs)
    given = nopt.run(case.module, tmp_path / "x.npz", record=case.record)
    found = calibrated(case.module, tmp_path / "x.npz")
    updates = {op.sym_name.data: op for op in case.module.ops if isinstance(op, ntensor.UpdateOp)}
    for op in case.network.body.block.ops:
        if not isinstance(op, ntensor.NeuronOp):
            continue
        seen, update = found[op.node.data], updates[op.update.root_reference.data]
        inputs = [name.data for name in update.inputs]
        assert set(inputs) <= set(seen)
        assert set(seen) - {"rate", "neurons"} == {*update.state_types, *inputs}
        for state in update.state_types:
            lowest, highest = seen["neurons"].data[state].values
            assert seen[state].values.tolist() == [lowest.min(), highest.max()]
            assert lowest.shape == op.z.type.get_shape()
        for state in set(update.state_types) - {name.data for name in update.records}:
            lowest, highest = seen[state].values
            values = given[f"{op.node.data}.{state}"]
            assert lowest <= values.min()
            assert values.max() <= highest

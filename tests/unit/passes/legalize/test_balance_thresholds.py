"""Balanced thresholds of converted networks: factors of the literature, decisions of the trained network, and calibrations, chips and outputs after them."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import nir
import numpy as np
import pytest
from converted_networks import activations, constant_input, dense_network, map_network, random_layers
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.calibration_records import kept_samples, places_to_fit
from nopt.analysis.output_units import count_unit
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

SIZES, GAIN = (12, 20, 15, 6), 3.0
RULES = [("norse", "subtract"), ("norse", "value"), ("snntorch", "subtract"), ("sinabs", "subtract")]


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))


def balanced(file: Path, x: np.ndarray, options: str = "", like: str = "norse", reset: str = "subtract") -> ModuleOp:
    """Returns a network in ticks, balanced with samples that it keeps."""
    np.save(file.with_suffix(".npy"), x)
    steps = (
        f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}}",
        f'ntensor-calibrate{{data="{file.with_suffix(".npy")}" keep={len(x)}}}',
        f"ntensor-balance-thresholds{options}",
    )
    return nopt.apply(nopt.read(file), ",".join(steps), diagnostics=Diagnostics())


def thresholds(module: ModuleOp) -> dict[str, np.ndarray]:
    return {op.node.data: dict(op.arrays(op.params))["v_threshold"].values for op in network_of(module).populations}


@pytest.mark.parametrize("percentile", [100, 99.9, 90])
def test_factors_are_percentiles_of_the_activations(percentile: float, tmp_path: Path) -> None:
    """The samples of the fit choose. Activations are those of the trained network in NumPy, without a rounding to spikes."""
    layers = random_layers(0, SIZES, GAIN)
    x = np.random.default_rng(1).random((40, SIZES[0]))
    file = dense_network(layers, tmp_path / "net.nir")
    wanted = [np.percentile(a, percentile) for a in activations(layers, x[places_to_fit(len(x))])]
    found = thresholds(balanced(file, constant_input(x, 64), f"{{percentile={percentile}}}"))
    np.testing.assert_allclose(list(found.values()), wanted, rtol=1e-12)


def test_factors_of_channels(tmp_path: Path) -> None:
    """Each neuron of a dense layer has the percentile of its own activations; a silent neuron has that of the layer, and the last layer one factor."""
    layers = random_layers(1, SIZES, GAIN)
    layers[0][1][3] = -100.0
    x = np.random.default_rng(2).random((40, SIZES[0]))
    file = dense_network(layers, tmp_path / "net.nir")
    module = balanced(file, constant_input(x, 64), "{per=channel percentile=100}")
    first, second, last = activations(layers, x[places_to_fit(len(x))])
    found = thresholds(module)
    wanted = np.where(first.max(0) > 0, first.max(0), first.max())
    assert wanted[3] == first.max()
    np.testing.assert_allclose(found["if1"], wanted, rtol=1e-12)
    assert found["if2"].shape == (SIZES[2],)
    np.testing.assert_allclose(found["if3"], last.max(), rtol=1e-12)
    weights = {op.node.data: op.weights.values for op in network_of(module).walk() if isinstance(op, ntensor.LinearOp)}
    np.testing.assert_allclose(weights["fc2"], layers[1][0] * wanted, rtol=1e-12)
    assert second.shape == (20, SIZES[2])


@pytest.mark.parametrize(("like", "reset"), RULES)
@pytest.mark.parametrize("options", ["", "{by=error}", "{per=channel}", "{shift=half}"])
def test_rates_stand_for_activations(like: str, reset: str, options: str, tmp_path: Path) -> None:
    """Samples that no balance has seen."""
    layers = random_layers(2, SIZES, GAIN)
    x = np.random.default_rng(3).random((80, SIZES[0]))
    file = dense_network(layers, tmp_path / "net.nir")
    module = balanced(file, constant_input(x[:40], 100), options, like, reset)
    plain = nopt.apply(nopt.read(file), f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}}")
    wanted = activations(layers, x[40:])[-1]
    errors = []
    for one in (plain, module):
        unit = count_unit(list(network_of(one).populations)[-1])
        rates = np.asarray(nopt.run(one, constant_input(x[40:], 100), diagnostics=Diagnostics())["output"]).mean(1)
        errors.append(np.linalg.norm(unit * rates - wanted) / np.linalg.norm(wanted))
    if like == "sinabs":  # its neurons spike several times in a tick, and saturate nowhere
        assert errors[1] <= 1.1 * errors[0]
    else:
        assert errors[1] < (0.3 if reset == "subtract" else 0.7) * errors[0], errors


@pytest.mark.parametrize("pool", [nir.SumPool2d, nir.AvgPool2d])
def test_factors_pass_pools_delays_and_reshapes(pool: type[nir.NIRNode], tmp_path: Path) -> None:
    """Factors of channels are folded into the weights after pools: no op is added, and the output without neurons keeps its unit."""
    file = map_network(0, pool, 1.0, tmp_path / "net.nir")
    x = constant_input(np.random.default_rng(4).random((30, 2, 6, 6)), 100)
    plain = nopt.apply(nopt.read(file), "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}")
    found = {}
    for options in ("", "{per=channel}"):
        module = balanced(file, x, options)
        assert [op.name for op in network_of(module).body.block.ops] == [
            op.name for op in network_of(plain).body.block.ops
        ]
        found[options] = np.asarray(nopt.run(module, x, diagnostics=Diagnostics())["output"]).mean(1)
    distance = np.linalg.norm(found[""] - found["{per=channel}"]) / np.linalg.norm(found[""])
    assert distance < 0.1, distance
    saturated = np.asarray(nopt.run(plain, x, diagnostics=Diagnostics())["output"]).mean(1)
    assert np.linalg.norm(found[""] - saturated) > 0.3 * np.linalg.norm(found[""])


def test_calibrations_are_observed_again(tmp_path: Path) -> None:
    layers = random_layers(3, SIZES, GAIN)
    x = constant_input(np.random.default_rng(5).random((10, SIZES[0])), 50)
    file = dense_network(layers, tmp_path / "net.nir")
    module = balanced(file, x)
    again = module.clone()
    for op in again.walk():
        op.attributes.pop("ntensor.observed", None)
    nopt.apply(again, f'ntensor-calibrate{{data="{file.with_suffix(".npy")}" keep=10}}', diagnostics=Diagnostics())
    assert kept_samples(network_of(module)).keys() == {"input"}
    assert str(again) == str(module)


@pytest.mark.parametrize("ticks", [32, 64, 128])
@pytest.mark.parametrize("reset", ["subtract", "value"])
def test_digits_are_classified_as_by_the_trained_network(
    demo: ModuleType, root: Path, tmp_path: Path, reset: str, ticks: int
) -> None:
    """Calibrated with training samples, judged with the test samples. The converted network decides 82 and 94 % as it was trained, by its reset."""
    file = root / "examples" / "digits" / "relu.nir"
    trained = np.load(file.with_suffix(".npz"))["classes"]
    spikes, labels = demo.encoder.digits(is_test=True)
    x = constant_input(spikes.mean(1), ticks).astype(np.float32)
    given = constant_input(demo.encoder.digits(is_test=False)[0][:128].mean(1), ticks).astype(np.float32)
    copy = tmp_path / "relu.nir"
    copy.write_bytes(file.read_bytes())
    modules = {
        "converted": nopt.apply(nopt.read(file), f"convert-nir-to-ntensor{{dt-ns=1000000 like=norse reset={reset}}}"),
        **{per: balanced(copy, given, f"{{per={per}}}", reset=reset) for per in ("layer", "channel")},
    }
    alike, right = {}, {}
    for name, module in modules.items():
        counts = nopt.run(module, x, diagnostics=Diagnostics())["output"].sum(1)
        alike[name] = float((counts.argmax(1) == trained).mean())
        right[name] = float((counts.argmax(1) == labels).mean())
    assert (trained == labels).mean() > 0.96
    if reset == "subtract":
        assert alike["converted"] < 0.85
        assert min(alike["layer"], alike["channel"]) > 0.98, alike
        assert min(right["layer"], right["channel"]) > 0.96, right
    else:  # a reset to a value forgets the rest of the potential
        assert alike["converted"] <= alike["channel"] < alike["layer"], alike
        assert right["layer"] > right["converted"] + 0.02, right

"""Populations keep their rates on analogue chips by the fit of thresholds: chains, loops, and inhibition, on the samples that the network keeps and on others."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import pytest
from rate_networks import lif, rate_network
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.calibration_records import places_to_judge
from nopt.api.options import Choices
from nopt.core import registry
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.legalize._held_out_loss import HeldOutLoss

FITTED = (
    "ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=8 per=population},"
    "ntensor-set-neuron-model{to=dynapse/se2 neuron=dynapse approximate=decay,current,reset,refractory,initial},"
    "ntensor-fit-rates"
)
NEURONS = (
    ("norse", "value", None),
    ("norse", "subtract", None),
    ("snntorch", "subtract", None),
    ("nengo", "value", "bound=zero"),  # programmable neurons have every reset, and no such bound
)
"""Presets, resets and options of neurons; a device fits the first ones that it does not have."""
LEAST_HZ = 5.0
NEAR = 0.3
"""Largest difference of a rate, relative to it."""


def devices() -> list[str]:
    """Returns the devices that fit rates."""
    found = [resolve_device(f"{target}/{name}") for target, names in registry.devices().items() for name in names]
    return [device.key for device in found if "rates" in device.fallbacks]


@pytest.mark.parametrize("device", devices())
@pytest.mark.parametrize("seed", range(2))
def test_populations_keep_their_rates(device: str, seed: int, tmp_path: Path) -> None:
    file = rate_network(seed, tmp_path / "net.nir")
    x = np.random.default_rng([42, seed]).random((16, 200, 8)) < 0.15
    for like, reset, options in NEURONS:
        choices: Choices = {"dt": "1ms", "like": like, "reset": reset, "options": options}
        out = tmp_path / f"{like}-{reset}"
        build = nopt.compile(str(file), target=device, approximate="all", calib=x[:8], out=out, **choices)
        if build.report["fit"]["approximations"]:  # otherwise the device has these neurons, and fits no rates
            break
    else:
        pytest.fail(f"{device} needs no approximation")
    before, after = nopt.run(str(file), x, **choices), nopt.run(str(out), x)
    rates = {name: (before[name].mean() * 1000, after[name].mean() * 1000) for name in before}
    assert max(wanted for wanted, _ in rates.values()) > LEAST_HZ
    for wanted, found in rates.values():
        assert wanted < LEAST_HZ or abs(found - wanted) <= NEAR * wanted, rates


@pytest.mark.parametrize("seed", range(2))
def test_the_record_has_the_differences_of_rates(seed: int, tmp_path: Path) -> None:
    x = np.random.default_rng([42, seed]).random((4, 200, 8)) < 0.15
    np.save(tmp_path / "x.npy", x)
    reals = nopt.apply(
        nopt.read(rate_network(seed, tmp_path / "net.nir")), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}"
    )
    steps = f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep={len(x)}}},{FITTED}'
    fitted = nopt.apply(reals.clone(), steps, diagnostics=Diagnostics())
    record = next(op for op in fitted.ops if isinstance(op, ntensor.NetworkOp)).approximations.data[-1]
    assert record.step.data == "ntensor-fit-rates"
    names = [node.data for node in record.touched]
    before, after = (nopt.run(one, x, record=names, engine="numpy") for one in (reals, fitted))
    rates = [[np.asarray(run[name]).mean((0, 1)) for name in names] for run in (before, after)]
    errors = np.abs(np.concatenate(rates[1]) - np.concatenate(rates[0]))
    assert record.unit.data == "spikes per tick"
    assert errors.max() == pytest.approx(record.largest.value.data)
    assert errors.mean() == pytest.approx(record.mean.value.data)


@pytest.mark.parametrize("seed", range(5, 9))
def test_a_fit_for_counts_loses_nothing_on_other_samples(seed: int, tmp_path: Path) -> None:
    """A reset to zero loses what a reset by subtraction keeps: with equal mean rates the counts of neurons can differ more, and their order."""
    rng, x = np.random.default_rng(seed), np.random.default_rng(48).random((8, 100, 4)) < 0.4
    np.save(tmp_path / "x.npy", x)
    nodes = {
        "in": nir.Input({"input": np.array([4])}),
        "a": nir.Linear(rng.normal(0.2, 1, (8, 4))),
        "n1": lif(8),
        "b": nir.Linear(rng.normal(-0.1, 1.5, (3, 8))),
        "n2": lif(3),
        "out": nir.Output({"output": np.array([3])}),
    }
    for name in ("n1", "n2"):  # a tick of 1 ms adds the weights as they are
        nodes[name].tau, nodes[name].r = nodes[name].tau / 2, 10 * nodes[name].r
    module = nopt.from_nir(nir.NIRGraph(nodes, list(pairwise(nodes))), diagnostics=Diagnostics())
    steps = "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract}"
    reals = nopt.apply(module, steps, diagnostics=Diagnostics())
    replaced = (
        f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=8}},ntensor-quantize-inputs{{kind=spike}},'
        "ntensor-quantize-weights{bits=8 per=population},"
        "ntensor-set-neuron-model{to=loihi2/loihi1 neuron=loihi approximate=reset,threshold,comparison}"
    )
    fits = ("", ",ntensor-fit-rates{goal=counts}")
    networks = [nopt.apply(reals.clone(), replaced + fit, diagnostics=Diagnostics()) for fit in fits]
    loss = held_out_loss(networks[0])
    before, after = (loss(network_of(one)) for one in networks)
    assert after <= before
    wanted, *counts = (nopt.run(one, x, engine="numpy")["out"].sum(1).astype(int) for one in (reals, *networks))
    judged = places_to_judge(len(x))
    for found, value in zip(
        counts, (before, after), strict=True
    ):  # decisions of all samples, and counts of those that no fit has seen
        most = wanted.max(1)
        regret = (most - wanted[np.arange(8), found.argmax(1)] * found.any(1)) / most
        error = np.abs(found - wanted)[judged].sum() / wanted[judged].sum()
        assert value == pytest.approx(3 * (regret**2).mean() + error)


def held_out_loss(module: ModuleOp) -> HeldOutLoss:
    loss = HeldOutLoss.of(network_of(module))
    assert loss is not None
    return loss


def network_of(module: ModuleOp) -> ntensor.NetworkOp:
    return next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))

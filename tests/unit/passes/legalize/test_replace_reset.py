"""Resets to the mean result of a subtraction keep the counts of neurons on devices that do not subtract, and the record has what the network in reals shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network

import nopt.api as nopt
from nopt.analysis.calibration_records import places_to_fit
from nopt.api.options import Choices
from nopt.core import registry
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

RULES = [("norse", "subtract"), ("snntorch", "subtract_next")]


def devices() -> list[str]:
    """Returns the devices that replace resets."""
    found = [resolve_device(f"{target}/{name}") for target, names in registry.devices().items() for name in names]
    return [device.key for device in found if "resets" in device.fallbacks]


@pytest.mark.parametrize("device", devices())
@pytest.mark.parametrize(("like", "reset"), RULES)
def test_counts_are_kept(device: str, like: str, reset: str, tmp_path: Path) -> None:
    """The first population fires often. With a reset to zero its counts are wrong by half; samples 4 and later were not seen by the calibration."""
    file = rate_network(0, tmp_path / "net.nir")
    x = np.random.default_rng(44).random((12, 200, 8)) < 0.4
    choices: Choices = {"dt": "1ms", "like": like, "reset": reset}
    wanted = nopt.run(str(file), x, **choices)
    errors = []
    for calibration in ({}, {"calib": x[:4]}):
        nopt.compile(str(file), target=device, approximate="all", out=tmp_path / "build", **calibration, **choices)
        found = nopt.run(str(tmp_path / "build"), x)
        parts = [
            (np.asarray(wanted[name]).sum(1).astype(int), np.asarray(found[name]).sum(1).astype(int)) for name in wanted
        ]
        errors.append(sum(np.abs(a - b).sum() for a, b in parts) / sum(a.sum() for a, _ in parts))
    assert errors[1] < 0.6 * errors[0], errors


@pytest.mark.parametrize(("like", "reset"), RULES)
def test_the_record_has_the_differences_of_counts(like: str, reset: str, tmp_path: Path) -> None:
    x = np.random.default_rng(45).random((4, 200, 8)) < 0.4
    np.save(tmp_path / "x.npy", x)
    ticks = f"convert-nir-to-ntensor{{dt-ns=1000000 like={like} reset={reset}}}"
    reals = nopt.apply(nopt.read(rate_network(0, tmp_path / "net.nir")), ticks)
    steps = f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep={len(x)}}},ntensor-replace-reset'
    fitted = nopt.apply(reals.clone(), steps, diagnostics=Diagnostics())
    network = next(op for op in fitted.ops if isinstance(op, ntensor.NetworkOp))
    record = network.approximations.data[-1]
    names = [node.data for node in record.touched]
    assert names == [op.node.data for op in network.populations]
    read = x[places_to_fit(len(x))]
    before, after = (nopt.run(one, read, record=names, engine="numpy") for one in (reals, fitted))
    rates = [[np.asarray(run[name]).mean((0, 1)) for name in names] for run in (before, after)]
    errors = np.abs(np.concatenate(rates[1]) - np.concatenate(rates[0]))
    assert record.unit.data == "spikes per tick"
    assert errors.max() == pytest.approx(record.largest.value.data)
    assert errors.mean() == pytest.approx(record.mean.value.data)
    assert errors.mean() < 0.1 * np.concatenate(rates[0]).mean()

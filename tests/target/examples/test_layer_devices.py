"""Networks of spikes on devices whose neurons are layers of counts, compiled by rates. The devices are those of the registry."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core import registry
from nopt.core.device.named_device import resolve_device
from nopt.core.diagnostics import Diagnostics, Refused

FAMILY = "activation"
LOSS = 0.02
"""Largest accepted loss of accuracy."""


def layer_devices() -> list[str]:
    """Returns the default device of each target that serves the family of layers."""
    known = registry.devices()
    keys = [
        f"{slug}/{make().device}" for slug, make in registry.targets().items() if make().device in known.get(slug, {})
    ]
    return [key for key in keys if any(FAMILY in one.families for one in resolve_device(key).updates.values())]


def serves_spikes(key: str) -> bool:
    return any("if" in one.families for one in resolve_device(key).updates.values())


DEVICES = layer_devices()


def compiled(path: Path, key: str, out: Path, passes: str, x: np.ndarray, **options: Any) -> Any:
    return nopt.compile(path, target=key, out=out, passes=passes, calib=x, diagnostics=Diagnostics(), **options)


def outputs(build: Path, x: np.ndarray, **options: Any) -> np.ndarray:
    from nopt.api.running.run import execute

    return execute(build, x, diagnostics=Diagnostics(), **options).arrays["output"]


@pytest.mark.parametrize("key", DEVICES)
def test_digits_keep_their_accuracy(demo: ModuleType, root: Path, tmp_path: Path, key: str) -> None:
    """The accuracy of the chip is at most 2 points below that of the network of spikes, and its model equals the network of integers."""
    spikes, labels = demo.encoder.test_input("conv")
    steps = (
        "ntensor-encode-rates{window=16 bits=4}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        "ntensor-quantize-weights{bits=4 per=neuron}",
    )
    path, choices = root / "examples" / "digits" / "rates.nir", {"dt": "1ms", "like": "norse", "reset": "subtract"}
    build = compiled(path, key, tmp_path / "build", ",".join(steps), spikes, labels=labels, **choices)
    accuracies = [level["accuracy"] for level in build.report["levels"]]
    assert accuracies[0] - min(accuracies) <= LOSS
    chip = outputs(tmp_path / "build", spikes)
    np.testing.assert_array_equal(chip, outputs(tmp_path / "build", spikes, model="reference"))
    assert (chip[:, 0].argmax(1) == labels).mean() == accuracies[-1]


@pytest.mark.parametrize("key", DEVICES)
def test_convolutions_of_sinabs_fit(shared: Path, tmp_path: Path, key: str) -> None:
    """Two channels of 34 x 34 pixels become three of 36 x 36, and pools become convolutions."""
    rng = np.random.default_rng(2)
    x, data = rng.random((6, 16, 2, 34, 34)) < 0.03, tmp_path / "x.npy"
    np.save(data, x)
    steps = (
        "ntensor-encode-rates{window=16}",
        "ntensor-quantize-inputs{kind=count bits=8}",
        "ntensor-pad-inputs{channels=3}",
        f'ntensor-quantize-counts{{bits=4 data="{data}"}}',
        f'ntensor-lower-pools{{kernel=3 dense data="{data}"}}',
        "ntensor-quantize-weights{bits=4 per=neuron fit=error}",
    )
    path = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    compiled(path, key, tmp_path / "build", ",".join(steps), x, dt="1ms", like="sinabs")
    chip = outputs(tmp_path / "build", x)
    assert chip.any()
    np.testing.assert_array_equal(chip, outputs(tmp_path / "build", x, model="reference"))


@pytest.mark.parametrize("key", [key for key in DEVICES if not serves_spikes(key)])
def test_spikes_are_refused_with_the_permission(root: Path, tmp_path: Path, key: str) -> None:
    path = root / "examples" / "digits" / "rates.nir"
    with pytest.raises(Refused) as refusal:
        nopt.compile(path, target=key, out=tmp_path / "build", dt="1ms", like="norse", diagnostics=Diagnostics())
    helps = [str(finding.help) for finding in refusal.value.findings if finding.node == "if1"]
    assert any("--approximate rates" in help for help in helps)

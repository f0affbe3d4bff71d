"""Populations keep their rates on analogue chips by the fit of thresholds: chains, loops, and inhibition, on the samples that the network keeps and on others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network

import nopt.api as nopt
from nopt.api.discretisation import Choices
from nopt.core import registry
from nopt.core.device.named_device import resolve_device

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
    choices: Choices = {"dt": "1ms", "like": "norse", "reset": "value"}
    nopt.compile(str(file), target=device, approximate="all", calib=x[:8], out=tmp_path / "build", **choices)
    before, after = nopt.run(str(file), x, **choices), nopt.run(str(tmp_path / "build"), x)
    rates = {name: (before[name].mean() * 1000, after[name].mean() * 1000) for name in before}
    assert max(wanted for wanted, _ in rates.values()) > LEAST_HZ
    for wanted, found in rates.values():
        assert wanted < LEAST_HZ or abs(found - wanted) <= NEAR * wanted, rates

"""Populations keep their rates on analogue chips by the fit of thresholds: chains, loops, and inhibition, on the samples that the network keeps and on others."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
import pytest

import nopt.api as nopt
from nopt.api.discretisation import Choices
from nopt.core import registry
from nopt.core.device.named_device import resolve_device

LEAST_HZ = 5.0
NEAR = 0.3
"""Largest difference of a rate, relative to it."""


def lif(size: int) -> nir.LIF:
    ones = np.ones(size)
    return nir.LIF(tau=0.02 * ones, r=ones, v_leak=0 * ones, v_threshold=ones, v_reset=0 * ones)


def cuba(size: int) -> nir.CubaLIF:
    ones = np.ones(size)
    return nir.CubaLIF(
        tau_mem=0.02 * ones,
        tau_syn=0.005 * ones,
        r=ones,
        v_leak=0 * ones,
        v_threshold=ones,
        v_reset=0 * ones,
        w_in=ones,
    )


def network(seed: int, file: Path) -> Path:
    """Writes a chain of two populations; every second one has a loop with excitation and inhibition."""
    rng = np.random.default_rng([41, seed])
    neuron, size = (lif, cuba)[seed % 2], (8, 12, 4)
    strength = (12.0, 6.0)[seed % 2]
    nodes = {
        "input": nir.Input(np.array([size[0]])),
        "fc1": nir.Linear(rng.normal(strength / 3, strength / 2, (size[1], size[0]))),
        "n1": neuron(size[1]),
        "rec": nir.Linear(rng.normal(0, strength / 12, (size[1], size[1]))),
        "fc2": nir.Linear(rng.normal(strength / 4, strength / 3, (size[2], size[1]))),
        "n2": neuron(size[2]),
        "hidden": nir.Output(np.array([size[1]])),
        "output": nir.Output(np.array([size[2]])),
    }
    edges = [("input", "fc1"), ("fc1", "n1"), ("n1", "fc2"), ("fc2", "n2"), ("n2", "output"), ("n1", "hidden")]
    if seed // 2 % 2:
        edges += [("n1", "rec"), ("rec", "n1")]
    else:
        del nodes["rec"]
    nir.write(file, nir.NIRGraph(nodes, edges))
    return file


def devices() -> list[str]:
    """Returns the devices that fit rates."""
    found = [resolve_device(f"{target}/{name}") for target, names in registry.devices().items() for name in names]
    return [device.key for device in found if "rates" in device.fallbacks]


@pytest.mark.parametrize("device", devices())
@pytest.mark.parametrize("seed", range(2))
def test_populations_keep_their_rates(device: str, seed: int, tmp_path: Path) -> None:
    file = network(seed, tmp_path / "net.nir")
    x = np.random.default_rng([42, seed]).random((16, 200, 8)) < 0.15
    choices: Choices = {"dt": "1ms", "like": "norse", "reset": "value"}
    nopt.compile(str(file), target=device, approximate="all", calib=x[:8], out=tmp_path / "build", **choices)
    before, after = nopt.run(str(file), x, **choices), nopt.run(str(tmp_path / "build"), x)
    rates = {name: (before[name].mean() * 1000, after[name].mean() * 1000) for name in before}
    assert max(wanted for wanted, _ in rates.values()) > LEAST_HZ
    for wanted, found in rates.values():
        assert wanted < LEAST_HZ or abs(found - wanted) <= NEAR * wanted, rates

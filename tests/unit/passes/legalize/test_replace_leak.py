"""Biases in place of leaks keep the counts of neurons; steps that are fitted to samples do so better where a synaptic current is removed, too."""

from __future__ import annotations

from pathlib import Path

import nir
import numpy as np
import pytest
from rate_networks import rate_network

import nopt.api as nopt
from nopt.core import registry
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.legalize.updates.ntensor_replace_leak import counts_of
from nopt.simulation.signals import DenseSignal

TICKS = "convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value}"
REPLACE = "ntensor-replace-leak{approximate=leak,current,threshold}"


def counts(file: Path, x: np.ndarray, *passes: str) -> np.ndarray:
    """Returns the spikes of each neuron in each sample. Shapes: [samples, neurons]."""
    module = nopt.from_nir(nir.read(file), diagnostics=Diagnostics())
    nopt.apply(module, ",".join((TICKS, *passes)), diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    found = registry.reference()(network, record=[]).run({"input": DenseSignal(x)}, ticks=x.shape[1])
    return np.concatenate([np.asarray(values).sum(axis=1, dtype=np.int64) for _, values in sorted(found.items())], 1)


@pytest.mark.parametrize(("seed", "most"), [(0, 1.2), (1, 0.8)], ids=["lif", "cuba_lif"])
def test_fitted_steps_keep_counts(seed: int, most: float, tmp_path: Path) -> None:
    file, data = rate_network(seed, tmp_path / "net.nir"), tmp_path / "x.npy"
    x = (np.random.default_rng([43, seed]).random((16, 200, 8)) < 0.15).astype(np.float64)
    np.save(data, x[:8])
    wanted, seen = counts(file, x), f'ntensor-calibrate{{data="{data}" keep=8}}'
    mean, fitted = (np.abs(counts(file, x, *steps) - wanted).sum() for steps in ((REPLACE,), (seen, REPLACE)))
    assert wanted.any()
    assert fitted < most * mean
    assert fitted < 0.05 * wanted.sum()


def test_counts_of_integrators() -> None:
    """Inputs of 0.5, 1.5 and -2 with a step of 0.25: v is 0.25, then 1.5 with a spike, then 0 at the bound."""
    x = np.array([0.5, 1.5, -2.0, 1.25]).reshape(4, 1, 1)
    one = np.ones((1, 1, 1))
    assert counts_of(x, one, 0.25 * one, is_subtracting=True) == 2
    assert counts_of(x, one, 0.25 * one, is_subtracting=False) == 2
    assert counts_of(x, one, 0 * one, is_subtracting=True) == 3  # v of 2 spikes twice

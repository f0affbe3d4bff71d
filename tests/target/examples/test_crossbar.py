"""The digits network that was trained for four values for each neuron: its counts and accuracy before and after the fit of axon types."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nopt.api as nopt
from nopt.analysis.axon_types import population_axons
from nopt.analysis.wiring import wiring_of
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor

LEAST = 0.90
"""Smallest accepted share of correctly classified samples, before and after the pass."""
PIPELINES = [
    "ntensor-fit-axon-types{types=4 axons=256}",
    "ntensor-quantize-weights{bits=9 per=neuron},ntensor-fit-axon-types{types=4 axons=256 bits=9}",
]


@pytest.fixture(scope="module")
def network(root: Path) -> ModuleOp:
    module = nopt.read(root / "examples/digits/crossbar.nir", diagnostics=Diagnostics())
    nopt.apply(module, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    return module


def counts(module: ModuleOp, spikes: np.ndarray) -> np.ndarray:
    return nopt.run(module, spikes, diagnostics=Diagnostics())["output"].sum(1)


def test_counts_are_those_of_the_framework(demo: ModuleType, root: Path, network: ModuleOp) -> None:
    spikes, labels = demo.encoder.digits(is_test=True)
    found = counts(network, spikes.astype(np.float32))
    with np.load(root / "examples/digits/crossbar.npz") as stored:
        np.testing.assert_array_equal(found, stored["counts"])
    assert (found.argmax(1) == labels).sum() == 576


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_four_values_keep_the_accuracy(demo: ModuleType, network: ModuleOp, pipeline: str) -> None:
    spikes, labels = demo.encoder.digits(is_test=True)
    module = network.clone()
    nopt.apply(module, pipeline, diagnostics=Diagnostics())
    assert (counts(module, spikes.astype(np.float32)).argmax(1) == labels).mean() >= LEAST
    inner = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    for name, (core,) in population_axons(wiring_of(inner, "")).items():
        assert core.values.shape[1] == 4, name
        assert not core.duplicates

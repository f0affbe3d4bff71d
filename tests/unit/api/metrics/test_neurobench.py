"""Metrics of whole networks: independent of groups of samples, and null with a reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from places import EXAMPLES

import nopt
from nopt.api.metrics import neurobench as module
from nopt.core.diagnostics import Diagnostics, Refused

NET = EXAMPLES / "digits" / "fc.nir"
CHOICES: Any = {"dt": "1ms", "like": "snntorch", "reset": "subtract_next", "precision": "f32"}


def draw() -> np.ndarray:
    return (np.random.default_rng(49).random((6, 12, 64)) < 0.3).astype(np.float32)


def measure_network(x: Any, **options: Any) -> nopt.NeuroBench:
    return nopt.neurobench(NET, x, choices=CHOICES, diagnostics=Diagnostics(), **options)


def test_groups_of_samples_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = measure_network(draw())
    monkeypatch.setattr(module, "RECORD_BYTES", 1)
    assert measure_network(draw()) == whole
    assert whole.samples == 6
    assert whole.ticks == 12


def test_engines_and_axes_change_nothing() -> None:
    whole = measure_network(draw())
    assert measure_network(draw(), engine="numpy") == whole
    assert measure_network(draw().swapaxes(0, 1), axes="ticks,samples") == whole


def test_operations_are_means_over_samples() -> None:
    """The operations of all samples are the mean of those of each; a shorter run has fewer."""
    each = [measure_network(x[None]).metrics for x in draw()]
    whole = measure_network(draw()).metrics
    assert whole.synaptic.acs == sum(one.synaptic.acs for one in each) / 6
    assert whole.membrane_updates == sum(one.membrane_updates or 0 for one in each) / 6
    assert whole.synaptic.dense == 12 * (64 * 128 + 128 * 10)
    short = measure_network(draw(), ticks=3)
    assert short.ticks == 3
    assert short.metrics.synaptic.dense == whole.synaptic.dense / 4


def test_a_network_is_not_changed() -> None:
    network = nopt.read(NET, diagnostics=Diagnostics())
    nopt.apply(network, "convert-nir-to-ntensor{dt-ns=1000000 like=norse}", diagnostics=Diagnostics())
    before = str(network)
    nopt.neurobench(network, draw(), diagnostics=Diagnostics())
    assert str(network) == before


@pytest.mark.parametrize("shape", [(0, 4, 64), (2, 0, 64)])
def test_no_sample_or_tick_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as refusal:
        measure_network(np.zeros(shape, np.float32))
    assert refusal.value.findings[0].code.id == "RUN025"

"""Manufactured chips differ by their seed and number alone: a site has the same mismatch in every network, and without spreads all chips are ideal."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from neurogrid_native import native_network

import nopt.api as nopt
from nopt.api.running.run import execute, open_build
from nopt.core.diagnostics import Diagnostics
from nopt.simulation.imperfections import Imperfections

NEURONS, TICKS, TICK_NS = 24, 1500, 100_000
SPREADS = ("time_constants", "conductances", "currents")


def build(folder: Path, neurons: int, *settings: str) -> Path:
    folder.mkdir()
    source = folder / "native.mlir"
    source.write_text(native_network(TICK_NS, neurons), encoding="utf-8")
    nopt.compile(source, target="neurogrid", out=folder / "b", set=list(settings), diagnostics=Diagnostics())
    return folder / "b"


def spikes(folder: Path, chip: Imperfections | None, neurons: int) -> np.ndarray:
    """Returns the spikes of a manufactured chip, or of the ideal one. All neurons get the same events. Shapes: [ticks, neurons]."""
    module, model = open_build(folder, "chip", Diagnostics())
    made: Any = partial(model, imperfections=chip) if model is not None else None
    x = np.tile(np.random.default_rng(4).random((TICKS, 4)) < [0.025, 0.002, 0.01, 0.002], neurons)
    return execute(module, x, chip=made, diagnostics=Diagnostics()).arrays["y"]


def test_neurons_of_a_manufactured_chip_differ(tmp_path: Path) -> None:
    folder = build(tmp_path / "many", NEURONS)
    ideal = spikes(folder, None, NEURONS)
    assert ideal.sum() > 2 * NEURONS
    assert (ideal == ideal[:, :1]).all()
    first = spikes(folder, Imperfections(1, 0), NEURONS)
    assert len(np.unique(first, axis=1).T) > NEURONS // 2
    np.testing.assert_array_equal(first, spikes(folder, Imperfections(1, 0), NEURONS))
    for other in (Imperfections(1, 1), Imperfections(2, 0)):
        assert (first != spikes(folder, other, NEURONS)).any()


def test_a_site_has_one_mismatch_in_all_networks(tmp_path: Path) -> None:
    chip = Imperfections(3, 7)
    many, few = (spikes(build(tmp_path / str(n), n), chip, n) for n in (NEURONS, 5))
    np.testing.assert_array_equal(many[:, :5], few)


@pytest.mark.parametrize("kept", [None, *SPREADS])
def test_each_spread_has_an_effect_and_none_has_none(kept: str | None, tmp_path: Path) -> None:
    off = [f"imperfections.{name}=0" for name in SPREADS if name != kept]
    folder = build(tmp_path / "b", NEURONS, *off)
    is_equal = (spikes(folder, Imperfections(1, 0), NEURONS) == spikes(folder, None, NEURONS)).all()
    assert is_equal == (kept is None)

"""The kept samples of a calibration: a part for fits, and a part that no fit sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network

import nopt.api as nopt
from nopt.analysis.calibration_records import (
    fit_events,
    fit_samples,
    judge_events,
    judge_samples,
    places_to_fit,
    places_to_judge,
    spread_places,
)
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor


@pytest.mark.parametrize(
    ("keep", "fitted", "judged"), [(1, [0], [0]), (2, [0], [6]), (4, [0, 7], [3, 4]), (5, [0, 5], [2, 3, 6])]
)
def test_parts_of_kept_samples(keep: int, fitted: list[int], judged: list[int], tmp_path: Path) -> None:
    x = (np.random.default_rng(48).random((8, 60, 8)) < 0.4).astype(np.uint8)
    np.save(tmp_path / "x.npy", x)
    steps = f'convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep={keep}}}'
    module = nopt.apply(nopt.read(rate_network(0, tmp_path / "net.nir")), steps, diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    names = [op.node.data for op in network.populations]
    for samples, events, chosen in ((fit_samples, fit_events, fitted), (judge_samples, judge_events, judged)):
        (kept,) = samples(network).values()
        assert np.array_equal(kept, x[chosen])
        found = nopt.run(module, x[chosen], record=names, engine="numpy")
        for op in network.populations:
            assert np.array_equal(events(op), np.asarray(found[op.node.data]).sum(1))


@pytest.mark.parametrize("period", [2, 3, 4, 5])
@pytest.mark.parametrize("samples", [64, 96, 128, 160, 256, 640, 1000])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_both_parts_of_the_kept_samples_see_all_classes(samples: int, period: int, *, is_sorted: bool) -> None:
    """Evenly spaced samples, of which every second one judges, would be of half of the classes where these alternate with an even period."""
    classes = np.arange(samples) % period
    classes = np.sort(classes) if is_sorted else classes
    kept = classes[spread_places(samples, 64)]
    fitted, judged = kept[places_to_fit(64)], kept[places_to_judge(64)]
    assert len(fitted) == len(judged) == 32
    assert set(fitted) == set(judged) == set(range(period))


@pytest.mark.parametrize(("samples", "count"), [(0, 4), (1, 1), (4, 0), (4, 9), (7, 3), (10, 9), (1000, 32)])
def test_places_are_spread(samples: int, count: int) -> None:
    """One place is in each of as many equal intervals."""
    places = spread_places(samples, count)
    assert len(places) == min(samples, count)
    assert [int(place) * len(places) // samples for place in places] == pytest.approx(range(len(places)), abs=1)
    assert (np.diff(places) > 0).all()
    assert ((places >= 0) & (places < samples)).all()


@pytest.mark.parametrize("keep", [8, 16, 32])
def test_a_calibration_with_alternating_classes_shows_both_to_fits_and_to_their_judge(
    keep: int, tmp_path: Path
) -> None:
    """Sample k has spikes on the input lines of class k mod 2 alone."""
    x = np.zeros((32, 20, 8), np.uint8)
    x[0::2, :, :4] = x[1::2, :, 4:] = 1
    np.save(tmp_path / "x.npy", x)
    steps = f'convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep={keep}}}'
    module = nopt.apply(nopt.read(rate_network(0, tmp_path / "net.nir")), steps, diagnostics=Diagnostics())
    network = next(op for op in module.ops if isinstance(op, ntensor.NetworkOp))
    for samples in (fit_samples, judge_samples):
        (kept,) = samples(network).values()
        assert set(kept[:, 0, 0].tolist()) == {0, 1}

"""The kept samples of a calibration: a part for fits, and a part that no fit sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rate_networks import rate_network

import nopt.api as nopt
from nopt.analysis.calibration_records import fit_events, fit_samples, judge_events, judge_samples, thue_morse
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor


@pytest.mark.parametrize(
    ("keep", "fitted", "judged"), [(1, [0], [0]), (2, [0], [4]), (4, [0, 4], [2, 6]), (5, [0, 3, 6], [1, 4])]
)
def test_parts_alternate(keep: int, fitted: list[int], judged: list[int], tmp_path: Path) -> None:
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


@pytest.mark.parametrize("period", [2, 3, 4, 6, 8, 10])
@pytest.mark.parametrize("is_sorted", [False, True])
def test_split_shows_all_classes_to_both_parts(period: int, *, is_sorted: bool) -> None:
    """Every second sample would be of half of the classes where these alternate with an even period."""
    classes = np.arange(64) % period
    classes = np.sort(classes) if is_sorted else classes
    judged = thue_morse(64)
    assert judged.sum() == 32
    assert set(classes[judged]) == set(classes[~judged]) == set(range(period))

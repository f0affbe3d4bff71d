"""The trained digits on arrays: exact without imperfections, and a small loss with converters, noise and compensated drift."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

CHIPS, SAMPLES = 2, 120


def test_digits_keep_their_accuracy(root: Path, encoded: Callable[[str], tuple[Path, Path]], tmp_path: Path) -> None:
    spikes, labels = encoded("fc")
    x, y = np.load(spikes)[:SAMPLES], np.load(labels)[:SAMPLES]
    network, found = root / "examples" / "digits" / "fc.nir", {}
    for corrected in ("true", "false"):
        settings = [f"preferences.calibration={spikes}", f"preferences.drift_compensation={corrected}"]
        out = tmp_path / corrected
        nopt.compile(
            network, out=out, target="memxbar", dt="1ms", like="norse", calib=x, set=settings, diagnostics=Diagnostics()
        )
        found[corrected] = nopt.run_chips(out, x, chips=CHIPS, labels=y, ages=["1h", "1y"], diagnostics=Diagnostics())
    runs = found["true"]
    assert runs.ideal.accuracy == runs.network.accuracy
    assert runs.ideal.rate_cosine == 1
    hour, year = (age.accuracy for age in runs.ages)
    raw = found["false"].ages[1].accuracy
    assert hour is not None
    assert year is not None
    assert raw is not None
    assert runs.network.accuracy is not None
    assert hour.mean > runs.network.accuracy - 0.04
    assert year.mean > raw.mean + 0.01
    report = json.loads((tmp_path / "true" / "report.json").read_text())["crossbars"]
    assert report["total"]["dac_conversions"] == 0  # spikes need no converter
    assert report["conversions_saved_by_spikes"] > 0

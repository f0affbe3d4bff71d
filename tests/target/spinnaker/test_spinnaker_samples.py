"""Trained networks on SpiNNaker: the class of Braille and the rates of its hidden layer, and the decisions of a convolution on digits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

CLASS = 1
LEAST_COSINE = 0.98


def test_braille_keeps_its_class_and_rates(shared: Path, tmp_path: Path) -> None:
    folder = shared / "samples" / "nir_paper" / "braille"
    sample, choices = folder / "input_sample0.npy", {"dt": "0.1ms", "like": "snntorch", "reset": "zero"}
    net, build = folder / "braille_noDelay_bias_zero.nir", tmp_path / "build"
    made = nopt.compile(net, target="spinnaker", out=build, calib=sample, diagnostics=Diagnostics(), **choices)
    level = next(one for one in made.report["levels"] if one["level"] == "target")
    assert level["populations"]["lif1.lif"]["rate_cosine"] >= LEAST_COSINE
    spikes = nopt.run(build, np.load(sample), diagnostics=Diagnostics())["output"]
    assert spikes.sum(axis=0).argmax() == CLASS


def test_a_fit_of_rates_keeps_decisions(tmp_path: Path, encoded: Any) -> None:
    """In reals a neuron of this network has several spikes in a tick, and on the chip at most one: rates beyond it cannot be fitted, and decisions are kept."""
    x, y = encoded("conv")
    np.save(tmp_path / "x.npy", np.load(x)[:100])
    np.save(tmp_path / "y.npy", np.load(y)[:100])
    report = nopt.compile(
        EXAMPLES / "digits" / "conv.nir",
        target="spinnaker/spinn5",
        out=tmp_path / "build",
        calib=tmp_path / "x.npy",
        labels=tmp_path / "y.npy",
        approximate="all",
        dt="1ms",
        like="sinabs",
        diagnostics=Diagnostics(),
    ).report
    assert report["loss"]["accuracy"] > report["loss"]["accuracy_before"] - 0.05
    assert "threshold" not in report["fit"]["approximations"]

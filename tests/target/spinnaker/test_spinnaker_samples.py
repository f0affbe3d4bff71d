"""The Braille network of the NIR paper on SpiNNaker: its class, and the rates of its hidden layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np

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

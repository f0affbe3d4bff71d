"""Networks of the NIR paper on `asic/mesh`: the artefact, as `nopt run DIR` runs it, equals the discretised network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from both_models import run_equal

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

LEGALISED = 'ntensor-legalize{device="asic/mesh" approximate=bound,count,comparison}'


def test_recurrent_network(shared: Path, tmp_path: Path) -> None:
    folder = shared / "samples" / "nir_paper" / "braille"
    net = folder / "braille_noDelay_bias_zero.nir"
    nopt.compile(
        net,
        out=tmp_path / "b",
        target="asic/mesh",
        dt="0.1ms",
        like="snntorch",
        reset="zero",
        diagnostics=Diagnostics(),
    )
    found = run_equal(tmp_path / "b", np.load(folder / "input_sample0.npy"), ["lif1.lif"])
    assert all(values.any() for values in found.values())


def test_convolutional_network_on_all_cores(shared: Path, tmp_path: Path) -> None:
    net = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    options = {"dt": "1ms", "like": "sinabs", "passes": LEGALISED}
    made = nopt.compile(net, out=tmp_path / "b", target="asic/mesh", diagnostics=Diagnostics(), **options)
    assert made.report["mapping"]["cores"] == 36
    x = np.random.default_rng(0).random((30, 2, 34, 34)) < 0.02
    found = run_equal(tmp_path / "b", x, ["3", "6", "12"])
    assert all(values.any() for values in found.values())

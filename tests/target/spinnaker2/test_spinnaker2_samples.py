"""Trained networks on SpiNNaker 2: the artefact, as `nopt run DIR` runs it, equals the discretised network; classes are mostly those of reals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_models import run_equal

import nopt.api as nopt
from nopt.api.running.run import execute
from nopt.core.diagnostics import Diagnostics

LEGALISED = 'ntensor-legalize{device="spinnaker2/chip" approximate=bound,count,comparison}'


@pytest.mark.parametrize(("name", "reset"), [("bias_zero", "zero"), ("noBias_subtract", "subtract")])
def test_recurrent_networks(shared: Path, tmp_path: Path, name: str, reset: str) -> None:
    folder = shared / "samples" / "nir_paper" / "braille"
    net, x = folder / f"braille_noDelay_{name}.nir", np.load(folder / "input_sample0.npy")
    choices = {"dt": "0.1ms", "like": "spinnaker2", "reset": reset}
    nopt.compile(net, out=tmp_path / "b", target="spinnaker2/chip", diagnostics=Diagnostics(), **choices)
    found = run_equal(tmp_path / "b", x, ["lif1.lif"])
    assert all(values.any() for values in found.values())
    wanted = nopt.run(net, x, **choices)["output"]
    assert found["output"].sum(axis=0).argmax() == wanted.sum(axis=0).argmax() == 1


def test_convolutional_network(shared: Path, tmp_path: Path) -> None:
    """8,970 neurons and 1.1 million connections."""
    net = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir"
    options = {"dt": "1ms", "like": "sinabs", "passes": LEGALISED}
    made = nopt.compile(net, out=tmp_path / "b", target="spinnaker2/chip", diagnostics=Diagnostics(), **options)
    assert made.report["mapping"]["cores"] == 79
    x = np.random.default_rng(0).random((20, 2, 34, 34)) < 0.02
    found = run_equal(tmp_path / "b", x, ["3", "6"])
    assert all(found[name].any() for name in ("3", "6"))


@pytest.mark.parametrize(("device", "right"), [("chip", 577), ("chip_delays", 575)])
def test_digits(root: Path, tmp_path: Path, encoded: Any, device: str, right: int) -> None:
    """Allows a difference of one sample in a hundred; in reals, 577 of 599 are right."""
    x, labels = (np.load(path) for path in encoded("fc"))
    net, target = root / "examples" / "digits" / "fc.nir", f"spinnaker2/{device}"
    nopt.compile(net, out=tmp_path / "b", target=target, dt="1ms", like="norse", diagnostics=Diagnostics())
    late = np.pad(x, [(0, 0), (0, 2), (0, 0)])
    found = execute(tmp_path / "b", late, diagnostics=Diagnostics()).arrays["output"]
    assert abs(int((found.sum(axis=1).argmax(axis=1) == labels).sum()) - right) <= len(x) // 100

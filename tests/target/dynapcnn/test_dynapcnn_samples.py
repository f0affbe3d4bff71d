"""Trained networks on Speck: the losses of 8-bit layers, and the model of the chip equals the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from both_models import run_equal

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

OPTIONS: dict[str, Any] = {"dt": "1ms", "like": "sinabs"}
SAMPLES, TICKS = 80, 60


def counts(build: Path, x: np.ndarray, record: list[str]) -> np.ndarray:
    """Compares a run of the chip with one of the network, and returns the counts of the output of each sample."""
    return run_equal(build, x, record)["output"].sum(axis=1).reshape(len(x), -1)


@pytest.mark.parametrize("device", ["speck2f", "dynapcnn"])
def test_digits_lose_at_most_one_point(root: Path, tmp_path: Path, encoded: Any, device: str) -> None:
    x, labels = (np.load(path) for path in encoded("conv"))
    net = root / "examples" / "digits" / "conv.nir"
    nopt.compile(net, out=tmp_path / "b", target=f"dynapcnn/{device}", diagnostics=Diagnostics(), **OPTIONS)
    found = counts(tmp_path / "b", x, [])
    wanted = nopt.run(net, x, diagnostics=Diagnostics(), **OPTIONS)["output"].sum(axis=1).reshape(len(x), -1)
    right, reals = (int((one.argmax(axis=1) == labels).sum()) for one in (found, wanted))
    assert reals == 583
    assert reals - right <= len(x) // 100


def patterns() -> np.ndarray:
    """Returns events of random rates, each of a square of 7 x 7 positions: 3 % of positions have an event in a tick."""
    rng = np.random.default_rng(0)
    rates = rng.random((SAMPLES, 1, 2, 5, 5)) ** 3 * 0.12
    return rng.random((SAMPLES, TICKS, 2, 34, 34)) < np.kron(rates, np.ones((7, 7)))[..., :34, :34]


def test_the_network_of_the_nir_paper_keeps_its_rates(shared: Path, tmp_path: Path) -> None:
    """The file has no labels: rates of the output are compared with those in reals."""
    net, x = shared / "samples" / "nir_paper" / "cnn" / "cnn_sinabs.nir", patterns()
    made = nopt.compile(net, out=tmp_path / "b", target="dynapcnn/speck2f", diagnostics=Diagnostics(), **OPTIONS)
    assert (made.report["cores"]["used"], made.report["cores"]["split"]) == (5, {})
    found = counts(tmp_path / "b", x, ["3"]).astype(float)
    wanted = nopt.run(net, x, diagnostics=Diagnostics(), **OPTIONS)["output"].sum(axis=1).reshape(SAMPLES, -1)
    cosines = (found * wanted).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(wanted, axis=1)
    assert cosines.mean() >= 0.985  # 0.991 when this was written
    assert (found.argmax(1) == wanted.argmax(1)).mean() >= 0.85  # 0.89
    assert len(set(wanted.argmax(1).tolist())) >= 5

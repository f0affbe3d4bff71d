"""Fits to samples lose no decisions of the digits on samples that they have not seen, on devices whose fits once did."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.approximations import APPROXIMATIONS
from nopt.core.diagnostics import Diagnostics
from nopt.dialects import ntensor
from nopt.passes.legalize._held_out_loss import HeldOutLoss, choose

RULES = {"fc": "like=norse reset=subtract", "conv": "like=sinabs"}
LOST = 0.02
"""Largest share of decisions that a fit may lose."""


@pytest.mark.parametrize(
    ("name", "device"),
    [("fc", "spinnaker/spinn5"), ("conv", "spinnaker/spinn5"), ("conv", "asic/mesh"), ("conv", "loihi2/oheo_gulch")],
)
def test_fits_keep_decisions(name: str, device: str, demo: ModuleType, tmp_path: Path) -> None:
    """Without a judgement, the fits lose 0.02, 0.53, 0.15 and 0.43 of the decisions."""
    x = demo.encoder.test_input(name)[0][:256]
    np.save(tmp_path / "x.npy", x[:64])
    reals = nopt.apply(
        nopt.read(EXAMPLES / "digits" / f"{name}.nir"), f"convert-nir-to-ntensor{{dt-ns=1000000 {RULES[name]}}}"
    )
    calibrated = nopt.apply(reals.clone(), f'ntensor-calibrate{{data="{tmp_path / "x.npy"}" keep=32}}')
    wanted, agreements = decisions(reals, x), []
    for kept in ("rates,resets", "bias"):
        steps = f'ntensor-legalize{{device={device} approximate={",".join(APPROXIMATIONS)} keep="{kept}"}}'
        fitted = nopt.apply(calibrated.clone(), steps, diagnostics=Diagnostics())
        agreements.append(float(np.mean(decisions(fitted, x) == wanted)))
    assert agreements[1] >= agreements[0] - LOST


def decisions(module: nopt.ModuleOp, x: np.ndarray) -> np.ndarray:
    """Returns the neuron with the most spikes in each sample."""
    (found,) = nopt.run(module, x, engine="numpy").values()
    return np.asarray(found).sum(1).argmax(1)


def test_the_first_of_equal_candidates_is_chosen() -> None:
    losses = {"before": 0.5, "population": 0.25, "neuron": 0.25}
    assert choose(losses.__getitem__, list(losses), lambda one: one) == "population"
    assert choose(losses.__getitem__, list(losses), lambda one: None) == "neuron"  # none can be judged
    assert choose(None, list(losses), lambda one: one) == "neuron"


def test_a_network_without_samples_has_no_loss(tmp_path: Path) -> None:
    reals = nopt.apply(nopt.read(EXAMPLES / "digits" / "fc.nir"), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    assert HeldOutLoss.of(next(op for op in reals.ops if isinstance(op, ntensor.NetworkOp))) is None

"""Chips classify the digits with the balanced network of rectified linear units as the trained network does, up to the loss of their integers."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

GAIN = 0.06
"""Least gain of accuracy; the converted network has 84 to 87 %, the trained one 96.7 %."""


@pytest.mark.parametrize("device", ["c/generic", "asic/mesh", "loihi2/oheo_gulch", "truenorth/ns1e"])
def test_balanced_thresholds_gain_accuracy_on_chips(demo: ModuleType, root: Path, tmp_path: Path, device: str) -> None:
    """Calibrated with training samples, judged with 200 test samples."""
    given, _ = demo.encoder.digits(is_test=False)
    spikes, labels = demo.encoder.digits(is_test=True)
    right = []
    for passes in ("", "ntensor-balance-thresholds"):
        out = tmp_path / (passes or "converted")
        build = nopt.compile(
            root / "examples" / "digits" / "relu.nir",
            target=device,
            approximate="all",
            calib=given[:100],
            passes=passes,
            out=out,
            dt="1ms",
            like="norse",
            reset="subtract",
            diagnostics=Diagnostics(),
        )
        counts = np.asarray(nopt.run(out, spikes[:200], diagnostics=Diagnostics())["output"]).sum(1)
        right.append(float((counts.argmax(1) == labels[:200]).mean()))
        names = build.report["fit"]["approximations"]
        assert ("threshold" in names) or not passes
    assert right[1] > 0.93, right
    assert right[1] > right[0] + GAIN, right

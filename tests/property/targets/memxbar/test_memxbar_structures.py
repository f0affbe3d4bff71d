"""An independent reader of the artefact computes the spikes of the model, in networks with structures that several passes serve."""

from __future__ import annotations

import re
from pathlib import Path

import memxbar_interpreter as interpreter
import pytest
from extent import seeds
from structured_networks import STYLES, outcome, structured

DEVICES = ("array128", "aihwkit", "crosssim", "mnsim", "neurosim", "offset128", "sliced128")
REFUSED = {
    "LEG048": "a threshold is less than half a step of its sums",
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("seed", seeds(2))
def test_reader_computes_the_same_spikes(seed: int, device: str, tmp_path: Path) -> None:
    made = structured(seed, STYLES["integers"])
    found = outcome(made, f"memxbar/{device}", tmp_path / "build", interpreter.run, is_calibrated=True)
    assert found in ("equal", "silent") or found in REFUSED, found


def test_reader_is_independent() -> None:
    text = Path(interpreter.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)

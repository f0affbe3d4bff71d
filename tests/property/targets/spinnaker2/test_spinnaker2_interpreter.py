"""An independent reader of the artefact computes the spikes of the chip's model, in networks with structures that several passes serve."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import spinnaker2_interpreter as interpreter
from extent import seeds
from structured_networks import STYLES, outcome, structured

OTHER_RULES = {"LEG020"}
"""Refusals of networks whose neurons are reached at their threshold, or spike several times in a tick."""


@pytest.mark.parametrize("device", ["chip", "chip_delays"])
@pytest.mark.parametrize("seed", seeds(3))
def test_reader_computes_the_same_spikes(seed: int, device: str, tmp_path: Path) -> None:
    made = structured(seed, STYLES["spinnaker2"])
    found = outcome(made, f"spinnaker2/{device}", tmp_path / "build", interpreter.run)
    assert found == "equal" or (found in OTHER_RULES and made.choices["like"] != "norse"), found


def test_reader_is_independent() -> None:
    text = Path(interpreter.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)

"""An independent reader of the artefact computes the spikes and counts of the chip's model, for programmable neurons."""

from __future__ import annotations

import re
from pathlib import Path

import loihi2_interpreter as interpreter
import pytest
from extent import seeds
from structured_networks import STYLES, outcome, structured


@pytest.mark.parametrize("seed", seeds(6))
def test_reader_computes_the_same_spikes(seed: int, tmp_path: Path) -> None:
    made = structured(seed, STYLES["loihi2"])
    settings = [f"core.neurons={7 + seed}"] if seed % 3 == 1 else []
    found = outcome(made, "loihi2/programmable", tmp_path / "build", interpreter.run, set=settings)
    assert found == "equal", found


def test_reader_is_independent() -> None:
    text = Path(interpreter.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)

"""An independent integrator of the artefact has the spikes of the chip's model, in networks with structures that several passes serve."""

from __future__ import annotations

import re
from pathlib import Path

import neurogrid_interpreter as interpreter
import pytest
from extent import seeds
from structured_networks import STYLES, outcome, structured

ALLOWED = 'ntensor-legalize{device="neurogrid/board" approximate=dynamics,refractory,reset,comparison}'
"""The soma is quadratic: the rule of all populations changes."""


@pytest.mark.parametrize("seed", seeds(3))
def test_integrator_has_the_same_spikes(seed: int, tmp_path: Path) -> None:
    made = structured(seed, STYLES["neurogrid"])
    assert outcome(made, "neurogrid/board", tmp_path / "build", interpreter.run, ALLOWED) == "equal"


def test_integrator_is_independent() -> None:
    text = Path(interpreter.__file__).read_text(encoding="utf-8")
    assert not re.search(r"^\s*(?:import|from) nopt", text, re.MULTILINE)

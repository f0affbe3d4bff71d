"""A compiled network on an emulated microcontroller: its outputs are those of the reference, and another number is noticed."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from places import EXAMPLES

import nopt.api as nopt
from nopt.core.diagnostics import Diagnostics

sys.path.insert(0, str(Path(__file__).parent / "mcu"))

import board

REASON = board.missing()
pytestmark = pytest.mark.skipif(REASON is not None, reason=str(REASON))
BARS = EXAMPLES / "bars"


def test_the_board_computes_the_outputs_of_the_reference(tmp_path: Path) -> None:
    x = np.load(BARS / "input.npy")
    choices = {"dt": "1ms", "like": "sinabs", "diagnostics": Diagnostics()}
    nopt.compile(BARS / "bars.nir", target="c/generic", calib=x, out=tmp_path / "a", **choices)
    artefact = tmp_path / "a" / "artefact"
    code, text = board.run_on_board(artefact)
    assert (code, bool(re.fullmatch(r"28 ticks equal, \d+ instructions per tick", text))) == (0, True), text
    source = artefact / "net.c"
    source.write_text(source.read_text().replace("-0.25f, -0.25f", "0.25f, 0.25f"))
    code, text = board.run_on_board(artefact)
    assert re.fullmatch(r"tick \d+ differs from the model", text), text
    assert code == 1

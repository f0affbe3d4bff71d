"""The emulator of nengo-loihi computes the same spikes, i and v in every tick as the model of the chip, with refractory periods.

The update of the chip equals its rule while u and v stay in their ranges. Beyond them, its rule is `loihi_nengo` of loihi.neuron, which the
model of the chip runs here in place of the update of the device.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from loihi2_comparison import TOOLS, run_tool, stored_weights, verify_equal
from loihi2_networks import OVERFLOW, Ranges, draw

from nopt.dialects.loihi2 import Sign, lost_bits

Record = Callable[[str, object], None]
TOOL = "nengo_loihi"
CHIP = Ranges(refractory=63, delay=0, has_states=False, has_rounding=False, has_overflow=False)
OWN = Ranges(refractory=63, delay=0, has_states=False, has_rounding=False, update="loihi_nengo")
FACTS: dict[int, frozenset[str]] = {}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(-(-metafunc.config.getoption("--count") // 4)))


@pytest.mark.parametrize("ranges", [CHIP, OWN], ids=["chip", "own"])
def test_nengo_computes_the_same(
    number: int, ranges: Ranges, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python = python_of(TOOL)
    case = draw(number, tmp_path, ranges)
    if ranges is OWN:
        FACTS[number] = case.facts
    script, artefact = TOOLS / "loihi_nengo.py", case.build / "artefact"
    record_property(
        "values", verify_equal(case, run_tool(python, script, artefact, case.inputs, tmp_path / "nengo.npz"), tmp_path)
    )


def test_its_own_rule_leaves_the_ranges(python_of: Callable[[str], Path]) -> None:
    python_of(TOOL)
    if len(FACTS) < 25:
        pytest.skip(f"{len(FACTS)} networks; 25 are needed")
    assert {*OVERFLOW, "a refractory period"} <= frozenset().union(*FACTS.values())


def test_weights_are_rounded_to_nearest(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    """It cuts magnitudes at the end of the positive weights, so it has no -256."""
    for sign, bits, weights, stored in stored_weights(python_of(TOOL), TOOL, tmp_path / "w.npz"):
        lost = lost_bits(bits, Sign(sign))
        most = (1 << 8 - lost) - 1
        wanted = np.clip(np.round(weights / 2**lost), -most, most) * 2**lost
        assert (stored == wanted).all(), (sign, bits)

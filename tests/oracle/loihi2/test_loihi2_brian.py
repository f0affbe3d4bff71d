"""brian2-loihi computes the same spikes, i and v in every tick as the model of the chip, without biases, overflow and rounded sums."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from loihi2_comparison import TOOLS, run_tool, stored_weights, verify_equal
from loihi2_networks import Ranges, draw

from nopt.dialects.loihi2 import Sign, lost_bits

Record = Callable[[str, object], None]
TOOL = "brian2_loihi"
RANGES = Ranges(refractory=63, delay=62, has_biases=False, has_states=False, has_rounding=False, has_overflow=False)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "number" in metafunc.fixturenames:
        metafunc.parametrize("number", range(-(-metafunc.config.getoption("--count") // 10)))


def test_brian_computes_the_same(
    number: int, python_of: Callable[[str], Path], tmp_path: Path, record_property: Record
) -> None:
    python = python_of(TOOL)
    case = draw(number, tmp_path, RANGES)
    script, artefact = TOOLS / "loihi_brian.py", case.build / "artefact"
    record_property(
        "values", verify_equal(case, run_tool(python, script, artefact, case.inputs, tmp_path / "brian.npz"), tmp_path)
    )


def test_weights_are_cut_toward_zero(python_of: Callable[[str], Path], tmp_path: Path) -> None:
    for sign, bits, weights, stored in stored_weights(python_of(TOOL), TOOL, tmp_path / "w.npz"):
        step = 1 << lost_bits(bits, Sign(sign))
        assert (stored == np.trunc(weights / step) * step).all(), (sign, bits)

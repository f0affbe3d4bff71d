"""Agreement of records in each fidelity that a device file can declare."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attrs import evolve

from nopt.api.compiling.fidelity import disagreement
from nopt.api.judging.chip_agreement import Disagreement
from nopt.api.running.comparison import First
from nopt.core.device.device import Device, find_device
from nopt.core.device.fields import Quantity
from nopt.core.device.records import Fidelity

SPIKES = np.zeros((2, 10, 3), np.bool_)
SPIKES[1, 4, 2] = True
LATE = np.roll(SPIKES, 1, axis=1)


def declared(tier: Any, **more: float) -> Device:
    device = find_device("asic", "edge")
    facts = {name: Quantity(value=value, source=device.fidelity.source) for name, value in more.items()}
    return evolve(device, fidelity=Fidelity(tier=tier, source=device.fidelity.source, **facts))


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        (declared("exact"), Disagreement("out", First(1, 4, 2, 1, 0), 2, 1.0)),
        (declared("windowed", window=5), Disagreement("out", First(1, 0, 2, 1.0, 0.0), 2, 1.0)),  # 4 and 5 differ
        (declared("windowed", window=6), None),
        (declared("windowed", window=100), None),
        (declared("nominal", tolerance=0.0), None),
    ],
)
def test_a_late_spike_is_found_where_windows_are_short(device: Device, expected: Disagreement | None) -> None:
    assert disagreement(device, "out", SPIKES, LATE) == expected


@pytest.mark.parametrize(("tolerance", "agrees"), [(0.09, False), (0.11, True)])
def test_a_tolerance_is_relative_to_sums_of_runs(tolerance: float, agrees: bool) -> None:
    wanted = np.ones((1, 10, 1), np.int64)
    got = wanted.copy()
    got[0, 3, 0] = 2
    found = disagreement(declared("nominal", tolerance=tolerance), "out", wanted, got)
    assert (found is None) == agrees
    if found is not None:
        assert found.largest == 1.0
        assert found.first == First(0, 0, 0, 10.0, 11.0)


@pytest.mark.parametrize("unit", [1e-12, 1.0, 1e6])
def test_a_tolerance_of_real_values_has_their_unit(unit: float) -> None:
    wanted = unit * np.array([[[1.0, 0.0], [-1.0, 3.0]]])  # the greatest sum of magnitudes is 3
    for error, agrees in ((0.29, True), (0.31, False)):
        got = wanted + unit * np.array([[[error, 0.0], [0.0, 0.0]]])
        assert (disagreement(declared("nominal", tolerance=0.1), "out", wanted, got) is None) == agrees


def test_real_values_that_are_zero_have_no_tolerance() -> None:
    wanted = np.zeros((1, 10, 1))
    assert disagreement(declared("nominal", tolerance=0.1), "out", wanted, wanted + 1e-15) is not None


def test_exact_values_are_not_rounded() -> None:
    wanted = np.full((1, 2, 1), 2**60, np.int64)
    found = disagreement(declared("exact"), "out", wanted, wanted + 1)
    assert found is not None
    assert found.windows == 2

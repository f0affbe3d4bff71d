"""Runs of the samples of a chip in several threads."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nopt.core.budget import GRACE_S, Budget, OutOfTime
from nopt.simulation import chip_grid
from nopt.simulation.chip_grid import ChipGrid


class SlowGrid(ChipGrid):
    """Chip of many neurons, whose tick waits."""

    inputs = ()
    senders = (SimpleNamespace(index=np.arange(chip_grid.FEW_NEURONS)),)

    def start(self, samples: int) -> Any:
        return SimpleNamespace(tick=lambda t, given: time.sleep(0.002))


def test_an_exception_ends_all_threads() -> None:
    """The other threads would go on for 200 s."""
    start = time.monotonic()
    with pytest.raises(OutOfTime), Budget(0.05):
        SlowGrid().run(lambda name, some, t: np.zeros(0), 2, 100_000, lambda some, t, tick: None)
    assert time.monotonic() - start < GRACE_S

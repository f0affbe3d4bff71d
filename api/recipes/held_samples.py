"""Samples for the trials of recipes, from those that a calibration does not keep for its fits."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...analysis.calibration_records import spread_places
from ...core.device.recipes import Effort
from ...simulation.signals import DenseSignal, Signal
from ...simulation.stimuli import Stimulus

HELD_SAMPLES: Mapping[Effort, int] = {"fast": 0, "normal": 128, "best": 512}
"""Maximum number of samples."""
HELD_TICKS: Mapping[Effort, int] = {"fast": 0, "normal": 2**13, "best": 2**15}
"""Maximum number of ticks of all samples; one sample is always left."""


def hold_samples(fed: Stimulus, kept_count: int, effort: Effort) -> dict[str, Signal] | None:
    """Returns some samples of an input that no pass has fitted to; None if the trials run the whole input.

    `kept_count`: the number of samples that the calibration keeps. If it keeps all of them, none can be held back, and the trials run all.
    """
    kept = spread_places(fed.samples, kept_count) if kept_count < fed.samples else []
    others = np.setdiff1d(np.arange(fed.samples), kept)
    count = max(1, min(HELD_SAMPLES[effort], HELD_TICKS[effort] // max(1, fed.ticks), len(others)))
    if count == fed.samples or not fed.has_samples:
        return None
    chosen = others[spread_places(len(others), count)].tolist()
    return {name: DenseSignal(rows_of(signal, chosen, fed.ticks)) for name, signal in fed.signals.items()}


def rows_of(signal: Signal, samples: list[int], ticks: int) -> NDArray[np.generic]:
    """Returns the data of some samples. Shapes: result [samples, ticks, *shape]."""
    return np.stack([signal.window(slice(k, k + 1), slice(0, ticks))[:, 0] for k in samples])

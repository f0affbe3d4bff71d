"""Records of runs of manufactured chips."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from attrs import field, frozen

from ..json_record import Record, key
from .level_records import Level

RATIOS = ("agreement", "count_error", "spike_agreement", "relative_error")
"""Figures of a loss that have no unit."""


@frozen
class Statistics(Record):
    """A figure over all chips, or all samples."""

    mean: float
    deviation: float
    """Standard deviation; 0 for a single one."""
    least: float
    greatest: float

    @staticmethod
    def of(values: Sequence[float | None]) -> Statistics | None:
        """Returns the statistics of a figure; None if it is missing for one of them."""
        known = [value for value in values if value is not None]
        if not known or len(known) < len(values):
            return None
        array = np.array(known, np.float64)
        deviation = float(array.std(ddof=1)) if len(array) > 1 else 0.0
        return Statistics(float(array.mean()), deviation, float(array.min()), float(array.max()))


@frozen(kw_only=True)
class ChipsOfAge(Record):
    """The chips at one age."""

    age: str | None
    """As the user types it; None: directly after programming."""
    accuracy: Statistics | None
    loss: dict[str, Statistics]
    """Figures of the loss that apply to the outputs."""
    rate_cosine: Statistics | None
    rates: dict[str, Statistics]
    """Events per neuron and tick, by population."""
    each: tuple[float | None, ...] = field(metadata=key("accuracy_of_each"))
    """Accuracy of each chip; None without labels."""
    losses: dict[str, tuple[float | None, ...]] = field(metadata=key("loss_of_each"))
    """Figures of the loss of each chip."""
    cosines: tuple[float | None, ...] = field(metadata=key("rate_cosine_of_each"))
    """Rate cosine of each chip."""

    @staticmethod
    def of(age: str | None, levels: Sequence[Level]) -> ChipsOfAge:
        names = levels[0].populations
        rates = {name: Statistics.of([one.populations[name].rate for one in levels]) for name in names}
        accuracies = tuple(one.accuracy for one in levels)
        cosines = tuple(one.rate_cosine for one in levels)
        losses = {name: tuple(getattr(one.loss, name) for one in levels) for name in RATIOS}
        spreads = {name: Statistics.of(values) for name, values in losses.items()}
        return ChipsOfAge(
            age=age,
            accuracy=Statistics.of(accuracies),
            loss={name: spread for name, spread in spreads.items() if spread is not None},
            rate_cosine=Statistics.of(cosines),
            rates={name: spread for name, spread in rates.items() if spread is not None},
            each=accuracies,
            losses={name: values for name, values in losses.items() if any(value is not None for value in values)},
            cosines=cosines,
        )


@frozen(kw_only=True)
class ChipRuns(Record):
    """Runs of several chips: the record `nopt.chips/1`."""

    SCHEMA = "nopt.chips/1"
    device: str
    imperfections: dict[str, Any]
    """Values of the device by name; null is unknown, and not simulated."""
    chips: int
    seed: int
    samples: int
    ticks: int
    network: Level
    ideal: Level
    """The chip without imperfections."""
    ages: tuple[ChipsOfAge, ...]
    share: float
    """Share of all chips that are at least as good as the worst of these, with 95 % confidence."""
    extent: str = field(metadata=key(None))
    """Samples and ticks for messages."""

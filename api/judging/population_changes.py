"""Populations that fire in another way than at the first level.

| state | definition |
| --- | --- |
| silent | the population has events at the first level, and none at this one |
| saturated | at least half of the neurons that fire have at least 90 % of the largest possible number of events, one per tick or the largest count, and this is not so at the first level |
| bursting | the population has more than twice the events of the first level, and at least 10 more; or at least half of its spikes are followed by another one of the same neuron in the next tick, where less than a quarter were |

A population has the first state that applies. Events are those of the compared ticks. In a network of frames, the runs of spikes are not compared.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define
from numpy.typing import NDArray
from xdsl.ir import Attribute

from ...dialects import ntensor
from .loss import PopulationChange, State

Reals = NDArray[np.float64]
Bools = NDArray[np.bool_]

NEAR_LARGEST = 0.9
"""A neuron is saturated if it has this share of the largest possible number of events."""
MANY_NEURONS = 0.5
"""A population is saturated if this share of its firing neurons is."""
RATE_FACTOR, FEW_EVENTS = 2, 10
"""A population is bursting if it has more than this many times its events before, and at least this many events more ..."""
RUNS_BEFORE, RUNS_AFTER = 0.25, 0.5
"""... or if this share of its spikes is followed by another one of the same neuron in the next tick, and less than the first share before."""


@define
class ActivityTally:
    """Events of a population, and how many of them are followed by another one."""

    element: Attribute
    followed: int = 0
    """Entries with an event that have one in the next tick, too."""
    leading: int = 0
    """Entries with an event, without those of the last tick."""

    def add(self, array: NDArray[Any]) -> None:
        """Adds the output of a population. Shapes: [samples, ticks, ...]."""
        if not ntensor.is_event(self.element) or array.shape[1] < 2:
            return
        fires: Bools = array if array.dtype == np.bool_ else array != 0
        leading = fires[:, :-1]
        self.leading += int(np.count_nonzero(leading))
        self.followed += int(np.count_nonzero(leading & fires[:, 1:]))

    @property
    def runs(self) -> float:
        """Share of events that are followed by another one of the same neuron in the next tick."""
        return self.followed / self.leading if self.leading else 0.0


@define
class Firing:
    """Activity of a population over the compared ticks."""

    events: float
    counts: Reals | None
    """Events of each neuron; None for graded spikes."""
    entries: int
    """Neurons times ticks, over all samples."""
    largest: int
    """The largest number of events of a neuron in a tick."""
    runs: float | None
    """None if it is not comparable, as in a network of frames."""

    @staticmethod
    def of(
        element: Attribute, events: float, counts: Reals | None, entries: int, runs: float | None, ticks: int = 1
    ) -> Firing:
        """Returns the firing of a population; each entry is the sum of some `ticks`."""
        is_graded = isinstance(element, ntensor.GradedType)  # sums of payloads are not counts
        return Firing(events, None if is_graded else counts, entries, most_events(element, ticks), runs)

    @property
    def rate(self) -> float:
        return self.events / self.entries

    @property
    def is_saturated(self) -> bool:
        if self.counts is None or not self.events:
            return False
        near = self.counts >= NEAR_LARGEST * self.largest * self.entries / self.counts.size
        return bool(np.count_nonzero(near) >= MANY_NEURONS * np.count_nonzero(self.counts))


def population_change(name: str, before: Firing, after: Firing) -> PopulationChange | None:
    """Returns how a population fires in another way; None if it does not."""
    state = changed_state(before, after)
    return (
        None if state is None else PopulationChange(population=name, state=state, before=before.rate, after=after.rate)
    )


def changed_state(before: Firing, after: Firing) -> State | None:
    if before.events and not after.events:
        return "silent"
    if after.is_saturated and not before.is_saturated:
        return "saturated"
    is_doubled = after.events > RATE_FACTOR * before.events and after.events - before.events >= FEW_EVENTS
    has_runs = False
    if before.runs is not None and after.runs is not None:
        has_runs = before.runs < RUNS_BEFORE and after.runs >= RUNS_AFTER and after.events >= FEW_EVENTS
    return "bursting" if is_doubled or has_runs else None


def most_events(element: Attribute, ticks: int) -> int:
    """Returns the largest number of events of a neuron in a tick, or in a frame of some ticks. Units: ticks [ticks]."""
    return (2**element.bits.data - 1 if isinstance(element, ntensor.CountType) else 1) * ticks

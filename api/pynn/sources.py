"""Spikes of sources: those of `SpikeSourceArray` are given, those of `SpikeSourcePoisson` are drawn tick by tick.

A Poisson source with a mean of at most `RARE` spikes in a tick sends one spike or none, with this mean as the probability. Sources with more
spikes send a number of spikes in each tick, which is Poisson distributed. Ticks are drawn once: a longer run keeps the spikes of a shorter one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from attrs import define, field, frozen

from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code, refuse
from .cells import SpikeSourceArray

PYN008 = Code("PYN008", "pynn-spike-time-invalid", "a time of a spike is invalid")

LATEST = 1e9
"""Bound of the times of spikes [ms]."""
RARE = 0.25
"""Largest mean number of spikes of a source in a tick for which a tick has at most one."""
DRAWN_AT_ONCE = 2**22
"""Numbers that are drawn at once."""


@frozen(eq=False)
class Spikes:
    """Spikes of a source. Shapes: tick, index and count [events]."""

    tick: Ints
    index: Ints
    count: Ints

    def until(self, ticks: int) -> Spikes:
        """Returns the spikes before a tick."""
        early = self.tick < ticks
        return Spikes(self.tick[early], self.index[early], self.count[early])


def join_trains(trains: list[Spikes]) -> Spikes:
    """Returns the spikes of several trains. There is at least one train."""
    columns = zip(*((one.tick, one.index, one.count) for one in trains), strict=True)
    tick, index, count = (np.concatenate(column) for column in columns)
    return Spikes(tick, index, count)


@define(eq=False)
class PoissonTrains:
    """Random spikes of a population, drawn up to a tick."""

    generator: np.random.Generator
    ticks: int = 0
    trains: list[Spikes] = field(factory=list[Spikes])

    def draw(self, population: Any, ticks: int, dt: float) -> Spikes:
        """Returns the spikes before a tick. Units: dt [ms]."""
        size = population.size
        step = max(1, DRAWN_AT_ONCE // max(1, size))
        while self.ticks < ticks:
            stop = min(ticks, self.ticks + step)
            time = np.arange(self.ticks, stop)[:, None] * dt
            start, duration = population.values["start"], population.values["duration"]
            is_on = (time >= start - dt / 2) & (time < start + duration - dt / 2)
            mean = np.where(is_on, population.values["rate"] * (dt / 1000), 0.0)
            if has_counts(population, dt):
                counts = self.generator.poisson(mean)
            else:
                counts = (self.generator.random(mean.shape) < mean).astype(np.int64)
            tick, index = np.nonzero(counts)
            self.trains.append(Spikes(tick + self.ticks, index, counts[tick, index]))
            self.ticks = stop
        empty = np.zeros(0, np.int64)
        return join_trains([Spikes(empty, empty, empty), *self.trains]).until(ticks)


def has_counts(population: Any, dt: float) -> bool:
    """Returns whether a source sends several spikes in a tick. Units: dt [ms]."""
    if isinstance(population.celltype, SpikeSourceArray):
        return bool((given_spikes(population, dt).count > 1).any())
    return bool((np.asarray(population.values["rate"]) * (dt / 1000) > RARE).any())


def given_spikes(population: Any, dt: float) -> Spikes:
    """Returns the spikes of a `SpikeSourceArray`, with times rounded to ticks. Errors: PYN008."""
    times = [np.asarray(getattr(one, "value", one), np.float64).reshape(-1) for one in population.values["spike_times"]]
    index = np.repeat(np.arange(len(times)), [len(one) for one in times])
    every = np.concatenate([np.zeros(0), *times])
    if (wrong := every[~((every >= 0) & (every < LATEST))]).size:
        refuse(
            PYN008,
            at=f'"{population.label}"',
            node=population.label,
            expected=f"times from 0 ms, below {LATEST:g} ms",
            found=f"{wrong[0]} ms",
            help="SpikeSourceArray(spike_times=[1.0])",
        )
    tick = np.rint(every / dt).astype(np.int64)
    pairs, counts = np.unique(np.stack([tick, index]), axis=1, return_counts=True)
    return Spikes(pairs[0], pairs[1], counts)


def spikes_of(population: Any, number: int, ticks: int, seed: int, dt: float) -> Spikes:
    """Returns the spikes of a source before a tick. `number` is the place of the population in the script. Units: dt [ms]."""
    if isinstance(population.celltype, SpikeSourceArray):
        return given_spikes(population, dt).until(ticks)
    if population.trains is None:
        population.trains = PoissonTrains(np.random.default_rng([seed, number]))
    found: Spikes = population.trains.draw(population, ticks, dt)
    return found

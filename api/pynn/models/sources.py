"""Spikes of sources: those of `SpikeSourceArray` are given, those of `SpikeSourcePoisson` are drawn tick by tick.

A Poisson source with a mean of at most `RARE` spikes in a tick sends one spike or none, with this mean as the probability. Sources with more
spikes send a number of spikes in each tick, which is Poisson distributed. Ticks are drawn in blocks, each from the seed of the script, the number of the
population and that of the block: a longer run keeps the spikes of a shorter one, and a change of the rate acts on the ticks that follow.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from typing import Any

import numpy as np
from attrs import define, field, frozen

from ....core.arrays.numeric import Ints
from ....core.diagnostics import Code, refuse
from .cells import SpikeSourceArray

PYN008 = Code("PYN008", "pynn-spike-time-invalid", "a time of a spike is invalid")

LATEST = 1e9
"""Bound of the times of spikes [ms]."""
RARE = 0.25
"""Largest mean number of spikes of a source in a tick for which a tick has at most one."""
DRAWN_AT_ONCE = 2**16
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

    def since(self, ticks: int) -> Spikes:
        """Returns the spikes from a tick on."""
        late = self.tick >= ticks
        return Spikes(self.tick[late], self.index[late], self.count[late])


def join_trains(trains: list[Spikes]) -> Spikes:
    """Returns the spikes of several trains. There is at least one train."""
    columns = zip(*((one.tick, one.index, one.count) for one in trains), strict=True)
    tick, index, count = (np.concatenate(column) for column in columns)
    return Spikes(tick, index, count)


@define(eq=False)
class Trains:
    """The spikes of a population until now. A change of its parameters acts on the ticks from then on."""

    key: bytes = b""
    """The parameters with which the spikes were made."""
    ticks: int = 0
    """The number of ticks that have their spikes."""
    trains: list[Spikes] = field(factory=list[Spikes])

    def spikes(self, population: Any, number: int, ticks: int, state: Any) -> Spikes:
        """Returns the spikes before a tick. Errors: PYN008."""
        if (key := key_of(population)) != self.key:
            self.trains = [one.until(state.tick) for one in self.trains]
            self.key, self.ticks = key, min(self.ticks, state.tick)
        while self.ticks < ticks:
            made, self.ticks = next_spikes(population, number, self.ticks, state)
            self.trains.append(made)
        empty = np.zeros(0, np.int64)
        return join_trains([Spikes(empty, empty, empty), *self.trains]).until(ticks)


def next_spikes(population: Any, number: int, first: int, state: Any) -> tuple[Spikes, int]:
    """Returns spikes of a source from a tick on, and the tick after them. Errors: PYN008."""
    if isinstance(population.celltype, SpikeSourceArray):
        return given_spikes(population, state.dt).since(first), sys.maxsize
    step = max(1, DRAWN_AT_ONCE // max(1, population.size))
    block = first // step
    generator = np.random.default_rng([state.seed, number, block])
    time = np.arange(block * step, (block + 1) * step)[:, None] * state.dt
    start, duration = population.values["start"], population.values["duration"]
    is_on = (time >= start - state.dt / 2) & (time < start + duration - state.dt / 2)
    mean = np.where(is_on, population.values["rate"] * (state.dt / 1000), 0.0)
    if has_counts(population, state.dt):
        counts = generator.poisson(mean)
    else:
        counts = (generator.random(mean.shape) < mean).astype(np.int64)
    tick, index = np.nonzero(counts)
    return Spikes(tick + block * step, index, counts[tick, index]).since(first), (block + 1) * step


def key_of(population: Any) -> bytes:
    """Returns a hash of the parameters of a source."""
    digest = blake2b()
    for name, values in population.values.items():
        digest.update(name.encode())
        for one in values if values.dtype == object else [values]:
            array = np.asarray(getattr(one, "value", one), np.float64)
            digest.update(f"{array.shape}".encode() + array.tobytes())
    return digest.digest()


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


def spikes_of(population: Any, number: int, ticks: int, state: Any) -> Spikes:
    """Returns the spikes of a source before a tick. `number` is the place of the population in the script. Errors: PYN008."""
    if population.trains is None:
        population.trains = Trains()
    found: Spikes = population.trains.spikes(population, number, ticks, state)
    return found

"""Loop of the samples and ticks of a chip, for chips whose cores run event by event.

A chip describes its parts by senders, and brings a grid that starts the state of some samples. Samples are independent and run in groups, in one thread for
each processor; samples that continue from what the one before them has learnt run one after another.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from threading import Event
from typing import Protocol

import numpy as np
from attrs import frozen

from ..core.arrays.numeric import AnyArray, Ints
from ..dialects.chip_base.parts import SenderOp
from .learning.plastic_table import LearnedWeights, Places

FEW_NEURONS = 1 << 14
"""Maximum number of neurons, over all samples, for a run in one thread."""
SAMPLES = 256
"""The largest number of samples that run together."""


@frozen(eq=False)
class Delivery:
    """The destinations of a sender's events on one core: its input axons. Shapes: neuron and axon [destinations]."""

    core: int
    neuron: Ints
    axon: Ints


@frozen(eq=False)
class Sender:
    """An input, or a group of neurons of one population; `index` is the flat index of each of its neurons."""

    name: str
    source: str
    index: Ints
    deliveries: tuple[Delivery, ...] = ()

    @staticmethod
    def of(op: SenderOp, deliveries: tuple[Delivery, ...] = ()) -> Sender:
        """Returns the sender of an op."""
        return Sender(op.node.data, op.source.data, op.index.values.astype(np.int64), deliveries)


@frozen(eq=False)
class Tick:
    """Observation of one tick of some samples: the output of each sender, and the states of each group, by name."""

    outputs: Mapping[str, AnyArray]
    states: Mapping[str, Mapping[str, AnyArray]]
    weights: Sequence[LearnedWeights] = ()
    """The weights that learn."""


class RunningChip(Protocol):
    """The state of some samples while they run."""

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        ...


class ChipGrid(ABC):
    """Inputs and groups of a chip. `CoreGrid` is one; a chip with another core brings its own."""

    @property
    @abstractmethod
    def inputs(self) -> tuple[Sender, ...]:
        """Returns the inputs of the network."""
        ...

    @property
    @abstractmethod
    def senders(self) -> Sequence[Sender]:
        """Returns inputs and groups of neurons."""
        ...

    @abstractmethod
    def start(self, samples: int) -> RunningChip:
        """Returns the state of some samples before the first tick."""
        ...

    def follow(self, running: RunningChip, ticks: int) -> RunningChip:
        """Returns the state of the sample after another one, with the weights that this one has learnt. `ticks` are those of a sample."""
        return self.start(1)

    def frozen(self) -> ChipGrid:
        """Returns the grid with weights that stay."""
        return self

    def run(
        self,
        window: Callable[[str, slice, int], AnyArray],
        samples: int,
        ticks: int,
        note: Callable[[slice, int, Tick], None],
        progress: Callable[[int, int], None] | None = None,
        *,
        learns_on: bool = False,
    ) -> None:
        """Runs all samples. `window` returns the events of an input in a tick, [samples, entries]; `note` receives each tick.

        `learns_on`: samples run one after another, each with the weights that the one before it has learnt.
        """

        stopped = Event()
        previous: list[RunningChip] = []

        def run_some(some: slice) -> int:
            running = self.follow(previous[0], ticks) if previous else self.start(some.stop - some.start)
            if learns_on:
                previous[:] = [running]
            for t in range(ticks):
                if stopped.is_set():
                    return 0
                given = {sender.source: window(sender.source, some, t) for sender in self.inputs}
                note(some, t, running.tick(t, given))
            return (some.stop - some.start) * ticks

        neurons = sum(len(sender.index) for sender in self.senders)
        if learns_on:
            run_samples(run_some, samples, ticks, progress, 0, stopped, 1)
        else:
            run_samples(run_some, samples, ticks, progress, neurons, stopped, self.together)

    @property
    def learned(self) -> Iterator[Places]:
        """Yields the synapses of each learning rule."""
        yield from ()

    @property
    def together(self) -> int:
        """Returns the largest number of samples that run together."""
        return SAMPLES


def run_samples(
    run_some: Callable[[slice], int],
    samples: int,
    ticks: int,
    progress: Callable[[int, int], None] | None,
    neurons: int,
    stopped: Event,
    most: int = SAMPLES,
) -> None:
    """Runs samples in groups, in one thread for each processor. `run_some` returns the number of completed ticks, and ends early when `stopped` is set.

    Runs with few neurons use one thread, because Python would run several threads one after the other.
    """
    workers, done = (os.cpu_count() or 1) if neurons * samples > FEW_NEURONS else 1, 0
    together = max(1, min(most, -(-samples // workers)))
    parts = [slice(low, min(low + together, samples)) for low in range(0, samples, together)]
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        try:
            for count in map(run_some, parts) if pool is None else pool.map(run_some, parts):
                done += count
                if progress is not None:
                    progress(done, samples * ticks)
        finally:
            stopped.set()  # an exception in this thread, such as an interrupt, ends the others

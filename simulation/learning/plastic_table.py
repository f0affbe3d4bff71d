"""Tables whose weights change while a chip runs: the learning rule of a table, and its state for some samples.

A model describes the learning rule of a table by a `Learning`. At the end of each tick, the loop of the chip passes the events of the tick to its state, a `Learner`.

    1. A tick sums with the weights from before it: of the tick in which an event arrives, or with `reads_when_sent` of that in which it was sent.
    2. Then the learners change the weights by the events on the axons of the core and by the spikes of the neurons.

Each sample has its own weights. The results do not depend on the number of samples that run together.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Protocol, Self

import numpy as np
from attrs import field, frozen

from ...core.arrays.numeric import AnyArray, Bools, Ints

Events = tuple[Ints, Ints, AnyArray]
"""Sample, axon and payload of each event."""
PLASTIC = 2**22
"""Maximum number of weights that learn, over all samples that run together."""


@frozen(eq=False)
class Places:
    """The synapses of a learning rule, by flat indices of neurons. Shapes: source and target [synapses]."""

    learning: object
    node: str
    """The name of the synapse op."""
    source: Ints
    target: Ints


def samples_together(synapses: int, most: int) -> int:
    """Returns the largest number of samples that run together, at most `most`, each with some weights that learn."""
    return most if not synapses else max(1, min(most, PLASTIC // synapses))


class Learner(Protocol):
    """The state of a learning rule while some samples run."""

    weight: AnyArray
    """The stored weights. A change replaces the array. Shapes: [samples, synapses]."""

    def follow(self, before: Self, ticks: int) -> None:
        """Adopts the weights of the sample before this one, and the time of its random numbers. `ticks` are those of a sample."""
        ...

    def learn(self, t: int, past: Sequence[Sequence[Events]], spikes: Bools) -> None:
        """Changes the weights at the end of a tick. `past` holds the events of the core in this tick and in earlier ones. Shapes: spikes [samples, neurons]."""
        ...


class Learning(Protocol):
    """The learning rule of a table."""

    @property
    def synapses(self) -> Synapses: ...

    @property
    def reads_when_sent(self) -> bool:
        """Returns whether an event adds the weights of the tick in which it was sent."""
        ...

    def start(self, samples: int) -> Learner:
        """Returns the state of some samples before the first tick."""
        ...


@frozen(eq=False)
class Synapses:
    """The synapses of a table that learns. Shapes: axon, neuron, weight and delay [synapses]; unit () or [synapses].

    Units: delay [ticks] from an event to its arrival.
    """

    node: str
    """The name of the synapse op of the network."""
    place: str
    """The group and the table, which name the random numbers."""
    axon: Ints
    neuron: Ints
    weight: AnyArray
    delay: Ints
    neurons: int
    unit: AnyArray = field(factory=lambda: np.ones(()))
    """The weight of the network that a stored weight of 1 is."""

    @property
    def count(self) -> int:
        return len(self.axon)


class LearnedWeights(Protocol):
    """Weights that learn while some samples run."""

    @property
    def learning(self) -> object:
        """Returns their rule."""
        ...

    @property
    def real(self) -> AnyArray:
        """Returns the weights in numbers of the network. Shapes: [samples, synapses]."""
        ...


class Weights:
    """The weights of a table while some samples run: those of this tick and of the ticks from which events are under way."""

    def __init__(self, learning: Learning, samples: int, longest: int):
        self.learning, self.learner = learning, learning.start(samples)
        kept = longest + 1 if learning.reads_when_sent else 1
        self.past: deque[AnyArray] = deque([self.learner.weight], kept)

    def follow(self, before: Weights, ticks: int) -> None:
        """Starts with the weights of the sample before this one."""
        self.learner.follow(before.learner, ticks)
        self.past[0] = self.learner.weight

    def arriving(self, delay: int) -> AnyArray:
        """Returns the weights that events with a delay add in this tick. Shapes: [samples, synapses]."""
        return self.past[min(delay, len(self.past) - 1)] if self.learning.reads_when_sent else self.past[0]

    def learn(self, t: int, past: Sequence[Sequence[Events]], spikes: AnyArray) -> None:
        self.learner.learn(t, past, spikes != 0)
        self.past.appendleft(self.learner.weight)

    @property
    def real(self) -> AnyArray:
        """Returns the weights in numbers of the network. Shapes: [samples, synapses]."""
        return self.learner.weight * self.learning.synapses.unit


def active(events: Sequence[Events], place: Ints, shape: tuple[int, int]) -> Bools:
    """Returns which of some axons have an event. Shapes: place [axons of the core]: the column of an axon, or -1; result [samples, columns]."""
    found = np.zeros(shape, np.bool_)
    for sample, axon, _ in events:
        column = place[axon]
        mine = column >= 0
        found[sample[mine], column[mine]] = True
    return found


def axon_columns(axon: Ints) -> tuple[Ints, Ints, int]:
    """Returns the column of each synapse, the column of each axon of the core or -1, and the number of columns."""
    used, column = np.unique(axon, return_inverse=True)
    place = np.full(int(axon.max(initial=-1)) + 2, -1)
    place[used] = np.arange(len(used))
    return column.astype(np.int64), place, len(used)


def places_of(place: Ints, events: Sequence[Events]) -> Ints:
    """Returns the columns by axon, extended to the axons of some events."""
    most = max((int(axon.max(initial=0)) for _, axon, _ in events), default=0)
    return place if most < len(place) else np.concatenate([place, np.full(most + 1 - len(place), -1)])

"""Loop of spike-driven chips: each event adds the weights of its synapses to sums of later ticks.

    sum[entry](t) = min(most, sum over the fan-out of all senders of weight * payload(t - wait))

    1. Each input sends its events.
    2. For each block of neurons, the sums of this tick are read and reset to 0, the neurons are updated, and their events are sent.
    3. Rows that learn receive the spikes of their block, then the events of the tick, which change their weights and add them. Their waits are 1 or more.

A model describes its chip by senders, their fan-out, and blocks of neurons. Sums are exact integers of 64 bits. The order of events within a tick
has no effect: a block with saturating sums has unsigned weights, so a saturated sum is the same in each order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol, Self

import numpy as np
from attrs import define, evolve, field, frozen

from ..core.arrays.numeric import AnyArray, Ints
from .chip_grid import SAMPLES, ChipGrid, RunningChip, Sender, Tick
from .core_grid import Group, initial_states
from .learning.plastic_table import Places, samples_together
from .update import Step


class RowLearner(Protocol):
    """The state of the rule of some rows while some samples run."""

    @property
    def learning(self) -> RowLearning: ...

    @property
    def real(self) -> AnyArray:
        """Returns the weights in numbers of the network. Shapes: [samples, synapses]."""
        ...

    def follow(self, before: Self) -> None:
        """Adopts the weights of the sample before this one."""
        ...

    def spike(self, t: int, spikes: AnyArray) -> None:
        """Records the spikes of the block in a tick, before the events of that tick. Shapes: spikes [samples, neurons]."""
        ...

    def arrive(self, t: int, sample: Ints, neuron: Ints, event: Ints, synapse: Ints) -> Ints:
        """Changes the weights of the rows of some events, and returns those that they add. Shapes: sample and neuron [events]; event and synapse [changes]."""
        ...


class RowLearning(Protocol):
    """The learning rule of a fan-out whose rows change when an event reaches them."""

    @property
    def node(self) -> str: ...

    @property
    def source(self) -> Ints: ...

    @property
    def target(self) -> Ints: ...

    def start(self, samples: int) -> RowLearner: ...


@frozen(eq=False)
class FanOut:
    """The synapses from one sender into one block. Shapes: start [neurons + 1]; wait, entry and weight [synapses], by neuron of the sender.

    Units: wait [ticks], 0 only into a block that is updated after its sender.
    """

    block: str
    start: Ints
    wait: Ints
    entry: Ints
    weight: Ints
    learning: RowLearning | None = None
    """The rule by which the weights change."""

    @staticmethod
    def of(
        block: str,
        size: int,
        neuron: Ints,
        entry: Ints,
        weight: AnyArray | int = 1,
        wait: Ints | int = 1,
        *,
        learning: Callable[[FanOut, Ints], RowLearning] | None = None,
    ) -> FanOut:
        """Returns synapses of `size` neurons. `learning` creates their rule from them and the neuron of each.

        Shapes: neuron and entry [synapses], in any order; weight and wait () or [synapses].
        """
        order = np.argsort(neuron, kind="stable")
        start = np.searchsorted(neuron[order], np.arange(size + 1))
        wait, entry, weight = (
            np.broadcast_to(values, neuron.shape).astype(np.int64)[order] for values in (wait, entry, weight)
        )
        found = FanOut(block, start, wait, entry, weight)
        return found if learning is None else evolve(found, learning=learning(found, neuron[order]))


class RunningBlock(Protocol):
    """The neurons of a block while some samples run."""

    def tick(self, sums: Ints) -> Tick:
        """Runs one tick, and observes the groups of the block. Shapes: sums [samples, entries]."""
        ...


@frozen(eq=False)
class Block:
    """Neurons that share the sums: a group, or the groups of a core."""

    name: str
    groups: tuple[Sender, ...]
    entries: int
    """The number of sums in a tick."""
    start: Callable[[int], RunningBlock]
    """Returns the state of a number of samples before the first tick."""
    most: int | None = None
    """Upper bound at which a sum saturates; None without saturation."""


def group_block(group: Group, receptors: int = 1, most: int | None = None) -> Block:
    """Returns the block of a group with an update: one sum for each receptor and neuron."""
    entries = receptors * len(group.index)
    return Block(group.name, (group,), entries, lambda samples: RunningGroup(group, receptors, samples), most)


class RunningGroup:
    """The neurons of a group with an update while some samples run."""

    def __init__(self, group: Group, receptors: int, samples: int):
        shape = samples, len(group.index)
        self.group, self.receptors = group, receptors
        self.step, self.states = Step(group.update, group.params, shape), initial_states(group, shape)

    def tick(self, sums: Ints) -> Tick:
        """Runs one tick. Shapes: sums [samples, receptors * neurons]."""
        inputs = np.split(sums, self.receptors, axis=1)[: len(self.group.update.inputs)]
        emission = self.step(inputs, self.states)
        name, states = self.group.name, {**self.states, **emission.records}  # a recorded v is that before the update
        return Tick({name: emission.value}, {name: states})


@define(eq=False)
class SumTally:
    """Sums of a block with saturation, over samples and ticks: those other than 0, those that saturated, and the largest. Shapes: each [entries]."""

    sums: Ints
    saturated: Ints
    largest: Ints

    @staticmethod
    def of(entries: int) -> SumTally:
        return SumTally(*(np.zeros(entries, np.int64) for _ in range(3)))

    def add(self, sums: Ints, most: int) -> None:
        """Counts the sums of a tick before they saturate. Shapes: sums [samples, entries]."""
        self.sums += np.count_nonzero(sums, axis=0)
        self.saturated += np.count_nonzero(sums > most, axis=0)
        self.largest = np.maximum(self.largest, sums.max(axis=0, initial=0))


@frozen(eq=False)
class FanOutGrid(ChipGrid):
    """Inputs and blocks of a chip, and the fan-out of each sender by its name."""

    inputs: tuple[Sender, ...]
    blocks: tuple[Block, ...]
    fans: Mapping[str, Sequence[FanOut]]
    tallies: list[Mapping[str, SumTally]] = field(factory=list, init=False)
    """The tallies of saturating blocks by name, of each group of samples that was started."""

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *(group for block in self.blocks for group in block.groups)]

    @property
    def learned(self) -> Iterator[Places]:
        for fan in (fan for fans in self.fans.values() for fan in fans):
            if (rule := fan.learning) is not None:
                yield Places(rule, rule.node, rule.source, rule.target)

    @property
    def together(self) -> int:
        return samples_together(sum(len(one.source) for one in self.learned), SAMPLES)

    def start(self, samples: int) -> Running:
        return Running(self, samples)

    def follow(self, running: RunningChip, ticks: int) -> Running:
        assert isinstance(running, Running)  # of this grid
        following = self.start(1)
        for key, learner in following.learners.items():
            learner.follow(running.learners[key])
        return following

    def frozen(self) -> FanOutGrid:
        return evolve(
            self, fans={name: [evolve(fan, learning=None) for fan in fans] for name, fans in self.fans.items()}
        )


class Running:
    """The state of some samples while they run."""

    def __init__(self, grid: FanOutGrid, samples: int):
        self.grid, longest = grid, {block.name: 0 for block in grid.blocks}
        for fan in (fan for fans in grid.fans.values() for fan in fans):
            longest[fan.block] = max(longest[fan.block], int(fan.wait.max(initial=0)))
        self.rings = {
            block.name: np.zeros((longest[block.name] + 1, samples, block.entries), np.int64) for block in grid.blocks
        }
        """Sums of this tick and of the next ones by block. Shapes: [ticks, samples, entries]."""
        self.blocks = [(block, block.start(samples)) for block in grid.blocks]
        self.tallies = {block.name: SumTally.of(block.entries) for block in grid.blocks if block.most is not None}
        grid.tallies.append(self.tallies)
        fans = [fan for fans in grid.fans.values() for fan in fans if fan.learning is not None]
        self.learners = {id(fan): fan.learning.start(samples) for fan in fans if fan.learning is not None}
        self.blocks_of_learners = {id(fan): fan.block for fan in fans}

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        outputs: dict[str, AnyArray] = {}
        states: dict[str, Mapping[str, AnyArray]] = {}
        for sender in self.grid.inputs:  # 1
            outputs[sender.name] = given[sender.source][:, sender.index]
            self.send(t, sender, outputs[sender.name])
        for block, running in self.blocks:  # 2
            ring = self.rings[block.name]
            slot = ring[t % len(ring)]
            if block.most is not None:
                self.tallies[block.name].add(slot, block.most)
            tick = running.tick(np.minimum(slot, block.most) if block.most is not None else slot.copy())
            slot[:] = 0
            outputs |= tick.outputs
            states |= tick.states
            for group in block.groups:
                self.send(t, group, outputs[group.name])
        for key, learner in self.learners.items():  # 3
            learner.spike(t, outputs[self.blocks_of_learners[key]])
        if self.learners:
            for sender in self.grid.senders:
                self.send(t, sender, outputs[sender.name], learns=True)
        return Tick(outputs, states, [*self.learners.values()])

    def send(self, t: int, sender: Sender, values: AnyArray, *, learns: bool = False) -> None:
        """Adds the weights of the synapses of some events, of rows that learn or of the others. Shapes: values [samples, neurons]."""
        sample, neuron = np.nonzero(values)
        if not len(sample):
            return
        payload = values[sample, neuron]
        for fan in self.grid.fans.get(sender.name, ()):
            if (fan.learning is not None) != learns:
                continue
            first = fan.start[neuron]
            count = fan.start[neuron + 1] - first
            total = np.cumsum(count)
            synapse = np.repeat(first - (total - count), count) + np.arange(int(total[-1]))
            ring = self.rings[fan.block]
            ticks, samples, entries = ring.shape
            place = (t + fan.wait[synapse]) % ticks * samples + np.repeat(sample, count)
            if learns:
                event = np.repeat(np.arange(len(sample)), count)
                weight = self.learners[id(fan)].arrive(t, sample, neuron, event, synapse)
            else:
                weight = fan.weight[synapse] * np.repeat(payload, count)
            np.add.at(ring.reshape(-1), place * entries + fan.entry[synapse], weight)

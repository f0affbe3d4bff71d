"""Event-driven loop of chips with cores: in a tick, events that arrive on axons are added, neurons are updated, and their output is sent.

A chip's model describes its cores with the records of this file: senders (inputs and groups of neurons), tables of synapses and deliveries.

    sum[n](t) = (sum over entries of weight * payload[axon](t - delay) / divisor, + bias[n] from tick first[n] on) * 2^exponent[n]

1. The payloads of events on one axon in one tick are added first. Sums of tables with the same port are added from the first table to the last.
2. Integers are added exactly. Reals, and terms that a neuron accumulates one by one, are added by table, then by entry.
3. Groups are updated in topological order, so that events without a delay arrive in time.

The work is proportional to the number of events. If at least 1/`ACTIVE` of a table's axons are active in a tick, the sum is a matrix product, if that is exact.
Samples are independent and run in groups, in one thread for each processor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from ..core.arrays.numeric import AnyArray, Ints
from ..core.diagnostics import Code, refuse
from ..dialects.ntensor import UpdateOp
from .chip_grid import SAMPLES, ChipGrid, RunningChip, Sender, Tick
from .elements import working_dtype
from .learning.plastic_table import Events, Learning, Places, Weights, samples_together
from .update import Accumulation, Step

CHI021 = Code("CHI021", "events-form-delayless-loop", "events without a delay form a loop")

ACTIVE = 64
"""The sum of a table is a matrix product if at least 1/`ACTIVE` of its axons are active."""
MATRIX = 2**22
"""Maximum number of weights in such a matrix."""
EXACT = 2**53
"""Integers below this are exact as f64."""


@frozen(eq=False)
class Entries:
    """Synapses with the same delay, by axon, then by neuron. Shapes: start [axons + 1]; neuron, weight and order [synapses].

    Units: delay [ticks].
    """

    delay: int
    start: Ints
    neuron: Ints
    weight: AnyArray
    order: Ints
    """The place of each synapse in its table."""

    @cached_property
    def matrix(self) -> AnyArray | None:
        """Returns the weights as a matrix of reals, [axons, neurons]; None if it is too large."""
        axons, neurons = len(self.start) - 1, int(self.neuron.max(initial=-1)) + 1
        if axons * neurons > MATRIX:
            return None
        found = np.zeros((axons, neurons))
        np.add.at(found, (np.repeat(np.arange(axons), np.diff(self.start)), self.neuron), self.weight)
        return found

    @cached_property
    def largest(self) -> float:
        """Returns the maximum over neurons of the sum of absolute weights, which bounds the sums for payloads of 1."""
        sums = np.bincount(self.neuron, np.abs(self.weight.astype(np.float64)))
        return float(sums.max(initial=0))


@frozen(eq=False)
class Table:
    """The synapses of one projection into a group. Shapes: bias, first and exponent () or [neurons]."""

    port: int
    entries: tuple[Entries, ...]
    real: np.dtype[Any] | None = None
    """The type of real sums; None for integers."""
    divisor: int | None = None
    bias: AnyArray | None = None
    first: Ints | None = None
    exponent: Ints | None = None
    learning: Learning | None = None
    """The rule by which the weights change; tables that share it are parts of one table of the chip."""


def entries_by_delay(axon: Ints, neuron: Ints, weight: AnyArray, delay: Ints, axons: int) -> tuple[Entries, ...]:
    """Groups synapses by delay: returns one record for each delay. The synapses are sorted by axon, then by neuron."""
    found: list[Entries] = []
    for ticks in np.unique(delay).tolist():
        order = np.flatnonzero(delay == ticks)
        start = np.searchsorted(axon[order], np.arange(axons + 1))
        found.append(Entries(ticks, start, neuron[order], weight[order], order))
    return tuple(found)


@frozen(eq=False)
class Group(Sender):
    """Neurons of one population on a core, with their tables. Shapes: parameters and states () or [neurons]."""

    core: int = field(kw_only=True)
    update: UpdateOp = field(kw_only=True)
    params: Mapping[str, AnyArray] = field(kw_only=True)
    initial: Mapping[str, AnyArray] = field(kw_only=True)
    tables: tuple[Table, ...] = field(kw_only=True)


def initial_states(group: Group, shape: tuple[int, int]) -> dict[str, AnyArray]:
    """Returns the states of a group before the first tick, in the types of computation. Shapes: shape [samples, neurons]."""
    return {
        name: np.broadcast_to(group.initial[name], shape).astype(working_dtype(type), order="C")
        for name, type in group.update.state_types.items()
    }


@frozen(eq=False)
class CoreGrid(ChipGrid):
    """Inputs and groups of a chip. Errors: CHI021 a loop of events without a delay."""

    inputs: tuple[Sender, ...]
    groups: tuple[Group, ...]

    @cached_property
    def ordered(self) -> list[Group]:
        """Returns the groups in the order of their updates in a tick."""
        at = {name: k for k, name in enumerate(group.name for group in self.groups)}
        immediate: dict[int, list[tuple[str, AnyArray]]] = {}
        for group in self.groups:
            for entries in (one for table in group.tables for one in table.entries if one.delay == 0):
                immediate.setdefault(group.core, []).append((group.name, np.diff(entries.start) > 0))
        before: dict[str, set[str]] = {group.name: set() for group in self.groups}
        for sender in self.groups:
            for delivery in sender.deliveries:
                for reader, read in immediate.get(delivery.core, ()):
                    if read[delivery.axon].any():
                        before[reader].add(sender.name)
        try:
            order = list(TopologicalSorter(before).static_order())
        except CycleError as cycle:
            names: str = " -> ".join(cycle.args[1])
            refuse(CHI021, "events without a delay form a loop", expected="a delay of at least 1 tick", found=names)
        return [self.groups[at[name]] for name in order]

    @cached_property
    def longest(self) -> int:
        """Returns the longest delay of a synapse."""
        return max((one.delay for group in self.groups for table in group.tables for one in table.entries), default=0)

    @property
    def senders(self) -> Sequence[Sender]:
        return [*self.inputs, *self.groups]

    @cached_property
    def learning(self) -> list[tuple[Group, Learning]]:
        """Returns the learning rules of the tables with their groups, each once."""
        found = {id(rule): (group, rule) for group in self.groups for table in group.tables if (rule := table.learning)}
        return [*found.values()]

    @property
    def learned(self) -> Iterator[Places]:
        for group, rule in self.learning:
            synapses = rule.synapses
            source = sources_of(self.senders, group.core, synapses.axon)
            yield Places(rule, synapses.node, source, group.index[synapses.neuron])

    @property
    def together(self) -> int:
        return samples_together(sum(rule.synapses.count for _, rule in self.learning), SAMPLES)

    def start(self, samples: int) -> Running:
        return Running(self, self.ordered, samples)

    def follow(self, running: RunningChip, ticks: int) -> Running:
        assert isinstance(running, Running)  # of this grid
        following = self.start(1)
        for name, neurons in following.neurons.items():
            for key, weights in neurons.weights.items():
                weights.follow(running.neurons[name].weights[key], ticks)
        return following

    def frozen(self) -> CoreGrid:
        groups = (
            evolve(group, tables=tuple(evolve(table, learning=None) for table in group.tables)) for group in self.groups
        )
        return evolve(self, groups=tuple(groups))


def sources_of(senders: Sequence[Sender], core: int, axon: Ints) -> Ints:
    """Returns the flat index of the source neuron of some axons of a core. Shapes: axon and result [synapses]."""
    found = np.zeros(int(axon.max(initial=-1)) + 1, np.int64)
    for sender in senders:
        for delivery in sender.deliveries:
            if delivery.core == core:
                mine = delivery.axon < len(found)
                found[delivery.axon[mine]] = sender.index[delivery.neuron[mine]]
    return found[axon]


class Running:
    """The state of some samples while they run."""

    def __init__(self, grid: CoreGrid, order: Sequence[Group], samples: int):
        self.grid, self.order, self.samples = grid, order, samples
        self.history: dict[int, deque[list[Events]]] = {group.core: deque(maxlen=grid.longest + 1) for group in order}
        self.neurons = {group.name: Neurons(group, samples, grid.longest) for group in order}

    def tick(self, t: int, given: Mapping[str, AnyArray]) -> Tick:
        """Runs one tick. Shapes: given, by the name of the input: [samples, entries]."""
        for past in self.history.values():
            past.appendleft([])
        outputs: dict[str, AnyArray] = {}
        for sender in self.grid.inputs:
            outputs[sender.name] = given[sender.source][:, sender.index]
            self.send(sender, outputs[sender.name])
        for group in self.order:
            outputs[group.name] = self.neurons[group.name].tick(t, self.history[group.core])
            self.send(group, outputs[group.name])
        learned = [(name, one) for name, neurons in self.neurons.items() for one in neurons.weights.values()]
        for name, one in learned:
            one.learn(t, self.history[self.neurons[name].group.core], outputs[name])
        weights = [one for _, one in learned]
        return Tick(outputs, {name: one.recorded for name, one in self.neurons.items()}, weights)

    def send(self, sender: Sender, values: AnyArray) -> None:
        for delivery in sender.deliveries:
            if delivery.core not in self.history:
                continue
            payload = values[:, delivery.neuron]
            sample, place = np.nonzero(payload)
            if len(sample):
                self.history[delivery.core][0].append((sample, delivery.axon[place], payload[sample, place]))


def integer_exponent(values: AnyArray, exponent: Ints) -> AnyArray:
    """Returns integers times a power of two, rounded down."""
    return np.where(exponent >= 0, values << np.maximum(exponent, 0), values >> np.maximum(-exponent, 0))


def merged(events: Sequence[Events]) -> Events:
    """Adds the payloads of events on the same axon in the same sample, and drops sums of zero."""
    sample, axon, payload = (np.concatenate(part) for part in zip(*events, strict=True))
    axons = int(axon.max()) + 1
    place, which = np.unique(sample * axons + axon, return_inverse=True)
    total = np.zeros(len(place), np.int64 if payload.dtype.kind in "bi" else payload.dtype)
    np.add.at(total, which, payload)
    kept = np.flatnonzero(total)
    return *np.divmod(place[kept], axons), total[kept]


class Neurons:
    """The neurons of one group while some samples run."""

    def __init__(self, group: Group, samples: int, longest: int):
        shape = samples, len(group.index)
        self.group, self.shape = group, shape
        rules = {id(rule): rule for table in group.tables if (rule := table.learning)}
        self.weights = {key: Weights(rule, samples, longest) for key, rule in rules.items()}
        self.step = Step(group.update, group.params, shape)
        self.states = initial_states(group, shape)
        self.recorded: Mapping[str, AnyArray] = self.states
        """The states and records of the last tick; a record has precedence over the state of its name."""
        self.accumulations = [Accumulation(group.update, *one, shape) for one in group.update.accumulators]
        self.ports = len(group.update.inputs)

    def tick(self, t: int, past: Sequence[list[Events]]) -> AnyArray:
        """Returns the output of the group in one tick."""
        sums: list[AnyArray] = [np.zeros(self.shape, np.int64) for _ in range(self.ports)]
        is_first = [True] * self.ports
        for table in self.group.tables:
            if table.port >= self.ports:
                continue  # accumulated below
            found = self.sum_of(table, t, past)
            sums[table.port] = found if is_first[table.port] else sums[table.port] + found
            is_first[table.port] = False
        for k, accumulation in enumerate(self.accumulations):
            for term in self.terms_of(self.ports + k, t, past):
                accumulation(term, self.states[accumulation.into])
        emission = self.step(sums, self.states)
        self.recorded = {**self.states, **emission.records}
        return emission.value

    def events(self, entries: Entries, past: Sequence[list[Events]]) -> list[Events]:
        return past[entries.delay] if entries.delay < len(past) else []

    def contributions(self, table: Table, past: Sequence[list[Events]]) -> tuple[Ints, AnyArray, AnyArray]:
        """Returns the index in the sums, the weight and the payload of each arriving synapse, in the order of the table."""
        neurons, is_ordered = self.shape[1], table.real is not None or bool(self.accumulations)
        learned = None if table.learning is None else self.weights[id(table.learning)]
        parts: list[tuple[Ints, AnyArray, AnyArray, Ints]] = []
        for entries in table.entries:
            events = self.events(entries, past)
            for sample, axon, payload in [merged(events)] if is_ordered and events else events:
                first = entries.start[axon]
                size = entries.start[axon + 1] - first
                total = np.cumsum(size)
                chosen = np.repeat(first - (total - size), size) + np.arange(int(total[-1]))
                place = np.repeat(sample * neurons, size) + entries.neuron[chosen]
                order = entries.order[chosen]
                if learned is None:
                    weight = entries.weight[chosen]
                else:
                    weight = learned.arriving(entries.delay)[np.repeat(sample, size), order]
                parts.append((place, weight, np.repeat(payload, size), order))
        if not parts:
            none = np.zeros(0, np.int64)
            return none, none, none
        place, weight, payload, order = (np.concatenate(part) for part in zip(*parts, strict=True))
        if not is_ordered:
            return place, weight, payload
        by = np.argsort(order, kind="stable")
        return place[by], weight[by], payload[by]

    def sum_of(self, table: Table, t: int, past: Sequence[list[Events]]) -> AnyArray:
        """Returns the sum of a table in one tick."""
        if table.real is not None:
            found = np.zeros(self.shape, table.real)
            place, weight, payload = self.contributions(table, past)
            payload = payload.astype(table.real)
            payload = payload if table.divisor is None else payload / table.real.type(table.divisor)
            np.add.at(found.reshape(-1), place, weight.astype(table.real) * payload)
        else:
            found = self.integer_sum(table, past)
        if table.bias is not None:
            bias = table.bias if table.first is None else np.where(t >= table.first, table.bias, 0)
            found = found + bias.astype(found.dtype)
        if table.exponent is None:
            return found
        if table.real is not None:
            return found * np.ldexp(table.real.type(1), table.exponent.astype(np.int32))
        return integer_exponent(found, table.exponent)

    def integer_sum(self, table: Table, past: Sequence[list[Events]]) -> AnyArray:
        """Returns the sum of integers, by event or as a matrix product."""
        found = np.zeros(self.shape, np.int64)
        for entries in table.entries:
            events = self.events(entries, past)
            count, axons = sum(len(sample) for sample, _, _ in events), len(entries.start) - 1
            if not count:
                continue
            is_dense = table.learning is None and count * ACTIVE >= axons * self.shape[0]
            if is_dense and (matrix := entries.matrix) is not None:
                arrived = np.zeros((self.shape[0], axons))
                for sample, axon, payload in events:
                    np.add.at(arrived, (sample, axon), payload)
                if np.abs(arrived).max() * entries.largest < EXACT:
                    found[:, : matrix.shape[1]] += (arrived @ matrix).astype(np.int64)
                    continue
            place, weight, payload = self.contributions(Table(0, (entries,), learning=table.learning), past)
            np.add.at(found.reshape(-1), place, weight.astype(np.int64) * payload.astype(np.int64))
        return found

    def terms_of(self, port: int, t: int, past: Sequence[list[Events]]) -> Iterator[AnyArray]:
        """Yields the first term of each neuron in this tick, then the second terms, and so on; a missing term is 0."""
        places, terms = list[Ints](), list[AnyArray]()
        every = np.arange(self.shape[0] * self.shape[1])
        for table in (one for one in self.group.tables if one.port == port):
            place, weight, payload = self.contributions(table, past)
            values = weight.astype(np.int64) * payload.astype(np.int64)
            if table.bias is not None:
                bias = table.bias if table.first is None else np.where(t >= table.first, table.bias, 0)
                place = np.concatenate([place, every])
                values = np.concatenate([values, np.broadcast_to(bias, self.shape).reshape(-1)])
            if table.exponent is not None:
                exponent = np.broadcast_to(table.exponent, self.shape).reshape(-1)[place]
                values = integer_exponent(values, exponent)
            places.append(place)
            terms.append(values)
        place, values = (np.concatenate(part) if part else np.zeros(0, np.int64) for part in (places, terms))
        order = np.argsort(place, kind="stable")
        place, values = place[order], values[order]
        rank = np.arange(len(place)) - np.searchsorted(place, place)
        for k in range(int(rank.max(initial=-1)) + 1):
            term = np.zeros(self.shape, np.int64)
            term.reshape(-1)[place[rank == k]] = values[rank == k]
            yield term

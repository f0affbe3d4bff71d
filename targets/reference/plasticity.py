"""Plastic synapses: sums with weights that change, and the rule that changes them at the end of each tick.

`docs/rationale/plasticity.md` defines the order of events. Every sample has weights and states of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.ir import Block

from ...core.arrays.numeric import AnyArray, Bools, Ints
from ...core.diagnostics import refuse_op
from ...core.ir.operation import element_type, texts_of
from ...core.synapse.tree import POST, PRE, TICK
from ...dialects.fixed import IntType
from ...dialects.ntensor import interval_of
from ...simulation.learning.plastic_ops import PlasticOp, changed_names, initial_values
from ...simulation.learning.rules import (
    Evaluator,
    Learning,
    kind_of_states,
    random_numbers,
    recordable,
    stored_weights,
    weight_scale,
)
from ...simulation.output_ring import History
from ...simulation.records import WEIGHT
from ...simulation.update import dtype_of
from .exact import SIM022, integers, shift_sum
from .sparse import Synapses, sparse_of


@frozen(eq=False)
class Units:
    """Traces of one side: one for each neuron and delay that synapses have.

    Shapes: neuron and delay [units], unit [synapses].
    """

    neuron: Ints
    delay: Ints
    unit: Ints

    @staticmethod
    def of(neuron: Ints, delay: Ints) -> Units:
        pairs, unit = np.unique(np.stack([neuron, delay]), axis=1, return_inverse=True)
        return Units(pairs[0], pairs[1], unit.reshape(-1))

    def events(self, rows: AnyArray, place: int) -> Bools:
        """Returns which traces have an event in this tick. Shapes: rows as of `History`, result [samples, units]."""
        return np.asarray(rows[(place - self.delay) % len(rows), :, self.neuron].T, np.bool_)


@frozen(eq=False)
class Wanted:
    """A record of the weight or of a state of synapses."""

    entry: str
    name: str
    every: int
    dtype: np.dtype[Any]

    @staticmethod
    def of(entry: str, kinds: Mapping[str, np.dtype[Any]]) -> Wanted:
        name, _, every = entry.partition("@")
        return Wanted(entry, name, int(every or 1), kinds[name])

    def row(self, ticks: int) -> int:
        """Returns the rows of the first ticks of a run."""
        return ticks // self.every


@frozen(eq=False)
class Learnt:
    """The weights of a sample after its last tick. Shapes: weight [samples, synapses]."""

    weight: AnyArray
    ticks: int


class Step:
    """A block of a rule in two parts: the values of synapses, and the traces of neurons."""

    def __init__(self, learning: Learning, event: str, block: Block, number: int):
        rule = learning.rule
        self.event, self.number = event, number
        self.sides = {
            side: ([*places], Evaluator(rule, block, [*places.values()], learning.params))
            for side, places in changed_names(rule, block).items()
        }


class Plastic:
    """A plastic synapse op in execution on some samples."""

    def __init__(self, plastic: PlasticOp, samples: int, wanted: Sequence[str]):
        op, learning, site = plastic.op, plastic.learning, plastic.site
        self.plastic = plastic
        self.op, self.learning, self.rule, self.samples = op, learning, learning.rule, samples
        self.population = site.population
        sparse = sparse_of(op)
        self.synapses = synapses = Synapses(sparse)
        self.bias, self.exponent = sparse.optional_array("bias"), sparse.optional_array("exponent")
        source, target = synapses.source.astype(np.int64), synapses.target.astype(np.int64)
        _, _, place = op.used_pairs()
        self.place = place[np.lexsort((op.used_pairs()[1], op.used_pairs()[0]))]
        own = synapses.delay.astype(np.int64)
        behind = site.delay[target]
        if self.rule.is_dendritic:
            self.flight = own + site.source_delay
            pre_delay, post_delay = np.zeros_like(own), own + site.source_delay + behind
        else:
            self.flight = np.zeros_like(own)
            pre_delay, post_delay = own + behind, np.zeros_like(own)
        self.pre, self.post = Units.of(source, pre_delay), Units.of(target, post_delay)
        self.target = target
        self.input = History(synapses.longest, samples, synapses.neurons, synapses.given)
        self.spikes = {
            PRE: History(int(pre_delay.max(initial=0)), samples, synapses.neurons, np.dtype(np.bool_)),
            POST: History(int(post_delay.max(initial=0)), samples, synapses.targets, np.dtype(np.bool_)),
        }
        rule = self.rule
        self.types = rule.argument_types
        sides = {
            "synapse": [rule.weight.data, *texts_of(rule.synapse)],
            "pre": texts_of(rule.pre),
            "post": texts_of(rule.post),
            "observed": texts_of(rule.observed),
            "modulator": texts_of(rule.modulators),
            "random": texts_of(rule.randoms),
        }
        self.kinds = {name: (side, dtype_of(self.types[name])) for side, names in sides.items() for name in names}
        """Side and dtype of each argument before the parameters."""
        self.modulators, self.randoms, self.weight_name = sides["modulator"], sides["random"], rule.weight.data
        self.steps = [Step(learning, event, block, k) for k, (event, block) in enumerate(self.rule.steps)]
        transmitted = self.rule.transmitted
        self.efficacy = None if transmitted is None else Evaluator(self.rule, transmitted, [0], learning.params)
        scale = weight_scale(op, self.rule)
        self.scale = (
            None
            if scale is None
            else np.broadcast_to(scale, self.shape_of_record).reshape(-1)[self.place].astype(synapses.dtype)
        )
        """The value of a stored 1, if a rule of integers changes quantized weights of real sums. Shapes: [synapses]."""
        self.values = self.start()
        self.pending = np.zeros((int(self.flight.max(initial=0)) + 1, samples, len(source)), synapses.dtype)
        """Terms on their way to the neurons, for dendritic delays. Shapes: [ticks, samples, synapses]."""
        self.arrives = np.zeros(self.pending.shape, np.bool_)
        self.now = 0
        """Index of the tick."""
        self.elapsed = 0
        """Ticks of earlier samples."""
        self.observed: Mapping[str, AnyArray] = {}
        kinds = recordable(op, learning)
        self.wanted = [Wanted.of(entry, kinds) for entry in wanted]
        self.recorded: dict[str, AnyArray] = {}
        """Blocks of records, by entry."""
        self.first = 0
        """The first tick of the block."""

    def start(self) -> dict[str, AnyArray]:
        """Returns the weight and the states before the first tick."""
        rule, kinds = self.rule, kind_of_states(self.rule)
        weights = stored_weights(self.op, rule).reshape(-1)[self.place]
        counts = {
            **dict.fromkeys(texts_of(rule.synapse), len(self.place)),
            **dict.fromkeys(texts_of(rule.pre), len(self.pre.neuron)),
        }
        counts |= dict.fromkeys(texts_of(rule.post), len(self.post.neuron))
        kind = np.int64 if isinstance(rule.weight_type, IntType) else self.synapses.dtype
        found: dict[str, AnyArray] = {rule.weight.data: np.tile(weights.astype(kind), (self.samples, 1))}
        block = rule.initial.block
        values = initial_values(rule, block, self.learning.params)
        for name, value in zip(rule.states, values, strict=True):
            found[name] = np.full((self.samples, counts[name]), value, kinds[name])
        return found

    def begin(self, ticks: int) -> None:
        """Allocates a block of records."""
        self.first = self.now
        self.recorded = {
            one.entry: np.zeros(
                (one.row(self.now + ticks) - one.row(self.now), self.samples, *self.shape_of_record), one.dtype
            )
            for one in self.wanted
        }

    @property
    def shape_of_record(self) -> tuple[int, ...]:
        weights = self.op.weights
        assert weights is not None  # a plastic op has weights
        return weights.shape

    @property
    def learnt(self) -> Learnt:
        """Returns the weights, and the ticks that they have learnt for."""
        return Learnt(self.values[self.rule.weight.data], self.elapsed + self.now)

    def continue_from(self, learnt: Learnt | None) -> None:
        """Starts with the weights of an earlier sample, and with other random numbers; traces and states start anew."""
        if learnt is not None:
            self.values[self.rule.weight.data], self.elapsed = learnt.weight, learnt.ticks

    # ---- sums

    def block(self, *xs: AnyArray) -> AnyArray:
        raise AssertionError("a plastic synapse is part of a cycle")

    def tick(self, *xs: AnyArray) -> AnyArray:
        """Returns the sums of one tick, with the weights before it."""
        synapses = self.synapses
        x = xs[0].reshape(self.samples, synapses.neurons)
        if not self.rule.is_dendritic:
            rows, place = self.input.tick(x)
            arriving, values = synapses.arriving(rows, place)
            at = np.zeros((self.samples, len(self.place)), np.bool_)
            at[:, arriving] = values.T != 0
            return self.add(at, self.transmitted())
        k = self.now % len(self.pending)
        if not self.flight.min(initial=1):  # synapses without delay transmit at once
            at = (self.flight == 0) & (x[:, synapses.source] != 0)
            self.pending[k][at], self.arrives[k] = self.transmitted()[at], self.arrives[k] | at
        sums = self.add(self.arrives[k], self.pending[k])
        self.arrives[k] = False
        return sums

    def send(self, x: AnyArray) -> None:
        """Stores the terms of the spikes of this tick that arrive in later ticks, with the weights before the tick."""
        fired = x.reshape(self.samples, -1)[:, self.synapses.source] != 0
        terms = self.transmitted()
        for ticks in np.unique(self.flight[self.flight > 0]).tolist():
            k = (self.now + ticks) % len(self.pending)
            at = fired & (self.flight == ticks)
            self.pending[k][at], self.arrives[k] = terms[at], self.arrives[k] | at

    def transmitted(self) -> AnyArray:
        """Returns the term of a spike through each synapse. Shapes: [samples, synapses]."""
        if self.efficacy is None:
            found = self.values[self.rule.weight.data]
        else:
            (found,) = self.efficacy(self.arguments(self.efficacy.reads, slice(None), None))
        if self.scale is not None:
            found = found.astype(self.synapses.dtype) * self.scale
        return np.broadcast_to(found, (self.samples, len(self.place)))

    def add(self, at: Bools, terms: AnyArray) -> AnyArray:
        """Returns the sums of the terms of some synapses, in their order."""
        synapses = self.synapses
        found = np.zeros((self.samples, synapses.targets), synapses.dtype)
        sample, synapse = np.nonzero(at)
        np.add.at(found.reshape(-1), sample * synapses.targets + synapses.target[synapse], terms[sample, synapse])
        return self.finish(found.reshape(self.samples, *synapses.shape))

    def finish(self, y: AnyArray) -> AnyArray:
        if y.dtype.kind == "f":
            if self.bias is not None:
                y += self.bias.values.astype(y.dtype)
            if self.exponent is not None:
                y *= np.ldexp(y.dtype.type(1), self.exponent.values.astype(np.int32))
            return y
        bias, held = integers(self.bias), interval_of(element_type(self.op.y))
        assert held is not None  # integers
        y = shift_sum(y if bias is None else y + bias, integers(self.exponent))
        if y.size and not held.low <= y.min() <= y.max() <= held.high:
            found = f"{y.min()}..{y.max()}"
            refuse_op(self.op, SIM022, expected=f"sums in {held}", found=found, help="-p ntensor-widen-sums")
        return y

    # ---- learning

    def learn(self, z: AnyArray, x: AnyArray, signals: Sequence[AnyArray]) -> None:
        """Runs the rule at the end of a tick: `z` are the spikes of the population, `x` the presynaptic ones, `signals` the modulators."""
        if self.rule.is_dendritic:
            self.send(x)
        events = {
            PRE: self.pre.events(*self.spikes[PRE].tick(x.reshape(self.samples, -1) != 0)),
            POST: self.post.events(*self.spikes[POST].tick(z.reshape(self.samples, -1) != 0)),
        }
        self.signals: dict[str, AnyArray] = {
            name: np.broadcast_to(given.reshape(self.samples, -1), (self.samples, self.synapses.targets)).astype(
                np.float64
            )
            for name, given in zip(self.modulators, signals, strict=True)
        }
        for step in self.steps:
            self.run(step, events)
        self.now += 1
        for one in self.wanted:
            if self.now % one.every == 0:
                row = self.recorded[one.entry][one.row(self.now) - 1 - one.row(self.first)]
                row.reshape(self.samples, -1)[:, self.place] = self.values[
                    self.rule.weight.data if one.name == WEIGHT else one.name
                ]

    def run(self, step: Step, events: Mapping[str, Bools]) -> None:
        """Runs one block: the synapses with the traces before it, then the traces."""
        changed: list[tuple[str, Any, AnyArray]] = []
        for side, (names, evaluator) in step.sides.items():
            at = self.chosen(step.event, side, events)
            if not isinstance(at, slice) and not at[0].size:
                continue
            results = evaluator(self.arguments(evaluator.reads, at, side, step.number))
            changed += [(name, at, value) for name, value in zip(names, results, strict=True)]
        for name, at, value in changed:
            self.values[name][at] = value

    def chosen(self, event: str, side: str, events: Mapping[str, Bools]) -> Any:
        """Returns the index of the synapses or traces of a side that an event reaches."""
        if event == TICK:
            return slice(None)
        if event in events:
            at = events[event]
            unit = self.pre.unit if event == PRE else self.post.unit
            return np.nonzero(at[:, unit] if side == "synapse" else at)
        return np.nonzero(self.signals[event][:, self.target] != 0)

    def arguments(self, reads: set[str], at: Any, side: str | None, number: int = 0) -> dict[str, AnyArray]:
        """Returns the arguments of a region for the chosen synapses or traces."""
        on_synapses = side in (None, "synapse")
        found: dict[str, AnyArray] = {}
        for name in reads:
            kind, dtype = self.kinds[name]
            match kind:
                case "synapse":
                    value = self.values[name]
                case "pre" | "post":
                    units = self.pre if kind == "pre" else self.post
                    value = self.values[name][:, units.unit] if on_synapses else self.values[name]
                case "random":
                    draw = number * len(self.randoms) + self.randoms.index(name)
                    row = random_numbers(
                        self.learning.seed, self.elapsed + self.now, draw, self.place, self.types[name]
                    )
                    value = np.broadcast_to(row, (self.samples, len(row)))
                case _:
                    whole = self.signals[name] if kind == "modulator" else self.states_of_neurons(name)
                    value = whole[:, self.target if on_synapses else self.post.neuron].astype(dtype)
            found[name] = value[at]
        return found

    def states_of_neurons(self, name: str) -> AnyArray:
        return self.observed[name].reshape(self.samples, -1)

    def observe(self, states: Mapping[str, AnyArray]) -> None:
        """Adopts the states of the population, which the population changes in place."""
        self.observed = states

"""Learning windows: the change of a weight at the last spike of a short history of one synapse, for pairs and triplets of spikes.

    pair      pre, d ticks, post            post, d ticks, pre
    triplet   two earlier spikes and the last one; the earlier ones lie on either side, or both on the other side

A history names the ages of its earlier spikes, so that its last spike is in tick 0. Windows need no network: a rule is evaluated for one synapse without delay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from attrs import frozen
from xdsl.ir import Attribute

from ...core.arrays.numeric import AnyArray, Bools, Ints
from ...core.ir.operation import texts_of
from ...core.synapse.tree import POST, PRE, TICK
from ...dialects.fixed import IntType
from ..update import dtype_of
from .plastic_ops import changed_names, initial_values
from .rules import Evaluator, Learning, kind_of_states

PAIR_INTERVALS, TRIPLET_INTERVALS = 24, 8
REACH = 4
"""Time constants that a window extends to."""
MOST_TICKS, DEFAULT_TAU = 20_000, 20.0
LEAST_TAU = 0.1
"""The shortest time constant of a trace [ticks]."""


COPIES = 256
"""Copies of a synapse that draw random numbers."""
TURN = 0.6180339887498949
"""The part of a turn by which the numbers of the copies move from block to block and from name to name: the golden ratio spreads them."""


@frozen
class SpikeHistory:
    """The spikes of one synapse before and at its last spike. Units: ages [ticks]."""

    last: str
    """The side of the last spike."""
    pre: tuple[int, ...]
    """Ages of earlier spikes of the source, each at least 1."""
    post: tuple[int, ...]

    @property
    def is_pair(self) -> bool:
        return len(self.pre) + len(self.post) == 1

    def ages(self, side: str) -> tuple[int, ...]:
        return self.pre if side == PRE else self.post


def spike_histories(reach: int) -> list[SpikeHistory]:
    """Returns the pairs and triplets of windows. Units: reach [ticks]."""
    found = list[SpikeHistory]()
    for d in intervals(reach, PAIR_INTERVALS):
        found += [SpikeHistory(POST, (d,), ()), SpikeHistory(PRE, (), (d,))]
    each = intervals(reach, TRIPLET_INTERVALS)
    for a in each:
        for b in each:
            found += [SpikeHistory(POST, (a, a + b), ()), SpikeHistory(PRE, (), (a, a + b))]
            if a != b:
                found += [SpikeHistory(POST, (a,), (b,)), SpikeHistory(PRE, (a,), (b,))]
    return found


def intervals(reach: int, count: int) -> list[int]:
    """Returns intervals from 1 up to a reach, in equal ratios. Units: reach and result [ticks]."""
    return sorted({round(float(one)) for one in np.geomspace(1, max(reach, 1), count)})


class RuleRun:
    """The states of copies of one synapse, while a rule runs. Shapes: values [*copies].

    Random numbers are spread evenly over the last axis of a rule that draws them, which has `COPIES` elements, so that a mean needs no draws.
    """

    def __init__(self, learning: Learning, weight: AnyArray):
        rule, kinds = learning.rule, kind_of_states(learning.rule)
        self.weight = rule.weight.data
        self.steps = [
            (event, [([*places], Evaluator(rule, block, [*places.values()], learning.params)) for places in sides])
            for event, block in rule.steps
            if (sides := [*changed_names(rule, block).values()])
        ]
        starts = initial_values(rule, rule.initial.block, learning.params)
        self.values: dict[str, AnyArray] = {self.weight: weight}
        for name, value in zip(rule.states, starts, strict=True):
            self.values[name] = np.full(weight.shape, value, kinds[name])
        types = rule.argument_types
        self.randoms = [(name, types[name]) for name in texts_of(rule.randoms)]
        self.modulators = {name: dtype_of(types[name]) for name in texts_of(rule.modulators)}
        self.turn = 0
        """The random numbers of all blocks before this one."""

    def tick(self, events: Mapping[str, AnyArray], modulated: AnyArray | None = None) -> None:
        """Runs the blocks of one tick. `modulated` are the copies whose modulators are 1. Shapes: broadcast to [*copies]."""
        signals = {} if modulated is None else {name: modulated.astype(one) for name, one in self.modulators.items()}
        for event, sides in self.steps:
            at = None if event == TICK else modulated if event in self.modulators else events[event]
            given = {**self.values, **signals, **self.drawn()}
            if at is not None and not at.any():
                continue
            changed = dict[str, AnyArray]()
            for names, evaluator in sides:
                results = evaluator({name: given[name] for name in evaluator.reads})
                for name, value in zip(names, results, strict=True):
                    before = self.values[name]
                    value = np.broadcast_to(value, before.shape)
                    changed[name] = value.copy() if at is None else np.where(at, value, before)
            self.values |= changed

    def drawn(self) -> dict[str, AnyArray]:
        """Returns the random numbers of a block. Shapes: [copies]."""
        found = {name: spread_numbers(type, self.turn + k) for k, (name, type) in enumerate(self.randoms)}
        self.turn += len(found)
        return found


def spread_numbers(type: Attribute, turns: int) -> AnyArray:
    """Returns the random numbers of the copies. Shapes: [copies]."""
    number = ((np.arange(COPIES) + 0.5) / COPIES + turns * TURN) % 1.0
    if isinstance(type, IntType):
        return np.floor(number * (type.interval.high + 1)).astype(np.int64)
    return number.astype(dtype_of(type))


def trace_taus(learning: Learning, weight: float) -> dict[str, list[float]]:
    """Returns the time constants of the states that each side adds to, as far as they decay by one factor. Units: [ticks]."""
    run = RuleRun(learning, np.full(2, weight))
    side = np.array([True, False])
    run.tick({PRE: side, POST: ~side})
    first = dict(run.values)
    none = np.zeros(2, np.bool_)
    run.tick({PRE: none, POST: none})
    found: dict[str, list[float]] = {PRE: [], POST: []}
    for name, values in run.values.items():
        if name == run.weight or values.dtype.kind != "f":
            continue
        for k, event in enumerate((PRE, POST)):
            if first[name][k] > 0 and 0 < (ratio := float(values[k] / first[name][k])) < 1:
                tau = max(-1 / log(ratio), LEAST_TAU)
                if not any(abs(tau - other) < 1e-9 * tau for other in found[event]):
                    found[event].append(tau)
    return found


def reach_of(taus: Mapping[str, Sequence[float]]) -> int:
    """Returns the longest interval of a window. Units: [ticks]."""
    longest = max((tau for each in taus.values() for tau in each), default=DEFAULT_TAU)
    return int(min(max(REACH * longest, 2), MOST_TICKS))


@frozen(eq=False)
class WindowChanges:
    """The changes of a rule at the last spikes of histories, from several weights. Shapes: all [changes]."""

    history: Ints
    """The place of the history in its list."""
    weight: AnyArray
    """The weight before the last spike."""
    change: AnyArray
    is_free: Bools
    """Whether no bound has ended the change: bounds are not part of a window."""


def window_changes(learning: Learning, histories: Sequence[SpikeHistory], weights: Sequence[float]) -> WindowChanges:
    """Returns the changes of a rule, from each weight for each history."""
    place = np.repeat(np.arange(len(histories)), len(weights))
    run = RuleRun(learning, np.tile(np.asarray(weights, np.float64), len(histories)))
    oldest = max(max((*one.pre, *one.post), default=0) for one in histories)
    events = {side: dict[int, list[int]]() for side in (PRE, POST)}
    for k, one in enumerate(histories):
        for side in (PRE, POST):
            for age in (*one.ages(side), *([0] if one.last == side else [])):
                events[side].setdefault(age, []).append(k)
    before = run.values[run.weight]
    for age in range(oldest, -1, -1):
        before = run.values[run.weight]
        at = {side: np.isin(place, known.get(age, [])) for side, known in events.items()}
        run.tick(at)
    after = run.values[run.weight]
    is_free = (after > learning.low) & (after < learning.high)
    return WindowChanges(place, before, after - before, is_free)

"""Windows of two rules of one synapse: the mean change of a weight by a pair of spikes, for each interval between them.

A modulator is 1 in the tick of the last spike. Random numbers are spread evenly over copies of the synapse, so that a mean needs no draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import Attribute

from ....core.arrays.numeric import AnyArray, Ints
from ....core.ir.operation import texts_of
from ....core.synapse.tree import POST, PRE, TICK
from ....dialects.fixed import IntType
from ....simulation.learning.plastic_ops import changed_names, initial_values
from ....simulation.learning.rules import Evaluator, Learning, kind_of_states
from ....simulation.update import dtype_of

INTERVALS: tuple[int, ...] = tuple(
    sorted({sign * step for step in (0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64) for sign in (-1, 1)})
)
"""Ticks from the spike of the source to that of the target."""
COPIES = 256
"""Copies of a synapse that draw random numbers."""
TURN = 0.6180339887498949
"""The part of a turn by which the numbers of the copies move from tick to tick and from name to name: the golden ratio spreads them."""


def spread_numbers(type: Attribute, turns: int) -> AnyArray:
    """Returns the random numbers of the copies. Shapes: [copies]."""
    number = ((np.arange(COPIES) + 0.5) / COPIES + turns * TURN) % 1.0
    if isinstance(type, IntType):
        return np.floor(number * (type.interval.high + 1)).astype(np.int64)
    return number.astype(dtype_of(type))


def pair_changes(learning: Learning, weights: Sequence[float]) -> AnyArray:
    """Returns the mean change of each weight for each interval of `INTERVALS`. Shapes: [weights, intervals]."""
    rule, copies = learning.rule, COPIES if len(learning.rule.randoms) else 1
    shape = len(weights), len(INTERVALS), copies
    kinds = kind_of_states(rule)
    starts = initial_values(rule, rule.initial.block, learning.params)
    kind = np.dtype(np.int64) if isinstance(rule.weight_type, IntType) else dtype_of(rule.weight_type)
    given = np.asarray(weights, kind)[:, None, None]
    values: dict[str, AnyArray] = {rule.weight.data: np.broadcast_to(given, shape).copy()}
    for name, value in zip(rule.states, starts, strict=True):
        values[name] = np.full(shape, value, kinds[name])
    drawn = [(name, rule.argument_types[name]) for name in texts_of(rule.randoms)]
    steps = [
        (event, [(list(places), Evaluator(rule, block, [*places.values()], learning.params)) for places in sides])
        for event, block in rule.steps
        if (sides := [*changed_names(rule, block).values()])
    ]
    interval = np.array(INTERVALS, np.int64)
    for t in range(int(np.abs(interval).max()) + 1):
        events = events_of(t, interval)
        ends = np.broadcast_to(np.equal(np.abs(interval), t)[None, :, None], shape)
        modulators = {name: ends.astype(dtype_of(rule.argument_types[name])) for name in texts_of(rule.modulators)}
        for number, (event, sides) in enumerate(steps):
            turn = (t * len(steps) + number) * len(drawn)
            randoms = {name: spread_numbers(type, turn + k)[None, None, :] for k, (name, type) in enumerate(drawn)}
            at = ends if event in modulators else np.broadcast_to(events.get(event, True), shape)
            if event == TICK or at.any():
                known = {**values, **randoms, **modulators}
                changed = {
                    name: np.where(at, value, values[name])
                    for names, evaluator in sides
                    for name, value in zip(names, evaluator({one: known[one] for one in evaluator.reads}), strict=True)
                }
                values |= changed
    return (values[rule.weight.data] - given).mean(axis=2)


def events_of(t: int, interval: Ints) -> Mapping[str, AnyArray]:
    """Returns which intervals have a spike of each side in a tick. Shapes: [1, intervals, 1]."""
    pre, post = np.maximum(-interval, 0), np.maximum(interval, 0)
    return {PRE: (pre == t)[None, :, None], POST: (post == t)[None, :, None]}


def window_errors(real: Learning, whole: Learning, unit: float) -> tuple[AnyArray, float]:
    """Returns the differences of two windows, and the largest change of the first. `unit` is the weight that a stored 1 of the second is."""
    low, high = whole.low, whole.high
    stored = sorted({float(round(low + (high - low) * part)) for part in (0.25, 0.5, 0.75)})
    before = pair_changes(real, [one * unit for one in stored])
    after = pair_changes(whole, stored) * unit
    return np.abs(after - before), float(np.abs(before).max(initial=0.0))

"""Windows of two rules of one synapse: the mean change of a weight by a pair of spikes, for each interval between them.

A modulator is 1 in the tick of the last spike. The rule runs as in the windows of fits (`RuleRun`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ....core.arrays.numeric import AnyArray, Ints
from ....core.synapse.tree import POST, PRE
from ....dialects.fixed import IntType
from ....simulation.learning.rules import Learning
from ....simulation.learning.windows import COPIES, RuleRun
from ....simulation.update import dtype_of

INTERVALS: tuple[int, ...] = tuple(
    sorted({sign * step for step in (0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64) for sign in (-1, 1)})
)
"""Ticks from the spike of the source to that of the target."""


def pair_changes(learning: Learning, weights: Sequence[float]) -> AnyArray:
    """Returns the mean change of each weight for each interval of `INTERVALS`. Shapes: [weights, intervals]."""
    rule, copies = learning.rule, COPIES if len(learning.rule.randoms) else 1
    kind = np.dtype(np.int64) if isinstance(rule.weight_type, IntType) else dtype_of(rule.weight_type)
    given = np.asarray(weights, kind)[:, None, None]
    run = RuleRun(learning, np.broadcast_to(given, (len(weights), len(INTERVALS), copies)))
    interval = np.array(INTERVALS, np.int64)
    for t in range(int(np.abs(interval).max()) + 1):
        run.tick(events_of(t, interval), np.equal(np.abs(interval), t)[None, :, None])
    return (run.values[run.weight] - given).mean(axis=2)


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

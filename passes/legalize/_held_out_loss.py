"""Loss of a network on kept samples, by which the passes that fit parameters to some of them choose.

    loss = 3 mean regret^2 + sum |found - wanted| / sum wanted

1. `wanted` are the events of each neuron in each sample in reals, and `found` those of a candidate. The neurons are those of the last populations:
   outputs read them, directly or through ops that send no events. Counts are compared in the samples that no fit has seen.
2. A population that is itself an output decides for the neuron with the most events, the first of equal ones. The regret of another decision is the share of
   the most wanted events that its neuron lacks in reals. Its square makes decisions between nearly equal neurons cheap. The regret of a silent population is 1.
   The mean is that of all kept samples in which the population spikes in reals: a fit meets counts, and its own samples show whether it changes their order.

A fit to a few samples of a few ticks can meet the counts of neurons and change their order. Other samples show whether its counts are only those of its samples.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import inf
from typing import TypeVar

import numpy as np
from attrs import frozen
from xdsl.ir import Operation

from ...analysis.calibration_records import kept_events, kept_samples, places_to_judge
from ...analysis.latency import latency_of
from ...core.arrays.numeric import AnyArray, Reals
from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type
from ...dialects import ntensor
from ...simulation.recorded_run import RecordedRun

FitCandidate = TypeVar("FitCandidate")

DECISIONS = 3.0
"""Weight of the mean squared regret of decisions; that of the relative error of counts is 1."""


@frozen(eq=False)
class HeldOutLoss:
    """The loss of networks against the network in reals."""

    samples: Mapping[str, AnyArray]
    """Inputs. Shapes: each [samples, ticks, *shape]."""
    wanted: Mapping[str, Reals]
    """Events of the last populations in reals, by name. Shapes: each [samples, *shape]."""
    deciding: Collection[str]
    """The last populations that are outputs."""

    @staticmethod
    def of(network: ntensor.NetworkOp) -> HeldOutLoss | None:
        """Returns the loss of what a calibrated network becomes; None if it keeps no samples, or no events of a last population."""
        samples = kept_samples(network)
        reached = {
            value.owner for value in walk_upstream(network.outputs.operands, lambda op: wanted_events(op) is None)
        }
        direct = {value.owner for value in walk_upstream(network.outputs.operands, is_moving)}
        last = [op for op in network.populations if op in reached]
        wanted = {op.node.data: events for op in last if (events := wanted_events(op)) is not None}
        deciding = {op.node.data for op in last if op in direct}
        return HeldOutLoss(samples, wanted, deciding) if samples and wanted else None

    def __call__(self, network: ntensor.NetworkOp) -> float:
        """Returns the loss of a network. Populations that it does not have are left out."""
        populations = [op for op in network.populations if op.node.data in self.wanted]
        late = max(map(latency_of, populations), default=0)
        errors = events = regret = decisions = 0.0
        for name, counts in count_events(RecordedRun.of(network, self.samples, late), populations).items():
            wanted, found = (rows.reshape(len(rows), -1) for rows in (self.wanted[name], counts))
            judged = places_to_judge(len(wanted))
            errors += float(np.abs(found - wanted)[judged].sum())
            events += float(wanted[judged].sum())
            if name in self.deciding and wanted.shape[1] > 1:  # 2
                most = wanted.max(1)
                chosen = wanted[np.arange(len(wanted)), found.argmax(1)] * found.any(1)
                regret += float((((most - chosen) / np.maximum(most, 1)) ** 2).sum())
                decisions += float(np.count_nonzero(most))
        return DECISIONS * regret / max(decisions, 1.0) + errors / max(events, 1.0)


def choose(
    loss: HeldOutLoss | None,
    candidates: Sequence[FitCandidate],
    network_of: Callable[[FitCandidate], ntensor.NetworkOp | None],
) -> FitCandidate:
    """Returns the candidate with the least loss, the first of equal ones; without held-out samples, or without any network, the last one."""
    losses = [inf if loss is None or (network := network_of(one)) is None else loss(network) for one in candidates]
    return candidates[-1] if min(losses) == inf else candidates[losses.index(min(losses))]


def wanted_events(op: Operation) -> Reals | None:
    """Returns the events of a population in the kept samples; None if they were not observed. Shapes: [samples, *shape]."""
    return kept_events(op) if isinstance(op, ntensor.NeuronOp) else None


def is_moving(op: Operation) -> bool:
    """Returns whether the events of an op are those of its operand at another time or place."""
    return isinstance(op, ntensor.DelayOp | ntensor.ReshapeOp)


def count_events(run: RecordedRun, populations: Sequence[ntensor.NeuronOp]) -> dict[str, Reals]:
    """Returns the events of each neuron in each sample, by population. Shapes: each [samples, *shape]."""
    emitted = run.values([op.z for op in populations])
    counts: dict[str, Reals] = {}
    for op in populations:
        events = emitted[op.z]
        is_count = isinstance(element_type(op.z), ntensor.CountType)
        counts[op.node.data] = (events if is_count else events != 0).sum(1, dtype=np.float64)
    return counts

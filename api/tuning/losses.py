"""Losses of training with labels: cross entropy on the spikes of the output neurons, counted or by the tick of the first one.

The scores of a batch are divided by their spread before training, so that one learning rate fits short and long samples, spikes and potentials.
"""

from __future__ import annotations

from typing import Any, Literal

LossName = Literal["rates", "first-spike"]
LOSSES: tuple[LossName, ...] = ("rates", "first-spike")

SPREAD = 3.0
"""Standard deviation of the scores of a sample before training. A softmax of such scores is neither uniform nor a single class."""


def scores_of(output: Any, loss: LossName) -> Any:
    """Returns a score for each class; the largest one decides. Shapes: [samples, ticks, *shape] => [samples, neurons].

    rates:        sum over ticks
    first-spike:  minus the number of ticks before the first spike
    """
    neurons = output.flatten(2)
    if loss == "rates":
        return neurons.sum(1)
    return -(1 - neurons.clamp(0, 1)).cumprod(1).sum(1)


def gain_of(scores: Any) -> float:
    """Returns the factor that makes the spread of scores equal to `SPREAD`; 1 for scores that are all equal."""
    spread = float(scores.std(1).mean()) if scores.shape[1] > 1 else 0.0
    return SPREAD / spread if spread > 0 else 1.0

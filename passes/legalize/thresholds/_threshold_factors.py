"""Factors of thresholds: by a percentile of the activations, or by the least squared error of the rates.

A factor f multiplies the threshold, and the weights of the readers. A rate r then stands for the activation f r, and the largest activation without saturation is f
times the most spikes of a tick.

Source: percentile of the activations: P. Diehl et al., Fast-classifying, high-accuracy spiking deep networks through weight and threshold balancing (2015), and
B. Rueckauer et al., Conversion of continuous-valued deep networks to efficient event-driven networks for image classification (2017); of each channel: S. Kim et al.,
Spiking-YOLO (2020). Squared error: S. Deng and S. Gu, Optimal conversion of conventional artificial neural networks to spiking neural networks (2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from attrs import frozen

from ....core.arrays.numeric import Bools, Reals

LEAST_SHARE = 1e-3
"""Smallest factor of a channel relative to that of its layer, so that a channel with next to no activation does not spike at noise."""
STEPS_OF_OCTAVE, OCTAVES = 4, 5
"""Candidates of a factor for each doubling, and doublings below the largest activation."""


@frozen
class FactorGroups:
    """The groups of neurons that share a factor."""

    is_by_channel: bool
    """Whether each channel, the first axis of the population, has a factor. A population with one axis has channels of one neuron."""

    def rows(self, values: Reals) -> Reals:
        """Returns the values of samples by group. Shapes: values [samples, *shape], result [groups, values of a group]."""
        if not self.is_by_channel or values.ndim < 2:
            return values.reshape(1, -1)
        return values.swapaxes(0, 1).reshape(values.shape[1], -1)

    def spread(self, values: Reals, shape: tuple[int, ...]) -> Reals:
        """Returns the value of its group for each neuron. Shapes: values [groups], result (), or `shape` with factors by channel."""
        if not self.is_by_channel or not shape:
            return values[0]
        return np.broadcast_to(values.reshape(-1, *[1] * (len(shape) - 1)), shape).copy()


def percentile_factor(activations: Reals, percentile: float, lines: FactorGroups) -> Reals:
    """Returns the percentile of the activations of each group; the largest activation where it is 0, and the factor of the layer where that is 0, too.

    Shapes: activations [samples, *shape], result () or shape.
    """

    def found(groups: FactorGroups) -> Reals:
        rows = groups.rows(activations)
        value: Reals = np.percentile(rows, percentile, axis=1)
        return groups.spread(np.where(value > 0, value, rows.max(1)), activations.shape[1:])

    layer, each = found(FactorGroups(False)), found(lines)
    return np.asarray(np.where(each > 0, np.maximum(each, LEAST_SHARE * layer), layer))


def candidate_factors(activations: Reals, lines: FactorGroups) -> Iterator[Reals]:
    """Yields the factors that are tried: from the largest activation of each group downwards. Shapes: result () or shape."""
    most = percentile_factor(activations, 100.0, lines)
    for k in range(STEPS_OF_OCTAVE * OCTAVES + 1):
        yield most * 2.0 ** (-k / STEPS_OF_OCTAVE)


def error_factor(activations: Reals, lines: FactorGroups, rates: Callable[[Reals], Reals]) -> Reals:
    """Returns the factor of each group whose rates, times the factor, have the least squared distance from the activations; the largest one of equal ones.

    `rates` returns the rates for a factor. Shapes: activations and rates [samples, *shape], result () or shape.
    """
    best: Reals | None = None
    least: Reals = np.asarray(np.inf)
    for factor in candidate_factors(activations, lines):
        errors = lines.rows((factor * rates(factor) - activations) ** 2).sum(1)
        error = lines.spread(errors, activations.shape[1:])
        is_better: Bools = error < least
        best = factor if best is None else np.where(is_better, factor, best)
        least = np.where(is_better, error, least)
    assert best is not None  # there are candidates
    return np.asarray(best)


def relative_error(found: Reals, wanted: Reals) -> float:
    """Returns the root of the squared differences, relative to that of the wanted values; absolute if these are 0."""
    size = float(np.sqrt((wanted**2).sum()))
    distance = float(np.sqrt(((found - wanted) ** 2).sum()))
    return distance / size if size else distance

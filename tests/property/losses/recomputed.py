"""The figures of a loss record, computed from two arrays of an output by their definitions in docs/loss.md: `figures(before, after, is_event=True)`.

Nothing of the package is used. Arrays are `[samples, ticks, neurons]`; rows that only one of them has were removed before.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

TOLERANCE = 1
"""Ticks by which two spikes of a neuron may be apart and still coincide."""

Figures = dict[str, float | None]


def aligned(before: np.ndarray, after: np.ndarray, latency: int, frame_ticks: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Returns two arrays of one shape: the first as sums over frames, of which the last may be short, the second without the ticks before its first output."""
    before, after = (x.reshape(*x.shape[:2], math.prod(x.shape[2:])).astype(np.float64) for x in (before, after))
    if frame_ticks > 1:
        frames = -(-before.shape[1] // frame_ticks)
        before = np.stack(
            [before[:, k * frame_ticks : (k + 1) * frame_ticks].sum(1) for k in range(frames)],
            axis=1,
        )
    after = after[:, latency:]
    ticks = min(before.shape[1], after.shape[1])
    return before[:, :ticks], after[:, :ticks]


def figures(before: np.ndarray, after: np.ndarray, *, is_event: bool, is_frame: bool = False) -> Figures:
    """Returns the figures of one output."""
    result: Figures = {"agreement": agreement(before, after, is_event)}
    if is_event:
        result["count_error"] = count_error(before, after)
        result["spike_agreement"] = None if is_frame else spike_agreement(before, after)
    else:
        result |= value_errors(before, after)
    return result


def winners(values: np.ndarray) -> set[int]:
    return {n for n, value in enumerate(values) if value == max(values)}


def decisions(outputs: np.ndarray, is_event: bool) -> list[set[int]]:
    """Returns the winning neurons of each sample."""
    return [winners(sample.sum(0) if is_event else sample[-1]) for sample in outputs]


def agreement(before: np.ndarray, after: np.ndarray, is_event: bool) -> float | None:
    if before.shape[2] == 1:
        return None
    pairs = list(zip(decisions(before, is_event), decisions(after, is_event), strict=True))
    return sum(a == b for a, b in pairs) / len(pairs)


def count_error(before: np.ndarray, after: np.ndarray) -> float:
    counts = [[float(sample[:, n].sum()) for sample in x for n in range(x.shape[2])] for x in (before, after)]
    differences = [abs(b - a) for a, b in zip(*counts, strict=True)]
    if sum(counts[0]) == 0:
        return float(sum(counts[1]) > 0)
    return sum(differences) / sum(counts[0])


def spike_agreement(before: np.ndarray, after: np.ndarray) -> float:
    spikes = before.sum() + after.sum()
    if spikes == 0:
        return 1.0
    samples, _, neurons = before.shape
    matches = 0
    for sample, neuron in product(range(samples), range(neurons)):
        matches += matched(times(before[sample, :, neuron]), times(after[sample, :, neuron]))
    return 2 * matches / float(spikes)


def times(train: np.ndarray) -> list[int]:
    """Returns the tick of each spike; several spikes in a tick are listed several times."""
    return [tick for tick, count in enumerate(train) for _ in range(int(count))]


def matched(a: list[int], b: list[int]) -> int:
    """Returns the largest number of pairs, as a longest common subsequence under the tolerance: dynamic programming, not the greedy match of the package."""
    row = [0] * (len(b) + 1)
    for one in a:
        above, row = row, [0]
        for k, other in enumerate(b):
            row.append(max(above[k + 1], row[k], above[k] + (abs(one - other) <= TOLERANCE)))
    return row[-1]


def value_errors(before: np.ndarray, after: np.ndarray) -> Figures:
    difference = after - before
    size = math.sqrt(float((before**2).sum()))
    error = math.sqrt(float((difference**2).sum()))
    return {
        "relative_error": error / size if size else float(error > 0),
        "largest_error": float(np.abs(difference).max()),
        "largest_output": float(np.abs(before).max()),
    }


def accuracy(outputs: np.ndarray, labels: np.ndarray) -> float:
    """Returns the share of samples whose class is the label: the first neuron with the largest sum over all ticks. `outputs` keeps all its rows."""
    sums = outputs.reshape(*outputs.shape[:2], math.prod(outputs.shape[2:])).astype(np.float64).sum(1)
    classes = [min(winners(sample)) for sample in sums]
    return sum(found == label for found, label in zip(classes, labels, strict=True)) / len(labels)


def worst(per_output: list[Figures]) -> dict[str, Any]:
    """Returns the headline: each figure of the output in which it is worst."""
    pick = {"agreement": min, "spike_agreement": min, "count_error": max, "relative_error": max}
    headline: dict[str, Any] = {}
    for name, choose in pick.items():
        known = [value for one in per_output if (value := one.get(name)) is not None]
        headline[name] = choose(known) if known else None
    return headline

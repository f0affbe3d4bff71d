"""Loss figures by loops over samples, ticks and neurons, as their definitions read: slow, and independent of the package.

    literal_loss(before, after, kind="spike", latency=2)["agreement"]

Arrays are nested lists or arrays `[samples, ticks, neurons]`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


def literal_loss(
    before: Any,
    after: Any,
    *,
    kind: str,
    latency: int = 0,
    frame_ticks: int = 1,
    unit: Sequence[float] | None = None,
) -> dict[str, float | None]:
    """Returns the figures of one output, whose `kind` is "spike", "count", "graded" or "value"."""
    neurons = range(len(before[0][0]))
    if frame_ticks > 1:
        before = [add_frames(sample, frame_ticks, neurons) for sample in before]
    factors = list(unit) if unit is not None else [1.0 for _ in neurons]
    pairs: list[tuple[list[Any], list[Any]]] = []
    for sample_before, sample_after in zip(before, after, strict=True):
        rows_before: list[Any] = []
        rows_after: list[Any] = []
        for tick in range(len(sample_before)):
            if tick + latency < len(sample_after):
                rows_before.append([plain(sample_before[tick][n]) for n in neurons])
                rows_after.append([plain(sample_after[tick + latency][n]) * factors[n] for n in neurons])
        pairs.append((rows_before, rows_after))
    is_event, found = kind != "value", dict[str, float | None]()
    number = (lambda x: float(x != 0)) if kind == "graded" else float
    found["agreement"] = agreement(pairs, neurons, number, is_event=is_event) if len(neurons) > 1 else None
    found["count_error"] = count_error(pairs, neurons, number) if is_event else None
    has_spikes = is_event and frame_ticks == 1
    found["spike_agreement"] = spike_agreement(pairs, neurons, number) if has_spikes else None
    has_values = kind in ("graded", "value")
    found |= value_errors(pairs) if has_values else dict.fromkeys(("relative_error", "largest_error", "largest_output"))
    return found


def plain(number: Any) -> float:
    return float(number)


def add_frames(sample: Any, frame_ticks: int, neurons: range) -> list[list[float]]:
    frames: list[list[float]] = []
    for tick in range(len(sample)):
        if tick % frame_ticks == 0:
            frames.append([0.0 for _ in neurons])
        for n in neurons:
            frames[-1][n] += float(sample[tick][n])
    return frames


def decision(rows: Any, neurons: range, number: Any, *, is_event: bool) -> set[int]:
    scores = [sum(number(row[n]) for row in rows) for n in neurons] if is_event else [rows[-1][n] for n in neurons]
    undefined = {n for n in neurons if math.isnan(scores[n])}
    return undefined or {n for n in neurons if scores[n] == max(scores)}


def agreement(pairs: Any, neurons: range, number: Any, *, is_event: bool) -> float:
    same = [
        decision(a, neurons, number, is_event=is_event) == decision(b, neurons, number, is_event=is_event)
        for a, b in pairs
    ]
    return sum(same) / len(same)


def count_error(pairs: Any, neurons: range, number: Any) -> float:
    differences: list[float] = []
    counts: list[float] = []
    others: list[float] = []
    for a, b in pairs:
        for n in neurons:
            counts.append(sum(number(row[n]) for row in a))
            others.append(sum(number(row[n]) for row in b))
            differences.append(abs(others[-1] - counts[-1]))
    if sum(counts) == 0:
        return 1.0 if sum(others) else 0.0
    return (sum(differences) / len(differences)) / (sum(counts) / len(counts))


def spike_agreement(pairs: Any, neurons: range, number: Any) -> float:
    matches = spikes = 0
    for a, b in pairs:
        for n in neurons:
            times_a = [tick for tick, row in enumerate(a) for _ in range(int(number(row[n])))]
            times_b = [tick for tick, row in enumerate(b) for _ in range(int(number(row[n])))]
            spikes += len(times_a) + len(times_b)
            while times_a and times_b:
                if abs(times_a[0] - times_b[0]) <= 1:
                    matches += 1
                    times_a.pop(0)
                    times_b.pop(0)
                elif times_a[0] < times_b[0]:
                    times_a.pop(0)
                else:
                    times_b.pop(0)
    return 2 * matches / spikes if spikes else 1.0


def value_errors(pairs: Any) -> dict[str, float | None]:
    errors = [y - x for a, b in pairs for u, v in zip(a, b, strict=True) for x, y in zip(u, v, strict=True)]
    values = [x for a, _ in pairs for row in a for x in row]
    if not all(map(math.isfinite, [*errors, *values])):
        return dict.fromkeys(("relative_error", "largest_error", "largest_output"))
    own = math.sqrt(sum(x * x for x in values) / len(values))
    other = math.sqrt(sum(x * x for x in errors) / len(errors))
    return {
        "relative_error": other / own if own else float(other > 0),
        "largest_error": max(map(abs, errors)),
        "largest_output": max(map(abs, values)),
    }

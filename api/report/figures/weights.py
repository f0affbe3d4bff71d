"""Charts of weights that learn: mean and quantiles over the ticks, and the weights of each target as an image."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .charts import WIDTH, Frame, line, masked_area, nice_ticks, points, svg

BANDS = ((5, 95), (25, 75))
"""Quantiles of the bands, in percent."""


def quantile_chart(runs: Mapping[str, tuple[Sequence[int], NDArray[np.float64]]], label: str) -> str:
    """Returns the mean of the weights of each run, and bands of their quantiles. Shapes: [rows, weights]."""
    spreads = {name: np.percentile(values, BANDS, axis=1) for name, (_, values) in runs.items()}
    low, high = (float(pick(one)) for pick, one in ((np.min, np.array([s.min() for s in spreads.values()])),
                                                    (np.max, np.array([s.max() for s in spreads.values()]))))  # fmt: skip
    end = max(ticks[-1] for ticks, _ in runs.values())
    frame = Frame(8, 120, 0, end or 1, min(low, 0.0), high if high > low else low + 1)
    parts = [*frame.axes("tick"), *frame.labels_y(nice_ticks(frame.low_y, frame.high_y, 5))]
    for name, (ticks, values) in runs.items():
        for lower, upper in spreads[name]:
            edge = [*zip(ticks, upper, strict=True), *list(zip(ticks, lower, strict=True))[::-1]]
            parts.append(
                f'<path class="band {name}" d="M{points([(frame.x(t), frame.y(float(w))) for t, w in edge])}z"/>'
            )
        parts.append(line(frame, np.asarray(ticks, np.float64), values.mean(1), name))
    return svg(frame.top + frame.height + 30, label, parts)


def field_chart(weights: NDArray[np.float64], label: str, low: float, high: float) -> str:
    """Returns the weights of each target as an image in a grid: blank at `low`, darkest at `high`. Shapes: [targets, height, width]."""
    count, height, width = weights.shape
    columns = min(count, max(1, round((2 * count * height / width) ** 0.5)))
    rows = -(-count // columns)
    shades = np.zeros((rows * (height + 1) - 1, columns * (width + 1) - 1), np.uint8)
    scaled = np.clip((weights - low) / ((high - low) or 1), 0, 1)
    for k, one in enumerate(scaled):
        top, left = (k // columns) * (height + 1), (k % columns) * (width + 1)
        shades[top : top + height, left : left + width] = np.round(255 * one)
    scale = min((WIDTH - 2) / shades.shape[1], 14.0)
    boxes = "".join(
        f"M{1 + scale * (k % columns) * (width + 1):.1f} {1 + scale * (k // columns) * (height + 1):.1f}"
        f"h{scale * width:.1f}v{scale * height:.1f}h{-scale * width:.1f}z"
        for k in range(count)
    )
    area = (1, 1, scale * shades.shape[1], scale * shades.shape[0])
    parts = [f'<path class="box" d="{boxes}"/>', masked_area(shades[::-1], area, "both")]
    return svg(area[3] + 2, label, parts)

"""Charts as SVG inside of a page. Colours are CSS variables of the page (`charts.css.in`), so that a chart follows its theme.

| class | element |
| --- | --- |
| `axis` | a line of an axis |
| `before`, `after`, `both` | lines and marks of the network before and after the passes, and of both |
| `limit` | the line of a threshold |
| `label` | a text |

A chart is 360 units wide: about the width of a phone, so that its text is readable there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from math import ceil, floor, isfinite, log10
from pathlib import Path

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ....core.number_texts import number_text
from ....core.output import printable_line
from .density import Overlay, Shades, image_url, shades

WIDTH = 360
LEFT, RIGHT = 42, 8
"""Space for the labels of the vertical axis, and for the end of a label of the horizontal axis."""
MOST_POINTS = 400
"""Largest number of points of a line; of more ticks, the first are drawn."""
BINS = 40
STYLE = "charts.css.in"
RUNS = ("before", "after")


@frozen
class Frame:
    """Area of a chart with the ranges of its axes."""

    top: float
    height: float
    low_x: float
    high_x: float
    low_y: float
    high_y: float
    left: float = LEFT

    @property
    def width(self) -> float:
        return WIDTH - self.left - RIGHT

    def x(self, value: float) -> float:
        return self.left + self.width * (value - self.low_x) / ((self.high_x - self.low_x) or 1)

    def y(self, value: float) -> float:
        return self.top + self.height * (1 - (value - self.low_y) / ((self.high_y - self.low_y) or 1))

    def axes(self, label: str, *, shift: float = 0.0, is_whole: bool = True) -> Iterator[str]:
        """Yields both axes with their ticks; `shift` moves the labels of the horizontal axis to the centre of cells."""
        bottom = self.top + self.height
        yield f'<path class="axis" d="M{points([(self.left, self.top), (self.left, bottom), (WIDTH - RIGHT, bottom)])}"/>'
        for tick in nice_ticks(self.low_x, self.high_x - 2 * shift, 6, is_whole=is_whole):
            yield text_at(self.x(tick + shift), bottom + 13, number_text(whole_or_real(tick)), "middle")
        yield text_at(WIDTH - RIGHT, bottom + 26, label, "end")

    def labels_y(self, ticks: Sequence[float], *, shift: float = 0.0) -> Iterator[str]:
        for tick in ticks:
            yield text_at(self.left - 4, self.y(tick + shift) + 4, number_text(whole_or_real(tick)), "end")


def whole_or_real(value: float) -> float:
    return int(value) if value == int(value) else value


def nice_ticks(low: float, high: float, most: int, *, is_whole: bool = False) -> list[float]:
    """Returns at most `most` multiples of 1, 2 or 5 times a power of ten between two numbers; `is_whole` keeps integers alone."""
    if not (isfinite(low) and isfinite(high)) or high <= low:
        return [low]
    least = (high - low) / max(most - 1, 1)
    power = 10.0 ** floor(log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10, 20) if power * factor >= least)
    step = max(1.0, step) if is_whole else step
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def points(pairs: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{x:.1f} {y:.1f}" for x, y in pairs).replace(".0", "")


def text_at(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text class="label" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(printable_line(text))}</text>'


def svg(height: float, label: str, parts: Sequence[str], width: float = WIDTH) -> str:
    """Returns a chart of some parts; `label` describes it to readers of screens."""
    name = escape(printable_line(label))
    return (
        f'<svg class="chart" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{name}">{"".join(parts)}</svg>'
    )


def line(frame: Frame, xs: NDArray[np.float64], ys: NDArray[np.float64], css: str) -> str:
    """Returns a line; values that are not finite interrupt it."""
    runs: list[list[tuple[float, float]]] = [[]]
    for x, y in zip(xs, ys, strict=True):
        if isfinite(y):
            runs[-1].append((frame.x(x), frame.y(y)))
        elif runs[-1]:
            runs.append([])
    path = "".join(f"M{points(run)}" for run in runs if run)
    return f'<path class="line {css}" d="{path}"/>'


def chart_style() -> str:
    """Returns the style of charts, with the colours of a light and a dark theme."""
    return (Path(__file__).parent / STYLE).read_text(encoding="utf-8")


# ---- charts


def raster_chart(cells: Overlay, ticks: int, neurons: int, label: str) -> str:
    """Returns a raster of two runs with the number of events by tick above it."""
    height = min(max(cells.both.shape[0], 12 if neurons < 12 else 60), 300)
    totals = {"before": cells.both + cells.before, "after": cells.both + cells.after}
    sums = {name: part.sum(0, dtype=np.float64) for name, part in totals.items()}
    most = max((float(one.max(initial=0)) for one in sums.values()), default=0.0)
    rates = Frame(6, 34, 0, ticks, 0, most or 1)
    parts = [text_at(LEFT - 4, 14, number_text(whole_or_real(most)), "end")]
    for name in RUNS:
        edges = np.minimum(np.repeat(np.arange(len(sums[name]) + 1) * cells.ticks_per_column, 2)[1:-1], ticks)
        parts.append(line(rates, edges.astype(np.float64), np.repeat(sums[name], 2), name))
    frame = Frame(48, height, 0, ticks, 0, neurons)
    parts += [*frame.axes("tick", shift=0.5)]
    parts += frame.labels_y(nice_ticks(0, neurons - 1, max(2, height // 24), is_whole=True), shift=0.5)
    # the last cells can reach beyond the last neuron and tick
    size = (cells.both.shape[1] * cells.ticks_per_column, cells.both.shape[0] * cells.neurons_per_row)
    area = (LEFT, frame.y(size[1]), frame.x(size[0]) - LEFT, 48 + height - frame.y(size[1]))
    parts += overlay_image(cells, area)
    return svg(48 + height + 30, label, parts)


def overlay_image(cells: Overlay, area: tuple[float, float, float, float]) -> Iterator[str]:
    """Yields an area for each part of an overlay. An image of shades is its mask, so that the colour is one of the page."""
    for name in ("both", *RUNS):
        part = getattr(cells, name)
        if part.any():
            yield masked_area(shades(part, cells.most), area, name)


def masked_area(image: Shades, area: tuple[float, float, float, float], css: str) -> str:
    x, y, width, height = area
    place = f'x="{x:g}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}"'
    url = image_url(image)
    mask = f"m{sha256(f'{place}{url}'.encode()).hexdigest()[:12]}"
    smooth = "" if image.shape[1] > WIDTH // 2 else ' class="cells"'
    return (
        f'<mask id="{mask}" maskUnits="userSpaceOnUse" {place}><image{smooth} href="{url}" {place} preserveAspectRatio="none"/></mask>'
        f'<rect class="events {css}" {place} mask="url(#{mask})"/>'
    )


def map_chart(cells: Overlay, maps: int, columns: int, size: tuple[int, int], label: str) -> str:
    """Returns feature maps in a grid, each in a box."""
    scale = min((WIDTH - 2) / (cells.both.shape[1] + 1), 14.0)
    width, height = (scale * n for n in cells.both.shape[::-1])
    boxes = "".join(
        f"M{1 + scale * (k % columns) * (size[1] + 1):.1f} {1 + scale * (k // columns) * (size[0] + 1):.1f}"
        f"h{scale * size[1]:.1f}v{scale * size[0]:.1f}h{-scale * size[1]:.1f}z"
        for k in range(maps)
    )
    parts = [f'<path class="box" d="{boxes}"/>', *overlay_image(cells, (1, 1, width, height))]
    return svg(height + 2, label, parts)


@frozen
class Strip:
    """Values of one neuron over the ticks, with the ticks of its events, before and after the passes."""

    name: str
    values: Mapping[str, NDArray[np.float64]]
    events: Mapping[str, NDArray[np.int64]]


def trace_chart(strips: Sequence[Strip], label: str, *, threshold: float | None = None) -> str:
    """Returns the values of some neurons, one below the other, with the line of the threshold and a mark for each event."""
    parts: list[str] = []
    top = 0.0
    ticks = min(MOST_POINTS, max((len(one) for strip in strips for one in strip.values.values()), default=1))
    for strip in strips:
        marks = bool(strip.events)
        held = np.concatenate([one[:ticks] for one in strip.values.values()] or [np.zeros(1)])
        held = held[np.isfinite(held)]
        ends = [*([held.min(), held.max()] if held.size else []), 0.0, *([] if threshold is None else [threshold])]
        low, high = float(min(ends)), float(max(ends))
        frame = Frame(top + 18 + 14 * marks, 74, 0, ticks, low, high if high > low else low + 1)
        parts.append(text_at(LEFT, top + 12, strip.name))
        parts += frame.axes("tick" if strip is strips[-1] else "", shift=0.5)
        parts += frame.labels_y(nice_ticks(frame.low_y, frame.high_y, 4))
        if threshold is not None:
            y = frame.y(threshold)
            parts.append(f'<path class="limit" d="M{points([(LEFT, y), (WIDTH - RIGHT, y)])}"/>')
        for k, (name, values) in enumerate(strip.values.items()):
            some = values[:ticks]
            parts.append(line(frame, np.arange(len(some), dtype=np.float64) + 0.5, some, name))
            times = strip.events.get(name, np.zeros(0, np.int64))
            path = "".join(f"M{frame.x(t + 0.5):.1f} {frame.top - 14 + 7 * k:.1f}v6" for t in times if t < ticks)
            parts.append(f'<path class="mark {name}" d="{path}"/>' if path else "")
        top = frame.top + frame.height + 18
    return svg(top + 12, label, parts)


def histogram_chart(values: Mapping[str, NDArray[np.float64]], label: str, unit: str) -> str:
    """Returns the distribution of the values of each run over the same bins. Values that are not finite are left out."""
    flat = {name: some[np.isfinite(some)] for name, some in values.items()}
    every = np.concatenate([*flat.values(), np.zeros(0)])
    edges = np.histogram_bin_edges(every if every.size else np.zeros(1), BINS)
    counts = {name: np.histogram(some, edges)[0].astype(np.float64) for name, some in flat.items()}
    most = max((float(one.max(initial=0)) for one in counts.values()), default=0.0)
    frame = Frame(8, 100, float(edges[0]), float(edges[-1]), 0, most or 1)
    parts = [*frame.axes(unit, is_whole=False), *frame.labels_y(nice_ticks(0, most, 4, is_whole=True))]
    steps = np.repeat(edges, 2)
    for name, some in counts.items():
        parts.append(line(frame, steps, np.concatenate([[0], np.repeat(some, 2), [0]]), name))
    return svg(138, label, parts)


def level_chart(rows: Sequence[tuple[str, Mapping[str, float | None]]], label: str) -> str:
    """Returns shares by level: a row for each level, with a mark for each figure between 0 and 100 %."""
    known = [value for _, shares in rows for value in shares.values() if value is not None]
    low = min(0.9, floor(10 * min(known, default=0.0)) / 10)
    frame = Frame(4, 34 * len(rows), low, 1, 0, 1, left=10)
    parts = [*level_axis(frame)]
    for k, (name, shares) in enumerate(rows):
        y = frame.top + 34 * k + 22
        parts += [text_at(10, y - 8, name), f'<path class="rule" d="M10 {y}H{WIDTH - RIGHT}"/>']
        for css, value in shares.items():
            if value is not None:
                parts.append(f'<circle class="dot {css}" cx="{frame.x(value):.1f}" cy="{y}" r="5"/>')
    return svg(frame.top + frame.height + 20, label, parts)


def level_axis(frame: Frame) -> Iterator[str]:
    bottom = frame.top + frame.height
    yield f'<path class="axis" d="M{frame.left:g} {bottom:g}H{WIDTH - RIGHT}"/>'
    for tick in nice_ticks(100 * frame.low_x, 100 * frame.high_x, 5):
        anchor = "end" if tick == 100 else "middle" if tick > 100 * frame.low_x else "start"
        yield text_at(frame.x(tick / 100), bottom + 14, f"{number_text(whole_or_real(tick))} %", anchor)

"""Plot of a sweep as SVG; the same sweep has the same bytes.

| sweep | plot |
| --- | --- |
| over passes | the score over the first key, with a line for each combination of the others |
| a search, a sweep over devices, or chosen objectives | the first objective over the second one, with a series for each device |

The best points are ringed. Energy, time and power are drawn at the upper end of their range, with a line to the lower end, those of frames as their
share of a tick of the input.
"""

from __future__ import annotations

import io
from importlib import import_module
from typing import Any

from ..report.drawings import SETTINGS, installed_fonts, label_text
from .points import Point, value_of
from .ranges import RANGE_OF
from .result import Sweep

MOST_NAMES = 12
"""Maximum number of series in the legend; with more devices, it lists only the series with a best point."""
UNITS = {**{name: one.title for name, one in RANGE_OF.items()}, "latency_ticks": "latency [ticks]"}


def plot(swept: Sweep) -> bytes:
    """Draws the points of a sweep."""
    matplotlib: Any = import_module("matplotlib")
    figures: Any = import_module("matplotlib.figure")
    is_front = swept.search is not None or bool(swept.devices) or "weight_bytes" not in swept.objectives[1:]
    score, *costs = swept.objectives
    over = costs[0] if costs else None

    def across(point: Point) -> Any:
        if is_front and over is not None:
            return value_of(point, over)
        return point.options[swept.keys[0]] if swept.keys else point.device

    drawn = [point for point in swept.points if across(point) is not None]
    values = list(dict.fromkeys(across(point) for point in drawn))
    is_scaled = all(isinstance(value, int | float) for value in values)
    place = {value: value if is_scaled else k for k, value in enumerate(values)}
    lines: dict[str, list[tuple[float, float]]] = {}
    best: list[tuple[float, float]] = []
    ranges: list[tuple[tuple[float, float], tuple[float, float]]] = []
    for point in drawn:
        value = value_of(point, score)
        if value is not None:
            at = (float(place[across(point)]), float(value))
            others = ", ".join(f"{key}={point.options[key]}" for key in swept.keys[1:])
            lines.setdefault((point.device or "") if is_front else others, []).append(at)
            best += [at] if point.is_best else []
            over_range = None if over is None or not is_front else range_ends(point, over)
            if over_range is not None:
                ranges.append((over_range, (at[1], at[1])))
            if (score_range := range_ends(point, score)) is not None:
                ranges.append(((at[0], at[0]), score_range))
    named = lines if len(lines) <= MOST_NAMES else {point.device for point in drawn if point.is_best}
    out = io.BytesIO()
    with matplotlib.rc_context(SETTINGS), installed_fonts():
        figure = figures.Figure(figsize=(6.4, 4.0), layout="constrained")
        axes = figure.add_subplot()
        for name, at in lines.items():
            axes.plot(
                *zip(*sorted(at), strict=True),
                marker="o",
                markersize=4,
                linewidth=0 if is_front else 1.2,
                label=label_text(name) if name and name in named else None,
            )
        for along, up in ranges:
            axes.plot(along, up, color="0.6", linewidth=1.2, zorder=1)
        if best:
            axes.plot(
                *zip(*best, strict=True),
                linestyle="none",
                marker="o",
                markersize=10,
                markerfacecolor="none",
                markeredgecolor="black",
                label="best",
            )
            axes.legend(fontsize="small")
        if is_scaled and not is_front:
            axes.set_xticks(sorted(map(float, place.values())), [f"{value:g}" for value in sorted(place.values())])
        elif not is_scaled:
            axes.set_xticks(list(range(len(values))), [label_text(str(value)) for value in values])
        axes.set_xlabel(title(over if is_front and over is not None else (swept.keys or ("device",))[0]))
        axes.set_ylabel(title(score))
        axes.grid(alpha=0.3)
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


def range_ends(point: Point, name: str) -> tuple[float, float] | None:
    """Returns the ends of the range of a figure; None for a figure without a range, or an empty one."""
    ends = RANGE_OF[name].ends(point) if name in RANGE_OF and name not in point.options else None
    return None if ends is None or ends[0] == ends[1] else ends


def title(name: str) -> str:
    """Returns the title of an axis: a figure in words, or a key as it is."""
    return name if "." in name else UNITS.get(name, name.replace("_", " "))

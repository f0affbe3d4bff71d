"""Drawings of the result of a run in a notebook."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....core.number_texts import counted_text
from .charts import Strip, chart_style, raster_chart, trace_chart
from .density import flat_neurons, overlay

DRAWN, TRACED = 4, 3
"""Largest number of arrays that a notebook draws, and of neurons of an array of values."""


def result_html(
    arrays: Mapping[str, NDArray[Any]], *, has_samples: bool, extent: str, values: Collection[str] = ()
) -> str:
    """Returns a drawing of each array of a run: a raster of events, lines of reals and of the arrays whose names are in `values`."""
    shown: list[str] = []
    for name, array in list(arrays.items())[:DRAWN]:
        flat = flat_neurons(array, has_samples=has_samples)
        if flat.size:
            shown.append(f"<p>{escape(name)}</p>{array_chart(name, flat[0], is_value=name in values)}")
    return f"<style>{chart_style()}</style><p>{escape(extent)}</p>{''.join(shown)}"


def array_chart(name: str, array: NDArray[Any], *, is_value: bool) -> str:
    """Returns the chart of an array: values as lines, spikes and counts as a raster. Shapes: [ticks, neurons]."""
    if is_value or array.dtype.kind == "f":
        strips = [
            Strip(f"neuron {n}", {"after": array[:, n].astype(np.float64)}, {})
            for n in range(min(TRACED, array.shape[1]))
        ]
        return trace_chart(strips, name)
    counts = np.maximum(array.astype(np.int64), 0)
    label = f"{name}: {counted_text(int(counts.sum()), 'event')}"
    return raster_chart(overlay(counts, counts), counts.shape[0], counts.shape[1], label)

"""Sections of runs: for each population its spikes or values and its membranes, before and after the passes.

Events are drawn as a raster, and those of feature maps as maps, too. Values are drawn as lines, never as events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from ....core.arrays.numeric import AnyArray
from ....core.number_texts import counted_text, number_text
from ..figures.charts import MOST_POINTS, Strip, map_chart, raster_chart, trace_chart
from ..figures.density import Overlay, feature_maps, overlay
from ..measurements import POPULATIONS, Pair, telling_neurons
from ..sections import BEFORE_AFTER, Block, BlockGroup, Figure, Legend, Section

MOST_MAPS = 64
"""Largest number of feature maps that are drawn."""
OVERLAID: Legend = (("both", "same in both"), ("before", "network of reals only"), ("after", "after all passes only"))
ONE_RUN: Legend = (("both", "events"),)
NO_PAIR = "The network of reals has no such population."


def activity_section(pairs: Sequence[Pair], extent: str, added: Collection[str], *, is_build: bool) -> Section:
    """Returns the section of the populations that the user named. `added` are those of the compiler, which have their own section."""
    groups = [population_group(pair, is_build=is_build) for pair in pairs if pair.name not in added]
    compared = (
        " Each tick after the passes is compared with the tick of the network of reals that causes it."
        if is_build
        else ""
    )
    text = f"Sample 0 of {extent}; at most {POPULATIONS} populations.{compared}"
    return Section("Spikes, membranes and values", text=text, blocks=tuple(groups))


def helper_section(pairs: Sequence[Pair], added: Collection[str]) -> Section | None:
    """Returns the section of the compiler's own populations; None without any."""
    groups = tuple(population_group(pair, is_build=False) for pair in pairs if pair.name in added)
    if not groups:
        return None
    text = "Clocks, relays, copies and partial sums that passes added. They are not part of the network."
    return Section("Populations of the compiler", text=text, blocks=groups, is_folded=True)


def population_group(pair: Pair, *, is_build: bool) -> BlockGroup:
    """Returns the figures of a population."""
    records = pair.records
    kind = "values" if records.events is None else "spikes"
    size = (
        " x ".join(map(str, records.shape)) if len(records.shape) > 1 else counted_text(prod(records.shape), "neuron")
    )
    late = f"; {counted_text(pair.latency, 'tick')} later than in the network of reals" if pair.latency else ""
    missing = f" {NO_PAIR}" if is_build and pair.before is None else ""
    blocks = (*raster_figures(pair), *membrane_figures(pair), *value_figures(pair))
    return BlockGroup(f"Population {pair.name}", blocks, text=f"{size}, {kind}{late}.{missing}")


# ---- events


def event_counts(pair: Pair) -> list[NDArray[np.int64]]:
    """Returns the events of the first sample, before and after, or twice those of one run. Shapes: [ticks, neurons]."""
    known = [one.events[0] for one in (pair.before, pair.after) if one is not None and one.events is not None]
    return known * 2 if len(known) == 1 else known


def has_two_runs(pair: Pair) -> bool:
    return pair.before is not None and pair.after is not None


def raster_figures(pair: Pair) -> Iterator[Block]:
    """Yields the raster of events, and their sums over the ticks as feature maps."""
    counts = event_counts(pair)
    if len(counts) < 2 or not counts[0].size or counts[0].shape != counts[1].shape:
        return
    cells, legend = overlay(*counts), OVERLAID if has_two_runs(pair) else ONE_RUN
    ticks, neurons = counts[0].shape
    caption = f"{events_text(cells, is_pair=has_two_runs(pair))}{cells_text(cells)} Above: events by tick."
    yield Figure(caption, raster_chart(cells, ticks, neurons, f"raster of {pair.name}. {caption}"), legend)
    shape = pair.records.shape
    if len(shape) == 3 and shape[1] * shape[2] > 1:
        yield map_figure(pair.name, [one.sum(0).reshape(shape)[:MOST_MAPS] for one in counts], shape[0], legend)


def map_figure(name: str, totals: Sequence[NDArray[np.int64]], maps: int, legend: Legend) -> Figure:
    """Returns the events of each map, added over the ticks. Shapes: [maps, height, width]."""
    grids, columns = zip(*(feature_maps(one) for one in (np.minimum(*totals), *totals)), strict=True)
    both, before, after = grids
    cells = Overlay(both, before - both, after - both, 1, 1)
    shown = "" if maps <= MOST_MAPS else f"the first {MOST_MAPS} of "
    size = totals[0].shape[1:]
    caption = f"{shown}{counted_text(maps, 'map')} of {size[0]} x {size[1]}, events over all ticks; darkest: {number_text(cells.most)}."
    return Figure(
        caption,
        map_chart(cells, len(totals[0]), columns[0], (size[0], size[1]), f"feature maps of {name}. {caption}"),
        legend,
    )


def events_text(cells: Overlay, *, is_pair: bool) -> str:
    both, before, after = (int(part.sum()) for part in (cells.both, cells.before, cells.after))
    if not is_pair:
        return f"{counted_text(both, 'event')}."
    return f"{both + before:,} events in the network of reals, {both + after:,} after all passes; same neuron and tick: {both:,}, only before: {before:,}, only after: {after:,}."


def cells_text(cells: Overlay) -> str:
    """Returns what a cell of a raster holds."""
    if cells.neurons_per_row == cells.ticks_per_column == 1:
        return "" if cells.most < 2 else f" Darkest: {cells.most:,} events of a neuron in a tick."
    size = [counted_text(cells.neurons_per_row, "neuron"), counted_text(cells.ticks_per_column, "tick")]
    return f" A cell is {' x '.join(size)}, the darkest has {counted_text(cells.most, 'event')}."


# ---- membranes and values


def membrane_figures(pair: Pair) -> Iterator[Block]:
    """Yields the membranes of some neurons in units of their threshold."""
    runs = {"before": pair.before, "after": pair.after}
    known = {name: one for name, one in runs.items() if one is not None and one.membranes is not None}
    neurons = [n for n in telling_neurons(pair) if any(is_drawn(one.membranes, n) for one in known.values())]
    if not known or not neurons:
        return
    strips = [
        Strip(
            f"neuron {n}",
            {name: one.membranes[0, :, n] for name, one in known.items() if one.membranes is not None},
            {name: np.flatnonzero(one.events[0, :, n]) for name, one in known.items() if one.events is not None},
        )
        for n in neurons
    ]
    caption = f"Membranes of the neurons that differ or vary most: 0 at rest, 1 at the threshold, after each tick. Marks: spikes.{shortened(known['after' if 'after' in known else 'before'].membranes)}"
    legend = (*run_legend(pair, known), ("limit", "threshold"))
    yield Figure(caption, trace_chart(strips, f"membranes of {pair.name}", threshold=1.0), legend)


def value_figures(pair: Pair) -> Iterator[Block]:
    """Yields the values of the neurons that vary most; values whose unit is not known have a figure of their own."""
    runs = {"before": pair.before, "after": pair.after}
    known = {name: one for name, one in runs.items() if one is not None and one.values is not None and one.values.size}
    neurons = telling_neurons(pair) if known else []
    for is_scaled in (True, False):
        some = {name: one for name, one in known.items() if one.is_scaled == is_scaled}
        if not some or not neurons:
            continue
        strips = [
            Strip(
                f"neuron {n}", {name: one.values[0, :, n] for name, one in some.items() if one.values is not None}, {}
            )
            for n in neurons
        ]
        unit = "the network" if is_scaled else "the chip, whose unit is not known"
        longest = next(iter(some.values())).values
        caption = f"Values in units of {unit}.{shortened(longest)}"
        yield Figure(caption, trace_chart(strips, f"values of {pair.name}"), run_legend(pair, some))


def is_drawn(membranes: AnyArray | None, neuron: int) -> bool:
    return membranes is not None and bool(np.isfinite(membranes[0, :, neuron]).any())


def run_legend(pair: Pair, known: Collection[str]) -> Legend:
    return (("after", "this network"),) if pair.is_single else tuple(one for one in BEFORE_AFTER if one[0] in known)


def shortened(array: AnyArray | None) -> str:
    if array is None or array.shape[1] <= MOST_POINTS:
        return ""
    return f" The first {MOST_POINTS} of {array.shape[1]:,} ticks."

"""Section of weights that learn: mean and quantiles over the ticks, histograms before and after, and the weights of each target as an image."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ....core.number_texts import counted_text, number_text
from ..figures.charts import histogram_chart
from ..figures.weights import BANDS, field_chart, quantile_chart
from ..sections import BEFORE_AFTER, Block, BlockGroup, Figure, Legend, Section, TableBlock
from ..weight_histories import WeightHistory

FIELDS = 64
"""Largest number of targets whose weights are drawn as images."""
SINGLE: Legend = (("after", "this network"),)
Runs = Mapping[str, Mapping[str, WeightHistory]]
"""The weights of each node by run: `before` and `after` the passes, or `after` alone."""


def learning_section(runs: Runs) -> Section | None:
    """Returns the section of the weights that learn; None if no weight does."""
    nodes = dict.fromkeys(node for histories in runs.values() for node in histories)
    groups = tuple(node_group(node, {name: one[node] for name, one in runs.items() if node in one}) for node in nodes)
    if not groups:
        return None
    return Section(
        "Weights over time",
        text="Weights of the synapses with a learning rule, in numbers of the network.",
        blocks=groups,
    )


def node_group(node: str, histories: Mapping[str, WeightHistory]) -> BlockGroup:
    """Returns the figures of the weights of a node."""
    legend = SINGLE if len(histories) == 1 else BEFORE_AFTER
    last = list(histories.values())[-1]
    bands = " and ".join(f"{low} to {high} %" for low, high in BANDS)
    blocks: list[Block] = [
        Figure(
            f"Mean of the weights (line), and the ranges from {bands} of them.",
            quantile_chart({name: (one.ticks, one.values) for name, one in histories.items()}, f"weights of {node}"),
            legend,
        ),
        Figure(
            f"Distribution of the weights at the start, and after tick {last.ticks[-1]:,}.",
            histogram_chart(
                {"series3": last.values[0]} | {name: one.values[-1] for name, one in histories.items()},
                f"distribution of the weights of {node}",
                "weight",
            ),
            (("series3", "at the start"), *legend),
        ),
        *(figure for name, one in histories.items() for figure in field_figures(node, name, one, legend)),
        weight_table(histories, legend),
    ]
    size = counted_text(last.values.shape[1], "weight")
    rows = counted_text(len(last.ticks) - 1, "record")
    return BlockGroup(node, tuple(blocks), text=f"{size}, {rows} in {last.ticks[-1]:,} ticks.")


def field_figures(node: str, name: str, history: WeightHistory, legend: Legend) -> list[Figure]:
    """Returns the weights of each target at the end as images; none without a shape of the sources."""
    if history.fields is None:
        return []
    low, high = float(history.values.min()), float(history.values.max())
    weights = history.values[-1].reshape(-1, *history.fields)
    some = "" if len(weights) <= FIELDS else f"the first {FIELDS} of "
    run = "" if len(legend) == 1 else f", {dict(legend)[name]}"
    size = " x ".join(map(str, history.fields))
    caption = f"Weights of {some}{counted_text(len(weights), 'target')} from {size} sources at the end{run}: blank {number_text(low)}, darkest {number_text(high)}."
    return [Figure(caption, field_chart(weights[:FIELDS], f"{node}. {caption}", low, high))]


def weight_table(histories: Mapping[str, WeightHistory], legend: Legend) -> TableBlock:
    """Returns mean, spread and extremes of the weights at the start and at the end."""
    names, rows = dict(legend), list[tuple[str, ...]]()
    for name, one in histories.items():
        for tick, values in ((one.ticks[0], one.values[0]), (one.ticks[-1], one.values[-1])):
            numbers = (values.mean(), values.std(), values.min(), values.max()) if values.size else (0.0,) * 4
            rows.append((names[name], f"{tick:,}", *(number_text(float(np.round(number, 4))) for number in numbers)))
    head = ("run", "tick", "mean", "standard deviation", "smallest", "largest")
    return TableBlock(head, tuple(rows), numbers=(1, 2, 3, 4, 5), is_beside=True)

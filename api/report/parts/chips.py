"""Sections of a page about manufactured chips: their spread, the distribution of each figure over the chips, and the rates of populations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ....core.number_texts import counted_text, number_text
from ...judging.loss_texts import TITLES
from ..figures.charts import histogram_chart
from ..sections import BlockGroup, Figure, Section, TableBlock

SPREAD = ("mean", "deviation", "least", "greatest")
NUMBERS = (2, 3, 4, 5)
SERIES = ("after", "before", "series2", "series3")
"""CSS classes of the first ages."""
DIGITS = 6
"""Significant digits; chips differ little."""


def chips_section(record: Mapping[str, Any]) -> Section:
    """Returns the section of a record `nopt.chips/1`."""
    count = counted_text(record["chips"], "chip")
    known = ", ".join(f"{name} {value}" for name, value in record["imperfections"].items() if value is not None)
    size = f"{record['samples']} samples x {record['ticks']} ticks"
    bound = f"95 % confidence: at least {record['share']:.1%} of all chips are as good as the worst of {count}."
    return Section(
        "Manufactured chips",
        text=f"{count} of seed {record['seed']}, {known or 'no imperfection'}; {size}. {bound}",
        blocks=(
            *figures_of(record),
            TableBlock(("run", "figure", *SPREAD), tuple(spread_rows(record, count)), numbers=NUMBERS),
            BlockGroup(
                "Rates of populations",
                (TableBlock(("population", "run", *SPREAD), tuple(rate_rows(record, count)), numbers=NUMBERS),),
            ),
        ),
    )


def title_of(one: Mapping[str, Any], count: str) -> str:
    return count if one["age"] is None else f"{count} after {one['age']}"


def figures_of(record: Mapping[str, Any]) -> Iterator[Figure]:
    """Yields the distribution of each figure over the chips, a line for each age."""
    for name, title in TITLES.items():
        ages = dict(zip(SERIES, record["ages"], strict=False))
        chips = {css: each_of(one, name) for css, one in ages.items()}
        if any(value is not None for values in chips.values() for value in values):
            arrays = {css: np.array([np.nan if x is None else x for x in values]) for css, values in chips.items()}
            legend = tuple((css, one["age"] or "as programmed") for css, one in ages.items())
            yield Figure(f"{title} of each chip", histogram_chart(arrays, f"{title} of each chip", title), legend)


def spread_rows(record: Mapping[str, Any], count: str) -> Iterator[tuple[str, ...]]:
    """Yields the figures of the network, the ideal chip, and the chips of each age."""
    for name, title in TITLES.items():
        spreads = [one["accuracy"] if name == "accuracy" else one["loss"].get(name) for one in record["ages"]]
        if all(spread is None for spread in spreads):
            continue
        for level, run in (("network", "network"), ("ideal", "ideal chip")):
            yield run, title, number_text(record[level]["loss"][name], DIGITS), "-", "-", "-"
        for one, spread in zip(record["ages"], spreads, strict=True):
            if spread is not None:
                yield title_of(one, count), title, *spread_texts(spread)


def each_of(one: Mapping[str, Any], name: str) -> Sequence[float | None]:
    """Returns a figure of each chip of one age."""
    return one["accuracy_of_each"] if name == "accuracy" else one["loss_of_each"].get(name, ())


def rate_rows(record: Mapping[str, Any], count: str) -> Iterator[tuple[str, ...]]:
    """Yields the rates of each population."""
    for name, ideal in record["ideal"]["populations"].items():
        for level, run in (("network", "network"), ("ideal", "ideal chip")):
            own = record[level]["populations"].get(name, ideal)
            if own["rate"] is not None:
                yield name, run, number_text(own["rate"], DIGITS), "-", "-", "-"
        for one in record["ages"]:
            if name in one["rates"]:
                yield name, title_of(one, count), *spread_texts(one["rates"][name])


def spread_texts(spread: Mapping[str, float]) -> list[str]:
    return [number_text(spread[key], DIGITS) for key in SPREAD]

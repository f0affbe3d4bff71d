"""Sections of a page about manufactured chips: their spread, the distribution of each figure over the chips, and the rates of populations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...core.number_texts import counted_text, number_text
from . import drawings
from .sections import Figure, Section

FIGURES = (("accuracy", "accuracy_of_each", "accuracy"), ("rate_cosine", "rate_cosine_of_each", "rate cosine"))
"""Figures of a chip: the key of the spread, the key of the chips, and the title."""
DIGITS = 6
"""Significant digits; chips differ little."""


def chip_sections(record: Mapping[str, Any]) -> Iterator[Section]:
    """Yields the sections of a record `nopt.chips/1`."""
    count = counted_text(record["chips"], "chip")
    known = ", ".join(f"{name} {value}" for name, value in record["imperfections"].items() if value is not None)
    size = f"{record['samples']} samples x {record['ticks']} ticks"
    bound = f"95 % confidence: at least {record['share']:.1%} of all chips are as good as the worst of {count}."
    yield Section(
        "Manufactured chips",
        text=f"{count} of seed {record['seed']}, {known or 'no imperfection'}; {size}. {bound}",
        figures=tuple(figures_of(record)),
        tables=((("run", "figure", "mean", "deviation", "least", "greatest"), tuple(spread_rows(record, count))),),
    )
    rows = tuple(rate_rows(record, count))
    yield Section(
        "Rates of manufactured chips",
        text="" if rows else "The network has no population that emits events.",
        tables=((("population", "run", "mean", "deviation", "least", "greatest"), rows),) if rows else (),
    )


def title_of(one: Mapping[str, Any], count: str) -> str:
    return count if one["age"] is None else f"{count} after {one['age']}"


def figures_of(record: Mapping[str, Any]) -> Iterator[Figure]:
    """Yields the distribution of each figure over the chips, a line for each age."""
    for _, key, title in FIGURES:
        each = {one["age"] or "as programmed": one[key] for one in record["ages"]}
        if any(value is not None for values in each.values() for value in values):
            arrays = {age: np.array([np.nan if x is None else x for x in values]) for age, values in each.items()}
            yield Figure(f"{title} of each chip", drawings.histogram(arrays, title))


def spread_rows(record: Mapping[str, Any], count: str) -> Iterator[tuple[str, ...]]:
    """Yields the figures of the network, the ideal chip, and the chips of each age."""
    for key, _, title in FIGURES:
        for name, run in (("network", "network"), ("ideal", "ideal chip")):
            if record[name][key] is not None:
                yield run, title, number_text(record[name][key], DIGITS), "-", "-", "-"
        for one in record["ages"]:
            if one[key] is not None:
                yield title_of(one, count), title, *spread_texts(one[key])


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
    return [number_text(spread[key], DIGITS) for key in ("mean", "deviation", "least", "greatest")]

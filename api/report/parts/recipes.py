"""Section of the recipe of a device: the loss with each recipe that was tried, and the chosen one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....core.number_texts import counted_text, number_text, percent_text
from ..sections import Section, TableBlock

TRIAL_FIGURES = {"agreement": "same decision", "count_error": "count error", "relative_error": "relative error"}
"""Figures of a trial, with the titles of their columns."""


def recipe_section(recipe: Mapping[str, Any] | None) -> Section | None:
    """Returns the section of the entry `recipe` of a report; None if no recipe was tried."""
    if recipe is None or not recipe["trials"]:
        return None
    trials: list[dict[str, Any]] = recipe["trials"]
    shown = {name: title for name, title in TRIAL_FIGURES.items() if any(one[name] is not None for one in trials)}
    has_refusals = any(one["refused"] is not None for one in trials)
    rows = tuple(
        (
            f"{one['name']} (chosen)" if one["name"] == recipe["name"] else one["name"],
            *((percent_text if name == "agreement" else number_text)(one[name]) for name in shown),
            *([one["refused"] or ""] if has_refusals else []),
            one.get("reason") or "",
        )
        for one in trials
    )
    head = ("recipe", *shown.values(), *(["refused"] if has_refusals else []), "reason for the recipe")
    samples = counted_text(recipe["samples"], "sample")
    text = (
        f"Loss with each recipe of the device, on {samples} that no pass has fitted to (--effort {recipe['effort']})."
    )
    return Section("Recipes", text=text, blocks=(TableBlock(head, rows, numbers=tuple(range(1, len(shown) + 1))),))

"""Rows of the events of a step: the count of each, its coefficient of energy, and their product; or why it is not added."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...core.device.cost.records import MEANINGS, SPECIFIC, Coefficient, Energy, coefficients_of, specific_coefficients
from .events import Counts

ALWAYS = ("axon_in", "update_active", "update_inactive")
"""Specific events that are listed also without a coefficient of their own."""
NO_COEFFICIENT = "no coefficient"
GENERAL_OF = {one: name for name, names in SPECIFIC.items() for one in names}
"""General coefficients of the specific ones."""


def event_rows(section: Energy | None, counts: Counts, energy: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Returns a row for each event that happens in a step, in the order of the coefficients.

    {"name": "hop", "about": "moving a spike over one link", "count": 17, "unit": "hop", "coefficient": 1.2, "energy": {…}, "reason": None}

    `energy` is the sum with its terms, `reason` why an event has no energy of its own.
    """
    terms = {} if energy is None else {term["name"]: term for term in energy["terms"]}
    containing = dict(container_of(section))
    rows: list[dict[str, Any]] = []
    for name in listed_events(section, counts):
        about, unit = MEANINGS[name]
        term = terms.get(name)
        rows.append(
            {
                "name": name,
                "about": about,
                "count": counts[name],
                "unit": unit,
                "coefficient": None if term is None else term["coefficient"],
                "energy": None if term is None else {key: term[key] for key in ("value", "low", "high")},
                "reason": None if term is not None else reason_of(name, {*terms}, containing),
            }
        )
    return rows


def reason_of(name: str, added: set[str], containing: Mapping[str, str]) -> str:
    """Returns why an event is not added: another coefficient contains it, or the general one of its kind is added, or none is known."""
    for one in (name, GENERAL_OF.get(name, name)):
        if one in containing:
            return f"in {containing[one]}"
        if one in added:
            return f"counted as {one}"
    return NO_COEFFICIENT


def listed_events(section: Energy | None, counts: Counts) -> Iterator[str]:
    """Yields the events that are listed: a general one, or the specific ones that have coefficients in its place."""
    for name in MEANINGS:
        if not counts.get(name):
            continue
        if name in GENERAL_OF:
            is_listed = name in ALWAYS or name in specific_coefficients(section, GENERAL_OF[name])
        else:
            is_listed = not specific_coefficients(section, name)
        if is_listed:
            yield name


def container_of(section: Energy | None) -> Iterator[tuple[str, str]]:
    """Yields each coefficient that a known one contains, with the name of that one."""
    for name, held in coefficients_of(section):
        if isinstance(held, Coefficient) and held.value is not None:
            yield from ((part, name) for part in held.supersedes)

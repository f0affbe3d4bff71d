"""Texts of loss figures for tables: ratios with four decimals, errors with three significant digits."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.number_texts import number_text
from .loss import Loss, OutputLoss

TITLES = {
    "accuracy": "accuracy",
    "agreement": "agreement",
    "count_error": "count error",
    "spike_agreement": "spike agreement",
    "relative_error": "relative error",
    "largest_error": "largest error",
    "largest_output": "largest output",
}
"""Figures of a loss with their titles, in the order of tables."""
SIMILARITIES = ("accuracy", "agreement", "spike_agreement")
"""Figures that are 1 without loss; the others are 0."""


def known_figures(losses: Iterable[Loss | OutputLoss]) -> list[str]:
    """Returns the figures that have a value in one of some losses."""
    listed = list(losses)
    return [name for name in TITLES if any(getattr(one, name, None) is not None for one in listed)]


def loss_text(name: str, value: float | None) -> str:
    """Formats a figure; `-` for an unknown one. A similarity is 1.0000 only without loss, and an error is 0 only without error.

    loss_text("agreement", 0.98333) == "0.9833" and loss_text("count_error", 0.012345) == "0.0123"
    """
    if value is None or name not in SIMILARITIES:
        return number_text(value)
    text = f"{value:.4f}"
    return "0.9999" if text == "1.0000" and value < 1 else text

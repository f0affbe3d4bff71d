"""Saturation of sums on a chip: the sums of a run that exceed the largest value that the chip stores, by population and input."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ...core.diagnostics import Diagnostics
from ..json_record import Record


@frozen(kw_only=True)
class SumSaturation(Record):
    """Saturation of the sums of one population and input: an entry of `saturation` of the record `nopt.report/1`."""

    population: str
    input: str
    """The kind of synapses, as the target names it."""
    sums: int
    """Sums other than 0, over neurons, samples and ticks."""
    saturated: int
    """Those of them that were larger than the limit."""
    largest: int
    """The largest sum before saturation."""
    limit: int
    """The largest value that the chip stores."""


class WatchedChip:
    """Factory of models of a chip, which keeps the models that it created."""

    def __init__(self, chip: Any):
        self.chip = chip
        self.models: list[Any] = []

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Returns a new model."""
        self.models.append(self.chip(*args, **options))
        return self.models[-1]

    def saturation(self, diagnostics: Diagnostics) -> list[dict[str, Any]] | None:
        """Returns the saturation in the runs of all models; None if sums of the chip do not saturate. Warnings: those of the model of the target."""
        count = getattr(self.chip.func, "saturation", None)
        rows: list[dict[str, Any]] = [] if count is None or not self.models else count(self.models, diagnostics)
        return [SumSaturation(**row).as_json() for row in rows] or None

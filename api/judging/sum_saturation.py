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
    """Factory of models of a chip, which keeps the models that it created, if they count saturated sums."""

    def __init__(self, chip: Any):
        self.chip = chip
        self.models: list[Any] = []

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Returns a new model."""
        model = self.chip(*args, **options)
        if self.count is not None:
            self.models.append(model)
        return model

    @property
    def count(self) -> Any:
        """Returns the function of the target that counts saturated sums; None if its sums do not saturate."""
        return getattr(self.chip.func, "saturation", None)

    def saturation(self, diagnostics: Diagnostics) -> list[dict[str, Any]] | None:
        """Returns the saturation in the runs of all models; None if sums of the chip do not saturate. Warnings: those of the model of the target."""
        rows: list[dict[str, Any]] = self.count(self.models, diagnostics) if self.models else []
        return [SumSaturation(**row).as_json() for row in rows] or None

"""Result of a sweep: all points, and their common properties."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from ...core.diagnostics import Finding
from ..field_schemas import INTEGER, NULL, SCALARS, any_of, record_of
from ..json_record import Record, key
from .points import Point
from .search import Search


@frozen
class Sweep(Record):
    """All points of a sweep, in the order of the product of the keys, or in the order of a search."""

    SCHEMA = "nopt.sweep/1"

    keys: tuple[str, ...]
    points: tuple[Point, ...]
    accuracy: float | None = field(metadata=key(None))
    """That of the network before any pass."""
    weight_bytes: int = field(metadata=key(None))
    """That of the network before any pass."""
    samples: int
    ticks: int
    search: Search | None = None
    """Result of a search, if the sweep has a goal."""
    devices: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    """The objectives: figures that determine the best points."""
    unfinished: Finding | None = field(default=None, eq=False, metadata=key(None))
    """The finding about points that were not computed because a time budget ended (COR007). These points have its code. None if all are computed."""
    kept: int = field(default=0, eq=False, metadata=key(None))
    """Number of points that an earlier call computed; not in the record."""

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.sweep/1`; the figures before any pass are in `float`."""
        made = super().as_json()
        start = {"accuracy": self.accuracy, "weight_bytes": self.weight_bytes}
        return {"schema": made["schema"], "keys": made["keys"], "float": start} | made

    @classmethod
    def adapt_schema(cls, schema: dict[str, Any]) -> dict[str, Any]:
        start = record_of(accuracy=any_of(*SCALARS[float], NULL), weight_bytes=INTEGER)
        return schema | record_of(**schema["properties"], float=start)

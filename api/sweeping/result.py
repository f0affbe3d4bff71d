"""Result of a sweep: all points, and their common properties."""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from ...core.diagnostics import Finding
from .points import Point
from .search import Search


@frozen
class Sweep:
    """All points of a sweep, in the order of the product of the keys, or in the order of a search."""

    keys: tuple[str, ...]
    points: tuple[Point, ...]
    accuracy: float | None
    """That of the network before any pass."""
    weight_bytes: int
    """That of the network before any pass."""
    samples: int
    ticks: int
    search: Search | None = None
    """Result of a search, if the sweep has a goal."""
    devices: tuple[str, ...] = ()
    objectives: tuple[str, ...] = ()
    """The objectives: figures that determine the best points."""
    unfinished: Finding | None = field(default=None, eq=False)
    """The finding about points that were not computed because a time budget ended (COR007). These points have its code. None if all are computed."""
    kept: int = field(default=0, eq=False)
    """Number of points that an earlier call computed; not in the record."""

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.sweep/1`."""
        return {
            "schema": "nopt.sweep/1",
            "keys": list(self.keys),
            "float": {"accuracy": self.accuracy, "weight_bytes": self.weight_bytes},
            "points": [point.as_json() for point in self.points],
            "samples": self.samples,
            "ticks": self.ticks,
            "search": self.search and self.search.as_json(),
            "devices": list(self.devices),
            "objectives": list(self.objectives),
        }

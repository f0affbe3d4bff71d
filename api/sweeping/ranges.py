"""Figures of a point with a range: energy, time and power of a step on a device. The Pareto front orders them by the upper end."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from ..costing.amounts import Amount, amount_between


@frozen
class RangeFigure:
    """The fields of a point that hold a quantity, with its lowest and its highest value."""

    stem: str
    unit_name: str
    unit: str
    title: str
    """Words for the figure, per tick of the input, with its unit."""
    is_per_step: bool = True
    """Whether it belongs to a step; else it is a mean over time."""

    @property
    def value(self) -> str:
        return f"{self.stem}_{self.unit_name}"

    @property
    def low(self) -> str:
        return f"{self.stem}_low_{self.unit_name}"

    @property
    def high(self) -> str:
        return f"{self.stem}_high_{self.unit_name}"

    @property
    def names(self) -> tuple[str, str, str]:
        """Returns the names of the value, the lowest and the highest value."""
        return self.value, self.low, self.high

    def amount(self, point: Any) -> Amount | None:
        """Returns the quantity of a point of a sweep, of a step; None if it is not known."""
        value, low, high = (getattr(point, name) for name in self.names)
        return amount_between(value, low, high, self.unit)

    def ends(self, point: Any) -> tuple[float, float] | None:
        """Returns the lowest and the highest value of a tick of the input, by which points are compared; None if they are not known."""
        amount = self.amount(point)
        if amount is None:
            return None
        steps = (point.frame_ticks or 1) if self.is_per_step else 1
        return amount.low / steps, amount.high / steps

    def text(self, point: Any) -> str:
        """Formats the quantity of a point with its unit, `1.9 to 3.1 nJ/tick`; empty if it is not known."""
        amount = self.amount(point)
        if amount is None:
            return ""
        return amount.text(point.per or "" if self.is_per_step else "")


RANGES = {
    "energy": RangeFigure("energy", "pj", "pJ", "energy [pJ/tick]"),
    "latency": RangeFigure("latency", "ns", "ns", "time [ns/tick]"),
    "power": RangeFigure("power", "mw", "mW", "power [mW]", is_per_step=False),
}
"""Figures with a range, by the part of a cost that they come from."""
RANGE_OF = {one.value: one for one in RANGES.values()}
"""The same figures by the name of their value, which is also the name of an objective."""
RANGE_COLUMNS = tuple(name for one in RANGES.values() for name in one.names)

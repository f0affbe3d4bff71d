"""Energy, time and power of a step of a network, which is a tick or a frame: each with its range and its unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from ...core.number_texts import range_text
from ..json_record import Record


@frozen
class Amount(Record):
    """A quantity with the lowest and the highest value that its sources give."""

    value: float
    low: float
    high: float
    unit: str

    def text(self, per: str = "") -> str:
        """Formats the range, `1.9 to 3.1 nJ`; with a noun per this noun, `1.9 to 3.1 nJ/tick`."""
        return range_text(self.low, self.high, f"{self.unit}/{per}" if per else self.unit)


def step_amounts(cost: Mapping[str, Any], tick_ns: int) -> dict[str, Amount]:
    """Returns the known ones of energy, latency and power of a step of `tick_ns`, from the cost of a network; the power is the mean in real time."""
    found = {what: amount_of(cost[what]) for what in ("energy", "latency") if cost[what] is not None}
    if (energy := found.get("energy")) is not None:
        found["power"] = Amount(energy.value / tick_ns, energy.low / tick_ns, energy.high / tick_ns, "mW")  # pJ / ns
    return found


def amount_of(entry: Mapping[str, Any]) -> Amount:
    """Returns the amount of a sum of terms."""
    return Amount(float(entry["value"]), float(entry["low"]), float(entry["high"]), entry["unit"])


def amount_between(value: float | None, low: float | None, high: float | None, unit: str) -> Amount | None:
    """Returns a quantity from its three numbers; None if it is not known."""
    return None if value is None or low is None or high is None else Amount(value, low, high, unit)

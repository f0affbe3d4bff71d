"""Cost of a sample: its steps at the length of the network's tick, and at the shortest one that the device computes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.device.cost.records import POWERS


def sample_of(made: Mapping[str, Any], ticks: int, tick_ns: int, accuracy: float | None) -> dict[str, Any]:
    """Returns time, energy and power of a sample at the network's tick, and at the shortest tick that the device computes; with an accuracy, also the energy of a correct answer."""
    latency = made["latency"]
    shortest = None if latency is None or latency["unknown"] else latency["value"]
    real_time = pace_of(made["energy"], ticks, tick_ns, tick_ns)
    energy = real_time["energy"]
    return {
        "ticks": ticks,
        "real_time": real_time,
        "fastest": None if not shortest else pace_of(made["energy"], ticks, tick_ns, shortest),
        "per_correct": None
        if energy is None or not accuracy
        else {key: energy[key] / accuracy for key in ("value", "low", "high")} | {"unit": energy["unit"]},
    }


def pace_of(energy: Mapping[str, Any] | None, ticks: int, tick_ns: int, pace_ns: float) -> dict[str, Any]:
    """Returns the time, and the energy and mean power if they are known, of ticks of `pace_ns`."""
    made: dict[str, Any] = {"tick_ns": pace_ns, "time_ns": ticks * pace_ns, "energy": None, "power_mw": None}
    if energy is None:
        return made
    # powers last for the tick, all other terms are events
    part = {
        key: sum(one[key] * (pace_ns / tick_ns if one["name"] in POWERS else 1) for one in energy["terms"])
        for key in ("value", "low", "high")
    }
    made["energy"] = {key: ticks * n for key, n in part.items()} | {"unit": energy["unit"]}
    made["power_mw"] = {key: n / pace_ns for key, n in part.items()}
    return made

"""Energy and time of a tick, computed by hand for a mapping of four vertices."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from nopt.api.costs import cost_of
from nopt.core.device import device as devices
from nopt.core.device.device import Device

MAPPING: dict[str, Any] = {
    "vertices": [
        {"id": "input/0", "node": "input", "neurons": 8, "core": 0, "chip": 0},
        {"id": "a/0", "node": "a", "neurons": 10, "core": 0, "chip": 0},
        {"id": "a/1", "node": "a", "neurons": 10, "core": 1, "chip": 0},
        {"id": "b/0", "node": "b", "neurons": 4, "core": 3, "chip": 0},
    ],
    "edges": [
        {"source": "input/0", "target": "a/0", "synapses": 80, "axons": 8, "activity": 2.0},  # 20 additions
        {"source": "input/0", "target": "a/1", "synapses": 80, "axons": 8, "activity": 2.0},
        {"source": "a/0", "target": "b/0", "synapses": 40, "axons": 10, "activity": 5.0},
        {"source": "a/1", "target": "b/0", "synapses": 40, "axons": 10, "activity": 5.0},
    ],
    "routes": [
        {"source": "input/0", "activity": 2.0, "links": [[0, 0, 1, 0]]},
        {"source": "a/0", "activity": 5.0, "links": [[0, 0, 1, 0], [1, 0, 1, 1]]},
        {"source": "a/1", "activity": 5.0, "links": [[1, 0, 1, 1]]},
    ],
}
TICK_NS = 1_000_000


def edge(**changes: Any) -> Device:
    device = devices.find_device("asic", "edge")
    assert device.execution is not None
    return evolve(device, execution=evolve(device.execution, **changes))


def counts(part: dict[str, Any]) -> dict[str, float]:
    return {term["name"]: term["count"] for term in part["terms"]}


def test_energy_is_counts_times_coefficients() -> None:
    cost = cost_of(edge(), MAPPING, TICK_NS)
    assert cost is not None
    assert counts(cost["energy"]) == {"spike": 12, "hop": 17, "synapse": 80, "update": 24, "idle": TICK_NS}
    assert cost["energy"]["value"] == pytest.approx(12 * 2.5 + 17 * 1.2 + 80 * 0.6 + 24 * 1.8 + 0.3 * TICK_NS)
    assert all(term["confidence"] == "assumed" and "asic/edge" in term["source"] for term in cost["energy"]["terms"])


@pytest.mark.parametrize(
    ("granularity", "synapse", "update"),
    # core: b/0 adds 40 weights, 80 ns, and updates 4 neurons, 20 ns; a/0 takes 40 + 50 ns. chip: all of them. layer: a/0, then b/0
    [("neuron", 40, 4), ("core", 40, 4), ("chip", 80, 24), ("layer", 60, 14)],
)
def test_time_is_that_of_the_slowest(granularity: str, synapse: float, update: float) -> None:
    cost = cost_of(edge(granularity=granularity), MAPPING, TICK_NS)
    assert cost is not None
    assert counts(cost["latency"]) == {"hop": 2, "synapse": synapse, "update": update}
    assert cost["latency"]["value"] == 2 * 4 + synapse * 2 + update * 5
    assert cost["latency"]["fits"]
    late = cost_of(edge(granularity=granularity), MAPPING, 50)
    assert late is not None
    assert not late["latency"]["fits"]


@pytest.mark.parametrize(("mode", "updates"), [("time-stepped", 24), ("event-driven", 80), ("continuous", 0)])
def test_what_makes_neurons_change(mode: str, updates: float) -> None:
    cost = cost_of(edge(mode=mode), MAPPING, TICK_NS)
    assert cost is not None
    assert counts(cost["energy"])["update"] == updates


def test_neurons_in_parallel_take_less_time() -> None:
    device = devices.override_fields(devices.find_device("asic", "edge"), ["execution.parallelism=4"])
    cost = cost_of(device, MAPPING, TICK_NS)
    assert cost is not None
    assert counts(cost["latency"])["update"] == 1


def test_what_is_not_known_is_named() -> None:
    cost = cost_of(devices.find_device("asic", "mesh"), MAPPING, TICK_NS)
    assert cost is not None
    assert cost["energy"]["unknown"] == ["cost.energy.idle"]
    multi = cost_of(devices.find_device("asic", "multi"), MAPPING, TICK_NS)
    assert multi is not None
    assert multi["latency"] is None
    assert cost_of(devices.find_device("c"), MAPPING, TICK_NS) is None

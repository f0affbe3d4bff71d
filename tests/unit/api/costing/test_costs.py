"""Energy and time of a tick, computed by hand for a mapping of four vertices."""

from __future__ import annotations

from copy import deepcopy
from math import exp
from typing import Any

import pytest
from attrs import evolve

from nopt.api.costing.costs import cost_of
from nopt.core.device import device as devices
from nopt.core.device.cost.records import Coefficient, Cost, Energy
from nopt.core.device.device import Device
from nopt.core.device.fields import Quantity

MAPPING: dict[str, Any] = {
    "populations": [
        {"node": "input", "is_input": True, "rate": 0.25},
        {"node": "a", "is_input": False, "rate": 0.5},
        {"node": "b", "is_input": False, "rate": None},
    ],
    "vertices": [
        {"id": "input/0", "node": "input", "neurons": 8, "core": 0, "chip": 0},
        {"id": "a/0", "node": "a", "neurons": 10, "core": 0, "chip": 0},
        {"id": "a/1", "node": "a", "neurons": 10, "core": 1, "chip": 0},
        {"id": "b/0", "node": "b", "neurons": 4, "core": 3, "chip": 0},
    ],
    "edges": [
        {
            "source": "input/0",
            "target": "a/0",
            "synapses": 80,
            "axons": 8,
            "activity": 2.0,
            "format": None,
            "entries": 80,
        },  # 20 additions
        {
            "source": "input/0",
            "target": "a/1",
            "synapses": 80,
            "axons": 8,
            "activity": 2.0,
            "format": None,
            "entries": 80,
        },
        {"source": "a/0", "target": "b/0", "synapses": 40, "axons": 10, "activity": 5.0, "format": None, "entries": 40},
        {"source": "a/1", "target": "b/0", "synapses": 40, "axons": 10, "activity": 5.0, "format": None, "entries": 40},
    ],
    "routes": [
        {"source": "input/0", "activity": 2.0, "links": [[0, 0, 1, 0]]},
        {"source": "a/0", "activity": 5.0, "links": [[0, 0, 1, 0], [1, 0, 1, 1]]},
        {"source": "a/1", "activity": 5.0, "links": [[1, 0, 1, 1]]},
    ],
    "deliveries": [
        {"source": "input/0", "core": 0, "chip": 0, "neurons": 8, "activity": 2.0},
        {"source": "input/0", "core": 1, "chip": 0, "neurons": 8, "activity": 2.0},
        {"source": "a/0", "core": 3, "chip": 0, "neurons": 10, "activity": 5.0},
        {"source": "a/1", "core": 3, "chip": 0, "neurons": 10, "activity": 5.0},
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
    generic = cost_of(devices.find_device("c"), MAPPING, TICK_NS)
    assert generic["energy"] is None
    assert generic["latency"] is None
    assert "processor" in generic["reasons"]["energy"]


def test_a_route_to_a_core_at_the_same_router_has_no_links() -> None:
    routes = [{"source": "a/0", "activity": 5.0, "links": []}, *MAPPING["routes"][2:]]
    cost = cost_of(edge(), MAPPING | {"routes": routes}, TICK_NS)
    assert cost is not None
    assert (counts(cost["energy"])["spike"], counts(cost["energy"])["hop"]) == (10, 5)


# ---- events and steps


def test_each_event_is_its_count_times_its_coefficient() -> None:
    cost = cost_of(edge(), MAPPING, TICK_NS)
    rows = {one["name"]: one for one in cost["events"]}
    assert {name: one["count"] for name, one in rows.items() if one["energy"] is not None} == {
        "spike": 12,
        "hop": 17,
        "synapse": 80,
        "update": 24,
    }
    for one in rows.values():
        if one["energy"] is not None:
            assert one["energy"]["value"] == pytest.approx(one["count"] * one["coefficient"])
            assert one["reason"] is None
    events = sum(one["energy"]["value"] for one in rows.values() if one["energy"] is not None)
    assert events + 0.3 * TICK_NS == pytest.approx(cost["energy"]["value"])
    assert rows["update_active"]["count"] + rows["update_inactive"]["count"] == pytest.approx(24)
    assert rows["update_active"]["reason"] == "counted as update"
    assert (rows["axon_in"]["count"], rows["axon_in"]["reason"]) == (14, "counted as spike")
    assert rows["access"]["reason"] == "no coefficient"


def test_an_event_in_an_average_names_it() -> None:
    rows = {one["name"]: one for one in cost_of(devices.find_device("truenorth", "ns1e"), MAPPING, TICK_NS)["events"]}
    assert {name: rows[name]["reason"] for name in ("spike", "hop", "update", "update_active", "synapse")} == {
        "spike": "in synapse",
        "hop": "in synapse",
        "update": "in idle",
        "update_active": "in idle",
        "synapse": None,
    }


def test_the_step_is_a_frame_where_frames_are_computed() -> None:
    akida = cost_of(devices.find_device("akida", "akd1000"), None, TICK_NS, counts={"frame": 1.0})
    assert (akida["per"], akida["events"][0]["unit"]) == ("frame", "frame")
    speck = devices.find_device("dynapcnn", "speck2f")
    assert cost_of(speck, None, TICK_NS)["per"] == "tick"
    frames = cost_of(speck, None, TICK_NS, frame_ticks=16)
    assert (frames["per"], frames["latency"]["terms"][0]["unit"]) == ("frame", "ns/frame")


# ---- specific coefficients


def on_loihi(**changes: Any) -> dict[str, Any]:
    """Returns the mapping with dense tables into a, sparse ones into b, and b on a core one node to the right and one below."""
    made: dict[str, Any] = deepcopy(MAPPING)
    made["vertices"][3]["core"] = 36  # (1, 1) of a mesh of 8 x 4 nodes with 4 cores each
    for edge in made["edges"]:
        edge["format"] = "dense8" if edge["target"].startswith("a") else "sparse8"
    for delivery in made["deliveries"][2:]:
        delivery["core"] = 36
    return made | changes


def test_specific_coefficients_take_the_place_of_general_ones() -> None:
    cost = cost_of(devices.find_device("loihi2", "loihi1"), on_loihi(), TICK_NS, ticks=10)
    assert cost is not None
    assert cost["assumed"] == ["b"]
    # fire: 20 * 0.5 + 4 * 1; each of 10 events of a takes a link along x and one along y
    found = counts(cost["energy"])
    assert found == {
        "fire": 14,
        "axon_out": 14,
        "axon_in": 14,
        "hop_x": 10,
        "hop_y": 10,
        "synapse_dense": 40,
        "synapse_sparse": 40,
        "access": 24,
        "update": 24,
        "idle": TICK_NS,
    }
    events = 14 * 69.3 + 14 * 111 + 10 * 3.0 + 10 * 4.2 + 40 * 35.5 + 40 * 33.6 + 24 * 51.2 + 24 * 21.6
    idle = 104.4 * TICK_NS
    assert cost["energy"]["value"] == pytest.approx(events + idle)
    assert cost["energy"]["unknown"] == []
    assert {term["name"]: term["note"] for term in cost["energy"]["terms"]}["fire"] == "energy_spike_out"
    # b: 40 entries, 10 messages, 4 neurons of which each fires; a/0: 5 * 30 + 10 * 6 + 10 * 3.7 + 20 * 3.8 + 5 * 5.1 + 2 * 16 = 380.5
    slowest = 40 * 4.7 + 10 * 16 + 4 * (30 + 6 + 3.7)
    assert cost["latency"]["value"] == pytest.approx(slowest + 4.1 + 6.5 + 1000)  # two nodes: the barrier from 2 to 3
    time = slowest + 1010.6
    real, fastest = cost["sample"]["real_time"], cost["sample"]["fastest"]
    assert (real["time_ns"], fastest["time_ns"]) == (10 * TICK_NS, pytest.approx(10 * time))
    assert real["energy"]["value"] == pytest.approx(10 * (events + idle))
    assert fastest["energy"]["value"] == pytest.approx(10 * (events + 104.4 * time))
    assert fastest["power_mw"]["value"] == pytest.approx((events + 104.4 * time) / time)
    # the paper's own table: 81 pJ for the neurons that receive an event, 52 pJ for the others
    active = 20 * (1 - exp(-2)) + 4 * (1 - exp(-10))
    other = 14 * 0 + 10 * 3.0 + 10 * 4.0 + 80 * 23.6 + active * 81 + (24 - active) * 52
    spikes = sum(route["activity"] for route in MAPPING["routes"])
    assert [one["name"] for one in cost["others"]] == ["davies2018"]
    assert cost["others"][0]["value"] == pytest.approx(other + 1.7 * spikes)


def test_events_without_a_specific_coefficient_are_unknown() -> None:
    device = devices.find_device("loihi2", "loihi1")
    assert device.cost is not None
    assert device.cost.energy is not None
    partial = evolve(device, cost=evolve(device.cost, energy=evolve(device.cost.energy, synapse_sparse=None)))
    cost = cost_of(partial, on_loihi(), TICK_NS)
    assert cost is not None
    assert cost["energy"]["unknown"] == ["cost.energy.synapse_sparse"]
    plain = cost_of(device, on_loihi(edges=MAPPING["edges"]), TICK_NS)  # no format
    assert plain is not None
    assert plain["energy"]["unknown"] == ["cost.energy.synapse"]


@pytest.mark.parametrize(("routers", "time"), [(1, 600), (3, 1000), (28, 1400), (29, 1800), (32, 1800)])
def test_the_barrier_depends_on_the_routers_in_use(routers: int, time: float) -> None:
    made = on_loihi(edges=[], deliveries=[], routes=[])
    made["vertices"] = [
        {"id": f"a/{k}", "node": "a", "neurons": 1, "core": 4 * k + k % 4, "chip": 0} for k in range(routers)
    ]
    cost = cost_of(devices.find_device("loihi2", "loihi1"), made, TICK_NS)
    assert cost is not None
    assert next(term["value"] for term in cost["latency"]["terms"] if term["name"] == "barrier") == time


# ---- bands, averages and powers


def declared(**entries: dict[str, Any]) -> Device:
    """Returns asic/edge with these coefficients of energy, and no others."""
    given = {name: Coefficient(source="synthetic", confidence="assumed", **one) for name, one in entries.items()}
    device = devices.find_device("asic", "edge")
    return evolve(device, cost=Cost(energy=Energy(**given)))


def test_the_range_of_a_sum_is_that_of_its_bands() -> None:
    cost = cost_of(declared(spike={"value": 2.0, "band": (1.0, 5.0)}, idle={"value": 0.5}), MAPPING, TICK_NS)
    assert cost["energy"]["value"] == 12 * 2 + 0.5 * TICK_NS
    assert (cost["energy"]["low"], cost["energy"]["high"]) == (12 + 0.5 * TICK_NS, 60 + 0.5 * TICK_NS)
    assert cost["energy"]["unknown"] == [f"cost.energy.{name}" for name in ("hop", "synapse", "update")]


def test_what_an_average_contains_is_left_out() -> None:
    average = {"value": 3.0, "scope": "average", "supersedes": ("spike", "hop", "update", "idle")}
    cost = cost_of(declared(synapse=average, spike={"value": 7.0}, idle={"value": 9.0}), MAPPING, TICK_NS)
    assert counts(cost["energy"]) == {"synapse": 80}
    assert cost["energy"]["unknown"] == []
    assert cost["energy"]["value"] == 240


def test_powers_last_for_chips_cores_and_boards() -> None:
    device = declared(idle={"value": 1.0}, core={"value": 2.0}, board={"value": 4.0}, running={"value": 8.0})
    assert device.cost is not None
    device = evolve(device, cost=evolve(device.cost, boards=Quantity(value=3, source="synthetic")))
    cost = cost_of(device, MAPPING, TICK_NS)
    # three cores have neurons; inputs on a core cost nothing
    assert counts(cost["energy"]) | {"spike": 0} == {
        "idle": TICK_NS,
        "core": 3 * TICK_NS,
        "board": 3 * TICK_NS,
        "running": TICK_NS,
        "spike": 0,
    }


def test_without_a_mapping_events_are_not_free() -> None:
    device = declared(synapse={"value": 3.0}, idle={"value": 1.0})
    cost = cost_of(device, None, TICK_NS)
    assert cost["energy"] is None
    assert "no mapping" in cost["reasons"]["energy"]
    whole = {"value": 2.0, "scope": "average", "supersedes": ("spike", "hop", "synapse", "update", "idle")}
    cost = cost_of(declared(running=whole), None, TICK_NS)
    assert counts(cost["energy"]) == {"running": TICK_NS}


def test_the_counts_of_a_target_are_added() -> None:
    frame = {"value": 1000.0, "scope": "average", "supersedes": ("spike", "hop", "synapse", "update")}
    cost = cost_of(declared(frame=frame, idle={"value": 1.0}), None, TICK_NS, counts={"frame": 1.0, "inputs": 5.0})
    assert counts(cost["energy"]) == {"frame": 1, "idle": TICK_NS}


@pytest.mark.parametrize(("rate", "milliwatts"), [(11.58, 68), (20.07, 71), (95.93, 94)])
def test_the_measured_power_of_truenorth(rate: float, milliwatts: float) -> None:
    """The published powers of a chip whose neurons have 128 synapses each, at three rates and 0.8 V."""
    neurons, synapses, tick = 2**20, 128 * 2**20, rate * 1e-3
    vertices = [{"id": "a/0", "node": "a", "neurons": neurons, "core": 0, "chip": 0}]
    edge = {"source": "a/0", "target": "a/0", "synapses": synapses, "axons": neurons}
    made = {
        "populations": [{"node": "a", "is_input": False, "rate": tick}],
        "vertices": vertices,
        "edges": [{**edge, "activity": neurons * tick, "format": None, "entries": synapses}],
        "routes": [],
        "deliveries": [],
    }
    cost = cost_of(devices.find_device("truenorth", "ns1e"), made, TICK_NS, ticks=1)
    power = cost["sample"]["real_time"]["power_mw"]
    assert power["value"] == pytest.approx(milliwatts, rel=0.015)
    assert power["low"] <= power["value"] <= power["high"]
    assert cost["others"][0]["name"] == "merolla2014"  # the average is not added

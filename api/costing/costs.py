"""Cost of a network on a device: energy and time of a tick and of a sample, from the coefficients of its file, each with its band.

    energy = sum over events of their number * their coefficient + the power of chips, cores and boards * tick
    time   = the work of the slowest unit + the longest path + the barrier

The numbers of events are those of the mapping (`events.py`), and those that the target counts on its chip: products, conversions, cycles, frames. A
specific coefficient takes the place of the general one. A coefficient that another one contains (`supersedes`) is left out; an unknown
coefficient is listed, and left out of the sum.

| power | counted for |
| --- | --- |
| `idle`, `running` | each chip of the device |
| `core` | each core in use |
| `board` | each board |

Work of a unit is done in sequence, except that a core handles `execution.parallelism` neurons simultaneously. The granularity of the device
determines the slowest unit: a core, a chip whose cores run in sequence, or the layers in sequence. Cycles and frames of a chip take the place of this
work. `latency.tick`, the shortest tick that was run, replaces it where it is declared. A tick of a device that follows the time of the world
(`execution.barrier`) takes its own length.

The lower and upper values of a sum are the sums of the bands. A sample takes its ticks at the length of the network's tick (real time), and at the
shortest tick that the device can compute, if that is known; power that is always on costs less energy in shorter ticks.

Units: pJ, ns and mW, as in the fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.device.cost.cycles import count_cycles
from ...core.device.cost.records import (
    GENERAL,
    MEANINGS,
    POWERS,
    SPECIFIC,
    Coefficient,
    Cost,
    Energy,
    Latency,
    coefficients_of,
    specific_coefficients,
    superseded,
)
from ...core.device.device import Device
from .event_rows import event_rows
from .events import NO_LAYOUT, Counts, MappedEvents, add
from .samples import sample_of

CHIP_TIMES = ("cycle", "frame")
"""Coefficients of time that replace the work of units."""
NOT_COUNTED = "the network has no mapping, so that its events are not counted"
NO_COEFFICIENTS = "the device file has no coefficients of {}"


def cost_of(
    device: Device,
    mapping: Mapping[str, Any] | None,
    tick_ns: int,
    ticks: int | None = None,
    counts: Mapping[str, float] | None = None,
    accuracy: float | None = None,
    frame_ticks: int = 1,
) -> dict[str, Any]:
    """Returns energy and time of a step with all their terms, and of a sample of `ticks` steps; energy or time is None where the device specifies none, with the reason.

        nopt.cost_of(device, mapping, 1_000_000)["energy"]["value"]

    `mapping` is the record `nopt.mapping/1` of a routed network, `counts` the numbers that the target counts on its chip, `accuracy` the share of correct
    answers. A step is a tick of `tick_ns`; `per` names it. For a network of frames, of `frame_ticks` ticks of the input each, it is a frame.
    """
    cost = device.cost or Cost()
    energy, latency = cost.energy, cost.latency
    events = None if mapping is None else MappedEvents(device, mapping, lambda some: time_of(latency, some))
    chip = chip_counts(device, counts or {})
    if events is None and energy is not None and uncounted(energy, chip):
        energy = None
    total = chip if events is None else chip | events.all_counts()
    powers = power_counts(device, total, tick_ns)
    made: dict[str, Any] = {
        "per": step_name(device, frame_ticks),
        "assumed": [] if mapping is None else [one["node"] for one in mapping["populations"] if one["rate"] is None],
        "energy": None if energy is None else known_sum(device, energy, "cost.energy", {**total, **powers}, "pJ"),
        "latency": time_sum(device, latency or Latency(), events, chip)
        or real_time(device, tick_ns, step_name(device, frame_ticks)),
        "events": [],
        "sample": None,
        "others": [],
        "inferences": [*inference_rows(device)],
    }
    made["events"] = event_rows(cost.energy, total, made["energy"])
    if made["latency"] is not None:
        made["latency"] |= {"tick": tick_ns, "fits": made["latency"]["value"] <= tick_ns}
    is_declared = {"energy": cost.energy is not None, "time": cost.latency is not None}
    made["reasons"] = {
        what: None
        if made[part] is not None
        else NOT_COUNTED
        if is_declared[what] and events is None
        else reason_of(device, what)
        for what, part in (("energy", "energy"), ("time", "latency"))
    }
    for name, other in cost.others.items():
        found = known_sum(device, other.energy, f"cost.others.{name}.energy", {**total, **powers}, "pJ")
        if found is not None:
            value = {key: found[key] for key in ("value", "low", "high", "unit")}
            made["others"].append({"name": name, "about": other.about, **value})
    if ticks is not None:
        made["sample"] = sample_of(made, ticks, tick_ns, accuracy)
    return made


def step_name(device: Device, frame_ticks: int) -> str:
    """Returns the name of a step: a frame on a device that computes frames, and of a network of frames; else a tick."""
    computes_frames = device.execution is not None and device.execution.step == "frame"
    return "frame" if computes_frames or frame_ticks > 1 else "tick"


def reason_of(device: Device, what: str) -> str:
    """Returns why energy or time is not known for any network."""
    cost = device.cost or Cost()
    return cost.unknown or NO_COEFFICIENTS.format(what)


# ---- counts


def chip_counts(device: Device, counts: Mapping[str, float]) -> Counts:
    """Returns the counts of a target, with the clock cycles of the device's expressions."""
    cycles = (device.cost or Cost()).cycles
    if not cycles or not counts:
        return {name: n for name, n in counts.items() if name in MEANINGS}
    total = sum(count_cycles(one.expression, counts) for one in cycles.values())
    return {name: n for name, n in counts.items() if name in MEANINGS} | {"cycle": total}


def uncounted(section: Energy, counts: Counts) -> list[str]:
    """Returns the known coefficients of events that a network without a mapping does not count."""
    contained = superseded(section)
    return [
        name
        for name, held in coefficients_of(section)
        if name in (*MEANINGS, "core") and name not in (*contained, *counts) and held.value is not None
    ]


def power_counts(device: Device, counts: Counts, tick_ns: float) -> Counts:
    """Returns the duration of each power in a tick, in ns; 1 mW over 1 ns is 1 pJ."""
    chips = device.number("topology.chips") or 1
    boards = device.number("cost.boards") or 1
    numbers = {"idle": chips, "running": chips, "core": counts.get("core", 0), "board": boards}
    return {name: numbers[name] * tick_ns for name in POWERS}


def priced(section: Energy | Latency, counts: Mapping[str, float]) -> Counts:
    """Returns the counts of the coefficients of a section that are added.

    If the device declares specific coefficients, those with events are listed in place of the general one. Parts that others contain are left out.
    """
    groups = {one: names for names in SPECIFIC.values() for one in names}
    contained = superseded(section)
    found = Counts()
    for name in (*MEANINGS, *POWERS):
        if not hasattr(section, name) or name in contained:
            continue
        is_replaced = bool(specific_coefficients(section, name))
        count = counts.get(f"{name}{NO_LAYOUT}" if is_replaced else name, 0)
        if name in GENERAL:
            is_listed = not is_replaced or count > 0
        elif name in POWERS:
            is_listed = name == "idle" or getattr(section, name) is not None
        else:
            is_listed = count > 0 and any(getattr(section, one) is not None for one in groups.get(name, (name,)))
        if is_listed:
            found[name] = count
    return found


def coefficient_value(section: Energy | Latency | None, name: str) -> float:
    """Returns a coefficient; an unknown one counts as 0."""
    held: Coefficient | None = getattr(section, name, None)
    return 0.0 if held is None or held.bounds is None else held.bounds[1]


def time_of(section: Latency | None, counts: Counts) -> float:
    """Returns the time of sequential events; unknown coefficients count as 0."""
    return (
        0.0
        if section is None
        else sum(n * coefficient_value(section, name) for name, n in priced(section, counts).items())
    )


# ---- sums


def known_sum(
    device: Device, section: Energy | Latency, at: str, counts: Mapping[str, float], unit: str
) -> dict[str, Any] | None:
    """Returns the sum over a section; None without a known coefficient."""
    found = sum_terms(device, at, priced(section, counts), unit)
    return found if found["terms"] else None


def time_sum(device: Device, section: Latency, events: MappedEvents | None, chip: Counts) -> dict[str, Any] | None:
    """Returns the time of a tick: the declared shortest one, that of cycles or frames, or that of the slowest unit; None if none is known."""
    at = "cost.latency"
    if section.tick is not None and section.tick.value is not None:
        return sum_terms(device, at, {"tick": 1}, "ns")
    counted = {name: chip[name] for name in CHIP_TIMES if name in chip and coefficient_value(section, name)}
    if counted:
        return sum_terms(device, at, counted, "ns")
    if events is not None:
        slowest = {**priced(section, events.slowest()), **barrier(section, events.routers)}
        found = sum_terms(device, at, slowest, "ns")
        if found["terms"]:
            return found
    return None


def real_time(device: Device, tick_ns: int, per: str) -> dict[str, Any] | None:
    """Returns the time of a tick of a device that follows the time of the world: its ticks start with a clock, or it has none. None for other devices."""
    if device.execution is None or device.execution.barrier not in ("clock", "none"):
        return None
    value = {key: float(tick_ns) for key in ("value", "low", "high")}
    declared: dict[str, Any] = {
        "scope": "average",
        "basis": None,
        "condition": "the device follows the time of the world",
        "contains": [],
    }
    source = {"source": device.cite("execution.barrier"), "confidence": "documented", "note": None}
    term = {"name": per, "count": 1, "coefficient": float(tick_ns), "unit": f"ns/{per}", **value, **declared, **source}
    return {**value, "unit": "ns", "terms": [term], "unknown": []}


def barrier(section: Latency, routers: int) -> Counts:
    """Returns the path of the barrier coefficient for a number of used routers, with the count 1; empty if the device declares none."""
    fitting = [name for name, one in section.barrier.items() if one.routers <= routers]
    name = max(fitting, key=lambda one: section.barrier[one].routers, default=None)
    return {} if name is None else {f"barrier.{name}.time": 1}


def sum_terms(device: Device, at: str, counts: Mapping[str, float], unit: str) -> dict[str, Any]:
    """Returns the sum of counts times the coefficients of a section, with its band, its terms and their sources."""
    terms: list[dict[str, Any]] = []
    unknown: list[str] = []
    for name, count in counts.items():
        path = f"{at}.{name}"
        fact = device.entry(path)
        if not isinstance(fact, Coefficient) or (bounds := fact.bounds) is None:
            unknown.append(path)
            continue
        (low, value, high) = bounds
        terms.append(
            {
                "name": name.split(".")[0],
                "count": count,
                "coefficient": value,
                "unit": fact.unit,
                "value": count * value,
                "low": count * low,
                "high": count * high,
                "scope": fact.scope,
                "basis": fact.basis,
                "condition": fact.condition,
                "contains": [*fact.supersedes],
                "source": device.cite(path),
                "confidence": fact.confidence,
                "note": fact.note,
            }
        )
    totals = {key: sum(term[key] for term in terms) for key in ("value", "low", "high")}
    return {**totals, "unit": unit, "terms": terms, "unknown": unknown}


# ---- rows of others and of populations


def inference_rows(device: Device) -> list[dict[str, Any]]:
    """Returns the inferences of other networks that were measured on the device."""
    found = (device.cost or Cost()).inferences
    return [
        {
            "name": name,
            "network": one.network,
            "energy_pj": None if one.energy is None else one.energy.value,
            "time_ns": None if one.time is None else one.time.value,
            "source": device.cite(f"cost.inferences.{name}.{'time' if one.energy is None else 'energy'}"),
        }
        for name, one in found.items()
    ]


def population_energies(device: Device, mapping: Mapping[str, Any]) -> dict[str, float] | None:
    """Returns the energy of the events of each population in a tick: its updates, synapses and spikes, without routing and power that is always on.

    None if the device specifies no energy of events. Units: [pJ].
    """
    section = (device.cost or Cost()).energy
    if section is None:
        return None
    events, found = MappedEvents(device, mapping, lambda _: 0.0), dict[str, Counts]()
    for name, counts in events.counts.items():
        add(found.setdefault(events.vertices[name]["node"], {}), counts)
    for route in mapping["routes"]:
        if (node := events.vertices[route["source"]]["node"]) in found:
            add(found[node], {"spike": route["activity"]})
    energies = {
        node: sum(
            n * coefficient_value(section, name) for name, n in priced(section, counts).items() if name in MEANINGS
        )
        for node, counts in found.items()
    }
    return energies if any(energies.values()) else None

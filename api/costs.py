"""Cost of a mapped network on a device: energy and time of one tick, from the coefficients of its file.

    energy = spikes * spike + hops * hop + events * synapse + updates * update + chips * idle * tick
    time   = events * synapse + updates * update / parallelism of the busiest core, and links * hop of the longest route

The mapping determines the number of spikes, of links that they use, of weights that they add, and of neurons that are updated in a tick.
A time-stepped device updates all neurons in every tick. An event-driven device updates a neuron for each added weight. A continuous device
updates none. The granularity of the device determines the busiest unit: a core, a chip whose cores run in sequence, or the layers in
sequence. An unknown coefficient is listed, and left out of the sum.

Units: pJ and ns, as in the fields.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..core.device.device import Device

UPDATING = "time-stepped"


def cost_of(device: Device, mapping: Mapping[str, Any], tick_ns: int) -> dict[str, Any] | None:
    """Returns energy and time of a tick, with every term of both; None if the device specifies neither.

        nopt.cost_of(device, mapping, 1_000_000)["energy"]["value"]

    `mapping` is the record `nopt.mapping/1` of a routed network.
    """
    if device.cost is None or (device.cost.energy is None and device.cost.latency is None):
        return None
    work = Work(device, mapping)
    chips = device.number("topology.chips") or 1
    counts = {
        "cost.energy.spike": sum(route["activity"] for route in mapping["routes"]),
        "cost.energy.hop": sum(route["activity"] * len(route["links"]) for route in mapping["routes"]),
        "cost.energy.synapse": sum(work.events.values()),
        "cost.energy.update": sum(work.updates.values()),
        "cost.energy.idle": chips * tick_ns,  # 1 mW over 1 ns is 1 pJ
    }
    energy = sum_terms(device, counts, "pJ") if device.cost.energy is not None else None
    latency = None
    if device.cost.latency is not None:
        latency = sum_terms(device, work.slowest(), "ns")
        latency["tick"] = tick_ns
        latency["fits"] = latency["value"] <= tick_ns
    return {"per": "tick", "energy": energy, "latency": latency}


def sum_terms(device: Device, counts: Mapping[str, float], unit: str) -> dict[str, Any]:
    """Returns the sum of counts times the coefficients at their paths, with its terms and their sources."""
    terms: list[dict[str, Any]] = []
    unknown: list[str] = []
    for path, count in counts.items():
        value, fact = device.number(path), device.quantity(path)
        if value is None or fact is None:
            unknown.append(path)
            continue
        terms.append(
            {
                "name": path.rpartition(".")[2],
                "count": count,
                "coefficient": value,
                "unit": fact.unit,
                "source": device.cite(path),
                "confidence": fact.confidence,
            }
        )
    value = sum(term["count"] * term["coefficient"] for term in terms)
    return {"value": value, "unit": unit, "terms": terms, "unknown": unknown}


class Work:
    """Work of the vertices of a mapping in a tick: added weights, and updated neurons."""

    def __init__(self, device: Device, mapping: Mapping[str, Any]):
        self.device = device
        self.routes = mapping["routes"]
        self.vertices = {vertex["id"]: vertex for vertex in mapping["vertices"]}
        execution = device.execution
        self.mode = execution.mode if execution is not None else UPDATING
        self.granularity = execution.granularity if execution is not None else "core"
        self.events: Counter[str] = Counter()
        for edge in mapping["edges"]:
            each = edge["synapses"] / edge["axons"] if edge["axons"] else 0
            self.events[edge["target"]] += edge["activity"] * each
        fed = {edge["target"] for edge in mapping["edges"]}  # inputs are not computed here
        changed: dict[str, Callable[[str], float]] = {
            UPDATING: lambda name: self.vertices[name]["neurons"],
            "event-driven": lambda name: self.events[name],
            "continuous": lambda name: 0,
        }
        self.updates = Counter({name: changed[self.mode](name) for name in self.vertices if name in fed})

    def slowest(self) -> dict[str, float]:
        """Returns the counts of the slowest unit."""
        groups = {
            "neuron": self.busiest(lambda vertex: (vertex["chip"], vertex["core"])),
            "core": self.busiest(lambda vertex: (vertex["chip"], vertex["core"])),
            "chip": self.busiest(lambda vertex: vertex["chip"]),
            "layer": self.layers(),
        }
        events, updates = groups[self.granularity]
        parallel = self.device.number("execution.parallelism") or 1
        longest = max((len(route["links"]) for route in self.routes), default=0)
        return {
            "cost.latency.hop": longest,
            "cost.latency.synapse": events,
            "cost.latency.update": updates / parallel,
        }

    def busiest(self, place: Callable[[Any], Any], names: Iterable[str] | None = None) -> tuple[float, float]:
        """Returns the events and updates of the busiest place, by the coefficients of the device."""
        events: Counter[Any] = Counter()
        updates: Counter[Any] = Counter()
        for name in self.updates if names is None else names:
            at = place(self.vertices[name])
            events[at] += self.events[name]
            updates[at] += self.updates[name]
        each = self.device.number("cost.latency.synapse") or 0
        every = self.device.number("cost.latency.update") or 0
        most = max(updates, key=lambda at: events[at] * each + updates[at] * every, default=None)
        return (events[most], updates[most]) if most is not None else (0, 0)

    def layers(self) -> tuple[float, float]:
        """Returns the sum over the populations of their busiest cores."""
        nodes: dict[str, list[str]] = {}
        for name in self.updates:
            nodes.setdefault(self.vertices[name]["node"], []).append(name)
        pairs = [self.busiest(lambda vertex: (vertex["chip"], vertex["core"]), names) for names in nodes.values()]
        return sum(events for events, _ in pairs), sum(updates for _, updates in pairs)

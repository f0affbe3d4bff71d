"""Cost of a mapped network on a device: energy and time of one tick, from the coefficients of its file.

    energy = sum over events of their number * their coefficient + chips * idle * tick
    time   = the work of the slowest unit + the longest path + the barrier

| coefficient | number of events |
| --- | --- |
| `spike` | events of routes, which leave the core |
| `fire` | spikes of neurons, also without targets; inputs have none |
| `axon_out`, `axon_in` | deliveries: each event counts once for each core that receives it, its own core among them |
| `hop`, `hop_x`, `hop_y` | events times links of their routes; a device without multicast sends each delivery on a path of its own |
| `synapse`, `synapse_LAYOUT` | events times entries of the tables that they read; without a layout, times synapses |
| `access` | neurons, in each tick |
| `update` | neurons of a time-stepped device, added weights of an event-driven one, none of a continuous one |
| `barrier` | one, of the entry with the most routers up to those in use |

Work of a unit is done in sequence, except that a core handles `execution.parallelism` neurons simultaneously. The granularity of the device
determines the slowest unit: a core, a chip whose cores run in sequence, or the layers in sequence. A specific coefficient takes the place of the
general one. An unknown coefficient is listed, and left out of the sum.

The number of spikes of a neuron comes from a calibration, or is one per tick (`assumed`). How many neurons of a time-stepped device are idle is
not known, so all count as updated.

Units: pJ and ns, as in the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.device.cost_records import GENERAL, SPECIFIC, specific_coefficients
from ...core.device.device import Device
from ...core.device.topology import topology_of

ENERGY = (
    "cost.energy.spike",
    "cost.energy.fire",
    "cost.energy.axon_out",
    "cost.energy.axon_in",
    "cost.energy.hop",
    "cost.energy.hop_x",
    "cost.energy.hop_y",
    "cost.energy.synapse",
    "cost.energy.synapse_dense",
    "cost.energy.synapse_sparse",
    "cost.energy.synapse_convolution",
    "cost.energy.access",
    "cost.energy.update",
)
LATENCY = (
    "cost.latency.fire",
    "cost.latency.axon_out",
    "cost.latency.axon_in",
    "cost.latency.hop",
    "cost.latency.hop_x",
    "cost.latency.hop_y",
    "cost.latency.synapse",
    "cost.latency.synapse_dense",
    "cost.latency.synapse_sparse",
    "cost.latency.synapse_convolution",
    "cost.latency.access",
    "cost.latency.update",
)
"""Coefficients of events, in the order of the terms."""
UPDATING = "time-stepped"
NEURON_EVENTS = ("access", "update", "fire")
"""Events that a core handles for several neurons simultaneously."""
NO_LAYOUT = "_without_layout"
"""Suffix of the count of events that no specific coefficient covers."""

Counts = dict[str, float]


def cost_of(
    device: Device, mapping: Mapping[str, Any], tick_ns: int, ticks: int | None = None
) -> dict[str, Any] | None:
    """Returns energy and time of a tick with all their terms, and of an inference of `ticks` ticks; None if the device specifies neither.

        nopt.cost_of(device, mapping, 1_000_000)["energy"]["value"]

    `mapping` is the record `nopt.mapping/1` of a routed network.
    """
    cost = device.cost
    if cost is None or (cost.energy is None and cost.latency is None):
        return None
    work = Work(device, mapping)
    made: dict[str, Any] = {
        "per": "tick",
        "assumed": [one["node"] for one in mapping["populations"] if one["rate"] is None],
        "energy": None,
        "latency": None,
        "inference": None,
    }
    if cost.energy is not None:
        chips = device.number("topology.chips") or 1
        idle = {"cost.energy.idle": chips * tick_ns}  # 1 mW over 1 ns is 1 pJ
        made["energy"] = sum_terms(device, {**priced(device, ENERGY, work.all_counts()), **idle}, "pJ")
    if cost.latency is not None:
        latency = sum_terms(device, {**priced(device, LATENCY, work.slowest()), **barrier(device, work.routers)}, "ns")
        made["latency"] = latency | {"tick": tick_ns, "fits": latency["value"] <= tick_ns}
    if ticks is not None:
        parts = {name: made[name] for name in ("energy", "latency") if made[name] is not None}
        made["inference"] = {"ticks": ticks, **{name: ticks * part["value"] for name, part in parts.items()}}
    return made


def population_energies(device: Device, mapping: Mapping[str, Any]) -> dict[str, float] | None:
    """Returns the energy of the events of each population in a tick: its updates, synapses and spikes, without routing and idle power.

    None if the device specifies no energy. Units: [pJ].
    """
    if device.cost is None or device.cost.energy is None:
        return None
    work, found = Work(device, mapping), dict[str, Counts]()
    for name, counts in work.counts.items():
        add(found.setdefault(work.vertices[name]["node"], {}), counts)
    for route in mapping["routes"]:
        if (node := work.vertices[route["source"]]["node"]) in found:
            add(found[node], {"spike": route["activity"]})
    return {node: work.energy(counts) for node, counts in found.items()}


def priced(device: Device, paths: Sequence[str], counts: Counts) -> dict[str, float]:
    """Returns the counts of the coefficients at some paths.

    If the device declares specific coefficients, those with events are listed in place of the general one.
    """
    groups = {one: names for names in SPECIFIC.values() for one in names}
    found: dict[str, float] = {}
    for path in paths:
        section, _, name = path.rpartition(".")
        held = device.entry(section)
        if name in GENERAL:
            is_replaced = bool(specific_coefficients(held, name))
            count = counts.get(f"{name}{NO_LAYOUT}" if is_replaced else name, 0)
            is_listed = not is_replaced or count > 0
        else:
            count = counts.get(name, 0)
            is_listed = count > 0 and any(getattr(held, one, None) is not None for one in groups.get(name, (name,)))
        if is_listed:
            found[path] = count
    return found


def barrier(device: Device, routers: int) -> dict[str, float]:
    """Returns the path of the barrier coefficient for a number of used routers, with the count 1; empty if the device declares none."""
    declared = device.cost.latency.barrier if device.cost is not None and device.cost.latency is not None else {}
    fitting = [name for name, one in declared.items() if one.routers <= routers]
    name = max(fitting, key=lambda one: declared[one].routers, default=None)
    return {} if name is None else {f"cost.latency.barrier.{name}.time": 1}


def sum_terms(device: Device, counts: Counts, unit: str) -> dict[str, Any]:
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
                "name": path.split(".")[2],
                "count": count,
                "coefficient": value,
                "unit": fact.unit,
                "value": count * value,
                "source": device.cite(path),
                "confidence": fact.confidence,
                "note": fact.note,
            }
        )
    return {"value": sum(term["value"] for term in terms), "unit": unit, "terms": terms, "unknown": unknown}


class Work:
    """Events of a mapping in a tick."""

    def __init__(self, device: Device, mapping: Mapping[str, Any]):
        self.device, self.mapping = device, mapping
        self.topology = topology_of(device, len(mapping["vertices"]))
        self.vertices = {vertex["id"]: vertex for vertex in mapping["vertices"]}
        inputs = {one["node"] for one in mapping["populations"] if one["is_input"]}
        rates = {one["node"]: 1.0 if one["rate"] is None else one["rate"] for one in mapping["populations"]}
        execution = device.execution
        self.mode = execution.mode if execution is not None else UPDATING
        self.granularity = execution.granularity if execution is not None else "core"
        self.counts = {name: Counts() for name, one in self.vertices.items() if one["node"] not in inputs}
        """Events of each vertex of a population."""
        for edge in mapping["edges"]:
            self.add_edge(edge)
        for name, counts in self.counts.items():
            neurons = self.vertices[name]["neurons"]
            changed = {UPDATING: neurons, "event-driven": counts.get("synapse", 0), "continuous": 0}
            fired = neurons * rates[self.vertices[name]["node"]]
            add(counts, {"access": neurons, "update": changed[self.mode], "fire": fired})
        self.received: dict[tuple[int, int], float] = {}
        """Deliveries to each core, by chip and number."""
        self.by_inputs: Counts = {}
        for one in mapping["deliveries"]:
            at = one["chip"], one["core"]
            self.received[at] = self.received.get(at, 0) + one["activity"]
            add(self.counts.get(one["source"], self.by_inputs), {"axon_out": one["activity"]})

    def add_edge(self, edge: Mapping[str, Any]) -> None:
        """Adds the synapses that are read by the events of an edge."""
        formats = self.device.synapse.formats if self.device.synapse is not None else {}
        layout = NO_LAYOUT if edge["format"] is None else f"_{formats[edge['format']].layout}"
        each = edge["activity"] / (edge["axons"] or 1)
        read = {"synapse": each * edge["synapses"], f"synapse{layout}": each * edge["entries"]}
        add(self.counts[edge["target"]], read)

    @property
    def routers(self) -> int:
        """Returns the number of routers with a core in use."""
        return len({self.topology.router(self.core(self.vertices[name])) for name in self.counts})

    def core(self, place: Mapping[str, Any]) -> int:
        return place["chip"] * self.topology.own + place["core"]

    def all_counts(self) -> Counts:
        """Returns the number of all events of a tick."""
        total: Counts = {
            "spike": sum(route["activity"] for route in self.mapping["routes"]),
            "axon_in": sum(self.received.values()),
        }
        for counts in (self.by_inputs, *self.counts.values()):
            add(total, counts)
        for activity, links in self.paths():
            add(total, {name: activity * n for name, n in links.items()})
        return total

    def paths(self) -> Iterator[tuple[float, Counts]]:
        """Yields events and numbers of links (all, along x, along y) of each route. Without multicast, it yields them for each delivery."""
        topology = self.topology
        if topology.is_multicast:
            rows = [np.array(one["links"], np.int64) for one in self.mapping["routes"]]
            events = [one["activity"] for one in self.mapping["routes"]]
            ends = [
                topology.link_ends(links) if len(links) else (links, links) for links in rows
            ]  # none: the same router
        else:
            given = self.mapping["deliveries"]
            source, target = (
                np.array([self.core(one) for one in places], np.int64)
                for places in ([self.vertices[one["source"]] for one in given], given)
            )
            trees = topology.trees(source, np.arange(len(given) + 1), target)
            events = [one["activity"] for one in given]
            ends = [
                (trees.tail[low:high], trees.head[low:high])
                for low, high in zip(trees.start[:-1].tolist(), trees.start[1:].tolist(), strict=True)
            ]
        for activity, (tail, head) in zip(events, ends, strict=True):
            along_y = int(np.count_nonzero(topology.is_along_y(tail, head)))
            yield activity, {"hop": len(tail), "hop_x": len(tail) - along_y, "hop_y": along_y}

    def slowest(self) -> Counts:
        """Returns the events of the slowest unit, and of the longest path."""
        groups = {
            "neuron": self.busiest(lambda vertex: (vertex["chip"], vertex["core"])),
            "core": self.busiest(lambda vertex: (vertex["chip"], vertex["core"])),
            "chip": self.busiest(lambda vertex: vertex["chip"]),
            "layer": self.layers(),
        }
        longest = max((links for _, links in self.paths()), key=self.time, default=Counts())
        return {**groups[self.granularity], **longest}

    def time(self, counts: Counts) -> float:
        """Returns the time of sequential events; unknown coefficients count as 0."""
        return sum(n * (self.device.number(path) or 0) for path, n in priced(self.device, LATENCY, counts).items())

    def energy(self, counts: Counts) -> float:
        """Returns the energy of events; unknown coefficients count as 0."""
        return sum(n * (self.device.number(path) or 0) for path, n in priced(self.device, ENERGY, counts).items())

    def busiest(self, place: Callable[[Any], Any], names: Iterable[str] | None = None) -> Counts:
        """Returns the events of the busiest place."""
        found: dict[Any, Counts] = {}
        cores: dict[Any, set[tuple[int, int]]] = {}
        parallel = self.device.number("execution.parallelism") or 1
        for name in self.counts if names is None else names:
            vertex = self.vertices[name]
            at, events = place(vertex), self.counts[name]
            add(found.setdefault(at, {}), {k: n / parallel if k in NEURON_EVENTS else n for k, n in events.items()})
            cores.setdefault(at, set()).add((vertex["chip"], vertex["core"]))
        for at, counts in found.items():
            counts["axon_in"] = sum(self.received.get(core, 0) for core in cores[at])
        return max(found.values(), key=self.time, default=Counts())

    def layers(self) -> Counts:
        """Returns the sum over the populations of their busiest cores."""
        nodes: dict[str, list[str]] = {}
        for name in self.counts:
            nodes.setdefault(self.vertices[name]["node"], []).append(name)
        total: Counts = {}
        for names in nodes.values():
            add(total, self.busiest(lambda vertex: (vertex["chip"], vertex["core"]), names))
        return total


def add(total: Counts, counts: Counts) -> None:
    for name, n in counts.items():
        total[name] = total.get(name, 0) + n

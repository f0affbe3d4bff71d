"""Events of a mapped network in a tick: the numbers that coefficients of cost are multiplied by.

| coefficient | number of events |
| --- | --- |
| `spike` | events of routes, which leave the core |
| `fire` | spikes of neurons, also without targets; inputs have none |
| `axon_out`, `axon_in` | deliveries: each event counts once for each core that receives it, its own core among them |
| `hop`, `hop_x`, `hop_y` | events times links of their routes; a device without multicast sends each delivery on a path of its own |
| `crossing` | events times links of their routes between chips |
| `synapse`, `synapse_LAYOUT` | events times entries of the tables that they read; without a layout, times synapses |
| `access` | neurons, in each tick |
| `update` | neurons of a time-stepped device, added weights of an event-driven one, none of a continuous one |
| `update_active`, `update_inactive` | the same updates: of neurons that receive an event in the tick, and of the others |
| `core` | cores in use |

The number of spikes of a neuron comes from a calibration, or is one per tick (`assumed`). With k events per neuron and tick, a share of 1 - exp(-k)
of the neurons receives one: events of different sources are taken as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from math import exp
from typing import Any

import numpy as np

from ...core.device.device import Device
from ...core.device.topology import topology_of

UPDATING = "time-stepped"
NEURON_EVENTS = ("access", "update", "update_active", "update_inactive", "fire")
"""Events that a core handles for several neurons simultaneously."""
NO_LAYOUT = "_without_layout"
"""Suffix of the count of events that no specific coefficient covers."""

Counts = dict[str, float]


class MappedEvents:
    """Events of a mapping in a tick; `time` is the duration of sequential events, which finds the slowest unit."""

    def __init__(self, device: Device, mapping: Mapping[str, Any], time: Callable[[Counts], float]):
        self.device, self.mapping, self.time = device, mapping, time
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
            active = changed[self.mode]
            if self.mode == UPDATING:
                active = neurons * (1 - exp(-counts.get("synapse", 0) / max(1, neurons)))
            add(counts, {"update_active": active, "update_inactive": changed[self.mode] - active})
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
            "core": len({(self.vertices[name]["chip"], self.vertices[name]["core"]) for name in self.counts}),
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
            crossings = int(np.count_nonzero(tail // topology.own != head // topology.own))
            yield activity, {"hop": len(tail), "hop_x": len(tail) - along_y, "hop_y": along_y, "crossing": crossings}

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

"""Placement problem of a machine graph: vertices, the resources that they need of a core, and their nets, as plain arrays.

A net is a multicast set: neurons of one vertex whose spikes go to the same vertices. A vertex has as many nets as its neurons have different
sets of targets; a neuron that reaches no other vertex is in none. Vertices without load (what stands for a network's inputs) take no room of a core, but sit at one.

    cost = sum over nets of activity * (what the links of its tree cost)

Vertices on one core need the sum of their loads, except of joined resources, of which they need the union (`joined_resources.py`).

In a machine graph each edge selects the neurons of its source that the target reads; neurons with the same targets are a net, and each
of them has the mean activity of the edge's sources (`multicast_sets.py`). All neurons of a vertex are one net, with the targets of all,
if its edges select no neurons, or if routers select routes by keys (`Topology.is_keyed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray

from ...core.arrays.numeric import Bools, Indices, Ints
from ...core.arrays.runs import indices_of_runs
from ...core.device.core_kinds import kind_of_cores, kinds_of
from ...core.device.features import LIMITS
from ...core.device.limits import ADDED, JOINED, class_limits, excesses, memory_limits
from ...core.device.named_device import device_of
from ...core.device.records import Device
from ...core.device.topology import Topology, Trees, topology_of
from ...dialects import machine
from ..joined_resources import JoinedResource, joined_axons, joined_classes
from ..outside_load import OutsideLoad, outside_load
from .multicast_sets import Sending, multicast_sets, runs_of_vertices

VERTICES = "vertices"
"""The need of a place on a core, of which each vertex has one."""


@frozen(eq=False)
class KindRooms:
    """Cores of several kinds. Shapes: kind [cores], room [kinds, resources], is_allowed [vertices, kinds]."""

    kind: Ints
    room: Ints
    is_allowed: Bools
    """Whether a vertex alone keeps the limits of the kind, also those that are not shared: fan-in, classes, …"""


@frozen(eq=False, slots=False)
class Problem:
    """Vertices and nets on a topology.

    Shapes: load [vertices, resources], room [resources], pin [vertices]; source and activity [nets], start [nets + 1], target [start[-1]].
    Units: activity [events per tick], load and room as the device declares.
    """

    topology: Topology
    vertices: tuple[str, ...]
    resources: tuple[str, ...]
    """Paths of the device's limits of what vertices on one core share: `core.neurons`, …"""
    load: NDArray[np.int64]
    room: NDArray[np.int64]
    """Room of one core for each resource; of cores of several kinds, the greatest."""
    pin: NDArray[np.int64]
    """The core that a vertex must be on, or -1."""
    source: NDArray[np.int64]
    """The vertex of each net."""
    start: NDArray[np.int64]
    """Where each net's targets start in `target`."""
    target: Indices
    """Vertices, each once per net; the net's own vertex may be among them."""
    activity: NDArray[np.float64]
    member_start: NDArray[np.int64] = field(factory=lambda: np.zeros(1, np.int64))
    """Where each net's neurons start in `member`; all 0 if they are not needed."""
    member: NDArray[np.int64] = field(factory=lambda: np.zeros(0, np.int64))
    """The neurons of the nets: their indices in the vertex."""
    joined: Mapping[int, JoinedResource] = field(factory=dict[int, JoinedResource])
    """The resources of which vertices need the union, by their place in `resources`. `load` holds what one vertex needs."""
    kinds: KindRooms | None = field(default=None)
    """The room of cores of several kinds; None if all are alike."""
    outside: OutsideLoad | None = field(default=None)
    """Memory outside of the cores; None if no vertex can use any."""
    axon_cost: float = 0.0
    """The cost of an input axon of a core, in addition to that of paths."""

    @cached_property
    def input_axons(self) -> JoinedResource | None:
        """Returns the input axons of the vertices; None if axons have no cost, or if the number of axons of a core is not limited."""
        places = [k for k, path in enumerate(self.resources) if path == "core.input_axons" and k in self.joined]
        return self.joined[places[0]] if places and self.axon_cost else None

    @property
    def nets(self) -> int:
        return len(self.source)

    def targets(self, net: int) -> Indices:
        return self.target[self.start[net] : self.start[net + 1]]

    def members(self, net: int) -> NDArray[np.int64]:
        """Returns the neurons of a net: their indices in the vertex."""
        return self.member[self.member_start[net] : self.member_start[net + 1]]

    @cached_property
    def core_room(self) -> Ints:
        """Returns the room of each core. Shapes: [cores, resources]."""
        if self.kinds is None:
            return np.repeat(self.room[None, :], self.topology.cores, axis=0)
        return self.kinds.room[self.kinds.kind]

    def room_of(self, core: Ints) -> Ints:
        """Returns the room of each core; a single row if all cores have one kind. Shapes: core [n], result [n, resources] or [resources]."""
        return self.room if self.kinds is None else self.core_room[core]

    def allows(self, vertex: Ints, core: Ints) -> Bools:
        """Returns whether each vertex alone can be on a core of these kinds. A vertex of -1 can be anywhere."""
        if self.kinds is None:
            return np.ones(np.broadcast_shapes(vertex.shape, core.shape), np.bool_)
        return self.kinds.is_allowed[vertex, self.kinds.kind[core]] | (vertex < 0)

    @cached_property
    def is_added(self) -> Bools:
        """Returns which resources vertices need the sum of. Shapes: [resources]."""
        return np.array([k not in self.joined for k in range(len(self.room))], np.bool_)

    def needed(self, vertices: Sequence[int]) -> Ints:
        """Returns the need of some vertices on one core; an element that several vertices use counts once. Shapes: [resources]."""
        found = self.load[list(vertices)].sum(axis=0)
        for k, one in self.joined.items():
            found[k] = one.count(vertices)
        return found

    def part(self, low: int, high: int) -> Problem:
        """Returns the problem with nets `low` to `high - 1` alone."""
        if (low, high) == (0, self.nets):
            return self
        first, last = int(self.start[low]), int(self.start[high])
        begin, end = int(self.member_start[low]), int(self.member_start[high])
        return evolve(
            self,
            source=self.source[low:high],
            activity=self.activity[low:high],
            start=self.start[low : high + 1] - first,
            target=self.target[first:last],
            member_start=self.member_start[low : high + 1] - begin,
            member=self.member[begin:end],
        )

    def parts(self) -> Iterator[Problem]:
        """Yields the problem in runs of nets (`runs_of_vertices`); nets are in the order of vertices."""
        for low, high in runs_of_vertices(self.source, self.start):
            yield self.part(low, high)

    def trees(self, core: NDArray[np.int64]) -> Trees:
        """Returns the tree of every net where vertex v is on `core[v]`. Shapes: core [vertices]."""
        return self.topology.trees(core[self.source], self.start, core[self.target])

    def leaves_core(self, core: NDArray[np.int64]) -> Bools:
        """Returns which nets have a target on another core than their source, where vertex v is on `core[v]`. Shapes: core [vertices]; result [nets]."""
        net = np.repeat(np.arange(self.nets), np.diff(self.start))
        return np.bincount(net[core[self.target] != core[self.source[net]]], minlength=self.nets) > 0

    def unicast(self) -> Problem:
        """Returns the same problem with one net per target, for routers that cannot copy a spike."""
        size = np.diff(self.start)
        net = np.repeat(np.arange(self.nets), size) if len(self.member) else np.zeros(0, np.int64)
        counts = np.diff(self.member_start)[net]
        return evolve(
            self,
            source=np.repeat(self.source, size),
            activity=np.repeat(self.activity, size),
            start=np.arange(len(self.target) + 1),
            member_start=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            member=self.member[indices_of_runs(self.member_start[net], counts)],
        )


def problem_from(
    topology: Topology,
    vertices: Sequence[str],
    load: NDArray[np.int64],
    room: int | Sequence[int],
    nets: Sequence[tuple[int, Sequence[int], float]],
    pin: Mapping[int, int] | None = None,
    resources: Sequence[str] = ("core.neurons",),
    joined: Mapping[int, JoinedResource] | None = None,
    outside: OutsideLoad | None = None,
    kinds: KindRooms | None = None,
) -> Problem:
    """Returns a problem from nets as `(source, targets, activity)`."""
    sizes = [len(targets) for _, targets, _ in nets]
    return Problem(
        topology,
        tuple(vertices),
        tuple(resources),
        np.asarray(load, np.int64).reshape(len(vertices), len(resources)),
        np.asarray(room, np.int64).reshape(len(resources)),
        pins_array(len(vertices), pin or {}),
        np.asarray([source for source, _, _ in nets], np.int64),
        np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]),
        np.asarray([target for _, targets, _ in nets for target in targets], np.int32),
        np.asarray([activity for _, _, activity in nets], np.float64),
        np.zeros(len(nets) + 1, np.int64),
        joined=joined or {},
        kinds=kinds,
        outside=outside,
    )


def pins_array(vertices: int, pin: Mapping[int, int]) -> Ints:
    """Returns the core that each vertex must be on, or -1. Shapes: [vertices]."""
    pins = np.full(vertices, -1, np.int64)
    for vertex, core in pin.items():
        pins[vertex] = core
    return pins


# ---- from a machine graph


def problem_of(graph: machine.GraphOp, pins: Mapping[str, int] | None = None) -> Problem:
    """Returns the problem of a machine graph on its device: vertices in its order, nets by source.

    Routers that cannot copy a spike need one net per target. Errors: DEV023 no device is named; those of reading a device.
    """
    device = device_of(graph)
    vertices, populations, pins = graph.vertices, graph.populations, pins or {}
    topology = topology_of(device, len(vertices))
    needs, inputs = (
        graph.counted_needs(device),
        {n for n, one in vertices.items() if one.source.data not in populations},
    )
    place = {name: k for k, name in enumerate(vertices)}
    limits = list(shared_limits(device))
    load, pin = np.zeros((len(vertices), len(limits)), np.int64), dict[int, int]()
    for name, vertex in vertices.items():
        k = place[name]
        if vertex.source.data in populations:
            held = {**needs[name], VERTICES: 1}
            load[k] = [sum(held.get(need, 0) for need in counted) for _, counted, _ in limits]
        else:
            pin[k] = topology.entry
        if name in pins:
            pin[k] = pins[name]
    sets = multicast_sets(
        list(sendings_of(graph, place)),
        np.array([vertex.neurons for vertex in vertices.values()], np.int64),
        is_merged=topology.is_keyed,
    )
    made = Problem(
        topology,
        tuple(vertices),
        tuple(path for path, _, _ in limits),
        load,
        np.array([room for _, _, room in limits], np.int64),
        pins_array(len(vertices), pin),
        sets.source,
        sets.start,
        sets.target,
        sets.activity,
        sets.member_start,
        sets.member,
        joined_of(graph, device, limits),
        kind_rooms(topology, device, [needs[name] if name not in inputs else {} for name in vertices]),
        outside_load(topology, device, [needs[name] if name not in inputs else {} for name in vertices]),
        float(device.number("cost.objective.axon") or 0),
    )
    return made if topology.is_multicast else made.unicast()


def joined_of(
    graph: machine.GraphOp, device: Device, limits: Sequence[tuple[str, tuple[str, ...], int]]
) -> dict[int, JoinedResource]:
    """Returns the limited resources whose elements vertices on one core share, by the index of the limit."""
    contents, names, found = graph.counted_contents(device), list(graph.vertices), dict[int, JoinedResource]()
    for k, (_, (need, *_), _) in enumerate(limits):
        if need == JOINED:
            found[k] = joined_axons(names, contents)
        elif need.startswith("classes."):
            found[k] = joined_classes(names, contents, need.removeprefix("classes."))
    return found


def kind_rooms(topology: Topology, device: Device, needs: Sequence[Mapping[str, int]]) -> KindRooms | None:
    """Returns the room of cores of several kinds for vertices with these needs; None if all cores are alike."""
    if not device.core_kinds:
        return None
    names, kind = kind_of_cores(device, topology.cores, topology.own)
    kinds = kinds_of(device)
    room = np.array([[room for _, _, room in shared_limits(kinds[name])] for name in names], np.int64)
    allowed = [[not excesses(device, one, name) for name in names] for one in needs]
    return KindRooms(kind, room, np.array(allowed, np.bool_).reshape(len(needs), len(names)))


def sendings_of(graph: machine.GraphOp, place: Mapping[str, int]) -> Iterator[Sending]:
    """Yields the neurons that each edge needs the spikes of; `place` holds the index of each vertex."""
    sizes = {name: vertex.neurons for name, vertex in graph.vertices.items()}
    for edge in graph.edges:
        if axons := edge.axons.value.data:
            neurons = None if edge.sources is None else edge.sources.values
            rate = edge.activity.value.data / (sizes[edge.source.data] if neurons is None else axons)
            yield Sending(place[edge.source.data], place[edge.target.data], neurons, rate)


def shared_limits(device: Device) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yields the limits of the total need of a core: the path of the device's field, the names of the needs, and the room."""
    if (room := device.integer(path := "core.vertices")) is not None:
        yield path, (VERTICES,), room
    for need in (*ADDED, JOINED):
        if need in LIMITS and (room := device.integer(LIMITS[need])) is not None:
            yield LIMITS[need], (need,), room
    for name, path in class_limits(device).items():
        if (room := device.integer(path)) is not None:
            yield path, (f"classes.{name}",), room
    for paths, some, room in memory_limits(device):
        yield paths[0] if len(paths) == 1 and not paths[0].startswith("core.memory.") else "core.memory", some, room

"""Interface of topologies: the cores of a device, the links between them, and the cost of a spike's path.

A kind of topology is a class in a file of its own (`core/topology/`, or `topology/` of a plug-in); `topology.kind` of a device names it.
Placement, routing, verifiers and reports use only this interface, which is the same for all kinds.

| part | methods |
| --- | --- |
| cores | `cores`, `entry`, `is_usable`, `can_enter`, `place`, `slot`, `format_core`, `sides`, `enlarged` |
| routers | `router`, `sharing`, `format_router` |
| cost | `distance`, `tree_costs`, `least_links`, `nearest`, and for the search `pull`, `central`, `propose` |
| routes | `trees`, `shorter`, `link_rows`, `link_costs`, `is_along_y`, `follow`, `path`, `format_link`, `link_limit` |
| drawing | `spots`, `steps`, `link_layout` |

A link is a row of integers whose columns the kind defines. Cores are numbered chip by chip. A core has a chip and a position x, y on it, also
where y is always 0. Several cores can share a position and its router (`slots`); links connect routers, and an event that reaches a router
reaches each of its cores. The first core of a router stands for it.

Source: the numbering and the order of hops are the device's (`topology` of its file).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from attrs import field, frozen

from .. import registry
from ..arrays.numeric import Bools, Ints, Reals
from ..routing.link_tree import follow_tree
from .records import Device
from .topology_records import Spot

DEFAULT = "mesh"
"""Default kind of a topology."""
OPTIONAL = (
    "topology.mesh",
    "topology.chip_mesh",
    "topology.routers",
    "topology.routers.order",
    "topology.bus",
    "topology.torus",
    "topology.hierarchy",
    "cost.objective.crossing",
)
"""Fields that some kinds use and others do not."""


@frozen(eq=False)
class Walk:
    """The cores that a tree of links reaches: all cores of each router on it, or none if a link does not exist."""

    reached: frozenset[int]
    fault: tuple[str, int] | None
    """The message and the index of an invalid link. All targets can be reached even so."""


@frozen(eq=False)
class Trees:
    """A tree for every net, as links from router to router in topological order.

    Shapes: start [nets + 1]: where the links of each net start; tail and head [links]: routers, by their first core.
    """

    topology: Topology
    start: Ints
    tail: Ints
    head: Ints

    def links(self, net: int) -> Ints:
        """Returns the links of a net in the form of the topology. Shapes: [links, columns]."""
        mine = slice(int(self.start[net]), int(self.start[net + 1]))
        return self.topology.link_rows(self.tail[mine], self.head[mine])

    def costs(self) -> Reals:
        """Returns the cost of each tree for one event. Shapes: [nets]."""
        size = np.diff(self.start)
        tree = np.repeat(np.arange(len(size)), size)
        return np.bincount(tree, self.topology.link_costs(self.tail, self.head), len(size)).astype(np.float64)

    def cost(self, activity: Reals) -> float:
        """Returns the sum over trees of activity times the cost of the links."""
        return float(np.repeat(activity, np.diff(self.start)) @ self.topology.link_costs(self.tail, self.head))

    def entries(self, source: Ints, is_sent: Bools) -> Ints:
        """Returns the number of nets that pass each router or start there. A net that stays on its core is not counted.

        Shapes: source [nets]: cores; is_sent [nets]: whether a net leaves its core; result [cores]: by the first core of each router.
        """
        start = self.topology.router(source[is_sent])
        return np.bincount(np.concatenate([self.head, start]), minlength=self.topology.cores)


class Topology(ABC):
    """Cores and links of a device. A kind defines the abstract methods; the others have slower defaults that fit every kind."""

    uses: ClassVar[frozenset[str]] = frozenset()
    """The paths of `OPTIONAL` that the kind uses; a device file with any other path of `OPTIONAL` is refused."""
    columns: ClassVar[tuple[int, ...]]
    """Possible lengths of a link's row."""
    link_form: ClassVar[str]
    """The content of a link's row, for messages."""
    link_limit: ClassVar[str | None] = None
    """Path of the field with the events per tick that one link carries."""
    is_keyed: ClassVar[bool] = False
    """Whether routers select routes by keys: all neurons of a vertex share a tree, and the entries of a router are stored in compressed tables."""

    link_layout: ClassVar[Literal["neighbours", "tree", "medium", "pairs"]] = "neighbours"
    """Links of a drawing: between neighbours, to parents, one medium that all cores share, or from each core to every other."""

    if TYPE_CHECKING:  # fields that kinds define, as frozen ones

        @property
        def width(self) -> int:
            """Positions of one chip along x."""
            ...

        @property
        def height(self) -> int: ...

        @property
        def slots(self) -> int:
            """Cores at each position, which share a router."""
            ...

        @property
        def chips(self) -> int: ...

        @property
        def is_multicast(self) -> bool:
            """Whether one event reaches several cores; otherwise each target needs a tree of its own."""
            ...

        @property
        def hop(self) -> float:
            """Cost of one spike over one link."""
            ...

        @property
        def crossing(self) -> float:
            """Additional cost of one spike from chip to chip."""
            ...

        @property
        def usable(self) -> Bools | None: ...

    else:
        slots = 1

    # ---- cores

    @classmethod
    @abstractmethod
    def of(cls, device: Device, vertices: int) -> Self:
        """Returns the topology of a device; without a declared number of cores, it has one core per vertex."""

    @classmethod
    def sides(cls, device: Device) -> Mapping[str, tuple[int | None, str]]:
        """Returns the number of positions along x and along y and the number of cores at each, with the meaning of the numbers; None if unknown."""
        chips, cores = device.integer("topology.chips") or 1, device.integer("topology.cores")
        each = None if cores is None else cores // chips
        return {
            "x": (each, "the number of cores of one chip"),
            "y": (1, "the only row of cores"),
            "slot": (1, "the number of cores at each position"),
        }

    @classmethod
    def sentences(cls, device: Device) -> Iterator[str]:
        """Yields sentences about the links between cores, for the page of a device."""
        yield from ()

    @property
    def entry(self) -> int:
        """Returns the core where network inputs enter, unless they are pinned."""
        return 0

    @property
    def own(self) -> int:
        """Returns the number of cores of one chip."""
        return self.width * self.height * self.slots

    @property
    def cores(self) -> int:
        return self.own * self.chips

    @property
    def positions(self) -> int:
        """Returns the number of positions, each with a router."""
        return self.cores // self.slots

    @cached_property
    def neighbours(self) -> Ints:
        """Returns the position that each link of a router leads to, or -1 if the link does not exist; of keyed kinds. Shapes: [positions, links]."""
        return np.zeros((self.positions, 0), np.int64)

    @cached_property
    def is_usable(self) -> Bools:
        """Returns a mask of the usable cores, which are neither faulty nor reserved. Shapes: [cores]."""
        return np.ones(self.cores, np.bool_) if self.usable is None else self.usable

    def can_enter(self, core: int) -> bool:
        """Returns whether input spikes can enter at a core; the core need not be usable."""
        return True

    def place(self, core: int) -> tuple[int, int, int]:
        """Returns the chip of a core, and x and y on it."""
        chip, place = divmod(core, self.own)
        y, x = divmod(place // self.slots, self.width)
        return chip, x, y

    def slot(self, core: int) -> int:
        """Returns the slot of a core: its index among the cores of its position."""
        return core % self.slots

    def router(self, core: Any) -> Any:
        """Returns the first of the cores that share the router of a core, also for arrays."""
        return core - core % self.slots if self.slots > 1 else core

    def sharing(self, core: int) -> range:
        """Returns the cores that share the router of a core, including the core. Events reach them without a link."""
        first = core - core % self.slots
        return range(first, first + self.slots)

    def format_core(self, core: int) -> str:
        """Formats a core for messages: `core 7`, with several chips `core 7 of chip 2`."""
        chip, place = divmod(core, self.own)
        return f"core {place}" + (f" of chip {chip}" if self.chips > 1 else "")

    def format_router(self, core: int) -> str:
        """Formats the router of a core for messages, by the core unless several share it."""
        return self.format_core(core)

    def enlarged(self, cores: int) -> dict[str, int]:
        """Returns the fields of the same device with at least `cores` cores, and their values."""
        return {"topology.cores": -(-cores // self.chips) * self.chips}

    # ---- cost

    @abstractmethod
    def distance(self, tail: Any, head: Any) -> Reals:
        """Returns the cost of one event from one core to another, for arrays that broadcast."""

    def distances(self, core: int) -> Reals:
        """Returns the cost of the path from a core to every core. Shapes: [cores]."""
        return np.asarray(self.distance(core, np.arange(self.cores)))

    def nearest(self) -> Reals:
        """Returns, for every i, a lower bound on the cost of the path from any core to its i-th nearest core. Shapes: [cores]."""
        found = np.full(self.cores, np.inf)
        for core in range(self.cores):
            found = np.minimum(found, np.sort(self.distances(core)))
        return found

    def least_links(self, cores: Any) -> Any:
        """Returns the least number of links in a tree that joins a number of cores, elementwise for arrays. Each link costs at least `hop`."""
        return np.maximum(cores - 1, 0)

    def tree_costs(self, source: Ints, start: Ints, tree: Ints, target: Ints) -> tuple[Reals, Reals]:
        """Returns the cost of each tree for one event, and the mean cost of the path to one of its targets.

        Shapes: source [trees]: cores; target [targets]: cores, grouped by tree; start [trees]: where each group starts, none is empty;
        tree [targets]: the tree of each.
        """
        mean = np.bincount(tree, self.distance(source[tree], target)) / np.bincount(tree)
        return self.trees(source, np.append(start, len(target)), target).costs(), mean

    @property
    def tree_places(self) -> int:
        """Returns the places that `tree_costs` examines for each tree, in addition to its targets."""
        return 1

    def pull(self, partners: Ints, events: Reals) -> Reals:
        """Returns the cost of all events between each core and the cores of its partners. Shapes: partners and events [n], result [cores]."""
        return self.distance(np.arange(self.cores)[:, None], partners[None, :]) @ events

    @cached_property
    def central(self) -> Reals:
        """Returns the closeness of each core to the middle, which breaks ties between equal costs. Shapes: [cores]."""
        return np.zeros(self.cores)

    @property
    def reach(self) -> int:
        """Returns the largest window of `propose`."""
        return self.cores - 1

    def propose(self, random: np.random.Generator, here: Ints, window: int) -> Ints:
        """Returns a random core for each vertex at `here`, at most `window` away if the kind defines distances."""
        return random.integers(0, self.cores, len(here))

    # ---- routes

    @abstractmethod
    def trees(self, source: Ints, start: Ints, target: Ints) -> Trees:
        """Returns the tree from each source to its targets. Shapes: source [nets], start [nets + 1], target [start[-1]]: cores."""

    def shorter(self, trees: Trees, source: Ints, start: Ints, target: Ints) -> Trees:
        """Returns trees to the same targets, shorter ones where the kind finds them. The placement search counts the links of `trees`, not of these."""
        return trees

    @abstractmethod
    def link_rows(self, tail: Ints, head: Ints) -> Ints:
        """Returns the rows of links between cores. Shapes: tail and head [links]; result [links, columns]."""

    @abstractmethod
    def link_ends(self, links: Ints) -> tuple[Ints, Ints]:
        """Returns the cores at both ends of existing links, the inverse of `link_rows`."""

    def link_costs(self, tail: Ints, head: Ints) -> Reals:
        """Returns the cost of one event over each link. Shapes: tail, head and result [links]."""
        return self.hop + self.crossing * (tail // self.own != head // self.own)

    def is_along_y(self, tail: Ints, head: Ints) -> Bools:
        """Returns a mask of the links along y; all others are along x. Shapes: tail, head and result [links]."""
        return np.zeros(len(tail), np.bool_)

    def crossings(self, links: Ints) -> int:
        """Returns how many links lead to another chip."""
        if self.chips == 1 or not len(links):
            return 0
        tail, head = self.link_ends(links)
        return int(np.count_nonzero(tail // self.own != head // self.own))

    @abstractmethod
    def find_fault(self, links: Ints) -> tuple[str, int] | None:
        """Returns the message and the index of a link that the device does not have; None if all exist."""

    @abstractmethod
    def format_link(self, link: Ints) -> str:
        """Formats an existing link for messages."""

    def has_form(self, links: Ints) -> bool:
        """Returns whether the rows of links have a valid number of columns."""
        return not len(links) or links.shape[1] in self.columns

    def follow(self, links: Ints, start: int) -> Walk:
        """Follows links from a core. Shapes: links [links, columns], integers from 0."""
        if not self.has_form(links):
            return Walk(frozenset(), ("a link has another form", 0))
        if (fault := self.find_fault(links)) is not None:
            return Walk(frozenset(), fault)
        return self.walk(links, start) if len(links) else Walk(frozenset(self.sharing(start)), None)

    def walk(self, links: Ints, start: int) -> Walk:
        """Follows existing links, at least one, from a core."""
        routers, fault = follow_tree(*self.link_ends(links), self.router(start))
        if self.slots == 1:
            return Walk(frozenset(routers), fault)
        return Walk(frozenset(core for router in routers for core in self.sharing(router)), fault)

    def spots(self, cores: Ints) -> Reals:
        """Returns the column and the row of the routers of cores in a drawing of these cores alone. Shapes: [cores, 2]."""
        chip, x, y = np.array([self.place(core) for core in cores.tolist()], np.float64).reshape(-1, 3).T
        return np.stack([chip * self.width + x, y], axis=1)

    def steps(self, links: Ints) -> Reals:
        """Returns the columns and rows that links advance in a drawing; others than between their spots for a link around a border. Shapes: [links, 2]."""
        ends = self.spots(np.concatenate(self.link_ends(links)))
        return ends[len(links) :] - ends[: len(links)]

    def path(self, start: int, end: int) -> list[int]:
        """Returns the path between two cores: the cores themselves, and the first core of each router in between."""
        return [start, end]


# ---- cores in a row


@frozen(eq=False, slots=False)
class RowTopology(Topology):
    """Base of kinds without coordinates: a core's number is its only position. A link is a pair of cores.

    Shapes: `usable` [cores], unless all are.
    """

    columns: ClassVar[tuple[int, ...]] = (2,)
    link_form: ClassVar[str] = "[links, 2] of [core, next core]"

    width: int
    """Cores of one chip."""
    chips: int = 1
    is_multicast: bool = True
    hop: float = 1.0
    crossing: float = 0.0
    usable: Bools | None = field(default=None)
    height: int = 1

    @classmethod
    def of(cls, device: Device, vertices: int) -> Self:
        chips = device.integer("topology.chips") or 1
        width = -(-(device.integer("topology.cores") or vertices) // chips)
        hop, crossing = objective_of(device)
        return cls(width, chips, has_multicast(device), hop, crossing, usable_cores(device, width, 1, chips))

    def is_link(self, tail: Ints, head: Ints) -> Bools:
        """Returns whether cores are neighbours."""
        raise NotImplementedError

    def link_rows(self, tail: Ints, head: Ints) -> Ints:
        return np.stack([tail, head], axis=1)

    def link_ends(self, links: Ints) -> tuple[Ints, Ints]:
        return links[:, 0], links[:, 1]

    def find_fault(self, links: Ints) -> tuple[str, int] | None:
        if len(out := np.flatnonzero((links >= self.cores).any(axis=1))):
            return "a link leaves the device", int(out[0])
        if len(wide := np.flatnonzero(~self.is_link(*self.link_ends(links)))):
            return "a link does not connect neighbours", int(wide[0])
        return None

    def format_link(self, link: Ints) -> str:
        return f"{self.format_core(int(link[0]))} to {self.format_core(int(link[1]))}"


# ---- of a device


@cache
def topologies() -> dict[str, Callable[[], type[Topology]]]:
    """Returns factories of all kinds of topologies by name, including plug-ins. Errors: COR021."""
    found, names = dict[str, Callable[[], type[Topology]]](), registry.Names("topology")
    for plugin, folder, package in registry.folders([registry.ROOT.joinpath("core", "topology")], "topology"):
        for stem in registry.stems(folder):
            names.take(kind := stem.replace("_", "-"), plugin)
            found[kind] = registry.later(
                f"{package}.{stem}", "".join(map(str.title, stem.split("_"))) + "Topology", plugin
            )
    return found


registry.CACHED.append(topologies)


def kind_of(device: Device) -> str:
    """Returns the kind of a device's topology."""
    topology = device.topology
    return DEFAULT if topology is None or topology.kind is None else topology.kind


def topology_class(device: Device) -> type[Topology]:
    """Returns the class of a device's topology. The kind exists, since the device was checked."""
    return topologies()[kind_of(device)]()


def topology_of(device: Device, vertices: int = 1) -> Topology:
    """Returns the topology of a device, built once and kept. Without a declared number of cores, it has one core per vertex."""
    return device.derive(TopologyFor(vertices))


@frozen
class TopologyFor:
    """Derives the topology of a device for a number of vertices."""

    vertices: int

    def __call__(self, device: Device) -> Topology:
        return topology_class(device).of(device, self.vertices)


def objective_of(device: Device) -> tuple[float, float]:
    """Returns the cost of an event per link, and the additional cost of a link between chips; 1 and 0 if the device declares none."""
    hop, crossing = device.number("cost.objective.hop"), device.number("cost.objective.crossing")
    return 1.0 if hop is None else float(hop), 0.0 if crossing is None else float(crossing)


def has_multicast(device: Device) -> bool:
    """Returns whether one event of a device reaches several cores."""
    routers, bus = (None, None) if device.topology is None else (device.topology.routers, device.topology.bus)
    return (routers is None or routers.is_multicast) and (bus is None or bus.is_multicast)


def usable_cores(
    device: Device, width: int, height: int, chips: int, slots: int = 1, known: int | None = None
) -> Bools:
    """Returns a mask of the usable cores, which are neither faulty nor reserved. Only the first `known` cores of each chip exist. Shapes: [cores]."""
    usable, topology = np.ones((chips, height, width, slots), np.bool_), device.topology
    if known is not None:
        usable.reshape(chips, -1)[:, known:] = False
    spots: tuple[Spot, ...] = (*topology.faulty, *topology.reserved) if topology else ()
    for spot in spots:
        if spot.x < width and spot.y < height and spot.chip < chips:  # checked only for a declared size
            some = slice(None) if spot.slot is None else slice(spot.slot, spot.slot + 1)
            usable[spot.chip, spot.y, spot.x, some] = False
    return usable.reshape(-1)

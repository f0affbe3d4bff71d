"""Map of a mapping: boxes of cores with their fullness, the links with load between them, and the routes of each box.

A machine with many cores is folded: a box stands for all cores of a router, of a chip, or of several chips, and links between the same boxes
are added. `CoreMap` has no coordinates; `core_places.py` computes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from ....core.arrays.numeric import Ints, Reals
from ....core.device.records import Device
from ....core.device.topology import Topology, topology_of
from ....core.number_texts import counted_text, number_text, percent_text
from ...judging.fullness import Fullness, capacity_name, fullest

MOST_BOXES, MOST_LINKS = 600, 1000
"""Largest numbers of boxes and links of a drawing; more are folded."""
MOST_LINES = 30
"""Largest number of vertices in the details of a box."""


@frozen(eq=False)
class Box:
    """A core, or the cores of a router, chip or block of a folded map."""

    key: str
    place: int
    """The index of its place: cores of one router share it."""
    slot: int
    cores: tuple[int, ...]
    fullness: Fullness | None
    """That of its fullest core; None for a core without neurons, and without capacities that have a limit."""
    has_neurons: bool


@frozen(eq=False)
class Link:
    """A link with load between two places, or several that a folded map adds."""

    tail: int
    head: int
    step: tuple[float, float]
    is_wrapped: bool
    """Whether it leads around a border of the machine."""
    load: float
    """Events per tick; the largest of several links."""
    names: tuple[str, ...]

    @property
    def title(self) -> str:
        name = self.names[0] if len(self.names) == 1 else f"{len(self.names)} links, the busiest"
        return f"{name}: {number_text(self.load)} events per tick"


@frozen(eq=False, slots=False)
class CoreMap:
    """The boxes and links of a map.

    Shapes: spots [places, 2]: column and row of each place.
    """

    topology: Topology
    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    spots: Reals
    fold: int
    """Cores of one box at most; 1 if the map is not folded."""
    hidden: int
    """Links inside of boxes, which are not drawn."""
    link_of: Mapping[tuple[int, ...], int]
    """The index of the link of each row of the report."""

    @property
    def loads(self) -> int:
        """Returns the number of links of the machine that the drawing shows."""
        return sum(len(link.names) for link in self.links)

    @property
    def most(self) -> float:
        return max((link.load for link in self.links), default=0.0)

    @cached_property
    def box_of(self) -> dict[int, Box]:
        """Returns the box of each core."""
        return {core: box for box in self.boxes for core in box.cores}


def core_key(chip: int, core: int) -> str:
    """Returns the key of a core: cores are numbered on each chip."""
    return f"{chip}/{core}"


def core_map(mapping: Mapping[str, Any], summary: Mapping[str, Any], device: Device) -> CoreMap:
    """Returns the map of a mapping, folded until it has few boxes and links."""
    topology = topology_of(device, len(mapping["vertices"]))
    cores = np.unique(np.array([core["chip"] * topology.own + core["id"] for core in mapping["cores"]], np.int64))
    rows = {one["chip"] * topology.own + one["core"]: one["uses"] for one in summary["occupancy"]}
    loads: Sequence[Mapping[str, Any]] = summary["links"]["loads"]
    fold, found = 1, folded(topology, cores, rows, loads, 1)
    while (len(found.boxes) > MOST_BOXES or len(found.links) > MOST_LINKS) and fold < topology.cores:
        fold = next(size for size in fold_sizes(topology) if size > fold)
        found = folded(topology, cores, rows, loads, fold)
    return found


def fold_sizes(topology: Topology) -> list[int]:
    """Returns the numbers of cores of a box: those of a router, squares of routers, a chip, and squares of chips."""
    squares = [4**k for k in range(1, 12)]
    sizes = [topology.slots, *(topology.slots * n for n in squares if topology.slots * n < topology.own)]
    return [*sizes, topology.own, *(topology.own * n for n in squares)]


def place_numbers(topology: Topology, cores: Ints, fold: int) -> tuple[Ints, Reals]:
    """Returns the index of the place of each core, and the column and row of each place. Shapes: cores [n]; result [n], [places, 2]."""
    routers = np.asarray(topology.router(cores))
    if topology.link_layout in ("neighbours", "tree"):
        spots = topology.spots(routers)
        if fold > topology.slots and topology.link_layout == "neighbours":
            across, down = (topology.width, topology.height) if fold >= topology.own else (1, 1)
            side = max(1, round((fold / (topology.slots * across * down)) ** 0.5))
            spots = spots // np.array([across * side, down * side])
        _, first, places = np.unique(spots[:, ::-1], axis=0, return_index=True, return_inverse=True)
        return places.reshape(-1), spots[first]
    blocks = routers // max(fold, topology.slots)
    _, places = np.unique(blocks, return_inverse=True)
    count = int(places.max(initial=-1)) + 1
    return places.reshape(-1), np.stack([np.arange(count), np.zeros(count)], axis=1).astype(np.float64)


def folded(
    topology: Topology, cores: Ints, rows: Mapping[int, Any], loads: Sequence[Mapping[str, Any]], fold: int
) -> CoreMap:
    """Returns a map whose boxes have up to `fold` cores. Shapes: cores [n]."""
    links: Ints = np.array([one["link"] for one in loads] or np.zeros((0, topology.columns[0])), np.int64)
    is_medium = topology.link_layout == "medium"
    tail, head = (np.zeros(0, np.int64),) * 2 if is_medium or not len(links) else topology.link_ends(links)
    every = np.concatenate([cores, tail, head])
    places, spots = place_numbers(topology, every, fold)
    own, tails, heads = np.split(places, [len(cores), len(cores) + len(tail)])
    members: dict[tuple[int, int], list[int]] = {}
    for core, place in zip(cores.tolist(), own.tolist(), strict=True):
        members.setdefault((place, topology.slot(core) if fold == 1 else 0), []).append(core)
    boxes = tuple(box_of(topology, place, slot, some, rows) for (place, slot), some in sorted(members.items()))
    groups: dict[tuple[int, int, tuple[float, float], bool], list[int]] = {}
    link_of: dict[tuple[int, ...], int] = {}
    if is_medium:
        steps = np.zeros((len(links), 2))
        tails = heads = np.zeros(len(links), np.int64)
    else:
        steps = topology.steps(links) if len(links) else np.zeros((0, 2))
    for k, (a, b, step) in enumerate(zip(tails.tolist(), heads.tolist(), steps.tolist(), strict=True)):
        if a == b and not is_medium:
            continue
        between = spots[b] - spots[a]
        is_wrapped = topology.link_layout == "neighbours" and bool(
            (np.sign(between) != np.sign(step)).any() or (np.abs(between) > 1).any()
        )
        groups.setdefault(
            (a, b, (step[0], step[1]) if is_wrapped else (float(between[0]), float(between[1])), is_wrapped), []
        ).append(k)
    drawn: list[Link] = []
    for number, ((a, b, step, is_wrapped), some) in enumerate(groups.items()):
        some.sort(key=lambda k: -loads[k]["load"])
        names = tuple(topology.format_link(links[k]) for k in some)
        drawn.append(Link(a, b, step, is_wrapped, float(loads[some[0]]["load"]), names))
        link_of |= {tuple(links[k].tolist()): number for k in some}
    return CoreMap(topology, boxes, tuple(drawn), spots, fold, len(loads) - len(link_of), link_of)


def box_of(topology: Topology, place: int, slot: int, cores: Sequence[int], rows: Mapping[int, Any]) -> Box:
    """Returns the box of cores."""
    uses = [use for core in cores for use in rows.get(core, ())]
    chip, number = divmod(cores[0], topology.own)
    key = core_key(chip, number) + (f"-{len(cores)}" if len(cores) > 1 else "")
    return Box(key, place, slot, tuple(cores), fullest(uses), any(core in rows for core in cores))


def map_record(found: CoreMap, mapping: Mapping[str, Any], summary: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the record for the script: for each box its title, details, the links of its routes, and the boxes that they reach."""
    own = found.topology.own
    held: dict[str, list[Mapping[str, Any]]] = {}
    home: dict[str, str] = {}
    for vertex in mapping["vertices"]:
        if vertex.get("core") is not None:
            home[vertex["id"]] = found.box_of[vertex["chip"] * own + vertex["core"]].key
            held.setdefault(home[vertex["id"]], []).append(vertex)
    targets: dict[str, list[str]] = {}
    for edge in mapping["edges"]:
        targets.setdefault(edge["source"], []).append(edge["target"])
    routes: dict[str, set[int]] = {}
    for route in mapping["routes"]:
        numbers = (found.link_of.get(tuple(link)) for link in route["links"])
        routes.setdefault(home[route["source"]], set()).update(n for n in numbers if n is not None)
    uses = {one["chip"] * own + one["core"]: one["uses"] for one in summary["occupancy"]}
    record: dict[str, Any] = {}
    for box in found.boxes:
        vertices = held.get(box.key, [])
        reached = {home[name] for one in vertices for name in targets.get(one["id"], ()) if name in home}
        lines = [vertex_text(one, targets.get(one["id"], ())) for one in vertices[:MOST_LINES]]
        lines += [f"{len(vertices) - MOST_LINES} more vertices"] if len(vertices) > MOST_LINES else []
        lines += [use_text(one) for one in uses.get(box.cores[0], ())] if len(box.cores) == 1 else []
        record[box.key] = {
            "title": box_title(found.topology, box),
            "lines": lines,
            "links": sorted(routes.get(box.key, ())),
            "reached": sorted(reached - {box.key}),
        }
    return record


def box_title(topology: Topology, box: Box) -> str:
    """Returns the name of a box: its core, or the number of its cores with the first."""
    first = topology.format_core(box.cores[0])
    return first if len(box.cores) == 1 else f"{counted_text(len(box.cores), 'core')} from {first}"


def vertex_text(vertex: Mapping[str, Any], targets: Sequence[str]) -> str:
    to = ", ".join(targets[:MOST_LINES]) + (" and others" if len(targets) > MOST_LINES else "")
    return f"vertex {vertex['id']}: {counted_text(vertex['neurons'], 'neuron')}{f', to {to}' if to else ''}"


def use_text(use: Mapping[str, Any]) -> str:
    """Returns the use of a resource; the share of a capacity follows its limit."""
    used, limit = use["used"], use["limit"]
    if limit is None:
        return f"{use['quantity']}: {number_text(used)}, no limit"
    share = (
        f" ({percent_text(used / limit, 0)})" if limit and used is not None and capacity_name(use["quantity"]) else ""
    )
    return f"{use['quantity']}: {number_text(used)} of {number_text(limit)}{share}"

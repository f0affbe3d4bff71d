"""Finer tiles of spatial populations, where a core holds several: tiles of successive layers then share cores, and borders follow the cost instead of the plan.

Each tile is halved along its longer axis, once and twice. Finer tiles start on the core of the tile that they are part of, and annealing moves them (`_annealing.py`). The cheapest
placement is used; tiles of a population on one core are joined again where they form a box. A graph with many vertices is not cut finer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence

import numpy as np
from attrs import frozen

from ...analysis.placement.placement_problem import Problem, problem_of
from ...analysis.placement.spike_destinations import source_rates
from ...core.arrays.numeric import Ints
from ...core.device.records import Device
from ...dialects import machine
from ._annealing import Placement
from ._replanning import Plan, has_exact_slices, keeps_limits, replan

LEVELS, MOST_VERTICES = 2, 64
"""The times that tiles are halved with default effort, and the most vertices that result."""

PlacementSearch = Callable[[Problem, Ints], Placement]


@frozen(eq=False)
class Tiles:
    """The tiles of each spatial population, and their cores. Shapes: boxes [tiles, axes, 2], core [tiles]."""

    boxes: Mapping[str, Ints]
    core: Mapping[str, Ints]

    @staticmethod
    def of(graph: machine.GraphOp, problem: Problem, core: Ints, fixed: Container[str]) -> Tiles:
        """Returns the populations, except `fixed` ones, whose slices are boxes of several axes, at least one of which can be halved."""
        place = {name: k for k, name in enumerate(problem.vertices)}
        boxes, cores, populations = dict[str, Ints](), dict[str, Ints](), graph.populations
        for name, vertices in graph.vertices_by_source().items():
            found = np.array([one.box.values for one in vertices], np.int64)
            is_cut = name in populations and name not in fixed
            if is_cut and found.ndim == 3 and found.shape[1] > 1 and sizes_of(found).max() > 1:
                boxes[name] = found
                cores[name] = core[[place[one.node.data] for one in vertices]]
        return Tiles(boxes, cores)

    @property
    def count(self) -> int:
        return sum(map(len, self.boxes.values()))

    def halved(self) -> Tiles:
        parts = {name: [halves_of(box) for box in boxes] for name, boxes in self.boxes.items()}
        return Tiles(
            {name: np.concatenate(listed) for name, listed in parts.items()},
            {name: np.repeat(self.core[name], [*map(len, listed)]) for name, listed in parts.items()},
        )

    def moved(self, placement: Placement) -> Tiles:
        """Returns the same tiles on the cores of a placement."""
        core = dict(zip(placement.problem.vertices, placement.core.tolist(), strict=True))
        cores = {n: np.array([core[f"{n}/{k}"] for k in range(len(own))]) for n, own in self.boxes.items()}
        return Tiles(self.boxes, cores)

    def joined(self) -> Tiles:
        """Returns larger tiles: those of a core that form a box together."""
        boxes, cores = dict[str, Ints](), dict[str, Ints]()
        for name, listed in self.boxes.items():
            merged = [
                (box.tolist(), core)
                for core in np.unique(self.core[name]).tolist()
                for box in joined_boxes([*listed[self.core[name] == core]])
            ]
            merged.sort()
            boxes[name] = np.array([box for box, _ in merged], np.int64)
            cores[name] = np.array([core for _, core in merged], np.int64)
        return Tiles(boxes, cores)

    def put(self, graph: machine.GraphOp, rates: Mapping[str, float], device: Device) -> None:
        """Cuts the populations of a graph into these tiles."""
        plans: dict[str, Plan] = {name: (None, boxes) for name, boxes in self.boxes.items()}
        replan(graph, plans, rates, device)

    def cores_in(self, problem: Problem, placement: Placement) -> Ints:
        """Returns the core of each vertex; all vertices except tiles keep those of a placement. Shapes: [vertices]."""
        core = dict(zip(placement.problem.vertices, placement.core.tolist(), strict=True))
        core |= {f"{name}/{k}": place for name, own in self.core.items() for k, place in enumerate(own.tolist())}
        return np.array([core[name] for name in problem.vertices], np.int64)


def place_finer(
    graph: machine.GraphOp,
    device: Device,
    coarse: Placement,
    pins: Mapping[str, int],
    effort: float,
    search: PlacementSearch,
) -> Placement | None:
    """Cuts the tiles of a graph finer if that lowers the cost, and returns the placement; None if nothing changes. Populations with pinned vertices stay as they are."""
    problem, vertices = coarse.problem, graph.vertices
    pinned = {vertices[name].source.data for name in pins}
    levels, most = int(LEVELS * effort), int(MOST_VERTICES * effort)
    if levels < 1 or coarse.cost == 0 or not has_exact_slices(graph, problem, device):
        return None
    before = Tiles.of(graph, problem, coarse.core, pinned)
    fixed = len(problem.vertices) - before.count
    rates = {name: 1.0 if rate is None else rate for name, rate in source_rates(graph).items()}
    best, tiles, placement, last = before, before, coarse, coarse
    tried, taken = coarse.tried, coarse.taken
    for _ in range(levels):
        finer = tiles.halved()
        if finer.count == tiles.count or finer.count + fixed > most:
            break
        tiles = finer
        tiles.put(graph, rates, device)
        if not keeps_limits(graph, device):
            break
        last = search(found := problem_of(graph, pins), tiles.cores_in(found, last))
        tried, taken = tried + last.tried, taken + last.taken
        tiles = tiles.moved(last)
        if last.cost < placement.cost:
            best, placement = tiles, last
    if tiles is before:
        return None
    best = best if best is before else best.joined()
    best.put(graph, rates, device)
    if best is before:
        return None
    final = Placement(found := problem_of(graph, pins), best.cores_in(found, placement))
    final.tried, final.taken = tried, taken
    return final


def sizes_of(boxes: Ints) -> Ints:
    """Returns the size of each box along each axis but the first, that of channels. Shapes: boxes [boxes, axes, 2]."""
    sizes: Ints = boxes[:, 1:, 1] - boxes[:, 1:, 0]
    return sizes


def halves_of(box: Ints) -> Ints:
    """Returns the halves of a box along its longest axis but the first; the box itself if these have a size of 1."""
    sizes = sizes_of(box[None])[0]
    axis = 1 + int(sizes.argmax())
    low, high = box[axis].tolist()
    if high - low < 2:
        return box[None]
    found = np.stack([box, box])
    found[0, axis, 1] = found[1, axis, 0] = (low + high) // 2
    return found


def joined_boxes(boxes: Sequence[Ints]) -> list[Ints]:
    """Returns the boxes after joining pairs that form a box, until none does."""
    found, k = list(boxes), 0
    while k < len(found):
        for j in range(k + 1, len(found)):
            low, high = np.minimum(found[k], found[j]), np.maximum(found[k], found[j])
            hull = np.stack([low[:, 0], high[:, 1]], axis=1)
            if volume(hull) == volume(found[k]) + volume(found[j]):
                found[k] = hull
                del found[j]
                k = -1
                break
        k += 1
    return found


def volume(box: Ints) -> int:
    return int((box[:, 1] - box[:, 0]).prod())

"""Coordinates of a core map: rectangles of places and boxes, outlines of chips, and positions without cores.

| links of the topology | places |
| --- | --- |
| neighbours | columns and rows of the machine; those without cores and links are left out, except on a small machine |
| tree | a row for each level, the root above |
| medium | rows of places, each above a part of the medium |
| pairs | a circle if the links can be drawn as lines, otherwise rows |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, cos, pi, sin, sqrt

import numpy as np
from attrs import frozen

from .core_map import CoreMap
from .svg import Rect, around

DETAILED = 160
"""Largest number of boxes with texts."""
MOST_POSITIONS = 40
"""Largest number of positions of a machine that is drawn whole."""
CELL, SMALL = (66, 50), (14, 14)
"""Width and height of a box with texts and without."""
GAP, SMALL_GAP = 36, 16
"""Distance of places, for links."""
CHIP_GAP, FOLD_GAP = 20, 22
"""Additional distance of chips, and of places that are not adjacent."""
MARGIN = 34
ACROSS = 8
"""Places in a row without coordinates."""
MOST_CHORDS, MOST_ON_CIRCLE = 60, 12
"""Largest numbers of links and places of a circle."""
CLEARANCE = 56
"""Distance between a chord and the middle of a box that it passes."""


@frozen(eq=False)
class CorePlaces:
    """The coordinates of a map."""

    places: tuple[Rect, ...]
    boxes: dict[str, Rect]
    free: tuple[Rect, ...]
    chips: dict[int, Rect]
    folds: tuple[Rect, ...]
    """Marks of columns and rows that are left out."""
    width: float
    height: float
    has_text: bool
    is_circle: bool


def core_places(found: CoreMap) -> CorePlaces:
    """Returns the coordinates of a map."""
    has_text = len(found.boxes) <= DETAILED
    cell, gap = (CELL, GAP) if has_text else (SMALL, SMALL_GAP)
    cells = slot_cells(found)
    columns, rows = (max((spot[axis] for spot in cells.values()), default=0) + 1 for axis in (0, 1))
    size = (columns * (cell[0] + 2) - 2, rows * (cell[1] + 2) - 2)
    layout = found.topology.link_layout
    is_circle = layout == "pairs" and len(found.spots) <= MOST_ON_CIRCLE and len(found.links) <= MOST_CHORDS
    free: list[Rect] = []
    folds: list[Rect] = []
    if is_circle:
        corners = circle(len(found.spots), size)
    elif layout == "neighbours":
        corners, free, folds = grid(found, size, gap)
    else:
        corners = [
            (MARGIN + x * (size[0] + gap), MARGIN + y * (size[1] + gap))
            for x, y in (
                found.spots.tolist()
                if layout == "tree"
                else [(k % ACROSS, k // ACROSS) for k in range(len(found.spots))]
            )
        ]
    places = tuple(Rect(x, y, *size) for x, y in corners)
    if layout != "neighbours":
        taken = {box.place for box in found.boxes}
        free = [at for number, at in enumerate(places) if number not in taken]
    chips = chip_outlines(found, places) if layout == "neighbours" else {}
    boxes = {}
    for box in found.boxes:
        at, (column, row) = places[box.place], cells[box.key]
        boxes[box.key] = Rect(at.x + column * (cell[0] + 2), at.y + row * (cell[1] + 2), *cell)
    every = [*places, *free, *chips.values(), Rect(0, 0, *cell)]
    width, height = max(at.x + at.width for at in every) + MARGIN, max(at.y + at.height for at in every) + MARGIN
    return CorePlaces(places, boxes, tuple(free), chips, tuple(folds), width, height, has_text, is_circle)


def slot_cells(found: CoreMap) -> dict[str, tuple[int, int]]:
    """Returns the column and row of each box at its place: its slot of up to four, or its index among the boxes there."""
    indices: dict[int, int] = {}
    cells: dict[str, tuple[int, int]] = {}
    slots = found.topology.slots if found.fold == 1 else 1
    most = max(np.bincount([box.place for box in found.boxes]).tolist(), default=1) if found.boxes else 1
    across = min(slots, 2) if slots <= 4 else ceil(sqrt(most))
    for box in found.boxes:
        index = indices[box.place] = indices.get(box.place, -1) + 1
        number = box.slot if slots <= 4 else index
        cells[box.key] = (number % across, number // across)
    return cells


def circle(count: int, size: tuple[float, float]) -> list[tuple[float, float]]:
    """Returns the corners of places on a circle, so wide that no chord passes a third place."""
    radius = max(120.0, CLEARANCE / (1 - cos(2 * pi / count))) if count > 3 else 110.0 * (count > 1)
    angles = [2 * pi * k / max(count, 1) - pi / 2 for k in range(count)]
    return [(MARGIN + radius * (1 + cos(a)), MARGIN + radius * (1 + sin(a))) for a in angles]


def grid(
    found: CoreMap, size: tuple[float, float], gap: float
) -> tuple[list[tuple[float, float]], list[Rect], list[Rect]]:
    """Returns the corners of places in columns and rows, the positions without cores, and the marks of columns and rows that are left out."""
    topology = found.topology
    is_whole = found.fold == 1 and topology.slots == 1 and topology.positions <= MOST_POSITIONS
    spots = topology.spots(np.arange(topology.cores)) if is_whole else found.spots
    chip = (topology.width, topology.height) if found.fold < topology.own else (1, 1)
    axes = [axis(np.unique(spots[:, k]).tolist(), chip[k] if topology.chips > 1 else 0, size[k], gap) for k in (0, 1)]
    (x_of, x_folds), (y_of, y_folds) = axes
    corners = [(x_of[x], y_of[y]) for x, y in found.spots.tolist()]
    taken = {tuple(found.spots[box.place].tolist()) for box in found.boxes}
    shown = np.unique(np.concatenate([spots, found.spots]), axis=0)
    free = [Rect(x_of[x], y_of[y], *size) for x, y in shown.tolist() if (x, y) not in taken]
    width, height = max(x_of.values(), default=0) + size[0], max(y_of.values(), default=0) + size[1]
    folds = [Rect(x, MARGIN, 0, height - MARGIN) for x in x_folds] + [
        Rect(MARGIN, y, width - MARGIN, 0) for y in y_folds
    ]
    return corners, free, folds


def axis(values: Iterable[float], chip: int, size: float, gap: float) -> tuple[dict[float, float], list[float]]:
    """Returns the coordinate of each column or row, and those between columns or rows that are not adjacent."""
    values = list(values)
    at = MARGIN + (14 if chip > 1 else 0)
    found, folds = {value: float(at) for value in values[:1]}, list[float]()
    for before, after in pairwise(values):
        at += size + gap
        if chip > 1 and after // chip != before // chip:
            at += CHIP_GAP
        if after > before + 1:
            folds.append(at - gap / 2 + FOLD_GAP / 2)
            at += FOLD_GAP
        found[after] = float(at)
    return found, folds


def chip_outlines(found: CoreMap, places: Sequence[Rect]) -> dict[int, Rect]:
    """Returns a rectangle around the cores of each chip of a machine with several."""
    topology = found.topology
    if topology.chips == 1 or found.fold >= topology.own:
        return {}
    members: dict[int, list[Rect]] = {}
    for box in found.boxes:
        members.setdefault(box.cores[0] // topology.own, []).append(places[box.place])
    return {chip: around(some).grown(5) for chip, some in sorted(members.items())}

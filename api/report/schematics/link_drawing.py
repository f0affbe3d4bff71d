"""Drawings of links with load: arrows between places, a medium with its taps, or a matrix of sources and targets.

Each link with load has one element of the class `link`: `data-link` is its index, `data-links` the number of links of the machine that it stands
for, and `data-ends` its places. Width and shade are the load; a link around a border of the machine is two stubs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import hypot

from ....core.number_texts import number_text
from .core_map import CoreMap, Link
from .core_places import MARGIN, CorePlaces
from .svg import STEPS, Rect, number, path, step_of, text

HEAD = 7.0
"""Length of the head of an arrow."""
FLARE = 2.2
"""Distance of the corners of a head from the shaft."""
OFFSET = 5.5
"""Distance of a link from the line in the middle, whose other side is for the opposite link."""
STUB = 15.0
"""Length of a stub of a link around a border."""
MOST_ROWS = 40
"""Largest number of rows and columns of a matrix."""
TILE = 16
LEGEND = 44
"""Height of the legend."""

Point = tuple[float, float]


def link_parts(found: CoreMap, at: CorePlaces) -> list[str]:
    """Returns the elements of all links on the map."""
    layout = found.topology.link_layout
    if layout == "medium":
        return list(medium(found, at))
    if layout == "pairs" and not at.is_circle:
        return []
    return [
        element(found, k, link, "".join(path(one) + "Z" for one in shapes(found, link, at)))
        for k, link in enumerate(found.links)
    ]


def load_step(load: float, most: float) -> int:
    """Returns the shade of a load: that of its square root, since a few links have most of the load."""
    return step_of((load / most) ** 0.5) if most else 0


def load_scale(most: float) -> str:
    """Returns the largest load of each shade."""
    return " / ".join(number_text(most * ((step + 1) / STEPS) ** 2) for step in range(STEPS))


def element(found: CoreMap, index: int, link: Link, drawn: str, kind: str = "") -> str:
    """Returns the element of a link."""
    step = load_step(link.load, found.most)
    wrapped = " wrapped" if link.is_wrapped else ""
    return (
        f'<path class="link load-{step}{wrapped}{kind}" data-link="{index}" data-links="{len(link.names)}" data-ends="{link.tail} {link.head}" '
        f'd="{drawn}"><title>{text(link.title)}</title></path>'
    )


def shapes(found: CoreMap, link: Link, at: CorePlaces) -> list[list[Point]]:
    """Returns the outlines of the arrows of a link."""
    tail, head = at.places[link.tail], at.places[link.head]
    width = (1.5 + 5.5 * link.load / found.most if found.most else 1.5) * (1.0 if at.has_text else 0.6)
    scale = 1.0 if at.has_text else 0.55
    if at.is_circle:
        start, end = rim(tail, head.middle), rim(head, tail.middle)
        return [arrow(*shifted(start, end, OFFSET - 1), width, scale)]
    x, y = direction(link.step[0]), direction(link.step[1])
    if found.topology.link_layout == "tree":
        aside = OFFSET * scale * y
        start, end = port(tail, 0, y), port(head, 0, -y)
        across, down = end[0] - start[0], end[1] - start[1]
        inset = (
            y * (width / 2 + FLARE * scale) * abs(across) / hypot(across, down)
        )  # the side of an oblique arrow ends at the border
        return [arrow((start[0] + aside, start[1] + inset), (end[0] + aside, end[1] - inset), width, scale)]
    start, end = port(tail, x, y), port(head, -x, -y)
    if not link.is_wrapped:
        return [arrow(*shifted(start, end, OFFSET * scale), width, scale)]
    long = STUB * scale
    length = hypot(x, y)
    out = (start[0] + long * x / length, start[1] + long * y / length)
    into = (end[0] - long * x / length, end[1] - long * y / length)
    return [
        arrow(*shifted(start, out, OFFSET * scale), width, scale),
        arrow(*shifted(into, end, OFFSET * scale), width, scale),
    ]


def direction(value: float) -> int:
    return (value > 0) - (value < 0)


def port(at: Rect, x: int, y: int) -> Point:
    """Returns the point of a place where links of a direction start."""
    middle = at.middle
    return middle[0] + x * at.width / 2, middle[1] + y * at.height / 2


def rim(at: Rect, to: Point) -> Point:
    """Returns the point of the border of a place, with a margin, on the line from its middle to a point."""
    (x, y), margin = at.middle, 4
    dx, dy = to[0] - x, to[1] - y
    scale = min(
        (at.width / 2 + margin) / abs(dx) if dx else float("inf"),
        (at.height / 2 + margin) / abs(dy) if dy else float("inf"),
    )
    return x + dx * scale, y + dy * scale


def shifted(start: Point, end: Point, offset: float) -> tuple[Point, Point]:
    """Returns a line to the right of a line, in its direction."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    x, y = -dy / length * offset, dx / length * offset
    return (start[0] + x, start[1] + y), (end[0] + x, end[1] + y)


def arrow(start: Point, end: Point, width: float, scale: float) -> list[Point]:
    """Returns the outline of an arrow."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy) or 1.0
    dx, dy = dx / length, dy / length
    neck_at = max(length - HEAD * scale, 0.0)
    neck = (start[0] + dx * neck_at, start[1] + dy * neck_at)
    half, wide = width / 2, width / 2 + FLARE * scale
    points = [(start, half), (neck, half), (neck, wide), (end, 0.0), (neck, -wide), (neck, -half), (start, -half)]
    return [(x - dy * side, y + dx * side) for (x, y), side in points]


def medium(found: CoreMap, at: CorePlaces) -> Iterator[str]:
    """Yields the medium below each row of places, with its taps."""
    if not found.links:
        return
    rows = sorted({place.y + place.height for place in at.places})
    left, right = MARGIN - 16, max(place.x + place.width for place in at.places)
    bars = [Rect(left, y + 14, right - left, 6) for y in rows]
    bars.append(Rect(left - 6, rows[0] + 14, 6, rows[-1] - rows[0] + 6))
    outline = "".join(
        path([(b.x, b.y), (b.x + b.width, b.y), (b.x + b.width, b.y + b.height), (b.x, b.y + b.height)]) + "Z"
        for b in bars
    )
    taps = "".join(
        path([(place.middle[0], place.y + place.height), (place.middle[0], place.y + place.height + 14)])
        for place in at.places
    )
    yield f'<path class="tap" d="{taps}"/>'
    yield element(found, 0, found.links[0], outline, " medium")


def has_matrix(found: CoreMap, at: CorePlaces) -> bool:
    return found.topology.link_layout == "pairs" and not at.is_circle and bool(found.links)


def matrix(found: CoreMap, left: float, top: float) -> tuple[list[str], float, float]:
    """Returns the matrix of links, a row for each source and a column for each target, its width and its height."""
    count = len(found.spots)
    block = -(-count // MOST_ROWS)
    tiles: dict[tuple[int, int], list[int]] = {}
    for k, link in enumerate(found.links):
        tiles.setdefault((link.tail // block, link.head // block), []).append(k)
    names = [place_name(found, k * block, block) for k in range(-(-count // block))]
    side = 8 + max((7 * len(name) for name in names), default=0)
    x0, y0 = left + side, top + 34
    parts = [f'<text class="axis" x="{number(x0)}" y="{number(top + 10)}">to core (columns), from core (rows)</text>']
    for k, name in enumerate(names):
        middle = k * TILE + TILE / 2
        parts.append(f'<text class="axis end" x="{number(x0 - 5)}" y="{number(y0 + middle + 4)}">{name}</text>')
        if k % -(-side // TILE) == 0:
            parts.append(f'<text class="axis middle" x="{number(x0 + middle)}" y="{number(y0 - 5)}">{name}</text>')
    extent = len(names) * TILE
    parts.append(f'<rect class="matrix" {Rect(x0, y0, extent, extent).attributes}/>')
    for (row, column), some in sorted(tiles.items()):
        load = max(found.links[k].load for k in some)
        step = load_step(load, found.most)
        links = sum(len(found.links[k].names) for k in some)
        title = (
            found.links[some[0]].title
            if len(some) == 1
            else f"{len(some)} links, at most {number_text(load)} events per tick"
        )
        parts.append(
            f'<rect class="link tile load-{step}" data-link="{" ".join(map(str, some))}" data-links="{links}" '
            f"{Rect(x0 + column * TILE + 1, y0 + row * TILE + 1, TILE - 2, TILE - 2).attributes}><title>{text(title)}</title></rect>"
        )
    return parts, side + extent, 34 + extent


def place_name(found: CoreMap, place: int, block: int) -> str:
    """Returns the first core of a place, with `+` if more places follow in its block."""
    box = next(box for box in found.boxes if box.place >= place)
    return (box.key if found.topology.chips > 1 else box.key.partition("/")[2]) + ("+" if block > 1 else "")


def legend(labels: Iterable[tuple[str, str]], left: float, top: float) -> list[str]:
    """Returns scales of shades: for each the class and the label."""
    parts: list[str] = []
    for kind, label in labels:
        tiles = "".join(
            f'<rect class="{kind}-{step}" {Rect(left + 17 * step, top, 16, 10).attributes}/>' for step in range(STEPS)
        )
        parts.append(
            f'<g class="scale">{tiles}<text class="axis" x="{number(left)}" y="{number(top + 24)}">{text(label)}</text></g>'
        )
        left += max(STEPS * 17, 6.4 * len(label)) + 24
    return parts

"""Drawing of a core map.

| class | element |
| --- | --- |
| `core` | a box; `data-core` is its key, `CHIP/CORE` for a core, and its shade the share of its fullest capacity (`full-0` to `full-4`) |
| `free` | the positions without cores |
| `chip` | the outline of a chip |
| `link` | a link with load (`link_drawing.py`) |
"""

from __future__ import annotations

from collections.abc import Iterator

from ....core.number_texts import counted_text, percent_text
from .core_map import Box, CoreMap, box_title
from .core_places import CorePlaces, core_places
from .link_drawing import LEGEND, has_matrix, legend, link_parts, load_scale, matrix
from .svg import Rect, frame, number, step_of, text

FULL_SCALE = ("full", "0 to 100 % of the fullest capacity")


def map_svg(found: CoreMap) -> str:
    """Returns the drawing of a map."""
    at = core_places(found)
    parts = list(background(found, at))
    parts += link_parts(found, at)
    for k, box in enumerate(found.boxes):
        parts.append(core(found, at, box, is_first=k == 0))
    width, height = at.width, at.height
    if has_matrix(found, at):
        tiles, across, down = matrix(found, 12, height)
        parts += tiles
        width, height = max(width, across + 24), height + down + 16
    scales = [FULL_SCALE] if any(box.fullness for box in found.boxes) else []
    if found.links:
        scales.append(("load", f"events per tick: up to {load_scale(found.most)}"))
    parts += legend(scales, 12, height)
    label = f"map of {counted_text(sum(len(box.cores) for box in found.boxes), 'core')} and {counted_text(found.loads, 'link')} with load"
    return frame(
        max(width, 12 + sum(6.4 * len(label) + 24 for _, label in scales)), height + LEGEND, label, parts, "map"
    )


def background(found: CoreMap, at: CorePlaces) -> Iterator[str]:
    """Yields the outlines of chips, the positions without cores, and the marks of parts that are left out."""
    if at.free:
        outline = "".join(f"M{number(x)} {number(y)}h{number(w)}v{number(h)}h{number(-w)}Z" for x, y, w, h in at.free)
        yield f'<path class="free" d="{outline}"/>'
    slots = found.topology.slots if found.fold == 1 else 1
    if slots > 1:
        yield "".join(f'<rect class="router" rx="4" {place.grown(2).attributes}/>' for place in at.places)
    for chip, outline in at.chips.items():
        yield f'<rect class="chip" rx="6" {outline.attributes}/>'
        if at.has_text:
            right = outline.x + outline.width - 2
            yield f'<text class="axis end" x="{number(right)}" y="{number(outline.y - 4)}">chip {chip}</text>'
    if at.folds:
        marks = "".join(f"M{number(x)} {number(y)}l{number(w)} {number(h)}" for x, y, w, h in at.folds)
        yield f'<path class="fold" d="{marks}"><title>columns or rows without cores are left out here</title></path>'


def core(found: CoreMap, at: CorePlaces, box: Box, *, is_first: bool) -> str:
    """Returns the element of a box. The first box is the only one that the tab key reaches; arrow keys lead from it to the others."""
    rect, full = at.boxes[box.key], box.fullness
    shade = "no-capacity" if full is None else f"full-{step_of(full.share)}"
    state = capacity_text(box)
    title = f"{box_title(found.topology, box)}: {state}"
    head = (
        f'<g class="core {shade}" data-core="{box.key}" data-place="{box.place}" tabindex="{0 if is_first else -1}" role="button" '
        f'aria-label="{text(title)}"><title>{text(title)}</title><rect rx="3" {rect.attributes}/>'
    )
    return f"{head}{''.join(core_texts(found, at, box, rect)) if at.has_text else ''}</g>"


def capacity_text(box: Box) -> str:
    """Returns the fullest capacity of a box in words."""
    if box.fullness is None:
        return "no capacity with a limit" if box.has_neurons else "no neurons, network inputs enter here"
    most = "" if len(box.cores) == 1 else "the fullest core has "
    return f"{most}{box.fullness} ({percent_text(box.fullness.share, 0)})"


def core_texts(found: CoreMap, at: CorePlaces, box: Box, rect: Rect) -> Iterator[str]:
    """Yields the texts of a box: its number, and the name and the share of its fullest capacity."""
    has_chip = found.topology.chips > 1 and not at.chips
    chip, _, number_on_chip = box.key.partition("/")
    name = number_on_chip if not has_chip else f"chip {chip}" if found.topology.own == 1 else box.key
    if len(box.cores) > 1:
        name = f"{len(box.cores)} cores"
    (x, _), y = rect.middle, rect.y
    yield f'<text x="{number(x)}" y="{number(y + 15)}">{name}</text>'
    if box.fullness is not None:
        yield f'<text class="share" x="{number(x)}" y="{number(y + 29)}">{box.fullness.name}</text>'
        yield f'<text class="share" x="{number(x)}" y="{number(y + 43)}">{percent_text(box.fullness.share, 0)}</text>'
    elif not box.has_neurons:
        yield f'<text class="share" x="{number(x)}" y="{number(y + 31)}">inputs</text>'

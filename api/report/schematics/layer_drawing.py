"""Drawing of a chip that computes layers: the cores, processors or arrays of each layer, and the layers that it reads.

A unit has the classes and attributes of a core of the map (`core_drawing.py`), so that style and script are the same; `layer` is the outline of a layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from typing import Any

from attrs import frozen

from ....core.number_texts import counted_text, percent_text
from ...judging.fullness import Fullness, fullest
from .core_drawing import FULL_SCALE
from .core_map import use_text
from .core_places import CELL, DETAILED, SMALL
from .graph_drawing import ARROW, edge_element
from .graph_layout import lay_out
from .graph_nodes import GraphNode, nearest_sources
from .link_drawing import LEGEND, legend
from .svg import Rect, frame, number, short, step_of, text

HEAD, INSET = 20.0, 5.0
"""Space for the name of a layer, and between its outline and its units."""
BROAD = 2.0
"""Width of the units of a layer relative to their height, in units."""
WIDE = (CELL[0] + 12, CELL[1])
"""Width and height of a unit, whose name is longer than a number."""
END = (132.0, 26.0)


@frozen
class Layer:
    """A layer of the chip, an input or an output, with its units in the record and the layers that it reads."""

    name: str
    units: tuple[Mapping[str, Any], ...]
    sources: tuple[int, ...]


def layers_of(units: Sequence[Mapping[str, Any]], nodes: Sequence[GraphNode]) -> list[Layer]:
    """Returns the layers in the order of their first units, between the inputs and outputs of the network. `nodes` is its graph."""
    members: dict[str, list[Mapping[str, Any]]] = {}
    for unit in units:
        members.setdefault(", ".join(map(str, unit["layers"])), []).append(unit)
    shown = [k for k, node in enumerate(nodes) if node.name in members or node.role == "end"]
    known = {nodes[k].name for k in shown}
    names = [*(nodes[k].name for k in shown), *(name for name in members if name not in known)]
    index = {k: n for n, k in enumerate(shown)}
    found: list[Layer] = []
    for n, name in enumerate(names):
        sources = (
            tuple(dict.fromkeys(index[k] for k in nearest_sources(nodes, shown[n], index))) if n < len(shown) else ()
        )
        some = tuple(members.get(name, ())) if n >= len(shown) or nodes[shown[n]].role != "end" else ()
        found.append(Layer(name, some, sources))
    return found


def layer_svg(layers: Sequence[Layer]) -> str:
    """Returns the drawing of layers, in rows from the inputs at the top."""
    has_text = sum(len(layer.units) for layer in layers) <= DETAILED
    cell = WIDE if has_text else SMALL
    across = [grid_columns(len(layer.units), cell) for layer in layers]
    sizes = [layer_size(layer, columns, cell) for layer, columns in zip(layers, across, strict=True)]
    inputs = [not layer.units and not layer.sources for layer in layers]
    layout = lay_out([layer.sources for layer in layers], sizes, inputs)
    parts = [ARROW, *(edge_element(edge) for edge in layout.edges)]
    is_first = True
    for k, (layer, rect) in enumerate(zip(layers, layout.boxes, strict=True)):
        kind = "box layer" if layer.units else "box end"
        count = f", {counted_text(len(layer.units), 'unit')}" if len(layer.units) > 1 else ""
        letters = max(8, int((rect.width - 14) / 7))
        parts.append(
            f'<g class="{kind}" data-box="{k}"><title>{text(layer.name)}{count}</title><rect rx="4" {rect.attributes}/>'
            f'<text x="{number(rect.x + 7)}" y="{number(rect.y + 15)}">{text(short(layer.name + count, letters))}</text></g>'
        )
        for n, unit in enumerate(layer.units):
            row, column = divmod(n, across[k])
            at = Rect(
                rect.x + INSET + column * (cell[0] + 2),
                rect.y + HEAD + row * (cell[1] + 2),
                float(cell[0]),
                float(cell[1]),
            )
            parts.append(unit_element(unit, at, has_text=has_text, is_first=is_first))
            is_first = False
    parts += legend([FULL_SCALE], 12, layout.height)
    units = sum(len(layer.units) for layer in layers)
    return frame(
        max(layout.width, 240.0), layout.height + LEGEND, f"map of {counted_text(units, 'unit')}", parts, "map"
    )


def grid_columns(count: int, cell: tuple[float, float]) -> int:
    return max(1, ceil(sqrt(count * BROAD * cell[1] / cell[0])))


def layer_size(layer: Layer, columns: int, cell: tuple[float, float]) -> tuple[float, float]:
    """Returns the size of the outline of a layer."""
    if not layer.units:
        return END
    rows, columns = -(-len(layer.units) // columns), min(columns, len(layer.units))
    width = max(96.0, columns * (cell[0] + 2) - 2 + 2 * INSET)
    return width, HEAD + rows * (cell[1] + 2) - 2 + INSET


def unit_element(unit: Mapping[str, Any], at: Rect, *, has_text: bool, is_first: bool) -> str:
    """Returns the element of a unit."""
    full = fullest(unit["uses"])
    name = unit["unit"]
    title = f"{name}: {full_text(full)}"
    shade = "no-capacity" if full is None else f"full-{step_of(full.share)}"
    words = ""
    if has_text:
        x, y = number(at.middle[0]), at.y
        words = f'<text x="{x}" y="{number(y + 15)}">{text(short(name, 11))}</text>'
        if full is not None:
            words += f'<text class="share" x="{x}" y="{number(y + 29)}">{full.name}</text>'
            words += f'<text class="share" x="{x}" y="{number(y + 43)}">{percent_text(full.share, 0)}</text>'
    return (
        f'<g class="core {shade}" data-core="{text(name)}" tabindex="{0 if is_first else -1}" role="button" aria-label="{text(title)}">'
        f'<title>{text(title)}</title><rect rx="3" {at.attributes}/>{words}</g>'
    )


def full_text(full: Fullness | None) -> str:
    return "no capacity with a limit" if full is None else f"{full} ({percent_text(full.share, 0)})"


def layer_record(layers: Sequence[Layer]) -> dict[str, Any]:
    """Returns the record for the script: for each unit its title, its layer, its uses, and the units that read its layer."""
    readers: dict[int, list[str]] = {}
    for layer in layers:
        for source in layer.sources:
            readers.setdefault(source, []).extend(unit["unit"] for unit in layer.units)
    return {
        unit["unit"]: {
            "title": unit["unit"],
            "lines": [f"layer {layer.name}", *(use_text(one) for one in unit["uses"])],
            "links": [],
            "reached": readers.get(k, []),
        }
        for k, layer in enumerate(layers)
        for unit in layer.units
    }

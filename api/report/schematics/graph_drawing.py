"""Drawing of the graph of a network.

| class | element |
| --- | --- |
| `box` | a box, with the class of its role: `end`, `population`, `op` or `helper`; `data-box` is its index |
| `edge` | an edge from `data-source` to `data-target`; a backward edge has the class `back` |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from ....core.number_texts import counted_text
from ..sections import Figure, Section
from .graph_layout import DOWN, GraphEdge, Size, lay_out
from .graph_nodes import GraphNode, Role, fold_nodes, graph_nodes
from .svg import Rect, frame, number, short, text

SIZES: dict[Role, Size] = {"end": (132, 38), "population": (132, 38), "op": (132, 22), "helper": (92, 18)}
LETTERS: dict[Role, int] = {"end": 18, "population": 18, "op": 21, "helper": 15}
"""Largest number of letters in a box."""
ARROW = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto">'
    '<path class="arrow" d="M0 0L8 4L0 8Z"/></marker></defs>'
)


def graph_svg(nodes: Sequence[GraphNode]) -> str:
    """Returns the graph, in rows from the inputs at the top to the outputs."""
    nodes = fold_nodes(nodes)
    layout = lay_out(
        [node.sources for node in nodes],
        [SIZES[node.role] for node in nodes],
        [node.role == "end" and not node.sources for node in nodes],
    )
    parts = [ARROW, *(edge_element(edge) for edge in layout.edges)]
    for k, (node, rect) in enumerate(zip(nodes, layout.boxes, strict=True)):
        parts.append(
            f'<g class="box {node.role}" data-box="{k}"><title>{text(node.name)}: {text(node.kind)}</title>'
            f'<rect rx="4" {rect.attributes}/>{"".join(box_texts(node, rect))}</g>'
        )
    return frame(layout.width, layout.height, f"graph of the network, {len(nodes)} boxes", parts, "graph")


def compiled_graph_section(report: Mapping[str, Any], module: ModuleOp) -> Section | None:
    """Returns the section of the network after all passes, if they added populations; they are drawn smaller, and chains of them as one box."""
    added: Mapping[str, int] = report["added_populations"] or {}
    if not added:
        return None
    count = counted_text(len(added), "population")
    return Section(
        "Compiled network",
        text=f"The compilation added {count} with {counted_text(sum(added.values()), 'neuron')}. They have dashed outlines; a chain of them is one box.",
        blocks=(Figure("", graph_svg(graph_nodes(module, added)), is_wide=True),),
        is_folded=True,
    )


def box_texts(node: GraphNode, at: Rect) -> Iterator[str]:
    """Yields the texts of a box: its name, and its kind and shape below or in the same line."""
    letters, x = LETTERS[node.role], number(at.x + 7)
    if node.role in ("end", "population"):
        yield f'<text x="{x}" y="{number(at.y + 15)}">{text(short(node.name, letters))}</text>'
        yield f'<text class="kind" x="{x}" y="{number(at.y + 30)}">{text(short(node.kind, letters + 3))}</text>'
    else:
        words = (
            f"{node.name} {node.kind}" if node.role == "op" and not node.kind.startswith(f"{node.name} ") else node.name
        )
        yield f'<text class="kind" x="{x}" y="{number(at.y + at.height / 2 + 4)}">{text(short(words, letters))}</text>'


def edge_element(edge: GraphEdge) -> str:
    """Returns the line of an edge: straight within rows, curved between them."""
    points = edge.points
    line = f"M{number(points[0][0])} {number(points[0][1])}"
    for (x0, y0), (x1, y1) in pairwise(points):
        if edge.is_back or abs(x0 - x1) < 0.5:
            line += f"L{number(x1)} {number(y1)}"
        else:
            bend = min(DOWN * 0.6, abs(y1 - y0) * 0.6)
            line += f"C{number(x0)} {number(y0 + bend)} {number(x1)} {number(y1 - bend)} {number(x1)} {number(y1)}"
    kind = "edge back" if edge.is_back else "edge"
    return f'<path class="{kind}" data-source="{edge.source}" data-target="{edge.target}" marker-end="url(#arrow)" d="{line}"/>'

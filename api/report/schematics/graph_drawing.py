"""Drawing of the graph of a network: boxes in rows from the inputs to the outputs. A box has the class `op`, an edge the class `edge`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ....core.diagnostics import describe_op
from ....core.ir.operation import shape_of
from ....core.output import printable_line
from ....dialects import nir, ntensor
from .svg import frame

BOX, GAP, ROW = (132, 40), 14, 66
NAME_LETTERS = 18
"""Largest number of letters of a name in a box."""


@frozen
class GraphNode:
    """A box of the graph: its name, its kind with a shape, and the boxes that it reads."""

    name: str
    kind: str
    sources: tuple[int, ...]


def first_network(module: ModuleOp) -> ntensor.NetworkOp | nir.GraphOp | None:
    return next((op for op in module.ops if isinstance(op, ntensor.NetworkOp | nir.GraphOp)), None)


def graph_nodes(module: ModuleOp) -> list[GraphNode]:
    """Returns the boxes of the first network of a module, in its order: inputs, ops with a node, outputs."""
    network = first_network(module)
    if network is None:
        return []
    block = network.body.block
    places: dict[SSAValue, int] = {arg: k for k, arg in enumerate(block.args)}
    boxed: list[Operation] = [op for op in block.ops if op.results]
    places |= {result: len(block.args) + k for k, op in enumerate(boxed) for result in op.results}

    def shape(value: SSAValue) -> str:
        return "x".join(map(str, shape_of(value))) or "1"

    def sources(op: Operation) -> tuple[int, ...]:
        return tuple(dict.fromkeys(places[value] for value in op.operands if value in places))

    found = [
        GraphNode(name.data, f"input {shape(arg)}", ())
        for name, arg in zip(network.input_names, block.args, strict=True)
    ]
    for op in boxed:
        kind = op.name.partition(".")[2]
        found.append(GraphNode(describe_op(op)[1] or kind, f"{kind} {shape(op.results[0])}", sources(op)))
    last = block.last_op
    if last is not None:
        for name, value in zip(network.output_names, last.operands, strict=False):
            found.append(GraphNode(name.data, f"output {shape(value)}", (places[value],) if value in places else ()))
    return found


def network_name(module: ModuleOp) -> str:
    """Returns the name of the first network of a module."""
    networks = (op for op in module.ops if isinstance(op, ntensor.NetworkOp | nir.GraphOp))
    return next((describe_op(op)[0].rpartition("@")[2] for op in networks), "network")


def layers_of(nodes: Sequence[GraphNode]) -> list[int]:
    """Returns the row of each box: one below the lowest box that it reads. Backward edges of cycles are ignored."""
    rows: list[int] = []
    for node in nodes:
        rows.append(max((rows[source] + 1 for source in node.sources if source < len(rows)), default=0))
    return rows


def graph_svg(nodes: Sequence[GraphNode]) -> str:
    """Returns the graph, in rows from the inputs at the top to the outputs."""
    rows, counts = layers_of(nodes), dict[int, int]()
    corners: list[tuple[int, int]] = []
    for row in rows:
        corners.append((GAP + counts.get(row, 0) * (BOX[0] + GAP), GAP + row * ROW))
        counts[row] = counts.get(row, 0) + 1
    width = GAP + max(counts.values(), default=1) * (BOX[0] + GAP)
    height = GAP + (max(rows, default=0) + 1) * ROW
    parts: list[str] = []
    for target, node in enumerate(nodes):
        for source in node.sources:
            (x0, y0), (x1, y1) = corners[source], corners[target]
            start, end = (x0 + BOX[0] // 2, y0 + BOX[1]), (x1 + BOX[0] // 2, y1)
            is_back = rows[target] <= rows[source]
            bend = BOX[0] if is_back else 0
            path = f"M{start[0]} {start[1]} C{start[0] + bend} {start[1] + 20} {end[0] + bend} {end[1] - 20} {end[0]} {end[1]}"
            parts.append(f'<path class="edge{" back" if is_back else ""}" d="{path}"/>')
    for node, (x, y) in zip(nodes, corners, strict=True):
        parts.append(
            f'<g class="op"><title>{escape(printable_line(node.name))}: {escape(node.kind)}</title><rect x="{x}" y="{y}" width="{BOX[0]}" '
            f'height="{BOX[1]}" rx="4"/><text x="{x + 8}" y="{y + 16}">{escape(short(printable_line(node.name)))}</text>'
            f'<text class="kind" x="{x + 8}" y="{y + 31}">{escape(short(node.kind))}</text></g>'
        )
    return frame(width, height, "graph of the network", parts, "graph")


def short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else name[: NAME_LETTERS - 1] + "…"

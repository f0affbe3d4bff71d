"""Schematics as SVG: the graph of a network, and the map of cores and links with the routes of vertices.

| class | element |
| --- | --- |
| `op` | a box of the graph |
| `core` | a core of the map; `data-core` is `CHIP/CORE`, and its shade the share of its fullest resource |
| `link` | a link between two cores; its width is its load |
| `route` | a link of the route of the vertex `data-vertex`, hidden until a core is selected |
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, cast

from attrs import frozen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...core.diagnostics import describe_op
from ...core.ir.operation import shape_of
from ...core.output import printable_line
from ...dialects import nir, ntensor

BOX, GAP, ROW = (132, 40), 14, 66
CELL, PITCH = 54, 84
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
    return svg(width, height, "graph of the network", parts)


def short(name: str) -> str:
    return name if len(name) <= NAME_LETTERS else name[: NAME_LETTERS - 1] + "…"


def svg(width: int, height: int, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {width} {height}" style="max-width:{width}px" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


@frozen
class CoreMap:
    """Positions of the cores of a mapping, and their use."""

    places: dict[str, tuple[int, int]]
    """Centre of each core in the drawing, by its key."""
    squares: dict[tuple[int, ...], tuple[int, int]]
    """Centre of each position of a mesh; the keys are positions as in links."""
    shares: dict[str, float]
    """Share of the fullest limited resource of a core."""
    width: int
    height: int


def core_map(mapping: Mapping[str, Any], summary: Mapping[str, Any], device: Mapping[str, Any]) -> CoreMap:
    """Returns the core map of a mapping. Cores of a mesh are drawn at their positions, other cores in rows by number."""
    topology: dict[str, Any] = device.get("topology") or {}
    mesh: dict[str, Any] = topology.get("mesh") or {}
    chip_mesh: dict[str, Any] = topology.get("chip_mesh") or {}
    size = {key: number_of(mesh.get(key)) for key in ("width", "height")}
    across = number_of(chip_mesh.get("width")) or 1
    cores: list[dict[str, Any]] = mapping["cores"]
    is_mesh = bool(size["width"] and size["height"]) and all("x" in core and "y" in core for core in cores)
    is_chipped = bool(chip_mesh)
    squares: dict[tuple[int, ...], tuple[int, int]] = {}
    places: dict[str, tuple[int, int]] = {}
    if is_mesh:
        chips = sorted({core["chip"] for core in cores})
        for chip in chips:
            left = (chip % across) * (size["width"] * PITCH + PITCH // 2)
            top = (chip // across) * (size["height"] * PITCH + PITCH // 2)
            for y in range(size["height"]):
                for x in range(size["width"]):
                    at = (left + x * PITCH + PITCH // 2, top + y * PITCH + PITCH // 2)
                    squares[(chip, x, y) if is_chipped else (x, y)] = at
        for core in cores:
            key = (core["chip"], core["x"], core["y"]) if is_chipped else (core["x"], core["y"])
            x, y = squares[key]
            slot = core.get("slot") or 0
            places[core_key(core["chip"], core["id"])] = (x + 7 * (slot % 4), y + 7 * (slot // 4))
    else:
        columns = max(1, min(6, len(cores)))
        for k, core in enumerate(cores):
            places[core_key(core["chip"], core["id"])] = (
                (k % columns) * PITCH + PITCH // 2,
                (k // columns) * PITCH + PITCH // 2,
            )
    spots = [*places.values(), *squares.values(), (PITCH, PITCH)]
    shares = {core_key(row["chip"], row["core"]): fullest(row["uses"]) for row in summary["occupancy"]}
    return CoreMap(places, squares, shares, max(x for x, _ in spots) + PITCH, max(y for _, y in spots) + PITCH)


def core_key(chip: int, core: int) -> str:
    """Returns the key of a core: cores are numbered on each chip."""
    return f"{chip}/{core}"


def number_of(entry: Any) -> int:
    """Returns the value of a quantity in a device record, 0 without one."""
    value = cast("Mapping[str, Any]", entry).get("value") if isinstance(entry, Mapping) else entry
    return value if isinstance(value, int) else 0


def fullest(uses: Sequence[Mapping[str, Any]]) -> float:
    return max((one["used"] / one["limit"] for one in uses if one["limit"] and one["used"] is not None), default=0.0)


def ends(link: Sequence[int], places: CoreMap) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Returns the two ends of a link in the drawing; None for a link of another topology."""
    half = len(link) // 2
    start, end = places.squares.get(tuple(link[:half])), places.squares.get(tuple(link[half:]))
    return None if start is None or end is None or len(link) % 2 else (start, end)


def line(start: tuple[int, int], end: tuple[int, int], shift: int) -> str:
    """Returns the coordinates of a line, with an offset from the line in the opposite direction."""
    dx, dy = (end[0] > start[0]) - (end[0] < start[0]), (end[1] > start[1]) - (end[1] < start[1])
    x, y = -dy * shift, dx * shift
    return f'x1="{start[0] + x}" y1="{start[1] + y}" x2="{end[0] + x}" y2="{end[1] + y}"'


def map_svg(mapping: Mapping[str, Any], summary: Mapping[str, Any], device: Mapping[str, Any]) -> str:
    """Returns the map of cores, links and routes."""
    found = core_map(mapping, summary, device)
    loads = summary["links"]["loads"]
    most = max((one["load"] for one in loads), default=0.0) or 1.0
    is_several = len({key.partition("/")[0] for key in found.places}) > 1
    parts: list[str] = [
        f'<rect class="free" x="{x - CELL // 2}" y="{y - CELL // 2}" width="{CELL}" height="{CELL}"/>'
        for x, y in found.squares.values()
    ]
    for one in loads:
        if (pair := ends(one["link"], found)) is not None:
            title = f"{one['load']:g} events per tick"
            wide = 1 + 7 * one["load"] / most
            parts.append(f'<line class="link" {line(*pair, 6)} stroke-width="{wide:.2f}"><title>{title}</title></line>')
    for core, (x, y) in found.places.items():
        share = found.shares.get(core, 0.0)
        shade = round(255 - 175 * min(share, 1.0))
        parts.append(
            f'<g class="core" data-core="{core}" tabindex="0" role="button" aria-label="core {core}, {share:.0%} full">'
            f'<rect x="{x - CELL // 2}" y="{y - CELL // 2}" width="{CELL}" height="{CELL}" fill="rgb({shade},{shade},{shade})"/>'
            f'<text x="{x}" y="{y - 4}">{core if is_several else core.partition("/")[2]}</text><text class="share" x="{x}" y="{y + 12}">{share:.0%}</text></g>'
        )
    for route in mapping["routes"]:
        for link in route["links"]:
            if (pair := ends(link, found)) is not None:
                parts.append(f'<line class="route" data-vertex="{escape(route["source"])}" {line(*pair, 6)}/>')
    return svg(found.width, found.height, "map of cores and links", parts)

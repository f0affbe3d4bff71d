"""Layered layout of a graph: rows by the longest path, an order with few crossings in each row, and edges around boxes.

1. Edges of a depth-first search that close a cycle are backward. They do not move boxes.
2. The row of a box is one below the lowest box that it reads. A box that reads nothing is directly above its first user, unless it is an input.
3. An edge over several rows has a point in each row between, which takes space as a box does; so no edge passes behind a box.
4. Sweeps order each row by the mean position of its neighbours, and keep the order with the fewest crossings.
5. Positions are the least squares of the distances to the neighbours, in the order of the row and with the distances of boxes (isotonic regression).
6. Backward edges are at the right side: through the space below their source, up a lane, and through the space above their target.

Source: Sugiyama, Tagawa and Toda, Methods for visual understanding of hierarchical system structures, IEEE Trans. SMC 11 (1981); the
barycentre of step 4 is theirs. Best and Chakravarti, Active set algorithms for isotonic regression, Math. Programming 47 (1990), step 5.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from itertools import pairwise

from attrs import field, frozen

from .svg import Rect

Size = tuple[float, float]
Point = tuple[float, float]

MARGIN, ACROSS, DOWN, SHORT = 12.0, 20.0, 30.0, 16.0
"""Margin of the drawing, and the least distances of boxes in a row, of rows, and of rows with vertical edges between them."""
THREAD = 12.0
"""Space of an edge that passes a row."""
LANE = 10.0
SWEEPS, ALIGNMENTS, FINAL = 16, 24, 8
SNAP = 9.0
"""Ends of an edge that are less apart are one above the other."""


@frozen
class GraphEdge:
    """An edge of the drawing: its boxes, and the points of its line. Two points follow each other in the same row, or from row to row."""

    source: int
    target: int
    points: tuple[Point, ...]
    is_back: bool


@frozen
class GraphLayout:
    """The coordinates of boxes and edges."""

    boxes: tuple[Rect, ...]
    edges: tuple[GraphEdge, ...]
    width: float
    height: float


@frozen(eq=False)
class Rows:
    """The rows of boxes and threads. The numbers of boxes precede those of threads."""

    row_of: list[int]
    above: list[list[int]]
    """Neighbours in the row above."""
    below: list[list[int]]
    chains: dict[tuple[int, int], list[int]]
    """Boxes and threads of each forward edge, from source to target."""
    rows: list[list[int]] = field(factory=list)


def lay_out(sources: Sequence[Sequence[int]], sizes: Sequence[Size], inputs: Sequence[bool]) -> GraphLayout:
    """Returns the layout of boxes that read other boxes. `inputs` are the boxes that stay in the first row."""
    back = backward_edges(sources)
    forward = [[source for source in some if (source, k) not in back] for k, some in enumerate(sources)]
    rows = thread_rows(forward, row_numbers(forward, inputs))
    order_rows(rows)
    widths = [size[0] for size in sizes] + [THREAD] * (len(rows.row_of) - len(sizes))
    middles = align(rows, widths)
    heights = [max((sizes[k][1] for k in row if k < len(sizes)), default=0.0) for row in rows.rows]
    tops = [MARGIN]
    for number, height in enumerate(heights[:-1]):
        tops.append(tops[-1] + height + (SHORT if not back and is_vertical(rows, number, middles) else DOWN))
    left = min((middles[k] - widths[k] / 2 for k in range(len(widths))), default=0.0) - MARGIN
    middles = [middle - left for middle in middles]
    boxes = tuple(
        Rect(middles[k] - w / 2, tops[rows.row_of[k]] + (heights[rows.row_of[k]] - h) / 2, w, h)
        for k, (w, h) in enumerate(sizes)
    )
    right = max((middles[k] + widths[k] / 2 for k in range(len(widths))), default=0.0)
    edges = [forward_edge(chain, boxes, middles, rows, tops, heights) for chain in rows.chains.values()]
    lanes = sorted(back, key=lambda edge: (abs(rows.row_of[edge[0]] - rows.row_of[edge[1]]), edge))
    edges += [back_edge(edge, k, boxes, rows, tops, heights, right) for k, edge in enumerate(lanes)]
    width = right + (LANE * (len(lanes) + 1) if lanes else 0.0) + MARGIN
    last = tops[-1] + heights[-1] if heights else 0.0
    return GraphLayout(boxes, tuple(spread(edges, boxes)), width, last + MARGIN + (DOWN / 2 if lanes else 0.0))


# ---- rows


def backward_edges(sources: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Returns the edges (source, target) that close a cycle in a depth-first search along the edges, from the first box on."""
    users: list[list[int]] = [[] for _ in sources]
    for target, some in enumerate(sources):
        for source in some:
            users[source].append(target)
    state = [0] * len(sources)
    back: set[tuple[int, int]] = set()
    starts = sorted(range(len(sources)), key=lambda k: bool(sources[k]))
    for start in starts:
        if state[start]:
            continue
        state[start] = 1
        path = [(start, iter(users[start]))]
        while path:
            source, rest = path[-1]
            target = next(rest, None)
            if target is None:
                state[source] = 2
                path.pop()
            elif state[target] == 1:
                back.add((source, target))
            elif state[target] == 0:
                state[target] = 1
                path.append((target, iter(users[target])))
    return back


def row_numbers(forward: Sequence[Sequence[int]], inputs: Sequence[bool]) -> list[int]:
    """Returns the row of each box: the longest path to it. Boxes that read nothing follow their users, except inputs."""
    waiting = [len(some) for some in forward]
    users: list[list[int]] = [[] for _ in forward]
    for target, some in enumerate(forward):
        for source in some:
            users[source].append(target)
    rows = [0] * len(forward)
    ready = [k for k, count in enumerate(waiting) if not count]
    while ready:
        source = ready.pop()
        for target in users[source]:
            rows[target] = max(rows[target], rows[source] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for k, some in enumerate(forward):
        if not some and users[k] and not inputs[k]:
            rows[k] = min(rows[target] for target in users[k]) - 1
    return rows


def thread_rows(forward: Sequence[Sequence[int]], numbers: Sequence[int]) -> Rows:
    """Returns the rows with a thread for each edge and row between its boxes."""
    row_of = list(numbers)
    found = Rows(row_of, [[] for _ in row_of], [[] for _ in row_of], {})
    for target, some in enumerate(forward):
        for source in some:
            chain = [source]
            for row in range(row_of[source] + 1, row_of[target]):
                chain.append(len(row_of))
                row_of.append(row)
                found.above.append([])
                found.below.append([])
            chain.append(target)
            for upper, lower in pairwise(chain):
                found.below[upper].append(lower)
                found.above[lower].append(upper)
            found.chains[source, target] = chain
    found.rows.extend([[] for _ in range(max(row_of, default=-1) + 1)])
    seen: set[int] = set()
    for start in range(len(forward)):
        stack = [start] if not found.above[start] else []
        while stack:
            k = stack.pop()
            if k not in seen:
                seen.add(k)
                found.rows[row_of[k]].append(k)
                stack += reversed(found.below[k])
    return found


# ---- order


def order_rows(rows: Rows) -> None:
    """Orders the boxes and threads of each row by sweeps, and keeps the order with the fewest crossings."""
    best, least = [list(row) for row in rows.rows], crossings(rows)
    for sweep in range(SWEEPS):
        if not least:
            break
        is_down = sweep % 2 == 0
        neighbours = rows.above if is_down else rows.below
        for row in rows.rows[1:] if is_down else rows.rows[-2::-1]:
            place = {k: n for other in rows.rows for n, k in enumerate(other)}
            mean = {
                k: sum(place[j] for j in neighbours[k]) / len(neighbours[k]) if neighbours[k] else float(place[k])
                for k in row
            }
            row.sort(key=lambda k: mean[k])
        if (count := crossings(rows)) < least:
            best, least = [list(row) for row in rows.rows], count
    for row, kept in zip(rows.rows, best, strict=True):
        row[:] = kept


def crossings(rows: Rows) -> int:
    """Returns the number of crossings between neighbouring rows."""
    total = 0
    for upper, lower in pairwise(rows.rows):
        place = {k: n for n, k in enumerate(lower)}
        ends: list[int] = []
        for k in upper:
            mine = sorted(place[j] for j in rows.below[k])
            total += sum(len(ends) - bisect_left(ends, end + 1) for end in mine)
            for end in mine:
                insort(ends, end)
    return total


# ---- positions


def align(rows: Rows, widths: Sequence[float]) -> list[float]:
    """Returns the middle of each box and thread along its row."""
    boxes = len(rows.row_of) - sum(len(chain) - 2 for chain in rows.chains.values())
    middles = [0.0] * len(rows.row_of)
    for row in rows.rows:
        at = 0.0
        for k in row:
            middles[k] = at + widths[k] / 2
            at += widths[k] + ACROSS

    def weight(a: int, b: int) -> float:
        return (20.0 if a >= boxes and b >= boxes else 3.0) if a >= boxes or b >= boxes else 1.0

    for turn in range(ALIGNMENTS):
        is_down = turn % 2 == 0
        for row in rows.rows if is_down else reversed(rows.rows):
            wishes, weights = list[float](), list[float]()
            for k in row:
                near = (
                    (rows.above[k] if is_down else rows.below[k])
                    if turn < ALIGNMENTS - FINAL
                    else rows.above[k] + rows.below[k]
                )
                total = sum(weight(k, j) for j in near)
                wishes.append(sum(weight(k, j) * middles[j] for j in near) / total if near else middles[k])
                weights.append(total or 0.01)
            for k, middle in zip(row, separate(wishes, weights, [widths[k] for k in row]), strict=True):
                middles[k] = middle
    return middles


def separate(wishes: Sequence[float], weights: Sequence[float], widths: Sequence[float]) -> list[float]:
    """Returns the positions nearest to the wishes, in least squares, that keep the order and the distances of a row."""
    offsets = [0.0]
    for a, b in pairwise(widths):
        offsets.append(offsets[-1] + (a + b) / 2 + ACROSS)
    blocks: list[tuple[float, float, int]] = []
    for wish, weight, offset in zip(wishes, weights, offsets, strict=False):
        mean, total, count = wish - offset, weight, 1
        while blocks and blocks[-1][0] >= mean:
            other, other_total, other_count = blocks.pop()
            mean = (mean * total + other * other_total) / (total + other_total)
            total, count = total + other_total, count + other_count
        blocks.append((mean, total, count))
    means = [mean for mean, _, count in blocks for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=False)]


# ---- edges


def forward_edge(
    chain: Sequence[int],
    boxes: Sequence[Rect],
    middles: Sequence[float],
    rows: Rows,
    tops: Sequence[float],
    heights: Sequence[float],
) -> GraphEdge:
    """Returns the points of an edge: from the lower border of its source, straight through each row between, to the upper border of its target."""
    source, target = boxes[chain[0]], boxes[chain[-1]]
    row = rows.row_of[chain[0]]
    points = [(middles[chain[0]], source.y + source.height), (middles[chain[0]], tops[row] + heights[row])]
    for k in chain[1:-1]:
        row = rows.row_of[k]
        points += [(middles[k], tops[row]), (middles[k], tops[row] + heights[row])]
    row = rows.row_of[chain[-1]]
    points += [(middles[chain[-1]], tops[row]), (middles[chain[-1]], target.y)]
    return GraphEdge(chain[0], chain[-1], tuple(points), is_back=False)


def back_edge(
    edge: tuple[int, int],
    number: int,
    boxes: Sequence[Rect],
    rows: Rows,
    tops: Sequence[float],
    heights: Sequence[float],
    right: float,
) -> GraphEdge:
    """Returns the points of a backward edge at the right side."""
    source, target = boxes[edge[0]], boxes[edge[1]]
    below, above = rows.row_of[edge[0]], rows.row_of[edge[1]]
    lane, shift = right + LANE * (number + 1), DOWN / 2 + (number % 3 - 1) * 4
    low, high = tops[below] + heights[below] + shift, tops[above] - shift
    x, to_x = source.x + source.width * 0.8, target.x + target.width * 0.8
    points = ((x, source.y + source.height), (x, low), (lane, low), (lane, high), (to_x, high), (to_x, target.y))
    return GraphEdge(edge[0], edge[1], points, is_back=True)


def is_vertical(rows: Rows, number: int, middles: Sequence[float]) -> bool:
    """Returns whether all edges from a row to the next are vertical, and none of their ends meet."""
    row = rows.rows[number]
    ends = [j for k in row for j in rows.below[k]]
    is_single = all(len(rows.below[k]) <= 1 for k in row) and len(ends) == len(set(ends))
    return is_single and all(abs(middles[k] - middles[j]) < SNAP for k in row for j in rows.below[k])


def spread(edges: Sequence[GraphEdge], boxes: Sequence[Rect]) -> list[GraphEdge]:
    """Returns the edges with their ends apart: those of a box are in the order of the boxes or threads that they lead to."""
    moved = list(edges)
    ends: tuple[tuple[Callable[[GraphEdge], int], bool], ...] = (
        (lambda edge: edge.source, True),
        (lambda edge: edge.target, False),
    )
    for box_of, is_start in ends:
        groups: dict[int, list[int]] = {}
        for n, edge in enumerate(moved):
            if not edge.is_back:
                groups.setdefault(box_of(edge), []).append(n)
        for box, some in groups.items():
            some.sort(key=lambda n: moved[n].points[2 if is_start else -3][0])
            gap = min(16.0, boxes[box].width / (len(some) + 1))
            for place, n in enumerate(some):
                shift = (place - (len(some) - 1) / 2) * gap
                points = list(moved[n].points)
                for k in (0, 1) if is_start else (-2, -1):
                    points[k] = (points[k][0] + shift, points[k][1])
                moved[n] = GraphEdge(moved[n].source, moved[n].target, tuple(points), is_back=False)
    return [straightened(edge) for edge in moved]


def straightened(edge: GraphEdge) -> GraphEdge:
    """Returns an edge without repeated points; an edge to the next row that is nearly vertical becomes vertical."""
    points = edge.points
    if len(points) == 4 and not edge.is_back and abs(points[0][0] - points[-1][0]) < SNAP:
        x = (points[0][0] + points[-1][0]) / 2
        points = ((x, points[0][1]), (x, points[-1][1]))
    points = tuple(point for k, point in enumerate(points) if not k or point != points[k - 1])
    return GraphEdge(edge.source, edge.target, points, edge.is_back)

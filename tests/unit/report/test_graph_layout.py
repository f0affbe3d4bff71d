"""The layout of graphs: boxes do not overlap, no edge passes a box that it does not join, and branches are beside each other."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import pytest

from nopt.api.report.schematics.graph_drawing import SIZES, graph_svg
from nopt.api.report.schematics.graph_layout import GraphLayout, backward_edges, lay_out
from nopt.api.report.schematics.graph_nodes import MOST_NODES, GraphNode, Role, fold_nodes
from nopt.api.report.schematics.svg import Rect

INSIDE = 1.0
"""An edge may touch a border."""


def layout_of(sources: list[tuple[int, ...]]) -> GraphLayout:
    roles: list[Role] = ["population" if k % 2 else "op" for k in range(len(sources))]
    return lay_out(sources, [SIZES[role] for role in roles], [not some for some in sources])


def overlap(a: Rect, b: Rect) -> bool:
    return (
        a.x < b.x + b.width - INSIDE
        and b.x < a.x + a.width - INSIDE
        and a.y < b.y + b.height - INSIDE
        and b.y < a.y + a.height - INSIDE
    )


def require_clear(layout: GraphLayout) -> None:
    assert not [(a, b) for a, b in combinations(layout.boxes, 2) if overlap(a, b)]
    for edge in layout.edges:
        for (x0, y0), (x1, y1) in pairwise(edge.points):
            line = Rect(min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0))
            for k, box in enumerate(layout.boxes):
                assert k in (edge.source, edge.target) or not overlap(line, box), (edge, k)


def random_sources(seed: int, *, cycles: bool) -> list[tuple[int, ...]]:
    chance = random.Random(seed)
    sources: list[tuple[int, ...]] = [()]
    for k in range(1, chance.randrange(2, 40)):
        read = {chance.randrange(max(0, k - 9), k) for _ in range(chance.choice([1, 1, 2, 3]))}
        sources.append(tuple(sorted(read)))
    for _ in range(4 if cycles else 0):
        target = chance.randrange(len(sources))
        sources[target] = tuple(dict.fromkeys([*sources[target], chance.randrange(target, len(sources))]))
    return sources


@pytest.mark.parametrize("cycles", [False, True])
def test_no_edge_passes_a_box(*, cycles: bool) -> None:
    for seed in range(60):
        require_clear(layout_of(random_sources(seed, cycles=cycles)))


def test_parallel_branches_are_beside_each_other() -> None:
    """input to a to sum, and input to d to b to sum: the edge from a to sum is beside b."""
    layout = layout_of([(), (0,), (0,), (2,), (1, 3)])
    require_clear(layout)
    a, b = layout.boxes[1], layout.boxes[3]
    edge = next(edge for edge in layout.edges if (edge.source, edge.target) == (1, 4))
    assert layout.boxes[2].y == pytest.approx(a.y, abs=20)
    assert all(not b.x <= x <= b.x + b.width for x, y in edge.points if b.y < y < b.y + b.height)


def test_a_cycle_has_one_backward_edge_at_the_side() -> None:
    sources: list[tuple[int, ...]] = [(), (0, 2), (1,), (2,)]
    assert backward_edges(sources) == {(2, 1)}
    layout = layout_of(sources)
    (back,) = [edge for edge in layout.edges if edge.is_back]
    assert max(x for x, _ in back.points) > max(box.x + box.width for box in layout.boxes)


@pytest.mark.parametrize("sources", [[], [()], [(0,)], [(), ()], [(1,), (0,)]], ids=str)
def test_small_and_odd_graphs(sources: list[tuple[int, ...]]) -> None:
    layout = layout_of(sources)
    assert len(layout.boxes) == len(sources)
    assert len(layout.edges) == sum(map(len, sources))


def test_a_chain_of_helpers_is_one_box() -> None:
    roles: list[Role] = ["end", "helper", "op", "op", "helper", "op", "population", "end"]
    nodes = [GraphNode(f"n{k}", role, (k - 1,) if k else (), role) for k, role in enumerate(roles)]
    folded = fold_nodes(nodes)
    assert [node.name for node in folded] == ["n0", "n1 to n4", "n5", "n6", "n7"]
    assert [node.sources for node in folded] == [(), (0,), (1,), (2,), (3,)]
    assert folded[1].kind == "2 populations"


def test_a_large_graph_is_folded() -> None:
    """A chain of 2,000 boxes with a branch at every tenth has few boxes; a cycle of ops alone is kept."""
    nodes = [GraphNode("input", "input 1", (), "end")]
    for k in range(1, 2000):
        nodes.append(GraphNode(f"n{k}", "op 1", (k - 1,), "population" if k % 10 == 0 else "op"))
    nodes.append(GraphNode("a", "op 1", (len(nodes) + 1,), "op"))
    nodes.append(GraphNode("b", "op 1", (len(nodes) - 1,), "op"))
    folded = fold_nodes(nodes)
    assert len(folded) <= MOST_NODES
    assert all(0 <= source < len(folded) for node in folded for source in node.sources)
    assert graph_svg(nodes).count('data-box="') == len(folded)

"""Reasons of a pass on the machine graph, such as the placement: its cost, the bound of the cost, and the cost of other options."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DictionaryAttr, FloatAttr, IntegerAttr, ModuleOp

from ...core.number_texts import counted_text, number_text
from ...dialects import machine
from ..compiling.build_report import only_graph
from .build_trace import TracedPass
from .records import Fact, Why
from .step_reasons import alternatives_of

PLACED = "machine.placed"
"""Attribute of a graph: the cost of its placement, a bound of it, and the trials of the search."""
PLACEMENT_COST = "cost"
FIGURES_OF_PLACEMENT = {
    PLACEMENT_COST: "communication cost",
    "bound": "least possible cost",
    "tried": "trials",
    "taken": "trials taken",
}
PARTS = {"vertices": machine.VertexOp, "edges": machine.EdgeOp, "routes": machine.RouteOp}


def reasons_of_graph_pass(build: str, passed: TracedPass) -> Why:
    """Returns the reasons of one pass on the machine graph."""
    figures = placement_figures(passed.after)
    is_placement = figures != placement_figures(passed.before)
    counts = [counted_text(count, name[:-1] if name != "vertices" else "vertex") for name, count in counts_of(passed)]
    facts = [Fact(FIGURES_OF_PLACEMENT.get(name, name), number_text(value)) for name, value in figures.items()]
    decision = placement_cost(passed.before, passed.after) if is_placement else ", ".join(counts) or "no new parts"
    return Why(
        build=build,
        subject=passed.text,
        kind="pass",
        decision=f"pass {passed.number} of the machine graph: {decision}",
        facts=tuple(facts) if is_placement else (),
        alternatives=tuple(alternatives_of(passed, placement_cost)) if is_placement else (),
    )


def placement_figures(module: ModuleOp) -> dict[str, float]:
    """Returns the figures of the placement of a graph by name; empty before it is placed."""
    found = only_graph(module).attributes.get(PLACED)
    entries = dict(found.data) if isinstance(found, DictionaryAttr) else {}
    return {name: one.value.data for name, one in entries.items() if isinstance(one, FloatAttr | IntegerAttr)}


def counts_of(passed: TracedPass) -> Iterator[tuple[str, int]]:
    """Yields the number of parts of a graph that a pass adds."""
    for name, kind in PARTS.items():
        first, last = (
            sum(isinstance(op, kind) for op in only_graph(module).body.block.ops)
            for module in (passed.before, passed.after)
        )
        if last != first:
            yield name, last - first


def placement_cost(_before: ModuleOp, placed: ModuleOp) -> str:
    """Formats the cost of a placement."""
    return f"communication cost {number_text(placement_figures(placed)[PLACEMENT_COST])}"

"""Removes nodes that lead to no output of the network.

    %a = nir.linear "fc" %x …           =>    %a = nir.linear "fc" %x …
    %b = nir.lif "watched" %a …               nir.output %a
    nir.output %a

A node stays if

1. the network gives it, or `keep` names it,
2. a node that stays reads it,
3. or it stands in a nested graph that stays and leads to one of its outputs. A nested graph stays as a whole node: all that it reads
   and gives stays. After `nir-flatten` nothing of it stays for that reason.

Inputs of the network stay, also those that nobody reads.

Exactness: outputs, and the records of what stays, are the same, bit for bit, but for one thing: the conversion to `ntensor` orders sums
of three and more by what is around them, so a last bit can differ there (`docs/rationale/exact-folding.md`).

Errors: DEA001 a name in `keep` that is no node. Remarks: DEA002 populations that are removed, and so can no longer be recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import Rewriter

from ...core.context import diagnostics_of
from ...core.graph_region import sources
from ...core.pipeline import NoptPass
from ...dialects import nir
from .rules.kept import kept, remark_removed


@dataclass(frozen=True)
class NirRemoveDeadPass(NoptPass):
    """Removes dead nodes of every `nir.graph`, nested ones included.

    Options:
        keep: nodes that stay with all that they need, `keep=lif1,"lif2.lif"`; default none. What `--record` names can stand here.
    """

    name = "nir-remove-dead"
    keep: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        graphs = [graph for graph in op.ops if isinstance(graph, nir.GraphOp)]
        if not graphs:
            return
        names = {inner: name for graph in graphs for inner, name in full_names(graph)}
        nodes: dict[str, list[Operation]] = {}
        for inner, name in names.items():
            nodes.setdefault(name, []).append(inner)
        roots = kept(self.keep, nodes)  # 1
        for graph in graphs:
            dead = dead_ops(graph, roots)
            populations = [inner for outer in dead for inner in outer.walk() if isinstance(inner, nir.PopulationOp)]
            remark_removed(self.name, [names[inner] for inner in populations], diagnostics_of(ctx))
            for inner in dead:
                inner.operands = []  # dead nodes may read each other in a circle
            for inner in dead:
                Rewriter.erase_op(inner)


def full_names(graph: nir.GraphOp) -> Iterator[tuple[Operation, str]]:
    """Every node and nested graph with its full name."""
    work: list[tuple[nir.GraphOp | nir.SubgraphOp, str]] = [(graph, "")]
    for outer, prefix in work:  # grows while it is walked
        for inner in outer.body.block.ops:
            if isinstance(inner, nir.NodeOp | nir.SubgraphOp):
                yield inner, f"{prefix}{inner.node.data}"
            if isinstance(inner, nir.SubgraphOp):
                work.append((inner, f"{prefix}{inner.node.data}."))


def dead_ops(graph: nir.GraphOp, roots: Iterable[Operation]) -> list[Operation]:
    """What nothing needs, in the order of the IR; a dead nested graph stands for all that is in it."""
    last = graph.body.block.last_op
    assert last is not None  # the graph verifies
    work = [last, *roots]
    live: set[Operation] = {graph}
    while work:
        at = work.pop()
        if at in live:
            continue
        live.add(at)
        work += sources(at)  # 2
        if isinstance(outer := at.parent_op(), nir.SubgraphOp):
            work.append(outer)
        if isinstance(at, nir.SubgraphOp) and (end := at.body.block.last_op) is not None:
            work.append(end)  # 3
    outers = [op for op in live if isinstance(op, nir.GraphOp | nir.SubgraphOp)]
    dead = {inner for outer in outers for inner in outer.body.block.ops if inner not in live}
    return [inner for inner in graph.walk() if inner in dead]

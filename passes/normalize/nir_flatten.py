"""Flattens nested graphs: every node moves to the outermost graph and gets its full name.

    %z = nir.subgraph "lif1" (%x) ("in" %a: …) -> ("out": …) {   =>   %z = nir.lif "lif1.lif" %x …
      %b = nir.lif "lif" %a …
      nir.output %b
    }

1. The full name of a node is the names of the graphs around it and its own name, joined with dots.
2. Terminals of nested graphs are wires: they leave no node. Metadata of terminals and of the nested graph are dropped, and
   a remark names the graph.

Exactness: no node changes, so the network computes the same, bit for bit; the conversion to `ntensor` produces the same
text with and without this pass. The pass has no inverse: the result does not distinguish dots of nested graphs from others.

Errors: ANA011 a circle of wires; ANA012 two nodes with one full name. Remarks: NRM004 metadata that is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.flat_graph import Node, flatten
from ...core.diagnostics import Code, Diagnostics
from ...core.help_text import Phrase, WithoutPass
from ...core.ir.context import diagnostics_of
from ...core.ir.pipeline import NoptPass
from ...dialects import nir

NRM004 = Code("NRM004", "nested-metadata-dropped", "metadata of a nested graph is dropped")


@dataclass(frozen=True)
class NirFlattenPass(NoptPass):
    """Replaces every `nir.subgraph` by its nodes."""

    name = "nir-flatten"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in [graph for graph in op.ops if isinstance(graph, nir.GraphOp)]:
            nested = [inner for inner in graph.walk() if isinstance(inner, nir.SubgraphOp)]
            if nested:
                for subgraph in nested:
                    remark_metadata(subgraph, diagnostics_of(ctx))
                take_apart(graph)


def take_apart(graph: nir.GraphOp) -> None:
    flat = flatten(graph)
    block = graph.body.block
    last = block.last_op
    assert last is not None  # the graph verifies
    values: dict[Node, SSAValue] = dict(zip(flat.inputs, block.args, strict=True))
    for node in flat.nodes:
        if node.op is not None:
            values[node] = node.op.y
    for node in flat.nodes:
        inner = node.op
        assert inner is not None  # only inputs have none
        if inner.parent is not block:
            inner.detach()
            Rewriter.insert_op(inner, InsertPoint.before(last))
        if isinstance(inner, nir.NodeOp):
            inner.node = StringAttr(node.name)  # 1
        inner.operands = [values[source] for source in node.reads]  # 2
    last.operands = [values[node] for node in flat.outputs]
    emptied = [inner for inner in block.ops if isinstance(inner, nir.SubgraphOp)]
    for subgraph in emptied:
        subgraph.operands = []  # they may read each other
    for subgraph in emptied:
        Rewriter.erase_op(subgraph)


def remark_metadata(subgraph: nir.SubgraphOp, diagnostics: Diagnostics) -> None:
    """Reports a nested graph whose metadata are dropped."""
    kept = [entries for entries in (subgraph.metadata, subgraph.terminal_metadata) if entries is not None]
    if found := [name for entries in kept for name in entries.data]:
        diagnostics.remark(
            NRM004,
            op=subgraph,
            expected="a nested graph without metadata",
            found=", ".join(found),
            help=Phrase(WithoutPass("nir-flatten")),
        )

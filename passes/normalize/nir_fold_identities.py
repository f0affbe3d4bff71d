"""Removes nodes whose result equals their operand: their users read the operand instead.

    %y = nir.identity "keep" %x …    =>    users of %y read %x

1. The node is an identity, a flatten that keeps its shape, a delay of 0 s, a scale by 1 or a pool of one element of values, or a sum of one
   value. A scale of spikes produces values, so it stays; so does a synapse op with delays, plasticity or transmission.
2. The node is part of no cycle, or `in-loops` is set.
3. Two flattens in a row become one, if the axes that they merge follow each other.

Exactness: the same network, bit for bit, with one exception: the conversion to `ntensor` orders sums of three or more operands by
their surroundings, so a last bit can differ there (`docs/rationale/exactness.md`). With `in-loops` the timing can differ as well:
in a cycle with several entries every spike edge takes a tick, and a removed node takes one edge with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ...core.ir.graph_region import components, sources
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from ._identities import FOLDS, MergeFlattens


def ops_in_cycles(module: ModuleOp) -> set[Operation]:
    """Returns the ops that are part of a cycle. A cycle through a nested graph contains all of its nodes."""
    found: set[Operation] = set()

    def collect(block: Block, is_inside: bool) -> None:
        for part in components(list(block.ops), sources):
            is_cycle = is_inside or len(part) > 1 or part[0] in sources(part[0])
            for op in part:
                found.update([op] if is_cycle else [])
                for region in op.regions:
                    for inner in region.blocks:
                        collect(inner, is_cycle)

    collect(module.body.block, False)
    return found


@dataclass(frozen=True)
class NirFoldIdentitiesPass(NoptPass):
    """Removes identities of every `nir.graph`, nested ones included.

    Options:
        in-loops: also nodes of cycles; default false. It shortens cycles in which every spike edge takes a tick.
    """

    name = "nir-fold-identities"
    in_loops: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        kept = set[Operation]() if self.in_loops else ops_in_cycles(op)  # 2
        folds = [fold(lambda inner: inner not in kept) for fold in (*FOLDS, MergeFlattens)]  # 1, 3
        for graph in [inner for inner in op.ops if isinstance(inner, nir.GraphOp)]:
            PatternRewriteWalker(GreedyRewritePatternApplier([*folds])).rewrite_region(graph.body)

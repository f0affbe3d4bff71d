"""Merges nested sums into one.

    %s = nir.sum %a, %b                =>    %t = nir.sum %a, %b, %c
    %t = nir.sum %s, %c

1. Both sums have values of the same shape.
2. Only the outer sum reads the inner one. Otherwise its additions would be done twice.
3. The outer sum has a user that is not a sum of this kind. A cycle of sums stays.

Exactness: NIR adds the edges of a node in no order, so the network is the same. The conversion to `ntensor` chooses the order by
structure. Where three or more edges meet, it may choose another order than before, and a last bit may differ. A remark reports each
such sum. Two operands have no order. `ntensor-merge-sums` keeps every bit.

Remarks: NRM005 a sum of three or more operands.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriteWalker

from ...core.diagnostics import Code, Diagnostics
from ...core.ir.context import diagnostics_of
from ...core.ir.location_parts import file_of
from ...core.ir.pipeline import NoptPass
from ...dialects import nir
from .ntensor_merge_sums import MergeSums

NRM005 = Code("NRM005", "sum-order-may-change", "the order of a sum may change")


@dataclass(frozen=True)
class NirMergeSumsPass(NoptPass):
    """Merges the sums of every `nir.graph`, nested ones included."""

    name = "nir-merge-sums"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for graph in [inner for inner in op.ops if isinstance(inner, nir.GraphOp)]:
            merge = MergeSums()  # 1, 2, 3
            PatternRewriteWalker(merge).rewrite_region(graph.body)
            for outer in graph.walk():
                if outer in merge.merged and isinstance(outer, nir.SumOp) and len(outer.xs) > 2:
                    remark_order(outer, diagnostics_of(ctx))


def remark_order(outer: nir.SumOp, diagnostics: Diagnostics) -> None:
    """Reports a sum whose order may change."""
    user = next((use.operation for use in outer.y.uses if isinstance(use.operation, nir.NodeOp)), None)
    name = user.node.data if user is not None else None
    file = file_of(outer.location) or "FILE"
    diagnostics.remark(
        NRM005,
        at="nir.sum" + (f' before "{name}"' if name is not None else ""),
        node=name,
        op=outer,
        expected="at most 2 operands, which have no order",
        found=f"{len(outer.xs)} operands",
        help=f"nopt {file} -p 'convert-nir-to-ntensor{{dt-ns=1000000 like=norse}},ntensor-merge-sums'",
    )

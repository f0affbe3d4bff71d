"""Removes the synapses of a `tally.chip` whose weight is 0.

    tally.table "input" -> "hidden/0" {source = [0, 1], target = [0, 0], weight = [3, 0], …}
      =>  tally.table "input" -> "hidden/0" {source = [0], target = [0], weight = [3], …}

Exactness: exact: the removed terms are 0.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from nopt.core.arrays.arrays import ArrayAttr
from nopt.core.ir.pipeline import NoptPass

from ..dialects.tally import TableOp


class DropZeros(RewritePattern):
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TableOp, rewriter: PatternRewriter) -> None:
        is_kept = op.weight.values != 0
        if is_kept.all():
            return
        for name in ("source", "target", "weight"):
            array: ArrayAttr = getattr(op, name)
            op.properties[name] = ArrayAttr.of(array.values[is_kept])
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class TallyDropZerosPass(NoptPass):
    """Removes synapses of weight 0."""

    name = "tally-drop-zeros"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(DropZeros(), apply_recursively=False).rewrite_module(op)

"""Patterns that remove ops whose result equals their operand, on both levels of networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...dialects import nir, ntensor


@dataclass
class FoldPattern(RewritePattern):
    """Base of the patterns: replaces an op by its operand, where `is_removable` holds for the op."""

    is_removable: Callable[[Operation], bool]

    def fold(self, op: Operation, x: SSAValue, rewriter: PatternRewriter) -> None:
        """Replaces the result of `op` by `x`, unless the types differ or the op reads itself."""
        if x.type != op.results[0].type or x.owner is op or not self.is_removable(op):
            return
        rewriter.replace_all_uses_with(op.results[0], x)
        rewriter.erase(op)


class FoldIdentity(FoldPattern):
    """identity(x) => x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.IdentityOp, rewriter: PatternRewriter, /) -> None:
        self.fold(op, op.x, rewriter)


class FoldSameShape(FoldPattern):
    """reshape(x) => x, where the shape stays"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.FlattenOp | ntensor.ReshapeOp, rewriter: PatternRewriter, /) -> None:
        self.fold(op, op.x, rewriter)


class FoldZeroDelay(FoldPattern):
    """delay(x, 0) => x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.DelayOp | ntensor.DelayOp, rewriter: PatternRewriter, /) -> None:
        time = op.delay if isinstance(op, nir.DelayOp) else op.ticks
        if not time.values.any():
            self.fold(op, op.x, rewriter)


class FoldUnitScale(FoldPattern):
    """1 x => x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.ScaleOp | ntensor.ScaleOp, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, nir.ScaleOp) and not op.has_only_weights:
            return
        if (op.scale.values == 1).all():
            self.fold(op, op.x, rewriter)


class FoldSingleSum(FoldPattern):
    """sum(x) => x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.SumOp | ntensor.SumOp, rewriter: PatternRewriter, /) -> None:
        if len(op.xs) == 1:
            self.fold(op, op.xs[0], rewriter)


class MergeReshapes(RewritePattern):
    """reshape(reshape(x)) => reshape(x); the inner reshape is removed if it has no other user."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.ReshapeOp, rewriter: PatternRewriter, /) -> None:
        inner = op.x.owner
        if not isinstance(inner, ntensor.ReshapeOp):
            return
        op.operands[0] = inner.x
        rewriter.notify_op_modified(op)
        if inner.y.first_use is None:
            rewriter.erase(inner)


FOLDS = (FoldIdentity, FoldSameShape, FoldZeroDelay, FoldUnitScale, FoldSingleSum)

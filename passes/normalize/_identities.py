"""Patterns that remove ops whose result equals their operand, or merge two ops into one, on both levels of networks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.values import RuleArray
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir, ntensor
from ._scales import scale_factors


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
        if (scale_factors(op) == 1).all():
            self.fold(op, op.x, rewriter)


class FoldSingleSum(FoldPattern):
    """sum(x) => x"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.SumOp | ntensor.SumOp, rewriter: PatternRewriter, /) -> None:
        if len(op.xs) == 1:
            self.fold(op, op.xs[0], rewriter)


class FoldUnitPool(FoldPattern):
    """pool(x) => x, where the kernel has one element, the stride is 1, and nothing is padded"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.PoolOp | ntensor.PoolOp, rewriter: PatternRewriter, /) -> None:
        if isinstance(op, nir.PoolOp) and not op.has_only_weights:
            return
        kernel = op.kernel_size if isinstance(op, nir.PoolOp) else op.kernel
        if (kernel.values == 1).all() and (op.stride.values == 1).all() and not op.padding.values.any():
            self.fold(op, op.x, rewriter)


FOLDS = (FoldIdentity, FoldSameShape, FoldZeroDelay, FoldUnitScale, FoldUnitPool, FoldSingleSum)


def read_through(op: Operation, inner: Operation, rewriter: PatternRewriter) -> None:
    """Makes `op` read the operand of `inner`, which is removed if it has no other user."""
    op.operands[0] = inner.operands[0]
    rewriter.notify_op_modified(op)
    if inner.results[0].first_use is None:
        rewriter.erase(inner)


class MergeReshapes(RewritePattern):
    """reshape(reshape(x)) => reshape(x)"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.ReshapeOp, rewriter: PatternRewriter, /) -> None:
        if isinstance(inner := op.x.owner, ntensor.ReshapeOp):
            read_through(op, inner, rewriter)


class MergeFlattens(FoldPattern):
    """flatten(flatten(x)) => flatten(x), where the axes that become one follow each other"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.FlattenOp, rewriter: PatternRewriter, /) -> None:
        inner = op.x.owner
        if (
            not isinstance(inner, nir.FlattenOp)
            or inner is op
            or not (self.is_removable(op) and self.is_removable(inner))
        ):
            return
        given, found = shape_of(inner.x), shape_of(op.y)
        merged = len(given) - len(found)
        for start in range(len(found)):
            end = start + merged
            if given[:start] == found[:start] and given[end + 1 :] == found[start + 1 :]:
                op.start_dim, op.end_dim = (ArrayAttr.of(np.asarray(k, np.int64)) for k in (start, end))
                return read_through(op, inner, rewriter)


class MergeDelays(RewritePattern):
    """delay(delay(x, a), b) => delay(x, a + b), where the inner delay has no other user and is part of no node"""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.DelayOp, rewriter: PatternRewriter, /) -> None:
        inner = op.x.owner
        if not isinstance(inner, ntensor.DelayOp) or inner is op or not inner.y.has_one_use():
            return
        if inner.part_of is not None or ntensor.owned_delays(inner):
            return
        ticks = op.ticks.values.astype(np.int64), inner.ticks.values.astype(np.int64)
        if all(delay.max(initial=0) < LARGEST_DELAY for delay in ticks):
            op.ticks = ArrayAttr.of(ticks[0] + ticks[1])
            read_through(op, inner, rewriter)


LARGEST_DELAY = 2**62
"""A sum of two smaller delays is an i64 [ticks]."""


class DropZeroTerms(RewritePattern):
    """sum(x, linear(y, 0)) => sum(x), where integers are added and the linear map has no bias; -0.0 + 0.0 would be another real."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.SumOp, rewriter: PatternRewriter, /) -> None:
        if ntensor.interval_of(element_type(op.y)) is None:
            return
        kept = [x for x in op.xs if not is_zero(x.owner)] or [op.xs[0]]
        dropped = dict.fromkeys(x.owner for x in op.xs if x not in kept)
        if dropped:
            op.operands = kept
            rewriter.notify_op_modified(op)
            for term in dropped:
                if isinstance(term, Operation) and term.results[0].first_use is None:
                    rewriter.erase(term)


def is_zero(op: object) -> bool:
    """Returns whether the result of a synapse op is zero for all operands."""
    if not isinstance(op, ntensor.SynapseOpInterface) or op.weights is None or op.properties.get("plasticity"):
        return False
    bias = op.properties.get("bias")
    arrays = [array.data for array in (op.weights, bias) if isinstance(array, ArrayAttr)]
    return not any(isinstance(data, RuleArray) or data.values.any() for data in arrays)


MERGES = (MergeReshapes, MergeDelays, DropZeroTerms)
"""Patterns of `ntensor` that need no condition."""

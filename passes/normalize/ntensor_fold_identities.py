"""Removes ops whose result equals their operand, and merges reshapes and delays in a row.

    %y = ntensor.reshape "flat" %x : tensor<4xf64> -> tensor<4xf64>    =>    users of %y read %x

1. The op is a reshape that keeps its shape, a delay of 0 ticks, or a scale by 1, a pool of one element or a sum of one operand that keeps its type.
2. No delay is part of the op.
3. A reshape of a reshape reads the operand of the first one. The first one is removed if it has no other user.
4. Two delays in a row become one, if the first one has no other user and is part of no node.
5. Terms of an integer sum whose weights and biases are all zero are dropped; one term stays.

Exactness: bit for bit. Cycles stay computable, since a delay of at least one tick stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker

from ...core.ir.pipeline import NoptPass
from ...dialects import ntensor
from ._identities import FOLDS, MERGES


@dataclass(frozen=True)
class NtensorFoldIdentitiesPass(NoptPass):
    """Removes identities of every `ntensor.network`."""

    name = "ntensor-fold-identities"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        folds = [fold(lambda inner: not ntensor.owned_delays(inner)) for fold in FOLDS]  # 1, 2
        merges = [merge() for merge in MERGES]  # 3, 4, 5
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            PatternRewriteWalker(GreedyRewritePatternApplier([*merges, *folds])).rewrite_region(network.body)

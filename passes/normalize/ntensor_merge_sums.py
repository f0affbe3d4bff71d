"""Merges nested sums into one where the order of the additions stays.

    %s = ntensor.sum %a, %b            =>    %t = ntensor.sum %a, %b, %c
    %t = ntensor.sum %s, %c

1. Both sums have the same type, and only the outer one reads the inner one.
2. The inner sum is the first operand: `(a + b) + c` is what a sum of three computes, from left to right.
3. Or it is the second of two: `c + (a + b)` equals `(a + b) + c` to the last bit.
4. Integers are added without rounding, so the inner sum may be any operand. (An inner sum that would leave its type is refused when it
   runs, see SIM022. A merged one no longer exists.)

Exactness: bit for bit. With `any-order`, 2 and 3 are given up for reals, and the changed nodes are recorded on the network.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriteWalker

from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ._sums import MergeSums


@dataclass(frozen=True)
class NtensorMergeSumsPass(NoptPass):
    """Merges the sums of every `ntensor.network`.

    Options:
        any-order: merge also where the order of additions changes, and record it; default false. It trades last bits for fewer ops.
    """

    name = "ntensor-merge-sums"
    any_order: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            PatternRewriteWalker(MergeSums(keeps_order=True)).rewrite_region(network.body)  # 1 to 4
            if not self.any_order:
                continue
            merge = MergeSums()
            PatternRewriteWalker(merge).rewrite_region(network.body)
            reordered = [outer for outer in reversed(network.body.block.ops) if outer in merge.merged]
            if touched := [name for outer in reordered for name in user_names(outer)]:
                what = "sums merged, which changes the order of additions"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, dict.fromkeys(touched), unit="none"))


def user_names(outer: Operation) -> list[str]:
    """Returns the names of the users of a sum, which has no name of its own."""
    users = [use.operation for use in outer.results[0].uses]
    return [str(getattr(user.properties.get("node"), "data", user.name)) for user in users]

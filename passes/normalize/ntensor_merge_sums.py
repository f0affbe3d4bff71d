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

from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ...core.ir.operation import element_type
from ...core.ir.pipeline import NoptPass, pass_text
from ...dialects import nir, ntensor


@dataclass
class MergeSums(RewritePattern):
    """sum(sum(a, b), c) => sum(a, b, c), the whole tree of sums at once.

    With `keeps_order` only where the additions stay in their order: the inner sum is the first operand, or the second of two, since
    c + (a + b) equals (a + b) + c. Integers are added without rounding, so their order is free.
    """

    keeps_order: bool = False
    merged: dict[Operation, None] = field(default_factory=dict[Operation, None])
    """The sums that took in others."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: nir.SumOp | ntensor.SumOp, rewriter: PatternRewriter, /) -> None:
        if self.find_outer(op) is not None:
            return
        terms: list[SSAValue] = []
        inner_sums: list[Operation] = []
        work = self.order_operands(op)[::-1]
        while work:
            x = work.pop()
            if isinstance(inner := x.owner, nir.SumOp | ntensor.SumOp) and self.find_outer(inner) is not None:
                inner_sums.append(inner)
                work += self.order_operands(inner)[::-1]
            else:
                terms.append(x)
        if not inner_sums:
            return
        op.operands = terms
        rewriter.notify_op_modified(op)
        for inner in inner_sums:  # each after its only user
            rewriter.erase(inner)
        self.merged[op] = None

    def find_outer(self, inner: nir.SumOp | ntensor.SumOp) -> nir.SumOp | ntensor.SumOp | None:
        """Returns the sum that can take in `inner`: its only user, of the same type."""
        use = inner.y.get_unique_use()
        if use is None or not isinstance(outer := use.operation, nir.SumOp | ntensor.SumOp):
            return None
        if outer.y.type != inner.y.type:
            return None
        is_free = not self.keeps_order or isinstance(element_type(outer.y), IntegerType)
        return outer if is_free or use.index == 0 or self.is_swapped(outer) else None

    def is_swapped(self, op: nir.SumOp | ntensor.SumOp) -> bool:
        """Returns whether the second of two operands is a sum to take in, and the first is not."""
        if len(op.xs) != 2:
            return False
        first, second = (
            isinstance(x.owner, nir.SumOp | ntensor.SumOp) and x.type == op.y.type and x.has_one_use() for x in op.xs
        )
        return second and not first

    def order_operands(self, op: nir.SumOp | ntensor.SumOp) -> list[SSAValue]:
        """Returns the operands of a sum in their order of addition."""
        xs = list(op.xs)
        return xs[::-1] if self.keeps_order and self.is_swapped(op) else xs


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
    """Returns the names of the users of an unnamed sum."""
    users = [use.operation for use in outer.results[0].uses]
    return [str(getattr(user.properties.get("node"), "data", user.name)) for user in users]

"""The pattern that merges nested sums, on both levels of networks."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from ...core.ir.operation import element_type
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
        """Returns the operands in the order in which they are added."""
        xs = list(op.xs)
        return xs[::-1] if self.keeps_order and self.is_swapped(op) else xs

"""Makes one sum of sums of sums, where the order of the additions stays.

    %s = ntensor.sum %a, %b            =>    %t = ntensor.sum %a, %b, %c
    %t = ntensor.sum %s, %c

1. Both sums give the same type, and only the outer one reads the inner one.
2. The inner sum is the first operand: `(a + b) + c` is what a sum of three computes, from left to right.
3. Or it is the second of two: `c + (a + b)` is `(a + b) + c` to the last bit.
4. Integers are added without rounding, so there the inner sum may stand anywhere. (An inner sum that would leave its type is refused
   when it runs, see RUN006; merged, it is no longer there.)

Exactness: bit for bit. With `any-order`, 2 and 3 are given up for reals, and what that touches is recorded on the network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...core.operation import element_type
from ...core.pipeline import NoptPass, pass_text
from ...dialects import ntensor

Inner = Callable[[SSAValue], ntensor.SumOp | None]


def inner_sum(outer: ntensor.SumOp) -> Inner:
    """What tells of an operand whether it is a sum that can become a part of `outer`."""

    def found(x: SSAValue) -> ntensor.SumOp | None:
        is_inner = isinstance(x.owner, ntensor.SumOp) and x.type == outer.y.type and x.has_one_use()  # 1
        return x.owner if is_inner and isinstance(x.owner, ntensor.SumOp) else None

    return found


def in_order(outer: ntensor.SumOp, inner: Inner) -> tuple[list[SSAValue], list[ntensor.SumOp]]:
    """All that a sum adds in the end and the sums that this merges, each after its reader; no addition changes its place."""
    merged: list[ntensor.SumOp] = []
    later: list[SSAValue] = []
    """What is added after the first operands, last first."""
    xs = list(outer.xs)
    while True:
        if len(xs) == 2 and inner(xs[0]) is None and inner(xs[1]) is not None:  # 3
            xs.reverse()
        if (first := inner(xs[0])) is None:  # 2
            return [*xs, *reversed(later)], merged
        merged.append(first)
        later += reversed(xs[1:])
        xs = list(first.xs)


def in_any_order(outer: ntensor.SumOp, inner: Inner) -> tuple[list[SSAValue], list[ntensor.SumOp]]:
    """As `in_order`, wherever an inner sum stands."""
    merged: list[ntensor.SumOp] = []
    xs: list[SSAValue] = []
    work = list(outer.xs)[::-1]
    while work:
        x = work.pop()
        if (found := inner(x)) is None:
            xs.append(x)
        else:
            merged.append(found)
            work += list(found.xs)[::-1]
    return xs, merged


@dataclass(frozen=True)
class NtensorMergeSumsPass(NoptPass):
    """Merges the sums of every `ntensor.network`.

    Options:
        any-order: merge also where the order of additions changes, and record it; default false. Fewer ops for the last bits.
    """

    name = "ntensor-merge-sums"
    any_order: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            touched: list[str] = []
            for outer in reversed([inner for inner in network.body.block.ops if isinstance(inner, ntensor.SumOp)]):
                if outer.parent is None:
                    continue
                merge(outer, in_any_order if isinstance(element_type(outer.y), IntegerType) else in_order)  # 4
                if self.any_order and merge(outer, in_any_order):
                    touched += readers(outer)
            if touched:
                what = "sums merged, which changes the order of additions"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, dict.fromkeys(touched), unit="none"))


def merge(
    outer: ntensor.SumOp, way: Callable[[ntensor.SumOp, Inner], tuple[list[SSAValue], list[ntensor.SumOp]]]
) -> bool:
    xs, merged = way(outer, inner_sum(outer))
    if merged:
        outer.operands = xs
        for inner in merged:
            Rewriter.erase_op(inner)
    return bool(merged)


def readers(outer: ntensor.SumOp) -> list[str]:
    """The names of what reads a sum; itself it has none."""
    found: list[Operation] = [use.operation for use in outer.y.uses]
    return [str(getattr(op.properties.get("node"), "data", op.name)) for op in found]

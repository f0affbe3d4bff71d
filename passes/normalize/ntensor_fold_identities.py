"""Removes ops that pass on what they read, and makes one reshape of two in a row.

    %y = ntensor.reshape "flat" %x : tensor<4xf64> -> tensor<4xf64>    =>    readers of %y read %x

1. What is passed on: a reshape that keeps its shape; a delay of no tick; a scale by 1 and a sum of one, where the type stays.
2. No delay is part of the op: it would be part of nothing.
3. A reshape of a reshape reads what the first one reads. The first goes if nothing else reads it.

Exactness: bit for bit. Loops stay computable: what breaks them is a delay of at least one tick, which stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...core.pipeline import NoptPass
from ...dialects import ntensor
from .rules.owned import owns_delay


def passed_on(op: Operation) -> SSAValue | None:
    """The operand of an op that gives nothing else."""
    match op:
        case ntensor.ReshapeOp() if op.x.type == op.y.type:
            return op.x
        case ntensor.DelayOp() if not op.ticks.values.any():
            return op.x
        case ntensor.ScaleOp() if op.x.type == op.y.type and (op.scale.values == 1).all():
            return op.x
        case ntensor.SumOp() if len(op.xs) == 1 and op.xs[0].type == op.y.type:
            return op.xs[0]
        case _:
            return None


@dataclass(frozen=True)
class NtensorFoldIdentitiesPass(NoptPass):
    """Removes identities of every `ntensor.network`."""

    name = "ntensor-fold-identities"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in [inner for inner in op.ops if isinstance(inner, ntensor.NetworkOp)]:
            ops = list(network.body.block.ops)
            for inner in ops:
                fold_reshape(inner)
            for inner in ops:
                if inner.parent is None or owns_delay(inner):  # 2
                    continue
                if (x := passed_on(inner)) is not None:  # 1
                    inner.results[0].replace_all_uses_with(x)
                    Rewriter.erase_op(inner)


def fold_reshape(op: Operation) -> None:
    while isinstance(op, ntensor.ReshapeOp) and isinstance(first := op.x.owner, ntensor.ReshapeOp):  # 3
        op.operands[0] = first.x
        if first.y.first_use is None:
            Rewriter.erase_op(first)

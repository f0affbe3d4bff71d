"""Chains of two ops with synapses in a row, which one list of synapses with the same sums can replace."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TypeGuard

from xdsl.ir import Operation

from ..core.arrays.arrays import dtype_of
from ..core.ir.operation import element_type
from ..dialects import ntensor
from .node_selection import name_of


def adds_reals(op: Operation | None, *, is_last: bool) -> TypeGuard[ntensor.SynapseOpInterface]:
    """Returns whether an op may be the first, or the last, of two that are merged."""  # 1
    if (
        not isinstance(op, ntensor.SynapseOpInterface)
        or op.learning_rule is not None
        or op.quantized_weights is not None
    ):
        return False
    real = dtype_of(element_type(op.y))
    is_real = real is not None and real.kind == "f" and op.optional_array("exponent") is None
    bias = op.optional_array("bias")
    return is_real and (is_last or bias is None or not bias.values.any()) and not (is_last and op.weights is None)


def is_first(op: Operation | None, nodes: Collection[str] = ()) -> TypeGuard[ntensor.SynapseOpInterface]:
    """Returns whether an op may be the first of two that are merged, and is one of the given nodes if there are some."""
    return adds_reals(op, is_last=False) and (not nodes or name_of(op) in nodes)


def is_last(op: Operation | None) -> TypeGuard[ntensor.SynapseOpInterface]:
    """Returns whether an op may be the last of two that are merged."""
    return adds_reals(op, is_last=True)


def op_before(op: ntensor.SynapseOpInterface) -> ntensor.SynapseOpInterface | None:
    """Returns the op with synapses that an op reads through reshapes."""
    before = op.x.owner
    while isinstance(before, ntensor.ReshapeOp):
        before = before.x.owner
    return before if isinstance(before, ntensor.SynapseOpInterface) else None


def chain_starts(ops: Iterable[Operation]) -> list[ntensor.SynapseOpInterface]:
    """Returns the first ops of the chains of two ops with synapses, of which the first repeats events or has a list of synapses of its own."""
    kinds = ntensor.Upsample2dOp | ntensor.SparseLinearOp | ntensor.ConvTranspose2dOp
    pairs = [(op_before(op), op) for op in ops if isinstance(op, ntensor.SynapseOpInterface)]
    firsts = [
        first
        for first, last in pairs
        if isinstance(first, kinds) and is_first(first) and not isinstance(last, ntensor.ScaleOp) and is_last(last)
    ]
    return list(dict.fromkeys(firsts))

"""Memory accesses of a stage, as the measure of its work."""

from __future__ import annotations

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, SSAValue

from ....dialects import kernels


def accesses_of(stage: kernels.StageOp) -> int:
    """Returns an upper bound of the loads and stores of a sample in a tick."""
    return stage.elements * accesses_in(stage.body.block, stage.elements)


def accesses_in(block: Block, elements: int) -> int:
    """Returns an upper bound of the accesses of one element in a block; of compressed rows, the mean of the elements."""
    count = 0
    for op in block.ops:
        inside = sum(accesses_in(inner, elements) for region in op.regions for inner in region.blocks)
        if isinstance(op, scf.ForOp):
            inside *= passes_of(op, elements)
        count += inside + isinstance(op, kernels.LoadOp | kernels.StoreOp)
    return count


def passes_of(op: scf.ForOp, elements: int) -> int:
    """Returns how often the body of a loop runs: at most as often as the memory that it visits has entries."""
    low, high, step = (constant_of(value) for value in (op.lb, op.ub, op.step))
    if low is not None and high is not None and step:
        return max(0, -(-(high - low) // step))
    entries = max((entries_of(load) for load in op.body.block.ops if is_visit(load, op.body.block.args[0])), default=1)
    is_row = low is None  # the rows of all elements share one list
    return -(-entries // elements) if is_row else entries


def constant_of(value: SSAValue) -> int | None:
    match value.owner:
        case arith.ConstantOp(value=IntegerAttr() as number):
            return number.value.data
        case _:
            return None


def is_visit(op: object, at: SSAValue) -> bool:
    return isinstance(op, kernels.LoadOp) and op.index is at


def entries_of(load: object) -> int:
    assert isinstance(load, kernels.LoadOp)  # a visit
    return kernels.buffer_of(load.memory).entries

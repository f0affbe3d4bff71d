"""Copies of ops with their regions: those of `Operation.clone` of xDSL, in a third of its time.

xDSL creates each op by its general constructor, which verifies that the parts of an op belong to no other op, and sets the operands twice.
A copy consists of new parts alone. Its types, attributes and locations are immutable, and shared with the original.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

from typing import TypeVar

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues, Use

Op = TypeVar("Op", bound=Operation)
Pairs = list[tuple[Operation, Operation]]
"""Each op with its copy, an op before those in it."""


def copy_op(op: Op) -> Op:
    """Returns a copy of an op with all ops in it. It reads the values of the original that are defined outside."""
    values: dict[SSAValue, SSAValue] = {}
    blocks: dict[Block, Block] = {}
    pairs: Pairs = []
    copy = copy_without_operands(op, values, blocks, pairs)
    for old, new in pairs:  # a value may be read before it is defined
        if old._operands:
            operands = SSAValues(values.get(x, x) for x in old._operands)
            uses = tuple(Use(new, k) for k in range(len(operands)))
            for x, use in zip(operands, uses, strict=True):
                x.add_use(use)
            new._operands, new._operand_uses = operands, uses
        if old._successors:
            new.successors = [blocks.get(block, block) for block in old._successors]
    return copy


def copy_without_operands(op: Op, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block], pairs: Pairs) -> Op:
    """Returns a copy of an op, and collects its values, blocks and ops."""
    copy = type(op).__new__(type(op))
    pairs.append((op, copy))
    copy.properties, copy.attributes = op.properties.copy(), op.attributes.copy()
    copy.location = op.location
    results: list[OpResult] = []
    for result in op.results:
        values[result] = again = OpResult(result.type, copy, result.index)
        again._name = result._name
        results.append(again)
    copy.results = SSAValues(results)
    regions: list[Region] = []
    for region in op.regions:
        regions.append(again := copy_region(region, values, blocks, pairs))
        again.parent = copy
    copy.regions = tuple(regions)
    return copy


def copy_region(region: Region, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block], pairs: Pairs) -> Region:
    """Returns a copy of a region, whose ops have no operands yet."""
    copies: list[Block] = []
    for block in region.blocks:
        blocks[block] = copy = Block(arg_types=block.arg_types)
        for arg, again in zip(block.args, copy.args, strict=True):
            again.location, again._name = arg.location, arg._name
            values[arg] = again
        last: Operation | None = None
        op = block._first_op
        while op is not None:
            new = copy_without_operands(op, values, blocks, pairs)
            new.parent = copy
            if last is None:
                copy._first_op = new
            else:
                new._prev_op, last._next_op = last, new
            last, op = new, op._next_op
        copy._last_op = last
        copies.append(copy)
    return Region(copies)

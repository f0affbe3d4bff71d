"""Copies of ops, which `source.py` puts in place of xDSL's own `Operation.clone`, which visits every op three times.

The copy is the same: values, names, locations, and the order of uses. Operands are set last, since ops of a graph may read values that are defined later.
Defaults of properties and attributes are not filled in again, since the op has them from its creation.
"""

from __future__ import annotations

from typing import TypeVar

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue
from xdsl.ir.core import SSAValues

AnyOperation = TypeVar("AnyOperation", bound=Operation)
AnyValue = TypeVar("AnyValue", bound=SSAValue)


class Copy:
    """A copy of an op in progress."""

    def __init__(self, values: dict[SSAValue, SSAValue], blocks: dict[Block, Block], has_names: bool):
        self.values, self.blocks, self.has_names = values, blocks, has_names
        self.pairs: list[tuple[Operation, Operation]] = []
        """The ops and their copies, in the order of a walk."""

    def op(self, op: AnyOperation) -> AnyOperation:
        """Returns a copy of an op and of the ops in it, without operands and successors."""
        found: AnyOperation = object.__new__(type(op))
        self.pairs.append((op, found))
        if op.results:
            found.results = SSAValues(
                [self.keep(value, OpResult(value.type, found, value.index)) for value in op.results]
            )
        found.properties, found.attributes = op.properties.copy(), op.attributes.copy()
        found.location = op.location
        for region in op.regions:
            found.add_region(self.region(region))
        return found

    def region(self, region: Region) -> Region:
        """Returns a copy of a region."""
        blocks = [(block, Block(arg_types=block.arg_types)) for block in region.blocks]
        self.blocks.update(blocks)
        for block, copy in blocks:
            for value, arg in zip(block.args, copy.args, strict=True):
                self.keep(value, arg).location = value.location
            for op in block.ops:
                copy.add_op(self.op(op))
        return Region(copy for _, copy in blocks)

    def keep(self, value: SSAValue, copy: AnyValue) -> AnyValue:
        self.values[value] = copy
        if self.has_names and (name := value.name_hint) is not None:
            copy.name_hint = name
        return copy

    def connect(self) -> None:
        """Sets the operands of the copies."""
        get = self.values.get
        for op, copy in self.pairs:
            if operands := [get(value, value) for value in op.operands]:
                copy.operands = operands


def copy_op(
    self: AnyOperation,
    value_mapper: dict[SSAValue, SSAValue] | None = None,
    block_mapper: dict[Block, Block] | None = None,
    *,
    clone_name_hints: bool = True,
    clone_operands: bool = True,
) -> AnyOperation:
    """Returns a copy of an op and of the ops in it. Copies of values and blocks are added to the dictionaries."""
    values: dict[SSAValue, SSAValue] = {} if value_mapper is None else value_mapper
    blocks: dict[Block, Block] = {} if block_mapper is None else block_mapper
    copy = Copy(values, blocks, clone_name_hints)
    found = copy.op(self)
    if clone_operands:
        copy.connect()
    for op, other in copy.pairs:
        if op.next_op is None and (successors := op.successors):  # only the last op of a block has some
            other.successors = [blocks.get(block, block) for block in successors]
    return found

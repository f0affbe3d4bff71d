"""Copies of the bodies of stages: a subclass copies the ops, and chooses the values that loops and tests carry on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import kernels
from .bodies import INDEX, Builder


class BodyCopier(ABC):
    """Copies the ops of stages. `values`: the copy of each value that is one value in the copy, too."""

    def __init__(self) -> None:
        self.values: dict[SSAValue, SSAValue] = {}

    @abstractmethod
    def add(self, op: Operation, b: Builder) -> None:
        """Adds the copy of an op."""

    @abstractmethod
    def carried(self, b: Builder, values: Sequence[SSAValue], types: Sequence[Attribute]) -> list[SSAValue]:
        """Returns the copies of values that a block carries on as values of `types`."""

    def bind(self, values: Sequence[SSAValue], copies: Sequence[SSAValue]) -> None:
        """Sets values from those that `carried` returned for them."""
        self.values.update(zip(values, copies, strict=True))

    def result_types(self, op: scf.IfOp) -> list[Attribute]:
        """Returns the types of the results of a test whose bodies are copied."""
        return [x.type for x in op.results]

    def at(self, x: SSAValue) -> SSAValue:
        """Returns the copy of a value."""
        return self.values.get(x, x)

    def stage(self, stage: kernels.StageOp) -> kernels.StageOp:
        """Returns the copy of a stage."""
        block, old = Block(arg_types=[INDEX]), stage.body.block
        self.values = {old.args[0]: block.args[0]}
        self.copy(old, Builder(block))
        return kernels.StageOp(stage.elements, block, stage.phase_data)

    def copy(self, block: Block, b: Builder) -> None:
        """Adds the ops of a block except its terminator."""
        for op in block.ops:
            match op:
                case scf.YieldOp():
                    pass
                case scf.ForOp():
                    self.loop(op, b)
                case scf.IfOp():
                    self.test(op, b)
                case _:
                    self.add(op, b)

    def clone(self, op: Operation, b: Builder) -> None:
        """Adds the same op with the copies of its operands."""
        copy = op.clone({x: self.at(x) for x in op.operands})
        b.block.add_op(copy)
        self.values.update(zip(op.results, copy.results, strict=True))

    def loop(self, op: scf.ForOp, b: Builder) -> None:
        block, types = op.body.block, [x.type for x in op.results]
        start = self.carried(b, op.iter_args, types)
        inner = Block(arg_types=[INDEX, *(x.type for x in start)])
        self.values[block.args[0]] = inner.args[0]
        self.bind(block.args[1:], inner.args[1:])
        at = Builder(inner)
        self.copy(block, at)
        at.block.add_op(scf.YieldOp(*self.carried(at, yielded(block), types)))
        made = scf.ForOp(self.at(op.lb), self.at(op.ub), self.at(op.step), start, Region(inner))
        b.block.add_op(made)
        self.bind(op.results, made.results)

    def test(self, op: scf.IfOp, b: Builder) -> None:
        copies: list[tuple[Block, Block]] = []
        for region in (op.true_region, op.false_region):
            if region.blocks:
                inner = Block()
                self.copy(region.block, Builder(inner))
                copies.append((region.block, inner))
        types, results = self.result_types(op), list[Attribute]()
        for block, inner in copies:
            after = self.carried(Builder(inner), yielded(block), types)
            inner.add_op(scf.YieldOp(*after))
            results = [x.type for x in after]
        regions = [Region(inner) for _, inner in copies]
        made = scf.IfOp(self.at(op.cond), results, regions[0], regions[1] if len(regions) > 1 else None)
        b.block.add_op(made)
        self.bind(op.results, made.results)


def yielded(block: Block) -> Sequence[SSAValue]:
    """Returns the values that a body carries on."""
    last = block.last_op
    return () if last is None else last.operands

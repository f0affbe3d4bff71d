"""Bodies of stages under construction: indices, loops, tests and memory, in the ops of MLIR."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from ....dialects import fixed, kernels
from ....dialects.c import is_real

INDEX = IndexType()


class Builder:
    """Appends ops to a block. Constants of indices are folded while they are built."""

    def __init__(self, block: Block):
        self.block = block

    def add(self, op: Operation) -> Any:
        """Adds an op and returns its first result."""
        self.block.add_op(op)
        return op.results[0] if op.results else None

    # ---- indices

    def index(self, value: int | SSAValue) -> SSAValue:
        """Returns a number as an index."""
        return self.add(arith.ConstantOp(IntegerAttr(value, INDEX))) if isinstance(value, int) else value

    def plus(self, a: int | SSAValue, b: int | SSAValue) -> int | SSAValue:
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if isinstance(a, int) and a == 0:
            return b
        if isinstance(b, int) and b == 0:
            return a
        return self.add(arith.AddiOp(self.index(a), self.index(b)))

    def minus(self, a: int | SSAValue, b: int | SSAValue) -> int | SSAValue:
        if isinstance(b, int) and b == 0:
            return a
        return self.add(arith.SubiOp(self.index(a), self.index(b)))

    def times(self, a: int | SSAValue, b: int | SSAValue) -> int | SSAValue:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if 0 in (a if isinstance(a, int) else 1, b if isinstance(b, int) else 1):
            return 0
        if isinstance(a, int) and a == 1:
            return b
        if isinstance(b, int) and b == 1:
            return a
        return self.add(arith.MuliOp(self.index(a), self.index(b)))

    def over(self, a: int | SSAValue, b: int) -> int | SSAValue:
        """Returns the quotient of indices, rounded down."""
        if isinstance(a, int):
            return a // b
        return a if b == 1 else self.add(arith.DivUIOp(a, self.index(b)))

    def modulo(self, a: int | SSAValue, b: int) -> int | SSAValue:
        if isinstance(a, int):
            return a % b
        return 0 if b == 1 else self.add(arith.RemUIOp(a, self.index(b)))

    def is_below(self, a: int | SSAValue, b: int | SSAValue) -> SSAValue:
        return self.add(arith.CmpiOp(self.index(a), self.index(b), "ult"))

    # ---- values

    def both(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.add(arith.AndIOp(a, b))

    def zero(self, type: Attribute) -> SSAValue:
        return self.number(0, type)

    def number(self, value: float, type: Attribute) -> SSAValue:
        """Returns a constant of a real type, an interval, `i1` or `i32`."""
        if isinstance(type, fixed.IntType):
            return self.widened(self.add(fixed.ConstantOp(int(value))), type)
        if type in (i1, i32):
            return self.add(arith.ConstantOp(IntegerAttr(int(value), i1 if type == i1 else i32)))
        real: Any = type
        return self.add(arith.ConstantOp(FloatAttr(float(value), real)))

    def widened(self, x: SSAValue, type: Attribute) -> SSAValue:
        """Returns the same integer in another interval, which holds it as the network was analysed."""
        assert isinstance(type, fixed.IntType)  # integers have interval types
        return x if x.type == type else self.add(kernels.AssumeOp(x, type))

    def is_nonzero(self, x: SSAValue) -> SSAValue:
        if x.type == i1:
            return x
        if isinstance(x.type, fixed.IntType):
            return self.add(fixed.CmpOp(x, self.add(fixed.ConstantOp(0)), fixed.Relation.NE))
        if is_real(x.type):
            return self.add(arith.CmpfOp(x, self.zero(x.type), "une"))
        return self.add(arith.CmpiOp(x, self.zero(x.type), "ne"))

    # ---- memory

    def load(self, memory: SSAValue, index: int | SSAValue, type: Attribute) -> SSAValue:
        return self.add(kernels.LoadOp(memory, self.index(index), type))

    def store(self, value: SSAValue, memory: SSAValue, index: int | SSAValue) -> None:
        self.block.add_op(kernels.StoreOp(value, memory, self.index(index)))

    # ---- control

    def loop(
        self,
        low: int | SSAValue,
        high: int | SSAValue,
        carried: Sequence[SSAValue],
        body: Callable[[Builder, SSAValue, list[SSAValue]], Sequence[SSAValue]],
    ) -> list[SSAValue]:
        """Adds a loop over `low <= i < high`; the body returns the values that it carries on."""
        if isinstance(low, int) and isinstance(high, int) and high - low == 1:
            return list(body(self, self.index(low), list(carried)))
        block = Block(arg_types=[INDEX, *(value.type for value in carried)])
        inner = Builder(block)
        block.add_op(scf.YieldOp(*body(inner, block.args[0], list(block.args[1:]))))
        op = scf.ForOp(self.index(low), self.index(high), self.index(1), list(carried), Region(block))
        self.block.add_op(op)
        return list(op.results)

    def when(
        self, test: SSAValue, otherwise: Sequence[SSAValue], body: Callable[[Builder], Sequence[SSAValue]]
    ) -> list[SSAValue]:
        """Adds a test; the results are those of the body if it holds, else `otherwise`."""
        yes, no = Block(), Block()
        yes.add_op(scf.YieldOp(*body(Builder(yes))))
        no.add_op(scf.YieldOp(*otherwise))
        op = scf.IfOp(test, [value.type for value in otherwise], Region(yes), Region(no) if otherwise else None)
        self.block.add_op(op)
        return list(op.results)

    def inline(self, body: Block, arguments: Mapping[SSAValue, SSAValue]) -> list[SSAValue]:
        """Copies the ops of a block except its last; returns the operands of the last in the copy."""
        known = dict(arguments)
        last = body.last_op
        assert last is not None  # verified: bodies end in a terminator
        for op in body.ops:
            if op is last:
                break
            copy = op.clone(known)
            known.update(zip(op.results, copy.results, strict=True))
            self.block.add_op(copy)
        return [known.get(x, x) for x in last.operands]


def stage(size: int, body: Callable[[Builder, SSAValue], None]) -> kernels.StageOp:
    """Returns a stage over `size` elements; `body` adds the ops for one element."""
    block = Block(arg_types=[INDEX])
    body(Builder(block), block.args[0])
    return kernels.StageOp(size, block)

"""Ops in the bodies of kernels other than those of arith, math, scf and fixed: memory, the tick, and facts about values."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType, i1, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import base, eq, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure

from ...core.fixed_point import Interval
from ...core.ir.operation import NoptOperation
from ..c import element_of_memory, is_real
from ..fixed import IntType
from .memory import Kind, buffer_of, inconsistent

INT32 = Interval.signed(32)


def is_computed(element: Attribute, scalar: Attribute) -> bool:
    """Returns whether memory of a type is read as a value of a type: integers become integers, words, truth values, indices or reals."""
    if isinstance(element, IntegerType):
        is_whole = isinstance(scalar, IntType | IndexType) or scalar in (i1, i32)
        return is_whole or scalar == element or is_real(scalar)
    return is_real(element) and is_real(scalar)


@irdl_op_definition
class LoadOp(NoptOperation):
    """Element of a buffer, of the sample of the invocation, in the type of the computation.

    In split storage, the index counts words of 32 bits: the lower word of element `k` is at `2 k`.
    Errors: KRN001 a type that memory of this type does not become.
    """

    name = "kernels.load"
    memory = operand_def(base(MemRefType))
    index = operand_def(IndexType())
    value = result_def()
    assembly_format = "$memory `[` $index `]` attr-dict `:` type($memory) `->` type($value)"

    def __init__(self, memory: SSAValue, index: SSAValue, type: Attribute):
        super().__init__(operands=[memory, index], result_types=[type])

    def verify_(self) -> None:
        if not is_computed(element_of_memory(self.memory), self.value.type):
            inconsistent(self, "a load converts to another kind of number", str(self.memory.type), str(self.value.type))


@irdl_op_definition
class StoreOp(NoptOperation):
    """Assignment to an element of a buffer, of the sample of the invocation. A truth value is stored as 0 or 1.

    In split storage, the index counts words of 32 bits, as in `kernels.load`.
    Errors: KRN001 a constant or an input, or a type that this memory cannot store.
    """

    name = "kernels.store"
    value = operand_def()
    memory = operand_def(base(MemRefType))
    index = operand_def(IndexType())
    assembly_format = "$value `,` $memory `[` $index `]` attr-dict `:` type($value) `,` type($memory)"

    def __init__(self, value: SSAValue, memory: SSAValue, index: SSAValue):
        super().__init__(operands=[value, memory, index])

    def verify_(self) -> None:
        kind = buffer_of(self.memory).kind.data
        if kind in (Kind.CONSTANT, Kind.INPUT):
            inconsistent(self, "a kernel writes memory that it only reads", "a state, scratch or output", str(kind))
        element, type = element_of_memory(self.memory), self.value.type
        fits = is_real(type) == is_real(element) and not isinstance(type, IndexType)
        if not fits:
            inconsistent(self, "a store converts to another kind of number", str(self.memory.type), str(type))


@irdl_op_definition
class TickOp(NoptOperation):
    """Number of ticks before this one since the start of the sample."""

    name = "kernels.tick"
    tick = result_def(IndexType())
    traits = traits_def(Pure())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[IndexType()])


@irdl_op_definition
class AssumeOp(NoptOperation):
    """The same integer, in the interval that an analysis of the network proved."""

    name = "kernels.assume"
    x = operand_def(base(IntType))
    y = result_def(base(IntType))
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"

    def __init__(self, x: SSAValue, type: IntType):
        super().__init__(operands=[x], result_types=[type])


@irdl_op_definition
class WordOp(NoptOperation):
    """The lower 32 bits of an integer as a word: `x` modulo 2^32."""

    name = "kernels.word"
    x = operand_def(base(IntType))
    y = result_def(eq(i32))
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x)"

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[i32])


@irdl_op_definition
class IntegerOp(NoptOperation):
    """The integer of 32 bits, in two's complement, that a word holds; it lies in the interval of the result.

    Errors: KRN001 an interval beyond 32 bits.
    """

    name = "kernels.integer"
    x = operand_def(eq(i32))
    y = result_def(base(IntType))
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($y)"

    def __init__(self, x: SSAValue, type: IntType):
        super().__init__(operands=[x], result_types=[type])

    def verify_(self) -> None:
        type = self.y.type
        if isinstance(type, IntType) and not INT32.holds(type.interval):
            inconsistent(self, "a word does not hold every integer of an interval", f"within {INT32}", str(type))

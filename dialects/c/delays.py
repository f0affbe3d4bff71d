"""Delays of a C program: ring buffers of past rows with a cursor."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, MemRefType, UnitAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import ParsePropInAttrDict, base, irdl_op_definition, operand_def, opt_prop_def, prop_def

from ...core.ir.operation import NoptOperation
from .memory import inconsistent, length_of, memory_shape


@irdl_op_definition
class GatherOp(NoptOperation):
    """Delayed read from a ring whose cursor is at this tick: `y[e] = x[e] of ticks[e] ticks ago`. Shapes: ring [rows, *y], ticks as y."""

    name = "c.gather"
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
    ring = operand_def(base(MemRefType))
    cursor = operand_def(base(MemRefType))
    ticks = operand_def(base(MemRefType))
    y = operand_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$ring `at` $cursor `,` $ticks `->` $y attr-dict `:`"
        " type($ring) `,` type($cursor) `,` type($ticks) `->` type($y)"
    )

    def __init__(self, ring: SSAValue, cursor: SSAValue, ticks: SSAValue, y: SSAValue):
        super().__init__(operands=[ring, cursor, ticks, y])

    def verify_(self) -> None:
        if memory_shape(self.ring)[1:] != memory_shape(self.y) or length_of(self.ticks) != length_of(self.y):
            inconsistent(
                self, "a gather does not match its ring", str(memory_shape(self.ring)), str(memory_shape(self.y))
            )


@irdl_op_definition
class PastOp(NoptOperation):
    """Shift of the spike history: bit d of `bits[e]` is 1 if x[e] was a spike d ticks ago. Shapes: bits as x, of unsigned integers."""

    name = "c.past"
    is_split = opt_prop_def(UnitAttr, prop_name="split")
    """Each thread computes a part of the elements that it writes."""
    x = operand_def(base(MemRefType))
    bits = operand_def(base(MemRefType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$x `->` $bits attr-dict `:` type($x) `->` type($bits)"

    def __init__(self, x: SSAValue, bits: SSAValue):
        super().__init__(operands=[x, bits])

    def verify_(self) -> None:
        if length_of(self.x) != length_of(self.bits):
            inconsistent(self, "a past does not match its neurons", str(length_of(self.x)), str(length_of(self.bits)))


@irdl_op_definition
class AdvanceOp(NoptOperation):
    """Advance of a cursor by one, modulo `rows`. Shapes: cursor [1]."""

    name = "c.advance"
    cursor = operand_def(base(MemRefType))
    rows = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$cursor attr-dict `:` type($cursor)"

    def __init__(self, cursor: SSAValue, rows: int):
        super().__init__(operands=[cursor], properties={"rows": IntegerAttr(rows, i64)})

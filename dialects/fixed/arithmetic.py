"""Arithmetic of the fixed dialect."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects import math as mathd
from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import eq, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from ...core.diagnostics import Code
from ...core.fixed_point import EXACT_IN_F64, Interval, Rounding
from ...core.ir.operation import NoptOperation
from ._bases import (
    FIX002,
    FLOAT,
    INTEGER,
    BinaryOp,
    FixedOperation,
    IntType,
    NarrowingOp,
    Relation,
    RelationAttr,
    RoundingAttr,
    ShiftOp,
    UnaryOp,
    interval_of,
)

FIX003 = Code("FIX003", "divisor-may-be-zero", "a divisor may be 0")
FIX005 = Code(
    "FIX005", "interval-exceeds-f64", "a real is converted to an interval that f64 does not represent exactly"
)


# ---- ops


@irdl_op_definition
class ConstantOp(FixedOperation):
    """A constant; its interval contains only its value."""

    name = "fixed.constant"
    value = prop_def(IntegerAttr.constr(i64))
    y = result_def(INTEGER)
    assembly_format = "$value attr-dict `:` type($y)"

    def __init__(self, value: int):
        super().__init__(properties={"value": IntegerAttr(value, i64)}, result_types=[IntType(value, value)])

    def infer(self, *operands: Interval) -> Interval:
        return Interval(self.value.value.data, self.value.value.data)


@irdl_op_definition
class AddOp(BinaryOp):
    """Sum: `y = a + b`."""

    name = "fixed.add"
    INFER = Interval.__add__


@irdl_op_definition
class SubOp(BinaryOp):
    """Difference: `y = a - b`."""

    name = "fixed.sub"
    INFER = Interval.__sub__


@irdl_op_definition
class MulOp(BinaryOp):
    """Product: `y = a b`."""

    name = "fixed.mul"
    INFER = Interval.__mul__


@irdl_op_definition
class NegOp(UnaryOp):
    """Negation: `y = -x`."""

    name = "fixed.neg"
    INFER = Interval.__neg__


@irdl_op_definition
class AbsOp(UnaryOp):
    """Absolute value: `y = |x|`."""

    name = "fixed.abs"
    INFER = Interval.__abs__


def sign(x: Interval) -> Interval:
    return x.sign


@irdl_op_definition
class SignOp(UnaryOp):
    """Sign: `y` is -1, 0 or 1 for a negative, zero or positive `x`."""

    name = "fixed.sign"
    INFER = sign


@irdl_op_definition
class MinOp(BinaryOp):
    """The smaller of `a` and `b`."""

    name = "fixed.min"
    INFER = Interval.minimum


@irdl_op_definition
class MaxOp(BinaryOp):
    """The larger of `a` and `b`."""

    name = "fixed.max"
    INFER = Interval.maximum


@irdl_op_definition
class ShlOp(ShiftOp):
    """Left shift: `y = a 2^b`."""

    name = "fixed.shl"
    INFER = Interval.shl


@irdl_op_definition
class ShrOp(ShiftOp):
    """Arithmetic right shift: `y = floor(a / 2^b)`."""

    name = "fixed.shr"
    INFER = Interval.shr


@irdl_op_definition
class DivOp(FixedOperation):
    """Rounded quotient: `y = a / b` with `floor`, `ceil`, `truncate` (toward zero) or `round` (to nearest, halves to even).

    Errors: FIX003 a divisor that may be 0.
    """

    name = "fixed.div"
    rounding = prop_def(RoundingAttr)
    a = operand_def(INTEGER)
    b = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$rounding $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)"

    def __init__(self, a: SSAValue, b: SSAValue, rounding: Rounding):
        result = IntType.of(interval_of(a).divide(interval_of(b), rounding))
        properties = {"rounding": RoundingAttr(rounding)}
        super().__init__(operands=[a, b], properties=properties, result_types=[result])

    def infer(self, *operands: Interval) -> Interval:
        a, b = operands
        return a.divide(b, self.rounding.data)

    def verify_(self) -> None:
        divisor = interval_of(self.b)
        if divisor.holds(0):
            self.refuse(FIX003, "the divisor may be 0", "an interval without 0", divisor)
        super().verify_()


@irdl_op_definition
class SaturateOp(NarrowingOp):
    """Saturation: the value of the result's interval that is nearest to `x`."""

    name = "fixed.saturate"


@irdl_op_definition
class WrapOp(NarrowingOp):
    """Wrap: the value of the result's interval that equals `x` modulo the size of that interval."""

    name = "fixed.wrap"

    def infer(self, *operands: Interval) -> Interval:
        (x,), into = operands, interval_of(self.y)
        return x if into.holds(x) else into


@irdl_op_definition
class RefineOp(NarrowingOp):
    """Refinement: `x`, where a condition implies that it lies in the result's interval. Any other `x` saturates; its result has no use.

    Errors: FIX002 a result interval outside the operand's interval.
    """

    name = "fixed.refine"

    def verify_(self) -> None:
        if not interval_of(self.x).holds(interval_of(self.y)):
            message = "the refined interval is not inside the operand's interval"
            self.refuse(FIX002, message, f"within {interval_of(self.x)}", interval_of(self.y))


@irdl_op_definition
class WidenOp(NarrowingOp):
    """Widening: `x` in an interval that contains the operand's. Errors: FIX002 an interval that does not."""

    name = "fixed.widen"

    def verify_(self) -> None:
        if not interval_of(self.y).holds(interval_of(self.x)):
            message = "the widened interval does not contain the operand's interval"
            self.refuse(FIX002, message, f"at least {interval_of(self.x)}", interval_of(self.y))


@irdl_op_definition
class SelectOp(FixedOperation):
    """Selection: `y = a` if `test` is true, else `b`; the interval of `y` contains both."""

    name = "fixed.select"
    test = operand_def(eq(i1))
    a = operand_def(INTEGER)
    b = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$test `,` $a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)"

    def __init__(self, test: SSAValue, a: SSAValue, b: SSAValue):
        super().__init__(operands=[test, a, b], result_types=[IntType.of(interval_of(a).join(interval_of(b)))])

    def infer(self, *operands: Interval) -> Interval:
        a, b = operands
        return a.join(b)


@irdl_op_definition
class CmpOp(NoptOperation):
    """Comparison of `a` with `b`: `eq`, `ne`, `lt`, `le`, `gt` or `ge`."""

    name = "fixed.cmp"
    relation = prop_def(RelationAttr)
    a = operand_def(INTEGER)
    b = operand_def(INTEGER)
    y = result_def(eq(i1))
    traits = traits_def(Pure())
    assembly_format = "$relation $a `,` $b attr-dict `:` type($a) `,` type($b)"

    def __init__(self, a: SSAValue, b: SSAValue, relation: Relation):
        super().__init__(operands=[a, b], properties={"relation": RelationAttr(relation)}, result_types=[i1])


@irdl_op_definition
class FromRealOp(FixedOperation):
    """Conversion of a real: `x`, rounded and saturated to the result's interval; NaN becomes the lower end.

    Errors: FIX005 an interval with integers that f64 does not represent.
    """

    name = "fixed.from_real"
    rounding = prop_def(RoundingAttr)
    x = operand_def(FLOAT)
    y = result_def(INTEGER)
    assembly_format = "$rounding $x attr-dict `:` type($x) `->` type($y)"

    def __init__(self, x: SSAValue, rounding: Rounding, into: Interval):
        super().__init__(operands=[x], properties={"rounding": RoundingAttr(rounding)}, result_types=[IntType.of(into)])

    def infer(self, *operands: Interval) -> Interval:
        return interval_of(self.y)

    def verify_(self) -> None:
        exact = Interval(-EXACT_IN_F64, EXACT_IN_F64)
        if not exact.holds(interval_of(self.y)):
            message = "f64 does not represent every integer of this interval"
            self.refuse(FIX005, message, f"within {exact}", interval_of(self.y))


@irdl_op_definition
class ToRealOp(NoptOperation):
    """Conversion to a real: the nearest one to `x`, halves to even."""

    name = "fixed.to_real"
    x = operand_def(INTEGER)
    y = result_def(FLOAT)
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"

    def __init__(self, x: SSAValue, into: Attribute):
        super().__init__(operands=[x], result_types=[into])


# ---- symbols of the neuron language

RELATIONS: Mapping[str, str] = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
"""Symbol of each relation of `fixed.cmp`."""
ORDERED: Mapping[int, str] = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
"""Symbol of each predicate of `arith.cmpf` that the neuron language produces."""
ROUNDINGS: Mapping[type[Operation], Rounding] = {
    mathd.FloorOp: Rounding.FLOOR,
    mathd.CeilOp: Rounding.CEIL,
    mathd.TruncOp: Rounding.TRUNCATE,
    mathd.RoundEvenOp: Rounding.ROUND,
}
"""Rounding of each op that rounds a real."""


def comparison_symbol(op: arith.CmpfOp | CmpOp) -> str:
    """Returns the symbol of a comparison; an empty text for a predicate that the language does not produce."""
    return RELATIONS[op.relation.data] if isinstance(op, CmpOp) else ORDERED.get(op.predicate.value.data, "")

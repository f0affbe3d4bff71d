"""The fixed dialect: integer arithmetic of fixed width, with one explicit op for each addition, rounding, shift, saturation and wrap.

An integer's type is the interval of its values, `!fixed.int<lo, hi>`. The result type of every op is computed from its operands
and verified, so that no op can overflow; an interval beyond 64 signed bits is refused. `saturate` and `wrap` reduce an integer to a
hardware width. `from_real` converts a real to an integer by rounding and saturation; `to_real` converts an integer to a real. The
semantics of each op is defined in one place, `core/fixed_point.py`.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, IntAttr, IntegerAttr, i1, i64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import (
    Attribute,
    Dialect,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    SSAValue,
    TypeAttribute,
)
from xdsl.irdl import (
    base,
    eq,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

from ..core.diagnostics import Code, Finding, InvalidOp, invalid
from ..core.fixed_point import EXACT_IN_F64, HIGHEST, LONGEST_SHIFT, LOWEST, Interval, Rounding
from ..core.ir.operation import NoptOperation

FIX001 = Code(
    "FIX001",
    "an interval is empty or exceeds 64 signed bits",
    cause="Integers are computed exactly, so no interval may be empty or exceed 64 signed bits.",
    remedy="Narrow the types of the operands, or saturate an intermediate value.",
)
FIX002 = Code(
    "FIX002",
    "a result type is not the interval of the result",
    cause="The interval of a result follows from the operands; any other interval is too wide or excludes values.",
    remedy="Use the expected interval of the message; `widen` and `saturate` change an interval.",
)
FIX003 = Code(
    "FIX003",
    "a divisor may be 0",
    cause="The interval of the divisor contains 0.",
    remedy="Exclude 0 from the interval, for example with `max` and a constant 1.",
)
FIX004 = Code(
    "FIX004",
    "a shift amount may be negative or above 63",
    cause="Shifts by such amounts differ between hardware.",
    remedy="Bound the amount, for example with `max` and a constant 0.",
)
FIX005 = Code(
    "FIX005",
    "a real is converted to an interval that f64 does not represent exactly",
    cause="Reals are rounded and saturated in f64, which represents every integer only up to 2^53.",
    remedy="Saturate to an interval of up to 53 bits.",
)


@irdl_attr_definition
class IntType(ParametrizedAttribute, TypeAttribute):
    """An integer from `low` to `high`, both included. Errors: FIX001 an empty interval, or one beyond 64 signed bits."""

    name = "fixed.int"
    low: IntAttr
    high: IntAttr

    def __init__(self, low: int | IntAttr, high: int | IntAttr):
        super().__init__(*(IntAttr(end) if isinstance(end, int) else end for end in (low, high)))

    @staticmethod
    def of(interval: Interval) -> IntType:
        return IntType(interval.low, interval.high)

    @property
    def lower(self) -> int:
        return self.low.data

    @property
    def upper(self) -> int:
        return self.high.data

    @property
    def interval(self) -> Interval:
        return Interval(self.lower, self.upper)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            low = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            high = parser.parse_integer(allow_boolean=False)
        return IntAttr(low), IntAttr(high)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.lower}, {self.upper}")

    def verify(self) -> None:
        if not self.interval.fits:
            raise InvalidOp(
                Finding(
                    FIX001,
                    "the interval is empty" if self.lower > self.upper else "the interval exceeds 64 signed bits",
                    at="!fixed.int",
                    expected=f"lo <= hi within {LOWEST}..{HIGHEST}",
                    found=str(self.interval),
                )
            )


@irdl_attr_definition
class RoundingAttr(EnumAttribute[Rounding], SpacedOpaqueSyntaxAttribute):
    """A rounding mode: `floor`, `ceil`, `truncate` (toward zero) or `round` (to nearest, halves to even)."""

    name = "fixed.rounding"


class Relation(StrEnum):
    EQ = "eq"
    NE = "ne"
    LT = "lt"
    LE = "le"
    GT = "gt"
    GE = "ge"


@irdl_attr_definition
class RelationAttr(EnumAttribute[Relation], SpacedOpaqueSyntaxAttribute):
    name = "fixed.relation"


# ---- helpers

INTEGER = base(IntType)
FLOAT = base(Float32Type) | base(Float64Type)


def interval_of(value: SSAValue) -> Interval:
    """Returns the interval of an integer; the op's constraints guarantee its type."""
    assert isinstance(value.type, IntType)
    return value.type.interval


class FixedOperation(NoptOperation, ABC):
    """Base of the ops with an integer result. Errors: FIX002 a result type that is not the interval of the result."""

    traits = traits_def(Pure())

    def infer(self, *operands: Interval) -> Interval:
        """Returns the interval of the result for integer operands in these intervals, each within the type of its operand."""
        raise NotImplementedError

    def inferred(self) -> Interval:
        """Returns the interval of the result for operands anywhere in their types."""
        return self.infer(*(interval_of(x) for x in self.operands if isinstance(x.type, IntType)))

    def verify_(self) -> None:
        expected, found = self.inferred(), interval_of(self.results[0])
        if not expected.fits:
            invalid(
                self,
                FIX001,
                "the result exceeds 64 signed bits",
                expected=f"a result within {LOWEST}..{HIGHEST}",
                found=str(expected),
            )
        if expected != found:
            invalid(
                self,
                FIX002,
                "the result type is not the interval of the result",
                expected=f"!fixed.int<{expected.low}, {expected.high}>",
                found=str(self.results[0].type),
            )


class UnaryOp(FixedOperation):
    x = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"
    INFER: ClassVar[Callable[[Interval], Interval]]

    def __init__(self, x: SSAValue):
        super().__init__(operands=[x], result_types=[IntType.of(type(self).INFER(interval_of(x)))])

    def infer(self, *operands: Interval) -> Interval:
        return type(self).INFER(*operands)


class BinaryOp(FixedOperation):
    a = operand_def(INTEGER)
    b = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)"
    INFER: ClassVar[Callable[[Interval, Interval], Interval]]

    def __init__(self, a: SSAValue, b: SSAValue):
        super().__init__(operands=[a, b], result_types=[IntType.of(type(self).INFER(interval_of(a), interval_of(b)))])

    def infer(self, *operands: Interval) -> Interval:
        return type(self).INFER(*operands)


class ShiftOp(BinaryOp):
    """Base of both shifts. Errors: FIX004 an amount outside 0..63."""

    def verify_(self) -> None:
        amount = interval_of(self.b)
        if not Interval(0, LONGEST_SHIFT).holds(amount):
            invalid(
                self,
                FIX004,
                "the shift amount may be negative or above 63",
                expected=f"an amount within 0..{LONGEST_SHIFT}",
                found=str(amount),
            )
        super().verify_()


class NarrowingOp(FixedOperation):
    """Base of the ops that convert an integer to a chosen interval."""

    x = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"

    def __init__(self, x: SSAValue, into: Interval):
        super().__init__(operands=[x], result_types=[IntType.of(into)])

    def infer(self, *operands: Interval) -> Interval:
        (x,) = operands
        return x.clamp(interval_of(self.y))

    def inferred(self) -> Interval:
        return interval_of(self.y)


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
        super().__init__(
            operands=[a, b],
            properties={"rounding": RoundingAttr(rounding)},
            result_types=[IntType.of(interval_of(a).divide(interval_of(b), rounding))],
        )

    def infer(self, *operands: Interval) -> Interval:
        a, b = operands
        return a.divide(b, self.rounding.data)

    def verify_(self) -> None:
        divisor = interval_of(self.b)
        if divisor.holds(0):
            invalid(self, FIX003, "the divisor may be 0", expected="an interval without 0", found=str(divisor))
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
            invalid(
                self,
                FIX002,
                "the refined interval is not inside the operand's interval",
                expected=f"within {interval_of(self.x)}",
                found=str(interval_of(self.y)),
            )


@irdl_op_definition
class WidenOp(NarrowingOp):
    """Widening: `x` in an interval that contains the operand's. Errors: FIX002 an interval that does not."""

    name = "fixed.widen"

    def verify_(self) -> None:
        if not interval_of(self.y).holds(interval_of(self.x)):
            invalid(
                self,
                FIX002,
                "the widened interval does not contain the operand's interval",
                expected=f"at least {interval_of(self.x)}",
                found=str(interval_of(self.y)),
            )


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
            invalid(
                self,
                FIX005,
                "f64 does not represent every integer of this interval",
                expected=f"within {exact}",
                found=str(interval_of(self.y)),
            )


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


FIXED = Dialect(
    "fixed",
    [
        AbsOp,
        AddOp,
        CmpOp,
        ConstantOp,
        DivOp,
        FromRealOp,
        MaxOp,
        MinOp,
        MulOp,
        NegOp,
        RefineOp,
        SaturateOp,
        SelectOp,
        ShlOp,
        ShrOp,
        SignOp,
        SubOp,
        ToRealOp,
        WidenOp,
        WrapOp,
    ],
    [IntType, RelationAttr, RoundingAttr],
)

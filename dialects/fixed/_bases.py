"""Base classes of the ops of the fixed dialect: interval of the result, unary, binary, shift and narrowing ops."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Sequence
from typing import ClassVar, NoReturn

from xdsl.dialects.builtin import Float32Type, Float64Type, IntAttr
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute, SSAValue, TypeAttribute
from xdsl.irdl import base, irdl_attr_definition, operand_def, result_def, traits_def
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.str_enum import StrEnum

from ...core.diagnostics import Code, Finding, InvalidOp, invalid
from ...core.fixed_point import HIGHEST, LONGEST_SHIFT, LOWEST, Interval, Rounding
from ...core.ir.operation import NoptOperation

FIX001 = Code("FIX001", "interval-invalid", "an interval is empty or exceeds 64 signed bits")
FIX002 = Code("FIX002", "result-interval-mismatch", "a result type is not the interval of the result")
FIX004 = Code("FIX004", "shift-amount-out-of-range", "a shift amount may be negative or above 63")


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
class RoundingAttr(EnumAttribute[Rounding], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
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
class RelationAttr(EnumAttribute[Relation], SpacedOpaqueSyntaxAttribute):  # pyrefly: ignore[partially-unknown-type]
    name = "fixed.relation"


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
            limit = f"a result within {LOWEST}..{HIGHEST}"
            self.refuse(FIX001, "the result exceeds 64 signed bits", limit, expected)
        if expected != found:
            type = IntType.of(expected)
            self.refuse(FIX002, "the result type is not the interval of the result", f"{type}", self.results[0].type)

    def refuse(self, code: Code, message: str, expected: str, found: object) -> NoReturn:
        invalid(self, code, message, expected=expected, found=str(found))


class ArithmeticOp(FixedOperation):
    """Base of the ops whose operands determine the interval of the result."""

    INFER: ClassVar[Callable[..., Interval]]

    def __init__(self, *operands: SSAValue):
        super().__init__(operands=operands, result_types=[IntType.of(self.infer(*map(interval_of, operands)))])

    def infer(self, *operands: Interval) -> Interval:
        return type(self).INFER(*operands)


class UnaryOp(ArithmeticOp):
    x = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"


class BinaryOp(ArithmeticOp):
    a = operand_def(INTEGER)
    b = operand_def(INTEGER)
    y = result_def(INTEGER)
    assembly_format = "$a `,` $b attr-dict `:` type($a) `,` type($b) `->` type($y)"


class ShiftOp(BinaryOp):
    """Base of both shifts. Errors: FIX004 an amount outside 0..63."""

    def verify_(self) -> None:
        amount = interval_of(self.b)
        if not Interval(0, LONGEST_SHIFT).holds(amount):
            expected = f"an amount within 0..{LONGEST_SHIFT}"
            self.refuse(FIX004, "the shift amount may be negative or above 63", expected, amount)
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

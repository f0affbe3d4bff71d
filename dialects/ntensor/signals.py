"""Element types of signals and parameters of `ntensor`, and the rules of their conversion.

| element type | one element is |
| --- | --- |
| `i1` | a spike or no spike |
| `!ntensor.count<5>` | several spikes in one tick, at most 31 |
| `!ntensor.graded<24>` | a spike with a signed payload of 24 bits; payload 0 is not a spike |
| `f32`, `f64`, `iN` | a value |

The first three are events. Synapses take events and values and produce values; a conversion must preserve every number.

`!ntensor.terms<16>` is not a signal. It is a sum whose terms are not added yet: integers of 16 signed bits, in the order of the sum. A
synapse produces terms, `ntensor.sum` and `ntensor.reshape` forward them, and an input that accumulates event by event consumes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float32Type,
    Float64Type,
    IntAttr,
    IntegerType,
    Signedness,
    bf16,
    f16,
    f32,
    f64,
    i1,
)
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr, dtype_of
from ...core.arrays.values import Array
from ...core.diagnostics import Code, Finding, InvalidOp, invalid
from ...core.fixed_point import Interval
from ...core.half_precision import PRECISION, round_to_half
from ...core.ir.operation import BracketedAttribute, element_type
from ..fixed import IntType

NTE002 = Code("NTE002", "tensor-shapes-mismatch", "shapes do not match")
NTE003 = Code("NTE003", "element-type-mismatch", "an element type does not fit")
NTE006 = Code("NTE006", "tensor-parameter-out-of-range", "a parameter is out of range")


# ---- types


@dataclass(
    frozen=True, init=False
)  # types with other bits are not equal: a class derives its equality from the fields of its bases
class BitsType(ParametrizedAttribute, TypeAttribute):
    """Base of integer types `!ntensor.NAME<bits>`. Errors: NTE003 other than 1 to 63 bits."""

    bits: IntAttr

    def __init__(self, bits: int | IntAttr):
        super().__init__(IntAttr(bits) if isinstance(bits, int) else bits)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():  # xDSL's default form of an integer parameter is `<#builtin.int<5>>`
            return (IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=True)),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.bits.data))

    def verify(self) -> None:
        bits = self.bits.data
        if not 1 <= bits <= 63:
            message, help = f"!{self.name} requires 1 to 63 bits", f"!{self.name}<{max(1, min(bits, 63))}>"
            at = f"!{self.name}<{bits}>"
            raise InvalidOp(Finding(NTE003, message, at=at, expected="1 to 63", found=str(bits), help=help))


@irdl_attr_definition
class CountType(BitsType):
    """Several spikes in one tick: an unsigned count of `bits` bits. Errors: NTE003 other than 1 to 63 bits."""

    name = "ntensor.count"

    def __init__(self, bits: int | IntAttr):
        super().__init__(bits)


@irdl_attr_definition
class GradedType(BitsType):
    """A spike with a signed payload of `bits` bits; payload 0 is not a spike. Errors: NTE003 other than 1 to 63 bits."""

    name = "ntensor.graded"

    def __init__(self, bits: int | IntAttr):
        super().__init__(bits)


@irdl_attr_definition
class TermsType(BitsType):
    """The terms that the events of a tick add, one by one: integers of `bits` signed bits. Errors: NTE003 other than 1 to 63 bits."""

    name = "ntensor.terms"

    def __init__(self, bits: int | IntAttr):
        super().__init__(bits)


class Emits(StrEnum):
    """Kinds of output that a neuron emits at the end of a tick."""

    SPIKE = "spike"
    COUNT = "count"
    GRADED = "graded"
    VALUE = "value"


@irdl_attr_definition
class EmitsAttr(BracketedAttribute, EnumAttribute[Emits]):  # pyrefly: ignore[partially-unknown-type]
    """The kind of output that an update emits."""

    name = "ntensor.emits"


# ---- conversions without loss


def is_event(element: Attribute) -> bool:
    """Returns whether elements of this type are events (spikes, counts, graded spikes), not values."""
    return element == i1 or isinstance(element, CountType | GradedType)


def is_value(element: Attribute) -> bool:
    return isinstance(element, Float32Type | Float64Type) or (isinstance(element, IntegerType) and element != i1)


def interval_of(element: Attribute) -> Interval | None:
    """Returns the interval of integers that an element type represents; None for reals and for types that are not signals."""
    match element:
        case IntegerType():
            integer: IntegerType = element
            is_unsigned = element == i1 or integer.signedness.data is Signedness.UNSIGNED
            return Interval.unsigned(integer.width.data) if is_unsigned else Interval.signed(integer.width.data)
        case CountType():
            return Interval.unsigned(element.bits.data)
        case GradedType() | TermsType():
            return Interval.signed(element.bits.data)
        case IntType():
            return element.interval
        case _:
            return None


def exact_integers(element: Attribute) -> Interval:
    """Returns the greatest interval around zero that contains only integers that a real type represents exactly."""
    bits: dict[Attribute, int] = {f64: 53, f32: 24, f16: PRECISION["f16"], bf16: PRECISION["bf16"]}
    magnitude = 2 ** bits[element] if element in bits else 0
    return Interval(-magnitude, magnitude)


def represents_all(element: Attribute, other: Attribute) -> bool:
    """Returns whether type `element` represents every number of type `other`. Every value type holds events: a synapse adds them."""
    if is_event(other) and is_value(element):
        return True
    own, given = interval_of(element), interval_of(other)
    if own is not None:
        return given is not None and own.holds(given)
    if given is not None:
        return exact_integers(element).holds(given)
    return element == other or (element == f64 and other == f32)


# ---- verification


def refuse_type(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses an element type, or numbers that do not convert. Errors: NTE003."""
    invalid(op, NTE003, message, expected=expected, found=found, help=help)


def refuse_shape(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses shapes that do not match. Errors: NTE002."""
    invalid(op, NTE002, message, expected=expected, found=found, help=help)


def refuse_parameter(op: Operation, message: str, expected: str, found: str, help: str) -> NoReturn:
    """Refuses a parameter that is out of range. Errors: NTE006."""
    invalid(op, NTE006, message, expected=expected, found=found, help=help)


def refuse_result(op: Operation, message: str, expected: str, found: Attribute, wanted: object) -> NoReturn:
    """Refuses the element type of a result. Errors: NTE003."""
    help = f"declare the result as a tensor of {wanted}"
    invalid(op, NTE003, message, expected=expected, found=str(found), help=help)


def verify_real(op: Operation, y: SSAValue, message: str, help: str) -> None:
    """Refuses a result that is not real. Errors: NTE003."""
    if not isinstance(element := element_type(y), Float32Type | Float64Type):
        invalid(op, NTE003, message, expected="a result of f32 or f64", found=str(element), help=help)


def verify_shape(op: Operation, what: str, found: Sequence[int], *allowed: Sequence[int]) -> None:
    if tuple(found) not in [tuple(shape) for shape in allowed]:
        expected = " or ".join(str(tuple(shape)) for shape in dict.fromkeys(map(tuple, allowed)))
        help = f"change the shape of {what} to {tuple(allowed[-1])}"
        refuse_shape(op, f"{what} has the wrong shape", expected, str(tuple(found)), help)


def verify_signal(op: Operation, what: str, element: Attribute) -> None:
    """Refuses an element type that is not a signal."""
    if not (is_event(element) or is_value(element)):
        expected = "i1, !ntensor.count, !ntensor.graded, f32, f64 or iN"
        refuse_type(op, f"{what} is not a signal", expected, str(element), "for spikes i1, for values f32 or f64")


def verify_array(op: Operation, what: str, array: ArrayAttr, element: Attribute) -> None:
    """Refuses a parameter with a number that would change when it is converted to `element`."""
    if (found := numbers_outside(array, element)) is not None:
        message = f"{what} would change when it is converted to {element}"
        help = f"convert {what} to numbers of {element} first"
        refuse_type(op, message, f"numbers that {element} holds", found, help)


def numbers_outside(array: ArrayAttr, element: Attribute) -> str | None:
    """Returns a text about the numbers of an array if a conversion to `element` changes any of them; else None."""
    held, data = interval_of(element), array.data
    if data.dtype.kind in "iub":
        exact = held or exact_integers(element)
        lowest, highest = (data.least(), data.greatest()) if data.size else (0, 0)
        if exact.holds(int(lowest)) and exact.holds(int(highest)):
            return None
        return f"{lowest} to {highest}" if lowest != highest else str(lowest)
    return None if held is None and keeps_reals(data, element) else f"numbers of {array.element}"


def keeps_reals(data: Array, element: Attribute) -> bool:
    """Returns whether all reals of an array are numbers of a type."""
    if isinstance(element, BFloat16Type):
        return all(np.array_equal(round_to_half(block, "bf16"), block, equal_nan=True) for block in data.blocks())
    into = dtype_of(element)
    return into is not None and data.keeps_values_in(into)


def verify_synapse(op: Operation, x: SSAValue, y: SSAValue, *parameters: tuple[str, ArrayAttr | None]) -> None:
    """Refuses a synapse op with an operand that is not a signal, a result other than values or terms, or numbers that do not convert exactly."""
    element, given = element_type(y), element_type(x)
    if not is_value(element) and not isinstance(element, TermsType):
        message, expected = "the result of a synapse is not a value", "f32, f64 or iN, or !ntensor.terms<N>"
        refuse_result(op, message, expected, element, "f32 or f64")
    verify_signal(op, "an operand", given)
    if not represents_all(element, given):
        message = "an operand would change when it is converted to the type of the result"
        refuse_result(op, message, f"a type whose numbers {element} holds", given, given)
    for what, array in parameters:
        if array is not None:
            verify_array(op, what, array, element)


def verify_terms(
    op: Operation, x: SSAValue, y: SSAValue, factors: ArrayAttr, bias: ArrayAttr | None, shift: int
) -> None:
    """Refuses a synapse whose terms (`factors x 2^shift` and the bias) exceed their type."""
    element, given = element_type(y), interval_of(element_type(x))
    if not isinstance(element, TermsType) or given is None or not factors.data.size:
        return
    terms = range_of_terms(given, factors, bias, shift)
    if not Interval.signed(element.bits.data).holds(terms):
        bits = 1 + max(terms.high.bit_length(), (~terms.low).bit_length())
        message = "the terms of this synapse are wider than their type"
        help = f"declare the result as a tensor of !ntensor.terms<{bits}>" if bits < 64 else "make weights narrower"
        refuse_type(op, message, f"{Interval.signed(element.bits.data)}: {element}", f"{terms}: {bits} bits", help)


def range_of_terms(given: Interval, factors: ArrayAttr, bias: ArrayAttr | None, shift: int) -> Interval:
    """Returns the terms of a synapse, by the integers of its operand; there are some factors."""
    terms = Interval(int(factors.data.least()), int(factors.data.greatest())) * given
    if bias is not None and bias.data.size:
        terms = terms.join(Interval(int(bias.data.least()), int(bias.data.greatest())))
    return terms.shl(Interval(shift, shift)) if shift >= 0 else terms.shr(Interval(-shift, -shift))


def verify_passed(op: Operation, x: SSAValue, y: SSAValue) -> bool:
    """Returns whether the operand of an op is terms. Refuses a result that is not terms, or narrower terms."""
    element, given = element_type(y), element_type(x)
    if not isinstance(given, TermsType):
        return False
    if not isinstance(element, TermsType) or element.bits.data < given.bits.data:
        message = "the result does not hold the terms of the operand"
        refuse_result(op, message, f"{given}, or wider terms", element, given)
    return True


def verify_integers(op: Operation, what: str, array: ArrayAttr, shape: Sequence[int], least: int) -> None:
    """Refuses a parameter such as a stride that has another shape, has fractions, or is below `least`."""
    verify_shape(op, what, array.shape, shape)
    if array.data.dtype.kind not in "iu" or (array.data.size and array.data.least(enough=least) < least):
        help = f"set {what} to integers from {least}"
        refuse_parameter(op, f"{what} is out of range", f"integers from {least}", str(array.values.tolist()), help)

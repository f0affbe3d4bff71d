"""Parameters that synapse ops share: quantised weights, exponents, and the checks of shapes.

Errors: NTE002 shapes that do not match; NTE006 bits, a scale or an exponent out of range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IntAttr
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.elementwise import map_blocks
from ...core.arrays.numeric import AnyArray
from ...core.ir.operation import NoptOperation, element_type, shape_of
from .signals import interval_of, refuse_parameter, refuse_shape, verify_shape


@irdl_attr_definition
class QuantizedAttr(ParametrizedAttribute):
    """Format of quantised weights: the op stores integers of `bits` signed bits, whose value is `(integer - zero) * scale`.

    If the result of the op is real, it computes with these products, each rounded once to the type of the result. If the result is integers
    or terms, it computes with the integers, and the scale is the value of 1 in the trained network. One bit is the sign alone: -1 and 1.
    The zero point is optional, and only of real results: the integer of the weight 0, default 0.

    Shapes: scale and zero broadcast to the weights: () for all, [o, 1] for each row, [1, i] for each column.
    Units: bits 1 to 16, 2 to 15 with a zero point; scale [unit of the weights], positive; zero an integer of these bits.
    """

    name = "ntensor.quantized"
    bits: IntAttr
    scale: ArrayAttr
    zero: ArrayAttr

    @staticmethod
    def of(
        bits: int, scale: np.ndarray[tuple[int, ...], np.dtype[np.float64]], zero: AnyArray | None = None
    ) -> QuantizedAttr:
        """Returns a format; zero points of 0 are none."""
        zero = np.zeros((), np.int8) if zero is None or not zero.any() else zero
        return QuantizedAttr(IntAttr(bits), ArrayAttr.of(scale), ArrayAttr.of(zero))

    def with_scale(self, scale: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> QuantizedAttr:
        """Returns the format of the same integers with another scale."""
        return QuantizedAttr.of(self.bits.data, scale, self.zero.values)

    def of_some(self, choose: Callable[[AnyArray], AnyArray]) -> QuantizedAttr:
        """Returns the format of some of the weights; `choose` selects their entries from an array with one entry for each weight."""
        scale, zero = (
            values if values.size == 1 else choose(values) for values in (self.scale.values, self.zero.values)
        )
        scale, zero = (values.reshape(()) if values.size == 1 else values for values in (scale, zero))
        return QuantizedAttr.of(self.bits.data, scale, zero)

    @property
    def has_zero(self) -> bool:
        """Whether the integers have a zero point other than 0."""
        return bool(self.zero.values.any())

    def steps_of(self, integers: AnyArray) -> AnyArray:
        """Returns stored integers without their zero point."""
        return integers.astype(np.int16) - self.zero.values.astype(np.int16) if self.has_zero else integers

    def values_of(self, integers: AnyArray, dtype: np.dtype[Any], out: AnyArray | None = None) -> AnyArray:
        """Returns the values of stored integers: products in f64, rounded once to a type. `out`: an array of the type that receives them."""
        scale = self.scale.values.astype(np.float64)
        with np.errstate(over="ignore", under="ignore"):
            return map_blocks(np.multiply, dtype, self.steps_of(integers), scale, out=out)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            bits = IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=True))
            parser.parse_punctuation(",", " between the bits and the scale")
            at = parser.pos
            scale = parser.parse_attribute()
            if not isinstance(scale, ArrayAttr):
                parser.raise_error("expected the scale as an array", at, parser.pos)
            zero: Attribute = ArrayAttr.of(np.zeros((), np.int8))
            if parser.parse_optional_punctuation(",") is not None:
                at = parser.pos
                zero = parser.parse_attribute()
                if not isinstance(zero, ArrayAttr) or zero.data.dtype.kind not in "iu":
                    parser.raise_error("expected the zero point as an array of integers", at, parser.pos)
            return [bits, scale, zero]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.bits.data}, ")
            printer.print_attribute(self.scale)
            if self.has_zero:
                printer.print_string(", ")
                printer.print_attribute(self.zero)


def verify_quantized(op: NoptOperation, what: str, weight: ArrayAttr, y: SSAValue, given: QuantizedAttr | None) -> None:
    """Refuses reals, bits out of range, a scale that does not broadcast or is not positive, and integers of more bits."""
    if given is None:
        return
    if weight.data.dtype.kind not in "iu":
        message, found = f"{what} holds reals, and its quantization needs integers", f"numbers of {weight.element}"
        help = "remove `quantized`, then quantize with ntensor-quantize-weights"
        refuse_parameter(
            op, message, f"integers of {given.bits.data} bits, whose value is integer * scale", found, help
        )
    bits, scale = given.bits.data, given.scale.values
    for part, shape in (("the scale", scale.shape), ("the zero point", given.zero.shape)):
        is_near = len(shape) == len(weight.shape) and all(n in (1, m) for n, m in zip(shape, weight.shape, strict=True))
        if shape and not is_near:
            verify_shape(op, part, shape, (), weight.shape)
    if not 1 <= bits <= 16 or not (np.isfinite(scale).all() and (scale > 0).all()):
        message = f"the quantization of {what} is out of range"
        found = f"{bits} bits" if not 1 <= bits <= 16 else f"a scale of {scale.min()}"
        help = "quantize with ntensor-quantize-weights"
        refuse_parameter(op, message, "1 to 16 bits, and a positive scale", found, help)
    if given.has_zero:
        verify_zero(op, what, y, given)
    if weight.data.size:
        most = max(1, 2 ** (bits - 1) - 1)
        lowest, highest = int(weight.data.least()), int(weight.data.greatest())
        if not -most - 1 <= lowest <= highest <= most:
            message = f"{what} has more bits than its quantization declares"
            expected = f"-{most + 1} to {most} for {bits} bits of {element_type(y)}"
            refuse_parameter(op, message, expected, f"{lowest} to {highest}", "quantize with ntensor-quantize-weights")


def verify_zero(op: NoptOperation, what: str, y: SSAValue, given: QuantizedAttr) -> None:
    """Refuses a zero point if integers are added, if the weight width is not 2 to 15 bits, or if the zero point exceeds this width."""
    bits, zero = given.bits.data, given.zero.values
    message = f"the zero point of {what} is out of range"
    if interval_of(element := element_type(y)) is not None:
        expected, help = "a real result: integers are added without one", "remove the zero point, and subtract it"
        refuse_parameter(op, f"integers with a zero point are added as {element}", expected, str(element), help)
    if not 2 <= bits <= 15:
        help = "quantize with ntensor-quantize-weights{grid=asymmetric}"
        refuse_parameter(op, message, "2 to 15 bits", f"{bits} bits", help)
    if not -(2 ** (bits - 1)) <= zero.min() <= zero.max() < 2 ** (bits - 1):
        expected, found = f"integers of {bits} bits", f"{zero.min()} to {zero.max()}"
        refuse_parameter(op, message, expected, found, "quantize with ntensor-quantize-weights{grid=asymmetric}")


def verify_exponent(op: NoptOperation, exponent: ArrayAttr | None, *shapes: tuple[int, ...]) -> int:
    """Refuses an exponent of another shape or beyond 62 bits. Returns the largest, for the width of terms."""
    if exponent is None:
        return 0
    verify_shape(op, "exponent", exponent.shape, *shapes)
    if exponent.data.dtype.kind not in "iu" or (
        exponent.data.size and not (exponent.data.least() >= -62 and exponent.data.greatest() <= 62)
    ):
        help = "set exponent to integers from -62 to 62"
        refuse_parameter(op, "exponent is out of range", "integers from -62 to 62", str(exponent.values.tolist()), help)
    return int(exponent.data.greatest()) if exponent.data.size else 0


def verify_rank(op: NoptOperation, what: str, found: tuple[int, ...], rank: int, axes: str) -> None:
    if len(found) != rank:
        help = f"reshape {what} to the axes {axes}"
        refuse_shape(op, f"{what} has the wrong number of axes", f"{rank}: {axes}", f"{len(found)}: {found}", help)


def verify_outputs(op: NoptOperation, sizes: tuple[int, ...], y: SSAValue, channels: int) -> None:
    """Refuses a window that is larger than the padded operand, and a result of another shape."""
    if min(sizes) < 1:
        message = "the kernel is larger than the padded operand"
        help = "make the kernel or its dilation smaller, or the padding larger"
        refuse_shape(op, message, "at least 1 position on each axis", str(sizes), help)
    verify_shape(op, "the result", shape_of(y), (channels, *sizes))

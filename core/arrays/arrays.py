"""Array attribute: numbers under a content key, stored inline, in the text's last section, in files, or as a rule.

    #nopt.array<[[0.5, -1.0]] : tensor<1x2xf32>>             up to `INLINE` elements, decimal if that is exact
    #nopt.array<"0x0000c07f0000807f" : tensor<2xf32>>        nan, infinity, and other values without an exact decimal
    #nopt.array<[0.5, -1.0] : tensor<2xbf16>>                bf16: two bytes each; decimals are rounded once
    #nopt.array<hf9837cf0b1c2d3e4… : tensor<38x12xf32>>      otherwise; the bytes are stored in `{-# dialect_resources: { nopt: … } #-}`,
                                                             or in `DIR/hf9837cf0b1c2d3e4….npy` (`--arrays DIR`)
    #nopt.array<normal(mean = 0.0, std = 0.1, seed = 1) : tensor<10000x10000xf32>>
                                                             a rule of `core/arrays/rules.py`: no bytes until they are read

Equality and hash depend on the content, or on the rule: an array that is a rule differs from a stored array with the same bytes. The
digest is computed once, at its first use. Equal keys mean equal bytes, so one weak table of live arrays serves every module
and context of the process and needs no clean-up. A text is refused without its bytes, also where an earlier text had them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, MutableMapping, Sequence
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    TensorType,
    bf16,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from ..half_precision import STORED, Half, half_bits, half_values
from .files import pieces
from .numeric import AnyArray
from .rules import Rule, RuleError
from .values import Array, Bfloat16Array, RuleArray

Number = TypeVar("Number", bound=np.generic)
T = TypeVar("T")

INLINE = 16
"""Largest number of elements that is written inline."""
LIST = re.compile(
    r"\[(?:[\[\], \n]|(?:true|false)(?!\w)|-?(?:0|[1-9]\d{0,99}+)(?:\.\d{1,99}+(?:[eE][+-]?\d{1,3}+)?)?(?![\w.]))*+",
    re.ASCII,
)
"""Pattern of a list of numbers for which JSON and xDSL return the same values."""
KEY = re.compile(r"h[0-9a-f]{32}")
INTEGER_BITS = (8, 16, 32, 64)
"""Bits of the integers of NumPy."""
AXES = 32
"""Maximum number of axes of an array, as in every NumPy from 1.26 on."""


LIVE: WeakValueDictionary[str, Array] = WeakValueDictionary()
"""The most recently parsed or printed arrays, by key. A global is safe, since a key determines its bytes."""


def dtype_of(element: Attribute) -> np.dtype[Any] | None:
    """Returns the NumPy dtype for elements of an MLIR type, or None; NumPy has no bf16."""
    match element:
        case Float16Type() | Float32Type() | Float64Type():
            return np.dtype(f"<f{element.bitwidth // 8}")
        case IntegerType():
            integer: IntegerType = element
            bits = integer.width.data
            kind = "u" if integer.signedness.data is Signedness.UNSIGNED else "i"
            if bits == 1:
                return np.dtype(np.bool_)
            return np.dtype(f"<{kind}{bits // 8}") if bits in INTEGER_BITS else None
        case _:
            return None


def element_of(dtype: np.dtype[Any]) -> Attribute | None:
    """Returns the MLIR element type of a NumPy dtype, or None."""
    match dtype.kind, dtype.itemsize:
        case "f", 2:
            return f16
        case "f", 4:
            return f32
        case "f", 8:
            return f64
        case "b", _:
            return IntegerType(1)
        case "i", size:
            return IntegerType(8 * size)
        case "u", size:
            return IntegerType(8 * size, Signedness.UNSIGNED)
        case _:
            return None


def is_half(element: Attribute) -> bool:
    """Returns whether an element type is a real of 16 bits."""
    return isinstance(element, Float16Type | BFloat16Type)


def half_of(element: Attribute) -> Half:
    """Returns the format of an element type of 16 bits."""
    return "bf16" if isinstance(element, BFloat16Type) else "f16"


def decimal(values: AnyArray) -> str:
    """Formats the shortest decimals that parse to the same elements, nested like the array."""
    if values.ndim:
        return f"[{', '.join(map(decimal, values))}]"
    text = str(values).lower()
    return text.replace("e", ".0e") if "e" in text and "." not in text and text not in ("true", "false") else text


def is_decimal(values: AnyArray) -> bool:
    """Returns whether decimal numbers represent the values exactly."""
    if values.dtype.kind != "f":
        return True
    return bool(np.isfinite(values).all()) and all(values.dtype.type(float(str(x))) == x for x in values.flat)


def hexadecimal(values: AnyArray) -> str:
    """Formats the bytes of an array in C order, two digits each."""
    digits: list[str] = [piece.hex() for piece in pieces(values)]
    return "".join(digits)


def uniform(array: NDArray[Number]) -> NDArray[Number]:
    """Returns a scalar if all entries are equal to the last bit, else the array."""
    if array.ndim == 0 or array.size == 0:
        return array
    first = array.reshape(-1)[0]
    return np.asarray(first) if (array == first).all() and not (np.signbit(array) != np.signbit(first)).any() else array


def first_in_text(parser: AttrParser, live: MutableMapping[str, T], key: str, new: T) -> T:
    """Returns the object of a key in the text that is parsed. At the first occurrence of the key it is `new`, which replaces the object of an earlier text."""
    occurrence = ("nopt", f"{key} occurs")
    if occurrence not in parser.dialect_resources:
        parser.dialect_resources.add(occurrence)
        live[key] = new
    return live.setdefault(key, new)


@irdl_attr_definition
class ArrayAttr(Data[Array]):
    """N-dimensional array of numbers: decimals, bytes, the key of bytes elsewhere, or a rule (`constant(value)`,
    `uniform(low, high, seed)`, `normal(mean, std, seed)`, the random ones with an optional `density`). Compared by content, a
    rule by its parameters."""

    name = "nopt.array"

    @staticmethod
    def of(values: ArrayLike) -> ArrayAttr:
        return ArrayAttr(Array.of(values))

    @staticmethod
    def by(rule: str, shape: Sequence[int], dtype: Any = np.float32, **parameters: int | float) -> ArrayAttr:
        """Returns an array that is a rule: `ArrayAttr.by("normal", (1000, 1000), mean=0.0, std=0.1, seed=1)`. Errors: RuleError."""
        return ArrayAttr(RuleArray(Rule(rule, parameters), tuple(shape), dtype))

    @staticmethod
    def nearest(values: AnyArray, format: Half) -> ArrayAttr:
        """Returns reals, each rounded once to a format of 16 bits."""
        if format == "bf16":
            return ArrayAttr(Bfloat16Array.nearest(values))
        return ArrayAttr.of(half_bits(values, format).view(np.float16))

    @property
    def values(self) -> AnyArray:
        return self.data.values

    @property
    def element(self) -> Attribute:
        """The element type."""
        element = bf16 if isinstance(self.data, Bfloat16Array) else element_of(self.data.dtype)
        if element is None:
            raise TypeError(f"no MLIR type holds {self.data.dtype}")
        return element

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Array:
        def number() -> Any:
            if (truth := parser.parse_optional_boolean()) is not None:
                return truth
            return parser.parse_number()

        def parameter() -> tuple[str, Any]:
            name = parser.parse_identifier(context_msg=" of a parameter")
            parser.parse_punctuation("=")
            return name, parser.parse_number()

        def plain_list() -> Any:
            """Returns a list of numbers that is read at once, or None."""
            content, start = str(parser.lexer.input.content), parser.pos
            try:
                text = match.group().rstrip() if (match := LIST.match(content, start)) else ""
                values = json.loads(text)
            except (ValueError, RecursionError):
                return None  # read again one by one, for the place of the error
            parser._resume_from(start + len(text))  # noqa: SLF001  # pyrefly: ignore[protected-access]
            return values

        def numbers() -> Any:
            nested = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, numbers)
            return number() if nested is None else nested

        with parser.in_angle_brackets():
            start = parser.pos
            blob = parser.parse_optional_str_literal()
            inline = parser.parse_optional_boolean() if blob is None else None
            key = parser.parse_optional_identifier() if blob is None and inline is None else None
            if blob is None and inline is None and key is None:
                inline = found if (found := plain_list()) is not None else numbers()
            given = None
            if key is not None:
                given = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, parameter)
            if key is not None and given is None and not KEY.fullmatch(key):
                parser.raise_error(
                    "expected numbers, bytes, a rule, or a key: h and 32 hexadecimal digits", start, parser.pos
                )
            parser.parse_punctuation(":")
            type_start, type = parser.pos, parser.parse_type()
            element = cast("TensorType[Attribute]", type).get_element_type() if isinstance(type, TensorType) else None
            is_bf16 = element == bf16
            dtype = np.dtype(np.float32) if is_bf16 else None if element is None else dtype_of(element)
            if not isinstance(type, TensorType) or dtype is None:
                parser.raise_error(
                    "expected a tensor of i1, i8 to i64, ui8 to ui64, f16, bf16, f32 or f64", type_start, parser.pos
                )
            tensor: TensorType[Attribute] = type
            shape = tensor.get_shape()
            if any(n < 0 for n in shape):
                parser.raise_error("expected a static shape", type_start, parser.pos)
            if len(shape) > AXES:
                parser.raise_error(f"expected at most {AXES} axes", type_start, parser.pos)
            if key is not None and given is not None:
                if is_bf16:
                    parser.raise_error("a rule of bf16 is not supported: use f32, or numbers", start, parser.pos)
                try:
                    if len(dict(given)) < len(given):
                        raise RuleError("duplicate parameter")
                    return RuleArray(Rule(key, dict(given)), shape, dtype)
                except RuleError as refusal:
                    parser.raise_error(str(refusal), start, parser.pos)
            if key is not None:  # the bytes are at the end of the file: create the array now, fill it then
                new = Bfloat16Array(None, shape, key) if is_bf16 else Array(None, shape, dtype, key)
                known = first_in_text(parser, LIVE, key, new)
                if (known.shape, known.stored_dtype) != (shape, new.stored_dtype):
                    parser.raise_error(f"array {key} occurs with two types", start, parser.pos)
                return known
            try:
                if blob is not None:
                    flat = np.frombuffer(bytes.fromhex(blob.removeprefix("0x")), STORED["bf16"] if is_bf16 else dtype)
                elif is_bf16:
                    wide = np.array(inline, np.float64)
                    flat = half_bits(wide, "bf16").view(STORED["bf16"])
                    if (np.isinf(half_values(flat.view(np.uint16), "bf16")) & np.isfinite(wide)).any():
                        raise OverflowError
                else:
                    with np.errstate(over="raise"):  # a number beyond the range of f32 is refused, not made infinite
                        flat = np.array(inline, dtype)
                flat = flat.reshape(shape)
                return Bfloat16Array(flat, shape) if is_bf16 else Array.of(flat)
            except (ValueError, TypeError, ArithmeticError):
                parser.raise_error(f"these are not the elements of a {type}", start, parser.pos)

    def print_parameter(self, printer: Printer) -> None:
        array = self.data
        with printer.in_angle_brackets():
            if isinstance(array, RuleArray):
                printer.print_string(array.rule.text)
            elif array.size > INLINE:
                LIVE[array.digest] = array
                printer.print_resource_handle("nopt", array.digest)
            elif array.size and is_decimal(array.values):
                printer.print_string(decimal(array.values))
            else:
                printer.print_string(f'"0x{array.stored.tobytes().hex()}"')
            printer.print_string(" : ")
            printer.print_attribute(TensorType(self.element, array.shape))


class ArrayResources(OpAsmDialectInterface):
    """Transfer of blobs between the file's resource section and the table of live arrays."""

    def declare_resource(self, key: str) -> str:
        return key  # a content hash is never renamed

    def parse_resource(self, key: str, val: str) -> None:
        if (array := LIVE.get(key)) is None or array.is_loaded:
            return
        try:
            blob = bytes.fromhex(val.removeprefix("0x"))
        except ValueError:
            blob = b""
        array.fill(blob)

    def build_resources(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: "0x" + hexadecimal(LIVE[key].stored) for key in keys}

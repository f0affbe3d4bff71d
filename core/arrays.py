"""The weight attribute: a NumPy array behind a content hash, in line when small, in the resource section when large.

    #nopt.array<[[0.5, -1.0]] : tensor<1x2xf32>>             up to `INLINE` elements: decimal where that gives the same bits
    #nopt.array<"0x0000c07f0000807f" : tensor<2xf32>>        nan, infinity, and whatever decimals cannot say
    #nopt.array<hf9837cf0b1c2d3e4… : tensor<38x12xf32>>      else; the bytes stand in `{-# dialect_resources: { nopt: … } #-}`

Equality and hash are those of the content; the digest is computed once, when first asked for. Equal keys mean equal bytes,
so one weak table of live arrays serves every module and context of the process and needs no clean-up.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import ArrayLike, NDArray
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    Float16Type,
    Float32Type,
    Float64Type,
    IntegerType,
    Signedness,
    TensorType,
    f16,
    f32,
    f64,
)
from xdsl.ir import Attribute, Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.hints import isa

from .diagnostics import Code, refuse

ARR001 = Code(
    "ARR001",
    "an array is named in the IR, but its bytes are not there",
    cause="Large arrays stand in the `dialect_resources` section at the end of the file, keyed by their content. "
    "The section is missing or was cut off, so the network is not whole.",
    remedy="Write the file again with `nopt FILE -o OUT`, and keep its last lines when you copy it.",
)
ARR002 = Code(
    "ARR002",
    "the bytes of an array do not match its key",
    cause="The key of an array is a hash of its type and bytes. They differ, so one of them was changed.",
    remedy="Write the file again with `nopt FILE -o OUT`; to change weights use a pass, not an editor.",
)

INLINE = 16
"""Largest number of elements that is written in line."""


class Array:
    """An immutable array. `view` shares its storage; `values` is read-only."""

    __slots__ = ("__weakref__", "_digest", "_values", "dtype", "shape")

    def __init__(self, values: NDArray[Any] | None, shape: tuple[int, ...], dtype: Any, digest: str = ""):
        self.shape, self.dtype, self._digest = shape, np.dtype(dtype), digest
        self._values: NDArray[Any] | None = None
        if values is not None:
            self._values = values.view()
            self._values.flags.writeable = False

    @staticmethod
    def of(values: ArrayLike) -> Array:
        """Wraps `values` without copying them, unless their bytes stand in the other order."""
        array = np.asarray(values)
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        return Array(array, array.shape, array.dtype)

    @property
    def values(self) -> NDArray[Any]:
        if self._values is None:
            refuse(
                ARR001,
                "an array is named in the IR, but its bytes are not there",
                expected=f"{self._digest} in the section `dialect_resources: {{ nopt: … }}` of the file",
                found="no such entry",
                help="write the file again with `nopt FILE -o OUT`",
            )
        return self._values

    @property
    def is_missing(self) -> bool:
        return self._values is None

    def view(self, *where: slice | int) -> Array:
        """A slice that shares storage with this array."""
        return Array.of(self.values[where])

    def fill(self, blob: bytes) -> None:
        """Gives a parsed array its bytes, and refuses bytes that are not what the key says."""
        if self._values is not None:
            return
        wanted = int(np.prod(self.shape, dtype=object)) * self.dtype.itemsize
        found = Array(None, self.shape, self.dtype)
        if len(blob) == wanted:
            found = Array(np.frombuffer(blob, self.dtype).reshape(self.shape), self.shape, self.dtype)
        if len(blob) != wanted or found.digest != self._digest:
            refuse(
                ARR002,
                "the bytes of an array do not match its key",
                expected=f"{wanted} bytes whose hash is {self._digest}",
                found=f"{len(blob)} bytes" + (f" whose hash is {found.digest}" if len(blob) == wanted else ""),
                help="write the file again with `nopt FILE -o OUT`",
            )
        self._values = found.values

    @property
    def digest(self) -> str:
        """The content key: `h` and 32 hexadecimal digits of SHA-256 over dtype, shape and bytes."""
        if not self._digest:
            content = sha256(f"{self.dtype.str}{self.shape}".encode())
            content.update(np.ascontiguousarray(self.values).data.cast("B") if self.values.size else b"")
            self._digest = "h" + content.hexdigest()[:32]
        return self._digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Array):
            return self is other
        return (self.shape, self.dtype) == (other.shape, other.dtype) and self.digest == other.digest

    def __repr__(self) -> str:
        return f"Array({self.dtype.str}, {self.shape}, {self._digest or 'no digest yet'})"


LIVE: WeakValueDictionary[str, Array] = WeakValueDictionary()
"""Arrays whose key was parsed or printed, by key. Harmless as a global: a key says what its bytes are."""


def dtype_of(element: Attribute) -> np.dtype[Any] | None:
    """The NumPy dtype that stores elements of an MLIR type, or None where there is none."""
    match element:
        case Float16Type() | Float32Type() | Float64Type():
            return np.dtype(f"<f{element.bitwidth // 8}")
        case IntegerType() if element.width.data == 1:
            return np.dtype(np.bool_)
        case IntegerType() if element.width.data in (8, 16, 32, 64):
            kind = "u" if element.signedness.data is Signedness.UNSIGNED else "i"
            return np.dtype(f"<{kind}{element.width.data // 8}")
        case _:
            return None


def element_of(dtype: np.dtype[Any]) -> Attribute | None:
    """The MLIR element type of a NumPy dtype, or None where there is none."""
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


def decimal(values: NDArray[Any]) -> str:
    """The shortest decimals that give the same elements back, nested like the array."""
    if values.ndim:
        return f"[{', '.join(map(decimal, values))}]"
    text = str(values).lower()
    return text.replace("e", ".0e") if "e" in text and "." not in text and text not in ("true", "false") else text


def is_decimal(values: NDArray[Any]) -> bool:
    """Whether decimals say these values to the last bit."""
    if values.dtype.kind != "f":
        return True
    return bool(np.isfinite(values).all()) and all(values.dtype.type(float(str(x))) == x for x in values.flat)


@irdl_attr_definition
class ArrayAttr(Data[Array]):
    """An n-dimensional array of numbers, compared by content."""

    name = "nopt.array"

    @staticmethod
    def of(values: ArrayLike) -> ArrayAttr:
        return ArrayAttr(Array.of(values))

    @property
    def values(self) -> NDArray[Any]:
        return self.data.values

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Array:
        def number() -> Any:
            if (truth := parser.parse_optional_boolean()) is not None:
                return truth
            return parser.parse_number()

        def numbers() -> Any:
            nested = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, numbers)
            return number() if nested is None else nested

        with parser.in_angle_brackets():
            start = parser.pos
            blob = parser.parse_optional_str_literal()
            inline = parser.parse_optional_boolean() if blob is None else None
            key = parser.parse_optional_identifier() if blob is None and inline is None else None
            if blob is None and inline is None and key is None:
                inline = numbers()
            parser.parse_punctuation(":")
            type_start, type = parser.pos, parser.parse_type()
            dtype = dtype_of(type.get_element_type()) if isa(type, TensorType[Attribute]) else None
            if not isa(type, TensorType[Attribute]) or dtype is None:
                parser.raise_error(
                    "expected a tensor of i1, i8 to i64, ui8 to ui64, f16, f32 or f64", type_start, parser.pos
                )
            shape = type.get_shape()
            if any(n < 0 for n in shape):
                parser.raise_error("expected a static shape", type_start, parser.pos)
            if key is not None:  # the bytes come at the end of the file: name the array now, fill it then
                known = LIVE.setdefault(key, Array(None, shape, dtype, key))
                if (known.shape, known.dtype) != (shape, dtype):
                    parser.raise_error(f"array {key} is named with two types", start, parser.pos)
                return known
            try:
                flat = (
                    np.frombuffer(bytes.fromhex(blob.removeprefix("0x")), dtype)
                    if blob is not None
                    else np.array(inline, dtype)
                )
                return Array.of(flat.reshape(shape))
            except (ValueError, TypeError, OverflowError):
                parser.raise_error(f"these are not the elements of a {type}", start, parser.pos)

    def print_parameter(self, printer: Printer) -> None:
        array, values = self.data, self.data.values
        with printer.in_angle_brackets():
            if values.size > INLINE:
                LIVE[array.digest] = array
                printer.print_resource_handle("nopt", array.digest)
            elif values.size and is_decimal(values):
                printer.print_string(decimal(values))
            else:
                printer.print_string(f'"0x{values.tobytes().hex()}"')
            printer.print_string(" : ")
            element = element_of(array.dtype)
            if element is None:
                raise TypeError(f"no MLIR type holds {array.dtype}")
            printer.print_attribute(TensorType(element, array.shape))


class ArrayResources(OpAsmDialectInterface):
    """Hands blobs between the file's resource section and the table of live arrays."""

    def declare_resource(self, key: str) -> str:
        return key  # a content hash is never renamed

    def parse_resource(self, key: str, val: str) -> None:
        if (array := LIVE.get(key)) is None:
            return
        try:
            blob = bytes.fromhex(val.removeprefix("0x"))
        except ValueError:
            blob = b""
        array.fill(blob)

    def build_resources(self, keys: Iterable[str]) -> dict[str, str]:
        return {key: "0x" + np.ascontiguousarray(LIVE[key].values).tobytes().hex() for key in keys}

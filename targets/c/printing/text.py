"""C text: types, numbers and arrays. Numbers are the shortest decimals with the same bits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Attribute

from ....core.arrays import arrays
from ....dialects import c

REALS = {"float32": "float", "float64": "double"}
"""C types by NumPy type; those of integers have the names of `stdint.h`."""
WIDTH = 120
"""Columns of a line of numbers."""


def dtype_of(element: Attribute) -> np.dtype[Any]:
    """Returns the NumPy dtype of an element in memory; uint16 for reals of 16 bits, and uint8 for packed pairs of integers."""
    if c.is_packed(element):
        return np.dtype(np.uint8)
    if arrays.is_half(element):
        return np.dtype(np.uint16)
    dtype = arrays.dtype_of(element)
    assert dtype is not None  # verified: memory holds reals and integers of whole bytes
    return dtype


def c_type(element: Attribute) -> str:
    """Returns the C type of an element in memory."""
    name = dtype_of(element).name
    return REALS.get(name, f"{name}_t")


def fill_template(name: str, texts: Mapping[str, str]) -> str:
    """Returns the text of a file in the same folder, with a text for each of the given words."""
    words = re.compile("|".join(map(re.escape, texts)))
    return words.sub(lambda word: texts[word[0]], Path(__file__).with_name(name).read_text("utf-8"))


def integer(value: int, bits: int = 32) -> str:
    """Formats an integer constant for arithmetic in 32 or 64 bits."""
    if bits == 32 and -(2**31) <= value < 2**31:
        return "(-2147483647 - 1)" if value == -(2**31) else str(value) if value >= 0 else f"({value})"
    if value == -(2**63):
        return "(-INT64_C(9223372036854775807) - 1)"
    return f"INT64_C({value})" if value >= 0 else f"(-INT64_C({-value}))"


def real(value: Any, single: bool) -> str:
    """Formats a real constant with the same bits; infinities and NaN need `math.h`."""
    number = np.float32(value) if single else np.float64(value)
    cast = "(float)" if single else "(double)"
    if np.isnan(number):
        return f"({cast}NAN)"
    if np.isinf(number):
        return f"({cast}INFINITY)" if number > 0 else f"({cast}-INFINITY)"
    text = str(number)
    text = text if any(mark in text for mark in ".en") else f"{text}.0"
    text = f"{text}f" if single else text
    return f"({text})" if text[0] == "-" else text


def is_finite(values: NDArray[Any]) -> bool:
    return values.dtype.kind != "f" or bool(np.isfinite(values).all())


def numbers(values: NDArray[Any]) -> Iterator[str]:
    """Yields the elements of an array for an initialiser."""
    if values.dtype.kind == "f":
        single = values.dtype == np.float32
        for value in values.flat:
            text = real(value, single)
            yield text[1:-1] if text[:2] == "(-" and text[2] != "I" else text
        return
    wide = values.dtype.itemsize == 8
    for value in values.reshape(-1).tolist():
        if wide and value == -(2**63):
            yield integer(value, 64)
        else:
            yield str(value) if not wide else f"INT64_C({value})" if values.dtype.kind == "i" else f"UINT64_C({value})"


ROW = 4080
"""Bytes in a string; C99 guarantees room for 4095."""
MANY = 2**16
"""Number of elements from which an array is written as bytes, which compilers read twenty times faster than numbers."""


ESCAPES = np.frombuffer("".join(f"\\{byte:03o}" for byte in range(256)).encode(), np.uint32)
"""Four characters for each byte."""


def octal(values: NDArray[Any]) -> Iterator[str]:
    """Yields the bytes of an array, little-endian, as strings of at most `ROW` bytes; four characters for each byte."""
    little = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    raw = little.reshape(-1).view(np.uint8)
    for start in range(0, len(raw), ROW):
        yield f'"{ESCAPES[raw[start : start + ROW]].tobytes().decode("ascii")}"'


def lines_of(words: Iterator[str]) -> Iterator[str]:
    """Joins words with commas, in lines of at most `WIDTH` columns."""
    line = ""
    for word in words:
        if line and len(line) + len(word) + 2 > WIDTH:
            yield line + ","
            line = word
        else:
            line = f"{line}, {word}" if line else word
    if line:
        yield line


def block(head: str, *body: str) -> str:
    """Returns `head { body }`, indented."""
    return f"{head} {{\n{indent(chr(10).join(body), '    ')}\n}}"


def loop(variable: str, count: int | str, *body: str, start: int | str = 0, kind: str = "size_t") -> str:
    """Returns a loop over `start <= variable < count`."""
    return block(f"for ({kind} {variable} = {start}; {variable} < {count}; ++{variable})", *body)


def product(*factors: str | int) -> str:
    """Returns the C expression of a product; factors of 1 are omitted."""
    kept = [str(factor) for factor in factors if str(factor) != "1"]
    return "0" if "0" in kept else " * ".join(kept) or "1"


def total(*terms: str | int) -> str:
    """Returns a sum without zeros."""
    kept = [str(term) for term in terms if str(term) != "0"]
    return " + ".join(kept) or "0"

"""Words of memory images: fields of bits, and hexadecimal text that `$readmemh` of Verilog reads.

A word is a list of fields from the lowest bit. Negative integers are encoded in two's complement, reals in IEEE 754. An image has one
word on each line; the width of the word determines the number of digits.

Source: IEEE Std 1364-2005, 17.2.9 (`$readmemh`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..arrays.numeric import AnyArray
from .records import Device

UNUSED = "unused"
"""A field without content."""
ARRAY_BITS = 64
"""Widest word that arrays hold; wider ones are integers of Python."""
WORDS_AT_ONCE = 2**16
"""Words of an image that are formatted together."""
HEX_DIGITS = np.frombuffer(b"0123456789abcdef", np.uint8)


@frozen
class Field:
    """Some bits of a word."""

    name: str
    bits: int
    is_signed: bool = False

    @property
    def interval(self) -> tuple[int, int]:
        """Returns the least and the greatest integer that the field can represent."""
        return (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.is_signed else (0, (1 << self.bits) - 1)


@frozen
class Misfit:
    """A number that its field cannot represent."""

    field: Field
    value: int


@frozen
class Word:
    """Fields from the lowest bit."""

    fields: tuple[Field, ...]

    @property
    def bits(self) -> int:
        return sum(field.bits for field in self.fields)

    def placed(self) -> Iterator[tuple[int, Field]]:
        """Yields each field with content and its lowest bit."""
        shift = 0
        for field in self.fields:
            if field.name != UNUSED:
                yield shift, field
            shift += field.bits

    def misfits(self, arrays: Mapping[str, AnyArray]) -> Iterator[Misfit]:
        """Yields the first number that each field cannot represent; a missing field represents only 0."""
        known = {field.name: field for _, field in self.placed()}
        for name, array in arrays.items():
            if array.dtype.kind == "f" or not array.size:
                continue
            field = known.get(name, Field(name, 0))
            low, high = field.interval
            values = array.astype(np.int64)
            outside = values[(values < low) | (values > high)]
            if outside.size:
                yield Misfit(field, int(outside.flat[0]))

    def pack(self, arrays: Mapping[str, AnyArray]) -> list[int]:
        """Returns one packed number for each entry of the arrays, which have equal length."""
        count = max((len(array) for array in arrays.values()), default=0)
        if self.bits <= ARRAY_BITS:
            found = np.zeros(count, np.uint64)
            for shift, field in self.placed():
                if field.name in arrays:
                    bits = as_unsigned(arrays[field.name]) & np.uint64((1 << field.bits) - 1)
                    found[: len(bits)] |= bits << np.uint64(shift)
            packed: list[int] = found.tolist()
            return packed
        words = [0] * count
        for shift, field in self.placed():
            if field.name in arrays:
                mask = (1 << field.bits) - 1
                for k, value in enumerate(as_bits(arrays[field.name])):
                    words[k] |= (value & mask) << shift
        return words

    def unpack(self, words: Sequence[int], name: str, dtype: np.dtype[Any]) -> AnyArray:
        """Returns the content of a field; 0 for a missing field."""
        for shift, field in self.placed():
            if field.name == name:
                values = [word >> shift & (1 << field.bits) - 1 for word in words]
                if dtype.kind == "f":
                    return np.array(values, f"u{dtype.itemsize}").view(dtype)
                if field.is_signed:
                    values = [value - (value >> field.bits - 1 << field.bits) for value in values]
                return np.array(values, np.int64).astype(dtype)
        return np.zeros(len(words), dtype)


def as_bits(array: AnyArray) -> list[int]:
    """Returns reals as the integers with the same bits, integers as they are."""
    return (array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "f" else array).tolist()


def as_unsigned(array: AnyArray) -> NDArray[np.uint64]:
    """Returns reals as the integers with the same bits, and integers as those with the same 64 bits."""
    values = array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "f" else array
    return values.astype(np.uint64) if values.dtype.kind in "ub" else values.astype(np.int64).view(np.uint64)


def hex_lines(words: Sequence[int], bits: int) -> str:
    """Returns the text of an image."""
    digits = -(-bits // 4)
    if len(words) and 0 < bits <= ARRAY_BITS and min(words) >= 0 and max(words) < 1 << 4 * digits:
        return "".join(
            hex_block(words[start : start + WORDS_AT_ONCE], digits) for start in range(0, len(words), WORDS_AT_ONCE)
        )
    return "".join(f"{word:0{digits}x}\n" for word in words)


def hex_block(words: Sequence[int], digits: int) -> str:
    """Returns lines of `digits` hexadecimal digits, which hold every word."""
    array = np.array(words, np.uint64)
    text = np.full((len(array), digits + 1), ord("\n"), np.uint8)
    for place in range(digits):
        text[:, digits - 1 - place] = HEX_DIGITS[(array >> np.uint64(4 * place)) & np.uint64(15)]
    return text.tobytes().decode("ascii")


def index_field(name: str, largest: int) -> Field:
    """Returns a field for the integers from 0 to `largest`."""
    return Field(name, max(1, largest.bit_length()))


def whole_word(fields: Sequence[Field]) -> Word:
    """Returns a word with the given fields in a whole number of bytes."""
    rest = -sum(field.bits for field in fields) % 8
    return Word((*fields, *([Field(UNUSED, rest)] if rest else [])))


# ---- words of a device


def declared_fields(texts: Sequence[str], signed: frozenset[str] = frozenset()) -> Word:
    """Returns a word from texts of a device file: `weight:8`."""
    pairs = (text.rpartition(":") for text in texts)
    return Word(tuple(Field(name, int(bits), name in signed) for name, _, bits in pairs))


def synapse_word(device: Device, format: str) -> Word:
    """Returns the word of an entry of a format: as the device declares it, else the fields that its layout needs."""
    synapse, core = device.synapse, device.core
    assert synapse is not None  # the format is one of its formats
    found = synapse.formats[format]
    signed = frozenset({"weight"}) if found.dtype.startswith("i") else frozenset[str]()
    if found.word:
        return declared_fields(found.word, signed)
    bits = int(found.dtype[1:])
    weight = Field("weight", bits, bool(signed))
    if found.layout != "sparse":
        return Word((weight,))
    neurons = (device.integer("core.neurons") if core is not None else None) or 2**16
    delays = device.integer("synapse.delay.max") or 0
    return whole_word((weight, index_field("neuron", neurons - 1), index_field("delay", delays)))

"""Numbers and addresses as text: constants, casts, and the elements of regions."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, IndexType, i1, i32
from xdsl.ir import Attribute

from ....core.diagnostics import Code, refuse
from ....core.fixed_point import Interval
from ....dialects.fixed import IntType
from ....dialects.kernels.regions import MemoryRegion
from .language import Language

KNL006 = Code("KNL006", "kernel-language-lacks", "a language of kernels has no equivalent of an op, a type or a number")
INT32 = Interval.signed(32)


def type_name(type: Attribute) -> str:
    """Returns our name of the type of a value in a body."""
    match type:
        case IntType():
            return "i32" if INT32.holds(type.interval) else "i64"
        case Float32Type():
            return "f32"
        case Float64Type():
            return "f64"
        case IndexType():
            return "u32"
        case _ if type == i1:
            return "bool"
        case _:
            assert type == i32  # verified: no other type is computed
            return "u32"


class Texts:
    """Expressions of one language."""

    def __init__(self, language: Language):
        self.language = language

    def type(self, name: str) -> str:
        """Returns a type. Errors: KNL006 the language does not have it."""
        if name not in self.language.types:
            self.refuse(f"the type {name}")
        return self.language.types[name]

    def refuse(self, what: str) -> None:
        refuse(
            KNL006,
            f"{self.language.slug} has no equivalent of {what}",
            at="a kernel",
            expected="another type, or another language: opencl and cuda have all",
            found=what,
            help="nopt targets",
        )

    def cast(self, x: str, type: str) -> str:
        return self.language.cast.format(type=self.type(type), x=x)

    def choice(self, c: str, a: str, b: str) -> str:
        return self.language.choice.format(c=c, a=a, b=b)

    def unsigned(self, value: int) -> str:
        return f"{value}{self.language.literals['u32']}"

    def integer(self, value: int, type: str) -> str:
        """Returns an integer constant of 32 or 64 bits."""
        if type == "u32":
            return self.unsigned(value)
        end = "" if type == "i32" else self.language.literals["i64"]
        lowest = -(2 ** (31 if type == "i32" else 63))
        if value == lowest:
            return f"({value + 1}{end} - 1{end})"
        return f"{value}{end}" if value >= 0 else f"({value}{end})"

    def bits(self, value: int, type: str) -> str:
        """Returns the bits of an integer as an unsigned constant, `u32` or `u64`: no language converts a negative constant alike."""
        size = 32 if type == "u32" else 64
        self.type(type)
        return f"{value % 2**size}{self.language.literals[type]}"

    def real(self, value: Any, type: str) -> str:
        """Returns a real constant with the same bits. Errors: KNL006 no infinity, or no NaN."""
        number = np.float32(value) if type == "f32" else np.float64(value)
        if not np.isfinite(number):
            known = self.language.not_a_number if np.isnan(number) else self.language.infinity
            if type not in known:
                self.refuse(f"the number {number} of {type}")
            return known[type] if np.isnan(number) or number > 0 else f"(-{known[type]})"
        text = str(number)
        if not any(mark in text for mark in ".e"):
            text = f"{text}.0"
        text += self.language.literals[type]
        return f"({text})" if text[0] == "-" else text

    def function(self, name: str, type: str, *args: str) -> str:
        """Returns a call of a function of reals. Errors: KNL006 the language has none for this type."""
        if type == "f64" and name == "copysign" and "Float" in self.language.functions[name]:
            self.refuse(f"{name} of f64")
        a, b = (*args, "")[:2]
        return self.language.functions[name].format(a=a, b=b)


def element_text(texts: Texts, region: MemoryRegion, address: str, type: str) -> str:
    """Returns an element of a region in the type of the computation."""
    word = region.word
    if word.packed > 1:
        shift, mask = (2, 3) if word.packed == 4 else (1, 1)
        bits = f"({texts.unsigned(word.bits)} * (({address}) & {texts.unsigned(mask)}))"
        held = f"{region.name}[({address}) >> {texts.unsigned(shift)}]"
        if word.kind == "u":
            text = f"(({held} >> {bits}) & {texts.unsigned(2**word.bits - 1)})"
            return text if type == "u32" else texts.cast(text, type)
        up = f"({texts.unsigned(32 - word.bits)} - {bits})"
        value = f"({texts.cast(f'{held} << {up}', 'i32')} >> {texts.unsigned(32 - word.bits)})"
        return converted(texts, value, "i32", type)
    return converted(texts, f"{region.name}[{address}]", word.name, type)


def converted(texts: Texts, x: str, given: str, type: str) -> str:
    if given == type:
        return x
    return f"({x} != {texts.cast('0', given)})" if type == "bool" else texts.cast(x, type)

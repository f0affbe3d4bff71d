"""One static function for every op of a tick: its pointers, each for one buffer and unlike all others, and its text."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import indent

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import Interval
from ....dialects import c
from ....dialects.ntensor import interval_of
from .scalars import Needs
from .text import c_type

LOCAL = re.compile(
    r"[a-z][0-9]*r?|[a-z][xy]|sum|plane|words?|here|late|taps|mem(cpy|set)"
    r"|(fabs|copysign|exp|log|sqrt|floor|ceil|trunc|rint)f?"
)
"""What the text of a function calls its own variables and what it calls; a buffer of such a name is called otherwise there."""


def constant_name(prefix: str, buffer: c.BufferOp) -> str:
    """What C calls a constant, or where a state starts; no function begins so."""
    return f"{prefix}_c_{buffer.label.data}"


class Function:
    """A function under construction. Constants are read by their own names; other memory comes in by pointers."""

    def __init__(self, name: str, needs: Needs, comment: str):
        self.name = name
        self.needs = needs
        self.comment = comment
        self.written: dict[SSAValue, bool] = {}
        self.lines: list[str] = []

    def name_of(self, memory: SSAValue) -> str:
        """How the text would call the memory of a value."""
        base = c.base_of(memory)
        buffer = c.buffer_of(base)
        if buffer.kind.data is c.Kind.CONSTANT:
            return constant_name(self.needs.prefix, buffer)
        label = buffer.label.data if base is buffer.memory else f"{buffer.label.data}_row"
        return f"{label}_" if LOCAL.fullmatch(label) else label

    def pointer(self, memory: SSAValue, is_written: bool = False) -> str:
        """How the text calls the memory of a value, for which the function has a pointer from now on."""
        base = c.base_of(memory)
        if c.buffer_of(base).kind.data is not c.Kind.CONSTANT:
            self.written[base] = self.written.get(base, False) or is_written
        return self.name_of(memory)

    def add(self, text: str) -> None:
        self.lines.append(text)

    def text(self) -> str:
        parameters = ", ".join(
            f"{'' if is_written else 'const '}{c_type(c.element_of_memory(memory))} *restrict {self.pointer(memory)}"
            for memory, is_written in self.written.items()
        )
        body = indent("\n".join(self.lines), "    ")
        return f"/* {self.comment} */\nstatic void {self.name}({parameters or 'void'}) {{\n{body}\n}}\n"

    def call(self, address: Callable[[SSAValue], str]) -> str:
        return f"{self.name}({', '.join(address(memory) for memory in self.written)});"


def is_wide(element: Attribute) -> bool:
    """Whether sums in memory of this type are computed in 64 bits."""
    held = interval_of(element)
    return isinstance(element, IntegerType) and held is not None and not Interval.signed(32).holds(held)

"""One static function for every op of a tick: its pointers, each for one buffer and unlike all others, and its text.

The optimizer takes time that grows with the square of a function or faster, and it merges all functions that are called once into their
caller. So in a tick of many ops every function stays apart, and ops whose text differs in names alone share one function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from textwrap import indent

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import Interval
from ....dialects import c
from ....dialects.ntensor import interval_of
from .scalars import WORD, Needs
from .text import c_type

LOCAL = re.compile(
    r"[a-z][0-9]*r?|[a-z][xy]|sum|plane|words?|here|late|taps|mem(cpy|set)"
    r"|(fabs|copysign|exp|log|sqrt|floor|ceil|trunc|rint)f?"
)
"""What the text of a function calls its own variables and what it calls; a buffer of such a name is called otherwise there."""


def constant_name(prefix: str, buffer: c.BufferOp) -> str:
    """What C calls a constant, or where a state starts; no function begins so."""
    return f"{prefix}_c_{buffer.label.data}"


MOST_MERGED = 32
"""Ops of a tick up to which the compiler may merge their functions into one: at 64 delays of 8 neurons, GCC 12 takes 8 s for it."""


class Function:
    """A function under construction. Constants are read by their own names; other memory comes in by pointers."""

    def __init__(self, name: str, needs: Needs, comment: str):
        self.name = name
        self.needs = needs
        self.comment = comment
        self.constants: dict[str, Attribute] = {}
        """The constants that come in by pointers, because the function is that of several ops."""
        self.same: Function = self
        """The function that does the same for another op, which is called in its place."""
        self.sharers = 0
        """How many other ops call this function."""
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

    def parameters(self) -> list[tuple[str, str]]:
        """Type and name of each parameter."""
        pointers = [
            (f"{'' if is_written else 'const '}{c_type(c.element_of_memory(memory))} *restrict", self.pointer(memory))
            for memory, is_written in self.written.items()
        ]
        return pointers + [(f"const {c_type(element)} *restrict", name) for name, element in self.constants.items()]

    def text(self, mark: str = "") -> str:
        """The definition; `mark` is what the program asks of the compiler for it."""
        parameters = ", ".join(f"{type} {name}" for type, name in self.parameters())
        more = f"; the same for {self.sharers} more" if self.sharers else ""
        body = indent("\n".join(self.lines), "    ")
        return f"/* {self.comment}{more} */\nstatic {mark}void {self.name}({parameters or 'void'}) {{\n{body}\n}}\n"

    def call(self, address: Callable[[SSAValue], str]) -> str:
        arguments = [*(address(memory) for memory in self.written), *self.constants]
        return f"{self.same.name}({', '.join(arguments)});"

    def anonymous(self) -> tuple[str, ...]:
        """The types of the parameters and the text with a number for each name: equal for functions that do the same."""
        parameters = self.parameters()
        numbers = {name: f"@{k}" for k, (_, name) in enumerate(parameters)}
        text = WORD.sub(lambda word: numbers.get(word[0], word[0]), "\n".join(self.lines))
        return (*(type for type, _ in parameters), text)


def share(functions: Iterable[Function], elements: Mapping[str, Attribute]) -> None:
    """Lets ops call one function where theirs differ in names alone. `elements` are those of the constants by name."""
    first: dict[tuple[str, ...], Function] = {}
    for function in functions:
        words = WORD.findall("\n".join(function.lines))
        function.constants = {word: elements[word] for word in words if word in elements}
        function.same = first.setdefault(function.anonymous(), function)
        function.same.sharers += function.same is not function
    for function in first.values():
        if not function.sharers:
            function.constants = {}  # by their own names, as in a small program


def is_wide(element: Attribute) -> bool:
    """Whether sums in memory of this type are computed in 64 bits."""
    held = interval_of(element)
    return isinstance(element, IntegerType) and held is not None and not Interval.signed(32).holds(held)

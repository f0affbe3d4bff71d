"""One static function for every op of a tick: its pointers, each to one buffer without aliases, and its text.

The time of the optimizer grows at least with the square of the size of a function, and it inlines all functions that are called once.
In a tick of many ops every function is therefore kept separate, and ops whose text differs only in names share one function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from textwrap import indent

from attrs import frozen
from xdsl.ir import Attribute, SSAValue

from ....core.fixed_point import Interval
from ....dialects import c
from ....dialects.ntensor import interval_of
from .scalars import WORD, Needs
from .text import block, c_type

LOCAL = re.compile(
    r"[a-z][0-9]*r?|[a-z][xy]|sum|plane|words?|here|held|row|late|taps|first|last|parts?|from|to|mem(cpy|set)"
    r"|(fabs|copysign|exp|log|sqrt|floor|ceil|trunc|rint)f?"
)
"""Names of local variables and helpers in the text of functions; buffers with such a name are renamed there."""


def constant_name(prefix: str, buffer: c.BufferOp) -> str:
    """Returns the C name of a constant or of initial states; no function has this prefix."""
    return f"{prefix}_c_{buffer.label.data}"


MOST_MERGED = 32
"""Number of ops of a tick up to which the compiler may inline their functions: for 64 delays of 8 neurons, GCC 12 takes 8 s."""


LINE = 64
"""Elements of a line of the cache, at least: two threads do not write to the same line."""


@frozen
class Cut:
    """Synapses that threads share: the names of the first synapses of the groups and of the targets, and their numbers."""

    start: str
    target: str
    element: Attribute
    """The type of the first synapses."""
    groups: int
    targets: int


class Function:
    """A function under construction. Constants are read by their own names; other memory is passed by pointers."""

    def __init__(self, name: str, needs: Needs, comment: str, is_split: bool = False):
        self.name = name
        self.needs = needs
        self.comment = comment
        self.constants: dict[str, Attribute] = {}
        """The constants that are passed by pointers, because several ops share the function."""
        self.same: Function = self
        """The function of another op with the same code, which is called instead."""
        self.sharers = 0
        """Number of other ops that call this function."""
        self.written: dict[SSAValue, bool] = {}
        self.lines: list[str] = []
        self.has_rows = False
        """Whether it adds rows of integers, event by event."""
        self.is_split = is_split
        """Whether it computes part `part` of `parts`."""
        self.cut: Cut | None = None
        """The synapses of which `from` and `to` are the boundaries of a part."""

    def name_of(self, memory: SSAValue) -> str:
        """Returns the name of a value's memory in the text."""
        base = c.base_of(memory)
        buffer = c.buffer_of(base)
        if buffer.kind.data is c.Kind.CONSTANT:
            return constant_name(self.needs.prefix, buffer)
        label = buffer.label.data if base is buffer.memory else f"{buffer.label.data}_row"
        return f"{label}_" if LOCAL.fullmatch(label) else label

    def pointer(self, memory: SSAValue, is_written: bool = False) -> str:
        """Adds a pointer to the memory of a value and returns its name in the text."""
        base = c.base_of(memory)
        if c.buffer_of(base).kind.data is not c.Kind.CONSTANT:
            self.written[base] = self.written.get(base, False) or is_written
        return self.name_of(memory)

    def add(self, *texts: str) -> None:
        self.lines += texts

    def bounds(self, length: int, unit: int = LINE) -> tuple[str | int, str | int]:
        """Returns the range of the outermost loop over `length` elements: that of the part, or all. Options: unit: parts are multiples of it."""
        if not self.is_split:
            return 0, length
        start = self.needs.helper("part_start")
        self.lines.insert(
            0,
            f"const size_t first = {start}({length}, {unit}, part, parts), last = {start}({length}, {unit}, part + 1, parts);",
        )
        return "first", "last"

    def parameters(self) -> list[tuple[str, str]]:
        """Returns type and name of each parameter."""
        pointers = [
            (f"{'' if is_written else 'const '}{c_type(c.element_of_memory(memory))} *restrict", self.pointer(memory))
            for memory, is_written in self.written.items()
        ]
        constants = [(f"const {c_type(element)} *restrict", name) for name, element in self.constants.items()]
        cuts = (
            []
            if self.cut is None
            else [(f"const {c_type(self.cut.element)} *restrict", name) for name in ("from", "to")]
        )
        parts = [("const size_t", "part"), ("const size_t", "parts")] if self.is_split else []
        return [*pointers, *constants, *cuts, *parts]

    def text(self, mark: str = "") -> str:
        """Returns the definition; `mark` is an attribute for the compiler."""
        parameters = ", ".join(f"{type} {name}" for type, name in self.parameters())
        more = f"; the same for {self.sharers} more" if self.sharers else ""
        body = indent("\n".join(self.lines), "    ")
        return f"/* {self.comment}{more} */\nstatic {mark}void {self.name}({parameters or 'void'}) {{\n{body}\n}}\n"

    def call(self, address: Callable[[SSAValue], str], part: Sequence[str] = ()) -> str:
        """Returns the call for a tick. Options: part: the boundaries, the part and the number of parts; default: one part is the whole."""
        if self.is_split and not part:
            cuts = [] if self.cut is None else [self.cut.start, f"{self.cut.start} + 1"]
            part = [*cuts, "0", "1"]
        arguments = [*(address(memory) for memory in self.written), *self.constants, *part]
        called = f"{self.same.name}({', '.join(arguments)});"
        rows = [memory for memory, is_written in self.written.items() if is_written]
        if rows and all(c.buffer_of(memory).is_occasional is not None for memory in rows):
            return block(f"if ({' && '.join(f'{address(memory)} != NULL' for memory in rows)})", called)
        return called

    def anonymous(self) -> tuple[str, ...]:
        """Returns the types of the parameters and the text with a number for each name: equal for functions with equal code."""
        parameters = self.parameters()
        numbers = {name: f"@{k}" for k, (_, name) in enumerate(parameters)}
        text = WORD.sub(lambda word: numbers.get(word[0], word[0]), "\n".join(self.lines))
        return (*(type for type, _ in parameters), text)


def share(functions: Iterable[Function], elements: Mapping[str, Attribute]) -> None:
    """Merges functions that differ only in names, so that their ops share one. `elements` has the element type of each constant by name."""
    first: dict[tuple[str, ...], Function] = {}
    for function in functions:
        words = WORD.findall("\n".join(function.lines))
        function.constants = {word: elements[word] for word in words if word in elements}
        function.same = first.setdefault(function.anonymous(), function)
        function.same.sharers += function.same is not function
    for function in first.values():
        if not function.sharers:
            function.constants = {}  # read by their own names, as in a small program


def sum_type(*elements: Attribute) -> str:
    """Returns the C type of sums: the first of `elements` is the memory type of the sums, all others are memory types of their operands."""
    if c.is_real(elements[0]):
        return c_type(elements[0])
    held = [interval_of(element) for element in elements]
    return "int32_t" if all(one is not None and Interval.signed(32).holds(one) for one in held) else "int64_t"

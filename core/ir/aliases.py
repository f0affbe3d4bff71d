"""Bounds on the aliases of a text (`#a = [1, 2]`, `!t = tuple<i1, i1>`). Aliases can refer to aliases, so the expansion of a few lines can grow
exponentially and exceed any memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, ParametrizedAttribute

LARGEST_EXPANSION = 1_000_000
"""Maximum number of attributes in the expansion of a text's aliases, counted once per use."""
DEEPEST_ALIAS = 64
"""Maximum nesting depth of aliases that refer to aliases."""
FREE = 16
"""Maximum size of an uncounted alias, whose expansion is hardly longer than its name."""


class Aliases(dict[str, Attribute]):
    """Alias table of a parser; calls `refuse` when the expansion exceeds the bounds."""

    def __init__(self, refuse: Callable[[str], NoReturn]):
        super().__init__()
        self.refuse = refuse
        self.measured: dict[int, tuple[int, int]] = {}
        """Size and depth of each alias's expansion, by the identity of an attribute that this table keeps alive."""
        self.used = 0

    def __setitem__(self, name: str, value: Attribute) -> None:
        size, depth = self.measure(value)
        if depth > DEEPEST_ALIAS:
            self.refuse(f"aliases refer to aliases more than {DEEPEST_ALIAS} levels deep")
        self.measured[id(value)] = (size, depth + 1)
        super().__setitem__(name, value)

    def __getitem__(self, name: str) -> Attribute:
        value = super().__getitem__(name)
        size, _ = self.measured[id(value)]
        self.used += size if size > FREE else 0
        if self.used > LARGEST_EXPANSION:
            self.refuse(f"aliases expand to more than {LARGEST_EXPANSION} attributes")
        return value

    def measure(self, value: Attribute) -> tuple[int, int]:
        """Returns the number of nested attributes, including the attribute itself, and the depth of aliases."""
        size, depth = 0, 0
        waiting = [value]
        while waiting:
            part = waiting.pop()
            inside_size, inside_depth = self.measured.get(id(part), (0, 0))
            if not inside_size:
                inside_size = 1
                waiting += attributes_in(part)
            size += inside_size
            depth = max(depth, inside_depth)
        return size, depth


def attributes_in(attribute: Attribute) -> Iterable[Attribute]:
    """Returns the direct sub-attributes of an attribute."""
    match attribute:
        case ParametrizedAttribute():
            return attribute.parameters
        case DictionaryAttr():
            return attribute.data.values()
        case ListAttr():
            entries: ListAttr[Attribute] = attribute
            return entries.data
        case _:
            return ()

"""Aliases of a text (`#a = [1, 2]`, `!t = tuple<i1, i1>`), within bounds: a few lines of them can stand for more than any memory
holds, since an alias may name another one twice, and that one a third twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Attribute, ParametrizedAttribute

LARGEST = 1_000_000
"""Attributes that the aliases of one text may stand for, each counted wherever it is used."""
DEEPEST = 64
"""Aliases of aliases of aliases."""
FREE = 16
"""An alias for so few attributes costs nothing: it is hardly longer than its name."""


class Aliases(dict[str, Attribute]):
    """What a parser knows its aliases by; refuses, through `refuse`, what they stand for beyond the bounds."""

    def __init__(self, refuse: Callable[[str], NoReturn]):
        super().__init__()
        self.refuse = refuse
        self.measured: dict[int, tuple[int, int]] = {}
        """Size and depth of what each alias stands for, by the identity of an attribute that this table keeps alive."""
        self.used = 0

    def __setitem__(self, name: str, value: Attribute) -> None:
        size, depth = self.measure(value)
        if depth > DEEPEST:
            self.refuse(f"aliases stand for each other more than {DEEPEST} levels deep")
        self.measured[id(value)] = (size, depth + 1)
        super().__setitem__(name, value)

    def __getitem__(self, name: str) -> Attribute:
        value = super().__getitem__(name)
        size, _ = self.measured[id(value)]
        self.used += size if size > FREE else 0
        if self.used > LARGEST:
            self.refuse(f"aliases stand for more than {LARGEST} attributes")
        return value

    def measure(self, value: Attribute) -> tuple[int, int]:
        """How many attributes stand in one, itself included, and how many levels of aliases."""
        size, depth = 0, 0
        waiting = [value]
        while waiting:
            part = waiting.pop()
            inside_size, inside_depth = self.measured.get(id(part), (0, 0))
            if not inside_size:
                inside_size = 1
                waiting += parts(part)
            size += inside_size
            depth = max(depth, inside_depth)
        return size, depth


def parts(attribute: Attribute) -> Iterable[Attribute]:
    """The attributes that stand directly in one."""
    match attribute:
        case ParametrizedAttribute():
            return attribute.parameters
        case DictionaryAttr():
            return attribute.data.values()
        case ListAttr():
            return attribute.data
        case _:
            return ()

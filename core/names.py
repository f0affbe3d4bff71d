"""Unique names and symbols: the first unused one of a series."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Protocol, Self

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation

from .diagnostics import symbol_of


class Names:
    """Set of used names, with the series `name`, `name_1`, `name_2`, …. Names are never released, so each series is searched only once."""

    def __init__(self, taken: Iterable[str] = (), start: int = 1, separator: str = "_"):
        self._taken = set(taken)
        self._start = start
        """The first number of a series."""
        self._separator = separator
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Returns the first unused name of the series of `wanted`, and marks it as used."""
        name, k = wanted, self._next.get(wanted, self._start)
        while name in self._taken:
            name, k = f"{wanted}{self._separator}{k}", k + 1
        self._next[wanted] = k
        self._taken.add(name)
        return name


class PrimedNames:
    """Set of used names, with the series `name`, `name'`, `name''`, …, in which names can be released."""

    def __init__(self, taken: Iterable[str | None] = ()):
        self.taken = set(taken)

    def take(self, wanted: str) -> str:
        """Returns the first unused name of the series of `wanted`, and marks it as used."""
        name = primed(wanted, self.taken)
        self.taken.add(name)
        return name

    def free(self, name: str) -> None:
        """Releases a name."""
        self.taken.discard(name)


def primed(name: str, taken: Container[str | None]) -> str:
    """Returns the first unused name of `name`, `name'`, `name''`, …."""
    while name in taken:
        name += "'"
    return name


class Definition(Protocol):
    """An op with a symbol, which can be compared with others of its class."""

    sym_name: StringAttr

    def is_equal(self, other: Self) -> bool: ...


def symbols_of(module: ModuleOp) -> dict[str, Operation]:
    """Returns the ops of a module that have a symbol, by symbol."""
    return {symbol: op for op in module.ops if (symbol := symbol_of(op)) is not None}


def shared_symbol(made: Definition, known: Mapping[str, Operation]) -> str:
    """Returns the symbol of a known definition that equals `made`; without one the first unused symbol of `name`, `name'`, `name''`, …."""
    name = made.sym_name.data
    while (there := known.get(name)) is not None and not (isinstance(there, type(made)) and made.is_equal(there)):
        name += "'"
    return name

"""Unique names: the first unused one of `name`, `name_1`, `name_2`, …, in constant time on average."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """Set of used names. Names are never released, so each series is searched only once."""

    def __init__(self, taken: Iterable[str] = (), start: int = 1):
        self._taken = set(taken)
        self._start = start
        """The first number of a series."""
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Returns the first unused name of the series of `wanted`, and marks it as used."""
        name, k = wanted, self._next.get(wanted, self._start)
        while name in self._taken:
            name, k = f"{wanted}_{k}", k + 1
        self._next[wanted] = k
        self._taken.add(name)
        return name

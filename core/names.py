"""Free names: the first of `name`, `name_1`, `name_2`, … that nothing else has, in constant time on average."""

from __future__ import annotations

from collections.abc import Iterable


class Names:
    """The names that are taken. None is ever given back, so that a series is searched once, not once for each of its names."""

    def __init__(self, taken: Iterable[str] = (), start: int = 1):
        self._taken = set(taken)
        self._start = start
        """The first number of a series."""
        self._next: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """Returns the first free name of the series of `wanted`, which is then taken."""
        name, k = wanted, self._next.get(wanted, self._start)
        while name in self._taken:
            name, k = f"{wanted}_{k}", k + 1
        self._next[wanted] = k
        self._taken.add(name)
        return name

"""Search for the smallest module that is still interesting: candidates, the budget of trials, and the division of lists into parts.

Source: A. Zeller and R. Hildebrandt, Simplifying and isolating failure-inducing input, IEEE TSE 28 (2002), for `minimize`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from attrs import define
from xdsl.dialects.builtin import ModuleOp

from ...core.ir.source import verify
from ...core.progress import Progress

Item = TypeVar("Item")

ModuleChange = Callable[[ModuleOp], bool]
"""Changes a module in place, and returns whether it did; the module need not be valid afterwards."""


class Exhausted(Exception):
    """End of a search: all trials are used."""


class Conflict(Exception):
    """A change that cannot result in a valid module."""


@define
class Search:
    """The smallest interesting module so far."""

    module: ModuleOp
    is_interesting: Callable[[ModuleOp], bool]
    max_trials: int
    progress: Progress | None = None
    trials: int = 0

    def count_trial(self) -> None:
        """Counts a trial. Raises `Exhausted` if no trial is left."""
        if self.trials >= self.max_trials:
            raise Exhausted
        self.trials += 1
        if self.progress is not None:
            self.progress(self.trials, self.max_trials)

    def accepts(self, change: ModuleChange, base: ModuleOp | None = None) -> bool:
        """Applies a change to a copy of the module, or of `base`, and keeps the copy if it is valid and interesting."""
        candidate = (self.module if base is None else base).clone()
        try:
            if not change(candidate):
                return False
        except Conflict:
            return False
        if next(verify(candidate), None) is not None:
            return False
        self.count_trial()
        if not self.is_interesting(candidate):
            return False
        self.module = candidate
        return True


def minimize(items: Sequence[Item], test: Callable[[Sequence[Item]], bool]) -> list[Item]:
    """Returns a minimal subset of items for which `test` holds: it fails if any single item is removed. It must hold for all items.

    Parts are removed while the test holds, first halves, then parts of half the length. Parts of one item are tried repeatedly until none can be removed.
    """
    kept = list(items)
    size = max(1, len(kept) // 2)
    while kept:
        start, before = 0, len(kept)
        while start < len(kept):
            rest = kept[:start] + kept[start + size :]
            if test(rest):
                kept = rest
            else:
                start += size
        if size == 1 and len(kept) == before:
            break
        size = max(1, size // 2)
    return kept


def least(low: int, high: int, test: Callable[[int], bool]) -> int:
    """Returns, by bisection, the least number from `low` for which a monotone test holds. The test must hold for `high`."""
    while low < high:
        middle = (low + high) // 2
        if test(middle):
            high = middle
        else:
            low = middle + 1
    return high

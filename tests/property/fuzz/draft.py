"""A command under construction, which is good or has damaged files and unusual options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from options import ODD, some


@dataclass
class Draft:
    """A command under construction."""

    random: Random
    is_good: bool = False
    """Whether files and options are undamaged; such drafts show whether the cases of a verb start from commands that succeed."""
    files: dict[str, bytes] = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)
    """Files that may exist in the folder after success, or change then."""
    always: set[str] = field(default_factory=set)
    """Files that may exist there after a refusal, too."""
    format: str = "text"
    standard_input: bytes = b""
    answer: str = ""
    """Regular expression of the output of a command that succeeds with exit code 1, such as a difference."""

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def damages(self, share: float) -> bool:
        """Returns whether a part of the command is damaged."""
        return not self.is_good and self.chance(share)

    def some(self, good: Sequence[str], odd: Sequence[str] = ODD, share: float = 0.06) -> str:
        """Returns a valid value, or sometimes an unusual one."""
        return some(self.random, good, odd, 0 if self.is_good else share)

    def option(self, name: str, value: str) -> None:
        """Adds an option in one of its spellings."""
        self.arguments += [f"{name}={value}"] if name.startswith("--") and self.chance(0.5) else [name, value]

    def maybe(self, share: float, name: str, *good: str, odd: Sequence[str] = ODD) -> None:
        if self.chance(share):
            self.option(name, self.some(good, odd))

    def unusual(self, share: float, name: str, *values: str) -> None:
        """Adds an option whose values are refused by many networks and devices, except in a good draft."""
        if self.damages(share):
            self.option(name, some(self.random, values))

"""Largest size of a file's arrays. It is compared with the array headers before memory is allocated: a small file can expand to a large array of zeros.

The limit is 512 MiB, or the size of the file if that is larger. `limited_arrays` sets another limit for a context.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from attrs import frozen

MOST_BYTES = 2**29


@frozen
class Limit:
    """A limit of a context, and the option that sets it."""

    most: int | None = None
    option: str | None = None
    """`--limit bytes=`, to which a number is appended; None where no option sets the limit."""
    unit: str = ""


CHOSEN: ContextVar[Limit] = ContextVar("CHOSEN", default=Limit())  # noqa: B039 (immutable)


class Oversized(ValueError):
    """The arrays of a file exceed the limit. Arguments: the size and the permitted size in bytes, the name of the array, and the limit."""


class Allowance:
    """Limit on the total bytes of a file's arrays."""

    def __init__(self, path: str | Path):
        self.limit = CHOSEN.get()
        self.most = max(MOST_BYTES, Path(path).stat().st_size) if self.limit.most is None else self.limit.most
        self.taken = 0

    def take(self, size: int, name: str = "") -> None:
        """Adds the bytes of an array. Raises Oversized."""
        self.taken += size
        if self.taken > self.most:
            raise Oversized(self.taken, self.most, name, self.limit)


@contextmanager
def limited_arrays(most: int | None, option: str, unit: str = "") -> Generator[None]:
    """Limits the bytes of arrays in each file that this context reads; a smaller limit of an outer context still applies."""
    outer = CHOSEN.get()
    is_less = outer.most is None or (most is not None and most < outer.most)
    token = CHOSEN.set(Limit(most, option, unit) if is_less else outer)
    try:
        yield
    finally:
        CHOSEN.reset(token)

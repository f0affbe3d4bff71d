"""Progress of long operations: a function that is called with the number of steps that are done, and the number of all steps.

A step is what the operation counts: ticks, passes, devices, points. An operation of several parts with different steps divides its progress
with `part_progress`, in `FINE` steps for each part.
"""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with the number of steps that are done, and the number of all steps."""

FINE = 1000
"""Steps of a part of an operation."""


def offset_progress(progress: Progress | None, before: int, all: int) -> Progress | None:
    """Returns the progress of one of several runs, which follows `before` of `all` steps."""
    return None if progress is None else lambda done, _: progress(before + done, all)


def part_progress(progress: Progress | None, part: int, parts: int, size: int = 1) -> Progress | None:
    """Returns the progress of `size` of several parts, which follow `part` finished ones; all parts count as equally long.

    part_progress(progress, 1, 4)(5, 10) calls progress(1500, 4000)
    """
    if progress is None:
        return None
    return lambda done, all: progress(part * FINE + size * FINE * done // max(all, 1), parts * FINE)


def report_part(progress: Progress | None, done: int, parts: int) -> None:
    """Reports that some of several parts are finished."""
    if progress is not None:
        progress(done * FINE, parts * FINE)


def require_progress(progress: object) -> None:
    """Raises a TypeError for a value that is neither a function nor None."""
    if progress is not None and not callable(progress):
        raise TypeError(
            f"progress: expected a function of two integers, done and all, or None, found {type(progress).__name__}"
        )

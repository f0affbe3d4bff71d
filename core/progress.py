"""Progress of long operations: a function that is called with the number of finished steps and the total number of steps.

Steps are ticks, passes, devices or points, depending on the operation. An operation of several parts with different steps divides its progress
with `part_progress`, in `FINE` steps for each part.

An operation also names its current activity, such as a pass, a device or a run, with `doing`. The line on a terminal and the message of a time
budget show these names.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import local
from time import monotonic

from attrs import Factory, define

Progress = Callable[[int, int], None]
"""Called with the number of finished steps and the total number of steps."""

FINE = 1000
"""Steps of a part of an operation."""


def offset_progress(progress: Progress | None, before: int, all: int) -> Progress | None:
    """Returns a progress function for one of several runs: it adds `before` to the steps done, and reports `all` as the total."""
    return None if progress is None else lambda done, _: progress(before + done, all)


def part_progress(progress: Progress | None, part: int, parts: int, size: int = 1) -> Progress | None:
    """Returns a progress function for the next `size` of `parts` parts, after `part` finished parts. All parts count as equally long.

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


# ---- names of what is done


@define(eq=False)
class Activity:
    """Named part of an operation, from its start to its end."""

    name: str
    place: str = ""
    """Position in a sequence of such parts: `2 of 7`."""
    done: int = 0
    all: int = 0
    started: float = Factory(monotonic)
    longest: tuple[float, str] = (0.0, "")
    """Duration [s] and name of the longest finished part."""

    def counting(self, progress: Progress | None) -> Progress:
        """Returns a progress that is also stored here."""

        def count(done: int, all: int) -> None:
            self.done, self.all = done, all
            if progress is not None:
                progress(done, all)

        return count

    def head(self) -> str:
        """Formats the name and the place."""
        return f"{self.name} ({self.place})" if self.place else self.name

    def text(self) -> str:
        """Formats the name, the place, the finished share if it is known, and the time [s]."""
        share = f", {100 * self.done // self.all} % done" if self.all else ""
        return f"{self.head()} for {monotonic() - self.started:.1f} s{share}"


class Activities(local):
    """Unfinished activities of a thread, the outermost first."""

    def __init__(self) -> None:
        self.open: list[Activity] = [Activity("the command")]


ACTIVITIES = Activities()


@contextmanager
def doing(name: str, number: int = 0, of: int = 0) -> Generator[Activity]:
    """Context that names the current activity, which is part `number` of several if the parts are counted.

    with doing("pass ntensor-fold", 2, 7): …
    """
    one, open = Activity(name, f"{number} of {of}" if of > 1 else ""), ACTIVITIES.open
    open.append(one)
    try:
        yield one
    finally:
        open.remove(one)
        open[-1].longest = max(open[-1].longest, one.longest, (monotonic() - one.started, one.name))

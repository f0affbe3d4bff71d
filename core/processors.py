"""Processors that a context may use: those of this process, or fewer."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

CHOSEN: ContextVar[int | None] = ContextVar("CHOSEN", default=None)


@contextmanager
def limited_processors(count: int | None) -> Generator[None]:
    """Sets the number of threads of the engines that this context starts; None keeps that of an outer context."""
    token = CHOSEN.set(CHOSEN.get() if count is None else count)
    try:
        yield
    finally:
        CHOSEN.reset(token)


def chosen_processors() -> int | None:
    """Returns the number of threads that the context sets; None if it sets none."""
    return CHOSEN.get()


def processor_count() -> int:
    """Returns the number of threads of an engine: the one that the context sets, or the processors that this process may use."""
    chosen = CHOSEN.get()
    if chosen is not None:
        return chosen
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        return os.cpu_count() or 1

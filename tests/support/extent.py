"""The number of generated cases of a test: few, and CASES times as many in `make soak`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

FACTOR = int(os.environ.get("CASES", "1"))
Case = TypeVar("Case")


def times(few: int) -> int:
    """Returns the number of cases of a test with `few` outside `make soak`."""
    return few * FACTOR


def seeds(few: int) -> range:
    """Returns the seeds of a test with `few` outside `make soak`."""
    return range(times(few))


def some(cases: Sequence[Case], every: int) -> Sequence[Case]:
    """Returns one of `every` cases; in `make soak` more, up to all of them."""
    return cases[:: max(1, every // FACTOR)]

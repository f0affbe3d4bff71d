"""The output of a population in the last ticks, for synapses with individual delays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class History:
    """The rows of this tick and of `longest` before it; zeros before the first tick.

    Both methods return rows and the index of a tick among them: the output of `d` ticks earlier is row
    `(place - d) % len(rows)`. A run may mix them.

    Shapes: x [samples, neurons], blocks [ticks, samples, neurons], rows [n, samples, neurons].
    """

    def __init__(self, longest: int, samples: int, neurons: int, dtype: np.dtype[Any]):
        self._rows = np.zeros((longest + 1, samples, neurons), dtype)
        self._now = longest

    def tick(self, x: NDArray[Any]) -> tuple[NDArray[Any], int]:
        """Begins a tick. The rows are valid until the next one."""
        self._now = (self._now + 1) % len(self._rows)
        self._rows[self._now] = x
        return self._rows, self._now

    def block(self, xs: NDArray[Any]) -> tuple[NDArray[Any], int]:
        """Processes a block of ticks. Returns a block that continues the rows of earlier ticks, and the index of its first tick."""
        size = len(self._rows)
        before = self._rows[(self._now + 2 + np.arange(size - 1)) % size]
        rows = np.concatenate([before, xs]) if size > 1 else xs
        if len(xs):
            self._rows = rows[len(rows) - size :].copy()
            self._now = size - 1
        return rows, size - 1

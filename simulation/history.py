"""What a population gave in the last ticks, for synapses that each look back by a delay of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class History:
    """The rows of this tick and of `longest` before it; zeros before the first tick.

    Both ways to go on give rows and the place of a tick among them: what was given `d` ticks earlier stands at
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
        """Goes through a block of ticks: its rows behind those before it, and the place of its first tick."""
        size = len(self._rows)
        before = self._rows[(self._now + 2 + np.arange(size - 1)) % size]
        rows = np.concatenate([before, xs]) if size > 1 else xs
        if len(xs):
            self._rows = rows[len(rows) - size :].copy()
            self._now = size - 1
        return rows, size - 1

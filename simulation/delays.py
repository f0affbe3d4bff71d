"""Delay rings: the output of a population in the last ticks, read with one delay or with a delay per neuron.

A ring is written and read tick by tick inside of a cycle of the network, or by blocks of ticks elsewhere. Both return the same
values, and a run may mix them. The ring has one row more than the longest delay, so a row that was read remains
valid until the tick after it is written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class DelayRing:
    """`y(t) = x(t - ticks)`; zero before the first tick.

    Shapes: ticks () or [*shape]; every row [samples, *shape], every block [T, samples, *shape]. Units: ticks [ticks], 0 or more.
    """

    def __init__(self, ticks: NDArray[Any], samples: int, shape: tuple[int, ...], dtype: np.dtype[Any]):
        self.longest = int(ticks.max(initial=0))
        self._rows = np.zeros((self.longest + 1, samples, *shape), dtype)
        self._now = 0
        """The row of the current tick."""
        self._delay: NDArray[np.int64] | None = None
        """The delay of each neuron; None if all neurons have the longest delay."""
        self._place: NDArray[np.int64] = np.zeros((0, 0), np.int64)
        """Index of each neuron in a row; used only with delays per neuron."""
        flat = ticks.reshape(-1).astype(np.int64)
        if flat.size and (flat != self.longest).any():
            self._delay = flat
            self._place = np.arange(samples * flat.size).reshape(samples, flat.size)

    def read(self) -> NDArray[Any]:
        """Returns the delayed row of this tick. May be called before `write` if every delay is at least one tick."""
        rows = self._rows
        if self._delay is None:
            return rows[(self._now - self.longest) % len(rows)]
        row = (self._now - self._delay) % len(rows)
        return rows.reshape(-1).take(self._place + row * self._place.size).reshape(rows.shape[1:])

    def write(self, x: NDArray[Any]) -> None:
        """Ends the tick with the output `x`."""
        self._rows[self._now] = x
        self._now = (self._now + 1) % len(self._rows)

    def tick(self, x: NDArray[Any]) -> NDArray[Any]:
        """Returns the delayed row of the tick with the output `x`, for delays that may be zero; ends the tick."""
        self._rows[self._now] = x
        found = self.read()
        self._now = (self._now + 1) % len(self._rows)
        return found

    def push(self, block: NDArray[Any]) -> NDArray[Any]:
        """Returns the delayed rows of a block of ticks and ends these ticks."""
        if not self.longest:
            return block
        size, count = len(self._rows), len(block)
        before = (self._now + 1 + np.arange(self.longest)) % size
        line = np.concatenate([self._rows[before], block])
        found = line[:count]
        if self._delay is not None:
            found = np.empty(block.shape, block.dtype)
            arriving, flat = (array.reshape(*array.shape[:2], self._delay.size) for array in (found, line))
            for delay in np.unique(self._delay).tolist():
                neurons = np.flatnonzero(self._delay == delay)
                start = self.longest - delay
                arriving[:, :, neurons] = flat[start : start + count, :, neurons]
        kept = min(size, count)
        self._now = (self._now + count) % size
        self._rows[(self._now - kept + np.arange(kept)) % size] = block[count - kept :]
        return found

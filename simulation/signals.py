"""What goes into a run: one array or one list of events for each network input, in samples and ticks.

A signal is asked for windows, so that a long recording of few events never stands dense in memory as a whole. Values are
taken as they are; the model converts them to the type of its input.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.diagnostics import Code, refuse

SIG001 = Code(
    "SIG001",
    "the arrays of an event signal do not fit together",
    cause="Events are given as arrays of one axis, one entry for each event: tick, index, and where there are any, sample and value. "
    "Entry k of each belongs to event k, so they are equally long; tick, index and sample are integers.",
    remedy="Save arrays of equal length, as integers.",
)
SIG002 = Code(
    "SIG002",
    "an event lies outside of its signal",
    cause="Ticks, samples and flat indices count from 0 and end before `ticks`, `samples` and the number of elements of `shape`.",
    remedy="Correct the event that the message names, or the shape, ticks or samples of the signal.",
)
SIG003 = Code(
    "SIG003",
    "an array is no signal",
    cause="A dense signal has an axis of samples and an axis of ticks before those of the input, and holds numbers.",
    remedy="Give an array of bool, integers or floats with at least the axes [samples, ticks].",
)


class Signal(Protocol):
    """One input over all samples and ticks of a run."""

    @property
    def samples(self) -> int: ...

    @property
    def ticks(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        """The values of a window, `[ticks, samples, *shape]`; zero where it reaches beyond the last tick."""
        ...


class DenseSignal:
    """A signal that stands in memory.

    Shapes: values [samples, ticks, *shape]. Errors: SIG003 fewer axes, or no numbers.
    """

    def __init__(self, values: NDArray[Any]):
        if values.ndim < 2 or values.dtype.kind not in "biuf":
            refuse(
                SIG003,
                "an array is no signal",
                expected="bool, integers or floats, [samples, ticks, ...]",
                found=f"{values.dtype} of shape {values.shape}",
            )
        self.values = values
        self.samples, self.ticks, *shape = values.shape
        self.shape = tuple(shape)

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        found = np.swapaxes(self.values[samples, ticks], 0, 1)
        missing = ticks.stop - ticks.start - len(found)
        if missing:
            rest = np.zeros((missing, *found.shape[1:]), found.dtype)
            found = np.concatenate([found, rest])
        return found


class EventSignal:
    """A signal that is zero except at its events. Events at the same place add up.

    Shapes: tick, index, sample and value [events]; `index` is the flat index into `shape`. `value` is 1 and `sample` 0
    where they are not given. Errors: SIG001 unequal lengths; SIG002 an event outside of the signal.
    """

    def __init__(
        self,
        tick: ArrayLike,
        index: ArrayLike,
        *,
        shape: Sequence[int],
        ticks: int,
        sample: ArrayLike | None = None,
        value: ArrayLike | None = None,
        samples: int = 1,
    ):
        self.samples, self.ticks, self.shape = samples, ticks, tuple(shape)
        given = {
            "tick": np.asarray(tick),
            "index": np.asarray(index),
            "sample": np.zeros(np.shape(tick), np.int64) if sample is None else np.asarray(sample),
            "value": np.ones(np.shape(tick), np.int64) if value is None else np.asarray(value),
        }
        verify_events(given, {"tick": ticks, "index": prod(self.shape), "sample": samples})
        order = np.argsort(given["tick"], kind="stable")
        self._tick, self._index, self._sample = (given[k][order].astype(np.int64) for k in ("tick", "index", "sample"))
        value = given["value"][order]
        # repeats of a bool are counted, not joined
        self._value = value.astype(np.int64) if value.dtype.kind == "b" else value

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        size, count = prod(self.shape), samples.stop - samples.start
        found = np.zeros((ticks.stop - ticks.start, count, *self.shape), self._value.dtype)
        some = slice(*np.searchsorted(self._tick, [ticks.start, ticks.stop]).tolist())
        at = ((self._tick[some] - ticks.start) * count + self._sample[some] - samples.start) * size + self._index[some]
        value = self._value[some]
        if count < self.samples:
            inside = (self._sample[some] >= samples.start) & (self._sample[some] < samples.stop)
            at, value = at[inside], value[inside]
        np.add.at(found.reshape(-1), at, value)
        return found


def verify_events(given: dict[str, NDArray[Any]], ends: dict[str, int]) -> None:
    """Refuses arrays of events that do not fit together, or events outside of the signal."""
    length = given["tick"].shape
    for name, array in given.items():
        kinds = "biuf" if name == "value" else "iu"
        is_empty = array.size == 0 and array.shape == length
        if array.ndim != 1 or array.shape != length or (array.dtype.kind not in kinds and not is_empty):
            refuse(
                SIG001,
                f"the array {name} does not fit the other arrays of its events",
                at=name,
                expected=f"{'numbers' if name == 'value' else 'integers'} of one axis, as many as there are ticks",
                found=f"{array.dtype} of shape {array.shape}; tick has shape {length}",
            )
    for name, end in ends.items():
        outside = np.flatnonzero((given[name] < 0) | (given[name] >= end))
        if outside.size:
            refuse(
                SIG002,
                f"the {name} of an event lies outside of the signal",
                at=name,
                expected=f"0 to {end - 1}",
                found=f"{given[name][outside[0]]} at event {outside[0]}"
                + (f", and {outside.size - 1} more" if outside.size > 1 else ""),
            )

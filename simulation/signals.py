"""Input signals of a run: one array or one list of events for each network input, in samples and ticks.

A signal returns windows, so a long recording of sparse events is never stored densely as a whole. Values are
not converted; the model converts them to the type of its input.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..core.diagnostics import Code, refuse

SIM027 = Code("SIM027", "event-arrays-mismatch", "the arrays of an event signal do not fit together")
SIM028 = Code("SIM028", "event-outside-signal", "an event lies outside of its signal")
SIM029 = Code("SIM029", "array-not-a-signal", "an array cannot be used as a signal")
SIM030 = Code("SIM030", "input-value-not-finite", "a value of the input is not finite")


SUMS = {"b": np.int64, "i": np.int64, "u": np.uint64, "f": np.float64}
"""Type of the sums of events at one position, by the kind of their values. Narrower types would wrap, or overflow to infinity."""


class Signal(Protocol):
    """One input over all samples and ticks of a run."""

    @property
    def samples(self) -> int: ...

    @property
    def ticks(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        """Returns the values of a window, `[ticks, samples, *shape]`; zero beyond the last tick."""
        ...

    def require_finite(self) -> None:
        """Refuses NaN and infinity. Errors: SIM030."""
        ...

    @property
    def nbytes(self) -> int:
        """Returns the bytes that are stored."""
        ...


class DenseSignal:
    """A signal that is stored in memory.

    Shapes: values [samples, ticks, *shape]. Errors: SIM029 fewer axes, or no numbers.
    """

    def __init__(self, values: NDArray[Any]):
        if values.ndim < 2 or values.dtype.kind not in "biuf":
            refuse(
                SIM029,
                expected="bool, integers or floats, [samples, ticks, ...]",
                found=f"{values.dtype} of shape {values.shape}",
            )
        self.values = values
        self.samples, self.ticks, *shape = values.shape
        self.shape = tuple(shape)

    @property
    def nbytes(self) -> int:
        return self.values.nbytes

    def require_finite(self) -> None:
        """Refuses NaN and infinity. Errors: SIM030."""
        if not is_finite(self.values):
            refuse_values(self.values, *np.argwhere(~np.isfinite(self.values))[0].tolist())

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        found = np.swapaxes(self.values[samples, ticks], 0, 1)
        missing = ticks.stop - ticks.start - len(found)
        if missing:
            rest = np.zeros((missing, *found.shape[1:]), found.dtype)
            found = np.concatenate([found, rest])
        return found


class SampleRange:
    """Some consecutive samples of a signal."""

    def __init__(self, signal: Signal, samples: slice):
        self.signal, self.first = signal, samples.start
        self.samples, self.ticks, self.shape = samples.stop - samples.start, signal.ticks, signal.shape

    @property
    def nbytes(self) -> int:
        return self.signal.nbytes

    def require_finite(self) -> None:
        """Refuses NaN and infinity. Errors: SIM030."""
        self.signal.require_finite()

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        return self.signal.window(slice(self.first + samples.start, self.first + samples.stop), ticks)


class EventSignal:
    """A signal that is zero except at its events. Events at the same position are added.

    Shapes: tick, index, sample and value [events]; `index` is the flat index into `shape`. The defaults are 1 for `value` and 0 for `sample`.
    Errors: SIM027 unequal lengths; SIM028 an event outside of the signal.
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
        length = np.shape(tick)
        given = {
            "tick": np.asarray(tick),
            "index": np.asarray(index),
            "sample": np.broadcast_to(np.int64(0), length) if sample is None else np.asarray(sample),
            "value": np.broadcast_to(np.int64(1), length) if value is None else np.asarray(value),
        }
        verify_events(given, {"tick": ticks, "index": prod(self.shape), "sample": samples})
        self._place = places(given["sample"], given["tick"], given["index"], ticks, prod(self.shape))
        """Index of each event in `[samples, ticks, *shape]`, in order."""
        self._value: NDArray[Any] | None = None
        """Value of each event; None if all are 1."""
        if value is not None:
            order = np.argsort(self._place, kind="stable")
            self._place, self._value = self._place[order], given["value"][order]
            if (self._place[1:] == self._place[:-1]).any():
                self._value = self._value.astype(SUMS[self._value.dtype.kind])
        elif (self._place[1:] < self._place[:-1]).any():
            self._place.sort()

    @property
    def nbytes(self) -> int:
        return self._place.nbytes + (0 if self._value is None else self._value.nbytes)

    def require_finite(self) -> None:
        """Refuses NaN and infinity. Errors: SIM030."""
        if self._value is not None and not is_finite(self._value):
            place = int(self._place[np.flatnonzero(~np.isfinite(self._value))[0]])
            row, index = divmod(place, prod(self.shape))
            refuse_values(self._value, *divmod(row, self.ticks), index)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Returns the events as the arrays of a `.npz`, in order."""
        row, index = np.divmod(self._place, max(1, prod(self.shape)))
        sample, tick = np.divmod(row, max(1, self.ticks))
        sizes = {"shape": self.shape, "ticks": self.ticks, "samples": self.samples}
        places = {"tick": tick, "index": index, "sample": sample} | sizes
        found = {name: np.asarray(part, np.int64) for name, part in places.items()}
        return found if self._value is None else {**found, "value": self._value}

    def window(self, samples: slice, ticks: slice) -> NDArray[Any]:
        size, count = prod(self.shape), samples.stop - samples.start
        shape = (ticks.stop - ticks.start, count, *self.shape)
        start, stop = (min(tick, self.ticks) for tick in (ticks.start, ticks.stop))
        if stop - start == self.ticks:
            ends = [samples.start * self.ticks * size, samples.stop * self.ticks * size]
        else:
            rows = [
                sample * self.ticks + tick for sample in range(samples.start, samples.stop) for tick in (start, stop)
            ]
            ends = [row * size for row in rows]
        bounds = np.searchsorted(self._place, np.array(ends, self._place.dtype)).tolist()
        parts = [slice(first, last) for first, last in zip(bounds[::2], bounds[1::2], strict=True)]
        place = (
            self._place[parts[0]]
            if len(parts) == 1
            else np.concatenate([self._place[:0], *(self._place[part] for part in parts)])
        )
        if count == 1:
            at = place - ends[0]
        else:
            row, index = np.divmod(place, max(1, size))
            sample, tick = np.divmod(row, max(1, self.ticks))
            at = ((tick - start) * count + sample - samples.start) * size + index
        at = at.astype(np.intp, copy=False)
        if self._value is None and (place[1:] != place[:-1]).all():
            found = np.zeros(shape, np.bool_)
            found.reshape(-1)[at] = True
            return found
        value = np.ones(len(at), np.int64)
        if self._value is not None:
            value = np.concatenate([self._value[:0], *map(self._value.__getitem__, parts)])
        found = np.zeros(shape, value.dtype)
        np.add.at(found.reshape(-1), at, value)
        return found


def is_finite(values: NDArray[Any]) -> bool:
    """Returns whether all values are finite; needs no additional memory."""
    return values.dtype.kind != "f" or not values.size or bool(np.isfinite([values.min(), values.max()]).all())


def refuse_values(values: NDArray[Any], sample: int, tick: int, *index: int) -> NoReturn:
    """Refuses values that are not finite, with the position of the first. Errors: SIM030."""
    wrong = values[~np.isfinite(values)]
    place = f", index {', '.join(map(str, index))}" if index else ""
    refuse(
        SIM030,
        at=f"sample {sample}, tick {tick}{place}",
        expected="finite numbers",
        found=f"{wrong[0]}" + (f", and {wrong.size - 1} more that are not finite" if wrong.size > 1 else ""),
        help="numpy.argwhere(~numpy.isfinite(x)) lists the entries",
    )


def places(sample: NDArray[Any], tick: NDArray[Any], index: NDArray[Any], ticks: int, size: int) -> NDArray[Any]:
    """Returns flat indices into `[samples, ticks, size]`, in the given order. Indices beyond 64 bits are unbounded integers."""
    last = int(sample.max(initial=0)) + 1
    place = sample.astype(np.int64 if last * ticks * size < 2**63 else object)
    for factor, part in ((ticks, tick), (size, index)):
        place *= factor
        np.add(place, part, out=place, casting="unsafe")
    return place


def verify_events(given: dict[str, NDArray[Any]], ends: dict[str, int]) -> None:
    """Refuses inconsistent arrays of events, or events outside of the signal."""
    length = given["tick"].shape
    for name, array in given.items():
        kinds = "biuf" if name == "value" else "iu"
        is_empty = array.size == 0 and array.shape == length
        if array.ndim != 1 or array.shape != length or (array.dtype.kind not in kinds and not is_empty):
            refuse(
                SIM027,
                f"the array {name} does not fit the other arrays of its events",
                at=name,
                expected=f"{'numbers' if name == 'value' else 'integers'} of one axis, as many as there are ticks",
                found=f"{array.dtype} of shape {array.shape}; tick has shape {length}",
            )
    for name, end in ends.items():
        outside = np.flatnonzero((given[name] < 0) | (given[name] >= end))
        if outside.size:
            refuse(
                SIM028,
                f"the {name} of an event lies outside of the signal",
                at=name,
                expected=f"0 to {end - 1}",
                found=f"{given[name][outside[0]]} at event {outside[0]}"
                + (f", and {outside.size - 1} more" if outside.size > 1 else ""),
            )

"""Similarity of two runs: figures of one population or output over all samples."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute

from ...dialects import ntensor
from ..json_record import Record
from .comparison import First, as_float64, cosine, differs, first_difference


@frozen(kw_only=True)
class Likeness(Record):
    """Comparison of a population's output with its output at the first level."""

    rate: float | None
    """Events per neuron and tick, or per neuron and frame in a network of frames; None for values. A count that represents several spikes counts as these."""
    rate_before: float | None
    """Rate of the first level over the same ticks; None for values, and where `rate_cosine` is None because of shapes."""
    rate_cosine: float | None
    """None if the population is missing at the first level, or has another shape there, or if a number is not finite."""
    bin_cosine: float | None
    first: First | None


@define
class Tally:
    """Incremental comparison of an array with the corresponding array of the first level."""

    element: Attribute
    first_element: Attribute | None = None
    """Element type of the first level; None if it is the same."""
    unit: float = 1.0
    """Number of spikes that a count represents."""
    first_unit: float = 1.0
    """Number of spikes that a count of the first level represents. Rates are in counts of the first level."""
    counts_a: NDArray[np.float64] | None = None
    counts_b: NDArray[np.float64] | None = None
    dots: NDArray[np.float64] = field(factory=lambda: np.zeros(3))
    """a·b, a·a and b·b over all entries."""
    events: float = 0
    events_before: float = 0
    """Events of the first level over the same ticks."""
    size: int = 0
    differing: int = 0
    is_comparable: bool = True
    first: First | None = None

    def add(self, b: NDArray[Any], a: NDArray[Any] | None, start: int | None) -> None:
        """Adds `[samples, ticks, *shape]` of this level and of the first; `start` is the index of the first sample, if there is an axis of samples."""
        self.size += b.size
        self.events += count_events(b, self.element) * self.unit / self.first_unit
        if a is None or a.shape != b.shape:
            self.is_comparable = False
            return
        self.events_before += count_events(a, self.first_element or self.element)
        flat_a, flat_b = (x.reshape(*x.shape[:2], prod(x.shape[2:])) for x in (a, b))
        wrong = None if a is b else differs(flat_a, flat_b, 0.0)
        count = 0 if wrong is None else int(np.count_nonzero(wrong))
        with np.errstate(all="ignore"):
            sums = [x.sum((0, 1), np.float64) for x in (flat_a, flat_b)]
            self.counts_a = sums[0] if self.counts_a is None else self.counts_a + sums[0]
            self.counts_b = sums[1] if self.counts_b is None else self.counts_b + sums[1]
            self.dots = np.add(self.dots, products(flat_a, flat_b, is_same=not count))
        self.differing += count
        if wrong is not None and self.first is None:
            self.first = first_difference(wrong, flat_a, flat_b, start)

    def frame_element(self, ticks: int) -> Attribute:
        """Returns the element type of sums over some ticks: several spikes are a count. Units: ticks [ticks]."""
        return ntensor.CountType(63) if ticks > 1 and self.element == i1 else self.element

    @property
    def rate(self) -> float | None:
        return self.events / self.size if ntensor.is_event(self.element) and self.size else None

    @property
    def rate_before(self) -> float | None:
        is_rate = ntensor.is_event(self.first_element or self.element) and self.is_comparable
        return self.events_before / self.size if is_rate and self.size else None

    def likeness(self) -> Likeness:
        rates = bins = None
        if self.is_comparable and self.counts_a is not None and self.counts_b is not None:
            rates, bins = cosine(self.counts_a, self.counts_b), bin_cosine(self.dots, self.differing)
        return Likeness(
            rate=self.rate, rate_before=self.rate_before, rate_cosine=rates, bin_cosine=bins, first=self.first
        )


def products(a: NDArray[Any], b: NDArray[Any], *, is_same: bool) -> list[float]:
    """Returns a·b, a·a and b·b over all entries, which are the same if `is_same`. Products of spikes are counted as integers."""
    if is_same:
        once = float(np.count_nonzero(a)) if a.dtype == np.bool_ else float(np.square(as_float64(a)).sum())
        return [once] * 3
    if a.dtype == b.dtype == np.bool_:
        return [float(np.count_nonzero(one)) for one in (a & b, a, b)]
    x, y = as_float64(a).reshape(-1), as_float64(b).reshape(-1)
    return [float(x @ y), float(x @ x), float(y @ y)]


def count_events(array: NDArray[Any], element: Attribute) -> int:
    """Returns the number of spikes in an array, and the sum of counts; 0 for values."""
    if not ntensor.is_event(element):
        return 0
    return int(array.sum(dtype=np.int64)) if isinstance(element, ntensor.CountType) else int(np.count_nonzero(array))


def bin_cosine(dots: NDArray[np.float64], differing: int) -> float | None:
    """Returns the cosine of two vectors from their products: 1 if both are zero, 0 if one of them is; None if it is not a number."""
    if not np.isfinite(dots).all():
        return None
    both, a, b = (float(x) for x in dots)
    if a == 0 or b == 0:
        return float(a == b)
    return 1.0 if not differing else float(np.clip(both / np.sqrt(a) / np.sqrt(b), -1.0, 1.0))


def unite_tallies(tallies: Sequence[Tally]) -> Likeness:
    """Returns the comparison of all outputs together."""
    if len(tallies) == 1:
        return tallies[0].likeness()
    known = [t for t in tallies if t.is_comparable and t.counts_a is not None and t.counts_b is not None]
    if len(known) < len(tallies) or not tallies:
        return Likeness(rate=None, rate_before=None, rate_cosine=None, bin_cosine=None, first=None)
    total = evolve(
        tallies[0],
        counts_a=np.concatenate([t.counts_a for t in known if t.counts_a is not None]),
        counts_b=np.concatenate([t.counts_b for t in known if t.counts_b is not None]),
        dots=np.sum([t.dots for t in known], 0),
        differing=sum(t.differing for t in known),
    )
    return total.likeness()

"""Incremental measurement of loss: the arrays of an output are added group of samples by group of samples, and no figure depends on the groups."""

from __future__ import annotations

from math import isfinite, prod
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray
from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import Attribute

from ...dialects import ntensor
from .loss import OutputLoss

Reals = NDArray[np.float64]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]


@define
class OutputTally:
    """Loss of one output. `unit` is the value that the number 1 represents in the network, one number or one per neuron; None: 1."""

    element: Attribute
    unit: Reals | None = None
    first_element: Attribute | None = None
    """Element type of the first level; None if the output is missing there."""
    first_unit: Reals | None = None
    is_frames: bool = False
    is_comparable: bool = True
    neurons: int = 0
    agreed: list[bool] = field(factory=list[bool])
    count_errors: list[float] = field(factory=list[float])
    """Sums for each sample, as all lists here: they are added at the end, so that groups of samples change no bit."""
    counts_before: list[float] = field(factory=list[float])
    counts: float = 0
    matches: int = 0
    spikes: int = 0
    """Spikes of both levels."""
    square_errors: list[float] = field(factory=list[float])
    squares: list[float] = field(factory=list[float])
    largest_error: float = 0.0
    largest_output: float = 0.0

    @property
    def is_event(self) -> bool:
        return (
            ntensor.is_event(self.element) and self.first_element is not None and ntensor.is_event(self.first_element)
        )

    @property
    def has_values(self) -> bool:
        kinds = [self.element, self.first_element]
        return not self.is_event or any(isinstance(one, ntensor.GradedType) for one in kinds)

    @property
    def applicable(self) -> frozenset[str]:
        """Names of the figures that apply to the output."""
        named = {"agreement"} if self.neurons > 1 else set[str]()
        named |= {"count_error"} if self.is_event else set[str]()
        named |= {"spike_agreement"} if self.is_event and not self.is_frames else set[str]()
        return frozenset(named | ({"relative_error"} if self.has_values else set[str]()))

    def add(self, b: NDArray[Any], a: NDArray[Any] | None) -> None:
        """Adds the output of this level and of the first. Shapes: [samples, ticks, ...], the compared ticks alone."""
        self.neurons = prod(b.shape[2:])
        if a is None or a.shape != b.shape or not self.neurons or not b.shape[1] or self.first_element is None:
            self.is_comparable = False
            return
        is_same = a is b and self.unit is self.first_unit
        flat_a, flat_b = (x.reshape(*x.shape[:2], self.neurons) for x in (a, b))
        if self.neurons > 1:
            self.agreed += agreeing_samples(
                decision_scores(flat_a, self.first_element, self.first_unit),
                decision_scores(flat_b, self.element, self.unit),
            )
        if self.is_event:
            self.add_events(flat_a, flat_b, is_same=is_same)
        if self.has_values:
            self.add_values(scaled(flat_a, self.first_unit), scaled(flat_b, self.unit))

    def add_events(self, a: NDArray[Any], b: NDArray[Any], *, is_same: bool) -> None:
        assert self.first_element is not None  # both are events
        events_a, events_b = event_numbers(a, self.first_element), event_numbers(b, self.element)
        counts_a, counts_b = (
            scaled_counts(x.sum(1, dtype=np.int64), unit)
            for x, unit in ((events_a, self.first_unit), (events_b, self.unit))
        )
        self.count_errors += np.abs(counts_b - counts_a).sum(1).tolist()
        self.counts_before += counts_a.sum(1).tolist()
        self.counts += counts_b.sum().item()
        if not self.is_frames:
            self.spikes += int(events_a.sum(dtype=np.int64)) + int(events_b.sum(dtype=np.int64))
            self.matches += int(events_a.sum(dtype=np.int64)) if is_same else count_matches(events_a, events_b)

    def add_values(self, a: Reals, b: Reals) -> None:
        with np.errstate(all="ignore"):
            apart = b - a
            self.square_errors += square_sums(apart)
            self.squares += square_sums(a)
            for name, values in (("largest_error", apart), ("largest_output", a)):
                setattr(self, name, float(np.maximum(getattr(self, name), np.abs(values).max(initial=0.0))))

    @property
    def has_known_units(self) -> bool:
        """Returns whether both outputs have the same unit: integers without a known one cannot be compared with reals."""
        is_unknown = [
            unit is None
            and (isinstance(element, ntensor.GradedType) or (isinstance(element, IntegerType) and element != i1))
            for element, unit in ((self.element, self.unit), (self.first_element, self.first_unit))
        ]
        return is_unknown[0] == is_unknown[1]

    def loss(self) -> OutputLoss:
        has_samples = bool(self.counts_before or self.squares)
        applicable = self.applicable if self.is_comparable and has_samples else frozenset[str]()
        error = relative(sum(self.square_errors), sum(self.squares), isfinite(self.largest_error))
        has_error = "relative_error" in applicable and error is not None and self.has_known_units
        return OutputLoss(
            agreement=sum(self.agreed) / len(self.agreed) if "agreement" in applicable and self.agreed else None,
            count_error=self.count_error if "count_error" in applicable else None,
            spike_agreement=(2 * self.matches / self.spikes if self.spikes else 1.0)
            if "spike_agreement" in applicable
            else None,
            relative_error=error if has_error else None,
            largest_error=self.largest_error if has_error else None,
            largest_output=self.largest_output if has_error else None,
            is_silent="count_error" in applicable and not self.counts and not sum(self.counts_before),
        )

    @property
    def count_error(self) -> float:
        before = sum(self.counts_before)
        return sum(self.count_errors) / before if before else float(self.counts > 0)


def relative(errors: float, squares: float, is_finite: bool) -> float | None:
    """Returns the ratio of two root mean squares from their sums; None if a value is not finite."""
    if not (is_finite and isfinite(errors) and isfinite(squares)):
        return None
    return float(np.sqrt(errors / squares)) if squares else float(errors > 0)


def square_sums(array: Reals) -> list[float]:
    """Returns the sum of squares of each sample. Shapes: [samples, ticks, neurons]."""
    return [float(row @ row) for row in np.ascontiguousarray(array).reshape(len(array), -1)]


def event_numbers(array: NDArray[Any], element: Attribute) -> NDArray[Any]:
    """Returns the number of events of each entry: spikes, counts, and graded spikes without their payloads."""
    return array if element == i1 or isinstance(element, ntensor.CountType) else array != 0


def scaled(array: NDArray[Any], unit: Reals | None) -> Reals:
    """Returns values in units of the network. Shapes: array [..., neurons], unit [] or [neurons]."""
    values = array.astype(np.float64)
    return values if unit is None else values * unit.reshape(-1)


def scaled_counts(counts: Integers, unit: Reals | None) -> NDArray[Any]:
    """Returns counts in spikes of the network. They stay integers without a unit, so that sums are exact."""
    return counts if unit is None else scaled(counts, unit)


def decision_scores(array: NDArray[Any], element: Attribute, unit: Reals | None) -> NDArray[Any]:
    """Returns the numbers whose largest determine the decisions: counts of events, or values of the last tick. Shapes: result [samples, neurons]."""
    if ntensor.is_event(element):
        return scaled_counts(event_numbers(array, element).sum(1, dtype=np.int64), unit)
    return scaled(array[:, -1], unit)


def decisions(scores: NDArray[Any]) -> Bools:
    """Returns a mask of the neurons with the largest score of each sample; a NaN is larger than every number."""
    largest = scores.max(1, keepdims=True)
    return (scores == largest) | (np.isnan(scores) & np.isnan(largest))


def agreeing_samples(scores_a: NDArray[Any], scores_b: NDArray[Any]) -> list[bool]:
    return (decisions(scores_a) == decisions(scores_b)).all(1).tolist()


def count_matches(a: NDArray[Any], b: NDArray[Any]) -> int:
    """Returns the number of pairs of events, one of each level, that are at most one tick apart. Shapes: [samples, ticks, neurons].

    The earliest events are matched first. Events of a tick are matched with those that are left of the previous tick, then with each other. No
    other choice of pairs has more of them: at most one of both levels has events left. Equal trains match entirely.
    """
    is_other = (a != b).any(1)
    matches = int(a.sum(1, dtype=np.int64)[~is_other].sum())
    trains_a, trains_b = (np.moveaxis(x, 1, 2)[is_other].T.astype(np.int64) for x in (a, b))
    left_a = left_b = np.zeros(trains_a.shape[1], np.int64)
    for now_a, now_b in zip(trains_a, trains_b, strict=True):
        late_a, late_b = np.minimum(left_b, now_a), np.minimum(left_a, now_b)
        now_a, now_b = now_a - late_a, now_b - late_b
        both = np.minimum(now_a, now_b)
        left_a, left_b = now_a - both, now_b - both
        matches += int(late_a.sum() + late_b.sum() + both.sum())
    return matches

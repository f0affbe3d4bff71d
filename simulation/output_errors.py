"""Errors of the outputs of a network with approximated numbers, on samples that the approximation has not seen.

| measure | is |
| --- | --- |
| count error | the sum of the differences of counts of events, over samples and output neurons, relative to the sum of the counts in reals |
| decisions | the part of the samples in which another neuron of an output has the most events |
| first spikes | the part of the samples in which another neuron of an output emits first, or none does |
| distance | the mean Wasserstein distance of the distributions of counts over the samples, of each output neuron [events] |

An output of reals is compared by its values in all ticks, and has no first spikes. Populations before the outputs count where all outputs are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import SSAValue

from ..core.arrays.numeric import AnyArray, Ints, Reals
from ..core.ir.operation import element_type, shape_of
from ..dialects import ntensor
from .recorded_run import RecordedRun

BATCH_NUMBERS = 2**22
"""Numbers of signals that are held at a time."""


@frozen(eq=False)
class Firing:
    """Emissions of a network for some samples."""

    sums: list[Reals]
    """Of each output, events in all ticks, or sums of values. Shapes: each [samples, size]."""
    values: list[Reals]
    """Of each output of reals all values; of events those in `sums`. Shapes: each [samples, ...]."""
    first: list[Ints]
    """The neuron that emits first, -1 for none, by output of events. Shapes: each [samples]."""
    inner: list[Reals]
    """Events of each population. Shapes: each [samples, size]."""


@frozen
class OutputErrors:
    """Errors of the outputs, relative to the network in reals."""

    counts: float
    decisions: float
    first: float
    distance: float
    inner: float
    """The count error of all populations."""

    @property
    def loss(self) -> tuple[float, float]:
        """Returns the order of networks: the sum of the measures of outputs, then the error of populations."""
        return self.counts + self.decisions + self.first, self.inner

    def is_no_worse(self, other: OutputErrors) -> bool:
        """Returns whether neither counts nor decisions are worse than those of another network."""
        return self.counts <= other.counts and self.decisions <= other.decisions

    @property
    def text(self) -> str:
        return (
            f"count error {self.counts:.3g}, {self.decisions:.3g} of decisions and {self.first:.3g} of first spikes "
            f"changed, distance of counts {self.distance:.3g}"
        )


def firing_of(run: RecordedRun) -> Firing:
    """Returns the emissions of a network for the samples of a run."""
    outputs = list(run.network.outputs.operands)
    inner = [op.z for op in run.network.populations if ntensor.is_event(element_type(op.z))]
    wanted = list(dict.fromkeys([*outputs, *inner]))
    size = run.ticks * sum(prod(shape_of(value)) for value in wanted)
    step = max(1, BATCH_NUMBERS // max(1, size))
    parts = [firing_part(run, outputs, inner, slice(k, k + step)) for k in range(0, run.samples, step)]

    def joined(name: str) -> list[AnyArray]:
        return [np.concatenate(arrays) for arrays in zip(*(getattr(part, name) for part in parts), strict=True)]

    return Firing(joined("sums"), joined("values"), joined("first"), joined("inner"))


def firing_part(run: RecordedRun, outputs: Sequence[SSAValue], inner: Sequence[SSAValue], samples: slice) -> Firing:
    found = run.values(list(dict.fromkeys([*outputs, *inner])), samples)
    sums, values, first = list[Reals](), list[Reals](), list[Ints]()
    for value in outputs:
        array = found[value].reshape(*found[value].shape[:2], -1)
        if ntensor.is_event(element_type(value)):
            events = events_of(value, array)
            sums.append(events.sum(1))
            values.append(sums[-1])
            first.append(first_neuron(array))
        else:
            sums.append(array.astype(np.float64).sum(1))
            values.append(array.astype(np.float64).reshape(len(array), -1))
    each = [events_of(value, found[value].reshape(*found[value].shape[:2], -1)).sum(1) for value in inner]
    return Firing(sums, values, first, each)


def first_neuron(array: AnyArray) -> Ints:
    """Returns the neuron that emits first in each sample, -1 for none. Shapes: [samples, ticks, size] => [samples]."""
    flat = (array != 0).reshape(len(array), -1)
    if not flat.size:
        return np.full(len(array), -1, np.int64)
    return np.where(flat.any(1), flat.argmax(1) % array.shape[2], -1).astype(np.int64)


def events_of(value: SSAValue, array: AnyArray) -> Reals:
    is_count = isinstance(element_type(value), ntensor.CountType)
    return (array if is_count else array != 0).astype(np.float64)


def compared(found: Firing, wanted: Firing) -> OutputErrors:
    """Returns the errors of a network relative to the network in reals."""
    changed = [decided(some) != decided(other) for some, other in zip(found.sums, wanted.sums, strict=True)]
    first = [some != other for some, other in zip(found.first, wanted.first, strict=True)]
    distances = [
        np.abs(np.sort(some, axis=0) - np.sort(other, axis=0)).mean()
        for some, other in zip(found.sums, wanted.sums, strict=True)
        if some.size
    ]
    return OutputErrors(
        relative_error(found.values, wanted.values),
        float(np.mean(changed)) if changed else 0.0,
        float(np.mean(first)) if first else 0.0,
        float(np.mean(distances)) if distances else 0.0,
        relative_error(found.inner, wanted.inner),
    )


def relative_error(found: Sequence[Reals], wanted: Sequence[Reals]) -> float:
    """Returns the sum of differences, relative to the sum of sizes; the sum itself where all are 0."""
    with np.errstate(invalid="ignore"):
        error = float(sum(np.abs(some - other).sum() for some, other in zip(found, wanted, strict=True)))
    size = float(sum(np.abs(other).sum() for other in wanted))
    error = error if np.isfinite(error) else np.inf
    return error / size if 0 < size < np.inf else error


def decided(sums: Reals) -> Ints:
    """Returns the neuron with the most events in each sample. Shapes: [samples, size] => [samples]."""
    return sums.argmax(1) if sums.shape[1] else np.zeros(len(sums), np.int64)

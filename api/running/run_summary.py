"""Record of a run for programs: shapes, sums and decisions of its arrays."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..json_record import Record


@frozen
class RunArray(Record):
    """One array of a run."""

    shape: tuple[int, ...]
    dtype: str
    total: int | float
    argmax: tuple[int, ...]
    """For each sample, the neuron with the largest sum over ticks."""


@frozen
class RunSummary(Record):
    """Arrays of a run, without their elements: the record `nopt.run/1`."""

    SCHEMA = "nopt.run/1"

    outputs: dict[str, RunArray]
    """Outputs of the network, then the records."""
    samples: int | None
    """None if the input has no axis of samples."""
    ticks: int
    accuracy: float | None
    """Share of samples whose decision is their label; None without labels."""
    engine: str
    engine_reason: str
    """Why this engine ran."""
    seconds: float
    """Duration of the run alone."""
    start_seconds: float
    """Duration of the start, in which the engine plans or compiles the network."""


def classes_of(array: NDArray[Any], unit: NDArray[np.float64] | None = None) -> list[int]:
    """Returns, for each sample, the neuron with the largest sum over ticks, as `Result.argmax`. Shapes: [samples, ticks, *shape]."""
    counts = array.sum(1, dtype=np.int64 if array.dtype.kind in "biu" else None)
    neurons = counts.reshape(len(array), prod(counts.shape[1:]))
    neurons = neurons if unit is None else neurons * unit.reshape(-1)
    return [int(n) for n in neurons.argmax(1)] if neurons.shape[1] else []

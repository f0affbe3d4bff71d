"""Second moments of the sources of slices, from runs of a network with the samples that it keeps.

A neuron adds its inputs over its time constants, so spikes are filtered by its decay, `f(t) = decay f(t - 1) + x(t)`: the errors of the potential count, and
not those of a tick. A spike resets the potential, so that the decay is at most `LONGEST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import SSAValue

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ....simulation.recorded_run import RecordedRun

LONGEST = 0.9
"""Largest decay of the filter."""
MOST_SOURCES = 2048
"""Most sources of a slice whose moments are computed."""
MOST_NUMBERS = 2**26
"""Most spikes of the sources of a population that are held."""
BATCH_NUMBERS = 2**22
"""Numbers of filtered spikes that are held at a time."""


@frozen(eq=False)
class SourceMoments:
    """The sources of one population, in a run of the network as it is before the population is fitted."""

    run: RecordedRun
    values: Sequence[SSAValue]
    """The spikes that each chain reads."""
    decay: float

    @staticmethod
    def of(run: RecordedRun, neuron: ntensor.NeuronOp, values: Sequence[SSAValue]) -> SourceMoments | None:
        """Returns the sources of a population; None if there are too many of them."""
        size = sum(prod(shape_of(value)) for value in values)
        if size * run.samples * run.ticks > MOST_NUMBERS:
            return None
        decay = None if neuron.canonical is None else neuron.canonical.data.get("decay")
        mean = float(decay.values.astype(np.float64).mean()) if isinstance(decay, ArrayAttr) else 0.0
        return SourceMoments(run, values, min(max(mean, 0.0), LONGEST))

    @cached_property
    def spikes(self) -> list[AnyArray]:
        """The spikes of each chain. Shapes: each [samples, ticks, sources]."""
        found = self.run.values(self.values)
        return [found[value].reshape(self.run.samples, self.run.ticks, -1) for value in self.values]

    def of_slice(self, keys: Sequence[Ints]) -> Reals | None:
        """Returns the moments of the sources of a slice, by chain the pairs of a source and a delay; None without any or with too many. Shapes: keys [columns, 2] => [columns, columns]."""
        columns = sum(map(len, keys))
        if not 0 < columns <= MOST_SOURCES:
            return None
        total = np.zeros((columns, columns))
        step = max(1, BATCH_NUMBERS // max(1, columns * self.run.ticks))
        for first in range(0, self.run.samples, step):
            parts = [self.filtered(x[first : first + step], own) for x, own in zip(self.spikes, keys, strict=True)]
            rows = np.concatenate(parts, axis=2).reshape(-1, columns)
            total += rows.T @ rows
        return total / max(1, self.run.samples * self.run.ticks)

    def filtered(self, spikes: AnyArray, keys: Ints) -> Reals:
        """Returns the filtered spikes of some sources after their delays. Shapes: spikes [samples, ticks, sources], keys [columns, 2]."""
        found = spikes[:, :, keys[:, 0]].astype(np.float64)
        for delay in np.unique(keys[:, 1]).tolist():
            if delay:
                own = keys[:, 1] == delay
                found[:, :, own] = np.pad(found[:, :, own], [(0, 0), (delay, 0), (0, 0)])[:, : spikes.shape[1]]
        for tick in range(1, found.shape[1]):
            found[:, tick] += self.decay * found[:, tick - 1]
        return found

"""The factor of the threshold of one population, after the changes of the populations before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import DictionaryAttr
from xdsl.ir import Operation, SSAValue

from ....analysis.calibration_records import Places, places_to_fit, places_to_judge
from ....analysis.node_selection import name_of
from ....core.arrays.numeric import Reals
from ....core.ir.graph_region import walk_downstream
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ....simulation.recorded_run import MOST_NUMBERS, RecordedRun
from ._scaled_thresholds import scale_threshold, shift_potential
from ._threshold_factors import FactorGroups, error_factor, percentile_factor, relative_error


@frozen
class Choice:
    """The options of a balance."""

    percentile: float | None
    """The percentile of the activations; None for the least squared error of the rates."""
    lines: FactorGroups
    has_shift: bool
    """Whether the potential starts half a threshold further."""
    nodes: Sequence[str] = ()
    """The populations to change; all if it is empty."""


@frozen(eq=False)
class Factors:
    """The change of one population. Shapes: factor () or that of the population."""

    name: str
    factor: Reals
    before: float
    after: float
    """Relative errors of the rates, on the samples that judge."""
    is_shifted: bool

    @property
    def is_change(self) -> bool:
        return self.is_shifted or bool((self.factor != 1).any())

    @property
    def text(self) -> str:
        low, high = float(self.factor.min()), float(self.factor.max())
        span = f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
        return f"{self.name} by {span} (error {self.before:.3g} -> {self.after:.3g})"


@frozen(eq=False)
class PopulationBalance:
    """The trials of one population of a network that may change."""

    op: ntensor.NeuronOp
    update: ntensor.UpdateOp
    run: RecordedRun
    """The run of the network, with the inputs of the population."""
    activations: Reals
    """Shapes: [samples, *shape]."""
    dt: float
    choice: Choice

    def choose(self) -> Factors:
        """Chooses the factor, and changes the population. A population that is nearer to its activations without a change keeps its threshold."""
        held = self.op.params, self.op.initial, self.op.canonical
        samples = len(self.activations)
        fitted, judged = places_to_fit(samples), places_to_judge(samples)
        before = relative_error(self.rates()[judged], self.activations[judged])
        factor = self.factor(self.activations[fitted], fitted, held)
        self.set(held, factor)
        after = relative_error(factor * self.rates()[judged], self.activations[judged])
        if after <= before:
            return Factors(name_of(self.op), factor, before, after, self.choice.has_shift)
        self.op.params, self.op.initial, self.op.canonical = held
        return Factors(name_of(self.op), np.asarray(1.0), before, before, False)

    def factor(self, activations: Reals, fitted: Places, held: Held) -> Reals:
        """Returns the factor for some of the samples. Shapes: result () or that of the population."""
        lines = FactorGroups(False) if is_read_by_output(self.op) else self.choice.lines
        if not activations.any():
            return np.asarray(1.0)
        if self.choice.percentile is not None:
            return percentile_factor(activations, self.choice.percentile, lines)

        def rates(factor: Reals) -> Reals:
            self.set(held, factor)
            return self.rates()[fitted]

        return error_factor(activations, lines, rates)

    def set(self, held: Held, factor: Reals) -> None:
        """Changes the population from its parameters, initial states and canonical values before."""
        self.op.params, self.op.initial, self.op.canonical = held
        scale_threshold(self.op, self.update, factor, self.dt)
        if self.choice.has_shift:
            shift_potential(self.op)

    def rates(self) -> Reals:
        """Returns the rates of the neurons [spikes per tick]. Shapes: [samples, *shape]."""
        return mean_values(self.run, [self.op.z])[self.op.z]


Held = tuple[DictionaryAttr, DictionaryAttr, DictionaryAttr | None]
"""Parameters, initial states and canonical values of a population."""


def mean_values(run: RecordedRun, values: Sequence[SSAValue]) -> dict[SSAValue, Reals]:
    """Returns the means of values over the ticks of each sample, in groups of samples whose values fit into memory. Shapes: each [samples, *shape]."""
    size = run.ticks * sum(int(np.prod(shape_of(value))) for value in values)
    together = max(1, MOST_NUMBERS // max(1, size))
    parts: dict[SSAValue, list[Reals]] = {value: [] for value in values}
    for first in range(0, run.samples, together):
        found = run.values(values, slice(first, min(first + together, run.samples)))
        for value, part in parts.items():
            part.append(found[value].mean(1, dtype=np.float64))
    return {value: np.concatenate(part) for value, part in parts.items()}


def is_read_by_output(op: ntensor.NeuronOp) -> bool:
    """Returns whether an output reads the spikes of a population, directly or through reshapes, delays and pools."""

    def is_passed(user: Operation) -> bool:
        is_plain = isinstance(user, ntensor.SynapseOpInterface) and user.weights is None
        return is_plain or isinstance(user, ntensor.ReshapeOp | ntensor.DelayOp | ntensor.MaxPool2dOp)

    found = walk_downstream([op.z], is_passed)
    return any(isinstance(use.operation, ntensor.OutputOp) for value in found for use in value.uses)

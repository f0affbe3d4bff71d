"""Choice among rounded weights of a group by the events of the neurons that read them, for the inputs of samples.

Through a threshold the error of a sum is not that of the events. The populations run with each option, and each unit of the group, whose parts have
one scale, takes the option with the least error of its neurons: the difference of counts in some parts of a sample, or in the whole sample for
neurons of an output.

1. The options are roundings of the group.
2. Each unit takes one of `GAINS` of its scale, with the same integers. A chip stores the threshold in units of the scale, so this moves a threshold.
3. Each bias takes one of `SHIFTS`, relative to the deviation of its sum. A bias that is 0 stays 0.

Neurons of a population may have an effect on each other, so a step is kept only if the error of all neurons decreases. Biases that move are final:
`ntensor-quantize-bias` corrects none of their mean errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import prod

import numpy as np
from attrs import evolve, frozen
from xdsl.ir import Operation, SSAValue

from .....core.arrays.numeric import AnyArray, Ints, Reals
from .....core.ir.graph_region import walk_upstream
from .....core.ir.operation import element_type, shape_of
from .....dialects import ntensor
from .....simulation.output_errors import events_of
from .....simulation.recorded_run import RecordedRun
from .._weight_quantizer import Rounded
from ..scales._weight_scales import most_of, precise, products, spread_scale
from ._layer_inputs import readers_of
from ._scale_search import GroupRounding

WINDOWS = (8, 2, 1)
"""Parts of a sample whose events are counted, for neurons of inner populations: with more parts, the times of events matter more."""
CHANCE = 0.3
"""Share of a deviation by which an error has to decrease. More keeps biases that the samples determine, less fits them to single events."""
MOST_WORK = 2**27
"""Most products of weights and inputs in a run of the samples; the populations of larger networks would run for minutes."""
GAINS = (0.82, 0.9, 1.1, 1.22), (0.95, 1.05), (0.98, 1.02)
"""Factors of a scale, in rounds."""
SHIFTS = (-0.4, -0.2, -0.1, 0.1, 0.2, 0.4), (-0.05, 0.05)
"""Changes of a bias, relative to the deviation of its sum, in rounds."""
SIGNAL_NUMBERS = 2**22
"""Numbers of signals that are held at a time."""


@frozen(eq=False)
class Readers:
    """Populations that read a group, and the parts of a sample in which their events are counted."""

    populations: Sequence[ntensor.NeuronOp]
    windows: Sequence[int]

    @staticmethod
    def of(network: ntensor.NetworkOp, ops: Sequence[Operation], windows: int) -> Readers:
        """Returns the populations that read some ops. Events of outputs are counted in whole samples."""
        found = list(dict.fromkeys(population for op in ops for population in readers_of(op)))
        values = walk_upstream(network.outputs.operands, lambda op: not isinstance(op, ntensor.NeuronOp))
        last = {value.owner for value in values}
        return Readers(found, [1 if population in last else windows for population in found])

    def responses(self, run: RecordedRun) -> list[Reals]:
        """Returns the events in each part of each sample, or values in each tick. Shapes: each [samples, windows, size]."""
        values = [op.z for op in self.populations]
        size = run.ticks * sum(prod(shape_of(value)) for value in values)
        step = max(1, SIGNAL_NUMBERS // max(1, size))
        parts: list[list[Reals]] = []
        for first in range(0, run.samples, step):
            found = run.values(values, slice(first, first + step))
            parts.append(
                [counted(value, found[value], count) for value, count in zip(values, self.windows, strict=True)]
            )
        return [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]


def counted(value: SSAValue, array: AnyArray, windows: int) -> Reals:
    """Returns the sums of the events in parts of samples; values as they are. Shapes: [samples, ticks, *shape] => [samples, windows, size]."""
    flat = array.reshape(*array.shape[:2], -1)
    if not ntensor.is_event(element_type(value)):
        return flat.astype(np.float64)
    starts = np.unique(np.arange(windows) * flat.shape[1] // windows)
    return np.add.reduceat(events_of(value, flat), starts, axis=1)


@frozen(eq=False)
class CountSearch:
    """The search for one group."""

    rounding: GroupRounding
    readers: Readers
    wanted: Sequence[Reals]
    """Responses of the network of reals."""
    respond: Callable[[Sequence[Rounded]], Sequence[Reals]]
    """Returns the responses with some weights of the group."""
    deviations: Callable[[Rounded], Reals]
    """Returns the deviation of each sum of an op. Shapes: those of its result."""

    def search(self, options: Sequence[list[Rounded]]) -> list[Rounded]:
        """Returns the weights with the least error of the neurons."""
        units = self.rounding.units()
        tried = [self.losses(option) for option in options]
        by_unit = [self.of_labels(losses, self.unit_labels, int(units.max(initial=0)) + 1) for losses in tried]
        best = min(range(len(options)), key=lambda k: total(tried[k]))
        by_unit = [one + (0 if k == best else doubt(by_unit[best])) for k, one in enumerate(by_unit)]
        found, losses = options[best], tried[best]
        found, losses = self.better(found, losses, lambda: self.mixed(options, np.argmin(by_unit, axis=0)[units]))  # 1
        for gains in GAINS:  # 2
            found, losses = self.with_gains(found, losses, gains)
        for k, each in enumerate(found):  # 3
            if has_bias(each):
                for shifts in SHIFTS:
                    found, losses = self.with_shifts(found, losses, k, shifts)
        return found

    def better(
        self, found: list[Rounded], losses: list[Reals], make: Callable[[], list[Rounded]]
    ) -> tuple[list[Rounded], list[Reals]]:
        """Returns other weights where all neurons together lose less with them."""
        other = make()
        tried = self.losses(other)
        return (other, tried) if total(tried) < total(losses) else (found, losses)

    def losses(self, found: Sequence[Rounded]) -> list[Reals]:
        """Returns the error of each neuron of each population. Shapes: each [size]."""
        pairs = zip(self.respond(found), self.wanted, strict=True)
        return [np.abs(some - other).sum((0, 1)) for some, other in pairs]

    @staticmethod
    def of_labels(losses: Sequence[Reals], labels: Sequence[Ints] | None, count: int) -> Reals:
        """Returns the error of the neurons with each label; with unknown labels all have that of all neurons."""
        if labels is None:
            return np.full(count, total(losses))
        parts = [np.bincount(label, loss, count) for label, loss in zip(labels, losses, strict=True)]
        return np.sum(parts, axis=0)

    @cached_property
    def unit_labels(self) -> list[Ints] | None:
        """Returns the unit of each neuron of each population; None if neurons read several."""
        units = self.rounding.units()
        if units.max(initial=0) == 0:
            return [np.zeros(prod(shape_of(op.z)), np.int64) for op in self.readers.populations]
        arrays = [
            each.lines.op.output_numbers(units[self.rounding.parts_of(each)].astype(np.float64))
            for each in self.rounding.nearest
        ]
        return self.spread_labels(arrays)

    def spread_labels(self, arrays: Sequence[AnyArray | None]) -> list[Ints] | None:
        """Returns the label of each neuron from labels of the results of ops; None if they are unknown or differ."""
        found: list[Ints] = []
        for op in self.readers.populations:
            shape, labels = shape_of(op.z), list[Reals]()
            for array in arrays:
                if array is None or np.isnan(array).any() or array.shape != shape[: array.ndim]:
                    return None
                labels.append(np.broadcast_to(array.reshape(*array.shape, *(1,) * (len(shape) - array.ndim)), shape))
            if any(not np.array_equal(one, labels[0]) for one in labels[1:]):
                return None
            found.append(labels[0].reshape(-1).astype(np.int64))
        return found

    def mixed(self, options: Sequence[list[Rounded]], chosen: Ints) -> list[Rounded]:
        """Returns weights of which each part is that of an option. Shapes: chosen [parts]."""
        found: list[Rounded] = []
        for some in zip(*options, strict=True):
            first = some[0]
            option = chosen[self.rounding.parts_of(first)]
            spread = spread_scale(first.lines, self.rounding.group, chosen.astype(np.float64))
            integers = np.choose(option, [each.integers for each in some]).astype(np.int16)
            scales = [np.broadcast_to(each.scale, np.broadcast_shapes(each.scale.shape, spread.shape)) for each in some]
            scale = np.choose(np.broadcast_to(spread, scales[0].shape).astype(np.int64), scales)
            after = products(integers, scale, first.before.dtype)
            is_coarse = any(each.is_coarse for each in some)
            found.append(evolve(first, integers=integers, scale=scale, after=after, is_coarse=is_coarse))
        return found

    def with_gains(
        self, found: list[Rounded], losses: list[Reals], gains: Sequence[float]
    ) -> tuple[list[Rounded], list[Reals]]:
        """Returns weights with other scales where neurons lose less with them."""
        if self.rounding.limits.is_power:
            return found, losses
        units = self.rounding.units()
        count = int(units.max(initial=0)) + 1
        best, least = np.ones(count), self.of_labels(losses, self.unit_labels, count)
        least_before = least
        for gain in gains:
            allowed = self.rounding.is_allowed_scale(found, np.full(self.rounding.group.count, gain))
            tried = self.of_labels(
                self.losses(self.scaled(found, np.where(allowed, gain, 1.0))), self.unit_labels, count
            )
            tried = tried + doubt(least_before)
            best, least = np.where(tried < least, gain, best), np.minimum(tried, least)
        allowed = self.rounding.is_allowed_scale(found, best[units])
        return self.better(found, losses, lambda: self.scaled(found, np.where(allowed, best[units], 1.0)))

    def scaled(self, found: Sequence[Rounded], gains: Reals) -> list[Rounded]:
        """Returns weights with the same integers and other scales. Shapes: gains [parts]."""
        scaled: list[Rounded] = []
        for each in found:
            gain = spread_scale(each.lines, self.rounding.group, gains)
            scale = precise(each.scale * gain, [each.before], most_of(self.rounding.limits.bits))
            scale = np.where(gain == 1, each.scale, scale)
            scaled.append(evolve(each, scale=scale, after=products(each.integers, scale, each.before.dtype)))
        return scaled

    def with_shifts(
        self, found: list[Rounded], losses: list[Reals], k: int, shifts: Sequence[float]
    ) -> tuple[list[Rounded], list[Reals]]:
        """Returns weights with other biases of an op where neurons lose less with them."""
        each = found[k]
        bias = bias_of(each)
        numbers = np.arange(bias.size, dtype=np.float64).reshape(bias.shape)
        labels = self.spread_labels([numbers])
        if labels is None:
            return found, losses
        spread = self.deviations(each)
        spread = spread.reshape(*bias.shape, -1).mean(-1)
        best, least = np.zeros(bias.size), self.of_labels(losses, labels, bias.size)

        def shifted(shift: Reals) -> list[Rounded]:
            moved = np.where(bias == 0, bias, bias + shift.reshape(bias.shape) * spread).astype(bias.dtype)
            return [*found[:k], evolve(each, bias=moved), *found[k + 1 :]]

        least_before = least
        for shift in shifts:
            tried = self.of_labels(self.losses(shifted(np.full(bias.size, shift))), labels, bias.size)
            tried = tried + doubt(least_before)
            best, least = np.where(tried < least, shift, best), np.minimum(tried, least)
        return self.better(found, losses, lambda: shifted(best))


def has_bias(found: Rounded) -> bool:
    """Returns whether an op has a bias that is not 0."""
    bias = found.lines.op.optional_array("bias")
    return bias is not None and bool(bias.values.any()) and bias.values.dtype.kind == "f"


def bias_of(found: Rounded) -> AnyArray:
    """Returns the bias of rounded weights."""
    bias = found.lines.op.optional_array("bias")
    assert bias is not None  # has_bias
    return bias.values if found.bias is None else found.bias


def doubt(losses: Reals) -> Reals:
    """Returns the decrease of errors that may be chance: a part of the deviation of counts with these errors."""
    return CHANCE * np.sqrt(losses)


def total(losses: Sequence[Reals]) -> float:
    return float(sum(loss.sum() for loss in losses))

"""Counts of populations for sample input: how often each occurs, and how those of a network of spikes and of one of frames differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.ir import Operation

from ....analysis.approximation_errors import Errors
from ....analysis.output_units import count_unit
from ....core import registry
from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Diagnostics, describe_op
from ....core.ir.graph_region import walk_upstream
from ....core.ir.operation import shape_of
from ....dialects import ntensor
from ....dialects.ntensor.readout import is_on_host
from ....simulation.axes import order_axes
from ....simulation.frames import add_array, fit_data, frames_of, read_data
from ....simulation.signals import DenseSignal, Signal
from ....simulation.stimuli import Stimulus

RECORD_BYTES = 2**27
"""Memory of the records of the samples that run together."""

Data = tuple[str | Mapping[str, AnyArray], tuple[str, ...] | None, int | None]
"""A file or arrays, the order of their axes, and the number of samples to read."""


def read_samples(network: ntensor.NetworkOp, data: Data, diagnostics: Diagnostics) -> Stimulus:
    """Returns the input in a file, in ticks. Errors: those of reading the data."""
    file, axes, _ = data
    return read_data(network, order_axes(file, axes), diagnostics)


def sample_groups(given: Stimulus, data: Data, sample_bytes: int) -> Iterator[dict[str, Signal]]:
    """Yields the chosen samples in groups whose records fit into memory."""
    samples = data[2]
    for some, part in given.groups(sample_bytes, RECORD_BYTES):
        count = some.stop - some.start if samples is None else min(some.stop, samples) - some.start
        if count > 0:
            yield {name: DenseSignal(signal.values[:count]) for name, signal in part.items()}


def count_numbers(
    network: ntensor.NetworkOp, data: Data, values: Mapping[str, float], diagnostics: Diagnostics
) -> dict[str, Reals]:
    """Returns how often each number from 0 occurs in the nodes of a network of frames: their values times a factor."""
    given = read_samples(network, data, diagnostics)
    width = sum(prod(shape_of(op.results[0])) for op in network.body.block.ops if op.results)
    model = registry.reference()(network, record=list(values))
    found: dict[str, Reals] = {name: np.zeros(1) for name in values}
    for signals in sample_groups(given, data, 8 * width * given.ticks):
        arrays = model.run(fit_data(network, evolve(given, signals=signals)).signals)
        for name, factor in values.items():
            more = np.bincount(np.rint(arrays[name] * factor).astype(np.int64).reshape(-1))
            size = max(len(more), len(found[name]))
            found[name] = np.pad(found[name], (0, size - len(found[name]))) + np.pad(more, (0, size - len(more)))
    return found


@frozen(eq=False)
class FrameErrors:
    """Differences of the counts of two networks."""

    largest: float
    mean: float
    by_frame: Reals
    """The sums of the differences, and those of the spikes, of each frame of a sample. Shapes: [2, frames]."""

    def text(self) -> str:
        """Describes the errors, and what frames cost: those of the first frame of a sample, which starts without a potential, and of the others."""
        text = "errors of all counts of the data"
        first, others = self.by_frame[:, 0], self.by_frame[:, 1:].sum(1)
        if not (first[1] and others[1]):
            return text
        return f"{text}: {first[0] / first[1]:.3g} of the spikes in the first frame of a sample, {others[0] / others[1]:.3g} in the others"


def measure_frames(
    before: ntensor.NetworkOp, after: ntensor.NetworkOp, data: Data, diagnostics: Diagnostics
) -> FrameErrors:
    """Returns the differences of the counts. Errors: those of reading the data and of a run."""
    given = read_samples(before, data, diagnostics)
    there = {op.node.data for op in after.populations if not is_on_host(op)}
    nodes = (describe_op(op)[1] for op in before.body.block.ops)
    names = [name for name in nodes if name in there]
    width = sum(prod(shape_of(op.z)) for op in before.populations)
    units = {op.node.data: count_unit(op) for op in after.populations}
    models = [registry.reference()(network, record=names) for network in (before, after)]
    ticks, errors = after.frame_ticks, Errors()
    by_frame = np.zeros((2, frames_of(given.ticks, ticks)))
    for signals in sample_groups(given, data, 8 * width * given.ticks):
        was = models[0].run(signals, ticks=given.ticks)
        now = models[1].run(fit_data(after, evolve(given, signals=signals)).signals)
        for name in names:
            spikes = add_array(was[name], ticks).astype(np.float64)
            difference = np.abs(spikes - now[name] * units[name])
            errors.add(name, difference)
            by_frame += [one.swapaxes(0, 1).reshape(len(by_frame[0]), -1).sum(1) for one in (difference, spikes)]
    return FrameErrors(errors.largest, errors.mean, by_frame)


def is_passed(op: Operation) -> bool:
    """Returns whether an op lies after the last populations of the chip."""
    return not isinstance(op, ntensor.NeuronOp) or is_on_host(op)


@define(eq=False)
class SampleErrors:
    """Errors of networks of frames, relative to one network of ticks, which runs once."""

    before: ntensor.NetworkOp
    given: Stimulus
    data: Data
    width: int
    """Numbers of spikes in a tick."""
    spikes: dict[tuple[str, ...], list[dict[str, Reals]]] = field(init=False, factory=dict[Any, Any])
    """The spikes of each sample, by the names of the populations: in each group of samples, by population. Shapes: each [samples, *population]."""

    @staticmethod
    def of(before: ntensor.NetworkOp, data: Data) -> SampleErrors:
        """Returns the errors relative to a network. Errors: those of reading the data."""
        width = sum(prod(shape_of(op.z)) for op in before.populations)
        return SampleErrors(before, read_samples(before, data, Diagnostics()), data, width)

    def groups(self) -> Iterator[dict[str, Signal]]:
        """Yields the samples in groups."""
        return sample_groups(self.given, self.data, 8 * self.width * self.given.ticks)

    def spikes_of(self, names: tuple[str, ...]) -> list[dict[str, Reals]]:
        """Returns the spikes of populations in each sample, by group. Errors: those of a run."""
        if names not in self.spikes:
            model = registry.reference()(self.before, record=list(names))
            runs = (model.run(signals, ticks=self.given.ticks) for signals in self.groups())
            self.spikes[names] = [{name: run[name].sum(1, dtype=np.float64) for name in names} for run in runs]
        return self.spikes[names]

    def of_frames(self, after: ntensor.NetworkOp) -> float:
        """Returns the mean error of the spikes of a sample relative to their mean, of the last populations before the outputs. Errors: those of a run."""
        ends = [value.owner for value in walk_upstream(list(after.outputs.values), is_passed)]
        last = [op for op in ends if isinstance(op, ntensor.NeuronOp) and not is_on_host(op)]
        names = {op.node.data: count_unit(op) for op in last}
        model = registry.reference()(after, record=list(names))
        error = total = 0.0
        for was, signals in zip(self.spikes_of(tuple(names)), self.groups(), strict=True):
            now = model.run(fit_data(after, evolve(self.given, signals=signals)).signals)
            for name, unit in names.items():
                error += float(np.abs(was[name] - now[name].sum(1, dtype=np.float64) * unit).sum())
                total += float(was[name].sum())
        return error / total if total else error

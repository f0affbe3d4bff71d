"""Measurement of one level: its outputs and populations, compared with those of the first level."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

import numpy as np
from attrs import define, field
from numpy.typing import NDArray
from xdsl.dialects.builtin import i1

from ...analysis.latency import latencies
from ...analysis.output_units import count_unit, output_units
from ...core.diagnostics import Diagnostics
from ...core.ir.operation import element_type, shape_of
from ...core.progress import doing
from ...dialects import ntensor
from ...simulation.frames import add_array
from ..judging.loss import MeasuredOn, PopulationChange, unite_losses
from ..judging.loss_tally import OutputTally
from ..judging.population_changes import ActivityTally, Firing, population_change
from .comparison import overlapping_rows
from .level_records import Level, Stage
from .rate_similarity import Tally, unite_tallies
from .run import Result, discretise
from .run_summary import classes_of


@define
class Row:
    """Measurement of one level."""

    stage: Stage
    network: ntensor.NetworkOp
    outputs: dict[str, int]
    """Neurons of each output."""
    populations: dict[str, Tally]
    given: dict[str, Tally]
    tick_bytes: int
    latency_ticks: dict[str, int]
    """Delays of populations and outputs, relative to the original network (`machine.latency`)."""
    losses: dict[str, OutputTally]
    activities: dict[str, ActivityTally]
    lags: dict[str, int] = field(factory=dict[str, int])
    """Delays in ticks, relative to the first level."""
    right: list[bool] | None = None
    """Whether the decision of each sample is the label; None without labels."""
    decisions: list[int] = field(factory=list[int])
    """The decision of each sample; empty without labels."""
    first_ticks: int = 1
    """Number of ticks of the first level per tick of this level: more than 1 for a network of frames."""

    @staticmethod
    def of(stage: Stage) -> Row:
        network = discretise(stage.module, {}, Diagnostics())
        last = network.body.block.last_op
        assert isinstance(last, ntensor.OutputOp)  # verified
        outputs = dict(zip((name.data for name in network.output_names), last.operands, strict=True))
        neurons = {op.node.data: op for op in network.populations}
        width = sum(
            prod(shape_of(x)) * (1 if element_type(x) == i1 else 8)
            for x in (*outputs.values(), *(op.z for op in neurons.values()))
        )
        units = output_units(network)
        return Row(
            stage,
            network,
            {name: prod(shape_of(x)) for name, x in outputs.items()},
            {name: Tally(element_type(op.z), unit=count_unit(op)) for name, op in neurons.items()},
            {name: Tally(element_type(x)) for name, x in outputs.items()},
            width,
            latencies(network),
            {name: OutputTally(element_type(x), units.get(name)) for name, x in outputs.items()},
            {name: ActivityTally(element_type(op.z)) for name, op in neurons.items()},
        )

    def compare_with(self, first: Row) -> None:
        """Sets the element types of the first level, which determine how its events are counted, its ticks in a frame, and the delays relative to it."""
        delayed = self.latency_ticks | first.latency_ticks
        lags = {name: self.latency_ticks.get(name, 0) - first.latency_ticks.get(name, 0) for name in delayed}
        self.lags = {name: lag for name, lag in lags.items() if lag}
        self.first_ticks = max(1, self.network.frame_ticks // first.network.frame_ticks)
        for own, other in ((self.populations, first.populations), (self.given, first.given)):
            for name, tally in own.items():
                tally.first_element = other[name].frame_element(self.first_ticks) if name in other else None
                tally.first_unit = other[name].unit if name in other else 1.0
        for name, loss in self.losses.items():
            loss.first_element = self.given[name].first_element
            loss.first_unit = first.losses[name].unit if name in first.losses else None
            loss.is_frames = self.network.frame_ticks > 1

    def ticks_of(self, length: int) -> int:
        """Returns the ticks of a run that is compared with one of `length` ticks: late outputs need more, whose inputs are zero. Frames are not padded."""
        return length if self.first_ticks > 1 else length + max((0, *self.lags.values()))

    @doing("comparison of levels")
    def add(self, result: Result, reference: Result, start: int | None, labels: NDArray[Any] | None) -> None:
        mine = arrays_with_samples(result)
        first = mine if reference is result else arrays_with_samples(reference)
        for name, tally in (*self.populations.items(), *self.given.items()):
            a, b, lag = first.get(name), mine[name], self.lags.get(name, 0)
            a = None if a is None else add_array(a, self.first_ticks)
            if a is None:
                b = b[:, max(lag, 0) :]
            elif a.shape[1] < b.shape[1] == self.ticks_of(a.shape[1]):  # row t of the first is row t + lag here
                b = b[:, lag : lag + a.shape[1]]
            elif lag and a.shape[1] == b.shape[1]:  # rows without a partner are not compared
                a, b = overlapping_rows(a, b, lag)
            tally.add(b, a, start)
            if tally is not self.given.get(name):
                if self.first_ticks == 1:
                    self.activities[name].add(b)
                continue
            self.losses[name].add(b, a)
            if labels is not None:
                decisions = classes_of(b, self.losses[name].unit)
                self.decisions += decisions
                self.right = [*(self.right or ()), *(np.array(decisions, np.int64) == labels).tolist()]

    def level(self, first_row: Row, samples: int, measured_on: MeasuredOn) -> Level:
        alike = [tally.likeness() for tally in self.given.values()]
        firsts = [(found.first, name) for found, name in zip(alike, self.given, strict=True) if found.first is not None]
        first, output = min(firsts, key=lambda pair: (pair[0].sample or 0, pair[0].tick), default=(None, None))
        whole = unite_tallies(list(self.given.values()))
        changes = [self.change(name, first_row) for name in self.populations if name in first_row.populations]
        loss = unite_losses(
            {name: (one.loss(), one.applicable) for name, one in self.losses.items()},
            first_row.right,
            self.right,
            [change for change in changes if change is not None],
            samples=samples,
            measured_on=measured_on,
        )
        return Level(
            level=self.stage.level,
            step=self.stage.step,
            accuracy=loss.accuracy,
            loss=loss,
            rate_cosine=whole.rate_cosine,
            bin_cosine=whole.bin_cosine,
            first=first,
            output=output,
            populations={name: tally.likeness() for name, tally in self.populations.items()},
        )

    def change(self, name: str, first_row: Row) -> PopulationChange | None:
        """Returns how a population fires in another way than at the first level, if it does."""
        first, own = first_row.populations[name].element, self.populations[name]
        is_counted = own.is_comparable and own.counts_a is not None and own.counts_b is not None
        if not is_counted or not own.size or not (ntensor.is_event(first) and ntensor.is_event(own.element)):
            return None
        ticks, is_frames = self.first_ticks, self.first_ticks > 1
        runs = (None, None) if is_frames else (first_row.activities[name].runs, self.activities[name].runs)
        before = Firing.of(first, own.events_before, own.counts_a, own.size, runs[0], ticks)
        return population_change(name, before, Firing.of(own.element, own.events, own.counts_b, own.size, runs[1]))


def arrays_with_samples(result: Result) -> Mapping[str, NDArray[Any]]:
    """Returns the arrays of a run with an axis of samples, also for a network without inputs."""
    return result.arrays if result.has_samples else {name: array[None] for name, array in result.arrays.items()}

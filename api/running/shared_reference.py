"""Run of a network that others are compared with, one after the other, on the same input.

Its outputs and populations are kept if they fit into `ROOM_BYTES`, so that each comparison runs one network alone. A larger result is computed again for each
comparison, by groups of samples.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field
from numpy.typing import NDArray

from ...core.diagnostics import Diagnostics
from ...core.progress import Progress, doing, offset_progress
from ...core.unused_modules import free_modules
from ...simulation.frames import read_data
from ...simulation.signals import DenseSignal
from ...simulation.stimuli import Given, Stimulus
from ..judging.loss import MeasuredOn
from .labels import Labels, labels_of
from .level_comparison import ROOM_BYTES
from .level_records import Level, Stage
from .level_rows import Row
from .run import Result, execute


@define
class SharedReference:
    """Run of the first level, complete."""

    stage: Stage
    fed: Stimulus
    labels: NDArray[Any] | None
    measured_on: MeasuredOn
    first: Row
    """The figures of the first level."""
    results: dict[int, Result] = field(factory=dict[int, Result])
    """The results that are kept, by the index of their first sample."""

    @staticmethod
    def of(
        stage: Stage,
        given: Given,
        labels: Labels | None = None,
        *,
        measured_on: MeasuredOn = "sample input",
        progress: Progress | None = None,
        diagnostics: Diagnostics | None = None,
    ) -> SharedReference:
        """Runs a network on an input. Errors: RUN020, RUN021 labels; those of the input and of a run."""
        free_modules(stage.module)
        first, start = Row.of(stage), Row.of(stage)
        first.compare_with(start)
        fed = read_data(first.network, given, diagnostics)
        expected = labels_of(labels, fed.samples, first.outputs, has_samples=fed.has_samples, ticks=fed.ticks)
        made = SharedReference(stage, fed, expected, measured_on, first)
        is_kept = fed.samples * fed.ticks * first.tick_bytes <= ROOM_BYTES
        with doing("run of the network of reals"):
            for some, part in made.groups():
                result = made.run(stage, first, some, part, progress)
                first.add(result, result, *made.facts_of(some))
                if is_kept:
                    made.results[some.start] = result
        return made

    def level(self) -> Level:
        """Returns the first level, compared with itself."""
        return self.first.level(self.first, self.fed.samples, self.measured_on)

    def compare(self, stage: Stage, progress: Progress | None = None) -> Level:
        """Runs a network, and returns its comparison with the first level. Errors: those of a run."""
        free_modules(stage.module)  # those of the engine before
        row = Row.of(stage)
        row.compare_with(Row.of(self.stage))
        for some, part in self.groups():
            reference = self.results.get(some.start) or self.run(self.stage, self.first, some, part, None)
            row.add(self.run(stage, row, some, part, progress), reference, *self.facts_of(some))
        return row.level(self.first, self.fed.samples, self.measured_on)

    def groups(self) -> Iterator[tuple[slice, dict[str, DenseSignal]]]:
        """Yields groups of samples with their input."""
        return self.fed.groups(4 * self.fed.ticks * self.first.tick_bytes, ROOM_BYTES)

    def run(
        self, stage: Stage, row: Row, some: slice, part: dict[str, DenseSignal], progress: Progress | None
    ) -> Result:
        """Runs a group of samples."""
        ticks = row.ticks_of(self.fed.ticks)
        step = offset_progress(progress, some.start * ticks, self.fed.samples * ticks)
        return execute(
            stage.module,
            part,
            record=list(row.populations),
            ticks=ticks,
            progress=step,
            chip=stage.model_of(some.start),
            diagnostics=Diagnostics(),
            is_internal=True,
        )

    def facts_of(self, some: slice) -> tuple[int | None, NDArray[Any] | None]:
        """Returns the index of the first sample, if the input has an axis of samples, and the labels of a group."""
        return some.start if self.fed.has_samples else None, None if self.labels is None else self.labels[some]

"""Metrics of NeuroBench for a build: of the network before all passes, and of the network that the chip computes."""

from __future__ import annotations

from pathlib import Path

from ...core.diagnostics import Diagnostics
from ...core.progress import Progress, part_progress, require_progress
from ...simulation.stimuli import Given
from ..budgets import MaxTime, with_max_time
from ..compiling.builds import refuse_directory, require_report
from ..compiling.target_pipelines import DISCRETE
from ..modules import default_diagnostics
from ..report.measurements import discrete_stages
from .neurobench import neurobench
from .records import NeuroBench


@with_max_time
def build_metrics(
    folder: str | Path,
    x: Given,
    *,
    axes: str | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> tuple[NeuroBench, ...]:
    """Returns the metrics of the first network in ticks of a build, and of the last one if a pass changed the first.

        [one.metrics.footprint for one in nopt.build_metrics("build", x)]

    Errors: CMP009 another directory, or a build without a network in ticks; those of `neurobench`.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    require_report(Path(folder))
    stages = discrete_stages(Path(folder))
    if not stages:
        refuse_directory(Path(folder), f"no IR of the level {DISCRETE}")
    ends = stages if len(stages) == 1 else (stages[0], stages[-1])
    return tuple(
        neurobench(
            module,
            x,
            axes=axes,
            stage=name,
            progress=part_progress(progress, number, len(ends)),
            diagnostics=found,
        )
        for number, (name, module) in enumerate(ends)
    )

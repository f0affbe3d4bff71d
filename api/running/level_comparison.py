"""Levels: a network before and after each lossy pass, compared on the same input.

| level | network |
| --- | --- |
| float | the network under the chosen rule in f64, before any pass; the other levels are compared with the first |
| discretized | the converted network, in its precision; the first level of an `ntensor` network. Leading passes that restore the rates of the trained network run before both levels |
| quantized | after each pass, which `step` names; before the first recorded approximation, the level is still discretized. A pass that runs others, as the legalisation for a device, has a level for each of them that records an approximation |
| target | legalised for a device, or run by its model (`nopt compile`) |

`loss` is the loss of the outputs (`api/judging/loss.py`). `rate_cosine` and `bin_cosine` are defined as in `compare`, over all outputs, and for each population over its output. `rate` is the number
of events per neuron and tick; values have none. `rate_before` is the rate of the first level over the same ticks. `first` is the first difference from the first level. `accuracy` is the ratio of samples
whose arg-max, as in `run`, is the label. An output that a pass has delayed (`machine.latency`) is compared with that delay, and the level runs longer by it. A network of frames is compared with the sums of the
first level over the ticks of each frame.

The samples run in groups, through all levels, so that the memory of the records is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, Unpack

from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...core.diagnostics import Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.progress import Progress, doing, offset_progress, require_progress
from ...dialects import ntensor
from ...simulation.axes import order_axes
from ...simulation.frames import read_data
from ...simulation.stimuli import Given
from ..budgets import MaxTime, with_max_time
from ..discretisation import is_discretised, refuse_choices, split_by_level
from ..judging.loss import MeasuredOn
from ..modules import Network, available_passes, default_diagnostics, module_of, parent_module
from ..options import Choices
from ..permissions.approximation_names import permitted_names, require_effect
from .chips import find_start, late_passes
from .labels import Labels, labels_of
from .level_records import Confusion, Level, Levels, RecordedStages, Stage, records_of
from .level_rows import Row
from .run import Result, discretise, execute

ROOM_BYTES = 2**28
"""Maximal memory for the records of a group of samples; a group has at least one."""


@with_max_time
def levels(
    network: Network,
    given: Given,
    *,
    axes: str | None = None,
    passes: str | Sequence[ModulePass] = "",
    approximate: Sequence[str] | str = (),
    labels: Labels | None = None,
    ticks: int | None = None,
    engine: str = "auto",
    sum_order: Literal["index", "fast"] = "index",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> Levels:
    """Runs a network at every level and returns the loss of each pass.

        found = nopt.levels("net.nir", x, passes="ntensor-quantize-weights{bits=8}", labels=y, dt="1ms", like="norse")
        found.levels[-1].accuracy

    `passes` run on a copy of the discretised network, and each result is a level. `approximate` permits approximations,
    as `reset,count` or `all`: passes of the helps are added until the passes run. Other arguments as in `run`.

    Errors: CMP015, CMP016 permissions; RUN020, RUN021 labels; COR012, COR013, COR014, COR015, COR016 the passes; those of `run`.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    module, permitted = module_of(network, diagnostics=found), permitted_names(approximate)
    require_effect(permitted, "-p, whose passes approximate", has_effect=bool(passes), missing="passes")
    if permitted:
        passes = permitted_passes(module, passes, choices, permitted)
    return measure(
        make_stages(module, passes, choices, found),
        order_axes(given, axes),
        labels=labels,
        ticks=ticks,
        engine=engine,
        sum_order=sum_order,
        progress=progress,
        diagnostics=found,
    )


def permitted_passes(
    module: ModuleOp, passes: str | Sequence[ModulePass], choices: Choices, permitted: Sequence[str]
) -> str:
    """Returns the passes of a user with those that permissions add, as text."""
    from ..permissions.permitted_fit import PermittedFit

    steps = pipeline.parse_pipeline(passes, available_passes()) if isinstance(passes, str) else passes

    def prepare(texts: Sequence[str]) -> ModuleOp:
        return run_user_passes(module, ",".join(texts), choices, Diagnostics())

    best = PermittedFit(None, prepare, permitted).best([pipeline.pass_text(step) for step in steps])
    return ",".join(best.trial.passes)


@with_max_time
def compare_presets(
    network: Network,
    given: Given,
    presets: Sequence[str],
    *,
    axes: str | None = None,
    passes: str = "",
    labels: Labels | None = None,
    ticks: int | None = None,
    engine: str = "auto",
    sum_order: Literal["index", "fast"] = "index",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> Levels:
    """Runs a network under several presets, and compares each with the first.

        found = nopt.compare_presets("net.nir", x, ["norse", "snntorch", "sinabs"], dt="1ms")
        found.levels[1].first

    Each preset is a level with its name. `passes` run on each network. Other arguments as in `run`.

    Errors: API006 a network that has ticks already; RUN020, RUN021 labels; those of `run` and of the passes.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    module = module_of(network, diagnostics=found)
    stages: list[Stage] = []
    for name in presets:
        made: Choices = {**choices, "like": name}
        one = run_user_passes(module, passes, made, found) if passes else parent_module(discretise(module, made, found))
        stages.append(Stage(name, None, one))
    return measure(
        stages,
        order_axes(given, axes),
        labels=labels,
        ticks=ticks,
        engine=engine,
        sum_order=sum_order,
        progress=progress,
        diagnostics=found,
    )


def make_stages(
    module: ModuleOp, passes: str | Sequence[ModulePass], choices: Choices, diagnostics: Diagnostics
) -> list[Stage]:
    """Returns the levels of a network: float and discretised, which can be the same module, and one for each pass that does not define the network.

    Errors: those of the conversion and of the passes.
    """
    steps = pipeline.parse_pipeline(passes, available_passes()) if isinstance(passes, str) else passes
    early, steps = split_by_level(steps, module)
    first, steps = pipeline.split_start(steps)
    given = pipeline.defining_steps(early)
    now = run_enabling_passes(discretise(module, choices, diagnostics, given), first, diagnostics)
    stages = [Stage("discretized", ",".join(map(pipeline.typed_text, first)) or None, now)]
    if not is_discretised(module):
        reals = now
        if choices.get("precision") not in (None, "f64"):
            whole: Choices = {**choices, "precision": "f64"}
            reals = run_enabling_passes(discretise(module, whole, Diagnostics(), given), first, Diagnostics())
        stages.insert(0, Stage("float", None, reals))
    if len(early) > len(given):
        now = run_enabling_passes(discretise(module, choices, diagnostics, early), first, diagnostics)
        stages.append(Stage(level_of(now, stages), ",".join(map(pipeline.typed_text, early)), now))
    for step in steps:
        now, text = now.clone(), pipeline.typed_text(step)
        recorded = RecordedStages(records_of(now))
        pass_manager.run_observed([step], NoptContext(diagnostics=diagnostics, observer=recorded), now, diagnostics)
        stages += [stage for stage in recorded.stages if stage.step != text]
        stages.append(Stage(level_of(now, stages), text, now))
    return stages


def run_enabling_passes(network: ntensor.NetworkOp, steps: Sequence[ModulePass], diagnostics: Diagnostics) -> ModuleOp:
    """Returns a copy of the module of a network after the passes before a comparison: those that an engine requires, and those that restore rates."""
    module = parent_module(network)
    if steps:
        module = module.clone()
        pass_manager.run_observed(steps, NoptContext(diagnostics=diagnostics), module, diagnostics)
    return module


def start_of(graph: ntensor.NetworkOp, module: ModuleOp, passes: str, diagnostics: Diagnostics) -> ModuleOp:
    """Returns the network before `passes`, but after leading passes that an engine requires."""
    _, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()) if passes else [], module)
    return run_enabling_passes(graph, pipeline.split_enabling(late)[0], diagnostics)


def level_of(module: ModuleOp, before: Sequence[Stage]) -> str:
    """Returns the level of a module: `quantized` after a recorded approximation, otherwise the level of the network before the passes."""
    first = next(stage for stage in before if stage.level == "discretized")
    known = records_of(first.module)
    return "quantized" if any(record not in known for record in records_of(module)) else first.level


def run_user_passes(module: ModuleOp, passes: str, choices: Choices, diagnostics: Diagnostics) -> ModuleOp:
    """Returns a copy of the discretised network, or of the compiled one, after the passes; leading passes of the level `nir` run before the conversion.

    Errors: COR017 a pass of another level; those of the conversion and of the passes. Remarks: COR018 a pass that changed nothing.
    """
    if (start := find_start(module)) is not None and start.is_compiled:
        refuse_choices(choices)
        found, late = module.clone(), late_passes(passes, start)
    else:
        early, late = split_by_level(pipeline.parse_pipeline(passes, available_passes()), module)
        found = parent_module(discretise(module, choices, diagnostics, early)).clone()
    pass_manager.run_observed(late, NoptContext(diagnostics=diagnostics), found, diagnostics)
    return found


def measure(
    stages: Sequence[Stage],
    given: Given,
    *,
    labels: Labels | None = None,
    ticks: int | None = None,
    engine: str = "auto",
    sum_order: Literal["index", "fast"] = "index",
    progress: Progress | None = None,
    diagnostics: Diagnostics | None = None,
    measured_on: MeasuredOn = "sample input",
) -> Levels:
    """Runs networks on the same input and compares each with the first. Consecutive stages with the same module run once.

    Errors: RUN020, RUN021 labels; those of a run.
    """
    rows = [Row.of(stage) for stage in stages]
    for row in rows:
        row.compare_with(rows[0])
    network = rows[0].network
    fed = read_data(network, given, diagnostics)
    length = fed.ticks if ticks is None else ticks
    expected = labels_of(labels, fed.samples, rows[0].outputs, has_samples=fed.has_samples, ticks=fed.ticks)
    sample_bytes = 2 * length * max(row.tick_bytes for row in rows)
    lengths = [row.ticks_of(length) for row in rows]
    all = fed.samples * sum(lengths[k] for k in range(len(stages)) if not is_again(stages, k))
    done = 0
    for some, part in fed.groups(sample_bytes, ROOM_BYTES):
        expects = None if expected is None else expected[some]
        reference: Result | None = None
        result: Result | None = None
        for k, row in enumerate(rows):
            if result is None or not is_again(stages, k):
                with doing(f"level {stages[k].step or stages[k].level}", k + 1, len(rows)):
                    result = execute(
                        stages[k].module,
                        part,
                        record=list(row.populations),
                        ticks=lengths[k],
                        engine=engine,
                        sum_order=sum_order,
                        progress=offset_progress(progress, done, all),
                        chip=stages[k].model_of(some.start),
                        diagnostics=diagnostics,
                        is_internal=True,
                    )
                done += (some.stop - some.start) * lengths[k]
            reference = result if reference is None else reference
            row.add(result, reference, some.start if fed.has_samples else None, expects)
    measured = tuple(row.level(rows[0], fed.samples, measured_on) for row in rows)
    confusion = None if expected is None else confusion_of(rows, expected)
    return Levels(levels=measured, samples=fed.samples, ticks=length, extent=fed.extent(ticks), confusion=confusion)


def confusion_of(rows: Sequence[Row], labels: NDArray[Any]) -> Confusion:
    """Returns the decisions at the first and the last level by label."""

    def counted(row: Row) -> tuple[tuple[int, int, int], ...]:
        pairs = Counter(zip(labels.tolist(), row.decisions, strict=True))
        return tuple((label, decision, pairs[label, decision]) for label, decision in sorted(pairs))

    (classes,) = rows[0].outputs.values()
    return Confusion(classes, counted(rows[0]), counted(rows[-1]))


def measure_one(
    stage: Stage,
    start: ModuleOp,
    reference: Result,
    given: Given,
    labels: NDArray[Any] | None,
    engine: str,
    measured_on: MeasuredOn = "sample input",
    diagnostics: Diagnostics | None = None,
) -> Level:
    """Runs one network and compares it with a run of `start` on the same input: its outputs, and the populations that the run recorded.

    Errors: those of a run.
    """
    row = Row.of(stage)
    row.compare_with(Row.of(Stage("float", None, start)))
    result = execute(
        stage.module,
        given,
        record=[name for name in row.populations if name in reference.arrays],
        ticks=row.ticks_of(reference.ticks),
        engine=engine,
        chip=stage.model_of(0),
        diagnostics=Diagnostics() if diagnostics is None else diagnostics,
        is_internal=True,
    )
    return compare_results(stage, start, result, reference, labels, measured_on)


def compare_results(
    stage: Stage,
    start: ModuleOp,
    result: Result,
    reference: Result,
    labels: NDArray[Any] | None = None,
    measured_on: MeasuredOn = "sample input",
) -> Level:
    """Compares the run of a network with a run of `start` on the same input: the outputs, and the populations that both recorded."""
    first, row = Row.of(Stage("float", None, start)), Row.of(stage)
    for one, held in ((first, reference), (row, result)):
        one.populations = {name: tally for name, tally in one.populations.items() if name in held.arrays}
        one.compare_with(first)
    sample = 0 if result.has_samples else None
    first.add(reference, reference, sample, labels)
    row.add(result, reference, sample, labels)
    return row.level(first, result.samples, measured_on)


def is_again(stages: Sequence[Stage], k: int) -> bool:
    return k > 0 and stages[k].module is stages[k - 1].module and stages[k].chip is None

"""Levels: a network before and after each lossy pass, compared on the same input.

| level | network |
| --- | --- |
| float | the network under the chosen rule in f64, before any pass; the other levels are compared with the first |
| discretized | the converted network, in its precision; the first level of an `ntensor` network |
| quantized | after each pass, which `step` names; before the first recorded approximation, the level is still discretized. A pass that runs others, as the legalisation for a device, has a level for each of them that records an approximation |
| target | legalised for a device, or run by its model (`nopt compile`) |

`loss` is the loss of the outputs (`api/judging/loss.py`). `rate_cosine` and `bin_cosine` are defined as in `compare`, over all outputs, and for each population over its output. `rate` is the number
of events per neuron and tick; values have none. `rate_before` is the rate of the first level over the same ticks. `first` is the first difference from the first level. `accuracy` is the ratio of samples
whose arg-max, as in `run`, is the label. An output that a pass has delayed (`machine.latency`) is compared with that delay. A network of frames is compared with the sums of the
first level over the ticks of each frame.

The samples run in groups, through all levels, so that the memory of the records is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import Any, Literal, Unpack

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.passes import ModulePass

from ...analysis.latency import latencies
from ...analysis.output_units import output_units
from ...core.diagnostics import Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import element_type, shape_of
from ...core.progress import Progress, doing, offset_progress, require_progress
from ...dialects import ntensor
from ...simulation.axes import order_axes
from ...simulation.frames import add_array, read_data
from ...simulation.imperfections import Imperfections
from ...simulation.stimuli import Given
from ..budgets import MaxTime, with_max_time
from ..discretisation import Choices, is_discretised, refuse_choices, split_by_level
from ..json_record import Record, key
from ..judging.loss import Loss, MeasuredOn, PopulationChange, unite_losses
from ..judging.loss_tally import OutputTally
from ..judging.population_changes import ActivityTally, Firing, population_change
from ..modules import Network, available_passes, default_diagnostics, module_of, parent_module
from .chips import find_start, late_passes
from .comparison import First
from .labels import Labels, labels_of
from .rate_similarity import Likeness, Tally, unite_tallies
from .run import Result, discretise, execute

ROOM_BYTES = 2**28
"""Maximal memory for the records of a group of samples; a group has at least one."""


# ---- the record


@frozen(kw_only=True)
class Level(Record):
    """One row of the table: an entry of `levels` in the records `nopt.levels/1` and `nopt.report/1`."""

    level: str
    step: str | None
    """The pass before the run, as the user types it."""
    accuracy: float | None
    loss: Loss
    rate_cosine: float | None
    bin_cosine: float | None
    first: First | None
    """First difference of all outputs, by sample and tick."""
    output: str | None
    """The output of `first`."""
    populations: dict[str, Likeness]

    def as_json(self) -> dict[str, Any]:
        made = super().as_json()
        output, first = made.pop("output"), made["first"]
        return made | {"first": first and {"output": output, **first}}


@frozen(kw_only=True)
class Levels(Record):
    """All levels, each compared with the first level: the record `nopt.levels/1`."""

    SCHEMA = "nopt.levels/1"
    samples: int
    ticks: int
    levels: tuple[Level, ...]
    extent: str = field(metadata=key(None))
    """Samples and ticks for messages."""


@frozen
class Stage:
    """A network to measure: its level, the pass that produced it, and its `ntensor` module."""

    level: str
    step: str | None
    module: ModuleOp
    chip: Callable[..., Any] | None = None
    """Creates the model that runs instead of an engine, from the network of the module."""
    drawn: Imperfections | None = None
    """The manufactured chip that the model simulates; None: the ideal chip."""

    def model_of(self, first: int) -> Callable[..., Any] | None:
        """Returns the function that creates the model for a group of samples; `first` is the index of the first sample."""
        if self.chip is None or self.drawn is None:
            return self.chip
        return partial(self.chip, imperfections=evolve(self.drawn, first_sample=first))


@define
class RecordedStages:
    """Networks after each pass that records an approximation, in the order of the passes: an observer of a context."""

    known: list[ntensor.ApproximationAttr]
    stages: list[Stage] = field(factory=list[Stage])

    def __call__(self, step: ModulePass, module: ModuleOp) -> None:
        found = records_of(module)
        if any(record not in self.known for record in found):
            self.known = found
            self.stages.append(Stage("quantized", pipeline.typed_text(step), module.clone()))


# ---- measuring


@with_max_time
def levels(
    network: Network,
    given: Given,
    *,
    axes: str | None = None,
    passes: str | Sequence[ModulePass] = "",
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

    `passes` run on a copy of the discretised network, and each result is a level. Other arguments as in `run`.

    Errors: RUN020, RUN021 labels; COR012, COR013, COR014, COR015, COR016 the passes; those of `run`.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    module = module_of(network, diagnostics=found)
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
    """Returns the levels of a network: float and discretised, which can be the same module, and one for each pass.

    Errors: those of the conversion and of the passes.
    """
    steps = pipeline.parse_pipeline(passes, available_passes()) if isinstance(passes, str) else passes
    early, steps = split_by_level(steps, module)
    first, steps = pipeline.split_enabling(steps)
    now = run_enabling_passes(discretise(module, choices, diagnostics), first, diagnostics)
    stages = [Stage("discretized", ",".join(map(pipeline.typed_text, first)) or None, now)]
    if not is_discretised(module):
        reals = now
        if choices.get("precision") not in (None, "f64"):
            whole: Choices = {**choices, "precision": "f64"}
            reals = run_enabling_passes(discretise(module, whole, Diagnostics()), first, Diagnostics())
        stages.insert(0, Stage("float", None, reals))
    if early:
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
    """Returns a copy of the module of a network after the passes that an engine requires."""
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


def records_of(module: ModuleOp) -> list[ntensor.ApproximationAttr]:
    return [record for op in module.ops if isinstance(op, ntensor.NetworkOp) for record in op.approximations or ()]


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
    late = rows[0].lags
    for row in rows:
        row.compare_with(rows[0])
        row.lags = {name: more for name, lag in row.lags.items() if (more := lag - late.get(name, 0)) > 0}
    network = rows[0].network
    fed = read_data(network, given, diagnostics)
    length = fed.ticks if ticks is None else ticks
    expected = labels_of(labels, fed.samples, rows[0].outputs, has_samples=fed.has_samples, ticks=fed.ticks)
    sample_bytes = 2 * length * max(row.tick_bytes for row in rows)
    runs = sum(not is_again(stages, k) for k in range(len(stages)))
    all = runs * fed.samples * length
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
                        ticks=ticks,
                        engine=engine,
                        sum_order=sum_order,
                        progress=offset_progress(progress, done, all),
                        chip=stages[k].model_of(some.start),
                        diagnostics=diagnostics,
                        is_internal=True,
                    )
                done += (some.stop - some.start) * length
            reference = result if reference is None else reference
            row.add(result, reference, some.start if fed.has_samples else None, expects)
    measured = tuple(row.level(rows[0], fed.samples, measured_on) for row in rows)
    return Levels(levels=measured, samples=fed.samples, ticks=length, extent=fed.extent(ticks))


def measure_one(
    stage: Stage,
    start: ModuleOp,
    reference: Result,
    given: Given,
    labels: NDArray[Any] | None,
    engine: str,
    measured_on: MeasuredOn = "sample input",
) -> Level:
    """Runs one network and compares it with a run of `start` on the same input: its outputs, and the populations that the run recorded.

    Errors: those of a run.
    """
    first, row = Row.of(Stage("float", None, start)), Row.of(stage)
    row.compare_with(first)
    row.lags = {name: more for name, lag in row.lags.items() if (more := lag - first.lags.get(name, 0)) > 0}
    for one in (first, row):
        one.populations = {name: tally for name, tally in one.populations.items() if name in reference.arrays}
    result = execute(
        stage.module,
        given,
        record=list(row.populations),
        engine=engine,
        chip=stage.model_of(0),
        diagnostics=Diagnostics(),
        is_internal=True,
    )
    sample = 0 if result.has_samples else None
    first.add(reference, reference, sample, labels)
    row.add(result, reference, sample, labels)
    return row.level(first, result.samples, measured_on)


def is_again(stages: Sequence[Stage], k: int) -> bool:
    return k > 0 and stages[k].module is stages[k - 1].module and stages[k].chip is None


# ---- measurement of one level


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
    lags: dict[str, int]
    """Delays of populations and outputs in ticks, relative to the original network (`machine.latency`)."""
    losses: dict[str, OutputTally]
    activities: dict[str, ActivityTally]
    right: list[bool] | None = None
    """Whether the decision of each sample is the label; None without labels."""
    first_ticks: int = 1
    """Number of ticks of the first level per tick of this level: more than 1 for a network of frames."""

    @staticmethod
    def of(stage: Stage) -> Row:
        network = discretise(stage.module, {}, Diagnostics())
        last = network.body.block.last_op
        assert isinstance(last, ntensor.OutputOp)  # verified
        outputs = dict(zip((name.data for name in network.output_names), last.operands, strict=True))
        neurons = {op.node.data: op.z for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)}
        width = sum(
            prod(shape_of(x)) * (1 if element_type(x) == i1 else 8) for x in (*outputs.values(), *neurons.values())
        )
        units = output_units(network)
        return Row(
            stage,
            network,
            {name: prod(shape_of(x)) for name, x in outputs.items()},
            {name: Tally(element_type(x)) for name, x in neurons.items()},
            {name: Tally(element_type(x)) for name, x in outputs.items()},
            width,
            latencies(network),
            {name: OutputTally(element_type(x), units.get(name)) for name, x in outputs.items()},
            {name: ActivityTally(element_type(x)) for name, x in neurons.items()},
        )

    def compare_with(self, first: Row) -> None:
        """Sets the element types of the first level, which determine how its events are counted, and its ticks in a frame."""
        self.first_ticks = max(1, self.network.frame_ticks // first.network.frame_ticks)
        for own, other in ((self.populations, first.populations), (self.given, first.given)):
            for name, tally in own.items():
                tally.first_element = other[name].frame_element(self.first_ticks) if name in other else None
        for name, loss in self.losses.items():
            loss.first_element = self.given[name].first_element
            loss.first_unit = first.losses[name].unit if name in first.losses else None
            loss.is_frames = self.first_ticks > 1

    @doing("comparison of levels")
    def add(self, result: Result, reference: Result, start: int | None, labels: NDArray[Any] | None) -> None:
        mine = arrays_with_samples(result)
        first = mine if reference is result else arrays_with_samples(reference)
        for name, tally in (*self.populations.items(), *self.given.items()):
            a, b, lag = first.get(name), mine[name], self.lags.get(name, 0)
            a = None if a is None else add_array(a, self.first_ticks)
            if lag:  # row t of the first is row t + lag here; later rows are not compared
                a, b = None if a is None else a[:, : max(0, a.shape[1] - lag)], b[:, lag:]
            tally.add(b, a, start)
            if tally is self.given.get(name):
                self.losses[name].add(b, a)
            elif self.first_ticks == 1:
                self.activities[name].add(b)
        if labels is not None:
            (name,) = self.outputs
            right = np.array(result.argmax(name, self.losses[name].unit), np.int64) == labels
            self.right = [*(self.right or ()), *right.tolist()]

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

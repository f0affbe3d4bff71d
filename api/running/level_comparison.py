"""Levels: a network before and after each lossy pass, compared on the same input.

| level | network |
| --- | --- |
| float | the network under the chosen rule in f64, before any pass; the other levels are compared with the first |
| discretized | the converted network, in its precision; the first level of an `ntensor` network |
| quantized | after each pass, which `step` names; before the first recorded approximation, the level is still discretized. A pass that runs others, as the legalisation for a device, has a level for each of them that records an approximation |
| target | legalised for a device, or run by its model (`nopt compile`) |

`rate_cosine` and `bin_cosine` are defined as in `compare`, over all outputs, and for each population over its output. `rate` is the number
of events per neuron and tick; values have none. `rate_before` is the rate of the first level over the same ticks. `first` is the first difference from the first level. `accuracy` is the ratio of samples
whose arg-max, as in `run`, is the label. An output that a pass has delayed (`machine.latency`) is compared with that delay. A network of frames is compared with the sums of the
first level over the ticks of each frame.

The samples run in groups, through all levels, so that the memory of the records is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from pathlib import Path
from typing import Any, Literal, Unpack, cast

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import ArrayLike, NDArray
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.passes import ModulePass

from ...analysis.latency import latencies
from ...core.diagnostics import Code, Diagnostics, quote_names, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.ir.operation import element_type, shape_of
from ...core.progress import Progress, doing, offset_progress, require_progress
from ...dialects import ntensor
from ...simulation.axes import order_axes
from ...simulation.frames import add_array, read_data
from ...simulation.imperfections import Imperfections
from ...simulation.stimuli import Given, load_arrays
from ..budgets import MaxTime, with_max_time
from ..discretisation import Choices, is_discretised, refuse_choices, split_by_level
from ..json_record import Record, key
from ..modules import Network, available_passes, default_diagnostics, module_of, parent_module
from .chips import find_start, late_passes
from .comparison import First
from .rate_similarity import Likeness, Tally, unite_tallies
from .run import Result, discretise, execute

RUN020 = Code("RUN020", "labels-mismatch", "the labels do not fit")
RUN021 = Code("RUN021", "labels-need-single-output", "labels need one output")

Labels = str | Path | ArrayLike
"""A `.npy`, a `.npz` with one array, or an array: integers, one for each sample."""
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
    measured = tuple(row.level(fed.samples if labels is not None else None) for row in rows)
    return Levels(levels=measured, samples=fed.samples, ticks=length, extent=fed.extent(ticks))


def measure_one(
    stage: Stage, start: ModuleOp, reference: Result, given: Given, labels: NDArray[Any] | None, engine: str
) -> Level:
    """Runs one network and compares its outputs with a run of `start` on the same input; populations are not compared.

    Errors: those of a run.
    """
    first, row = Row.of(Stage("float", None, start)), Row.of(stage)
    row.compare_with(first)
    row.lags = {name: more for name, lag in row.lags.items() if (more := lag - first.lags.get(name, 0)) > 0}
    row.populations = {}
    result = execute(
        stage.module, given, engine=engine, chip=stage.model_of(0), diagnostics=Diagnostics(), is_internal=True
    )
    row.add(result, reference, 0 if result.has_samples else None, labels)
    return row.level(None if labels is None else result.samples)


def is_again(stages: Sequence[Stage], k: int) -> bool:
    return k > 0 and stages[k].module is stages[k - 1].module and stages[k].chip is None


def labels_of(
    given: Labels | None, samples: int, outputs: Mapping[str, int], *, has_samples: bool, ticks: int
) -> NDArray[Any] | None:
    """Returns the labels after a check; None without labels.

    Errors: RUN020 another type, shape or number, or an unknown class; RUN021 several outputs; those of reading.
    """
    if given is None:
        return None
    file, several = str(given) if isinstance(given, str | Path) else None, 1
    found: Any = load_arrays(given)[0] if isinstance(given, str | Path) else given
    if isinstance(found, dict):
        entries = cast("dict[str, Any]", found)
        several, found = len(entries), next(iter(entries.values()), None)
    array = np.asarray(found)
    if len(outputs) != 1:
        refuse(
            RUN021,
            file=file,
            expected="a network with one output",
            found=quote_names(outputs) if outputs else "no output",
            help=Phrase(WithoutOptions(("--labels",))),
        )
    ((name, classes),) = outputs.items()
    is_right = several == 1 and array.dtype.kind in "iu" and array.shape == (samples,)
    if not is_right or (array.size and not (array.min() >= 0 and array.max() < classes)):
        what = f"{array.dtype} of shape {list(array.shape)}" if several == 1 else f"{several} arrays"
        if is_right:
            wrong = int(np.flatnonzero((array < 0) | (array >= classes))[0])
            what = f"{array[wrong]} for sample {wrong}"
        some = "one for each sample of the input" if has_samples else "the input has no axis of samples"
        is_swapped = array.shape == (ticks,) != (samples,)
        refuse(
            RUN020,
            file=file,
            expected=f'integers of shape [{samples}], {some}, each a neuron of "{name}", 0 to {classes - 1}',
            found=what,
            help="--axes ticks,samples, or --axes samples,ticks"
            if is_swapped and has_samples
            else "numpy.save('y.npy', y.astype('int64'))",
            notes=[f"the input was read as {samples} samples x {ticks} ticks"] if is_swapped else [],
        )
    return array


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
    right: int = 0
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
        return Row(
            stage,
            network,
            {name: prod(shape_of(x)) for name, x in outputs.items()},
            {name: Tally(element_type(x)) for name, x in neurons.items()},
            {name: Tally(element_type(x)) for name, x in outputs.items()},
            width,
            latencies(network),
        )

    def compare_with(self, first: Row) -> None:
        """Sets the element types of the first level, which determine how its events are counted, and its ticks in a frame."""
        self.first_ticks = max(1, self.network.frame_ticks // first.network.frame_ticks)
        for own, other in ((self.populations, first.populations), (self.given, first.given)):
            for name, tally in own.items():
                tally.first_element = other[name].frame_element(self.first_ticks) if name in other else None

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
        if labels is not None:
            (name,) = self.outputs
            self.right += int((np.array(result.argmax(name), np.int64) == labels).sum())

    def level(self, samples: int | None) -> Level:
        alike = [tally.likeness() for tally in self.given.values()]
        firsts = [(found.first, name) for found, name in zip(alike, self.given, strict=True) if found.first is not None]
        first, output = min(firsts, key=lambda pair: (pair[0].sample or 0, pair[0].tick), default=(None, None))
        whole = unite_tallies(list(self.given.values()))
        return Level(
            level=self.stage.level,
            step=self.stage.step,
            accuracy=self.right / samples if samples else None,
            rate_cosine=whole.rate_cosine,
            bin_cosine=whole.bin_cosine,
            first=first,
            output=output,
            populations={name: tally.likeness() for name, tally in self.populations.items()},
        )


def arrays_with_samples(result: Result) -> Mapping[str, NDArray[Any]]:
    """Returns the arrays of a run with an axis of samples, also for a network without inputs."""
    return result.arrays if result.has_samples else {name: array[None] for name, array in result.arrays.items()}

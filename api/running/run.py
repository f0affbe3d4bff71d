"""Runs of a network of any level on an engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import nullcontext
from math import prod
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, Unpack

import numpy as np
from attrs import evolve, field, frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ...analysis.output_units import output_units
from ...core import registry
from ...core.arrays.allowance import limited_arrays
from ...core.diagnostics import Diagnostics
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.locations import Origins
from ...core.processors import limited_processors
from ...core.progress import Progress, doing, require_progress
from ...dialects.machine import GraphOp
from ...dialects.ntensor import NetworkOp
from ...dialects.ntensor.interface import CompiledOperation
from ...passes.pipelines import LIFT
from ...simulation.axes import order_axes
from ...simulation.frames import fit_data, frames_of, read_data
from ...simulation.host.hosted_model import chip_model
from ...simulation.host.readout_files import load_artefact
from ...simulation.runs import CHIP, REFERENCE, ModelKind
from ...simulation.stimuli import Given, Stimulus
from ..budgets import MaxTime, with_max_time
from ..compiling.target_pipelines import DISCRETE, levels_of
from ..costing.estimates import data_bytes, require_memory
from ..discretisation import conversion_pass, is_discretised, refuse_choices, repair_numbers
from ..executing.choice import Request, run_engine
from ..executing.listing import AUTO, CHOICES, engine_record
from ..executing.speeds import work_of
from ..modules import Network, default_diagnostics, module_of, only_network, read
from ..options import Choices
from ..recording.record_names import event_names, node_names, record_names
from ..report.figures.results import result_html
from ..unit_values import memory_bytes, refuse_option
from .chips import find_start, open_chip
from .labels import Labels, labels_of
from .learning import LearnMode, copy_to_learn, final_records, final_weights, set_learning
from .run_summary import RunArray, RunSummary, classes_of

SHORT_WORK = 5 * 10**8
"""Work of the reference in about 0.15 s, the time in which a compiler produces a program. Units: [synapses]."""


@frozen
class Result:
    """Result of a run: the outputs of the network, then the records."""

    arrays: dict[str, NDArray[Any]]
    """Leading axes as in the input."""
    has_samples: bool
    engine: str
    seconds: float
    """Duration of the run alone."""
    start_seconds: float
    """Duration of the start, in which the engine plans or compiles the network."""
    samples: int
    """1 if the input has no axis of samples."""
    ticks: int
    """Number of ticks of the run."""
    extent: str
    """Samples and ticks for messages: `20 samples x 100 ticks`."""
    engine_reason: str = ""
    """Why this engine ran."""
    tick_ns: int | None = None
    """Time between two rows of the arrays."""
    nodes: tuple[str, ...] = ()
    """Names of arrays that are nodes; the others are states, `NODE.STATE`."""
    values: tuple[str, ...] = ()
    """Names of arrays with values or states; the others have events."""
    units: Mapping[str, NDArray[np.float64]] = field(factory=dict[str, NDArray[np.float64]])
    """The value in the network that the number 1 of an output represents, if it is not 1: one number, or one per neuron."""
    weights: Mapping[str, NDArray[Any]] = field(factory=dict[str, NDArray[Any]])
    """The weights after the last sample as `NODE.weight`, if they were asked for."""
    accuracy: float | None = None
    """Share of samples whose decision is their label; None without labels."""

    def argmax(self, name: str) -> list[int]:
        """Returns, for each sample, the neuron with the largest sum over ticks in units of the network (on ties, the lowest index)."""
        return classes_of(self.arrays[name] if self.has_samples else self.arrays[name][None], self.units.get(name))

    def with_accuracy(self, labels: Labels, recorded: Container[str] = ()) -> Result:
        """Returns the result with the accuracy of the only output, without the `recorded` arrays. Errors: RUN020, RUN021; those of reading labels."""
        skipped = 1 + self.has_samples
        outputs = {name: prod(one.shape[skipped:]) for name, one in self.arrays.items() if name not in recorded}
        expected = labels_of(labels, self.samples, outputs, has_samples=self.has_samples, ticks=self.ticks)
        decisions = self.argmax(next(iter(outputs)))
        return evolve(self, accuracy=float(np.mean(np.array(decisions) == expected)) if decisions else None)

    def total(self, name: str) -> int | float:
        array = self.arrays[name]
        return array.sum(dtype=np.int64 if array.dtype.kind in "biu" else np.float64).item()

    def _repr_html_(self) -> str:
        return result_html(self.arrays, has_samples=self.has_samples, extent=self.extent, values=self.values)

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.run/1`."""
        made = RunSummary(
            outputs={
                name: RunArray(array.shape, str(array.dtype), self.total(name), tuple(self.argmax(name)))
                for name, array in self.arrays.items()
            },
            samples=self.samples if self.has_samples else None,
            ticks=self.ticks,
            accuracy=self.accuracy,
            engine=self.engine,
            engine_reason=self.engine_reason,
            seconds=self.seconds,
            start_seconds=self.start_seconds,
        )
        return made.as_json()


def discretise(
    module: ModuleOp, choices: Choices, diagnostics: Diagnostics, passes: Sequence[ModulePass] = ()
) -> NetworkOp:
    """Returns the only network of a module as `ntensor`; a network in continuous time, or on the cores of a machine, is converted in a copy.

    `passes` run on a network in continuous time before it is converted.

    Errors: API011 no network, or several; API006 choices for a network that is discretised; those of the conversion.
    """
    if is_discretised(module):
        refuse_choices(choices)
    else:
        module = repair_numbers(module, choices, diagnostics).clone()
        context = NoptContext(diagnostics=diagnostics)
        pass_manager.run_observed(passes, context, module, diagnostics)
        pass_manager.run_passes([conversion_pass(choices)], context, module)
    module = lift_graphs(module, diagnostics)
    return only_network(module)


def lift_graphs(module: ModuleOp, diagnostics: Diagnostics) -> ModuleOp:
    """Converts the machine graphs of a module to networks in a copy; a module without machine graphs is returned itself."""
    if not any(isinstance(op, GraphOp) for op in module.ops):
        return module
    module = module.clone()
    steps = pipeline.parse_pipeline(LIFT, registry.passes())
    pass_manager.run_passes(steps, NoptContext(diagnostics=diagnostics), module)
    return module


def open_build(folder: Path, which: ModelKind, diagnostics: Diagnostics) -> tuple[ModuleOp, Callable[..., Any] | None]:
    """Returns the discretised network in a directory of `compile`; if the chip is to run, also the target's model for that network.

    There is a model of the chip if the compilation reached the exit dialect. It runs the artefact, if the target has a loader.
    Errors: CMP009 another directory; CMP010 links; those of reading and of the loader.
    """
    from ...core.device import device
    from ..catalogue.listing import target as entry_of
    from ..compiling.builds import (
        ARRAYS,
        DEVICE,
        STAGES,
        artefact_files,
        refuse_directory,
        require_report,
        stages,
    )

    target: str = require_report(folder)["target"]
    arrays, written = folder / STAGES / ARRAYS, stages(folder)
    levels = pipeline.levels_after([path.stem.partition("-")[2] for path in written], DISCRETE)
    network = [path for path, level in zip(written, levels, strict=True) if level == DISCRETE][-1:]
    lowered = lift_graphs(read(network[0], arrays=arrays), diagnostics) if network else None
    start = None if lowered is None or which == REFERENCE else find_start(lowered)
    is_compiled = start is not None and isinstance(start.op, CompiledOperation)
    if lowered is None or not (is_compiled or any(isinstance(op, NetworkOp) for op in lowered.ops)):
        refuse_directory(folder, f"no IR of the level {DISCRETE}")
    entry_of(target)  # refuses a target that is not installed
    exit = registry.targets()[target]()
    model = exit.model
    if which == REFERENCE or model is None or (network[0] is written[-1] and not is_compiled):
        return lowered, None
    chosen = device.load_device(folder / DEVICE)
    if levels[-1] != levels_of(chosen)[-1] and not is_compiled:
        return lowered, None
    load = exit.load
    placed = (
        read(written[-1], arrays=arrays) if load is None else load_artefact(load(), artefact_files(folder), diagnostics)
    )
    return open_chip(lowered)[0], chip_model(model(), placed, chosen)


@with_max_time
def execute(
    network: Network,
    given: Given,
    *,
    axes: str | None = None,
    record: Sequence[str] = (),
    ticks: int | None = None,
    engine: str = "auto",
    sum_order: Literal["index", "fast"] = "index",
    model: ModelKind = CHIP,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    chip: Callable[..., Any] | None = None,
    diagnostics: Diagnostics | None = None,
    choices: Choices | None = None,
    max_memory: int | str | None = None,
    threads: int | None = None,
    is_internal: bool = False,
    learn: LearnMode = "sample",
    saves_weights: bool = False,
) -> Result:
    """Runs a network and returns the full result; `run` returns only its arrays.

        result = execute("net.nir", x, choices={"dt": "0.1ms", "like": "norse"})

    A `chip` creates the model that runs instead of an engine, from the network and `record`. A network that needs more than `max_memory`, such
    as `64MiB`, with its input, states and results in every engine is refused. `threads` is the number of
    threads of the engine, by default one for each processor; the engine `numpy` has one. A run that is `is_internal` shows no engine: `auto` is
    the reference for a short one, which ends before another engine has started.

    `learn` is the mode of plastic synapses: `sample`, and each sample starts with the weights of the network; `continue`, with those that the
    sample before it has learnt; `off`, and the weights stay. A run that `saves_weights` returns the last ones as `weights`.

    Errors: those of `run`; CMP012; API022 a number of threads below 1; API031 a run that cannot learn so.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    most = None if max_memory is None else memory_bytes(max_memory)
    require_threads(threads)
    if ticks is not None and ticks < 0:
        refuse_option("--ticks", ticks, "0 or more", "100")
    if engine not in CHOICES:
        engine_record(engine)  # refused before the network is read
    module, chip = open_network(network, model, chip, found)
    with Origins(module).locating(found), limited_processors(threads):
        graph = discretise(module, choices or {}, found)
        with nullcontext() if most is None else limited_arrays(most, "--max-memory ", "B"):
            fed = fit_data(graph, read_data(graph, order_axes(given, axes), found))
        if learn != "sample" or saves_weights:
            graph = copy_to_learn(graph, chip)
            set_learning(graph, learn, engine)
        ticks = None if ticks is None else frames_of(ticks, graph.frame_ticks)
        length, names = fed.ticks if ticks is None else ticks, record_names(record, graph)
        finals = final_records(graph, length, fed.samples) if saves_weights else {}
        added = [one for one in finals.values() if one not in names]
        names = (*names, *added)
        if chip is None and is_internal and engine == AUTO and work_of(graph, fed.samples, length) <= SHORT_WORK:
            engine = registry.engines()[-1].name
        data = data_bytes(graph, fed, length, names)
        require_memory(graph, most, data)
        if chip is None:
            request = Request(engine, graph, fed, length, names, sum_order, most, data)
            done = run_engine(request, found, progress)
            facts = {"engine": done.engine, "engine_reason": done.reason}
            times = {"seconds": done.seconds, "start_seconds": done.start_seconds}
            weights = final_weights(graph, done.arrays, finals)
            shown = {name: one for name, one in done.arrays.items() if name not in added}
            return result_of(graph, fed, shown, ticks, weights=weights, **facts, **times)
        begun = perf_counter()
        runner = chip(graph, record=names)
        found.extend(getattr(runner, "findings", ()))
        start = perf_counter()
        with doing(f"simulation ({CHIP})") as now:
            arrays: dict[str, NDArray[Any]] = runner.run(fed.signals, ticks=ticks, progress=now.counting(progress))
        weights = final_weights(graph, arrays, finals)
        arrays = {name: one for name, one in arrays.items() if name not in added}
    times = {"seconds": perf_counter() - start, "start_seconds": start - begun}
    facts = {"engine": CHIP, "engine_reason": "the model of the target"}
    return result_of(graph, fed, arrays, ticks, weights=weights, **facts, **times)


def require_threads(threads: int | None) -> None:
    """Refuses a number of threads below 1. Errors: API022."""
    if threads is not None and threads < 1:
        refuse_option("--threads", threads, "1 or more", "2")


def open_network(
    network: Network, model: ModelKind, chip: Callable[..., Any] | None, diagnostics: Diagnostics
) -> tuple[ModuleOp, Callable[..., Any] | None]:
    """Returns the module of a network and the model of its chip: `chip`, or the model of a directory or compiled network. Errors: those of reading."""
    if isinstance(network, str | Path) and os.path.isdir(network):
        return open_build(Path(network), model, diagnostics)
    module = module_of(network, diagnostics=diagnostics)
    return open_chip(module) if chip is None and model == CHIP else (module, chip)


def result_of(
    graph: NetworkOp, fed: Stimulus, arrays: Mapping[str, NDArray[Any]], ticks: int | None, **facts: Any
) -> Result:
    """Returns the result of a run; `ticks` defaults to the ticks of the input."""
    nodes, events = node_names(graph), event_names(graph)
    return Result(
        arrays={name: array if fed.has_samples else array[0] for name, array in arrays.items()},
        has_samples=fed.has_samples,
        samples=fed.samples,
        ticks=fed.ticks if ticks is None else ticks,
        extent=fed.extent(ticks),
        tick_ns=graph.tick_ns.value.data,
        nodes=tuple(name for name in arrays if name in nodes),
        values=tuple(name for name in arrays if name not in events),
        units=output_units(graph),
        **facts,
    )


@with_max_time
def run(
    network: Network,
    x: Given,
    *,
    axes: str | None = None,
    record: Sequence[str] = (),
    ticks: int | None = None,
    engine: str = "auto",
    sum_order: Literal["index", "fast"] = "index",
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> dict[str, NDArray[Any]]:
    """Runs a network and returns its outputs and records by name, leading axes as in the input.

        arrays = nopt.run("net.nir", x, dt="0.1ms", like="norse", record=["lif1.lif", "lif1.lif.v"])

    The network is a file or a module, of any level: the model of its target runs a compiled network. A `nir` network needs `dt` and `like`, or the switches of the preset
    (`Choices`), and is not changed. `x` is an array, a file, or one of these per input. `axes` is the order of its axes before those of the
    input, `samples,ticks` or `ticks,samples`; default the first. An entry of `record` may be a list with commas, unless it is the name of a
    node. A larger `ticks` than the length of the input pads it with zeros, a smaller one truncates it. A network of frames adds up the ticks
    of each frame (`ntensor.frame_ticks`), and its outputs have one row for each frame. `sum_order="fast"` permits any
    order of sums. `progress` is called with the ticks that are done, and all ticks.

    Shapes: [ticks, *shape], or [samples, ticks, *shape] if the input has samples, for any order of its axes.

    Errors: API011, API006, RUN014, RUN015, API022; those of reading, of the conversion, of the input and of the engine.
    """
    return execute(
        network,
        x,
        axes=axes,
        record=record,
        ticks=ticks,
        engine=engine,
        sum_order=sum_order,
        progress=progress,
        diagnostics=diagnostics,
        choices=choices,
    ).arrays

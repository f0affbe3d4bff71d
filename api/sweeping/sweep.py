"""Sweeps: the cost and the effect of every combination of some options of passes, and of some fields of devices, on one network.

    nopt.sweep("net.nir", x, {"weights.bits": [2, 4, 8]}, labels=y, dt="1ms", like="norse")
    nopt.sweep("net.nir", vary={"core.fan_in": [64, 128]}, target="asic", dt="1ms", like="norse")

`keys.py` defines the keys. Passes run in a fixed order: inputs, weights, bias, decay, threshold, state, then others in the order
of their keys. A point is one combination on one device; a refused combination is a point with its code. `device_fields.py` defines the
figures of a device, and changes those marked with *.

| figure | meaning |
| --- | --- |
| accuracy* | ratio of samples whose class is the label; the class is the neuron of the only output with the largest sum over all ticks |
| loss* | loss of the outputs, compared with the network before any pass (`api/judging/loss.py`) |
| rate_cosine, bin_cosine* | cosines of all outputs together and those of the network before any pass |
| weight_error | largest error of a weight that the passes recorded; 0 where none recorded any |
| weight_bytes | bytes of all weights: quantized ones in their bits, others in their type |
| best | no other point is as good in all objectives and better in one (`choose_objectives`) |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, cast

import numpy as np
from attrs import define, evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.budget import COR007, OutOfTime, Partial
from ...core.device.device import Device
from ...core.device.recipes import Effort
from ...core.diagnostics import Diagnostics, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.progress import Progress, require_progress
from ...dialects import ntensor
from ...simulation.axes import OrderedInput, order_axes, refuse_axes
from ...simulation.stimuli import Given
from ..atomic_files import writing
from ..budgets import MaxTime, with_max_time
from ..calibration_inputs import absolute, calibration_pass, input_bytes
from ..checking.check import devices_of
from ..clusters.cluster import Cluster, cluster_of
from ..compiling.number_types import with_precision
from ..compiling.request import CMP004, effort_of, require_recipe_effect
from ..executing.listing import unmeasured_chip
from ..executing.network_digest import text_digest
from ..modules import Network, default_diagnostics, module_of
from ..options import Choices, FitOptions, choices_in, complete, with_options
from ..permissions.approximation_names import DEVICE_OPTIONS, permitted_names, require_effect
from ..running.labels import Labels, labels_of
from ..running.level_comparison import run_user_passes, start_of
from ..running.run import discretise, execute
from .figures import Measured, weight_bytes
from .jobs import SWE014, Shared, Task, ended_figures, open_job, prepare
from .keys import Axis, require_ticks, varied_axes
from .output import Folder, Name
from .points import Point, choose_objectives, combinations, mark_best
from .result import Sweep
from .search import Space, parse_search, refuse_devices, search
from .tables import require_table
from .workers import evaluate_all, evaluate_until

Workers = Callable[[Path, Mapping[int, Task]], Iterator[tuple[int, dict[str, Any]]]]
"""Computes points in any order, from the folder of a job."""


@define
class Evaluation:
    """Computation of points, which stores each and reports the progress."""

    folder: Path
    workers: Workers
    digests: Mapping[str, str]
    """Digest of each device with the start network of its points."""
    kept: Folder | None
    progress: Progress | None
    done: int = 0
    """Number of points that are complete."""
    kept_points: int = 0
    """Number of points that an earlier call computed."""
    finished: list[Point] = field(factory=list[Point])
    """Points with their figures, in the order of their computation."""

    def complete(self, points: Sequence[Point], follow: int = 0) -> list[Point]:
        """Returns points with their figures. `follow` is the maximum number of later points."""
        known: dict[Name, dict[str, Any]] = {} if self.kept is None else self.kept.done
        names = [self.name_of(point) for point in points]
        found = {k: known[name] for k, name in enumerate(names) if name in known}
        all = self.done + len(points) + follow
        self.kept_points += len(found)
        self.report(len(found), all)
        tasks = {k: self.task_of(point) for k, point in enumerate(points) if k not in found}
        self.finished += [evolve(points[k], **figures) for k, figures in found.items()]
        for k, figures in self.workers(self.folder, tasks):
            found[k] = figures
            self.finished.append(evolve(points[k], **figures))
            if self.kept is not None and figures.get("code") != SWE014.id:
                self.kept.add(names[k], points[k].options, figures)
            self.report(1, all)
        return [evolve(point, **found[k]) for k, point in enumerate(points)]

    def with_unfinished(self, points: Sequence[Point]) -> list[Point]:
        """Returns the points with their figures; unfinished points have the code of the time budget. For a search, returns only the finished points."""
        known = {self.name_of(one): one for one in self.finished}
        unknown = {"code": COR007.id, "message": COR007.summary}
        return [known.get(self.name_of(one)) or evolve(one, **unknown) for one in points] or list(self.finished)

    def unfinished_text(self, points: int) -> str:
        """Formats the number of points that are not computed."""
        if not points:
            return "the search is"
        left = points - len(self.finished)
        return f"{left} of {points} points are"

    def task_of(self, point: Point) -> Task:
        device = None if point.device is None else [*self.digests].index(point.device)
        return Task(point.pipeline, device, point.settings)

    def name_of(self, point: Point) -> Name:
        """Returns the identity of a point in the sweep of a network: the device with its digest, and the options."""
        digest = None if point.device is None else self.digests[point.device]
        return Name(point.pipeline, point.device, digest, point.settings)

    def report(self, more: int, all: int) -> None:
        self.done += more
        if self.progress is not None:
            self.progress(self.done, all)


# ---- the sweep


def digest_of(given: Any) -> bytes:
    """Returns the digest of an input: of the bytes of a file, or of arrays."""
    digest = sha256()
    if isinstance(given, OrderedInput):
        digest.update(",".join(given.axes).encode() + digest_of(given.given))
    elif isinstance(given, str | Path):
        digest.update(input_bytes(given))
    elif isinstance(given, Mapping) or hasattr(given, "window"):  # a signal is arrays and numbers
        parts = cast("Mapping[str, Any]", given if isinstance(given, Mapping) else vars(given))
        for name, entry in parts.items():
            digest.update(name.encode() + digest_of(entry))
    else:
        array = np.ascontiguousarray(given)
        digest.update(f"{array.dtype.str}{array.shape}".encode() + array.tobytes())
    return digest.digest()


@with_options(FitOptions)
@with_max_time
def sweep(
    network: Network,
    x: Given | None = None,
    vary: Mapping[str, Iterable[Any]] | Sequence[str] = (),
    *,
    target: str | Sequence[str] | None = None,
    device: str | Path | Sequence[str | Path] | None = None,
    pareto: str | Sequence[str] | None = None,
    goal: str | None = None,
    minimize: str | None = None,
    labels: Labels | None = None,
    calib: Given | None = None,
    jobs: int = 1,
    scheduler: str = "processes",
    engine: str = "auto",
    out: str | Path | None = None,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    **given: Unpack[FitOptions],
) -> Sweep:
    """Runs a network with every combination of options, or with those that a search chooses, and returns the cost and the effect of each.

        found = nopt.sweep("net.nir", x, {"weights.bits": [2, 4, 8]}, labels=y, dt="1ms", like="norse")
        best = [point.pipeline for point in found.points if point.is_best]
        found = nopt.sweep("net.nir", vary={"core.fan_in": [64, 128]}, target="asic", dt="1ms", like="norse")

    With a `target` (`T`, `T/DEVICE`, several with commas, or `all`) or device files, every combination is compiled for each of these
    devices; `set` overrides their fields, keys may be their fields, and `approximate` permits approximations as in `compile`, with the same `recipe`
    and `effort`. Then `x` may be missing, and no network runs. `pareto` names the
    figures that decide which points are best (`choose_objectives`).

    With a `goal` the bits of the weights are searched for each layer, as `search.py` defines: `accuracy-1pt` (at most 1 percentage
    point less than before any pass), `agreement-0.99` or `count_error-0.05`. `minimize` is `bytes`. Then `vary` may name the candidates and other
    options of `weights`, and `found.search` is the result.

    `vary` maps keys to values, or lists texts `KEY=A,B`. `axes` is that of `run`, for `x` and `calib`. `passes` run before every point, and
    after them `ntensor-calibrate` with `calib`. `labels` are integers, one for each sample. `jobs` is the number of processes; a
    script that uses several starts with `if __name__ == "__main__":`. `scheduler` is `processes`, or `dask` or `dask=tcp://HOST:PORT` for
    workers of Dask (`../clusters/cluster.py`). Every `engine` and every scheduler returns the same numbers. `out` is a folder for the
    finished points, so that another call resumes an interrupted one, and for `sweep.csv` and `sweep.svg`; or a file `.csv` or `.parquet`.

    Errors: CMP015, CMP017, CMP018, DEV025; SWE001, SWE005, SWE011, SWE012 a key; SWE006 to SWE010 a search; SWE015 a figure; SWE013, SWE016, API022 a scheduler; SWE013 a format; RUN020, RUN021 labels; SWE003 a folder of another sweep;
    COR013 an invalid value; API021, DEV001 to DEV009 a device; DEV004, DEV019 a value of a field; those of `run` and of `passes`. A refused
    point has the code of its refusal. Warnings: SWE014. Remarks: SWE004; RUN017 a chip without a loss.
    """
    require_progress(progress)
    options = complete(FitOptions, given)
    axes, recipe, effort = options["axes"], options["recipe"], options["effort"]
    found, x = default_diagnostics(diagnostics), None if x is None else order_axes(x, axes)
    space = parse_search(vary, goal, minimize, labels is not None)
    devices = chosen_devices(target, device, options["set"])
    varied, points = chosen_points(vary, space, devices)
    choose_objectives(pareto, points)
    cluster = cluster_of(scheduler, jobs)
    if out is not None:
        require_table(out)
    if x is None and not devices:
        x = {}
    if x is None:
        refuse_useless(labels, axes if calib is None else None)
    permitted = permitted_names(options["approximate"])
    require_effect(permitted, DEVICE_OPTIONS, has_effect=bool(devices))
    require_recipe_effect(recipe, effort, has_device=bool(devices))
    recipes = (recipe, effort_of(effort, recipe, has_sample=calib is not None))
    execution = (jobs, cluster, engine, out, progress, found, choices_in(options))
    request = SweepRequest(
        x,
        devices,
        space,
        varied,
        points,
        pareto,
        labels,
        calib,
        axes,
        options["passes"],
        permitted,
        *recipes,
        *execution,
    )
    networks = convert(request, module_of(network, arrays=arrays, limits=limits, diagnostics=found))
    return evaluate_points(request, networks, measure_start(request, networks.start))


@frozen
class SweepRequest:
    """Arguments of a sweep, with its keys, devices and points."""

    x: Given | None
    devices: Mapping[str, Device]
    space: Space | None
    """The search; None for all combinations."""
    varied: Sequence[Axis]
    points: Sequence[Point]
    pareto: str | Sequence[str] | None
    labels: Labels | None
    calib: Given | None
    axes: str | None
    passes: str
    permitted: tuple[str, ...]
    """Names of permitted approximations."""
    recipe: str | None
    effort: Effort
    jobs: int
    cluster: Cluster | None
    engine: str
    out: str | Path | None
    progress: Progress | None
    diagnostics: Diagnostics
    choices: Choices


@frozen
class Networks:
    """The networks of a sweep in ticks."""

    graph: ntensor.NetworkOp
    """Before any pass."""
    start: ModuleOp
    bases: Sequence[ModuleOp]
    """The start networks of the points: one for each precision that a device's target chooses."""
    variants: tuple[int, ...]
    """The number of the network of each device."""


@frozen
class Start:
    """Run of the network before any pass; its fields have their defaults in a sweep without an input."""

    measured: Measured | None = None
    samples: int = 0
    ticks: int = 0
    accuracy: float | None = None


def chosen_points(
    vary: Mapping[str, Iterable[Any]] | Sequence[str], space: Space | None, devices: Mapping[str, Device]
) -> tuple[list[Axis], list[Point]]:
    """Returns the keys of a sweep and its points; a search chooses them later. Errors: those of the keys; SWE010 a search on devices."""
    if space is not None:
        if devices:
            refuse_devices([*devices])
        return [], []
    varied = varied_axes(vary, [*devices.values()])
    require_ticks(varied)
    return varied, list(combinations(varied, [*devices] or [None]))


def convert(request: SweepRequest, module: ModuleOp) -> Networks:
    """Converts a network to ticks in each precision that a target chooses. Errors: those of the conversion and of the passes. Remarks: RUN017."""
    found, choices, passes = request.diagnostics, request.choices, request.passes
    graph = discretise(module, choices, found)
    start = start_of(graph, module, passes, found)
    own = [with_precision(choices, module, one) for one in request.devices.values()]
    variants = [choices, *(one for k, one in enumerate(own) if one != choices and one not in own[:k])]
    bases = [base_of(module, start, choices, passes, request.calib, request.axes, found)]
    for one in variants[1:]:
        quiet = Diagnostics()
        other = start_of(discretise(module, one, quiet), module, passes, quiet)
        bases.append(base_of(module, other, one, passes, request.calib, request.axes, quiet))
    for slug in dict.fromkeys(one.target for one in request.devices.values() if request.x is not None):
        unmeasured_chip(slug, found)
    return Networks(graph, start, bases, tuple(variants.index(one) for one in own))


def measure_start(request: SweepRequest, start: ModuleOp) -> Start:
    """Runs the network before any pass. Errors: those of a run; RUN020, RUN021 labels."""
    if request.x is None:
        return Start()
    whole = execute(start, request.x, engine=request.engine, diagnostics=request.diagnostics, is_internal=True)
    sizes = {name: prod(array.shape[1 + whole.has_samples :]) for name, array in whole.arrays.items()}
    labels = labels_of(request.labels, whole.samples, sizes, has_samples=whole.has_samples, ticks=whole.ticks)
    measured = Measured(whole, labels)
    return Start(measured, whole.samples, whole.ticks, measured.accuracy)


def evaluate_points(request: SweepRequest, networks: Networks, start: Start) -> Sweep:
    """Computes the points of a sweep, and writes its table and plot. Errors: SWE003. Warnings: SWE014."""
    found, cluster, devices = request.diagnostics, request.cluster, request.devices
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="nopt-sweep-")))
        shared = Shared(
            given=None if request.x is None else absolute(request.x),
            measured=start.measured,
            engine=request.engine,
            devices=tuple(devices.values()),
            variants=networks.variants,
            permitted=request.permitted,
            calib=None if request.calib is None else absolute(order_axes(request.calib, request.axes)),
            recipe=request.recipe,
            effort=request.effort,
        )
        with writing(folder):
            prepare(folder, networks.start, networks.bases, shared, is_whole=cluster is not None)
        stack.callback(open_job.cache_clear)
        kept = None
        found.settle()
        if request.out is not None:
            identity = identity_of(networks.start, networks.bases[0], request, start.measured)
            kept = stack.enter_context(Folder(Path(request.out), identity))
        texts = [text_digest(one) for one in networks.bases]
        digests = {
            name: sha256(f"{one.digest} {texts[k]}".encode()).hexdigest()
            for (name, one), k in zip(devices.items(), shared.variants, strict=True)
        }
        workers = (
            partial(evaluate_all, jobs=request.jobs)
            if cluster is None
            else partial(stack.enter_context(cluster).compute_all, evaluate_until, ended=ended_figures)
        )
        swept = complete_points(request, networks, start, Evaluation(folder, workers, digests, kept, request.progress))
        if kept is not None:
            kept.finish(swept, found)
    return swept


def complete_points(request: SweepRequest, networks: Networks, start: Start, evaluation: Evaluation) -> Sweep:
    """Computes all points, or those that a search chooses, while the time budget lasts. Errors: COR007 no point. Warnings: SWE014."""
    space, points, result = request.space, request.points, None
    keys, figures, best = tuple(axis.key for axis in request.varied), list[Point](), tuple[Point, ...]()
    with Partial() as all:
        if space is None:
            figures = evaluation.complete(points)
        else:
            calibration = calibration_pass(request.calib, request.axes)
            steps = ",".join(filter(None, (request.passes, *map(pipeline.pass_text, calibration))))
            keys, best, result = search(networks.bases[0], space, start.accuracy, steps, evaluation.complete)
    unfinished = all.finding(evaluation.unfinished_text(len(points)))
    if unfinished is not None:
        if not evaluation.finished:
            raise OutOfTime(unfinished)
        figures = evaluation.with_unfinished(points)
        keys = keys or tuple(figures[0].options)
    objectives = choose_objectives(request.pareto, figures) if space is None else (space.goal.figure, "weight_bytes")
    best = best or mark_best(figures, objectives)
    warn_ended(best, request.jobs, request.diagnostics)
    return Sweep(
        keys=keys,
        points=best,
        accuracy=start.accuracy,
        weight_bytes=weight_bytes(networks.graph),
        samples=start.samples,
        ticks=start.ticks,
        search=result,
        devices=tuple(request.devices),
        objectives=objectives,
        unfinished=unfinished,
        kept=evaluation.kept_points,
    )


def warn_ended(points: Sequence[Point], jobs: int, diagnostics: Diagnostics) -> None:
    """Warns about points without a result, which are not stored. Warnings: SWE014."""
    for point in points:
        if point.code == SWE014.id:
            options = " ".join(f"{key}={value}" for key, value in point.options.items())
            diagnostics.warning(
                SWE014,
                point.message or "",
                at=" ".join(filter(None, (point.device, options))),
                expected="enough memory for a point in each process",
                found=f"{jobs} process{'es' * (jobs != 1)}",
                help="-j 1" if jobs > 1 else f"nopt explain {SWE014}",
            )


def refuse_useless(labels: Labels | None, axes: str | None) -> None:
    """Refuses options of an input where none is given. Errors: CMP004, SIM012."""
    if axes is not None:
        refuse_axes(axes, "no input (--input)")
    if labels is not None:
        refuse(
            CMP004,
            "--labels has no effect without an input",
            at="--labels",
            expected="--input X, whose samples the labels classify",
            found="no input (--input)",
            help=Phrase(WithoutOptions(("--labels",))),
        )


def chosen_devices(
    target: str | Sequence[str] | None, file: str | Path | Sequence[str | Path] | None, settings: Sequence[str]
) -> dict[str, Device]:
    """Returns the devices of a sweep by the names that the user typed, each once. Errors: API021, DEV001 to DEV009."""
    targets: Sequence[str] = [] if target is None else target.split(",") if isinstance(target, str) else target
    files: Sequence[str | Path] = [] if file is None else [file] if isinstance(file, str | Path) else file
    found = [one for name in targets for one in devices_of(name.strip(), None, settings)]
    found += [one for name in files for one in devices_of(None, name, settings)]
    return {one.naming.key: one for one in found}


def base_of(
    module: ModuleOp,
    start: ModuleOp,
    choices: Choices,
    passes: str,
    calib: Given | None,
    axes: str | None,
    diagnostics: Diagnostics,
) -> ModuleOp:
    """Returns the network that the points start from, after the passes before every point and the calibration. Errors: those of the passes."""
    base = run_user_passes(module, passes, choices, diagnostics) if passes else start.clone()
    pass_manager.run_passes(calibration_pass(calib, axes), NoptContext(diagnostics=diagnostics), base)
    return base


def identity_of(
    start: ModuleOp, base: ModuleOp, request: SweepRequest, measured: Measured | None
) -> dict[str, str | None]:
    """Returns the version of nopt, and digests of all data that the points of a sweep depend on."""
    classes = None if measured is None else measured.labels
    recipes = {"recipe": request.recipe, "effort": None if request.effort == "normal" else request.effort}
    return {
        "network": sha256(f"{text_digest(start)} {text_digest(base)}".encode()).hexdigest(),
        "input": None if request.x is None else digest_of(request.x).hex(),
        "labels": None if classes is None else digest_of(classes).hex(),
        **({"approximate": ",".join(request.permitted)} if request.permitted else {}),
        **{name: value for name, value in recipes.items() if value is not None},
        "nopt": version("nopt"),
    }

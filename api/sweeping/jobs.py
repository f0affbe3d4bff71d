"""Data of a sweep that its points share, and the figures of one point. Every process that computes points reads the data from a folder.

| file | content |
| --- | --- |
| `base-K.mlir`, `base-K/` | the network that the points start from, in its K-th precision, and its arrays |
| `start.mlir`, `start/` | the network before any pass |
| `job.pickle` | everything else |
| `input.*`, `device-K.json` | the file of the input and the devices of files, if the folder is sent to other machines |
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from attrs import evolve, frozen
from xdsl.dialects.builtin import ModuleOp

from ...core.device.device import Device, override_fields
from ...core.device.recipes import Effort
from ...core.diagnostics import Code, Diagnostics, ExitCode, Finding, Refused
from ...core.ir import pass_manager, pipeline
from ...core.ir.context import NoptContext
from ...core.plugin_faults import PluginCalls
from ...core.progress import doing
from ...simulation.axes import OrderedInput
from ...simulation.generated_inputs import is_generated
from ...simulation.stimuli import Given
from ..calibration_inputs import input_bytes
from ..checking.device_recipes import DeviceRecipes
from ..executing.listing import unmeasured_chip
from ..executing.network_files import read_network, write_network
from ..modules import available_passes
from ..permissions.permitted_fit import PermittedFit, Trial
from ..recipes.recipe_search import HeldReference
from ..running.level_comparison import measure_one
from ..running.level_records import Stage
from ..running.run import discretise
from .device_fields import run_device
from .figures import Measured, level_figures, weight_bytes, weight_error

SWE014 = Code("SWE014", "sweep-point-without-result", "a point ended without a result")

PICKLE = "job.pickle"


@frozen
class Task:
    """Work of one point."""

    steps: str
    """The varied passes."""
    device: int | None = None
    """The number of the device in the job; None for a sweep without devices."""
    settings: tuple[str, ...] = ()
    """The varied fields of the device, `FIELD=VALUE`."""


@frozen(kw_only=True)
class Shared:
    """Data that all points of a sweep share, apart from the networks."""

    given: Given | None
    """The input; None if the networks do not run."""
    measured: Measured | None
    engine: str
    devices: tuple[Device, ...] = ()
    variants: tuple[int, ...] = ()
    """The number of the network of each device."""
    permitted: tuple[str, ...] = ()
    """Names of permitted approximations."""
    calib: Given | None = None
    """The sample input on which recipes of devices are tried."""
    recipe: str | None = None
    """The recipe that the user names."""
    effort: Effort = "normal"


@frozen
class Job:
    """A sweep as a process reads it."""

    start: ModuleOp
    bases: tuple[ModuleOp, ...]
    shared: Shared
    recipes: DeviceRecipes


def prepare(
    folder: Path, start: ModuleOp, bases: Sequence[ModuleOp], shared: Shared, *, is_whole: bool = False
) -> None:
    """Writes the data of a sweep into a folder, for `open_job`. If `is_whole`, no other file is needed."""
    if is_whole:
        given = None if shared.given is None else bundle(shared.given, folder)
        calib = None if shared.calib is None else bundle(shared.calib, folder, "calib")
        shared = evolve(shared, given=given, calib=calib)
        for k, device in enumerate(shared.devices):
            if device.naming.key != device.key:
                (folder / f"device-{k}.json").write_text(json.dumps(device.as_json()), encoding="utf-8")
    for name, module in (("start", start), *((f"base-{k}", base) for k, base in enumerate(bases))):
        write_network(folder, name, module)
    with open(folder / PICKLE, "wb") as file:
        pickle.dump((len(bases), shared), file, protocol=pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=1)
def open_job(folder: str) -> Job:
    """Reads the data that `prepare` wrote, once in each process."""
    path = Path(folder)

    count, shared = pickle.loads((path / PICKLE).read_bytes())
    own = tuple(rename(device, path / f"device-{k}.json") for k, device in enumerate(shared.devices))
    given, calib = (unbundle(one, path) for one in (shared.given, shared.calib))
    shared = evolve(shared, given=given, calib=calib, devices=own)
    start = read_network(path, "start")
    held = None if calib is None else HeldReference(lambda: Stage("float", None, start), calib, shared.effort)
    recipes = DeviceRecipes(shared.recipe, shared.effort, held, shared.permitted)
    return Job(start, tuple(read_network(path, f"base-{k}") for k in range(count)), shared, recipes)


def bundle(given: Any, folder: Path, stem: str = "input") -> Any:
    """Copies the file of an input into a folder, and returns the input with a path relative to that folder."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=bundle(given.given, folder, stem))
    if not isinstance(given, str | Path) or is_generated(given):
        return given
    name = f"{stem}{Path(given).suffix}"
    (folder / name).write_bytes(input_bytes(given))
    return name


def unbundle(given: Any, folder: Path) -> Any:
    """Returns an input with the path of its file."""
    if isinstance(given, OrderedInput):
        return evolve(given, given=unbundle(given.given, folder))
    is_file = isinstance(given, str | Path) and not is_generated(given)
    return str(folder / given) if is_file else given  # an absolute path stays as it is


def rename(device: Device, file: Path) -> Device:
    """Returns a device with the name of its file in the folder, if there is one."""
    return evolve(device, named_as=evolve(device.naming, key=str(file))) if file.exists() else device


def evaluate(folder: str, task: Task) -> dict[str, Any]:
    """Returns the figures of one point, or the code of its refusal. A defect of nopt is raised."""
    job, diagnostics = open_job(folder), Diagnostics()
    try:
        with PluginCalls():
            figures = run_point(job, task, diagnostics)
    except Refused as refusal:
        if refusal.exit_code is ExitCode.BUG:
            raise
        return refused_figures(refusal.findings[0], task)
    except MemoryError:
        return ended_figures(task, "there is not enough memory for a point")
    return figures | {"findings": tuple(sorted({finding.code.id for finding in diagnostics.findings}))}


def refused_figures(finding: Finding, task: Task) -> dict[str, Any]:
    """Returns the figures of a point without a result."""
    refused = {"code": finding.code.id, "message": finding.message}
    return refused if task.device is None else {"fits": "no", **refused}


def ended_figures(task: Task, message: str = SWE014.summary) -> dict[str, Any]:
    """Returns the figures of a point whose process was killed or ran out of memory."""
    return refused_figures(Finding(SWE014, message), task)


def run_point(job: Job, task: Task, diagnostics: Diagnostics) -> dict[str, Any]:
    """Returns the figures of one point. Errors: those of the passes, of the device and of the run."""
    name = " ".join(filter(None, (task.steps, *task.settings)))
    with doing(f"point {name}" if name else "point"):
        return figures_of(job, task, diagnostics)


def passed(base: ModuleOp, passes: Sequence[str]) -> ModuleOp:
    """Returns a copy of a network in ticks after passes. Errors: those of the passes."""
    module = base.clone()
    steps = pipeline.parse_pipeline(",".join(passes), available_passes()) if passes else []
    pass_manager.run_passes(steps, NoptContext(diagnostics=Diagnostics()), module)
    return module


def figures_of(job: Job, task: Task, diagnostics: Diagnostics) -> dict[str, Any]:
    """Returns the figures of one point. Errors: those of `run_point`."""
    shared, device, base = job.shared, None, job.bases[0]
    if task.device is not None:
        device = override_fields(shared.devices[task.device], task.settings)
        base = job.bases[shared.variants[task.device]]
    module = base.clone()
    before = len(discretise(module, {}, Diagnostics()).approximations or ())
    parsed = pipeline.parse_pipeline(task.steps, available_passes()) if task.steps else []
    typed = tuple(pipeline.pass_text(step) for step in parsed)
    trial, needed, recipe = Trial(typed), tuple[str, ...](), None
    if device is not None and shared.permitted:
        best = PermittedFit(device, partial(passed, base), shared.permitted).best(typed)
        trial, needed = best.trial, best.fit.approximations
    if device is not None:
        recipe, best = job.recipes.fit(device, trial, partial(passed, base), typed)
        if best is not None:
            trial, needed = best.trial, tuple(dict.fromkeys((*needed, *best.fit.approximations)))
    added, repairs = () if trial.passes == typed else trial.passes, trial.repairs
    ran = pipeline.parse_pipeline(",".join(added), available_passes()) if added else parsed
    pass_manager.run_observed(ran, NoptContext(diagnostics=diagnostics), module, diagnostics)
    if device is not None:
        found = run_device(module, device, diagnostics, parsed, repairs, needed)
        figures, network = found.figures | {"recipe": recipe}, found.network
        is_run = shared.given is not None and unmeasured_chip(device.target, Diagnostics()) is None
        if is_run and shared.given is not None and shared.measured is not None:
            labels = shared.measured.labels
            figures |= found.loss(job.start, shared.measured.result, shared.given, labels, shared.engine)
    else:
        assert shared.given is not None  # a sweep over passes has an input
        assert shared.measured is not None
        network = discretise(module, {}, Diagnostics())
        stage, measured = Stage("quantized", None, module), shared.measured
        level = measure_one(
            stage, job.start, measured.result, shared.given, measured.labels, shared.engine, diagnostics=diagnostics
        )
        figures = level_figures(level)
    return figures | {"weight_error": weight_error(network, before), "weight_bytes": weight_bytes(network)}

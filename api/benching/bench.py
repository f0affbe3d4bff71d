"""The verb `bench`: times and memory of a network on each engine of this machine, and on an emulated microcontroller."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, NoReturn, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core import registry
from ...core.diagnostics import Code, Diagnostics, ExitCode, choices_text, refuse
from ...core.plugins import FILES
from ...core.progress import Progress, doing, require_progress
from ...core.target import Emulation
from ...simulation.axes import order_axes
from ...simulation.frames import fit_data, read_data
from ...simulation.runs import REFERENCE
from ...simulation.stimuli import Given, Stimulus
from ..budgets import MaxTime, with_max_time
from ..executing.listing import engine_record, engines
from ..executing.speeds import different_entries
from ..json_record import Record
from ..metrics.neurobench import require_ticks
from ..modules import Network, default_diagnostics
from ..options import Choices
from ..running.run import discretise, open_network
from ..unit_values import refuse_option
from .worker import prepare

RUN030 = Code("RUN030", "core-not-emulated", "a target has no emulated cores", exit_code=ExitCode.MISUSED)
RUN033 = Code("RUN033", "engines-unmeasured", "no engine runs the network")

REFERENCE_ENGINE = "numpy"
SECONDS = 1.0
"""Time of the measurements of an engine [s]."""


@frozen
class EngineBench(Record):
    """One engine. Units: [s], [bytes]; None for what could not be measured."""

    name: str
    reason: str | None = None
    """Reason why the engine does not run the network."""
    start_seconds: float | None = None
    """Duration of the start, in which the engine plans or compiles the network."""
    sample_seconds: float | None = None
    """Duration of one sample that runs alone."""
    tick_seconds: float | None = None
    """Duration of one tick of a sample that runs alone."""
    samples_per_second: float | None = None
    """Number of samples in a second if all of them run together."""
    peak_bytes: int | None = None
    """Largest memory of the process, without that before the engine starts; None for other systems than Linux."""
    different_entries: int | None = None
    """Number of output entries that differ from those of the reference."""


@frozen
class OpBench(Record):
    """Instructions of one op of a tick on an emulated core."""

    name: str
    instructions: float


@frozen
class CoreBench(Record):
    """A network on an emulated core: the first ticks of the first sample. Units: [instructions], [bytes]."""

    core: str
    board: str
    target: str
    ticks: int
    equal_ticks: int
    """Number of ticks before the first output that differs from the model."""
    instructions_per_tick: float
    longest_tick: int
    ram_bytes: int
    """All memory that the program writes: the network, its data, and the stack at its deepest."""
    stack_bytes: int
    rom_bytes: int | None
    ops: tuple[OpBench, ...]


@frozen
class Bench(Record):
    """Result of `bench`."""

    SCHEMA: ClassVar[str | None] = "nopt.bench/1"

    samples: int
    ticks: int
    reference: str | None
    """Name of the engine whose outputs the others are compared with; None if no engine ran."""
    output_entries: int
    """Number of output entries of all samples."""
    engines: tuple[EngineBench, ...]
    core: CoreBench | None = None


@with_max_time
def bench(
    network: Network,
    given: Given,
    *,
    engine: Sequence[str] | str = (),
    core: str | None = None,
    target: str = "c/generic",
    seconds: float = SECONDS,
    axes: str | None = None,
    choices: Choices | None = None,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
) -> Bench:
    """Runs a network on each usable engine, or on those that `engine` names (`native,numpy`), and returns times, memory and the number of different entries.

        nopt.bench("net.nir", x, choices={"dt": "1ms", "like": "norse"}).engines

    Each engine runs for `seconds` in a process of its own: one sample alone, and all samples together. With a `core`, such as `cortex-m4`, the network
    is compiled for `target` and its test vectors run on an emulated core; a directory of `compile` is run as it is.

    Errors: those of `run`; RUN025 no sample, or no tick; RUN030; RUN033 no engine runs the network; those of `compile` and of the emulation.
    """
    require_progress(progress)
    if not seconds > 0:
        refuse_option("--seconds", seconds, "a time above 0", str(SECONDS))
    found = default_diagnostics(diagnostics)
    chosen = [name for name in engine.split(",") if name] if isinstance(engine, str) else engine
    for name in chosen:
        engine_record(name)
    named = [one.name for one in engines() if one.name in chosen or (not chosen and one.is_usable)]
    module, _ = open_network(network, REFERENCE, None, found)
    graph = discretise(module, choices or {}, found)
    fed = fit_data(graph, read_data(graph, order_axes(given, axes), found))
    require_ticks(fed, fed.ticks)
    emulated = None if core is None else emulate(network, core, target, given, axes, choices or {}, found)
    with TemporaryDirectory(prefix="nopt-bench-") as name:
        folder = Path(name)
        if named:
            prepare(folder, cast("ModuleOp", graph.parent_op()), fed)
        measured = dict[str, dict[str, Any]]()
        for k, one in enumerate(named):
            with doing(one):
                measured[one] = run_worker(folder, one, seconds)
            if progress is not None:
                progress(k + 1, len(named))
        arrays = {one: outputs_of(folder / f"{one}.npz") for one in named if "refused" not in measured[one]}
    first = REFERENCE_ENGINE if REFERENCE_ENGINE in arrays else next(iter(arrays), None)
    expected = {} if first is None else arrays[first]
    rows = tuple(engine_bench(one, facts, fed, arrays.get(one), expected) for one, facts in measured.items())
    if rows and first is None:
        refuse_engines(rows)
    return Bench(
        samples=fed.samples,
        ticks=fed.ticks,
        reference=first,
        output_entries=sum(array.size for array in expected.values()),
        engines=rows,
        core=emulated,
    )


def refuse_engines(rows: Sequence[EngineBench]) -> NoReturn:
    """Refuses engines of which none ran. Errors: RUN033."""
    first, *others = rows
    refuse(
        RUN033,
        at=f"--engine {','.join(one.name for one in rows)}",
        expected="an engine that runs the network",
        found=f"{first.name}: {first.reason}",
        help=f"--engine {REFERENCE_ENGINE}",
        notes=[f"{one.name}: {one.reason}" for one in others],
    )


def run_worker(folder: Path, name: str, seconds: float) -> dict[str, Any]:
    """Measures an engine in another process, and returns its figures. A process that ends early is a reason, too."""
    command = [sys.executable, "-m", "nopt.api.benching.worker", str(folder), name, str(seconds), *map(str, FILES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        last = next(iter(done.stderr.splitlines()[-1:]), "no output")
        return {"refused": [{"message": f"its process ended with exit code {done.returncode}: {last}"}]}
    return json.loads(lines[-1])


def outputs_of(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path) as data:
        return dict(data)


def engine_bench(
    name: str,
    facts: Mapping[str, Any],
    fed: Stimulus,
    outputs: Mapping[str, NDArray[Any]] | None,
    expected: Mapping[str, NDArray[Any]],
) -> EngineBench:
    """Returns the row of an engine."""
    if outputs is None:
        finding = facts["refused"][0]
        more = f", found {finding['found']}" if finding.get("found") else ""
        return EngineBench(name, f"{finding['message']}{more}")
    different = sum(different_entries(array, expected[at]) for at, array in outputs.items())
    return EngineBench(
        name,
        None,
        facts["start_seconds"],
        facts["sample_seconds"],
        facts["sample_seconds"] / max(1, fed.ticks),
        fed.samples / facts["batch_seconds"],
        facts["peak_bytes"],
        different,
    )


def emulate(
    network: Network,
    core: str,
    target: str,
    given: Given,
    axes: str | None,
    choices: Choices,
    diagnostics: Diagnostics,
) -> CoreBench:
    """Runs a network on an emulated core. Errors: RUN030; those of `compile` and of the target."""
    from ..compiling.builds import ARTEFACT, require_report
    from ..compiling.compile import compile

    is_build = isinstance(network, str | Path) and Path(network).is_dir()
    slug = require_report(Path(network))["target"] if is_build else target.partition("/")[0]
    usable = registry.usable_targets()
    if slug not in usable or (run := usable[slug].emulate) is None:
        able = [name for name, one in usable.items() if one.emulate is not None]
        at = f"--core {core}"
        help = f"--target {able[0]}" if able and not is_build else "nopt targets"
        refuse(RUN030, at=at, expected=f"a network for {choices_text(able)}", found=slug, help=help)
    with TemporaryDirectory(prefix="nopt-bench-") as name:
        folder = Path(network) if is_build else Path(name, "build")
        if not is_build:
            compile(network, out=folder, target=target, calib=given, axes=axes, diagnostics=diagnostics, **choices)
        found: Emulation = run()(folder / ARTEFACT, core)
    return CoreBench(
        core=found.core,
        board=found.board,
        target=slug if is_build else target,
        ticks=found.ticks,
        equal_ticks=found.equal_ticks,
        instructions_per_tick=found.instructions_per_tick,
        longest_tick=found.longest_tick,
        ram_bytes=found.ram_bytes,
        stack_bytes=found.stack_bytes,
        rom_bytes=found.rom_bytes,
        ops=tuple(OpBench(name, count) for name, count in found.ops.items()),
    )

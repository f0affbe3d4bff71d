"""Choice of the engine of a run: a named one, or the fastest with the bits of the reference, and the run itself.

| `--engine` | the engine |
| --- | --- |
| a name | that engine, or a refusal |
| `auto` | the fastest that guarantees the bits of the reference for the network; several are compared on the first samples |
| `any` | the fastest; entries of the first samples that differ from the reference are counted |

Software devices are taken only by name. An engine that cannot start, does not fit into memory or fails is passed over, and a remark states the reason; the reference
runs every network.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.diagnostics import Code, Diagnostics
from ...core.engine import Runner, SumOrder
from ...core.progress import Progress, doing
from ...core.unused_modules import free_modules
from ...dialects.ntensor import NetworkOp
from ...simulation.runs import Unsuitable
from ...simulation.signals import SampleRange
from ...simulation.stimuli import Stimulus
from .candidates import EngineCandidate, Passed, find_candidates, rank, reference_candidate, unsuitable
from .listing import ANY, AUTO, CHOICES, engine_record
from .memory import samples_at_once
from .speeds import Speeds, measure_speeds

RUN016 = Code("RUN016", "fastest-engine-unused", "the fastest engine is not used")
RUN027 = Code("RUN027", "engine-bits-differ", "an engine does not guarantee the last bits of the reference")


@frozen
class Request:
    """A network with its input, and the engine of the run."""

    engine: str
    network: NetworkOp
    fed: Stimulus
    ticks: int
    record: Sequence[str] = ()
    sum_order: SumOrder = "index"
    most_bytes: int | None = None
    """Memory that the run may use; None without a limit."""
    data_bytes: int = 0
    """Its part for the input and the results."""

    @property
    def options(self) -> dict[str, Any]:
        """Returns the options of the start of an engine."""
        return {"record": list(self.record), "sum_order": self.sum_order, "samples": self.fed.samples}


@frozen
class Started:
    """An engine that was started with a network."""

    candidate: EngineCandidate
    runner: Runner
    reason: str
    samples_at_once: int


@frozen
class EngineRun:
    """Results of a run."""

    arrays: dict[str, NDArray[Any]]
    engine: str
    reason: str
    seconds: float
    start_seconds: float


def run_engine(request: Request, diagnostics: Diagnostics, progress: Progress | None = None) -> EngineRun:
    """Runs a network on the engine of the request.

    Errors: RUN014, RUN015; those of the engine. Remarks: RUN016 the fastest engine is not used; RUN027 last bits may differ.
    """
    passed: list[Passed] = []
    begun = perf_counter()
    for started in start_engines(request, passed, diagnostics):
        start = perf_counter()
        name = started.candidate.engine.name
        try:
            with doing(f"simulation ({name})") as now:
                arrays = run_batches(started, request, now.counting(progress))
        except Unsuitable as refusal:
            if request.engine not in CHOICES or not started.candidate.engine.speed:
                raise
            passed.append(unsuitable(started.candidate, refusal))
            continue
        remark_passed(started.candidate, passed, request.engine, diagnostics)
        return EngineRun(arrays, name, taken_reason(started, request, passed), perf_counter() - start, start - begun)
    raise AssertionError("the reference runs every network")


def start_engine(request: Request, diagnostics: Diagnostics) -> tuple[Runner, str, str]:
    """Returns the started engine of a request, its name, and the reason. Errors and remarks: those of `run_engine`."""
    passed: list[Passed] = []
    started = next(start_engines(request, passed, diagnostics))
    remark_passed(started.candidate, passed, request.engine, diagnostics)
    return started.runner, started.candidate.engine.name, taken_reason(started, request, passed)


def start_engines(request: Request, passed: list[Passed], diagnostics: Diagnostics) -> Iterator[Started]:
    """Yields the engines that can run a network, the preferred one first, each started; appends the others to `passed`."""
    if request.engine not in CHOICES:
        record, state = engine_record(request.engine)
        device = next((one for one in state.devices if not one.is_software), state.devices[0])
        candidate = EngineCandidate(record, device, state.version or "")
        yield start(candidate, request, None, f"--engine {request.engine}", diagnostics)
        return
    found, others = find_candidates(request.network, request.engine)
    passed += others
    speeds: Speeds | None = None
    reason = "the fastest engine here with the bits of the reference"
    if len(found) > 1 or any(one.difference for one in found):
        speeds = measure_speeds(found, request.network, request.fed, request.ticks, request.options)
        found = by_speed(found, speeds, request.engine, passed)
        reason = f"the fastest on {speeds.extent}: {times_text(found, speeds)}"
    for candidate in found:
        try:
            yield start(candidate, request, speeds, reason, diagnostics)
        except Unsuitable as refusal:
            passed.append(unsuitable(candidate, refusal))
    yield start(reference_candidate(), request, None, "", diagnostics)


def start(
    candidate: EngineCandidate, request: Request, speeds: Speeds | None, reason: str, diagnostics: Diagnostics
) -> Started:
    """Starts an engine, if the network fits into its memory. Errors: RUN026, CMP012; those of the engine. Remarks: RUN027."""
    together = request.fed.samples
    if candidate.engine.speed and not request.network.learns_on:
        limits = (request.most_bytes, request.data_bytes)
        together = samples_at_once(candidate, request.network, together, request.ticks, request.record, *limits)
    runner = None if speeds is None else speeds.runners.get(candidate.key)
    if runner is None:
        runner = candidate.engine.start(request.network, device=candidate.device, **request.options)
        free_modules(request.network)  # those of its program
    diagnostics.extend(getattr(runner, "findings", ()))
    if speeds is not None and candidate.difference is not None:
        diagnostics.remark(
            RUN027,
            f"{candidate.engine.name} does not guarantee the last bits of the reference",
            at=f"--engine {request.engine}",
            expected=candidate.difference,
            found=f"{speeds.times[candidate.key].text}: {speeds.extent}",
            help=f"--engine {AUTO}",
        )
    if together < request.fed.samples:
        reason += f"; {together} samples fit into memory at once"
    return Started(candidate, runner, reason, together)


def by_speed(
    found: Sequence[EngineCandidate], speeds: Speeds, choice: str, passed: list[Passed]
) -> list[EngineCandidate]:
    """Returns the candidates from the fastest to the slowest, without those that failed or, for `auto`, differ from the reference."""
    kept: list[EngineCandidate] = []
    for one in found:
        time, place = speeds.times[one.key], rank(one.engine, one.device)
        if time.reason is not None:
            passed.append(Passed(one.engine.name, time.reason, help="nopt engines", rank=place))
        elif time.different and choice != ANY:
            passed.append(Passed(one.engine.name, time.text, help=f"--engine {one.engine.name}", rank=place))
        else:
            kept.append(one)
    return sorted(kept, key=lambda one: speeds.times[one.key].seconds or 0.0)


def times_text(found: Sequence[EngineCandidate], speeds: Speeds) -> str:
    """Returns the times of engines for messages: `native 1.2 ms, iree 3.4 ms`."""
    return ", ".join(f"{one.engine.name} {(speeds.times[one.key].seconds or 0.0) * 1e3:.3g} ms" for one in found)


def taken_reason(started: Started, request: Request, passed: Sequence[Passed]) -> str:
    """Returns why an engine runs the network, and why faster ones do not."""
    if request.engine not in CHOICES:
        return started.reason
    others = [f"{one.name} does not run it: {one.reason}" for one in passed]
    return "; ".join(text for text in (started.reason, *others) if text) or "the only engine here"


def remark_passed(taken: EngineCandidate, passed: Sequence[Passed], choice: str, diagnostics: Diagnostics) -> None:
    """Adds a remark for each engine that is faster than the taken one where no time is known, and was not taken. Remarks: RUN016."""
    place = rank(taken.engine, taken.device)
    for one in passed:
        if one.is_silent or one.rank > place:
            continue
        diagnostics.remark(
            RUN016,
            f"{taken.engine.name} runs this network, not {one.name}",
            at=f"--engine {choice}",
            found=one.reason,
            help=one.help,
            notes=one.notes,
        )


def run_batches(started: Started, request: Request, progress: Progress | None) -> dict[str, NDArray[Any]]:
    """Returns the results of all samples, of which as many run at once as fit into memory."""
    fed, together = request.fed, started.samples_at_once
    if together >= fed.samples:
        return started.runner.run(fed.signals, ticks=request.ticks, progress=progress)
    results: dict[str, NDArray[Any]] = {}
    for first in range(0, fed.samples, together):
        some = slice(first, min(first + together, fed.samples))
        signals = {name: SampleRange(one, some) for name, one in fed.signals.items()}
        for name, values in started.runner.run(signals, ticks=request.ticks).items():
            if name not in results:
                results[name] = np.empty((fed.samples, *values.shape[1:]), values.dtype)
            results[name][some] = values
        if progress is not None:
            progress(some.stop * request.ticks, fed.samples * request.ticks)
    return results

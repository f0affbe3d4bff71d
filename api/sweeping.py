"""Sweeps: the cost and the effect of every combination of some options of passes on one network.

    nopt.sweep("net.nir", x, {"weights.bits": [2, 4, 8]}, labels=y, dt="1ms", like="norse")

A key is `SHORT.OPTION`, where SHORT is short for the pass `ntensor-quantize-SHORT`, or `PASS.OPTION` with a whole name. Passes run in a fixed
order: inputs, weights, bias, decay, threshold, state, then others in the order of their keys. A point is one combination; a
refused combination is a point with its code.

| figure | meaning |
| --- | --- |
| accuracy | ratio of samples whose class is the label; the class is the neuron of the only output with the largest sum over all ticks |
| rate_cosine, bin_cosine | similarity of all outputs together to those of the network before any pass |
| weight_error | largest error of a weight that the passes recorded; 0 where none recorded any |
| weight_bytes | bytes of all weights: quantized ones in their bits, others in their type |
| best | no other point is as good with fewer bytes of weights, or better with the same number |
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from difflib import get_close_matches
from functools import lru_cache
from hashlib import sha256
from itertools import product
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, cast

import numpy as np
from attrs import evolve, field, frozen
from xdsl.dialects.builtin import ModuleOp

from ..core.arrays.values import Array
from ..core.diagnostics import Code, Diagnostics, ExitCode, Refused, refuse
from ..core.files import read_bytes
from ..core.ir import pipeline, source
from ..core.ir.context import NoptContext
from ..core.plugins import FILES
from ..core.registry import load_target
from ..passes.pipelines import CONTINUOUS, QUANTIZE, QUANTIZE_ORDER
from ..simulation.axes import OrderedInput, order_axes
from ..simulation.stimuli import Given
from .discretisation import Choices
from .execution import Progress, discretise, execute
from .files import write_arrays
from .levelling import Labels, labels_of, run_user_passes, start_of
from .modules import apply, available_passes, default_diagnostics, parse, read
from .records import Record, key
from .signals import absolute, calibration_pass
from .sweep_figures import Measured, weight_bytes, weight_error
from .sweep_files import Folder

SWE005 = Code("SWE005", "a pass on networks in continuous time cannot be varied", exit_code=ExitCode.MISUSED)
SWE001 = Code("SWE001", "a key names no option of a pass", exit_code=ExitCode.MISUSED)

NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
Value = int | float | str


@frozen
class Axis:
    """One key with its values."""

    key: str
    step: str
    """The name of the pass."""
    option: str
    values: tuple[Value, ...]


@frozen(kw_only=True)
class Point(Record):
    """One combination of values with its figures; a refused combination has none."""

    options: Mapping[str, Value]
    pipeline: str
    code: str | None = None
    message: str | None = None
    accuracy: float | None = None
    rate_cosine: float | None = None
    bin_cosine: float | None = None
    weight_error: float | None = None
    weight_bytes: int | None = None
    findings: tuple[str, ...] = ()
    """Codes of the findings of the passes, each once."""
    is_best: bool = field(default=False, metadata=key("best"))


@frozen
class Sweep:
    """All points of a sweep, in the order of the product of the keys."""

    keys: tuple[str, ...]
    points: tuple[Point, ...]
    accuracy: float | None
    """That of the network before any pass."""
    weight_bytes: int
    """That of the network before any pass."""
    samples: int
    ticks: int

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.sweep/1`."""
        return {
            "schema": "nopt.sweep/1",
            "keys": list(self.keys),
            "float": {"accuracy": self.accuracy, "weight_bytes": self.weight_bytes},
            "points": [point.as_json() for point in self.points],
            "samples": self.samples,
            "ticks": self.ticks,
        }


# ---- keys


def parse_value(value: Any) -> Value:
    """Returns a value as a number if its text is a number."""
    text = str(value).strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if NUMBER.fullmatch(text):
        return int(text) if text.lstrip("+-").isdecimal() else float(text)
    return str(value).lower() if isinstance(value, bool) else text


def varied_axes(vary: Mapping[str, Iterable[Any]] | Sequence[str]) -> list[Axis]:
    """Returns the keys with their values, from a mapping or from texts `KEY=A,B,C`.

    Errors: SWE001 no keys, a repeated key, one without values, or one that names no option.
    """
    pairs: list[tuple[str, Iterable[Any]]] = []
    if isinstance(vary, Mapping):
        pairs = list(vary.items())
    else:
        for text in vary:
            key, _, values = text.partition("=")
            pairs.append((key.strip(), [value for value in values.split(",") if value.strip()]))
    if not pairs:
        refuse(
            SWE001,
            "nothing is varied",
            at="--vary",
            expected="KEY=A,B,… at least once",
            found="none",
            help="--vary weights.bits=2,4,8",
        )
    found: list[Axis] = []
    for key, values in pairs:
        step, option = option_of(key)
        given = tuple(dict.fromkeys(parse_value(value) for value in values))
        if not given or any(axis.key == key for axis in found):
            refuse(
                SWE001,
                f"{key} is repeated" if given else f"{key} has no values",
                at=f"--vary {key}",
                expected="each key once, with all of its values",
                found="two of them" if given else "none",
                help=f"--vary {key}=A,B",
            )
        found.append(Axis(key, step, option, given))
    return found


def require_ticks(axes: Sequence[Axis]) -> None:
    """Refuses passes on networks in continuous time: every point starts from the network in ticks. Errors: SWE005."""
    for axis in axes:
        if axis.step.removeprefix("convert-").startswith(f"{CONTINUOUS}-"):
            refuse(
                SWE005,
                f"{axis.step} works on another level",
                at=f"--vary {axis.key}",
                expected="a pass on the network in ticks",
                found=f"a pass of the level {CONTINUOUS}",
                help=f"leave --vary {axis.key} out, and run the pass with -p",
            )


def option_of(key: str) -> tuple[str, str]:
    """Returns the pass and the option of a key. Errors: SWE001."""
    known = available_passes()
    head, _, option = key.rpartition(".")
    step = next((name for name in (f"{QUANTIZE}{head}", head) if head and name in known), None)
    if step is None:
        shorts = [name.removeprefix(QUANTIZE) for name in known if name.startswith(QUANTIZE)]
        near = get_close_matches(head or key, [*shorts, *known], 1)
        refuse(
            SWE001,
            f"{key} names no pass",
            at=f"--vary {key}",
            expected=f"{' or '.join(sorted(shorts)) or 'the name of a pass'}, or a pass of `nopt passes`, a dot, and an option",
            found=head or key,
            help=f"nopt passes {f'{QUANTIZE}{near[0]}' if near and near[0] in shorts else ''.join(near)}".strip(),
        )
    options = [name for name, _, _ in pipeline.options(known[step]())]
    if option not in options:
        near = get_close_matches(option, options, 1, 0)
        refuse(
            SWE001,
            f"{step} has no option {option or 'without a name'}",
            at=f"--vary {key}",
            expected=f"one of {', '.join(options)}" if options else "a pass with options",
            found=option or "none",
            help=f"--vary {head}.{near[0]}=A,B" if near else "nopt passes",
        )
    return step, option


def combinations(axes: Sequence[Axis]) -> Iterator[Point]:
    """Yields every point, without figures. Errors: PAS002 a value that a pass does not accept."""
    named = [axis.step for axis in axes]
    names = sorted(dict.fromkeys(named), key=[*QUANTIZE_ORDER, *named].index)
    for values in product(*(axis.values for axis in axes)):
        chosen, steps = list(zip(axes, values, strict=True)), list[str]()
        for name in names:
            given = [f"{axis.option}={pipeline.option_text(value)}" for axis, value in chosen if axis.step == name]
            steps.append(f"{name}{{{' '.join(given)}}}")
        parsed = pipeline.parse_pipeline(",".join(steps), available_passes())
        options = {axis.key: value for axis, value in chosen}
        yield Point(options=options, pipeline=",".join(map(pipeline.pass_text, parsed)))


def mark_best(points: Sequence[Point]) -> tuple[Point, ...]:
    """Marks the points that are best in score and bytes of weights."""
    by_accuracy = any(point.accuracy is not None for point in points)

    def score(point: Point) -> float | None:
        return point.accuracy if by_accuracy else point.rate_cosine

    rated = [(found, point.weight_bytes) for point in points if (found := score(point)) is not None]

    def is_beaten(a: float, b: int | None) -> bool:
        return any(x >= a and (y or 0) <= (b or 0) and (x > a or (y or 0) < (b or 0)) for x, y in rated)

    return tuple(
        evolve(point, is_best=(found := score(point)) is not None and not is_beaten(found, point.weight_bytes))
        for point in points
    )


# ---- points


@frozen
class Job:
    """Data that all points of a sweep share; each process reads it once."""

    module: ModuleOp
    given: Any
    measured: Measured
    engine: str


def prepare(folder: Path, module: ModuleOp, given: Given, measured: Measured, engine: str) -> None:
    """Writes the data of a sweep into a folder, for `open_job`."""
    outside: dict[str, Array] = {}
    (folder / "network.mlir").write_text(
        source.format_module(NoptContext(), module, False, False, outside), encoding="utf-8"
    )
    write_arrays(folder / "arrays", outside)
    with open(folder / "job.pickle", "wb") as file:
        pickle.dump((absolute(given), measured, engine), file, protocol=pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=1)
def open_job(folder: str) -> Job:
    """Reads the data that `prepare` wrote, once in each process."""
    path = Path(folder)
    text = (path / "network.mlir").read_text(encoding="utf-8")
    module = parse(text, name=str(path / "network.mlir"), arrays=path / "arrays", diagnostics=Diagnostics())
    return Job(module, *pickle.loads((path / "job.pickle").read_bytes()))


def evaluate(folder: str, steps: str) -> dict[str, Any]:
    """Returns the figures of one point, or the code of its refusal. A defect of nopt is raised."""
    job = open_job(folder)
    module, diagnostics = job.module.clone(), Diagnostics()
    try:
        network = discretise(module, {}, Diagnostics())
        before = len(network.approximations or ())
        parsed = pipeline.parse_pipeline(steps, available_passes())
        pipeline.run_observed(parsed, NoptContext(diagnostics=diagnostics), module, diagnostics)
        network = discretise(module, {}, Diagnostics())
        result = execute(module, job.given, engine=job.engine, diagnostics=diagnostics)
        figures = job.measured.figures(result.arrays, result.has_samples)
    except Refused as refusal:
        first = refusal.findings[0]
        if refusal.exit_code is ExitCode.BUG:
            raise
        return {"code": first.code.name, "message": first.message}
    figures |= {"weight_error": weight_error(network, before), "weight_bytes": weight_bytes(network)}
    return figures | {"findings": tuple(sorted({finding.code.name for finding in diagnostics.findings}))}


def evaluate_all(folder: Path, pending: Mapping[int, Point], jobs: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields the index of each pending point and its figures, in the order of completion.

    Processes are spawned, so that they share no state. They are terminated if this one is stopped. A daemon, which cannot start
    processes, computes the points itself.
    """
    from multiprocessing import active_children, current_process, get_context

    if jobs <= 1 or len(pending) <= 1 or current_process().daemon:
        try:
            yield from ((k, evaluate(str(folder), point.pipeline)) for k, point in pending.items())
        finally:
            open_job.cache_clear()
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool

    others = set(active_children())
    pool = ProcessPoolExecutor(min(jobs, len(pending)), get_context("spawn"), start_worker, (tuple(FILES),))
    is_done = False
    try:
        started = {pool.submit(evaluate, str(folder), point.pipeline): k for k, point in pending.items()}
        for future in as_completed(started):
            yield started[future], future.result()
        is_done = True
    except BrokenProcessPool as failure:
        raise MemoryError(f"a process that computed a point was ended by the system; {jobs} ran at once") from failure
    finally:
        pool.shutdown(wait=is_done, cancel_futures=True)
        for process in () if is_done else set(active_children()) - others:
            process.terminate()


def start_worker(files: Sequence[Path]) -> None:
    """Loads the targets of files, and ignores interrupts, which the parent process reports."""
    import signal

    for file in files:
        load_target(file)

    signal.signal(signal.SIGINT, signal.SIG_IGN)


# ---- the sweep


def digest_of(given: Any) -> bytes:
    """Returns the digest of an input: of the bytes of a file, or of arrays."""
    digest = sha256()
    if isinstance(given, OrderedInput):
        digest.update(",".join(given.axes).encode() + digest_of(given.given))
    elif isinstance(given, str | Path):
        digest.update(read_bytes(given))
    elif isinstance(given, Mapping) or hasattr(given, "window"):  # a signal is arrays and numbers
        parts = cast("Mapping[str, Any]", given if isinstance(given, Mapping) else vars(given))
        for name, entry in parts.items():
            digest.update(name.encode() + digest_of(entry))
    else:
        array = np.ascontiguousarray(given)
        digest.update(f"{array.dtype.str}{array.shape}".encode() + array.tobytes())
    return digest.digest()


def sweep(
    network: ModuleOp | str | Path,
    x: Given,
    vary: Mapping[str, Iterable[Any]] | Sequence[str],
    *,
    axes: str | None = None,
    labels: Labels | None = None,
    calib: str | Path | None = None,
    passes: str = "",
    jobs: int = 1,
    engine: str = "auto",
    out: str | Path | None = None,
    arrays: str | Path | None = None,
    limits: Mapping[str, int] | Sequence[str] = (),
    progress: Progress | None = None,
    diagnostics: Diagnostics | None = None,
    **choices: Unpack[Choices],
) -> Sweep:
    """Runs a network with every combination of options and returns the cost and the effect of each.

        found = nopt.sweep("net.nir", x, {"weights.bits": [2, 4, 8]}, labels=y, dt="1ms", like="norse")
        best = [point.pipeline for point in found.points if point.is_best]

    `vary` maps keys to values, or lists texts `KEY=A,B`. `axes` is that of `run`, for `x` and `calib`. `passes` run before every point, and
    after them `ntensor-calibrate` with the file `calib`. `labels` are integers, one for each sample. `jobs` is the number of processes; a
    script that uses several starts with `if __name__ == "__main__":`. Every `engine` returns the same numbers. `out` is a folder for the
    finished points, so that another call resumes an interrupted one, and for the table as `sweep.csv` and `sweep.svg`.

    Errors: SWE001 a key; LEV001, LEV002 labels; SWE003 a folder of another sweep; PAS002 an invalid value; those of `run` and of
    `passes`. A refused point has the code of its refusal. Remarks: SWE004.
    """
    found = default_diagnostics(diagnostics)
    varied, x = varied_axes(vary), order_axes(x, axes)
    points = list(combinations(varied))
    module = (
        network if isinstance(network, ModuleOp) else read(network, arrays=arrays, limits=limits, diagnostics=found)
    )
    graph = discretise(module, choices, found)
    start = start_of(graph, module, passes, found)
    require_ticks(varied)
    base = run_user_passes(module, passes, choices, found) if passes else start.clone()
    if calibration := calibration_pass(calib, axes):
        apply(base, calibration, diagnostics=found)
    whole = execute(start, x, engine=engine, diagnostics=found)
    sizes = {name: prod(array.shape[1 + whole.has_samples :]) for name, array in whole.arrays.items()}
    classes = labels_of(labels, whole.samples, sizes, has_samples=whole.has_samples, ticks=whole.ticks)
    measured = Measured(whole.arrays, classes)
    before = measured.figures(whole.arrays, whole.has_samples)["accuracy"]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="nopt-sweep-")))
        prepare(folder, base, x, measured, engine)
        kept = None
        if out is not None:
            texts = (source.format_module(NoptContext(), op, False, False, {}) for op in (start, base))
            named = {
                "network": sha256("".join(texts).encode()).hexdigest(),
                "input": digest_of(x).hex(),
                "labels": None if classes is None else digest_of(classes).hex(),
            }
            kept = stack.enter_context(Folder(Path(out), named))
        known = {} if kept is None else kept.done
        done = {k: known[point.pipeline] for k, point in enumerate(points) if point.pipeline in known}
        waiting = {k: point for k, point in enumerate(points) if k not in done}
        if progress is not None:
            progress(len(done), len(points))
        for k, figures in evaluate_all(folder, waiting, jobs):
            done[k] = figures
            if kept is not None:
                kept.add(points[k].pipeline, points[k].options, figures)
            if progress is not None:
                progress(len(done), len(points))
        complete = mark_best([evolve(point, **done[k]) for k, point in enumerate(points)])
        result = Sweep(
            tuple(axis.key for axis in varied), complete, before, weight_bytes(graph), whole.samples, whole.ticks
        )
        if kept is not None:
            kept.finish(result.keys, [point.as_json() for point in complete], found)
    return result

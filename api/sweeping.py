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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache
from hashlib import sha256
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, cast

import numpy as np
from attrs import define, evolve, frozen
from xdsl.dialects.builtin import ModuleOp

from ..core.arrays.values import Array
from ..core.diagnostics import Diagnostics, ExitCode, Refused
from ..core.ir import pipeline, source
from ..core.ir.context import NoptContext
from ..core.plugins import FILES
from ..core.registry import load_target
from ..simulation.axes import OrderedInput, order_axes
from ..simulation.stimuli import Given
from .discretisation import Choices
from .execution import Progress, discretise, execute
from .files import write_arrays
from .levelling import Labels, labels_of, run_user_passes, start_of
from .modules import apply, available_passes, default_diagnostics, parse, read
from .signals import absolute, calibration_pass, input_bytes
from .sweep_figures import Measured, weight_bytes, weight_error
from .sweep_files import Folder
from .sweep_points import Point, combinations, mark_best, require_ticks, varied_axes
from .sweep_search import Search, parse_search, search


@frozen
class Sweep:
    """All points of a sweep, in the order of the product of the keys, or in the order of a search."""

    keys: tuple[str, ...]
    points: tuple[Point, ...]
    accuracy: float | None
    """That of the network before any pass."""
    weight_bytes: int
    """That of the network before any pass."""
    samples: int
    ticks: int
    search: Search | None = None
    """Result of a search, if the sweep has a goal."""

    def as_json(self) -> dict[str, Any]:
        """Returns the record `nopt.sweep/1`."""
        return {
            "schema": "nopt.sweep/1",
            "keys": list(self.keys),
            "float": {"accuracy": self.accuracy, "weight_bytes": self.weight_bytes},
            "points": [point.as_json() for point in self.points],
            "samples": self.samples,
            "ticks": self.ticks,
            "search": self.search and self.search.as_json(),
        }


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
        yield from ((k, evaluate(str(folder), point.pipeline)) for k, point in pending.items())
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


@define
class Evaluation:
    """Computation of points, which stores each and reports the progress."""

    folder: Path
    jobs: int
    kept: Folder | None
    progress: Progress | None
    done: int = 0
    """Number of points that are complete."""

    def complete(self, points: Sequence[Point], follow: int = 0) -> list[Point]:
        """Returns points with their figures. At most `follow` points may come after them."""
        known = {} if self.kept is None else self.kept.done
        found = {k: known[point.pipeline] for k, point in enumerate(points) if point.pipeline in known}
        all = self.done + len(points) + follow
        self.report(len(found), all)
        for k, figures in evaluate_all(self.folder, {k: p for k, p in enumerate(points) if k not in found}, self.jobs):
            found[k] = figures
            if self.kept is not None:
                self.kept.add(points[k].pipeline, points[k].options, figures)
            self.report(1, all)
        return [evolve(point, **found[k]) for k, point in enumerate(points)]

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


def sweep(
    network: ModuleOp | str | Path,
    x: Given,
    vary: Mapping[str, Iterable[Any]] | Sequence[str] = (),
    *,
    goal: str | None = None,
    minimize: str | None = None,
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
    """Runs a network with every combination of options, or with those that a search chooses, and returns the cost and the effect of each.

        found = nopt.sweep("net.nir", x, {"weights.bits": [2, 4, 8]}, labels=y, dt="1ms", like="norse")
        best = [point.pipeline for point in found.points if point.is_best]

    With a `goal` the bits of the weights are searched for each layer, as `sweep_search.py` defines: `accuracy-1pt` (at most 1 percentage
    point less than before any pass) or `cosine-0.99` (of rates). `minimize` is `bytes`. Then `vary` may name the candidates and other
    options of `weights`, and `found.search` is the result.

    `vary` maps keys to values, or lists texts `KEY=A,B`. `axes` is that of `run`, for `x` and `calib`. `passes` run before every point, and
    after them `ntensor-calibrate` with the file `calib`. `labels` are integers, one for each sample. `jobs` is the number of processes; a
    script that uses several starts with `if __name__ == "__main__":`. Every `engine` returns the same numbers. `out` is a folder for the
    finished points, so that another call resumes an interrupted one, and for the table as `sweep.csv` and `sweep.svg`.

    Errors: SWE001 a key; SWE006 to SWE010 a search; LEV001, LEV002 labels; SWE003 a folder of another sweep; PAS002 an invalid value; those of `run` and of
    `passes`. A refused point has the code of its refusal. Remarks: SWE004.
    """
    found, x = default_diagnostics(diagnostics), order_axes(x, axes)
    space = parse_search(vary, goal, minimize, labels is not None)
    varied = [] if space is not None else varied_axes(vary)
    points = list(combinations(varied)) if varied else []
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
        stack.callback(open_job.cache_clear)
        evaluation, result = Evaluation(folder, jobs, kept, progress), None
        if space is None:
            keys, complete = tuple(axis.key for axis in varied), mark_best(evaluation.complete(points))
        else:
            steps = ",".join(filter(None, (passes, calibration)))
            keys, complete, result = search(base, space, before, steps, evaluation.complete)
        swept = Sweep(keys, complete, before, weight_bytes(graph), whole.samples, whole.ticks, result)
        if kept is not None:
            kept.finish(keys, [point.as_json() for point in complete], found, by_bytes=result is not None)
    return swept

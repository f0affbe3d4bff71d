"""Runs whose samples are computed in batches by the workers of a cluster (`cluster.py`).

The workers get the network in ticks, or the directory of a compiled network, and the samples of one batch at a time. The outputs of a finished batch are kept in the folder
`parts`, so that an interrupted run continues with the batches that are missing. Samples do not depend on each other, so that the outputs are those of one machine.

| file of `parts` | content |
| --- | --- |
| `run.json` | digests of everything that the outputs depend on |
| `K.npz` | the outputs of batch K |
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, perf_counter
from typing import Any, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numpy_files import Unreadable, load_npz
from ...core.budget import Budget, Partial
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.progress import Progress, require_progress
from ...dialects.ntensor import NetworkOp
from ...simulation.axes import order_axes
from ...simulation.frames import fit_data, frames_of, read_data
from ...simulation.runs import CHIP, ModelKind
from ...simulation.signals import DenseSignal
from ...simulation.stimuli import Given, Stimulus
from ..atomic_files import write_whole
from ..budgets import MaxTime, with_max_time
from ..executing.network_files import read_network, write_network
from ..modules import Network, default_diagnostics
from ..options import Choices
from ..running.run import Result, discretise, execute, open_network, result_of
from ..unit_values import refuse_option
from .cluster import Cluster, cluster_of

RUN031 = Code("RUN031", "parts-of-another-run", "the parts in a folder belong to another run")
RUN032 = Code("RUN032", "batch-without-result", "a batch of samples ended its workers")

NETWORK, BUILD, IDENTITY = "network", "build", "run.json"
BATCHES = 16
"""Number of batches of a run, if their size is not chosen."""
TOGETHER = 32
"""Largest number of batches whose inputs are sent before the first outputs return."""


@frozen(kw_only=True)
class Options:
    """Options of a run that its batches share."""

    record: tuple[str, ...]
    ticks: int | None
    engine: str
    model: ModelKind


@frozen
class Batch:
    """Some samples of a run."""

    number: int
    signals: Mapping[str, DenseSignal]
    options: Options


@frozen
class Outputs:
    """Outputs of a batch, and the engine that computed them; no outputs if the batch ended its workers."""

    arrays: Mapping[str, NDArray[Any]]
    engine: str = ""
    engine_reason: str = ""


class Batches(Mapping[int, Batch]):
    """Batches that are missing. Their samples are read when a batch is sent."""

    def __init__(self, numbers: Sequence[int], data: Stimulus, size: int, options: Options):
        self.numbers, self.data, self.size, self.options = numbers, data, size, options

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self.numbers)

    def __getitem__(self, number: int) -> Batch:
        some = slice(number * self.size, min((number + 1) * self.size, self.data.samples))
        window = {name: one.window(some, slice(0, self.data.ticks)) for name, one in self.data.signals.items()}
        return Batch(
            number, {name: DenseSignal(np.swapaxes(part, 0, 1)) for name, part in window.items()}, self.options
        )


@with_max_time
def execute_batches(
    network: Network,
    given: Given,
    *,
    scheduler: str,
    batch: int | None = None,
    parts: str | Path | None = None,
    axes: str | None = None,
    record: Sequence[str] = (),
    ticks: int | None = None,
    engine: str = "auto",
    model: ModelKind = CHIP,
    progress: Progress | None = None,
    max_time: MaxTime = None,
    diagnostics: Diagnostics | None = None,
    choices: Choices | None = None,
) -> Result:
    """Runs a network on a cluster, in batches of `batch` samples, and returns what `execute` returns.

        execute_batches("net.nir", x, scheduler="dask=tcp://host:8786", parts="out.parts", choices={"dt": "0.1ms", "like": "norse"})

    With `parts`, a folder, an interrupted run is continued by the same call. The folder remains, and may be removed when the outputs are stored.

    Errors: those of `execute`; API022 a scheduler, or a batch without samples; SWE013, SWE016 the cluster; RUN031 parts of another run; RUN032.
    """
    require_progress(progress)
    found = default_diagnostics(diagnostics)
    cluster = cluster_of(scheduler, os.cpu_count() or 1, has_processes=False)
    assert cluster is not None  # other texts are refused
    if batch is not None and batch < 1:
        refuse_option("--batch", batch, "1 or more", "16")
    module, chip = open_network(network, model, None, found)
    graph = discretise(module, choices or {}, found)
    data = read_data(graph, order_axes(given, axes), found)
    size = batch or max(1, -(-data.samples // BATCHES))
    options = Options(record=tuple(record), ticks=ticks, engine=engine, model=model)
    begun = perf_counter()
    with TemporaryDirectory(prefix="nopt-run-") as name, cluster:
        folder = Path(name)
        if chip is None:
            write_network(folder, NETWORK, cast("ModuleOp", graph.parent_op()))
        elif isinstance(network, str | Path) and os.path.isdir(network):
            shutil.copytree(network, folder / BUILD)
        else:
            write_network(folder, NETWORK, module)
        kept = None if parts is None else Parts(Path(parts), identity_of(folder, data, size, options))
        outputs = complete(cluster, folder, data, size, options, kept, progress)
    last = None if ticks is None else frames_of(ticks, graph.frame_ticks)
    return whole_result(graph, data, outputs, last, perf_counter() - begun)


class Parts:
    """Folder of finished batches. Errors: RUN031 it belongs to another run."""

    def __init__(self, folder: Path, identity: Mapping[str, Any]):
        self.folder = folder
        if (folder / IDENTITY).is_file():
            stored = stored_identity(folder / IDENTITY)
            if changed := [name for name, value in identity.items() if stored.get(name) != value]:
                refuse(
                    RUN031,
                    at=str(folder),
                    expected=f"the same {', '.join(changed)}",
                    found="others",
                    help=f"rm -r {folder}",
                )
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / IDENTITY, f"{json.dumps(identity)}\n".encode())

    def stored(self, number: int) -> Outputs | None:
        """Returns the outputs of a finished batch."""
        path = self.folder / f"{number}.npz"
        if not path.is_file():
            return None
        try:
            arrays, _ = load_npz(path)
        except Unreadable as failure:
            refuse(
                RUN031, at=str(path), expected="the outputs of a batch", found=str(failure.args[0]), help=f"rm {path}"
            )
        engine, reason = arrays.pop("engine/name").tolist()
        return Outputs(arrays, engine, reason)

    def store(self, number: int, outputs: Outputs) -> None:
        """Writes the outputs of a batch, completely or not at all."""
        file = BytesIO()
        names: Any = {"engine/name": np.array([outputs.engine, outputs.engine_reason]), **outputs.arrays}
        np.savez(file, **names)
        write_whole(self.folder / f"{number}.npz", file.getvalue())


def stored_identity(path: Path) -> dict[str, Any]:
    """Returns the digests in a folder of parts; none if the file is damaged, so that they are those of another run."""
    try:
        stored = json.loads(path.read_text("utf-8"))
    except ValueError:
        return {}
    return stored if isinstance(stored, dict) else {}


def identity_of(folder: Path, data: Stimulus, size: int, options: Options) -> dict[str, Any]:
    """Returns the version of nopt, and digests of all data that the outputs of a batch depend on."""
    network, samples = sha256(), sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        network.update(f"{path.relative_to(folder)} ".encode() + path.read_bytes())
    for name, one in sorted(data.signals.items()):
        samples.update(f"{name} {one.shape} ".encode())
        for k in range(one.samples):
            samples.update(one.window(slice(k, k + 1), slice(0, one.ticks)).tobytes())
    return {
        "network": network.hexdigest(),
        "input": samples.hexdigest(),
        "batch": size,
        "ticks": options.ticks,
        "record": [*options.record],
        "engine": options.engine,
        "nopt": version("nopt"),
    }


def complete(
    cluster: Cluster,
    folder: Path,
    data: Stimulus,
    size: int,
    options: Options,
    kept: Parts | None,
    progress: Progress | None,
) -> list[Outputs]:
    """Returns the outputs of all batches in order; those that are stored are not computed again. Errors: RUN032."""
    count = max(1, -(-data.samples // size))
    done = {} if kept is None else {k: one for k in range(count) if (one := kept.stored(k)) is not None}
    missing = Batches([k for k in range(count) if k not in done], data, size, options)
    work = cluster.compute_all(run_batch, folder, missing, ended=partial(refuse_batch, size), together=TOGETHER)
    with closing(work) as computed:  # an interruption ends it before the cluster
        for number, outputs in computed:
            if kept is not None:
                kept.store(number, outputs)
            done[number] = outputs
            if progress is not None:
                progress(len(done), count)
    return [done[k] for k in range(count)]


def run_batch(folder: str, batch: Batch, end: float | None) -> Outputs | None:
    """Runs the samples of a batch, in a worker; None if the time ends before. Errors: those of `execute`."""
    path = Path(folder)
    network = path / BUILD if (path / BUILD).is_dir() else read_network(path, NETWORK)
    options = batch.options
    run = partial(
        execute,
        network,
        dict(batch.signals),
        record=options.record,
        ticks=options.ticks,
        engine=options.engine,
        model=options.model,
        diagnostics=Diagnostics(),
    )
    if end is None:
        result = run()
        return Outputs(result.arrays, result.engine, result.engine_reason)
    with Budget(max(end - monotonic(), 1e-3)), Partial():
        result = run()
        return Outputs(result.arrays, result.engine, result.engine_reason)
    return None


def refuse_batch(size: int, batch: Batch) -> Outputs:
    """Refuses a run of which a batch ended its workers. Errors: RUN032."""
    first = batch.number * size
    samples = next(iter(batch.signals.values())).samples
    refuse(
        RUN032,
        at=f"samples {first} to {first + samples - 1}",
        expected="workers with enough memory",
        found="workers that end",
        help=f"--batch {max(1, size // 2)}",
    )


def whole_result(
    graph: NetworkOp, data: Stimulus, outputs: Sequence[Outputs], ticks: int | None, seconds: float
) -> Result:
    """Returns the result of all batches."""
    arrays = {name: np.concatenate([one.arrays[name] for one in outputs]) for name in outputs[0].arrays}
    engines = dict.fromkeys(one.engine for one in outputs)
    return result_of(
        graph,
        fit_data(graph, data),
        arrays,
        ticks,
        engine=", ".join(engines),
        engine_reason=outputs[0].engine_reason,
        seconds=seconds,
        start_seconds=0.0,
    )

"""Workers of Dask that compute the points of a sweep, on this machine or on a cluster.

    nopt sweep net.nir … --scheduler dask                        # a cluster of processes on this machine, for the time of the sweep
    nopt sweep net.nir … --scheduler dask=tcp://scheduler:8786   # a running one

1. A worker needs nopt in the same version. Networks, inputs and device files are sent to it. Files of `--load-target` have the same
   path there.
2. Dask computes the point of a lost worker on another one. Points that lost several workers are computed at the end, each alone. A point that
   then loses its worker again is refused (SWE014).
3. The figures do not depend on the worker, so the table is the same as without Dask.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic, time
from types import TracebackType
from typing import Any, NoReturn
from uuid import uuid4

from ...core.budget import deadline
from ...core.diagnostics import Code, refuse
from ...core.plugins import FILES
from ...core.registry import load_target
from ..unit_values import refuse_option
from .jobs import Task, ended_figures
from .tables import refuse_package
from .workers import evaluate_until

SWE016 = Code("SWE016", "sweep-not-for-cluster", "a cluster cannot compute the points of a sweep")

PACKAGE = "distributed"
PATIENCE = 15
"""Time limit for the answer of a scheduler, and for its first worker [s]."""
PROCESSES, NAME = "processes", "dask"
"""Values of `--scheduler`."""

IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Program that workers of this machine run at their start: the parent process reports an interrupt."""
EVALUATING = Lock()
"""Held while a worker computes: a worker with several threads computes one point at a time."""


def cluster_of(scheduler: str, jobs: int) -> Cluster | None:
    """Returns the cluster that an option names; None for processes of this machine. Errors: API022; SWE013 no Dask."""
    name, equals, address = scheduler.partition("=")
    if scheduler == PROCESSES:
        return None
    if name != NAME or (equals and not address):
        expected = f"{PROCESSES}, {NAME}, or {NAME}=tcp://HOST:PORT"
        refuse_option("--scheduler", scheduler, expected, PROCESSES)
    if find_spec(PACKAGE) is None:
        refuse_package(f"--scheduler {scheduler}", PACKAGE, "cluster")
    return Cluster(address or None, jobs)


class Cluster:
    """Workers at an address, or on this machine. They are started when the first point is computed."""

    def __init__(self, address: str | None, jobs: int):
        self.address, self.jobs = address, jobs
        self.client: Any = None
        self.own: Any = None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for one in (self.client, self.own):
            if one is not None:
                one.close()

    def connect(self) -> Any:
        """Returns the client. Errors: SWE016 no scheduler, or no worker."""
        if self.client is not None:
            return self.client
        from multiprocessing import current_process

        dask: Any = import_module(PACKAGE)
        logging.getLogger(PACKAGE).setLevel(logging.CRITICAL)  # a lost worker is reported as a row, or as a refusal
        where = self.address
        try:
            if where is None:
                if current_process().daemon:
                    self.refuse("a process that can start others, or the address of a cluster", "a daemon")
                self.own = dask.LocalCluster(
                    n_workers=self.jobs,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                    preload=IGNORE_INTERRUPTS,
                )
                where = self.own.scheduler_address
            else:
                require_listener(where)
            self.client = dask.Client(where, timeout=PATIENCE, set_as_default=False)
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError) as failure:
            self.refuse(f"a scheduler with a worker, within {PATIENCE} s", str(failure) or type(failure).__name__)
        return self.client

    def __call__(self, folder: Path, pending: Mapping[int, Task]) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields the index of each pending point and its figures, in the order of completion. Errors: SWE016."""
        if not pending:
            return
        client, dask = self.connect(), import_module(PACKAGE)
        here = uuid4().hex
        packed = client.submit(dict, file_contents(folder), key=f"nopt-{here}", pure=False)
        files = tuple(str(file) for file in FILES)
        end = None if (own_end := deadline()) is None else time() + own_end - monotonic()
        started: dict[Any, int] = {}
        lost: list[int] = []

        def start(k: int, turn: int) -> Any:
            given = (packed, here, files, version("nopt"), pending[k], end)
            return client.submit(compute, *given, key=f"nopt-point-{here}-{k}-{turn}", pure=False)

        try:
            started.update((start(k, 0), k) for k in pending)
            for future in dask.as_completed(list(started), loop=client.loop):
                figures = self.figures_of(future)
                if figures is None and end is not None and time() >= end:
                    continue  # this process reports the end of the time
                if figures is None:
                    lost.append(started[future])
                else:
                    yield started[future], figures
            for k in lost:  # 2
                started[future := start(k, 1)] = k
                yield k, self.figures_of(future) or ended_figures(pending[k])
        finally:
            client.cancel([*started, packed])

    def figures_of(self, future: Any) -> dict[str, Any] | None:
        """Waits for the figures of a point; None if it ended several workers, or if the time ends. Refusals and defects of nopt are raised. Errors: SWE016."""
        dask: Any = import_module(PACKAGE)
        try:
            return future.result()
        except dask.KilledWorker:
            return None
        except ModuleNotFoundError as failure:
            self.refuse("workers with nopt and its plug-ins", str(failure))
        except (dask.CancelledError, OSError) as failure:
            ended: Exception = failure
            self.refuse("a connection to the scheduler until the end", str(ended) or type(ended).__name__)

    def refuse(self, expected: str, found: str) -> NoReturn:
        at = f"--scheduler {NAME}" + ("" if self.address is None else f"={self.address}")
        refuse(SWE016, at=at, expected=expected, found=found, help=f"--scheduler {PROCESSES}")


def require_listener(address: str) -> None:
    """Raises OSError if no connection to an address is possible, and ValueError if the address is invalid. A Dask client would retry instead."""
    comm: Any = import_module(f"{PACKAGE}.comm")
    host, port = comm.get_address_host_port(address)
    with socket.create_connection((host, port), PATIENCE):
        pass


# ---- the data of a sweep in the process of a worker


def file_contents(folder: Path) -> dict[str, bytes]:
    """Returns the files of a folder by their paths."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


UNPACKED: dict[str, TemporaryDirectory[str]] = {}
"""The folder of the last sweep."""


def unpacked_folder(sweep: str, contents: Mapping[str, bytes]) -> str:
    """Returns the folder with the files of a sweep; the folder of an earlier sweep is removed."""
    if sweep not in UNPACKED:
        UNPACKED.clear()
        folder = TemporaryDirectory(prefix="nopt-sweep-")
        for name, data in contents.items():
            path = Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        UNPACKED[sweep] = folder
    return UNPACKED[sweep].name


def compute(
    contents: Mapping[str, bytes], sweep: str, files: tuple[str, ...], wanted: str, task: Task, end: float | None
) -> dict[str, Any] | None:
    """Returns the figures of one point, in a worker; None if the time budget ends before, at `end` on the clock `time.time`.

    Errors: SWE016 another version of nopt; those of `evaluate`.
    """
    if version("nopt") != wanted:
        refuse(
            SWE016,
            "a worker has another version of nopt",
            at="--scheduler",
            expected=f"nopt {wanted}",
            found=f"nopt {version('nopt')}",
            help=f"pip install nopt=={wanted}",
        )
    with EVALUATING:
        load_files(files)
        return evaluate_until(
            unpacked_folder(sweep, contents), task, None if end is None else end - time() + monotonic()
        )


@lru_cache(maxsize=1)
def load_files(files: tuple[str, ...]) -> None:
    """Loads target files that are not yet loaded in this process."""
    for file in files:
        if Path(file) not in FILES:
            load_target(file)

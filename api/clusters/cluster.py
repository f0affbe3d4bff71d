"""Workers of Dask that compute the points of a sweep, or batches of the samples of a run, on this machine or on a cluster.

    nopt sweep net.nir … --scheduler dask                        # a cluster of processes on this machine, for the time of the sweep
    nopt run net.nir … --scheduler dask=tcp://scheduler:8786     # a running one

1. A worker needs nopt in the same version. Networks, inputs and device files are sent to it. Files of `--load-target` have the same
   path there.
2. Dask computes the task of a lost worker on another one. Tasks that lost several workers are computed at the end, each alone. The caller
   decides what a task is worth that then loses its worker again.
3. The results do not depend on the worker, so they are the same as without Dask.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Generator, Mapping
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from time import monotonic, time
from types import TracebackType
from typing import Any, NoReturn, TypeVar
from uuid import uuid4

from ...core.budget import deadline
from ...core.diagnostics import Code, refuse
from ...core.help_text import Phrase, WithoutOptions
from ...core.packages import is_installed
from ...core.plugins import FILES
from ...core.registry import load_target
from ..sweeping.tables import refuse_package
from ..unit_values import refuse_option

Task = TypeVar("Task")
Found = TypeVar("Found")
Work = Callable[[str, Task, float | None], Found | None]
"""Function of a module: returns the result of a task, from the folder of the data; None if the time ends before, on the clock `monotonic`."""

SWE016 = Code("SWE016", "cluster-unusable", "a cluster cannot be used")

PACKAGE = "distributed"
PATIENCE = 15
"""Time limit for the answer of a scheduler, and for its first worker [s]."""
PROCESSES, NAME = "processes", "dask"
"""Values of `--scheduler`."""

IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
"""Program that workers of this machine run at their start: the parent process reports an interrupt."""
EVALUATING = Lock()
"""Held while a worker computes: a worker with several threads computes one point at a time."""


def cluster_of(scheduler: str, jobs: int, *, has_processes: bool = True) -> Cluster | None:
    """Returns the cluster that an option names; None for processes of this machine, if there is this choice.

    Errors: API022; SWE013 no Dask.
    """
    name, equals, address = scheduler.partition("=")
    if scheduler == PROCESSES and has_processes:
        return None
    if name != NAME or (equals and not address):
        first = PROCESSES if has_processes else NAME
        expected = f"{f'{PROCESSES}, ' if has_processes else ''}{NAME}, or {NAME}=tcp://HOST:PORT"
        refuse_option("--scheduler", scheduler, expected, first)
    if not is_installed(PACKAGE):
        refuse_package(f"--scheduler {scheduler}", PACKAGE, "cluster")
    return Cluster(address or None, jobs, has_processes)


class Cluster:
    """Workers at an address, or on this machine. They are started when the first point is computed.

    With `has_processes`, the option of the scheduler also takes processes of this machine.
    """

    def __init__(self, address: str | None, jobs: int, has_processes: bool = True):
        self.address, self.jobs, self.has_processes = address, jobs, has_processes
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

    def compute_all(
        self,
        work: Work[Task, Found],
        folder: Path,
        pending: Mapping[int, Task],
        *,
        ended: Callable[[Task], Found],
        together: int | None = None,
    ) -> Generator[tuple[int, Found]]:
        """Yields the index of each pending task and its result, in the order of completion; at most `together` tasks are sent before results return.

        `ended` returns the result of a task that ends its workers. Errors: SWE016.
        """
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
            given = (packed, here, files, version("nopt"), work, pending[k], end)
            return client.submit(compute, *given, key=f"nopt-task-{here}-{k}-{turn}", pure=False)

        waiting = iter(pending)
        try:
            started.update((start(k, 0), k) for k in islice(waiting, together))
            running = dask.as_completed(list(started), loop=client.loop)
            for future in running:
                result: Found | None = self.result_of(future)
                k = started.pop(future)
                for following in islice(waiting, 1):
                    started[later := start(following, 0)] = following
                    running.add(later)
                if result is None and end is not None and time() >= end:
                    continue  # this process reports the end of the time
                if result is None:
                    lost.append(k)
                else:
                    yield k, result
            for k in sorted(lost):  # 2
                started[future := start(k, 1)] = k
                again: Found | None = self.result_of(future)
                yield k, ended(pending[k]) if again is None else again
        finally:
            client.cancel([*started, packed])

    def result_of(self, future: Any) -> Any:
        """Waits for the result of a task; None if it ended several workers, or if the time ends. Refusals and defects of nopt are raised. Errors: SWE016."""
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
        here = f"--scheduler {PROCESSES}" if self.has_processes else Phrase(WithoutOptions(("--scheduler", "--batch")))
        refuse(SWE016, at=at, expected=expected, found=found, help=here)


def require_listener(address: str) -> None:
    """Raises OSError if no connection to an address is possible, and ValueError if the address is invalid. A Dask client would retry instead."""
    comm: Any = import_module(f"{PACKAGE}.comm")
    host, port = comm.get_address_host_port(address)
    with socket.create_connection((host, port), PATIENCE):
        pass


# ---- the data of the tasks in the process of a worker


def file_contents(folder: Path) -> dict[str, bytes]:
    """Returns the files of a folder by their paths."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


UNPACKED: dict[str, TemporaryDirectory[str]] = {}
"""The folder of the last call."""


def unpacked_folder(call: str, contents: Mapping[str, bytes]) -> str:
    """Returns the folder with the data of the tasks of a call; the folder of an earlier call is removed."""
    if call not in UNPACKED:
        UNPACKED.clear()
        folder = TemporaryDirectory(prefix="nopt-tasks-")
        for name, data in contents.items():
            path = Path(folder.name, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        UNPACKED[call] = folder
    return UNPACKED[call].name


def compute(
    contents: Mapping[str, bytes],
    call: str,
    files: tuple[str, ...],
    wanted: str,
    work: Work[Task, Found],
    task: Task,
    end: float | None,
) -> Found | None:
    """Returns the result of one task, in a worker; None if the time budget ends before, at `end` on the clock `time.time`.

    Errors: SWE016 another version of nopt; those of the work.
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
        own_end = None if end is None else end - time() + monotonic()
        return work(unpacked_folder(call, contents), task, own_end)


@lru_cache(maxsize=1)
def load_files(files: tuple[str, ...]) -> None:
    """Loads target files that are not yet loaded in this process."""
    for file in files:
        if Path(file) not in FILES:
            load_target(file)

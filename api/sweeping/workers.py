"""Processes that compute the points of a sweep on this machine.

1. If the system ends a process, for example for lack of memory, the points of all processes are lost. They are computed again
   with half the number of processes.
2. A point that ends the only process is refused (SWE014), and the computation continues with the others.
3. Forks need no imports and share the networks of the sweep. A process with threads cannot be forked safely, so that it starts a server
   that imports nopt once. Systems other than Linux import nopt in each process.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import active_count
from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from ...core.budget import Budget, Expired, Partial, deadline
from ...core.plugins import FILES
from ...core.registry import load_target
from .jobs import Task, ended_figures, evaluate, open_job

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

Figures = dict[str, Any]

PATIENCE_S = 3.0
"""Time for a process to finish its point after the end of a time budget."""


def evaluate_all(folder: Path, pending: Mapping[int, Task], jobs: int) -> Iterator[tuple[int, Figures]]:
    """Yields the index of each pending point and its figures, in the order of completion.

    A daemon computes the points itself, because it cannot start processes.
    """
    from multiprocessing import current_process

    if jobs <= 1 or len(pending) <= 1 or current_process().daemon:
        yield from ((k, evaluate(str(folder), task)) for k, task in pending.items())
        return
    left = dict(pending)
    while left:
        for k, figures in run_pool(folder, left, jobs):
            del left[k]
            yield k, figures
        if left and jobs == 1:
            k = next(iter(left))
            yield k, ended_figures(left.pop(k))
        jobs = max(1, jobs // 2)


def evaluate_until(folder: str, task: Task, end: float | None) -> Figures | None:
    """Returns the figures of a point; None if the time ends before (`end`), which the parent process reports."""
    if end is None:
        return evaluate(folder, task)
    with Budget(max(end - monotonic(), 1e-3)), Partial():
        return evaluate(folder, task)
    return None


def run_pool(folder: Path, pending: Mapping[int, Task], jobs: int) -> Iterator[tuple[int, Figures]]:
    """Yields points and their figures, up to the end of a process.

    If this process is stopped, the others are terminated. At the end of a time budget they first have time to finish their points.
    """
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children, get_context

    others, context = set(active_children()), get_context(method := start_method())
    if method == "fork":
        open_job(str(folder))  # once for all forks
    elif method == "forkserver":
        context.set_forkserver_preload([evaluate.__module__])
    pool = ProcessPoolExecutor(min(jobs, len(pending)), context, start_worker, (tuple(FILES),))
    is_done = False
    try:
        end = deadline()
        started = {pool.submit(evaluate_until, str(folder), task, end): k for k, task in pending.items()}
        for future in as_completed(started):
            if isinstance(future.exception(), BrokenProcessPool):
                continue
            if (figures := future.result()) is not None:
                yield started[future], figures
        is_done = True
    finally:
        pool.shutdown(wait=is_done, cancel_futures=True)
        if not is_done:
            end_processes(set(active_children()) - others, isinstance(sys.exc_info()[1], Expired))


def end_processes(processes: Iterable[BaseProcess], is_expired: bool) -> None:
    """Ends processes that compute points. After the end of a time budget, they first have time to remove their files."""
    left = monotonic() + (PATIENCE_S if is_expired else 0.0)
    for process in processes:
        process.join(max(left - monotonic(), 0.0))
        process.terminate()


def start_method() -> Literal["fork", "forkserver", "spawn"]:
    """Returns how `multiprocessing` starts processes (3)."""
    if sys.platform != "linux":
        return "spawn"
    return "fork" if active_count() == 1 else "forkserver"


def start_worker(files: Sequence[Path]) -> None:
    """Loads target files that are missing in a new process, and ignores interrupts, which the parent process reports.

    Garbage collection leaves out the objects of imports, and of the process that was forked.
    """
    import gc
    import signal

    for file in files:
        if file not in FILES:
            load_target(file)
    gc.freeze()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

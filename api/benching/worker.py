"""Measurement of one engine, in a process of its own, so that its memory is only its own.

    python -m nopt.api.benching.worker FOLDER ENGINE SECONDS [TARGET_FILE …]

The folder has the network and the pickled input of `prepare`. The result is one line of JSON; the outputs are in `ENGINE.npz`.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Diagnostics, Refused
from ...core.registry import load_target
from ...simulation.stimuli import Stimulus
from ..executing.choice import Request, start_engine
from ..executing.network_files import read_network, write_network
from ..modules import only_network

NETWORK, INPUT = "network", "input.pickle"
STATUS = Path("/proc/self/status")
LEAST_RUNS = 3


def prepare(folder: Path, module: ModuleOp, fed: Stimulus) -> None:
    """Writes the data of a measurement into a folder."""
    write_network(folder, NETWORK, module)
    (folder / INPUT).write_bytes(pickle.dumps(fed, protocol=pickle.HIGHEST_PROTOCOL))


def measure(folder: Path, name: str, seconds: float) -> dict[str, Any]:
    """Returns the times of an engine and its memory, and writes the outputs of all samples."""
    fed: Stimulus = pickle.loads((folder / INPUT).read_bytes())
    graph = only_network(read_network(folder, NETWORK))
    _, one = next(fed.groups(1, 1))
    _, whole = next(fed.groups(1, fed.samples))
    before, start = resident_bytes("VmRSS"), perf_counter()
    runner, _, _ = start_engine(Request(name, graph, fed, fed.ticks), Diagnostics())
    started = perf_counter()
    runner.run(one, ticks=None, progress=None)  # some engines compile at their first run
    ready = perf_counter()
    one_seconds = median_seconds(lambda: runner.run(one, ticks=None, progress=None), seconds / 2)
    start_seconds = max(started - start, ready - start - one_seconds)
    found = runner.run(whole, ticks=None, progress=None)
    whole_seconds = median_seconds(lambda: runner.run(whole, ticks=None, progress=None), seconds / 2)
    peak = resident_bytes("VmHWM")
    np.savez(folder / f"{name}.npz", **found)
    return {
        "start_seconds": start_seconds,
        "sample_seconds": one_seconds,
        "batch_seconds": whole_seconds,
        "peak_bytes": None if peak is None or before is None else max(0, peak - before),
    }


def median_seconds(work: Callable[[], object], seconds: float) -> float:
    """Returns the median duration of work that is repeated until a time has passed, at least some times."""
    passed: list[float] = []
    while len(passed) < LEAST_RUNS or sum(passed) < seconds:
        start = perf_counter()
        work()
        passed.append(perf_counter() - start)
    return median(passed)


def resident_bytes(name: str) -> int | None:
    """Returns an entry of the memory of this process: `VmRSS`, or the largest until now, `VmHWM`; None for other systems than Linux."""
    if not STATUS.is_file():
        return None
    lines = (line.split() for line in STATUS.read_text("ascii").splitlines())
    return next((int(words[1]) * 1024 for words in lines if words and words[0] == f"{name}:"), None)


def main(arguments: Sequence[str]) -> None:
    folder, name, seconds, *files = arguments
    for file in files:
        load_target(file)
    try:
        made: dict[str, Any] = measure(Path(folder), name, float(seconds))
    except Refused as refusal:
        made = {"refused": [finding.as_json() for finding in refusal.findings]}
    print(json.dumps(made))


if __name__ == "__main__":
    main(sys.argv[1:])

"""Clusters of Dask for tests: a scheduler with two workers, as an address outside of nopt."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

dask: Any = pytest.importorskip("distributed", reason="the extra cluster is not installed")
config: Any = pytest.importorskip("dask.config")

METHOD = "distributed.worker.multiprocessing-method"
"""Option of Dask; a server imports its packages once for all workers of the tests."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Returns the address of a scheduler with two workers."""
    options: Any = {"dashboard_address": "127.0.0.1:0", "silence_logs": "CRITICAL"}
    with (
        config.set({METHOD: "forkserver"}),
        dask.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", **options) as cluster,
    ):
        yield cluster.scheduler_address


def pids(address: str) -> list[int]:
    """Returns the numbers of the processes of the workers."""
    with dask.Client(address, set_as_default=False) as client:
        return list(client.run(os.getpid).values())

"""Runs on workers of Dask: the outputs are those of one machine, also after a worker was killed, and after an interruption."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clusters import address as address
from clusters import pids
from places import EXAMPLES

import nopt.api as nopt
from nopt.api.clusters import batched_run
from nopt.api.clusters.batched_run import execute_batches
from nopt.core.diagnostics import Diagnostics

BARS = EXAMPLES / "bars" / "bars.nir"
SAMPLES = 24
CHOICES: nopt.Choices = {"dt": "1ms", "like": "sinabs"}


@pytest.fixture
def x() -> np.ndarray[Any, Any]:
    return np.random.default_rng(0).random((SAMPLES, 30, 1, 12, 12)) < 0.1


def run(x: Any, address: str, network: Any = BARS, **options: Any) -> nopt.Result:
    chosen = {"choices": CHOICES} | options
    return execute_batches(network, x, scheduler=f"dask={address}", batch=2, diagnostics=Diagnostics(), **chosen)


def test_a_killed_worker_and_an_interruption_change_nothing(x: Any, tmp_path: Path, address: str) -> None:
    expected = nopt.execute(BARS, x, choices=CHOICES, record=["detectors"], diagnostics=Diagnostics())
    victims, parts = pids(address), tmp_path / "out.npz.parts"

    def watch(done: int, all: int) -> None:
        assert all == SAMPLES // 2
        if done == 3:
            os.kill(victims[0], signal.SIGKILL)
        if done == 8:
            raise KeyboardInterrupt

    options: Any = {"record": ["detectors"], "parts": parts}
    with pytest.raises(KeyboardInterrupt):
        run(x, address, progress=watch, **options)
    assert len(list(parts.glob("*.npz"))) == 8
    again: list[int] = []
    found = run(x, address, progress=lambda done, all: again.append(done), **options)
    assert again == [9, 10, 11, 12]
    assert {name: one.tobytes() for name, one in found.arrays.items()} == {
        name: one.tobytes() for name, one in expected.arrays.items()
    }
    assert (found.has_samples, found.samples, found.ticks, found.nodes) == (True, SAMPLES, 30, expected.nodes)
    assert victims[0] not in pids(address)


def test_parts_of_another_run_are_refused(x: Any, tmp_path: Path, address: str) -> None:
    parts = tmp_path / "out.parts"
    run(x, address, parts=parts)
    with pytest.raises(nopt.Refused, match=r"RUN031[\s\S]*the same input"):
        run(~x, address, parts=parts)
    (parts / "3.npz").write_bytes(b"PK")
    with pytest.raises(nopt.Refused, match=r"RUN031[\s\S]*the outputs of a batch"):
        run(x, address, parts=parts)
    (parts / "run.json").write_text("{")
    with pytest.raises(nopt.Refused, match="RUN031"):
        run(x, address, parts=parts)
    shutil.rmtree(parts)
    run(~x, address, parts=parts)


def test_a_compiled_network_runs_on_its_model(x: Any, tmp_path: Path, address: str) -> None:
    build = tmp_path / "build"
    nopt.compile(BARS, target="asic/mesh", calib=x, out=build, approximate="all", diagnostics=Diagnostics(), **CHOICES)
    expected = nopt.execute(build, x, diagnostics=Diagnostics())
    found = run(x, address, build, choices={})
    assert (found.engine, found.arrays.keys()) == (expected.engine, expected.arrays.keys())
    assert all(np.array_equal(found.arrays[name], one) for name, one in expected.arrays.items())


def test_no_sample_is_no_batch_too_few(x: Any, address: str) -> None:
    assert run(x[:0], address).arrays["output"].shape == (0, 30, 2)


def test_a_batch_that_ends_its_workers_is_refused(x: Any, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batched_run.Cluster, "result_of", lambda *_: None)
    with pytest.raises(nopt.Refused, match=r"RUN032[\s\S]*samples 0 to 1[\s\S]*--batch 1"):
        run(x, address)


@pytest.mark.parametrize("options", [{"scheduler": "processes"}, {"scheduler": "dask", "batch": 0}])
def test_options_without_sense_are_refused(x: Any, options: dict[str, Any]) -> None:
    with pytest.raises(nopt.Refused, match="API022"):
        execute_batches(BARS, x, choices=CHOICES, diagnostics=Diagnostics(), **options)

"""Sweeps on workers of Dask: the table is that of one core, also after a worker was killed, and after an interruption."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clusters import address as address
from clusters import pids
from extent import some
from places import GOLDENS

import nopt.api as nopt
from nopt.api.clusters import cluster as sweep_cluster

INPUTS = GOLDENS / "tools" / "inputs"
CROSS = INPUTS / "cross.mlir"
RULES: Any = {"dt": "1ms", "like": "norse", "target": "asic/edge,asic/mesh"}
VARY = {"core.fan_in": some([1, 2, 4, 8, 16], 2), "weights.bits": some([3, 4, 5, 6, 7, 8], 3)}
POINTS = 2 * prod(map(len, VARY.values()))
KILLED, STOPPED = POINTS // 6, POINTS * 2 // 3
"""Points after which a worker is killed, and the sweep is interrupted."""


@pytest.fixture
def x(tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((3, 20, 2)) < 0.5)
    return tmp_path / "x.npy"


def test_a_killed_worker_and_an_interruption_change_nothing(x: Path, tmp_path: Path, address: str) -> None:
    alone, out = tmp_path / "alone", tmp_path / "out"
    expected = nopt.sweep(CROSS, x, VARY, calib=x, out=alone, **RULES)
    assert len(expected.points) == POINTS
    assert {point.fits for point in expected.points} == {"exact", "no"}
    victims = pids(address)

    def watch(done: int, all: int) -> None:
        assert all == POINTS
        if done == KILLED:
            os.kill(victims[0], signal.SIGKILL)
        if done == STOPPED:
            raise KeyboardInterrupt

    options: Any = {"calib": x, "out": out, "scheduler": f"dask={address}", **RULES}
    with pytest.raises(KeyboardInterrupt):
        nopt.sweep(CROSS, x, VARY, progress=watch, **options)
    assert (out / "points.jsonl").read_bytes().count(b"\n") == STOPPED
    assert not (out / "sweep.csv").exists()
    found = nopt.sweep(CROSS, x, VARY, **options)
    assert found == expected
    assert (expected.kept, found.kept) == (0, STOPPED)
    for name in ("sweep.csv", "sweep.svg"):
        assert (out / name).read_bytes() == (alone / name).read_bytes()
    assert victims[0] not in pids(address)


def test_files_are_sent_to_the_workers(x: Path, tmp_path: Path, address: str) -> None:
    """A worker reads neither the device file nor the input, which may be on another machine."""
    device = tmp_path / "edge.json"
    device.write_text(json.dumps(nopt.check_device("asic/edge", features=False).device.as_json()))
    vary, rules = {"core.neurons": [1, 2]}, {"dt": "1ms", "like": "norse", "calib": x, "device": device}
    expected = nopt.sweep(CROSS, x, vary, **rules)
    original = sweep_cluster.file_contents

    def contents(folder: Path) -> dict[str, bytes]:
        data = original(folder)
        device.unlink()
        x.unlink()
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_cluster, "file_contents", contents)
        assert nopt.sweep(CROSS, x, vary, scheduler=f"dask={address}", **rules) == expected
    assert {point.fits for point in expected.points} == {"exact"}


def test_a_worker_of_another_version_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_cluster, "version", lambda name: "9.9")
    with pytest.raises(nopt.Refused) as refusal:
        nopt.sweep(CROSS, vary={"weights.bits": [4]}, scheduler=f"dask={address}", **RULES)
    (finding,) = refusal.value.findings
    assert finding.code == sweep_cluster.SWE016
    assert finding.expected == "nopt 9.9"


def test_a_point_that_ends_its_workers_is_a_row(x: Path, tmp_path: Path, nopt_folder: Path) -> None:
    """With a cluster that the command starts."""
    subprocess.run([sys.executable, INPUTS / "ending_chip.py", tmp_path / "chip"], check=True)
    words = ["sweep", CROSS, "--load-target", tmp_path / "chip" / "target.py", "--target", "weights", "--calib", x]
    words += ["--vary", "preferences.bits=0,1", "--dt", "1ms", "--like", "norse", "--scheduler", "dask", "-j", "1"]
    done = subprocess.run(
        [nopt_folder / "nopt", *map(str, words), "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "0"},
    )
    assert done.returncode == 0, done.stderr
    assert [point["code"] for point in json.loads(done.stdout)["points"]] == [None, "SWE014"]
    assert [one["code"] for one in json.loads(done.stderr)["findings"]] == ["SWE014"]

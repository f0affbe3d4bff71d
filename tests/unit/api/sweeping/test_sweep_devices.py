"""Sweeps over devices: the figures are those of a compilation, and do not depend on the processes, the order or an interruption."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from places import GOLDENS

import nopt.api as nopt
from nopt.api.sweeping.keys import varied_axes
from nopt.api.sweeping.points import choose_objectives, combinations, mark_best
from nopt.api.sweeping.ranges import RANGE_OF
from nopt.core.device.device import find_device

CROSS = GOLDENS / "tools" / "inputs" / "cross.mlir"
RULES: Any = {"dt": "1ms", "like": "norse"}
VARY = {"core.fan_in": [1, 2, 64], "weights.bits": [3, 8]}


@pytest.fixture
def x(tmp_path: Path) -> Path:
    np.save(tmp_path / "x.npy", np.random.default_rng(0).random((3, 20, 2)) < 0.5)
    return tmp_path / "x.npy"


@pytest.mark.parametrize(
    "device", ["asic/mesh", "asic/bus", "c/generic", "c/int8", "loihi2/loihi1", "memxbar/array128"]
)
def test_figures_are_those_of_compile(device: str, x: Path, tmp_path: Path) -> None:
    labels = [0, 1, 1]
    vary = {"weights.bits": [3]}
    (point,) = nopt.sweep(CROSS, x, vary, target=device, labels=labels, calib=x, **RULES).points
    passes = f"ntensor-calibrate{{data={x}}},{point.pipeline}"
    report = nopt.compile(
        CROSS, target=device, passes=passes, calib=x, labels=labels, out=tmp_path / "build", **RULES
    ).report
    last = report["levels"][-1]
    assert point.fits == "exact"
    assert last["level"] == "target"
    assert {name: getattr(point, name) for name in ("accuracy", "rate_cosine", "bin_cosine")} == {
        name: last[name] for name in ("accuracy", "rate_cosine", "bin_cosine")
    }
    assert point.loss is not None
    assert point.loss.as_json() | {"populations": None} == last["loss"] | {"populations": None}
    assert point.memory_bytes == sum(report["memory"].values())
    assert point.latency_ticks == max(report["latency_ticks"].values())
    assert point.cores == (report["mapping"] and report["mapping"]["cores"])
    energy, latency = (report["cost"][part] for part in ("energy", "latency"))
    assert point.energy_pj == (energy and energy["value"])
    assert point.latency_ns == (latency and latency["value"])
    assert (point.energy_low_pj, point.energy_high_pj) == ((energy or {}).get("low"), (energy or {}).get("high"))
    assert (point.latency_low_ns, point.latency_high_ns) == ((latency or {}).get("low"), (latency or {}).get("high"))
    assert (point.per, point.frame_ticks) == (report["cost"]["per"], report["network"]["frame_ticks"])
    assert {*point.unpublished} == {path for one in (energy, latency) if one is not None for path in one["unknown"]}


def test_refusals_are_those_of_compile(x: Path, tmp_path: Path) -> None:
    points = nopt.sweep(CROSS, vary=VARY, target="asic/mesh,xylo/imu", calib=x, **RULES).points
    for point in points:
        device, out = str(point.device), tmp_path / "build"
        settings = [f"core.fan_in={point.options['core.fan_in']}"]
        options: Any = {"target": device, "set": settings, "passes": point.pipeline, "calib": x, "out": out}
        if point.code is None:
            nopt.compile(CROSS, **options, **RULES)
            continue
        with pytest.raises(nopt.Refused) as refusal:
            nopt.compile(CROSS, **options, **RULES)
        assert point.code in {one.code.id for one in refusal.value.findings}
    assert {point.fits for point in points} == {"exact", "no"}


def test_processes_make_no_difference(x: Path, tmp_path: Path) -> None:
    def table(jobs: int) -> bytes:
        out = tmp_path / str(jobs)
        nopt.sweep(CROSS, x, VARY, target="asic/mesh,c", calib=x, jobs=jobs, out=out, **RULES)
        return (out / "sweep.csv").read_bytes()

    assert table(1) == table(2)


def test_stale_points_are_not_used(x: Path, tmp_path: Path) -> None:
    """Points of another device, of other settings and of another network differ; only those that are the same are kept."""

    def kept(target: str = "asic/mesh", **more: Any) -> int:
        return nopt.sweep(CROSS, vary=VARY, target=target, calib=x, out=tmp_path / "out", **RULES, **more).kept

    assert [kept(), kept(), kept(set=["core.neurons=1"]), kept("asic/edge")] == [0, 6, 0, 0]
    assert kept("asic/mesh,asic/edge,c") == 12  # the network of C has another precision
    assert kept("c,asic/mesh") == 12
    with pytest.raises(nopt.Refused):
        kept(passes="ntensor-quantize-weights{bits=2}")


def test_a_point_that_ends_its_process_is_a_row(x: Path, tmp_path: Path, nopt_folder: Path) -> None:
    """The other points are computed, and this one is not stored."""
    folder, out = tmp_path / "chip", tmp_path / "out"
    subprocess.run([sys.executable, CROSS.parent / "ending_chip.py", folder], check=True)
    words = ["sweep", CROSS, "--load-target", folder / "target.py", "--target", "weights", "--calib", x, "-j", "2"]
    words += ["--vary", "preferences.bits=0,1,3,4", "--dt", "1ms", "--like", "norse", "-o", out, "--format", "json"]
    done = subprocess.run([nopt_folder / "nopt", *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    points = json.loads(done.stdout)["points"]
    assert [point["code"] for point in points] == [None, "SWE014", None, None]
    assert (out / "points.jsonl").read_bytes().count(b"\n") == 3


def test_the_device_is_the_outer_dimension() -> None:
    device = find_device("asic", "mesh")
    points = list(combinations(varied_axes(["core.fan_in=1,2", "weights.bits=3"], [device]), ["a", "b"]))
    assert [(point.device, *point.options.values()) for point in points] == [
        *(("a", 1, 3), ("a", 2, 3)),
        *(("b", 1, 3), ("b", 2, 3)),
    ]
    assert points[0].settings == ("core.fan_in=1",)
    assert points[0].pipeline == "ntensor-quantize-weights{bits=3 balance=sums}"


def test_unknown_figures_are_never_best() -> None:
    (point,) = combinations([], ["a"])
    rows = [(1, 5.0, "a"), (2, 1.0, "a"), (2, 2.0, "a"), (None, 0.0, "a"), (1, None, "b"), (1, 4.0, "b")]
    points = [
        evolve(point, cores=cores, energy_pj=energy, energy_low_pj=energy, energy_high_pj=energy, device=name)
        for cores, energy, name in rows
    ]
    assert choose_objectives(None, points) == ("cores",)
    best = [one.is_best for one in mark_best(points, ("cores", "energy_pj"))]
    assert best == [False, True, False, False, False, True]


def test_incomplete_costs_are_compared_on_one_device() -> None:
    """The costs of a device without some coefficients cannot be compared with those of another one."""
    (point,) = combinations([], ["a"])
    rows = [(5.0, "a", ()), (4.0, "b", ("cost.energy.idle",)), (6.0, "b", ("cost.energy.idle",)), (7.0, "a", ())]
    points = [
        evolve(point, **dict.fromkeys(RANGE_OF["energy_pj"].names, energy), device=name, unpublished=paths)
        for energy, name, paths in rows
    ]
    assert [one.is_best for one in mark_best(points, ("energy_pj",))] == [True, True, False, False]

"""Sweeps: points do not depend on the number of processes, and completed points are not computed again."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from extent import some
from numpy.typing import NDArray
from places import GOLDENS

import nopt.api as nopt
from nopt.api.judging.loss import unite_losses
from nopt.api.sweeping import workers as sweep_workers
from nopt.api.sweeping.keys import varied_axes
from nopt.api.sweeping.points import Point, choose_objectives, combinations, mark_best
from nopt.core.diagnostics import Diagnostics
from nopt.core.half_precision import Half, round_to_half
from nopt.passes.pipelines import QUANTIZE_ORDER

CROSS = GOLDENS / "tools" / "inputs" / "cross.mlir"
HALVES: tuple[Half, ...] = ("f16", "bf16")
VARY = {"weights.bits": [2, 3, 4, 8], "weights.per": ["tensor", "row"]}


@pytest.fixture
def x() -> NDArray[np.bool_]:
    return np.random.default_rng(0).random((3, 20, 2)) < 0.5


@pytest.mark.parametrize("method", ["fork", *some(("forkserver", "spawn"), 2)])
def test_processes_make_no_difference(method: str, x: NDArray[np.bool_], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_workers, "start_method", lambda: method)
    alone, together = (nopt.sweep(CROSS, x, VARY, jobs=jobs, dt="1ms", like="norse") for jobs in (1, 2))
    assert alone == together
    assert [tuple(point.options.values()) for point in alone.points][:3] == [(2, "tensor"), (2, "row"), (3, "tensor")]
    assert len(alone.points) == 8


def test_figures_are_those_of_compare(x: NDArray[np.bool_]) -> None:
    module = nopt.apply(nopt.read(CROSS), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    (point,) = nopt.sweep(module, x, {"weights.bits": [2]}).points
    before = nopt.run(module, x)
    after = nopt.run(nopt.apply(module.clone(), point.pipeline, diagnostics=Diagnostics()), x)
    found = nopt.compare(before, after, samples=True).arrays["output"]
    assert (point.rate_cosine, point.bin_cosine) == (found.rate_cosine, found.bin_cosine)
    assert point.weight_error == np.float64(np.float32(0.35))
    assert point.weight_bytes == 1


def test_reals_of_16_bits(x: NDArray[np.bool_]) -> None:
    module = nopt.apply(nopt.read(CROSS), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    points = nopt.sweep(module, x, {"ntensor-round-reals.to": ["f16", "bf16"]}).points
    weights = [op.properties["weight"].values for op in module.walk() if "weight" in op.properties]
    for point, format in zip(points, HALVES, strict=True):
        assert point.weight_bytes == sum(2 * weight.size for weight in weights)
        errors = [np.abs(round_to_half(w.astype(np.float64), format) - w.astype(np.float64)).max() for w in weights]
        assert point.weight_error == max(errors)


def test_module_stays_as_it_is(x: NDArray[np.bool_]) -> None:
    module = nopt.read(CROSS)
    text = nopt.write(module)
    nopt.sweep(module, x, {"weights.bits": [2]}, passes="ntensor-quantize-weights{bits=3}", dt="1ms", like="norse")
    assert nopt.write(module) == text


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_done_stays_when_it_is_stopped(jobs: int, x: NDArray[np.bool_], tmp_path: Path) -> None:
    def stop(done: int, all: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    points = tmp_path / "points.jsonl"
    with pytest.raises(KeyboardInterrupt):
        nopt.sweep(CROSS, x, VARY, jobs=jobs, out=tmp_path, progress=stop, dt="1ms", like="norse")
    first = points.read_bytes()
    assert first.count(b"\n") == 2
    assert not (tmp_path / "sweep.csv").exists()
    seen: list[int] = []
    done = nopt.sweep(
        CROSS, x, VARY, out=tmp_path, progress=lambda done, all: seen.append(done), dt="1ms", like="norse"
    )
    assert seen == [2, 3, 4, 5, 6, 7, 8]
    assert points.read_bytes().startswith(first)
    assert done == nopt.sweep(CROSS, x, VARY, dt="1ms", like="norse")
    with open(tmp_path / "sweep.csv", newline="", encoding="utf-8") as file:
        assert [float(row["rate_cosine"]) for row in csv.DictReader(file)] == [p.rate_cosine for p in done.points]


def test_points_with_other_labels_are_computed_anew(x: NDArray[np.bool_], tmp_path: Path) -> None:
    def swept(labels: list[int] | None) -> list[float | None]:
        found = nopt.sweep(CROSS, x, {"weights.bits": [8]}, labels=labels, out=tmp_path, dt="1ms", like="norse")
        return [point.accuracy for point in found.points]

    plain = nopt.execute(CROSS, x, choices={"dt": "1ms", "like": "norse"}).argmax("output")
    assert swept(None) == [None]
    assert swept(plain) == [1.0]
    assert swept([1 - label for label in plain]) == [0.0]
    lines = [json.loads(line) for line in (tmp_path / "points.jsonl").read_text().splitlines()]
    assert len(lines) == 3
    assert len({line["labels"] for line in lines}) == 3


def test_passes_run_in_their_order() -> None:
    varied = varied_axes(["ntensor-quantize-weights.per=row", "weights.bits=1e0,2"])
    assert [axis.values for axis in varied] == [("row",), (1.0, 2)]
    assert [point.pipeline for point in combinations(varied_axes(["weights.bits=3", "weights.per=row"]))] == [
        "ntensor-quantize-weights{bits=3 per=row balance=sums}"
    ]
    assert [point.pipeline for point in combinations(varied_axes(["weights.bits=3", "bias.bits=8"]))] == [
        "ntensor-quantize-weights{bits=3},ntensor-quantize-bias{bits=8}"
    ]
    assert [point.pipeline for point in combinations(varied_axes(["weights.balance=none,biases"]))] == [
        "ntensor-quantize-weights{balance=none}",
        "ntensor-quantize-weights",
    ]
    assert QUANTIZE_ORDER[0].endswith("inputs")
    mixed = varied_axes(["ntensor-cluster-weights.count=3", "state.bits=12", "bias.bits=8", "weights.bits=3"])
    (point,) = combinations(mixed)
    names = [step.partition("{")[0] for step in point.pipeline.split(",ntensor-")]
    assert names == ["ntensor-quantize-weights", "quantize-bias", "quantize-state", "cluster-weights"]


def test_best_points_are_beaten_by_none() -> None:
    (point,) = combinations(varied_axes(["weights.bits=3"]))

    def marked(points: list[Point]) -> tuple[Point, ...]:
        return mark_best(points, choose_objectives(None, points))

    def loss_of(error: float) -> nopt.Loss:
        return unite_losses(
            {"output": (nopt.OutputLoss(count_error=error), frozenset(["count_error"]))},
            None,
            None,
            [],
            samples=1,
            measured_on="sample input",
        )

    figures = [(0.5, 1), (0.5, 2), (0.1, 2), (0.2, 3), (None, None), (0.1, 2)]
    points = marked([evolve(point, loss=score and loss_of(score), weight_bytes=size) for score, size in figures])
    assert [point.is_best for point in points] == [True, False, True, False, False, True]
    points = marked([*points, evolve(point, accuracy=0.1, loss=loss_of(0.1), weight_bytes=9)])
    assert [point.is_best for point in points] == [False] * 6 + [True]

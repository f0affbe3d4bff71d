"""Searches of a sweep: the result is compared with every assignment of bits, and does not depend on an interruption."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve
from numpy.typing import NDArray

import nopt.api as nopt
from nopt.api.sweeping.search import parse_goal, parse_search
from nopt.core.diagnostics import Diagnostics

SIZES = (6, 10, 8, 4)
BITS = (8, 4, 2)
NEURON = "r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>"


def network(seed: int) -> str:
    """Returns a network of three layers `a`, `b` and `c` with random weights, each before integrate-and-fire neurons."""
    random, lines, last = np.random.default_rng(seed), list[str](), "x"
    for name, inputs, outputs in zip("abc", SIZES, SIZES[1:], strict=False):
        weights = (random.normal(0.25, 0.5, (outputs, inputs)) / np.sqrt(inputs)).round(3).tolist()
        real = f"tensor<{outputs}xf32>"
        source = f"tensor<{inputs}xf32>" if last == "x" else f"tensor<{inputs}xi1>"
        array = f"#nopt.array<{weights} : tensor<{outputs}x{inputs}xf32>>"
        lines.append(f'  %{name} = nir.linear "{name}" %{last} {{weight = {array}}} : {source} -> {real}')
        lines.append(f'  %{name}s = nir.if "{name}s" %{name} {{{NEURON}}} : {real} -> tensor<{outputs}xi1>')
        last = f"{name}s"
    head = f'nir.graph @three("input" %x: tensor<{SIZES[0]}xf32>) -> ("output": tensor<{SIZES[-1]}xi1>) {{'
    return "\n".join([head, *lines, f"  nir.output %{last} : tensor<{SIZES[-1]}xi1>", "}"])


@pytest.fixture
def three(tmp_path: Path) -> Path:
    path = tmp_path / "three.mlir"
    path.write_text(network(1))
    return path


@pytest.fixture
def x() -> NDArray[np.bool_]:
    return np.random.default_rng(0).random((8, 20, SIZES[0])) < 0.5


def search(three: Path, x: NDArray[np.bool_], goal: str = "count_error-0.1", **options: object) -> nopt.Sweep:
    given = {"weights.bits": BITS}
    return nopt.sweep(three, x, given, goal=goal, minimize="bytes", engine="numpy", dt="1ms", like="norse", **options)


def test_result_has_the_fewest_bytes_of_all_assignments(three: Path, x: NDArray[np.bool_]) -> None:
    swept = search(three, x)
    found = swept.search
    assert found is not None
    module = nopt.apply(nopt.read(three), "convert-nir-to-ntensor{dt-ns=1000000 like=norse}")
    before = nopt.run(module, x, engine="numpy")
    space = parse_search({"weights.bits": BITS}, "count_error-0.1", None, has_labels=False)
    assert space is not None
    errors: dict[tuple[int, ...], float] = {}
    for bits in product(BITS, repeat=3):
        passes = space.pipeline(dict(zip("abc", bits, strict=True)))
        after = nopt.run(nopt.apply(module.clone(), passes, diagnostics=Diagnostics()), x, engine="numpy")
        counts = [x["output"].sum(1).astype(float) for x in (before, after)]
        errors[bits] = np.abs(counts[1] - counts[0]).sum() / counts[0].sum()
    sizes = {bits: sum(-(-a * b * n // 8) for a, b, n in zip(SIZES, SIZES[1:], bits, strict=False)) for bits in errors}
    valid = [bits for bits, error in errors.items() if error <= 0.1]
    assert 1 < len(valid) < len(errors)
    chosen = tuple(layer.bits for layer in found.layers)
    assert sizes[chosen] == found.found.weight_bytes == min(sizes[bits] for bits in valid)
    assert found.found.loss is not None
    assert found.found.loss.count_error == errors[chosen] <= found.limit
    assert found.start.loss is not None
    assert (found.start.weight_bytes, found.start.loss.count_error) == (sizes[8, 8, 8], errors[8, 8, 8])
    assert len(swept.points) < len(errors)
    assert found.found.is_best


def test_pipeline_repeats_the_result(three: Path, x: NDArray[np.bool_]) -> None:
    found = search(three, x, "count_error-0.3", passes="ntensor-quantize-weights{bits=7}").search
    assert found is not None
    assert found.pipeline == f"ntensor-quantize-weights{{bits=7}},{found.found.pipeline}"
    level = nopt.levels(three, x, passes=found.pipeline, engine="numpy", dt="1ms", like="norse").levels[-1]
    assert level.loss == evolve(found.found.loss, populations=level.loss.populations)


def test_interrupted_search_continues(three: Path, x: NDArray[np.bool_], tmp_path: Path) -> None:
    def stop(done: int, all: int) -> None:
        assert done <= all
        if done == 4:  # the start, and 3 of 6 points of the sensitivity
            raise KeyboardInterrupt

    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        search(three, x, out=out, progress=stop)
    first = (out / "points.jsonl").read_bytes()
    assert first.count(b"\n") == 4
    whole = search(three, x)
    assert search(three, x, out=out) == whole
    assert (out / "points.jsonl").read_bytes().startswith(first)
    assert (out / "points.jsonl").read_bytes().count(b"\n") == len(whole.points)
    assert (out / "sweep.csv").read_text().startswith("a.bits,b.bits,c.bits,accuracy,")


def test_limit_of_a_goal() -> None:
    for text, figure, limit in (
        ("accuracy-1pt", "accuracy", 0.89),
        ("accuracy-0.5pt", "accuracy", 0.895),
        ("agreement-0.99", "agreement", 0.99),
        ("count_error-0.05", "count_error", 0.05),
    ):
        goal = parse_goal(text, None)
        assert goal is not None
        assert (goal.figure, goal.limit(0.9)) == (figure, pytest.approx(limit))
    assert parse_goal(None, None) is None

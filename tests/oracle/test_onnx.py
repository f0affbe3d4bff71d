"""Networks of ONNX equal ONNX Runtime without graph optimisations: 40 random graphs in each format of quantisation, and three that are trained and quantised here.

ONNX Runtime computes the reals between two quantisations in f32, and nopt the exact sum of integers. So an integer can differ by one where the quotient before the
rounding is in the middle of two integers, within the rounding of f32. A mean of four integers is such a tie in one of four cases.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import TESTS

import nopt
from nopt.core.diagnostics import Diagnostics

TOOLS = TESTS / "oracle" / "tools"
NETWORKS, SECONDS = 40, 600
TRAINED = {"dense": 0.01, "symmetric": 0.01, "convolution": 0.9}
"""Networks with the largest share of samples that differ at a tie: the convolution has a mean pool between two quantisations with one scale."""
F32 = 2.0**-24
ROUNDINGS = 32
"""Roundings of f32 that the distance from a tie may have, in units of the largest integer."""


def write(python_of: Callable[[str], Path], script: str, folder: Path, *options: str) -> Path:
    pytest.importorskip("onnx", reason="the package onnx is not installed (pip install 'nopt[import-onnx]')")
    command = [str(python_of("onnxruntime")), str(TOOLS / script), str(folder), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return folder


@pytest.fixture(scope="session", params=["QDQ", "QOperator"])
def drawn(request: Any, python_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with random graphs and the integers of ONNX Runtime."""
    options = ["--operators"] if request.param == "QOperator" else []
    return write(python_of, "onnx_graphs.py", tmp_path_factory.mktemp("onnx"), *options)


@pytest.fixture(scope="session")
def trained(python_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with trained networks and the integers of ONNX Runtime."""
    return write(python_of, "onnx_trained.py", tmp_path_factory.mktemp("onnx"))


def compare(path: Path, wanted: Any, name: str, most_differing: float = 0.2) -> tuple[int, int]:
    """Returns how many integers are compared, and how many differ by one at a tie; other differences are failures.

    A sample is not compared after its first difference. `most_differing` is the largest share of samples with one.
    """
    found = nopt.run(path, {name: wanted["x"][:, None]}, axes="samples,ticks", diagnostics=Diagnostics())
    alike = np.ones(len(wanted["x"]), bool)
    compared = ties = 0
    for name in [key[2:] for key in wanted.files if key.startswith("q.")]:
        theirs = wanted[f"q.{name}"].astype(np.int64)
        ours = found[name].astype(np.int64).reshape(theirs.shape)
        differs = (ours != theirs) & alike.reshape(-1, *[1] * (theirs.ndim - 1))
        most = np.iinfo(wanted[f"q.{name}"].dtype).max
        assert (np.abs(ours - theirs)[differs] == 1).all(), name
        assert (wanted[f"tie.{name}"][differs] <= ROUNDINGS * F32 * most).all(), name
        compared += int(alike.sum()) * int(np.prod(theirs.shape[1:]))
        ties += int(differs.sum())
        alike &= ~differs.reshape(len(theirs), -1).any(1)
    assert 1 - alike.mean() <= most_differing
    return compared, ties


def test_integers_of_random_graphs_are_those_of_onnx_runtime(drawn: Path) -> None:
    counts = [compare(drawn / f"{k}.onnx", np.load(drawn / f"{k}.npz"), "x") for k in range(NETWORKS)]
    compared, ties = map(sum, zip(*counts, strict=True))
    assert compared > 50_000
    assert ties <= compared / 10_000


@pytest.mark.parametrize("name", TRAINED)
def test_integers_of_trained_networks_are_those_of_onnx_runtime(trained: Path, name: str) -> None:
    wanted = np.load(trained / f"{name}.npz")
    compared, ties = compare(trained / f"{name}.onnx", wanted, "image", TRAINED[name])
    assert compared > 50_000
    assert ties <= compared / 200
    found = nopt.run(
        trained / f"{name}.quantised.onnx",
        {"image": wanted["x"][:, None]},
        axes="samples,ticks",
        diagnostics=Diagnostics(),
    )
    (result,) = found.values()
    unit = np.unique(np.diff(np.unique(wanted["result"]))).min()
    assert np.abs(result[:, 0] - wanted["result"]).max() <= 1.01 * unit
    assert (result[:, 0].argmax(1) == wanted["result"].argmax(1)).mean() > 0.99
    assert (result[:, 0].argmax(1) == wanted["y"]).mean() > 0.9


@pytest.mark.parametrize("name", TRAINED)
def test_operators_of_trained_networks_are_those_of_onnx_runtime(trained: Path, name: str) -> None:
    """A tie differs by one, and so may the integers after it."""
    wanted, path = np.load(trained / f"{name}.npz"), trained / f"{name}.operators.onnx"
    found = nopt.run(path, {"image": wanted["x"][:, None]}, axes="samples,ticks", diagnostics=Diagnostics())
    names = [key[2:] for key in wanted.files if key.startswith("o.")]
    assert len(names) >= 3
    for each in names:
        theirs = wanted[f"o.{each}"].astype(np.int64)
        ours = found[each].astype(np.int64).reshape(theirs.shape)
        assert np.abs(ours - theirs).max() <= 1, each
        assert (ours != theirs).mean() <= (0.1 if name == "convolution" else 0), each


@pytest.mark.parametrize("name", TRAINED)
def test_networks_of_reals_are_those_of_onnx_runtime(trained: Path, name: str) -> None:
    """Sums of reals have another order, so that the last digits of f32 differ."""
    wanted = np.load(trained / f"{name}.npz")
    signals = {"image": wanted["x"][:, None]}
    found = nopt.run(trained / f"{name}.float.onnx", signals, axes="samples,ticks", diagnostics=Diagnostics())
    (result,) = found.values()
    assert np.abs(result[:, 0] - wanted["real"]).max() < 1e-5 * np.abs(result).max()

"""Networks of a public benchmark, from the folder of samples: `write_benchmark(shared, Path("net"), "bench.E3")` writes one.

A file of `snn_bench` has a list of linear layers with their weights. A population of LIF neurons follows each layer, and is run by
the rule of snnTorch with a pending reset by subtraction. Input neurons spike in each tick with the probability RATE.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import nir
import numpy as np
from common_networks import Case, chain, lif

PREFIX = "bench."
OPTIONS = ("--dt", "1ms", "--like", "snntorch", "--reset", "subtract")
SAMPLES, TICKS, RATE = 32, 200, 0.4


def benchmark_names(shared: Path) -> tuple[str, ...]:
    """Returns the names of the networks in a folder of samples, small ones first. There are none without such a folder."""
    files = sorted((shared / "samples" / "snn_bench").glob("*.json"), key=lambda file: (file.stat().st_size, file.name))
    return tuple(f"{PREFIX}{file.stem}" for file in files)


def write_benchmark(shared: Path, folder: Path, name: str) -> Case:
    """Writes a network of the samples and its input into a folder."""
    stem = name.removeprefix(PREFIX)
    layers = json.loads((shared / "samples" / "snn_bench" / f"{stem}.json").read_text(encoding="utf-8"))["layers"]
    return write_leaky(folder, [np.array(layer["weights"], np.float32) for layer in layers], list(stem.encode()))


def write_leaky(folder: Path, matrices: Iterable[np.ndarray], seed: list[int]) -> Case:
    """Writes linear layers of these weights, each with LIF neurons (tau 10 ms, r 10), and a drawn input into a folder."""
    nodes: list[tuple[str, nir.NIRNode]] = []
    for index, matrix in enumerate(matrices, 1):
        nodes += [(f"fc{index}", nir.Linear(matrix)), (f"lif{index}", lif(len(matrix)))]
    shape = nodes[0][1].weight.shape[1:]
    x = np.random.default_rng(seed).random((SAMPLES, TICKS, *shape)) < RATE
    folder.mkdir(parents=True, exist_ok=True)
    nir.write(folder / "net.nir", chain(shape, *nodes))
    np.save(folder / "x.npy", x.astype(np.float32))
    return Case(folder, OPTIONS)

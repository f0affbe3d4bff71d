"""Networks that were converted from networks of rectified linear units, and their activations in plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def units(shape: tuple[int, ...]) -> nir.IF:
    one = np.ones(shape)
    return nir.IF(r=one, v_threshold=one, v_reset=0 * one)


def chain(nodes: dict[str, nir.NIRNode]) -> nir.NIRGraph:
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)))


def dense_network(layers: Sequence[tuple[Reals, Reals]], file: Path) -> Path:
    """Writes integrate-and-fire neurons with a threshold of 1 in place of the units of dense layers. Shapes: weights [outputs, inputs], biases [outputs]."""
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([layers[0][0].shape[1]])})}
    for k, (weight, bias) in enumerate(layers, 1):
        nodes |= {f"fc{k}": nir.Affine(weight=weight, bias=bias), f"if{k}": units((len(bias),))}
    nodes["output"] = nir.Output({"output": np.array([len(layers[-1][1])])})
    nir.write(file, chain(nodes))
    return file


def random_layers(seed: int, sizes: Sequence[int], gain: float, bias: float = 0.3) -> list[tuple[Reals, Reals]]:
    """Returns dense layers whose activations are about `gain` times their inputs in size."""
    rng = np.random.default_rng([71, seed])
    return [
        (rng.normal(0, gain * np.sqrt(2 / inputs), (outputs, inputs)), rng.normal(0, bias, outputs))
        for inputs, outputs in pairwise(sizes)
    ]


def activations(layers: Sequence[tuple[Reals, Reals]], x: Reals) -> list[Reals]:
    """Returns the activations of each layer. Shapes: x [samples, inputs], results [samples, outputs]."""
    found = [x]
    for weight, bias in layers:
        found.append(np.maximum(found[-1] @ weight.T + bias, 0))
    return found[1:]


def constant_input(x: Reals, ticks: int) -> Reals:
    """Returns the same input in every tick. Shapes: x [samples, *shape], result [samples, ticks, *shape]."""
    return np.repeat(x[:, np.newaxis], ticks, axis=1)


def map_network(seed: int, pool: type[nir.NIRNode], gain: float, file: Path) -> Path:
    """Writes a convolution, a pool and two dense layers, the last of which is an output without neurons."""
    rng = np.random.default_rng([72, seed])
    flat = nir.Flatten({"input": np.array([3, 3, 3])}, start_dim=0, end_dim=-1)
    nodes: dict[str, nir.NIRNode] = {
        "input": nir.Input({"input": np.array([2, 6, 6])}),
        "conv": nir.Conv2d((6, 6), rng.normal(0, gain, (3, 2, 3, 3)), 1, 1, 1, 1, rng.normal(0, 0.2, 3)),
        "if1": units((3, 6, 6)),
        "pool": pool(np.array([2, 2]), np.array([2, 2]), np.array([0, 0])),
        "flat": flat,
        "fc1": nir.Affine(rng.normal(0, gain, (8, 27)), rng.normal(0, 0.2, 8)),
        "if2": units((8,)),
        "wait": nir.Delay(np.full(8, 0.002)),
        "fc2": nir.Affine(rng.normal(0, 1, (4, 8)), rng.normal(0, 0.2, 4)),
        "output": nir.Output({"output": np.array([4])}),
    }
    nir.write(file, chain(nodes))
    return file

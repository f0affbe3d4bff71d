"""Layers of PyTorch with random weights, for the frameworks that are based on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from generation import Shape, weights


def tensor(values: Any) -> torch.Tensor:
    return torch.tensor(np.asarray(values, dtype=np.float32))


def spread(rng: np.random.Generator, shape: Shape, low: float, high: float, *, is_shared: bool) -> torch.Tensor:
    """Returns a parameter of a layer's shape: one value for all neurons, or one for each."""
    return tensor(np.broadcast_to(rng.uniform(low, high, (1,) * len(shape) if is_shared else shape), shape))


def draw_dense(rng: np.random.Generator, gain: float, inputs: int, outputs: int) -> torch.nn.Linear:
    """Returns a linear layer with or without a bias; half of them have dyadic weights."""
    layer = torch.nn.Linear(inputs, outputs, bias=bool(rng.integers(2)))
    layer.weight.copy_(tensor(weights(rng, (outputs, inputs), gain, dyadic=bool(rng.integers(2)))))
    if layer.bias is not None:
        layer.bias.copy_(tensor(rng.uniform(-0.1, 0.2, outputs)))
    return layer


def draw_convolution(
    rng: np.random.Generator, gain: float, shape: Shape, *, bias: float = 0.5
) -> tuple[torch.nn.Conv2d, Shape]:
    """Returns a convolution and the shape of its output; `bias` is the probability that it has biases."""
    layer = torch.nn.Conv2d(
        shape[0],
        int(rng.integers(2, 4)),
        int(min(rng.choice([2, 3]), *shape[1:])),
        stride=int(rng.integers(1, 3)),
        padding=int(rng.integers(2)),
        bias=bool(rng.random() < bias),
    )
    layer.weight.copy_(tensor(weights(rng, tuple(layer.weight.shape), gain, dyadic=False)))
    if layer.bias is not None:
        layer.bias.copy_(tensor(rng.uniform(-0.1, 0.2, len(layer.bias))))
    return layer, tuple(layer(torch.zeros(1, *shape)).shape[1:])

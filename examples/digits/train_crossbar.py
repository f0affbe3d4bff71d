"""Trains a network of the digits for crossbar cores with four axon types, in PyTorch: `make train`.

| | |
| --- | --- |
| network | 64 inputs, 128 integrate-and-fire neurons, 10 of them for the classes: v_threshold = 255.5 / 256, no bias |
| weights | each neuron has four values, and a connection, or none, with each source; source i has type i mod 4 and uses the value of this type |
| time, reset | no dt; a spike sets v to 0 |
| recipe | seed 0, 60 epochs of Adam at up to 0.02, batches of 64, float64 |
| framework, exporter | torch 2.13.0, with the neuron below, and nir 1.0.8 |
| in nopt | `--like norse`, and any `--dt` |

Values are multiples of 1/256 below 1, so that a core stores them as integers of 9 bits. The threshold lies between two multiples: v reaches it
in the same tick whether a program compares by `>` or by `>=`.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path

import nir
import numpy as np
import torch

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import encoder  # noqa: E402 (siblings of this folder)
import training  # noqa: E402

SEED, EPOCHS, RATE, GAIN = 0, 60, 0.02, 1.0
HIDDEN, CLASSES, TYPES = 128, 10, 4
THRESHOLD = 1 - training.GRID / 2
LARGEST = 1 - training.GRID
STEEPNESS = 5.0
"""Slope of the surrogate gradient of a spike at the threshold."""


class Spike(torch.autograd.Function):
    """A spike where v exceeds the threshold; its gradient is that of a fast sigmoid."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, v: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(v)
        return (v > THRESHOLD).to(v.dtype)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor) -> torch.Tensor:
        (v,) = ctx.saved_tensors
        return grad / (1 + STEEPNESS * (v - THRESHOLD).abs()) ** 2


class Crossbar(torch.nn.Module):
    """Synapses of a core: a value for each neuron and axon type, and a connection where a link is positive."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        signs = torch.tensor([1.0, -1.0, 1.0, -1.0], dtype=torch.float64)
        size = 4 / inputs**0.5
        self.values = torch.nn.Parameter(signs * size * (0.25 + torch.rand(outputs, TYPES, dtype=torch.float64)))
        self.links = torch.nn.Parameter(torch.randn(outputs, inputs, dtype=torch.float64))
        self.types = torch.arange(inputs) % TYPES

    def weight(self) -> torch.Tensor:
        """Returns the weights; the gradients ignore roundings. Shapes: [outputs, inputs]."""
        slope = torch.sigmoid(self.links)
        links = (self.links > 0).to(slope.dtype) + (slope - slope.detach())
        bounded = self.values.clamp(-LARGEST, LARGEST)
        values = bounded + (training.rounded(bounded) - bounded).detach()
        return links * values[:, self.types]

    def forward(self, spikes: torch.Tensor) -> torch.Tensor:
        return spikes @ self.weight().T

    def stored(self) -> torch.Tensor:
        """Returns the weights without the last bits that gradients add."""
        values = training.rounded(self.values.detach().clamp(-LARGEST, LARGEST))
        return (self.links.detach() > 0).to(values.dtype) * values[:, self.types]


def network() -> torch.nn.Sequential:
    return torch.nn.Sequential(Crossbar(64, HIDDEN), Crossbar(HIDDEN, CLASSES))


def counts(net: torch.nn.Module, spikes: torch.Tensor) -> torch.Tensor:
    layers = list(net.children())
    states = [torch.zeros((), dtype=spikes.dtype) for _ in layers]
    total = torch.zeros(len(spikes), CLASSES, dtype=spikes.dtype)
    for tick in range(spikes.shape[1]):
        z = spikes[:, tick]
        for k, layer in enumerate(layers):
            v = states[k] + layer(z)
            z = Spike.apply(v)
            states[k] = v * (1 - z)
        total = total + z
    return total


def exported(net: torch.nn.Sequential) -> nir.NIRGraph:
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([64])})}
    for name, neurons, layer in zip(("fc1", "fc2"), ("if1", "if2"), net, strict=True):
        weight = layer.stored().numpy().astype(np.float32)
        one = np.ones(len(weight), np.float32)
        nodes[name] = nir.Linear(weight=weight)
        nodes[neurons] = nir.IF(r=one, v_threshold=one * np.float32(THRESHOLD), v_reset=0 * one)
    nodes["output"] = nir.Output({"output": np.array([CLASSES])})
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)))


def main() -> None:
    training.begin(SEED)
    net = network()
    spikes, labels = encoder.digits(is_test=False)
    training.fit(net, counts, torch.tensor(spikes).double(), torch.tensor(labels), EPOCHS, RATE, GAIN)
    spikes, labels = encoder.digits(is_test=True)
    with torch.no_grad():
        found = counts(net, torch.tensor(spikes).double())
    training.leave(exported(net), found.numpy().astype(np.int64), labels, HERE / "crossbar.nir")


if __name__ == "__main__":
    main()

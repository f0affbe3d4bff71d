"""Trains a network of the digits whose counts of spikes are those of layers of 4 bits, in PyTorch: `make train`.

| | |
| --- | --- |
| network | 1 x 8 x 8 inputs; convolutions of 16 (3 x 3) and 24 channels (3 x 3, padding 1); 10 neurons for the classes |
| neurons | integrate-and-fire, v_threshold = 1, no bias |
| time, reset | no dt; a spike subtracts v_threshold from v |
| recipe | seed 0, 40 epochs of Adam at up to 0.01, batches of 64, float64 |
| framework, exporter | torch 2.13.0, with the layers below, and nir 1.0.8 |
| in nopt | `--like norse --reset subtract`, and any `--dt` |

The training runs no ticks: a layer computes the count of the spikes of 16 ticks from the counts of its inputs, at most 15, with weights that are
rounded to 4 bits for each channel. The file holds the weights before this rounding, as multiples of 1/256.
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

SEED, EPOCHS, RATE, GAIN = 0, 40, 0.01, 0.5
CHANNELS, CLASSES = (16, 24), 10
SIDE = 6
"""Side of the maps of both convolutions."""
STEPS = 7
"""Largest weight of 4 bits."""
MOST = 15
"""Largest count of 4 bits."""


class Count(torch.autograd.Function):
    """The count of spikes by the sum of the inputs of all ticks, for a threshold of 1; the gradient is that of the straight line."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return torch.clamp(torch.ceil(x - 1), 0, MOST)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, grad: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return grad * ((x > -1) & (x < MOST + 2))


class FourBits(torch.nn.Module):
    """Rounding to 4 bits with one scale for each output channel; the gradient ignores the rounding."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        scale = weight.detach().flatten(1).abs().amax(1).clamp(min=training.GRID) / STEPS
        scale = scale.reshape(-1, *(1,) * (weight.ndim - 1))
        return weight + (torch.round(weight / scale) * scale - weight).detach()


def network() -> torch.nn.Sequential:
    first, second = CHANNELS
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, first, 3, bias=False),
        torch.nn.Conv2d(first, second, 3, padding=1, bias=False),
        torch.nn.Linear(SIDE**2 * second, CLASSES, bias=False),
    ).double()


def images(spikes: torch.Tensor) -> torch.Tensor:
    return spikes.reshape(*spikes.shape[:2], 1, 8, 8)


def counts(net: torch.nn.Module, spikes: torch.Tensor) -> torch.Tensor:
    """Returns the counts of the layers: no ticks."""
    x = images(spikes).sum(1)
    for layer in net.children():
        if isinstance(layer, torch.nn.Linear):
            x = x.flatten(1)
        x = Count.apply(layer(x))
    return x


def spike_counts(net: torch.nn.Module, spikes: torch.Tensor) -> torch.Tensor:
    """Returns the spikes of the output neurons, which are computed tick by tick."""
    layers = list(net.children())
    states = [torch.zeros((), dtype=spikes.dtype) for _ in layers]
    total = torch.zeros(len(spikes), CLASSES, dtype=spikes.dtype)
    for z in images(spikes).unbind(1):
        for k, layer in enumerate(layers):
            v = states[k] + layer(z.flatten(1) if isinstance(layer, torch.nn.Linear) else z)
            z = (v > 1).to(v.dtype)
            states[k] = v - z
        total = total + z
    return total


def exported(net: torch.nn.Sequential) -> nir.NIRGraph:
    nodes: dict[str, nir.NIRNode] = {"input": nir.Input({"input": np.array([1, 8, 8])})}
    shapes = (*((channels, SIDE, SIDE) for channels in CHANNELS), (CLASSES,))
    for k, (layer, shape) in enumerate(zip(net, shapes, strict=True), 1):
        weight = layer.weight.detach().numpy().astype(np.float32)
        if isinstance(layer, torch.nn.Conv2d):
            bias = np.zeros(len(weight), np.float32)
            nodes[f"conv{k}"] = nir.Conv2d(
                input_shape=(8, 8) if k == 1 else (SIDE, SIDE),
                weight=weight,
                stride=1,
                padding=int(layer.padding[0]),
                dilation=1,
                groups=1,
                bias=bias,
            )
        else:
            nodes["flat"] = nir.Flatten({"input": np.array(shapes[k - 2])}, start_dim=0, end_dim=-1)
            nodes["fc"] = nir.Linear(weight=weight)
        one = np.ones(shape, np.float32)
        nodes[f"if{k}"] = nir.IF(r=one, v_threshold=one, v_reset=0 * one)
    nodes["output"] = nir.Output({"output": np.array([CLASSES])})
    return nir.NIRGraph(nodes=nodes, edges=list(pairwise(nodes)))


def main() -> None:
    training.begin(SEED)
    net = network()
    for layer in list(net.children()):
        torch.nn.utils.parametrize.register_parametrization(layer, "weight", FourBits())
    spikes, labels = encoder.digits(is_test=False)
    training.fit(net, counts, torch.tensor(spikes).double(), torch.tensor(labels), EPOCHS, RATE, GAIN)
    spikes, labels = encoder.digits(is_test=True)
    with torch.no_grad():
        found = counts(net, torch.tensor(spikes).double())
        print(f"layers of 4 bits: {float((found.argmax(1).numpy() == labels).mean()):.2%} right")
        for layer in net.children():
            weight = training.rounded(layer.parametrizations.weight.original)
            torch.nn.utils.parametrize.remove_parametrizations(layer, "weight", leave_parametrized=False)
            layer.weight.data = weight
        found = spike_counts(net, torch.tensor(spikes).double())
    training.leave(exported(net), found.numpy().astype(np.int64), labels, HERE / "rates.nir")


if __name__ == "__main__":
    main()

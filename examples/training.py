"""Functions of the training scripts: weights on a grid, the loop over epochs, and the resulting files.

Weights are trained as multiples of `GRID`, and decays are short binary fractions. The input of a neuron in a tick is therefore an exact sum
in any order, and a v that equals the threshold does so in every program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import nir
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils import parametrize

GRID = 1 / 256
BATCH = 64
LOST = 0.2
"""Probability of dropping an input spike during training, so that the network does not depend on single spikes."""
PRICE = 0.01
"""Loss per output spike, because spikes cost energy on a chip."""
LARGEST_GRADIENT = 1.0

Counts = Callable[[torch.nn.Module, torch.Tensor], torch.Tensor]
"""A function that counts the spikes of each output neuron of a network: [samples, ticks, inputs] => [samples, classes]."""


def begin(seed: int) -> None:
    """Uses one thread, so that sums have one order, and seeds the random numbers."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)


# ---- weights on a grid


def rounded(weight: torch.Tensor) -> torch.Tensor:
    return torch.round(weight / GRID) * GRID


class OnGrid(torch.nn.Module):
    """Rounding to multiples of `GRID`; the gradient ignores the rounding."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight + (rounded(weight) - weight).detach()


def synapses(net: torch.nn.Module) -> Iterator[torch.nn.Module]:
    return (module for module in net.modules() if isinstance(module, torch.nn.Linear | torch.nn.Conv2d))


def put_on_grid(net: torch.nn.Module) -> None:
    """Makes the network compute with rounded weights and biases from now on."""
    for module in list(synapses(net)):
        for name, _ in list(module.named_parameters(recurse=False)):
            parametrize.register_parametrization(module, name, OnGrid())


def leave_on_grid(net: torch.nn.Module) -> None:
    """Replaces the weights and biases by their rounded values."""
    for module in list(synapses(net)):
        for name in list(module.parametrizations):
            parametrize.remove_parametrizations(module, name)
        for parameter in module.parameters(recurse=False):
            # w + (rounded(w) - w) can miss rounded(w) by its last bit
            parameter.data = rounded(parameter.data)


# ---- training


def fit(
    net: torch.nn.Module,
    counts: Counts,
    spikes: torch.Tensor,
    labels: torch.Tensor,
    epochs: int,
    rate: float,
    gain: float,
) -> None:
    """Trains with Adam under a one-cycle schedule; the loss is the cross-entropy of the output counts times `gain`, plus the cost of spikes."""
    optimizer = torch.optim.Adam(net.parameters(), lr=rate)
    steps = epochs * -(-len(labels) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps)
    for epoch in range(1, epochs + 1):
        total, right = 0.0, 0
        for chosen in torch.randperm(len(labels)).split(BATCH):
            seen = spikes[chosen]
            found = counts(net, seen * (torch.rand_like(seen) >= LOST))
            loss = torch.nn.functional.cross_entropy(gain * found, labels[chosen]) + PRICE * found.sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), LARGEST_GRADIENT)
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(chosen)
            right += int((found.argmax(1) == labels[chosen]).sum())
        print(f"epoch {epoch:3}: loss {total / len(labels):.4f}, {right / len(labels):.1%} right", flush=True)


def leave(graph: nir.NIRGraph, counts: NDArray[np.int64], labels: NDArray[np.int64], path: Path) -> None:
    """Writes the network and the framework's spike counts of each output neuron for each test sample."""
    nir.write(path, graph, compression=None)
    np.savez_compressed(path.with_suffix(".npz"), counts=counts.astype(np.int32))
    right = float((counts.argmax(1) == labels).mean())
    print(f"{path.name}: {right:.2%} of {len(labels)} test samples right, {counts.sum()} output spikes")

"""What the training scripts share: weights on a grid, the loop over epochs, and what they leave behind.

Weights are trained as multiples of `GRID`, and decays are short binary fractions. So what reaches a neuron in a tick is an exact sum,
in any order, and a v that stands exactly at the threshold stands there in every program.
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
"""Probability that a spike of the input is left out, in training only: it keeps a network from leaning on single spikes."""
PRICE = 0.01
"""What an output spike adds to the loss: a chip pays for each."""
LARGEST_GRADIENT = 1.0

Counts = Callable[[torch.nn.Module, torch.Tensor], torch.Tensor]
"""How often each output neuron of a network spikes: [samples, ticks, inputs] => [samples, classes]."""


def begin(seed: int) -> None:
    """One thread, so that sums have one order; and what is drawn is drawn again next time."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)


# ---- weights on a grid


def rounded(weight: torch.Tensor) -> torch.Tensor:
    return torch.round(weight / GRID) * GRID


class OnGrid(torch.nn.Module):
    """Rounds to multiples of `GRID`; the gradient passes as if it did not."""

    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        return weight + (rounded(weight) - weight).detach()


def synapses(net: torch.nn.Module) -> Iterator[torch.nn.Module]:
    return (module for module in net.modules() if isinstance(module, torch.nn.Linear | torch.nn.Conv2d))


def put_on_grid(net: torch.nn.Module) -> None:
    """From here on the network computes with rounded weights and biases."""
    for module in list(synapses(net)):
        for name, _ in list(module.named_parameters(recurse=False)):
            parametrize.register_parametrization(module, name, OnGrid())


def leave_on_grid(net: torch.nn.Module) -> None:
    """The weights and biases become what they were rounded to."""
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
    """Adam under a one-cycle schedule; the loss is the cross-entropy of the output counts times `gain`, and the price of the spikes."""
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
    """Writes the network, and beside it how often each output neuron spiked in the framework, for each test sample."""
    nir.write(path, graph, compression=None)
    np.savez_compressed(path.with_suffix(".npz"), counts=counts.astype(np.int32))
    right = float((counts.argmax(1) == labels).mean())
    print(f"{path.name}: {right:.2%} of {len(labels)} test samples right, {counts.sum()} output spikes")

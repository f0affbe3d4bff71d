"""Trains the fully connected network of the digits in Norse: `make train`.

| | |
| --- | --- |
| network | 64 inputs, 128 leaky integrate-and-fire neurons, 10 of them for the classes: tau = 4 ms, v_threshold = 1 |
| time, reset | dt = 1 ms, forward Euler; a spike sets v to v_reset = 0 |
| recipe | seed 0, 50 epochs of Adam at up to 0.02, batches of 64, float64 |
| framework, exporter | Norse 1.1.0, `norse.torch.to_nir`, with nirtorch 2.6 and nir 1.0.8 |
| in nopt | `--dt 1ms --like norse` |

The exporter multiplies tau by `dt`; with `dt` = 1, tau is written in seconds, as NIR requires. It writes the parameters of a layer as
scalars, and the `nir` package cannot read such a file; nopt can, with a remark for each population.
"""

from __future__ import annotations

import sys
from pathlib import Path

import norse.torch as norse
import numpy as np
import torch

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import encoder  # noqa: E402 (siblings of this folder)
import training  # noqa: E402

SEED, EPOCHS, RATE, GAIN = 0, 50, 0.02, 1.0
HIDDEN, CLASSES = 128, 10
DT, TAU = 1e-3, 4e-3
START = 10
"""Norse scales its input by dt / tau, so weights start larger than PyTorch's defaults."""


def neurons() -> norse.LIFBoxCell:
    def one(value: float) -> torch.Tensor:
        return torch.tensor(value, dtype=torch.float64)

    p = norse.LIFBoxParameters(tau_mem_inv=one(1 / TAU), v_leak=one(0), v_th=one(1), v_reset=one(0))
    return norse.LIFBoxCell(p, dt=DT)


def network() -> norse.SequentialState:
    net = norse.SequentialState(
        torch.nn.Linear(64, HIDDEN, bias=False),
        neurons(),
        torch.nn.Linear(HIDDEN, CLASSES, bias=False),
        neurons(),
    ).double()
    with torch.no_grad():
        for module in training.synapses(net):
            module.weight *= START
    return net


def counts(net: norse.SequentialState, spikes: torch.Tensor) -> torch.Tensor:
    state, total = None, torch.zeros(len(spikes), CLASSES, dtype=spikes.dtype)
    for tick in range(spikes.shape[1]):
        out, state = net(spikes[:, tick], state)
        total = total + out
    return total


def main() -> None:
    training.begin(SEED)
    net = network()
    training.put_on_grid(net)
    spikes, labels = encoder.digits(is_test=False)
    training.fit(net, counts, torch.tensor(spikes).double(), torch.tensor(labels), EPOCHS, RATE, GAIN)
    training.leave_on_grid(net)
    spikes, labels = encoder.digits(is_test=True)
    x = torch.tensor(spikes).double()
    with torch.no_grad():
        found = counts(net, x)
    graph = norse.to_nir(net, x[0, 0], dt=1)
    training.leave(graph, found.numpy().astype(np.int64), labels, HERE / "fc.nir")


if __name__ == "__main__":
    main()

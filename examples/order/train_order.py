"""Trains the recurrent network of the order task in snnTorch: `make train`.

| | |
| --- | --- |
| network | 12 inputs, 48 recurrent neurons with a synaptic current (CubaLIF in NIR), 6 leaky integrate-and-fire neurons for the classes; biases everywhere |
| time, reset | decays per tick 3/4 (current) and 7/8 (v); v_threshold = 1 leaves v in the tick after the spike (`reset_delay=True`, snnTorch's default) |
| recipe | seed 0, 30 epochs of Adam at up to 0.005, batches of 64, float64 |
| framework, exporter | snnTorch 1.0.0, `snntorch.export_nir.export_to_nir`, with nirtorch 2.6 and nir 1.0.8 |
| in nopt | `--dt 0.1ms --like snntorch --reset subtract_next` |

The exporter writes time constants for ticks of 0.1 ms, independent of the ticks in training.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import snntorch as snn
import torch
from snntorch.export_nir import export_to_nir

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import encoder  # noqa: E402 (siblings of this folder)
import training  # noqa: E402

SEED, EPOCHS, RATE, GAIN = 0, 30, 5e-3, 1.0
HIDDEN, CLASSES = 48, len(encoder.ORDERS)
DECAY_I, DECAY_V = 3 / 4, 7 / 8


class Spike(torch.autograd.Function):
    """A step function in the precision of its input (snnTorch's functions return float32); its gradient is that of a fast sigmoid."""

    @staticmethod
    def forward(ctx: torch.autograd.function.FunctionCtx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return (x > 0).to(x.dtype)

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, gradient: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return gradient / (1 + 5 * x.abs()) ** 2


def every(size: int, value: float) -> torch.Tensor:
    return torch.full((size,), value)


def network() -> torch.nn.Sequential:
    options = {"init_hidden": True, "spike_grad": Spike.apply, "reset_mechanism": "subtract"}
    hidden = snn.RSynaptic(
        every(HIDDEN, DECAY_I),
        every(HIDDEN, DECAY_V),
        threshold=every(HIDDEN, 1),
        linear_features=HIDDEN,
        **options,
    )
    with torch.no_grad():
        hidden.recurrent.weight *= 0.5
    return torch.nn.Sequential(
        torch.nn.Linear(encoder.CHANNELS, HIDDEN),
        hidden,
        torch.nn.Linear(HIDDEN, CLASSES),
        snn.Leaky(every(CLASSES, DECAY_V), threshold=every(CLASSES, 1), **options),
    ).double()


def counts(net: torch.nn.Sequential, spikes: torch.Tensor) -> torch.Tensor:
    for module in (net[1], net[3]):
        module.reset_mem()
    return torch.stack([net(spikes[:, tick]) for tick in range(spikes.shape[1])]).sum(0)


def main() -> None:
    training.begin(SEED)
    net = network()
    training.put_on_grid(net)
    spikes, labels = encoder.orders(is_test=False)
    training.fit(net, counts, torch.tensor(spikes).double(), torch.tensor(labels), EPOCHS, RATE, GAIN)
    training.leave_on_grid(net)
    spikes, labels = encoder.orders(is_test=True)
    x = torch.tensor(spikes).double()
    with torch.no_grad():
        found = counts(net, x)
        graph = export_to_nir(net, x[:1, 0], ignore_dims=[0])
    training.leave(graph, found.numpy().astype(np.int64), labels, HERE / "order.nir")


if __name__ == "__main__":
    main()

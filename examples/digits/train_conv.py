"""Trains the convolutional network of the digits in sinabs: `make train`.

| | |
| --- | --- |
| network | 1 x 8 x 8 inputs; convolution to 8 maps, sum pooling, convolution to 16 maps, sum pooling, 10 classes; integrate-and-fire, v_threshold = 1 |
| time, reset | no dt; as many spikes in a tick as v_threshold fits into v, each subtracts it; v stays above -1, the default of sinabs's NIR importer |
| recipe | seed 0, 30 epochs of Adam at up to 0.005, batches of 64, float32 |
| framework, exporter | sinabs 3.1.3, `sinabs.nir.to_nir`, with nirtorch 2.6 and nir 1.0.8 |
| in nopt | `--like sinabs`, and any `--dt` |
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import sinabs.layers as sl
import torch
from sinabs.nir import to_nir

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import encoder  # noqa: E402 (siblings of this folder)
import training  # noqa: E402

SEED, EPOCHS, RATE, GAIN = 0, 30, 5e-3, 0.5
SIZE = (1, 8, 8)


def neurons() -> sl.IAFSqueeze:
    one = torch.tensor(1.0)
    return sl.IAFSqueeze(num_timesteps=encoder.TICKS, spike_threshold=one, min_v_mem=-one)


def network() -> torch.nn.Sequential:
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1, bias=False),
        neurons(),
        sl.SumPool2d(2),
        torch.nn.Conv2d(8, 16, 3, padding=1, bias=False),
        neurons(),
        sl.SumPool2d(2),
        torch.nn.Flatten(),
        torch.nn.Linear(64, 10, bias=False),
        neurons(),
    )


def counts(net: torch.nn.Sequential, spikes: torch.Tensor) -> torch.Tensor:
    for module in net:
        if isinstance(module, sl.IAFSqueeze):
            module.reset_states()
    return net(spikes.reshape(-1, *SIZE)).reshape(*spikes.shape[:2], -1).sum(1)


def main() -> None:
    training.begin(SEED)
    net = network()
    training.put_on_grid(net)
    spikes, labels = encoder.digits(is_test=False)
    training.fit(net, counts, torch.tensor(spikes).float(), torch.tensor(labels), EPOCHS, RATE, GAIN)
    training.leave_on_grid(net)
    spikes, labels = encoder.digits(is_test=True)
    with torch.no_grad():
        found = counts(net, torch.tensor(spikes).float())
        graph = to_nir(net, torch.zeros(encoder.TICKS, *SIZE))
    graph.infer_types()  # the exporter does not write the shape before a convolution
    training.leave(graph, found.numpy().astype(np.int64), labels, HERE / "conv.nir")


if __name__ == "__main__":
    main()

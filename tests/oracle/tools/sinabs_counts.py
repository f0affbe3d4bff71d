"""Output counts of stacks of layers in sinabs, in reals and as its back end for DYNAP-CNN quantises them.

python sinabs_counts.py FOLDER OUT.npz      FOLDER/N.npz as `sinabs_layers.py` reads it, with `frames` [samples, ticks, c, h, w]
OUT.npz                                     N.float and N.quantized: counts of samples [samples, neurons]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import torch
from sinabs.layers import StatefulLayer
from sinabs_layers import DynapcnnNetwork, network_of
from torch import nn


def counts(network: nn.Module, frames: np.ndarray) -> np.ndarray:
    """Returns the counts of the outputs for samples that start afresh, in f64."""
    found = []
    network = network.double()
    for module in network.modules():  # neurons return f32
        if isinstance(module, nn.Conv2d | nn.Linear):
            module.register_forward_pre_hook(lambda _, inputs: tuple(x.double() for x in inputs))
    for sample in frames:
        for module in network.modules():
            if isinstance(module, StatefulLayer):
                module.reset_states()
        found.append(np.asarray(network(torch.tensor(sample))).reshape(len(sample), -1).sum(0))
    return np.stack(found)


def main() -> None:
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    folder, out = sys.argv[1:]
    found: dict[str, np.ndarray] = {}
    for path in sorted(Path(folder).glob("*.npz")):
        with np.load(path) as given:
            arrays = {name: given[name] for name in given.files}
        net, frames = json.loads(str(arrays.pop("net"))), arrays.pop("frames").astype(np.float64)
        shape = tuple(frames.shape[2:])
        chip = DynapcnnNetwork(network_of(net, arrays), input_shape=shape, dvs_input=False, discretize=True)
        found[f"{path.stem}.float"] = counts(network_of(net, arrays), frames)
        found[f"{path.stem}.quantized"] = counts(chip, frames)
    np.savez_compressed(out, **found)


if __name__ == "__main__":
    main()

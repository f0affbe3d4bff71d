"""Networks of rectified linear units whose weights sinabs normalises by a percentile, and converts to spikes.

python sinabs_balance.py IN.npz OUT.npz
IN.npz      NAME.K: weights of layer K of network NAME, from 0 [outputs, inputs]; NAME.samples [samples, inputs]: those that choose the factors; NAME.x [samples, inputs]:
            those that run; percentile; ticks
OUT.npz     NAME.factors: the factor of each layer, relative to the weights before; NAME.counts: counts of the outputs [samples, outputs]
"""

from __future__ import annotations

import sys
from collections import OrderedDict

import numpy as np
import torch
from sinabs.from_torch import from_model
from sinabs.utils import normalize_weights
from sinabs_counts import counts
from torch import nn


def main() -> None:
    torch.set_grad_enabled(False)
    torch.set_num_threads(1)
    with np.load(sys.argv[1]) as file:
        given = {name: file[name] for name in file.files}
    found: dict[str, np.ndarray] = {}
    for name in [key.removesuffix(".x") for key in given if key.endswith(".x")]:
        weights = [given[f"{name}.{k}"] for k in range(sum(key.startswith(f"{name}.") for key in given) - 2)]
        parts: OrderedDict[str, nn.Module] = OrderedDict()
        for k, weight in enumerate(weights):
            layer = nn.Linear(weight.shape[1], weight.shape[0], bias=False).double()
            layer.weight.data = torch.tensor(weight)
            parts |= {f"fc{k}": layer, f"relu{k}": nn.ReLU()}
        ann = nn.Sequential(parts)
        fc, relu = ([one for one in parts if one.startswith(kind)] for kind in ("fc", "relu"))
        normalize_weights(ann, torch.tensor(given[f"{name}.samples"]), relu, fc, float(given["percentile"]))
        shares = [weight / parts[layer].weight.numpy() for weight, layer in zip(weights, fc, strict=True)]
        found[f"{name}.factors"] = np.cumprod([np.median(share) for share in shares])
        network = from_model(ann, batch_size=1).spiking_model
        frames = np.repeat(given[f"{name}.x"][:, None], int(given["ticks"]), axis=1)
        found[f"{name}.counts"] = counts(network, frames)
    np.savez_compressed(sys.argv[2], **found)


if __name__ == "__main__":
    main()

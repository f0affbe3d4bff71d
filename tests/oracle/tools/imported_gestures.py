"""The network for gestures that NeuroBench ships, in `nopt import`: python imported_gestures.py STATE.npz.

The input is counts of events of both polarities in a square that moves in a circle, as a hand does before the sensor. With three events for each pixel and 40 ticks every layer
emits spikes; the last layer is silent in the first ticks. The output is that of `imported_networks.py`, with the spikes of each layer.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections import OrderedDict
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

import nopt
from nopt.core.diagnostics import Diagnostics

CHANNELS = (2, 16, 32, 64)
SHAPE, TICKS, SAMPLES = (2, 32, 32), 40, 2


def gestures(state: Path) -> torch.nn.Module:
    """Returns the network with its trained numbers."""
    import snntorch

    arrays = {name: torch.from_numpy(value) for name, value in np.load(state).items()}
    layers: dict[str, torch.nn.Module] = {}
    for number, (inputs, outputs) in enumerate(pairwise(CHANNELS), 1):
        layers[f"conv{number}"] = torch.nn.Conv2d(inputs, outputs, 5, padding="same")
        layers[f"pool{number}"] = torch.nn.MaxPool2d(2)
        layers[f"lif{number}"] = neurons(snntorch, arrays, number)
    layers |= {
        "flatten": torch.nn.Flatten(),
        "linear1": torch.nn.Linear(1024, 11),
        "lif4": neurons(snntorch, arrays, 4),
    }
    for name, layer in layers.items():
        for key in ("weight", "bias"):
            if f"{name}.{key}" in arrays:
                getattr(layer, key).data = arrays[f"{name}.{key}"]
    return torch.nn.Sequential(OrderedDict(layers))


def neurons(snntorch: object, arrays: dict[str, torch.Tensor], number: int) -> torch.nn.Module:
    named = {name: arrays[f"lif{number}.{name}"] for name in ("beta", "threshold")}
    return snntorch.Leaky(**named, init_hidden=True)  # type: ignore[attr-defined]


def events(rate: float = 3.0, size: int = 12) -> np.ndarray:
    """Returns counts of events in a square that moves. Shapes: [samples, ticks, *shape]."""
    rng = np.random.default_rng(55)
    x = np.zeros((SAMPLES, TICKS, *SHAPE), np.float32)
    for sample in range(SAMPLES):
        for tick in range(TICKS):
            turn = 2 * np.pi * (tick / TICKS + sample / SAMPLES)
            row, column = (int(10 + 8 * value) for value in (np.sin(turn), np.cos(turn)))
            x[sample, tick, :, row : row + size, column : column + size] = rng.poisson(rate, (2, size, size))
    return x


def main(state: Path) -> None:
    warnings.simplefilter("ignore")
    network, x, found = gestures(state), events(), Diagnostics()
    result = nopt.import_network(network, input=x, diagnostics=found)
    inner = [name for name in result.layers if name != "lif4"]  # the last layer is the output
    spikes = {
        name: int(np.asarray(one).sum())
        for name, one in nopt.run(result.module, x, record=inner, diagnostics=Diagnostics(), **result.choices).items()
    }
    record = {"network": "gestures", "codes": [str(one.code) for one in found.findings], "equal": result.equal}
    print(json.dumps({**record, "layers": list(result.layers), "wrong": {}, "spikes": spikes}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

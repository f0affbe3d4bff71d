"""Simulates the configuration of a chip with the layers of sinabs: the files of an artefact are all that is read.

    python sinabs_configuration.py ARTEFACT IN.npz OUT.npz      IN.npz: the counts of events of each input [ticks, features, y, x]
    OUT.npz                                                     counts of each population and output [ticks, neurons], in the order f, y, x

| in `configuration.json` | in sinabs |
| --- | --- |
| `weights`, `biases` (added if `leak_enable`), `stride`, `padding` | `torch.nn.Conv2d` in 64 bits |
| `threshold_high`, `threshold_low`, `return_to_zero` | `IAFSqueeze` with `spike_threshold`, `min_v_mem` and `reset_fn` |
| `pooling` of a destination | `SumPool2d` |
| `feature_shift` of a destination | the first feature of its input that the events reach |

Layers run one after the other, each for all ticks, as in sinabs. A layer starts with `neurons_initial_value`, which has to be 0.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import sinabs.layers as sl
import torch
from sinabs.activation import MembraneReset, MembraneSubtract


def simulated(core: dict, events: torch.Tensor) -> torch.Tensor:
    """Returns the counts of the spikes of a layer. Shapes: [ticks, features, y, x]."""
    assert not np.any(core["neurons_initial_value"])
    sizes, weights = core["dimensions"], torch.tensor(core["weights"], dtype=torch.float64)
    stride, padding = ((sizes[name]["y"], sizes[name]["x"]) for name in ("stride", "padding"))
    features, channels, *kernel = weights.shape
    convolution = torch.nn.Conv2d(channels, features, kernel, stride=stride, padding=padding).double()
    convolution.weight.copy_(weights.transpose(2, 3))
    convolution.bias.copy_(torch.tensor(core["biases"] if core["leak_enable"] else [0.0] * features))
    neurons = sl.IAFSqueeze(
        batch_size=1,
        spike_threshold=float(core["threshold_high"]),
        min_v_mem=float(core["threshold_low"]),
        reset_fn=MembraneReset() if core["return_to_zero"] else MembraneSubtract(),
    ).double()
    spikes = neurons(convolution(events))
    made = sizes["output_shape"]
    assert tuple(spikes.shape[1:]) == (made["feature_count"], made["size"]["y"], made["size"]["x"])
    return spikes.double()


def order_of(cores: dict[str, dict]) -> list[str]:
    """Returns the cores, each after those that send to it."""
    sends = {name: {str(to["layer"]) for to in core["destinations"] if to["enable"]} for name, core in cores.items()}
    order: list[str] = []
    while len(order) < len(cores):
        ready = [
            name
            for name in cores
            if name not in order and not any(name in sends[other] for other in cores if other not in order)
        ]
        assert ready, "layers in a circle"
        order += ready
    return order


def main() -> None:
    torch.set_grad_enabled(False)
    folder, given, out = (Path(word) for word in sys.argv[1:])
    cores = json.loads((folder / "configuration.json").read_text(encoding="utf-8"))["cnn_layers"]
    mapping = json.loads((folder / "mapping.json").read_text(encoding="utf-8"))
    with np.load(given) as arrays:
        inputs = {name: torch.tensor(arrays[name].astype(np.float64)) for name in arrays.files}
    ticks = len(next(iter(inputs.values())))
    events = {
        name: torch.zeros(ticks, shape["feature_count"], shape["size"]["y"], shape["size"]["x"], dtype=torch.float64)
        for name, shape in ((name, core["dimensions"]["input_shape"]) for name, core in cores.items())
    }
    for one in mapping["inputs"]:
        for number in one["layers"]:
            target = events[str(number)]
            target += inputs[one["name"]].reshape(target.shape)
    parts: dict[str, list[tuple[int, torch.Tensor]]] = {}
    named = {str(one["layer"]): one for one in mapping["layers"]}
    for number in order_of(cores):
        spikes, core = simulated(cores[number], events[number]), cores[number]
        parts.setdefault(named[number]["source"], []).append((named[number]["feature_shift"], spikes))
        for to in (to for to in core["destinations"] if to["enable"]):
            sent = sl.SumPool2d(to["pooling"], to["pooling"])(spikes) if to["pooling"] > 1 else spikes
            first = to["feature_shift"]
            target = events[str(to["layer"])]
            target[:, first : first + sent.shape[1], : sent.shape[2], : sent.shape[3]] += sent[
                :, :, : target.shape[2], : target.shape[3]
            ]
    found = {
        name: torch.cat([spikes for _, spikes in sorted(held, key=lambda part: part[0])], dim=1).flatten(1)
        for name, held in parts.items()
    }
    found |= {one["name"]: found[one["source"]] for one in mapping["outputs"]}
    np.savez_compressed(out, **{name: values.numpy().astype(np.int64) for name, values in found.items()})


if __name__ == "__main__":
    main()

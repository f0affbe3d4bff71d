"""Quantises stacks of layers with the back end of sinabs for DYNAP-CNN, assigns them to cores, and simulates them.

    python sinabs_layers.py FOLDER OUT.npz      FOLDER/N.npz: `net`, JSON of {"device": …, "reset": "subtract" or "value", "layers": [{"type",
                                                "stride", "padding", "threshold", "pool", "pool_size"}, …]}; `frames` [ticks, c, h, w];
                                                a layer with "from" reads the sum of these earlier layers, by default the one before;
                                                `K.weights` and `K.bias` of layer K
    OUT.npz                                     N: JSON of {"refused": TEXT}, or of {"layers": [{"core", "memory", "registers"}, …]};
                                                N.K.weights [f, c, y, x], N.K.biases; N.spikes [ticks, …]

The driver samna is never imported, because it downloads itself: empty mocks take its place.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from unittest.mock import MagicMock

import numpy as np

CHIPS = ("speck2e", "speck2f", "speck2b", "speck2cMini", "speck2dMini", "dynapcnn")
PARTS = ("specksim", "specksim.nodes", "specksim.events", "device", "graph", "ui")
for module in ("", *PARTS, *(f"{chip}{part}" for chip in CHIPS for part in ("", ".configuration", ".event"))):
    name = f"samna.{module}".rstrip(".")
    sys.modules[name] = MagicMock(name=name)
sys.modules["samnagui"] = MagicMock(name="samnagui")

import sinabs.layers as sl  # noqa: E402 (after the mocks)
import torch  # noqa: E402
from sinabs.activation import MembraneReset, MembraneSubtract  # noqa: E402
from sinabs.backend.dynapcnn import DynapcnnNetwork  # noqa: E402
from sinabs.backend.dynapcnn.chip_factory import ChipFactory  # noqa: E402
from torch import nn  # noqa: E402


def chain(k: int, net: dict, arrays: dict[str, np.ndarray], is_flat: bool) -> list[nn.Module]:
    """Returns the modules of a layer."""
    one = net["layers"][k]
    weights, bias = torch.tensor(arrays[f"{k}.weights"]), arrays.get(f"{k}.bias")
    found: list[nn.Module] = []
    if one["type"] == "conv2d":
        made: nn.Module = nn.Conv2d(
            weights.shape[1],
            weights.shape[0],
            tuple(weights.shape[2:]),
            stride=one["stride"],
            padding=one["padding"],
            bias=bias is not None,
        )
    else:
        found += [] if is_flat else [nn.Flatten()]
        made = nn.Linear(weights.shape[1], weights.shape[0], bias=bias is not None)
    made.weight.copy_(weights)
    if bias is not None:
        made.bias.copy_(torch.tensor(bias))
    threshold = float(one["threshold"])
    reset = MembraneReset() if net["reset"] == "value" else MembraneSubtract()
    found += [made, sl.IAFSqueeze(batch_size=1, spike_threshold=threshold, min_v_mem=-threshold, reset_fn=reset)]
    if one["pool"]:
        size = int(one["pool_size"])
        found.append(sl.SumPool2d(size, size) if one["pool"] == "sum" else nn.AvgPool2d(size, size))
    return found


class Branched(nn.Module):
    """Layers that read the sum of one or two others."""

    def __init__(self, net: dict, chains: list[list[nn.Module]]):
        super().__init__()
        self.sources = [one.get("from", [k - 1]) for k, one in enumerate(net["layers"])]
        self.chains = nn.ModuleList(nn.ModuleList(modules) for modules in chains)
        self.merges = nn.ModuleDict({str(k): sl.Merge() for k, read in enumerate(self.sources) if len(read) > 1})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = {-1: x}
        for k, (read, modules) in enumerate(zip(self.sources, self.chains, strict=True)):
            x = self.merges[str(k)](*(found[i] for i in read)) if len(read) > 1 else found[read[0]]
            for module in modules:
                x = module(x)
            found[k] = x
        return x


def network_of(net: dict, arrays: dict[str, np.ndarray]) -> nn.Module:
    """Returns the network in sinabs."""
    kinds = [one["type"] for one in net["layers"]]
    chains = [chain(k, net, arrays, "dense" in kinds[:k]) for k in range(len(kinds))]
    if any("from" in one for one in net["layers"]):
        return Branched(net, chains)
    return nn.Sequential(*(module for modules in chains for module in modules))


def answer(name: str, net: dict, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    frames = torch.tensor(arrays["frames"].astype(np.float32))
    try:
        network = network_of(net, arrays)
        chip = DynapcnnNetwork(network, input_shape=tuple(frames.shape[1:]), dvs_input=False, discretize=True)
        builder = ChipFactory(net["device"]).get_config_builder()
        cores = builder.map_layers_to_cores(chip.dynapcnn_layers)
    except (ValueError, RuntimeError) as failure:
        return {name: text({"refused": f"{type(failure).__name__}: {failure}"})}
    found: dict[str, np.ndarray] = {}
    layers = []
    for k, (key, layer) in enumerate(sorted(chip.dynapcnn_layers.items())):
        registers = builder.get_dynapcnn_layer_config_dict(layer, cores, chip.layer_destination_map[key])
        found[f"{name}.{k}.weights"] = np.array(registers.pop("weights")).transpose(0, 1, 3, 2)
        found[f"{name}.{k}.biases"] = np.array(registers.pop("biases"))
        registers.pop("neurons_initial_value")
        registers["leak_enable"] = bool(registers["leak_enable"])
        memory = {part: int(words) for part, words in layer.memory_summary().items()}
        layers.append({"core": int(cores[key]), "memory": memory, "registers": registers})
    for module in chip.double().modules():  # sums can exceed the 24 bits of float32, and neurons return float32
        if isinstance(module, nn.Conv2d):
            module.register_forward_pre_hook(lambda _, inputs: tuple(x.double() for x in inputs))
    spikes = chip(frames)
    found[f"{name}.spikes"] = np.asarray(spikes).reshape(len(frames), -1).astype(np.int64)
    return found | {name: text({"layers": layers})}


def text(value: object) -> np.ndarray:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def main() -> None:
    torch.set_grad_enabled(False)
    folder, out = sys.argv[1:]
    found: dict[str, np.ndarray] = {}
    for path in sorted(Path(folder).glob("*.npz"), key=lambda one: int(one.stem)):
        with np.load(path) as given:
            arrays = {name: given[name] for name in given.files}
        found |= answer(path.stem, json.loads(str(arrays.pop("net"))), arrays)
    np.savez_compressed(out, **found)


if __name__ == "__main__":
    main()

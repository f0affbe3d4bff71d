"""Writes networks, inputs and the metrics of NeuroBench's harness: neurobench_networks.py FOLDER [--keywords FILE.npz | --gestures FILE.npz]

With `--keywords` or `--gestures`, the only network is one of NeuroBench's own, whose state is in the file. The network for gestures has max pools, which NIR lacks: it is
a JSON graph, `gestures.graph.json`. It computes in f64, since a membrane that hardly decays moves spikes with the last bits of f32. For each network, FOLDER gets `NAME.nir` from
snnTorch's exporter, `NAME.npy` with the input [samples, ticks, *shape], and `NAME.json` with the results of `Benchmark.run` in batches of one sample,
the bytes of the buffers, the reset, and the version of the harness.
"""

from __future__ import annotations

import argparse
import json
from collections import OrderedDict
from copy import deepcopy
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import snntorch
import torch
from generation import write_nir
from neurobench.benchmarks import Benchmark
from neurobench.metrics.static import ConnectionSparsity, Footprint, ParameterCount
from neurobench.metrics.workload import (
    ActivationSparsity,
    ActivationSparsityByLayer,
    MembraneUpdates,
    NeuronOperations,
    SynapticOperations,
)
from neurobench.models import SNNTorchModel
from snntorch.export_nir import export_to_nir
from torch.utils.data import DataLoader, TensorDataset

STATIC = [Footprint, ParameterCount, ConnectionSparsity]
WORKLOAD = [ActivationSparsity, ActivationSparsityByLayer, SynapticOperations, MembraneUpdates, NeuronOperations]
SAMPLES, TICKS = 5, 50
KEYWORD_SIZES = (20, 256, 256, 256, 35)
KEYWORD_TICKS = 200
GESTURE_CHANNELS, GESTURE_SHAPE, GESTURE_TICKS, GESTURE_SAMPLES = (2, 16, 32, 64), (2, 32, 32), 150, 2
TICK = 1e-4
"""The time step of snnTorch's exporter. Units: [s]."""


class Steps(torch.nn.Sequential):
    """Layers of a network, which returns spikes and membrane as the harness expects."""

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        spikes, *states = super().forward(x)
        return spikes, states[-1]

    def reset(self) -> None:
        """Sets all states to zero; the harness calls it before each sample. snnTorch's own function leaves traces in some classes."""
        for module in self:
            if isinstance(module, snntorch.SpikingNeuron):
                module.reset_mem()


def leaky(shape: tuple[int, ...], beta: float, *, is_last: bool = False, **options: Any) -> torch.nn.Module:
    """Returns a layer whose parameters have its shape, as the exporter needs them."""
    return snntorch.Leaky(
        beta=torch.full(shape, beta), threshold=torch.ones(shape), init_hidden=True, output=is_last, **options
    )


def synaptic(
    shape: tuple[int, ...], alpha: float, beta: float, *, is_last: bool = False, **options: Any
) -> torch.nn.Module:
    return snntorch.Synaptic(
        alpha=torch.full(shape, alpha),
        beta=torch.full(shape, beta),
        threshold=torch.ones(shape),
        init_hidden=True,
        output=is_last,
        **options,
    )


def pruned(layer: torch.nn.Module, share: float) -> torch.nn.Module:
    """Returns a layer with a share of its weights set to zero, and larger others."""
    with torch.no_grad():
        layer.weight.mul_(3 * (torch.rand_like(layer.weight) >= share))
    return layer


def networks() -> dict[str, tuple[Steps, tuple[int, ...], str, str]]:
    """Returns networks with the shape of their input, the option of `nopt run` for their reset, and whether inputs are spikes or values."""
    linear, conv = torch.nn.Linear, torch.nn.Conv2d
    zero = {"reset_mechanism": "zero", "reset_delay": False}
    return {
        "pruned": (
            Steps(
                pruned(linear(12, 40), 0.6),
                leaky((40,), 0.9, **zero),
                pruned(linear(40, 7, bias=False), 0.3),
                leaky((7,), 0.8, is_last=True, **zero),
            ),
            (12,),
            "zero",
            "spikes",
        ),
        "synaptic": (
            Steps(
                pruned(linear(9, 30), 0),
                synaptic((30,), 0.6, 0.9),
                pruned(linear(30, 5), 0.1),
                synaptic((5,), 0.5, 0.8, is_last=True),
            ),
            (9,),
            "subtract_next",
            "signs",
        ),
        "held": (
            Steps(
                pruned(linear(11, 24), 0.2),
                synaptic((24,), 0.4, 0.9, reset_mechanism="zero"),
                pruned(linear(24, 6), 0),
                synaptic((6,), 0.3, 0.7, is_last=True, reset_mechanism="zero"),
            ),
            (11,),
            "zero_next",
            "spikes",
        ),
        "convolution": (
            Steps(
                pruned(conv(2, 4, 3, stride=2, padding=1, groups=2), 0.2),
                leaky((4, 5, 4), 0.85),
                pruned(conv(4, 6, 3, bias=False), 0.5),
                leaky((6, 3, 2), 0.7),
                torch.nn.Flatten(),
                pruned(linear(36, 8), 0),
                leaky((8,), 0.9, is_last=True),
            ),
            (2, 10, 7),
            "subtract_next",
            "values",
        ),
        "recurrent": (
            Steps(
                pruned(linear(10, 16), 0),
                recurrent(16),
                pruned(linear(16, 4), 0),
                leaky((4,), 0.9, is_last=True),
            ),
            (10,),
            "subtract_next",
            "spikes",
        ),
    }


def recurrent(neurons: int) -> torch.nn.Module:
    """Returns a layer with synapses of each neuron onto all others."""
    return snntorch.RLeaky(
        beta=torch.full((neurons,), 0.8), threshold=torch.ones(neurons), linear_features=neurons, init_hidden=True
    )


def keyword_network(state: Path) -> Steps:
    """Returns the keyword network with its trained parameters; the numbers of its layers are those of the file."""
    arrays = np.load(state)
    layers: list[torch.nn.Module] = [torch.nn.Flatten()]
    for number, size in enumerate(KEYWORD_SIZES[1:]):
        is_last = number == len(KEYWORD_SIZES) - 2
        linear = torch.nn.Linear(KEYWORD_SIZES[number], size)
        place = 1 + 2 * number
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(arrays[f"{place}.weight"]))
            linear.bias.copy_(torch.from_numpy(arrays[f"{place}.bias"]))
        beta, threshold = float(arrays[f"{place + 1}.beta"]), float(arrays[f"{place + 1}.threshold"])
        layers += [linear, snntorch.Leaky(beta=beta, threshold=threshold, init_hidden=True, output=is_last)]
    return Steps(*layers)


class Gestures(Steps):
    """NeuroBench's network for gestures. It computes in f64; snnTorch's spikes are f32, so connections convert their inputs."""

    def __init__(self, state: Path):
        arrays = np.load(state)
        layers: dict[str, torch.nn.Module] = {}
        for number, (inputs, outputs) in enumerate(pairwise(GESTURE_CHANNELS), 1):
            layers[f"conv{number}"] = torch.nn.Conv2d(inputs, outputs, 5, padding="same")
            layers[f"pool{number}"] = torch.nn.MaxPool2d(2)
            layers[f"lif{number}"] = gesture_neurons(arrays, number)
        layers["flatten"] = torch.nn.Flatten()
        layers["linear1"] = torch.nn.Linear(1024, 11)
        layers["lif4"] = gesture_neurons(arrays, 4, is_last=True)
        super().__init__(OrderedDict(layers))
        for name, layer in layers.items():
            if isinstance(layer, torch.nn.Linear | torch.nn.Conv2d):
                layer.weight.copy_(torch.from_numpy(arrays[f"{name}.weight"]))
                layer.bias.copy_(torch.from_numpy(arrays[f"{name}.bias"]))
                layer.register_forward_pre_hook(lambda _, inputs: (inputs[0].double(),))

    def write_graph(self, path: Path) -> None:
        """Writes the network as a JSON graph with a file for each large array."""
        nodes: dict[str, Any] = {"input": {"type": "Input", "shape": GESTURE_SHAPE}}
        for name, layer in self.named_children():
            nodes[name] = gesture_node(path.parent, name, layer)
        nodes["output"] = {"type": "Output"}
        graph = {"schema": "nopt.graph/1", "nodes": nodes, "edges": [*pairwise(nodes)]}
        path.write_text(json.dumps(graph), encoding="utf-8")


def gesture_neurons(arrays: Any, number: int, *, is_last: bool = False) -> torch.nn.Module:
    beta, threshold = (torch.from_numpy(arrays[f"lif{number}.{name}"]) for name in ("beta", "threshold"))
    return snntorch.Leaky(beta=beta, threshold=threshold, init_hidden=True, output=is_last)


def gesture_node(folder: Path, name: str, layer: torch.nn.Module) -> dict[str, Any]:
    """Returns the node of a JSON graph for a layer; decays and thresholds are those of f32."""

    def array(what: str) -> dict[str, Any]:
        values = getattr(layer, what).numpy()
        np.save(folder / f"{name}.{what}.npy", values)
        return {"dtype": str(values.dtype), "shape": values.shape, "file": f"{name}.{what}.npy"}

    match layer:
        case torch.nn.Conv2d():
            sizes = {"stride": [1, 1], "padding": [2, 2], "dilation": [1, 1], "groups": 1}
            return {"type": "Conv2d", "weight": array("weight"), "bias": array("bias"), **sizes}
        case torch.nn.MaxPool2d():
            return {"type": "MaxPool2d", "kernel_size": [2, 2], "stride": [2, 2], "padding": [0, 0]}
        case torch.nn.Flatten():
            return {"type": "Flatten", "start_dim": 0, "end_dim": -1}
        case torch.nn.Linear():
            return {"type": "Affine", "weight": array("weight"), "bias": array("bias")}
        case _:
            tau = TICK / (1 - float(layer.beta))
            return {
                "type": "LIF",
                "tau": tau,
                "r": tau / TICK,
                "v_leak": 0.0,
                "v_threshold": float(layer.threshold),
                "v_reset": 0.0,
            }


def draw_input(rng: np.random.Generator, kind: str, shape: tuple[int, ...], ticks: int) -> np.ndarray:
    """Returns spikes, spikes with signs, counts of rare events, or values with zeros and silent ticks. Shapes: [samples, ticks, *shape]."""
    size = (SAMPLES, ticks, *shape)
    spikes = (rng.random(size) < 0.3).astype(np.float32)
    silent = rng.random((SAMPLES, ticks, *(1,) * len(shape))) < 0.2
    if kind == "counts":
        spikes = rng.poisson(0.05, size).astype(np.float32) * ~silent
    if kind == "signs":
        spikes *= rng.choice([-1, 1, 1], size)
    if kind == "values":
        spikes *= np.round(rng.uniform(0, 2, size) * 8) / 8 * ~silent
    return spikes.astype(np.float32)


def measure(net: Steps, x: np.ndarray, reset: str) -> dict[str, Any]:
    """Returns the results of the harness, and facts about the run: the bytes of the buffers before a sample ran, which its footprint contains."""
    buffers = sum(one.numel() * one.element_size() for one in net.buffers())
    loader = DataLoader(TensorDataset(torch.from_numpy(x), torch.zeros(len(x))), batch_size=1)
    benchmark = Benchmark(SNNTorchModel(deepcopy(net)), loader, [], [], [STATIC, WORKLOAD])
    metrics = benchmark.run(quiet=True)
    return {"metrics": metrics, "buffers": buffers, "reset": reset, "harness": version("neurobench")}


def shaped(net: Steps) -> torch.nn.Sequential:
    """Returns a copy for the exporter: parameters of neurons have the shape of the layer, and no layer returns its membrane."""
    copy = torch.nn.Sequential(*deepcopy(net))
    width = 0
    for module in copy:
        if isinstance(module, torch.nn.Linear):
            width = module.out_features
        if isinstance(module, snntorch.SpikingNeuron):
            module.output = False
            for name in ("beta", "threshold"):
                value = getattr(module, name)
                if value.ndim == 0:
                    setattr(module, name, torch.full((width,), float(value)))
    return copy


def write(folder: Path, name: str, net: Steps, x: np.ndarray, reset: str) -> None:
    write_nir(folder / f"{name}.nir", export_to_nir(shaped(net), torch.from_numpy(x[:1, 0]), ignore_dims=[0]))
    write_results(folder, name, x, measure(net, x, reset))


def write_gestures(folder: Path, net: Gestures, x: np.ndarray) -> None:
    """Writes the network for gestures, and its metrics in f64. The footprint and the buffers are those of f32."""
    net.write_graph(folder / "gestures.graph.json")
    footprint = Footprint()(SNNTorchModel(net))
    buffers = sum(one.numel() * one.element_size() for one in net.buffers())
    found = measure(net.double(), x.astype(np.float64), "subtract_next")
    found["metrics"]["Footprint"] = footprint
    write_results(folder, "gestures", x, found | {"buffers": buffers})


def write_results(folder: Path, name: str, x: np.ndarray, found: dict[str, Any]) -> None:
    np.save(folder / f"{name}.npy", x)
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keywords", type=Path)
    parser.add_argument("--gestures", type=Path)
    args = parser.parse_args()
    torch.manual_seed(49)
    torch.set_grad_enabled(False)
    rng = np.random.default_rng(49)
    if args.gestures is not None:
        x = draw_input(rng, "counts", GESTURE_SHAPE, GESTURE_TICKS)[:GESTURE_SAMPLES]
        return write_gestures(args.folder, Gestures(args.gestures), x)
    if args.keywords is not None:
        x = draw_input(rng, "spikes", KEYWORD_SIZES[:1], KEYWORD_TICKS)
        return write(args.folder, "keywords", keyword_network(args.keywords), x, "subtract_next")
    for name, (net, shape, reset, kind) in networks().items():
        write(args.folder, name, net, draw_input(rng, kind, shape, TICKS), reset)


main()

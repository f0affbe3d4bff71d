"""Random networks of snnTorch: Leaky, Synaptic, RLeaky and RSynaptic, dense and convolutional, all of its reset mechanisms.

The exporter needs decays and thresholds of a layer's own shape, and folds a time step of 0.1 ms into r and w_in. RSynaptic ignores
`reset_delay=False` if it holds its own state, so it is drawn with the default.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import snntorch
import torch
from generation import Arrays, Network, Shape, main, write_nir
from snntorch.export_nir import export_to_nir
from torch_layers import draw_convolution, draw_dense, spread, tensor

DENSE = ("Leaky", "Synaptic", "RLeaky", "RSynaptic")
RESETS = {
    ("subtract", True): "subtract_next",
    ("subtract", False): "subtract",
    ("zero", True): "zero_next",
    ("zero", False): "zero",
    ("none", True): "none",
}
"""Value of --reset for `reset_mechanism` and `reset_delay`."""


def draw_neuron(rng: np.random.Generator, name: str, shape: Shape, options: dict[str, Any]) -> torch.nn.Module:
    """Returns one layer of neurons; every parameter has the layer's shape, with one value or one for each neuron."""
    is_shared = bool(rng.integers(2))
    named: dict[str, Any] = {
        "beta": spread(rng, shape, 0.3, 0.97, is_shared=is_shared),
        "threshold": spread(rng, shape, 0.5, 1.5, is_shared=is_shared),
        "init_hidden": True,
    }
    if name.endswith("Synaptic"):
        named["alpha"] = spread(rng, shape, 0.1, 0.8, is_shared=is_shared)
    if not name.startswith("R"):
        return getattr(snntorch, name)(**named, **options)
    if rng.random() < 0.3:
        return getattr(snntorch, name)(
            all_to_all=False, V=spread(rng, shape, -0.6, 0.6, is_shared=is_shared), **named, **options
        )
    layer = getattr(snntorch, name)(linear_features=shape[0], **named, **options)
    layer.recurrent.weight.copy_(tensor(rng.uniform(-0.5, 0.5, (shape[0], shape[0]))))
    layer.recurrent.bias.copy_(tensor(rng.uniform(-0.1, 0.1, shape[0])))
    return layer


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of neurons, a third of the networks with convolutions before them."""
    mechanism, is_delayed = list(RESETS)[rng.integers(len(RESETS))]
    options = {"reset_mechanism": mechanism, "reset_delay": is_delayed}
    names = DENSE if is_delayed else DENSE[:3]
    modules: list[torch.nn.Module] = []
    used: list[str] = []
    shape: Shape = (int(rng.integers(3, 9)),)
    if rng.random() < 0.35:
        shape = (int(rng.integers(1, 3)), int(rng.integers(6, 9)), int(rng.integers(6, 9)))
    start = shape
    if len(shape) == 3:
        layer, shape = draw_convolution(rng, rng.uniform(0.5, 1.5), shape)
        used.append(str(rng.choice(DENSE[:2])))
        modules += [layer, draw_neuron(rng, used[-1], shape, options)]
        if rng.random() < 0.5:
            modules.append(torch.nn.AvgPool2d(2))
            shape = tuple(modules[-1](torch.zeros(1, *shape)).shape[1:])
        modules.append(torch.nn.Flatten())
        shape = (int(np.prod(shape)),)
    for _ in range(int(rng.integers(1, 3 if used else 4))):
        outputs = int(rng.integers(3, 9))
        used.append(str(rng.choice(names)))
        modules.append(draw_dense(rng, rng.uniform(0.3, 1.5), shape[0], outputs))
        shape = (outputs,)
        modules.append(draw_neuron(rng, used[-1], shape, options))
    net = torch.nn.Sequential(*modules)
    reset = RESETS[mechanism, is_delayed]
    return Network(
        layers=", ".join(used),
        options=f"reset_mechanism={mechanism!r}, reset_delay={is_delayed}",
        shape=start,
        run=runner(deepcopy(net)),
        export=exporter(net, start),
        arguments=["--dt", "0.1ms", "--like", "snntorch", "--reset", reset],
    )


def runner(net: torch.nn.Sequential) -> Callable[[np.ndarray], Arrays]:
    """Returns a function that runs the network tick by tick; the node of a recurrent layer N is `N.lif`."""

    def run(x: np.ndarray) -> Arrays:
        rows: dict[str, list[np.ndarray]] = {}
        for row in np.moveaxis(x, 1, 0):
            values = tensor(row)
            for number, module in enumerate(net):
                values = module(values)
                if isinstance(module, snntorch.SpikingNeuron):
                    node = f"{number}.lif" if hasattr(module, "recurrent") else str(number)
                    rows.setdefault(node, []).append(values.numpy().copy())
        return {node: np.stack(taken, axis=1) for node, taken in rows.items()}

    return run


def exporter(net: torch.nn.Sequential, shape: Shape) -> Callable[[Path], None]:
    return lambda path: write_nir(path, export_to_nir(net, torch.zeros(1, *shape), ignore_dims=[0]))


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main(draw, "snntorch", "nirtorch", "nir", "torch", reseed=torch.manual_seed)

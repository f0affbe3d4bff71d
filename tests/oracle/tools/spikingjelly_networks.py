"""Random networks of SpikingJelly: IFNode, LIFNode, ParametricLIFNode and CUBALIFNode, dense and convolutional, with the hard reset.

The exporter refuses the soft reset, and knows no recurrence. It writes time constants for its own time step, which `--dt` repeats.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from generation import Arrays, Network, Shape, main, write_nir
from spikingjelly.activation_based import layer, neuron
from spikingjelly.activation_based.nir_exchange import export_to_nir
from torch_layers import draw_convolution, draw_dense, tensor

STEPS = {1e-4: "0.1ms", 1e-3: "1ms"}
GAINS = {"IFNode": 0.6, "LIFNode": 2.0, "ParametricLIFNode": 2.0, "CUBALIFNode": 0.3}


def draw_neuron(rng: np.random.Generator, name: str, v_reset: float | None) -> torch.nn.Module:
    """Returns one layer; a quarter of the thresholds is dyadic, so that v can be equal to them."""
    threshold = float(rng.choice([0.5, 1.0]) if rng.random() < 0.25 else np.float32(rng.uniform(0.5, 1.5)))
    named: dict[str, Any] = {"v_threshold": threshold, "v_reset": v_reset}
    match name:
        case "LIFNode":
            return neuron.LIFNode(tau=float(rng.uniform(1.2, 8)), decay_input=bool(rng.integers(2)), **named)
        case "ParametricLIFNode":
            return neuron.ParametricLIFNode(init_tau=float(rng.uniform(1.2, 8)), **named)
        case "CUBALIFNode":
            decays = {"c_decay": float(rng.uniform(0.1, 0.7)), "v_decay": float(rng.uniform(0.3, 0.9))}
            return neuron.CUBALIFNode(**decays, **named)
    return neuron.IFNode(**named)


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of neurons, a third of the networks with convolutions before them, one in ten with the soft reset."""
    dt = float(rng.choice(list(STEPS)))
    is_soft = rng.random() < 0.1
    v_reset = None if is_soft else float(np.round(rng.uniform(-0.3, 0.2), 2)) if rng.random() < 0.4 else 0.0
    modules: list[torch.nn.Module] = []
    used: list[str] = []
    shape: Shape = (int(rng.integers(3, 9)),)
    if rng.random() < 0.35:
        shape = (int(rng.integers(1, 3)), int(rng.integers(6, 9)), int(rng.integers(6, 9)))
    start = shape
    if len(shape) == 3:
        used.append(str(rng.choice(list(GAINS))))
        drawn, shape = draw_convolution(rng, GAINS[used[-1]] * rng.uniform(0.5, 1.5), shape)
        modules += [drawn, draw_neuron(rng, used[-1], v_reset)]
        if rng.random() < 0.5:
            modules.append(layer.AvgPool2d(2))
            shape = tuple(modules[-1](torch.zeros(1, *shape)).shape[1:])
        modules.append(layer.Flatten())
        shape = (int(np.prod(shape)),)
    for _ in range(int(rng.integers(1, 3 if used else 4))):
        outputs = int(rng.integers(3, 9))
        used.append(str(rng.choice(list(GAINS))))
        gain = GAINS[used[-1]] * rng.uniform(0.5, 1.5)
        modules += [draw_dense(rng, gain, shape[0], outputs), draw_neuron(rng, used[-1], v_reset)]
        shape = (outputs,)
    net = torch.nn.Sequential(*modules).eval()
    return Network(
        layers=", ".join(used),
        options=f"v_reset={v_reset}, dt={dt}",
        shape=start,
        run=runner(deepcopy(net)),
        export=lambda path: write_nir(path, export_to_nir(net, torch.zeros(1, *start), dt=dt)),
        arguments=["--dt", STEPS[dt], "--like", "spikingjelly", "--reset", "subtract" if is_soft else "value"],
    )


def runner(net: torch.nn.Sequential) -> Callable[[np.ndarray], Arrays]:
    """Returns a function that runs the network tick by tick; the exporter puts an underscore before the number of a layer."""

    def run(x: np.ndarray) -> Arrays:
        rows: dict[str, list[np.ndarray]] = {}
        for row in np.moveaxis(x, 1, 0):
            values = tensor(row)
            for number, module in enumerate(net):
                values = module(values)
                if isinstance(module, neuron.BaseNode):
                    rows.setdefault(f"_{number}", []).append(values.numpy().copy())
        return {node: np.stack(taken, axis=1) for node, taken in rows.items()}

    return run


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main(draw, "spikingjelly", "nirtorch", "nir", "torch", reseed=torch.manual_seed)

"""Random networks of sinabs: IAF, LIF and ExpLeak, dense and convolutional, with its spike functions, resets and lower bounds.

sinabs has no time step, so every `--dt` is valid. Its exporter writes only tau_mem and the threshold. The other arguments of a constructor
are either options of the preset, or gaps of the file. It refuses recurrent layers, so one network in ten is one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import sinabs
import sinabs.activation as activation
import sinabs.layers as layers
import torch
from generation import SAMPLES, TICKS, Arrays, Network, Shape, main, write_nir
from sinabs.nir import to_nir
from torch_layers import draw_convolution, draw_dense, spread, tensor

SPIKING = layers.LIF  # the base class of all of them
LOST = "NRM014"
"""Code of the finding that lists the omissions of an exporter."""


class Choices:
    """Constructor arguments of one network, and the corresponding options of nopt."""

    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.threshold = float(np.float32(rng.uniform(0.6, 1.6)))
        self.named: dict[str, Any] = {}
        self.gaps: dict[str, str] = {}
        self.norm_input = bool(rng.integers(2))
        options = {"norm_input": "yes" if self.norm_input else "no", "spike_fn": "multi", "min_v_mem": "none"}
        self.reset = "subtract"
        self.shown = {"norm_input": str(self.norm_input)}
        match rng.integers(6):
            case 0 | 1:
                self.choose("spike_fn", activation.SingleSpike, "SingleSpike")
                options["spike_fn"] = "single"
            case 2:
                self.choose("spike_fn", activation.MaxSpike(2), "MaxSpike(2)")
                options["spike_fn"] = "max2"
        if rng.random() < 0.3:
            self.choose("reset_fn", activation.MembraneReset(), "MembraneReset()")
            self.reset = "zero"
        if rng.random() < 0.3:
            self.choose("min_v_mem", -self.threshold, "-threshold")
            options["min_v_mem"] = "threshold"
        match rng.integers(16):  # a quarter of the networks has a gap
            case 0:
                self.choose("spike_fn", activation.MaxSpike(7), "MaxSpike(7)", "spike_fn")
            case 1:
                self.choose("reset_fn", activation.MembraneSubtract(0.4), "MembraneSubtract(0.4)", "reset_fn")
            case 2:
                self.choose("min_v_mem", -0.3, "-0.3", "min_v_mem")
            case 3:
                self.choose("tau_syn", float(rng.uniform(1.5, 6)), "a number", "tau_syn")
        given = ",".join(f"{name}={value}" for name, value in options.items())
        self.arguments = [
            "--dt",
            "1ms",
            "--like",
            "sinabs",
            "--exported-by",
            "sinabs",
            "--reset",
            self.reset,
            "--options",
            given,
        ]

    def choose(self, name: str, value: Any, shown: str, gap: str = "") -> None:
        self.named[name] = value
        self.shown[name] = shown
        if gap:
            self.gaps[gap] = LOST


def draw_neuron(choices: Choices, name: str, shape: Shape) -> torch.nn.Module:
    """Returns one layer. The exporter reads the shape from tau_mem, so it has the layer's shape."""
    rng = choices.rng
    squeezed = {"batch_size": SAMPLES}
    tau = spread(rng, shape, 2, 20, is_shared=bool(rng.integers(2)))
    if name == "ExpLeakSqueeze":
        return layers.ExpLeakSqueeze(tau_mem=tau, norm_input=choices.norm_input, **squeezed)
    named = choices.named | {"spike_threshold": tensor(np.full(shape, choices.threshold))}
    if name == "IAFSqueeze":
        return layers.IAFSqueeze(**named, **squeezed)
    return layers.LIFSqueeze(tau_mem=tau, norm_input=choices.norm_input, **named, **squeezed)


def draw_recurrent(choices: Choices) -> Network:
    """Returns a dense layer and recurrent neurons, whose input has an additional axis of ticks."""
    rng = choices.rng
    inputs, size = (int(n) for n in rng.integers(3, 9, 2))
    connections = torch.nn.Linear(size, size)
    connections.weight.copy_(tensor(rng.uniform(-0.3, 0.3, (size, size))))
    named = choices.named | {"spike_threshold": tensor(np.full(size, choices.threshold)), "rec_connect": connections}
    if rng.random() < 0.5:
        neuron = layers.IAFRecurrent(**named)
    else:
        neuron = layers.LIFRecurrent(tau_mem=tensor(rng.uniform(2, 20, size)), norm_input=choices.norm_input, **named)
    net = torch.nn.Sequential(draw_dense(rng, gain_of(choices, "LIFSqueeze"), inputs, size), neuron)
    return Network(
        layers=type(neuron).__name__,
        options="",
        shape=(inputs,),
        run=lambda x: {"1": net(tensor(x)).numpy().copy()},
        export=lambda path: write_nir(path, to_nir(net, torch.zeros(SAMPLES, TICKS, inputs))),
        arguments=choices.arguments,
        gaps=choices.gaps,
    )


def gain_of(choices: Choices, name: str) -> float:
    """Returns a gain of the weights at which the neuron is active."""
    return choices.rng.uniform(0.3, 1.0) * (4 if name == "LIFSqueeze" and choices.norm_input else 1)


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of neurons, a third of the networks with convolutions before them."""
    choices = Choices(rng)
    if rng.random() < 0.1:
        return draw_recurrent(choices)
    modules: list[torch.nn.Module] = []
    used: list[str] = []
    shape: Shape = (int(rng.integers(3, 9)),)
    if rng.random() < 0.35:
        shape = (int(rng.integers(1, 3)), int(rng.integers(6, 9)), int(rng.integers(6, 9)))
    start = shape
    if len(shape) == 3:
        used.append(str(rng.choice(["IAFSqueeze", "LIFSqueeze"])))
        layer, shape = draw_convolution(rng, gain_of(choices, used[-1]), shape)
        modules += [layer, draw_neuron(choices, used[-1], shape)]
        if rng.random() < 0.5:
            modules.append(layers.SumPool2d(2))
            shape = tuple(modules[-1](torch.zeros(1, *shape)).shape[1:])
        modules.append(torch.nn.Flatten())
        shape = (int(np.prod(shape)),)
    count = int(rng.integers(1, 3 if used else 4))
    for number in range(count):
        outputs = int(rng.integers(3, 9))
        names = ["IAFSqueeze", "LIFSqueeze", *(["ExpLeakSqueeze"] if number + 1 < count else [])]
        used.append(str(rng.choice(names)))
        modules += [
            draw_dense(rng, gain_of(choices, used[-1]), shape[0], outputs),
            draw_neuron(choices, used[-1], (outputs,)),
        ]
        shape = (outputs,)
    net = torch.nn.Sequential(*modules)
    if not any(name.startswith(("LIF", "Exp")) for name in used):
        del choices.shown["norm_input"]
    return Network(
        layers=", ".join(used),
        options=", ".join(f"{name}={value}" for name, value in choices.shown.items()),
        shape=start,
        run=runner(net),
        export=exporter(net, start),
        arguments=choices.arguments,
        gaps=choices.gaps,
    )


def runner(net: torch.nn.Sequential) -> Callable[[np.ndarray], Arrays]:
    """Returns a function that runs the network; samples and ticks share the first axis between the layers."""

    def run(x: np.ndarray) -> Arrays:
        values, found = tensor(x).flatten(0, 1), {}
        for number, module in enumerate(net):
            values = module(values)
            if isinstance(module, SPIKING) and not isinstance(module, layers.ExpLeak):
                found[str(number)] = values.numpy().reshape(SAMPLES, TICKS, *values.shape[1:]).copy()
        sinabs.reset_states(net)
        return found

    return run


def exporter(net: torch.nn.Sequential, shape: Shape) -> Callable[[Path], None]:
    return lambda path: write_nir(path, to_nir(net, torch.zeros(SAMPLES, *shape)))


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main(draw, "sinabs", "nirtorch", "nir", "torch", reseed=torch.manual_seed)

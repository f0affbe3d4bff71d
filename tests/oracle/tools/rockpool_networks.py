"""Random networks of rockpool: LIFTorch, LIFNeuronTorch and ExpSynTorch, with biases and recurrent weights.

The exporter drops biases of neurons, recurrent weights and the bound of spikes in a tick. It supports neither bitshift neurons nor
several synapses for each neuron.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from generation import Arrays, Network, main, weights, write_nir
from rockpool.nn.combinators import Sequential
from rockpool.nn.modules.torch import ExpSynTorch, LIFBitshiftTorch, LIFNeuronTorch, LIFTorch, LinearTorch
from rockpool.nn.modules.torch.nir import to_nir
from torch_layers import spread, tensor

STEPS = {1e-3: "1ms", 5e-4: "500us"}
GAINS = {
    "LIFTorch": 0.3,
    "LIFNeuronTorch": 0.6,
    "ExpSynTorch": 0.3,
    "LIFBitshiftTorch": 0.3,
    "LIFTorch, two synapses": 0.3,
}
CLASSES = {"LIFTorch": LIFTorch, "LIFNeuronTorch": LIFNeuronTorch, "LIFBitshiftTorch": LIFBitshiftTorch}
LOST = "NRM014"
"""Code of the finding that lists the omissions of an exporter."""


def draw_neurons(rng: np.random.Generator, name: str, size: int, dt: float, gap: str) -> torch.nn.Module:
    """Returns one layer; time constants and thresholds are one value or one for each neuron."""
    is_shared = bool(rng.integers(2))
    if name == "ExpSynTorch":
        return ExpSynTorch(size, tau=spread(rng, (size,), 2e-3, 2e-2, is_shared=is_shared), dt=dt)
    named: dict[str, Any] = {
        "tau_mem": spread(rng, (size,), 2e-3, 2e-2, is_shared=is_shared),
        "threshold": spread(rng, (size,), 0.5, 1.5, is_shared=is_shared),
        "dt": dt,
    }
    if gap == "bias":
        named["bias"] = spread(rng, (size,), 0.05, 0.2, is_shared=is_shared)
    if gap == "max_spikes_per_dt":
        named["max_spikes_per_dt"] = torch.tensor(7.0)  # no value of the option
    if name == "LIFNeuronTorch":
        return LIFNeuronTorch(size, **named)
    if gap == "w_rec":
        named |= {"has_rec": True, "w_rec": tensor(rng.uniform(-0.3, 0.2, (size, size)))}
    if name == "LIFTorch, two synapses":
        return LIFTorch((2 * size, size), tau_syn=tensor(rng.uniform(2e-3, 1e-2, (1, 2))), **named)
    return CLASSES[name](size, tau_syn=spread(rng, (size,), 2e-3, 1e-2, is_shared=is_shared).reshape(size, 1), **named)


def draw_weights(rng: np.random.Generator, gain: float, inputs: int, outputs: int) -> torch.nn.Module:
    drawn = weights(rng, (outputs, inputs), gain, dyadic=bool(rng.integers(2)))
    if rng.random() < 0.5:
        return LinearTorch((inputs, outputs), weight=tensor(drawn.T), has_bias=False)
    return LinearTorch(
        (inputs, outputs), weight=tensor(drawn.T), bias=tensor(rng.uniform(-0.1, 0.1, outputs)), has_bias=True
    )


def draw(rng: np.random.Generator) -> Network:
    """Returns one to three layers of neurons; a third of the networks has a gap, and one in ten a layer that the exporter refuses."""
    dt = float(rng.choice(list(STEPS)))
    gap = str(rng.choice(["bias", "w_rec", "max_spikes_per_dt"])) if rng.random() < 0.3 else ""
    count, size = int(rng.integers(1, 4)), int(rng.integers(3, 9))
    start, used, modules = size, list[str](), list[torch.nn.Module]()
    for number in range(count):
        is_last = number + 1 == count
        name = str(rng.choice(["LIFTorch", "LIFNeuronTorch", *([] if is_last else ["ExpSynTorch"])]))
        if is_last and gap == "w_rec":
            name = "LIFTorch"
        elif is_last and rng.random() < 0.15:
            name = str(rng.choice(["LIFBitshiftTorch", "LIFTorch, two synapses"]))
        used.append(name)
        outputs = int(rng.integers(3, 9))
        neurons = draw_neurons(rng, name, outputs, dt, gap if is_last else "")
        modules += [draw_weights(rng, rng.uniform(0.5, 1.2) * GAINS[name], size, neurons.size_in), neurons]
        size = outputs
    net = Sequential(*modules)
    return Network(
        layers=", ".join(used),
        options=f"dt={dt}" + f", {gap}" * bool(gap),
        shape=(start,),
        run=lambda x: run(net, x),
        export=lambda path: write_nir(path, to_nir(net)),
        arguments=["--dt", STEPS[dt], "--like", "rockpool", "--exported-by", "rockpool"],
        gaps={gap: LOST} if gap else {},
    )


def run(net: Any, x: np.ndarray) -> Arrays:
    """Runs the network layer by layer; every layer processes all ticks."""
    values, found = tensor(x), {}
    for name, module in net.modules().items():
        values, _, _ = module(values)
        if isinstance(module, LIFTorch | LIFNeuronTorch):
            found[name] = values.numpy().copy()
    return found


if __name__ == "__main__":
    torch.set_grad_enabled(False)
    main(draw, "rockpool", "nirtorch", "nir", "torch", reseed=torch.manual_seed)

"""Rockpool: its exporter drops the biases of neurons, recurrent weights and the bound of spikes in a tick, which is an option of the preset.

Source: Rockpool 3.1.0, rockpool/nn/modules/torch/nir.py, lif_torch.py and lif_neuron_torch.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from ...core.diagnostics import first_of
from .framework import CalledLayer, Framework, LayerShape, Settings, class_of, numbers, settings_of
from .own_neurons import lif_of, own_neuron, parameter_array, recurrent_cell
from .torch_layers import tensor_array

BOUNDS = {65536: "all", 1: "max1", 15: "max15", 31: "max31"}
"""Values of the option `max_spikes_per_dt` of the preset by the numbers of Rockpool; the first is the default."""


class Rockpool(Framework):
    name, title = "rockpool", "Rockpool"
    exporter = "rockpool.nn.modules.torch.nir"
    neurons = ("LIFTorch", "LIFBitshiftTorch", "aLIFTorch", "LIFNeuronTorch", "ExpSynTorch")
    own_layers = ("LinearTorch",)
    exported_by = "rockpool"
    keeps_one_sample = True

    def find_dt(self, layers: Sequence[CalledLayer]) -> float | None:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        return self.common("dt", own, lambda layer: round(float(layer.module.dt), 12))

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        for layer in layers:
            neuron, kind = layer.module, self.neuron_class(layer.module)
            if kind is None or kind == "ExpSynTorch":
                continue
            if numbers(neuron.noise_std).any():
                self.refuse_setting(layer, "noise_std", "0", numbers(neuron.noise_std))
        spiking = [
            layer
            for layer in layers
            if self.neuron_class(layer.module) not in (None, "ExpSynTorch") and not needs_membrane(layer.module)
        ]
        return settings_of(self.choose("max_spikes_per_dt", spiking, self.bound_rule))

    def bound_rule(self, layer: CalledLayer) -> str:
        bound = float(numbers(layer.module.max_spikes_per_dt))
        if bound not in BOUNDS:
            self.refuse_setting(
                layer, "max_spikes_per_dt", first_of([str(one) for one in BOUNDS], len(BOUNDS)), f"{bound:g}"
            )
        return BOUNDS[int(bound)]

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        """The exporter cannot write a parameter of ExpSynTorch that is trained."""
        for layer in layers:
            if self.neuron_class(layer.module) == "ExpSynTorch":
                layer.module.tau.requires_grad_(False)

    def complete(self, nodes: Mapping[str, Any], layers: Sequence[CalledLayer]) -> dict[str, str]:
        """The exporter drops biases, which are added to v in each tick.

        LIFTorch: v_leak = bias, which the preset adds as it is. LIFNeuronTorch: v_leak (1 - a) = bias, with a = exp(-dt / tau).
        """
        added: dict[str, str] = {}
        for layer in layers:
            kind = self.neuron_class(layer.module)
            if kind is None or kind == "ExpSynTorch" or needs_membrane(layer.module):
                continue
            bias = np.broadcast_to(numbers(layer.module.bias).reshape(-1), layer.shape)
            if bias.any():
                decay = np.exp(-float(layer.module.dt) / numbers(layer.module.tau_mem).reshape(-1))
                lif_of(nodes[layer.name]).v_leak = bias if kind != "LIFNeuronTorch" else bias / (1 - decay)
                added[layer.name] = "bias"
        return added

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        import nir

        module, kind = layer.module, self.neuron_class(layer.module)
        if kind in (None, "LIFNeuronTorch", "ExpSynTorch"):
            return import_module(self.exporter)._extract_rockpool_module(module)
        if needs_membrane(module):
            return synapses_with_membrane(module, shape)
        decays = (numbers(module.beta).reshape(-1), numbers(module.alpha).reshape(-1))
        tau_syn, tau_mem = (parameter_array(-float(module.dt) / np.log(decay), shape) for decay in decays)
        threshold, zeros = parameter_array(module.threshold, shape), np.zeros(shape)
        # the gains of the exporter, which the repair of its numbers replaces
        gain = tau_mem * np.exp(-float(module.dt) / tau_mem) / float(module.dt)
        neuron = nir.CubaLIF(tau_syn, tau_mem, gain, zeros, threshold, v_reset=zeros)
        if not has_recurrence(module):
            return neuron
        return recurrent_cell(neuron, nir.Linear(tensor_array(module.w_rec).T), shape, shape)

    def inner_node(self, layer: CalledLayer) -> str:
        module = layer.module
        is_cell = self.neuron_class(module) is not None and (needs_membrane(module) or has_recurrence(module))
        return ".lif" if is_cell else ""

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        return "samples first"

    def reset(self, network: Any, samples: int) -> None:
        for _, module in network.named_modules():
            if class_of(module, self.name) and hasattr(module, "reset_state"):
                module.reset_state()
                break


def needs_membrane(module: Any) -> bool:
    """Returns whether a neuron has several synaptic currents, adapts, or has a bound of spikes that the preset lacks, so that NIR has no node for it."""
    bound = float(numbers(getattr(module, "max_spikes_per_dt", next(iter(BOUNDS)))))
    is_bounded = hasattr(module, "n_synapses") and bound not in BOUNDS
    return getattr(module, "n_synapses", 1) > 1 or hasattr(module, "w_ahp") or is_bounded


def synapses_with_membrane(module: Any, shape: LayerShape) -> Any:
    """Returns a nested graph of a population for each synaptic current, and a membrane that adds them.

        input -> synapse_0 -> current_0 -> lif -> output,  lif -> w_rec_0 -> current_0

    Input k of neuron n is entry `n synapses + k` of the input.
    """
    import nir

    count, size = int(module.n_synapses), shape[0]
    decays = np.broadcast_to(numbers(module.beta), (size, count))
    params: dict[str, Any] = {"decay": module.alpha, "bias": module.bias, "v_threshold": module.threshold}
    params["most_spikes"] = module.max_spikes_per_dt
    name = "rockpool_membrane"
    if hasattr(module, "w_ahp"):
        name = "rockpool_adaptive_membrane"
        params |= {"w_ahp": module.w_ahp, "decay_ahp": module.gamma}
    nodes: dict[str, Any] = {"input": nir.Input({"input": np.array([size * count])})}
    nodes |= {"lif": own_neuron("rockpool", name, shape, **params), "output": nir.Output({"output": np.asarray(shape)})}
    edges = [("lif", "output")]
    for number in range(count):
        weight = np.zeros((size, size * count))
        weight[np.arange(size), np.arange(size) * count + number] = 1
        synapse, current, recurrent = (f"{one}_{number}" for one in ("synapse", "current", "w_rec"))
        nodes[synapse] = nir.Linear(weight)
        nodes[current] = own_neuron("rockpool", "rockpool_synapse", shape, decay=decays[:, number])
        edges += [("input", synapse), (synapse, current), (current, "lif")]
        if has_recurrence(module):
            nodes[recurrent] = nir.Linear(tensor_array(module.w_rec).T[number::count].copy())
            edges += [("lif", recurrent), (recurrent, current)]
    return nir.NIRGraph(nodes, edges, type_check=False)


def has_recurrence(module: Any) -> bool:
    """Returns whether a neuron has weights of its own spikes. Neurons without them have a matrix of zeros."""
    weights = getattr(module, "w_rec", None)
    return weights is not None and bool(numbers(weights).any())

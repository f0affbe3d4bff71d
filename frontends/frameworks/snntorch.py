"""snnTorch: its exporter needs parameters of the shape of their layer, and writes neither how a neuron resets nor the padding of a pooling.

Source: snnTorch 1.0.0, snntorch/export_nir.py and snntorch/_neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from .framework import CalledLayer, Framework, LayerShape, Settings, numbers, set_tensor, settings_of, torch_class
from .own_neurons import own_neuron, parameter_array, recurrent_cell
from .torch_layers import node_of_layer

RESET_MECHANISMS = {
    ("subtract", True): "subtract_next",
    ("subtract", False): "subtract",
    ("zero", True): "zero_next",
    ("zero", False): "zero",
    ("none", True): "none",
    ("none", False): "none",
}
"""Option of nopt for `reset_mechanism` and `reset_delay`."""


class SnnTorch(Framework):
    name, title = "snntorch", "snnTorch"
    exporter = "snntorch.export_nir"
    neurons = ("Leaky", "Synaptic", "RLeaky", "RSynaptic", "Lapicque", "Alpha")
    exported_by = "snntorch"

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        for layer in own:
            neuron = layer.module
            if neuron.inhibition:
                self.refuse_setting(layer, "inhibition", "False", neuron.inhibition)
            if neuron.state_quant:
                self.refuse_setting(layer, "state_quant", "False", "a function")
            beta, kind = numbers(neuron.beta), self.neuron_class(neuron)
            if (beta >= 1).any() and not (kind == "Leaky" and (beta >= 1).all()):
                self.refuse_setting(layer, "beta", "a number below 1", f"{beta.max():g}")
        choosing = [layer for layer in own if self.neuron_class(layer.module) != "Alpha"]
        return settings_of(self.choose("reset", choosing, self.reset_rule))

    def reset_rule(self, layer: CalledLayer) -> str:
        """Returns the option of a layer. RSynaptic always resets in the next tick."""
        neuron, kind = layer.module, self.neuron_class(layer.module)
        if kind == "Lapicque" and neuron.reset_mechanism == "zero":
            return "zero_hold"
        is_delayed = bool(getattr(neuron, "reset_delay", True)) or kind in ("RSynaptic", "Lapicque")
        return RESET_MECHANISMS[neuron.reset_mechanism, is_delayed]

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        for layer in layers:
            kind = self.neuron_class(layer.module)
            if kind is not None and kind not in ("Lapicque", "Alpha"):
                for name in ("beta", "alpha", "threshold") if "Synaptic" in kind else ("beta", "threshold"):
                    set_tensor(layer.module, name, layer.shape)

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        node = self.node_of_spikes(layer, shape)
        return graded_cell(node, layer.module.graded_spikes_factor, shape) if is_graded(layer.module) else node

    def node_of_spikes(self, layer: CalledLayer, shape: LayerShape) -> Any:
        """Returns the node of a layer without the factor of its spikes, which the recurrent weights of a cell take."""
        import nir

        module, kind = layer.module, self.neuron_class(layer.module)
        if kind == "Alpha":
            decays = {"alpha": module.alpha, "beta": module.beta, "v_threshold": module.threshold}
            return own_neuron("snntorch", f"snntorch_alpha_{module.reset_mechanism}", shape, **decays)
        if kind == "Lapicque":
            leak = numbers(module.time_step) / (numbers(module.R) * numbers(module.C))
            gains = {"keep": 1 - leak, "take": leak * numbers(module.R)}
            return own_neuron("snntorch", "snntorch_lapicque", shape, **gains, v_threshold=module.threshold)
        if kind == "Leaky" and (numbers(module.beta) >= 1).all():  # it is clamped to 1
            return nir.IF(r=np.ones(shape), v_threshold=parameter_array(module.threshold, shape))
        if kind in ("RLeaky", "RSynaptic") and len(shape) > 1:
            cell = import_module("snntorch").Leaky if kind == "RLeaky" else import_module("snntorch").Synaptic
            copied = cell.__new__(cell)
            copied.__dict__.update(module.__dict__)
            neuron = import_module(self.exporter)._extract_snntorch_module(copied)
            connection = module.recurrent
            weights = node_of_layer(connection, torch_class(connection), shape, shape)
            return None if weights is None else recurrent_cell(neuron, weights, shape, shape)
        return import_module(self.exporter)._extract_snntorch_module(module)

    def inner_node(self, layer: CalledLayer) -> str:
        is_cell = (self.neuron_class(layer.module) or "").startswith("R")
        return ".lif" if is_cell or is_graded(layer.module) else ""

    def compared_node(self, layer: CalledLayer) -> str:
        return f"{self.node_name(layer)}.graded" if is_graded(layer.module) else super().compared_node(layer)

    def keeps_state(self, module: Any) -> bool:
        return bool(getattr(module, "init_hidden", True))

    def reset(self, network: Any, samples: int) -> None:
        for _, module in network.named_modules():
            if self.neuron_class(module) and hasattr(module, "reset_mem"):
                module.reset_mem()


def is_graded(module: Any) -> bool:
    """Returns whether the spikes of a neuron are multiplied by a factor."""
    return bool((numbers(getattr(module, "graded_spikes_factor", 1)) != 1).any())


def graded_cell(neuron: Any, factor: Any, shape: LayerShape) -> Any:
    """Returns a nested graph of neurons whose spikes are multiplied by a factor.

    input -> lif -> graded -> output
    """
    import nir

    nodes = {"input": nir.Input({"input": np.asarray(shape)}), "lif": neuron}
    nodes["graded"] = nir.Scale(parameter_array(factor, shape))
    nodes["output"] = nir.Output({"output": np.asarray(shape)})
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)

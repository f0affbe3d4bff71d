"""snnTorch: its exporter needs parameters of the shape of their layer, and writes neither how a neuron resets nor the padding of a pooling.

Source: snnTorch 1.0.0, snntorch/export_nir.py and snntorch/_neurons.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .framework import CalledLayer, Framework, LayerShape, Settings, numbers, set_tensor, settings_of

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
    neurons = ("Leaky", "Synaptic", "RLeaky", "RSynaptic")
    exported_by = "snntorch"

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        for layer in own:
            neuron = layer.module
            if neuron.inhibition:
                self.refuse_setting(layer, "inhibition", "False", neuron.inhibition)
            if neuron.state_quant:
                self.refuse_setting(layer, "state_quant", "False", "a function")
            if (numbers(neuron.graded_spikes_factor) != 1).any():
                self.refuse_setting(layer, "graded_spikes_factor", "1", numbers(neuron.graded_spikes_factor))
            if (numbers(neuron.beta) >= 1).any():
                found = f"{numbers(neuron.beta).max():g}"
                self.refuse_setting(layer, "beta", "a number below 1", found)
        return settings_of(self.choose("reset", own, self.reset_rule))

    def reset_rule(self, layer: CalledLayer) -> str:
        """Returns the option of a layer. RSynaptic always resets in the next tick."""
        neuron = layer.module
        is_delayed = bool(getattr(neuron, "reset_delay", True)) or self.neuron_class(neuron) == "RSynaptic"
        return RESET_MECHANISMS[neuron.reset_mechanism, is_delayed]

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        for layer in layers:
            kind = self.neuron_class(layer.module)
            if kind is not None:
                for name in ("beta", "alpha", "threshold") if "Synaptic" in kind else ("beta", "threshold"):
                    set_tensor(layer.module, name, layer.shape)

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        return import_module(self.exporter)._extract_snntorch_module(layer.module)

    def inner_node(self, layer: CalledLayer) -> str:
        return ".lif" if (self.neuron_class(layer.module) or "").startswith("R") else ""

    def keeps_state(self, module: Any) -> bool:
        return bool(getattr(module, "init_hidden", True))

    def reset(self, network: Any, samples: int) -> None:
        for _, module in network.named_modules():
            if self.neuron_class(module) and hasattr(module, "reset_mem"):
                module.reset_mem()

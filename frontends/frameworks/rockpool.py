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

BOUNDS = {65536: "all", 1: "max1", 15: "max15", 31: "max31"}
"""Values of the option `max_spikes_per_dt` of the preset by the numbers of Rockpool; the first is the default."""


class Rockpool(Framework):
    name, title = "rockpool", "Rockpool"
    exporter = "rockpool.nn.modules.torch.nir"
    neurons = ("LIFTorch", "LIFNeuronTorch", "ExpSynTorch")
    own_layers = ("LinearTorch",)
    exported_by = "rockpool"

    def find_dt(self, layers: Sequence[CalledLayer]) -> float | None:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        return self.common("dt", own, lambda layer: round(float(layer.module.dt), 12))

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        for layer in layers:
            neuron, kind = layer.module, self.neuron_class(layer.module)
            if kind == "LIFTorch" and neuron._has_rec:
                self.refuse_setting(layer, "has_rec", "False", "recurrent weights, which the exporter drops")
            if kind is None or kind == "ExpSynTorch":
                continue
            if numbers(neuron.noise_std).any():
                self.refuse_setting(layer, "noise_std", "0", numbers(neuron.noise_std))
        spiking = [layer for layer in layers if self.neuron_class(layer.module) not in (None, "ExpSynTorch")]
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
            if kind is None or kind == "ExpSynTorch":
                continue
            bias = np.broadcast_to(numbers(layer.module.bias).reshape(-1), layer.shape)
            if bias.any():
                decay = np.exp(-float(layer.module.dt) / numbers(layer.module.tau_mem).reshape(-1))
                nodes[layer.name].v_leak = bias if kind == "LIFTorch" else bias / (1 - decay)
                added[layer.name] = "bias"
        return added

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        return import_module(self.exporter)._extract_rockpool_module(layer.module)

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        return "samples first"

    def reset(self, network: Any, samples: int) -> None:
        for _, module in network.named_modules():
            if class_of(module, self.name) and hasattr(module, "reset_state"):
                module.reset_state()
                break

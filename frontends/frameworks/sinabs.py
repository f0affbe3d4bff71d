"""sinabs: its exporter writes time constants and thresholds alone; the other arguments of the layers become options of the preset.

Source: sinabs 3.1.3, sinabs/nir.py, sinabs/layers and sinabs/activation.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .framework import CalledLayer, Framework, LayerShape, Settings, numbers, set_tensor, settings_of

SPIKES = {"MultiSpike": "multi", "SingleSpike": "single"}
SPIKE_BOUNDS = (2, 3, 4, 5, 8, 10, 16)
"""Bounds of `MaxSpike` that the preset has."""


class Sinabs(Framework):
    name, title = "sinabs", "sinabs"
    exporter = "sinabs.nir"
    neurons = ("IAF", "IAFSqueeze", "LIF", "LIFSqueeze", "ExpLeak", "ExpLeakSqueeze")
    own_layers = ("SumPool2d",)
    functions = ("Merge",)
    exported_by = "sinabs"

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        spiking = [layer for layer in own if not self.kind(layer.module).startswith("ExpLeak")]
        for layer in own:
            if getattr(layer.module, "tau_syn", None) is not None:
                self.refuse_setting(layer, "tau_syn", "None", numbers(layer.module.tau_syn))
        leaky = [layer for layer in own if not self.kind(layer.module).startswith("IAF")]
        return settings_of(
            self.choose("reset", spiking, self.reset_rule),
            self.choose("norm_input", leaky, lambda layer: "yes" if layer.module.norm_input else "no"),
            self.choose("spike_fn", spiking, self.spike_rule),
            self.choose("min_v_mem", spiking, self.bound_rule),
        )

    def spike_rule(self, layer: CalledLayer) -> str:
        rule = layer.module.spike_fn
        name = getattr(rule, "__name__", type(rule).__name__)
        if name == "MaxSpike" and getattr(rule, "num_max_spikes", None) in SPIKE_BOUNDS:
            return f"max{rule.num_max_spikes}"
        if name not in SPIKES:
            known = f"MultiSpike, SingleSpike, or MaxSpike of {', '.join(map(str, SPIKE_BOUNDS))}"
            self.refuse_setting(layer, "spike_fn", known, name)
        return SPIKES[name]

    def reset_rule(self, layer: CalledLayer) -> str:
        rule = layer.module.reset_fn
        name = getattr(rule, "__name__", type(rule).__name__)
        if name == "MembraneReset" and not getattr(rule, "reset_value", 0):
            return "zero"
        if name != "MembraneSubtract" or getattr(rule, "subtract_value", None) is not None:
            self.refuse_setting(layer, "reset_fn", "MembraneSubtract() or MembraneReset()", f"{name} with a value")
        return "subtract"

    def bound_rule(self, layer: CalledLayer) -> str:
        bound = layer.module.min_v_mem
        if bound is None:
            return "none"
        if (numbers(bound) != -numbers(layer.module.spike_threshold)).any():
            self.refuse_setting(layer, "min_v_mem", "None or -spike_threshold", numbers(bound))
        return "threshold"

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        for layer in layers:
            kind = self.neuron_class(layer.module) or ""
            if kind.startswith(("LIF", "ExpLeak")):
                set_tensor(layer.module, "tau_mem", layer.shape)
            if kind.startswith(("LIF", "IAF")):
                set_tensor(layer.module, "spike_threshold", layer.shape)

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        return import_module(self.exporter)._extract_sinabs_module(layer.module)

    def is_opaque(self, module: Any) -> bool:
        """The recurrent neurons contain layers, too."""
        return super().is_opaque(module) or hasattr(module, "v_mem")

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        own = [self.neuron_class(module) or "" for _, module in layers]
        if any(kind.endswith("Squeeze") for kind in own):
            return "joined"
        return "samples first"

    def reset(self, network: Any, samples: int) -> None:
        torch: Any = import_module("torch")
        for _, module in network.named_modules():
            if not self.neuron_class(module):
                continue
            if hasattr(module, "batch_size"):
                module.batch_size, module.num_timesteps = samples, -1
            for name, _ in list(module.named_buffers(recurse=False)):
                if name in ("v_mem", "i_syn"):
                    module.register_buffer(name, torch.zeros(0))

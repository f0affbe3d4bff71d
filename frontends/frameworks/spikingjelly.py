"""SpikingJelly: its exporter refuses the soft reset, which becomes an option of the preset.

Source: SpikingJelly 2.0.0, spikingjelly/activation_based/nir_exchange/to_nir.py and neuron.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from .framework import CalledLayer, Framework, Settings, settings_of


class SpikingJelly(Framework):
    name, title = "spikingjelly", "SpikingJelly"
    exporter = "spikingjelly.activation_based.nir_exchange"
    neurons = ("IFNode", "LIFNode", "ParametricLIFNode", "CUBALIFNode")
    is_symbolic = True
    layers = ("Linear", "Conv1d", "Conv2d", "AvgPool2d", "Flatten")

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        return settings_of(self.choose("reset", own, self.reset_rule))

    def reset_rule(self, layer: CalledLayer) -> str:
        return "subtract" if layer.module.v_reset is None else "value"

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        """A soft reset without v_reset starts at 0 and decays to 0, as a hard one with v_reset = 0 does."""
        for layer in layers:
            if self.neuron_class(layer.module) and layer.module.v_reset is None:
                layer.module.v_reset = 0.0

    def extract(self, network: Any, sample: Any, dt: float) -> Any:
        exporter = import_module(self.exporter)
        if self.find_layout(list(self.walk(network))) == "ticks first":
            sample = sample[None]
        graph = exporter.export_to_nir(network, sample, dt=dt)
        names = {traced_name(name): name for name, _ in self.walk(network)}
        nodes = {names.get(name, name): node for name, node in graph.nodes.items()}
        graph.nodes, graph.edges = nodes, [(names.get(a, a), names.get(b, b)) for a, b in graph.edges]
        return graph

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        own = [module for _, module in layers if self.neuron_class(module)]
        if own and all(getattr(module, "step_mode", "s") == "m" for module in own):
            return "ticks first"
        return None

    def reset(self, network: Any, samples: int) -> None:
        import_module("spikingjelly.activation_based.functional").reset_net(network)


def traced_name(name: str) -> str:
    """Returns the name of a layer in PyTorch's tracer: an identifier."""
    joined = name.replace(".", "_")
    return f"_{joined}" if joined[:1].isdecimal() else joined

"""sinabs: its exporter writes time constants and thresholds alone; the other arguments of the layers become options of the preset.

Source: sinabs 3.1.3, sinabs/nir.py, sinabs/layers and sinabs/activation.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.diagnostics import refuse
from .framework import (
    IMP009,
    CalledLayer,
    Framework,
    LayerShape,
    Settings,
    numbers,
    set_tensor,
    settings_of,
    torch_class,
)
from .own_neurons import own_neuron, parameter_array, recurrent_cell
from .torch_layers import node_of_layer

MOST = 2147483647
"""Number of spikes in a tick that no neuron exceeds."""
LEAST_POTENTIAL = -3.4028234663852886e38
"""Bound of a membrane potential without one."""
SPIKE_BOUNDS = (2, 3, 4, 5, 8, 10, 16)
"""Bounds of `MaxSpike` that the preset has."""


class Sinabs(Framework):
    name, title = "sinabs", "sinabs"
    exporter = "sinabs.nir"
    neurons = (
        *("IAF", "IAFSqueeze", "LIF", "LIFSqueeze", "ExpLeak", "ExpLeakSqueeze", "ALIF", "ALIFSqueeze"),
        *("IAFRecurrent", "IAFRecurrentSqueeze", "LIFRecurrent", "LIFRecurrentSqueeze"),
        *("ALIFRecurrent", "ALIFRecurrentSqueeze"),
    )
    own_layers = ("SumPool2d",)
    functions = ("Merge",)
    exported_by = "sinabs"

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        neurons = [layer for layer in layers if self.neuron_class(layer.module)]
        for layer in neurons:
            self.check_setting(layer)
        own = [layer for layer in neurons if not needs_equations(layer.module, self.kind(layer.module))]
        spiking = [layer for layer in own if not self.kind(layer.module).startswith("ExpLeak")]
        leaky = [layer for layer in own if not self.kind(layer.module).startswith("IAF")]
        return settings_of(
            self.choose("reset", spiking, self.reset_rule),
            self.choose("norm_input", leaky, lambda layer: "yes" if layer.module.norm_input else "no"),
            self.choose("spike_fn", spiking, self.spike_rule),
            self.choose("min_v_mem", spiking, self.bound_rule),
        )

    def check_setting(self, layer: CalledLayer) -> None:
        """Refuses functions of spikes and of the reset that are not those of sinabs. Errors: IMP009."""
        module, kind = layer.module, self.kind(layer.module)
        if kind.startswith("ExpLeak"):
            if module.min_v_mem is not None or getattr(module, "tau_syn", None) is not None:
                self.refuse_setting(layer, "tau_syn and min_v_mem", "None", "a number")
            return
        if most_spikes(module) is None:
            name = getattr(module.spike_fn, "__name__", type(module.spike_fn).__name__)
            self.refuse_setting(layer, "spike_fn", "MultiSpike, SingleSpike or MaxSpike", name)
        name = getattr(module.reset_fn, "__name__", type(module.reset_fn).__name__)
        if name not in ("MembraneReset", "MembraneSubtract"):
            self.refuse_setting(layer, "reset_fn", "MembraneSubtract() or MembraneReset()", name)
        if "Recurrent" in kind and layer.is_looped:
            refuse(
                IMP009,
                f"{kind} is called for one tick at a time",
                at=f'"{layer.name}"',
                node=layer.name,
                expected="one call with all ticks, since each call forgets the spikes of the call before",
                found="a call for each tick",
                help=f"call {layer.name} once with all ticks, [samples, ticks, neurons], or use {kind.replace('Recurrent', '')}",
            )
        if "Recurrent" in kind and torch_class(module.rec_connect) not in ("Linear", "Conv1d", "Conv2d"):
            found = type(module.rec_connect).__name__
            self.refuse_setting(layer, "rec_connect", "one Linear, Conv1d or Conv2d", found)

    def spike_rule(self, layer: CalledLayer) -> str:
        return {MOST: "multi", 1: "single"}.get(count := most_spikes(layer.module) or MOST, f"max{count}")

    def reset_rule(self, layer: CalledLayer) -> str:
        return "zero" if type(layer.module.reset_fn).__name__ == "MembraneReset" else "subtract"

    def bound_rule(self, layer: CalledLayer) -> str:
        return "none" if layer.module.min_v_mem is None else "threshold"

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        for layer in layers:
            kind = self.neuron_class(layer.module) or ""
            if not kind or "Recurrent" in kind or needs_equations(layer.module, kind):
                continue
            if kind.startswith(("LIF", "ExpLeak")):
                set_tensor(layer.module, "tau_mem", layer.shape)
            if kind.startswith(("LIF", "IAF")):
                set_tensor(layer.module, "spike_threshold", layer.shape)

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        import nir

        module, kind = layer.module, self.neuron_class(layer.module) or ""
        if kind and needs_equations(module, kind):
            neuron = equations_of_layer(module, kind, shape)
        elif kind.startswith("LIFRecurrent"):
            ones, tau = np.ones(shape), parameter_array(module.tau_mem, shape)
            neuron = nir.LIF(
                tau=tau, r=ones, v_leak=0 * ones, v_threshold=parameter_array(module.spike_threshold, shape)
            )
        elif kind.startswith("IAFRecurrent"):
            neuron = nir.IF(r=np.ones(shape), v_threshold=parameter_array(module.spike_threshold, shape))
        else:
            return import_module(self.exporter)._extract_sinabs_module(module)
        if "Recurrent" not in kind:
            return neuron
        connection = module.rec_connect
        return recurrent_cell(neuron, node_of_layer(connection, torch_class(connection), shape, shape), shape, shape)

    def inner_node(self, layer: CalledLayer) -> str:
        return ".lif" if "Recurrent" in (self.neuron_class(layer.module) or "") else ""

    def is_opaque(self, module: Any) -> bool:
        """The recurrent neurons contain layers, too."""
        return super().is_opaque(module) or hasattr(module, "v_mem")

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        own = [self.neuron_class(module) or "" for _, module in layers]
        if any(kind.endswith("Squeeze") for kind in own):
            return "joined"
        return "samples first"

    def copy(self, network: Any) -> Any:
        """Copies recurrent layers by their contents: their own method of copying fails for layers within them."""
        memo: dict[int, Any] = {}
        for _, module in network.named_modules():
            if "Recurrent" in (self.neuron_class(module) or ""):
                kind: Any = type(module)
                made = kind.__new__(kind)
                made.__dict__.update(deepcopy(module.__dict__, memo))
                memo[id(module)] = made
        return deepcopy(network, memo)

    def reset(self, network: Any, samples: int) -> None:
        torch: Any = import_module("torch")
        for _, module in network.named_modules():
            if not self.neuron_class(module):
                continue
            if hasattr(module, "batch_size"):
                module.batch_size, module.num_timesteps = samples, -1
            for name, _ in list(module.named_buffers(recurse=False)):
                if name in ("v_mem", "i_syn", "b"):
                    module.register_buffer(name, torch.zeros(0))


def most_spikes(module: Any) -> int | None:
    """Returns the greatest number of spikes in a tick; None for an unknown function."""
    rule = module.spike_fn
    match getattr(rule, "__name__", type(rule).__name__):
        case "MultiSpike":
            return MOST
        case "SingleSpike":
            return 1
        case "MaxSpike":
            names = ("num_max_spikes", "max_num_spikes_per_bin")
            return next((int(n) for name in names if (n := getattr(rule, name, None)) is not None), MOST)
        case _:
            return None


def needs_equations(module: Any, kind: str) -> bool:
    """Returns whether a neuron has settings that neither NIR nor the preset has."""
    if kind.startswith("ExpLeak"):
        return False
    bound, reset = module.min_v_mem, module.reset_fn
    return (
        kind.startswith("ALIF")
        or getattr(module, "tau_syn", None) is not None
        or (bound is not None and bool((numbers(bound) != -numbers(module.spike_threshold)).any()))
        or most_spikes(module) not in (MOST, 1, *SPIKE_BOUNDS)
        or getattr(reset, "subtract_value", None) is not None
        or bool(getattr(reset, "reset_value", 0))
    )


def equations_of_layer(module: Any, kind: str, shape: LayerShape) -> Any:
    """Returns a population with the equations of sinabs."""

    def alpha(name: str) -> NDArray[np.float64] | None:
        found = getattr(module, f"alpha_{name}_calculated", None)
        return None if found is None else numbers(found)

    decay, synapse = (np.ones(()) if kind.startswith("IAF") else alpha("mem")), alpha("syn")
    assert decay is not None  # LIF and ALIF have one
    is_adaptive = kind.startswith("ALIF")
    threshold = module.b0 if is_adaptive else module.spike_threshold
    params: dict[str, Any] = {
        "decay": decay,
        "keep": 0.0 if synapse is None else synapse,
        "take": 1.0 if synapse is None else synapse,
        "gain": 1 - decay if getattr(module, "norm_input", False) else 1.0,
        "v_threshold": threshold,
        "v_min": LEAST_POTENTIAL if module.min_v_mem is None else module.min_v_mem,
        "most_spikes": most_spikes(module),
    }
    rule, name = module.reset_fn, "sinabs_adaptive_" if is_adaptive else "sinabs_"
    if is_adaptive:
        params |= {"decay_adapt": alpha("adapt"), "adapt_scale": module.adapt_scale}
    if type(rule).__name__ == "MembraneReset":
        return own_neuron("sinabs", f"{name}reset", shape, **params, v_reset=rule.reset_value)
    if not is_adaptive:
        params["v_subtract"] = threshold if rule.subtract_value is None else rule.subtract_value
    return own_neuron("sinabs", f"{name}subtract", shape, **params)

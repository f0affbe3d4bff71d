"""SpikingJelly: the nodes are made from the layers, since its exporter follows neither sums nor the soft reset, which is an option of the preset.

Source: SpikingJelly 2.0.0, spikingjelly/activation_based/neuron; numbers as in nir_exchange/to_nir.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .framework import CalledLayer, Framework, LayerShape, Settings, settings_of
from .own_neurons import own_neuron

OWN_NODES = {
    "QIFNode": ("spikingjelly_qif", ("tau", "v_c", "a0", "v_rest")),
    "EIFNode": ("spikingjelly_eif", ("tau", "delta_T", "theta_rh", "v_rest")),
    "IzhikevichNode": ("spikingjelly_izhikevich", ("tau", "v_c", "a0", "v_rest", "tau_w", "a", "b", "w_rest")),
    "KLIFNode": ("spikingjelly_klif", ("tau", "k")),
    "ComplementaryLIFNode": ("spikingjelly_clif", ("tau",)),
}
"""Nodes with equations of their own, and their parameters."""
WITHOUT_RESET = ("SynapseFilter", "ComplementaryLIFNode")
"""Nodes without a rule of the reset."""


class SpikingJelly(Framework):
    name, title = "spikingjelly", "SpikingJelly"
    neurons = (
        *("IFNode", "LIFNode", "ParametricLIFNode", "CUBALIFNode", "SimpleIFNode", "SimpleLIFNode", "SynapseFilter"),
        *OWN_NODES,
    )

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module) not in (None, *WITHOUT_RESET)]
        for layer in own:
            if self.neuron_class(layer.module) == "SimpleLIFNode" and layer.module.v_reset:
                self.refuse_setting(layer, "v_reset", "0 or None", layer.module.v_reset)
        return settings_of(self.choose("reset", own, self.reset_rule))

    def reset_rule(self, layer: CalledLayer) -> str:
        return "subtract" if layer.module.v_reset is None else "value"

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        """The exporter refuses a soft reset, which starts at 0 and decays to 0, as a hard one with v_reset = 0 does."""
        import nir

        def full(value: float) -> NDArray[np.float64]:
            return np.full(shape, float(value))

        neuron, kind = layer.module, self.neuron_class(layer.module)
        if kind == "SynapseFilter":
            rate = neuron.w.sigmoid() if neuron.learnable else 1 / neuron.tau
            return own_neuron("spikingjelly", "spikingjelly_filter", shape, rate=rate)
        reset = 0.0 if neuron.v_reset is None else neuron.v_reset
        threshold = {"v_threshold": full(neuron.v_threshold), "v_reset": full(reset)}
        match kind:
            case "IFNode" | "SimpleIFNode":
                return nir.IF(r=full(1 / dt), **threshold)
            case "LIFNode" | "SimpleLIFNode" | "ParametricLIFNode":
                tau = 1 / float(neuron.w.sigmoid()) if kind == "ParametricLIFNode" else neuron.tau
                r = 1.0 if neuron.decay_input else tau
                return nir.LIF(tau=full(tau * dt), r=full(r), v_leak=full(reset), **threshold)
            case "CUBALIFNode":
                tau_syn, tau_mem = dt / (1 - neuron.c_decay), dt / (1 - neuron.v_decay)
                gains = {"r": full(tau_mem / dt), "w_in": full(tau_syn / dt)}
                return nir.CubaLIF(full(tau_syn), full(tau_mem), v_leak=full(0.0), **gains, **threshold)
            case _ if kind in OWN_NODES:
                name, names = OWN_NODES[kind]
                params = {key: getattr(neuron, key) for key in names}
                if kind == "KLIFNode":
                    params["take"] = 1 / neuron.tau if neuron.decay_input else 1.0
                    params["back"] = 1 / neuron.k if neuron.scale_reset else 1.0
                if kind in WITHOUT_RESET:
                    del threshold["v_reset"]
                return own_neuron("spikingjelly", name, shape, **params, **threshold)
            case _:
                return None

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        own = [module for _, module in layers if self.neuron_class(module)]
        if any(getattr(module, "step_mode", "s") == "m" for module in own):
            return "ticks first"
        return None

    def reset(self, network: Any, samples: int) -> None:
        import_module("spikingjelly.activation_based.functional").reset_net(network)

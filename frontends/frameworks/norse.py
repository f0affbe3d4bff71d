"""Norse: its exporter drops v_reset and the rule of the reset, and supports neither pooling nor flattening.

Source: Norse 1.1.0, norse/torch/utils/export_nir.py and norse/torch/module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from .framework import CalledLayer, Framework, LayerShape, Settings, fill, numbers, settings_of
from .own_neurons import lif_of, own_neuron, recurrent_cell
from .torch_layers import linear, tensor_array

RESET_FUNCTIONS = {"reset_value": "value", "reset_subtract": "subtract"}
"""Option of nopt for the function of the reset."""
CELLS = {"LIF": "LIFCell", "IAF": "IAFCell", "LI": "LICell"}
"""Modules that process all ticks at once, each with the single-tick cell of the same neuron."""
RECURRENT = ("LIFRecurrentCell", "LIFRecurrent")
"""Current-based neurons with weights for their input and for their own spikes."""
SPIKING = ("LIFBoxCell", "LIFCell", "IAFCell", "LIF", "IAF", *RECURRENT)
OWN_CELLS = {
    "LSNNCell": "norse_lsnn",
    "LSNN": "norse_lsnn",
    "LSNNRecurrentCell": "norse_lsnn",
    "LSNNRecurrent": "norse_lsnn",
    "LIFAdExCell": "norse_lif_adex",
    "LIFAdEx": "norse_lif_adex",
    "LIFAdExRecurrentCell": "norse_lif_adex",
    "LIFAdExRecurrent": "norse_lif_adex",
    "LIFExCell": "norse_lif_ex",
    "LIFEx": "norse_lif_ex",
    "LIFExRecurrentCell": "norse_lif_ex",
    "LIFExRecurrent": "norse_lif_ex",
    "LIFRefracCell": "norse_lif_refrac",
    "LIFRefracRecurrentCell": "norse_lif_refrac",
    "LIFAdExRefracCell": "norse_lif_adex_refrac",
    "LIFAdExRefracRecurrentCell": "norse_lif_adex_refrac",
    "IzhikevichCell": "norse_izhikevich",
    "IzhikevichRecurrentCell": "norse_izhikevich",
}
"""Neurons with equations of their own."""
RATES = ("tau_syn", "tau_mem", "tau_adapt", "tau_ada")
"""Time constants, of which Norse stores the inverse."""
CELL_PARAMETERS = ("tau_mem_inv", "tau_syn_inv", "v_leak", "v_th", "v_reset")


class Norse(Framework):
    name, title = "norse", "Norse"
    exporter = "norse.torch.utils.export_nir"
    neurons = ("LIFBoxCell", "LIFCell", "IAFCell", "LIBoxCell", "LICell", *CELLS, *RECURRENT, *OWN_CELLS)
    exported_by = "norse"

    def find_dt(self, layers: Sequence[CalledLayer]) -> float | None:
        own = [layer for layer in layers if self.neuron_class(layer.module)]
        return self.common("dt", own, lambda layer: float(layer.module.dt))

    def settings(self, layers: Sequence[CalledLayer]) -> Settings:
        own = [layer for layer in layers if self.neuron_class(layer.module) in SPIKING]
        return settings_of(self.choose("reset", own, self.reset_rule))

    def reset_rule(self, layer: CalledLayer) -> str:
        method = getattr(layer.module.p, "reset_method", None)
        name = "reset_value" if method is None else getattr(method, "__name__", str(method))
        if name not in RESET_FUNCTIONS:
            self.refuse_setting(layer, "reset_method", " or ".join(RESET_FUNCTIONS), name)
        return RESET_FUNCTIONS[name]

    def prepare(self, layers: Sequence[CalledLayer]) -> None:
        for layer in layers:
            kind = self.neuron_class(layer.module)
            if kind is not None and kind not in OWN_CELLS:
                given = layer.module.p
                own = [name for name in CELL_PARAMETERS if hasattr(given, name)]
                filled = given._replace(**{name: fill(getattr(given, name), layer.shape) for name in own})
                if kind in CELLS or kind in RECURRENT:  # it starts from single numbers
                    layer.module.p_of_cell = filled
                else:
                    layer.module.p = filled

    def complete(self, nodes: Mapping[str, Any], layers: Sequence[CalledLayer]) -> dict[str, str]:
        """The exporter drops v_reset."""
        added: dict[str, str] = {}
        for layer in layers:
            if self.neuron_class(layer.module) in SPIKING:
                v_reset = np.broadcast_to(numbers(layer.module.p.v_reset), layer.shape)
                lif_of(nodes[layer.name]).v_reset = v_reset
                if v_reset.any():
                    added[layer.name] = "v_reset"
        return added

    def find_layout(self, layers: Sequence[tuple[str, Any]]) -> str | None:
        kinds = [self.neuron_class(module) for _, module in layers]
        return "ticks first" if any(kind and not kind.endswith("Cell") for kind in kinds) else None

    def inner_node(self, layer: CalledLayer) -> str:
        return ".lif" if "Recurrent" in (self.neuron_class(layer.module) or "") else ""

    def node_name(self, layer: CalledLayer) -> str:
        return layer.name.removesuffix(".lifted_module")

    def keeps_state(self, module: Any) -> bool:
        return False

    def node_of_neuron(self, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
        exporter, cells = import_module(self.exporter), import_module("norse.torch")
        module = layer.module
        kind = self.neuron_class(module) or ""
        if "Recurrent" in kind:
            if kind in OWN_CELLS:
                neuron = own_equations(layer, kind, shape)
            else:
                neuron = exporter._extract_norse_module(cells.LIFCell(p=module.p_of_cell, dt=module.dt), dt)
            weights = (linear(tensor_array(w), None) for w in (module.recurrent_weights, module.input_weights))
            w_rec, w_in = weights
            return recurrent_cell(neuron, w_rec, (w_in.weight.shape[1],), shape, w_in)
        if kind in OWN_CELLS:
            return own_equations(layer, kind, shape)
        name = CELLS.get(kind)
        cell = module if name is None else getattr(cells, name)(p=module.p_of_cell, dt=module.dt)
        return leaky_integrator(cell) if self.kind(cell) == "LICell" else exporter._extract_norse_module(cell, dt)


def leaky_integrator(cell: Any) -> Any:
    """Returns the node of a LICell, which the exporter does not support. The input is added to the current without a factor: w_in = tau_syn / dt."""
    import nir

    tau_syn, tau_mem = 1 / numbers(cell.p.tau_syn_inv), 1 / numbers(cell.p.tau_mem_inv)
    v_leak = numbers(cell.p.v_leak)
    return nir.CubaLI(tau_syn, tau_mem, r=np.ones_like(tau_mem), v_leak=v_leak, w_in=tau_syn / cell.dt)


def own_equations(layer: CalledLayer, kind: str, shape: LayerShape) -> Any:
    """Returns a population with the equations of Norse, with the parameters of the layer."""
    module, params = layer.module, dict[str, Any]()
    given = module.p._asdict()
    for inner in ("lif", "lif_adex"):
        if inner in given:
            given = {**given.pop(inner)._asdict(), **given}
    for name, value in given.items():
        if name.removesuffix("_inv") in RATES:
            params[name.removesuffix("_inv")] = 1 / numbers(value)
        elif name not in ("method", "alpha", "reset_method"):
            params[name] = value
    if OWN_CELLS[kind] == "norse_izhikevich":
        params |= {"v_start": module.spiking_method.s.v, "u_start": module.spiking_method.s.u}
    return own_neuron("norse", OWN_CELLS[kind], shape, **params)

"""Neurons of Spyx as nodes of NIR, and as populations with equations of their own where NIR has no node.

A neuron of Spyx adds its input unscaled to `beta v`: `tau = dt / (1 - beta)` and `r = 1 / (1 - beta)`. NIR has no time constant for a decay of 1; a layer with such
neurons gets the equations of `neurons/spyx.neuron`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..framework import CalledLayer
from ..own_neurons import own_neuron, recurrent_cell
from ..torch_layers import LayerShape
from .framework import RECURRENT, Spyx, is_parallel

STEP_PROBES = (-2.0, -0.5, -1e-6, 0.0, 1e-6, 0.5, 2.0)
"""Distances to the threshold at which an activation is a step."""


def flax_array(value: Any) -> NDArray[np.float64]:
    """Returns a parameter, a number or an array, in double precision."""
    return np.asarray(value[...] if hasattr(value, "get_metadata") else value, np.float64)


def of_neurons(value: Any, shape: LayerShape) -> NDArray[np.float64]:
    """Returns a parameter with an entry for each neuron, channels first."""
    last = (*shape[1:], shape[0]) if len(shape) > 1 else shape
    filled = np.broadcast_to(flax_array(value), last)
    return np.moveaxis(filled, -1, 0).copy()


def node_of_neurons(framework: Spyx, layer: CalledLayer, shape: LayerShape, dt: float) -> Any:
    """Returns the node of a layer of neurons. Errors: IMP009 an activation that is not a step, recurrent maps."""
    import nir

    module, kind = layer.module, framework.neuron_class(layer.module) or ""
    require_step(framework, layer)
    if kind in RECURRENT:
        if len(shape) > 1:
            framework.refuse_setting(layer, "hidden_shape", "(neurons,)", module.hidden_shape)
        weights = nir.Linear(flax_array(module.recurrent_w).T.copy())
        return recurrent_cell(single_node(module, RECURRENT[kind], shape, dt), weights, shape, shape)
    if is_parallel(kind):
        return parallel_cell(module, shape, dt)
    return single_node(module, kind, shape, dt)


def single_node(module: Any, kind: str, shape: LayerShape, dt: float) -> Any:
    """Returns the node of neurons without recurrent weights."""
    import nir

    level = of_neurons(getattr(module, "threshold", 1), shape)
    beta, alpha, gamma = (decay_of(module, name, shape) for name in ("beta", "alpha", "gamma"))
    match kind:
        case "ALIF":
            return own_neuron("spyx", "spyx_alif", shape, keep=beta, keep_t=gamma, v_threshold=level)
        case "LI" if (beta < 1).all():
            return leaky(beta, dt)
        case "LI":
            return own_neuron("spyx", "spyx_li", shape, keep=beta)
        case "CuBaLIF" if (beta < 1).all() and (alpha < 1).all():
            gains = {"r": 1 / (1 - beta), "w_in": 1 / (1 - alpha), "v_leak": np.zeros(shape)}
            return nir.CubaLIF(tau_syn=dt / (1 - alpha), tau_mem=dt / (1 - beta), v_threshold=level, **gains)
        case "CuBaLIF":
            return own_neuron("spyx", "spyx_cuba_lif", shape, keep=beta, keep_i=alpha, v_threshold=level)
        case "LIF" if (beta < 1).all():
            return nir.LIF(tau=dt / (1 - beta), r=1 / (1 - beta), v_leak=np.zeros(shape), v_threshold=level)
        case "LIF" if (beta < 1).any():
            return own_neuron("spyx", "spyx_lif", shape, keep=beta, v_threshold=level)
        case _:
            return nir.IF(r=np.ones(shape), v_threshold=level)


def decay_of(module: Any, name: str, shape: LayerShape) -> NDArray[np.float64]:
    """Returns a decay, which Spyx clips to 0 and 1; 1 if the neurons have none."""
    return np.clip(of_neurons(getattr(module, name, 1.0), shape), 0, 1)


def leaky(beta: NDArray[np.float64], dt: float) -> Any:
    import nir

    return nir.LI(tau=dt / (1 - beta), r=1 / (1 - beta), v_leak=np.zeros(beta.shape))


def parallel_cell(module: Any, shape: LayerShape, dt: float) -> Any:
    """Returns a nested graph of neurons that never reset.

    input -> membrane -> threshold -> output
    """
    import nir

    nodes = {"input": nir.Input({"input": np.asarray(shape)}), "membrane": single_node(module, "LI", shape, dt)}
    nodes["threshold"] = nir.Threshold(of_neurons(module.threshold, shape))
    nodes["output"] = nir.Output({"output": np.asarray(shape)})
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)


def require_step(framework: Spyx, layer: CalledLayer) -> None:
    """Refuses neurons whose output is not a step at the threshold. Errors: IMP009."""
    activation = getattr(layer.module, "spike", None)
    if activation is None:
        return
    probes = np.asarray(STEP_PROBES, np.float32)
    found = np.asarray(activation(probes))
    if not np.array_equal(found, probes > 0):
        framework.refuse_setting(
            layer,
            "activation",
            "a function of spyx.axn, whose forward is a step",
            f"{found[-1]:g} at {probes[-1]:g} above the threshold",
        )

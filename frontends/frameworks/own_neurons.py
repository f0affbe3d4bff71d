"""Populations with equations of their own, in graphs of the `nir` package: neurons that NIR has no node for, and cells with recurrent weights.

`neurons/FRAMEWORK.neuron` holds the equations of a framework.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.neuron.neuron import parse_neurons
from ...core.neuron.tree import NeuronFile, format
from .torch_layers import LayerShape

FOLDER = Path(__file__).parent / "neurons"


@dataclass
class Neuron:
    """Node of the `nir` dialect's `nir.neuron`."""

    equations: str
    params: Mapping[str, NDArray[Any]]
    input_type: dict[str, Any] = field(default_factory=dict[str, Any])
    output_type: dict[str, Any] = field(default_factory=dict[str, Any])
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


@cache
def equations_of(framework: str, name: str) -> str:
    """Returns the text of one neuron of a framework's file."""
    path = FOLDER / f"{framework}.neuron"
    neurons = parse_neurons(path.read_text(encoding="utf-8"), str(path)).neurons
    return format(NeuronFile(None, tuple(one for one in neurons if one.name == name)))


def own_neuron(framework: str, name: str, shape: LayerShape, **params: Any) -> Any:
    """Returns a population of a framework's own neuron. Every parameter has an entry for each neuron, each channel or all neurons."""
    made = {key: parameter_array(value, shape) for key, value in params.items()}
    return Neuron(equations_of(framework, name), made)


def parameter_array(value: Any, shape: LayerShape) -> NDArray[np.float64]:
    """Returns a parameter with an entry for each neuron."""
    values = np.asarray(value.detach().cpu().numpy() if hasattr(value, "detach") else value, np.float64)
    if values.size > 1 and values.ndim < len(shape):
        values = values.reshape(values.shape + (1,) * (len(shape) - values.ndim))
    return np.broadcast_to(values.reshape(()) if values.size == 1 else values, shape).copy()


def recurrent_cell(neuron: Any, weights: Any, given: LayerShape, shape: LayerShape, weights_in: Any = None) -> Any:
    """Returns a nested graph of neurons whose output enters them through weights in the next tick.

    input -> [w_in] -> lif -> output,  lif -> w_rec -> lif
    """
    import nir

    nodes: dict[str, Any] = {"input": nir.Input({"input": np.asarray(given)}), "lif": neuron, "w_rec": weights}
    nodes["output"] = nir.Output({"output": np.asarray(shape)})
    edges = [("lif", "w_rec"), ("w_rec", "lif"), ("lif", "output")]
    if weights_in is None:
        edges.append(("input", "lif"))
    else:
        nodes["w_in"] = weights_in
        edges += [("input", "w_in"), ("w_in", "lif")]
    return nir.NIRGraph(nodes, edges, type_check=False)


def lif_of(node: Any) -> Any:
    """Returns the population of a layer's node: itself, or that of a recurrent cell."""
    return node.nodes["lif"] if type(node).__name__ == "NIRGraph" else node

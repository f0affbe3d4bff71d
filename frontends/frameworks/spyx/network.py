"""A network of Spyx: its chain of layers, its graph in NIR, and its runs in JAX.

A network is a `spyx.nn.Sequential`, which may contain others, or one layer of neurons. A layer has the name of its path, such as `layers.0`.
JAX is imported when such a network is imported, and not before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from math import prod
from typing import Any, NoReturn, cast

import numpy as np
from attrs import evolve
from numpy.typing import NDArray

from ....core.diagnostics import refuse
from ..exported import Exported, settle_dt, versions_of
from ..foreign import Foreign
from ..framework import IMP008, CalledLayer, LayerShape, Settings, class_of
from ..inputs import FirstLayer, InputArray, find_shape
from ..layouts import IMP013, Layout, Nodes
from .framework import CONTAINER, REMOVED, Spyx
from .neurons import node_of_neurons
from .nodes import MOST_INPUTS, is_reordering, node_of_layer, ordered_flatten

JAX_PACKAGES = ("flax", "jax", "nir")
SAMPLES, TICKS = 2, 3
"""Axis sizes of a trial input."""


class SpyxNetwork:
    """A network of Spyx that runs as a copy, without dropout."""

    def __init__(self, module: Any, framework: Spyx, at: str):
        self.framework, self.at = framework, at
        self.other_shape: LayerShape | None = None
        with self.foreign():
            nnx: Any = import_module("flax.nnx")
            self.nn: Any = import_module(framework.exporter)
            self.module = nnx.clone(module)
            self.module.eval()
        self.layers = self.chain(self.module)

    def foreign(self, shape: str = "") -> Foreign:
        """Returns the context of code of Spyx."""
        expected = f"an output for an input of shape {shape}" if shape else "a network that can be copied"
        help = f"--shape {'x'.join(map(str, self.other_shape))}" if shape and self.other_shape else None
        return Foreign(IMP013, "the network fails in Spyx", self.at, expected, help)

    def chain(self, module: Any, name: str = "") -> list[CalledLayer]:
        """Returns the layers in the order of their calls. Their shapes are not known. Errors: IMP008 the network is not a chain."""
        is_spyx = class_of(module, self.framework.name) == "Sequential"
        is_container = is_spyx or (bool(name) and class_of(module, "flax") == "Sequential")
        if not name and not is_container and self.framework.neuron_class(module) is None:
            self.refuse_container(type(module).__name__, self.at)
        if not is_container:
            return [CalledLayer(name or type(module).__name__, module, ())]
        found: list[CalledLayer] = []
        for number, layer in enumerate(module.layers):
            if not is_spyx and self.framework.neuron_class(layer) is not None:
                self.refuse_container("Sequential of Flax with a layer of neurons", f'"{name}"')
            found += self.chain(layer, f"{name}.layers.{number}" if name else f"layers.{number}")
        if not name and not found:
            self.refuse_container("Sequential without layers", self.at)
        return found

    def refuse_container(self, found: str, at: str) -> NoReturn:
        """Errors: IMP008."""
        refuse(
            IMP008,
            f"{found} cannot be exported from Spyx",
            at=at,
            expected=f"a {CONTAINER} of layers, or one layer of neurons",
            found=found,
            help=f"return {CONTAINER}(…) of its layers from the function",
        )

    def tick(self, x: Any, states: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Computes one tick. Returns the output and the state of each layer."""
        outputs, following = list[Any](), list[Any]()
        for layer, state in zip(self.layers, states, strict=True):
            if hasattr(layer.module, "initial_state"):
                x, state = layer.module(x, state)
            else:
                x = layer.module(x)
            outputs.append(x)
            following.append(state)
        return outputs, following

    def outputs_of(self, x: Any) -> list[Any]:
        """Returns the output of each layer, and last that of the network itself. Shapes: [ticks, samples, …, channels]."""
        modules = [layer.module for layer in self.layers]
        states = [one.initial_state(x.shape[1]) if hasattr(one, "initial_state") else None for one in modules]
        outputs = self.nn.run(self.tick, x, states)[0]
        return [*outputs, self.nn.run(self.module, x)[0]]

    def shapes(self, given: LayerShape) -> list[LayerShape]:
        """Returns the shape of the output of each layer, channels first. Errors: IMP013."""
        with self.foreign("x".join(map(str, given))):
            jax: Any = import_module("jax")
            x = jax.ShapeDtypeStruct((TICKS, SAMPLES, *given[1:], *given[:1]), np.float32)
            found = jax.eval_shape(self.outputs_of, x)
            return [(*one.shape[-1:], *one.shape[2:-1]) for one in found[:-1]]

    def run(self, arrays: Sequence[NDArray[Any]], layout: Layout, nodes: Nodes) -> dict[str, NDArray[Any]]:
        """Runs the network from its initial state. Shapes: arrays [samples, ticks, *shape]; results [samples, ticks, …]. Errors: IMP013."""
        (x,) = arrays
        with self.foreign("x".join(map(str, x.shape))):
            last = np.moveaxis(np.swapaxes(x, 0, 1), 2, -1).astype(np.float32)
            outputs = [np.asarray(one) for one in self.outputs_of(last)]
        outputs = [*outputs[:-2], outputs[-1]]
        return {
            node: np.swapaxes(np.moveaxis(values, -1, 2), 0, 1)
            for layer, values in zip(self.layers, outputs, strict=True)
            for node in nodes.get(layer.name, ())
        }

    def first_layer(self) -> FirstLayer:
        """Returns the input of the first layer with weights."""
        for layer in self.layers:
            module = layer.module
            match self.framework.kind(module):
                case "Linear":
                    return FirstLayer("Linear", int(module.in_features))
                case "Conv":
                    kind = {1: "Conv1d", 2: "Conv2d"}.get(len(module.kernel_size), "Conv")
                    return FirstLayer(kind, None, int(module.in_features))
                case _:
                    continue
        return FirstLayer()

    def neuron_shape(self) -> LayerShape | None:
        """Returns the shape of the first layer, if it is one of neurons."""
        first = self.layers[0].module
        if self.framework.neuron_class(first) is None:
            return None
        size = getattr(first, "hidden_shape", None) or first.layer_shape
        return (int(size[-1]), *map(int, size[:-1]))


def list_modules_of_flax(network: Any) -> list[tuple[str, Any]]:
    """Returns the modules of a network of Flax NNX by name."""
    nnx = cast("Any", import_module("flax.nnx"))
    return [(".".join(map(str, path)), module) for path, module in nnx.iter_modules(network)]


def export_spyx(
    module: Any,
    framework: Spyx,
    *,
    at: str,
    shape: LayerShape | Mapping[str, LayerShape] | None,
    array: InputArray | None,
    dt: float | None,
) -> Exported:
    """Returns the graph of a network of Spyx, with the data for its comparison.

    Errors: IMP007, IMP008, IMP009, IMP013, IMP019, IMP023.
    """
    network = SpyxNetwork(module, framework, at)
    framework.require_support(network.layers)
    given = next(iter(shape.values())) if isinstance(shape, Mapping) else shape
    own = network.neuron_shape()
    start, network.other_shape = (
        (own, None) if given is None and own is not None else find_shape(network.first_layer(), given, array, at)
    )
    sizes = network.shapes(start)
    step = settle_dt(framework, None, dt)
    graph, kept = graph_of(network, start, sizes, step)
    calls = {layer.name: (layer.name,) for layer in kept}
    versions = versions_of(framework.name, JAX_PACKAGES)
    return Exported(network, graph, Layout("ticks first"), kept, Settings(), step, versions, {"input": start}, calls)


def graph_of(
    network: SpyxNetwork, start: LayerShape, sizes: Sequence[LayerShape], dt: float
) -> tuple[Any, list[CalledLayer]]:
    """Returns the graph, and the layers that have nodes."""
    import nir

    framework = network.framework
    nodes: dict[str, Any] = {"input": nir.Input({"input": np.asarray(start)})}
    kept = list_kept(network, start, sizes)
    given, flat = start, None
    for layer, following in zip(kept, [*kept[1:], None], strict=True):
        is_order_lost = framework.kind(layer.module) == "Flatten" and is_reordering(given)
        is_permuted = following is not None and framework.kind(following.module) == "Linear"
        if framework.neuron_class(layer.module) is not None:
            nodes[layer.name] = node_of_neurons(framework, layer, layer.shape, dt)
        elif is_order_lost and not is_permuted:
            if prod(given) > MOST_INPUTS:
                framework.refuse_setting(
                    layer, "the next layer", "Linear", following and framework.kind(following.module)
                )
            nodes[layer.name] = ordered_flatten(given, layer.shape)
        else:
            nodes[layer.name] = node_of_layer(framework, layer, given, layer.shape, flat)
        flat = given if is_order_lost and is_permuted else None
        given = layer.shape
    nodes["output"] = nir.Output({"output": np.asarray(given)})
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False), kept


def list_kept(network: SpyxNetwork, start: LayerShape, sizes: Sequence[LayerShape]) -> list[CalledLayer]:
    """Returns the layers that have nodes, with their shapes: neither dropout nor a Flatten of a vector."""
    kind, before = network.framework.kind, [start, *sizes[:-1]]
    return [
        evolve(layer, shape=size)
        for layer, given, size in zip(network.layers, before, sizes, strict=True)
        if kind(layer.module) not in REMOVED and (kind(layer.module) != "Flatten" or len(given) > 1)
    ]

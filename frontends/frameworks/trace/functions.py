"""Functions between layers as signals: sums, concatenations, functions with the settings of a layer, and functions of one signal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from math import prod
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ..torch_layers import (
    LayerShape,
    convolution,
    flatten,
    linear,
    node_of_layer,
    reshape,
    scaling,
    tensor_array,
    unsupported_setting,
)
from .function_probes import FunctionProbe
from .graph_builder import GraphBuilder, SignalPart, TensorSignal

SUM_FUNCTIONS = (
    *("add", "add_", "__add__", "__radd__", "__iadd__"),
    *("sub", "sub_", "__sub__", "__rsub__", "__isub__", "subtract"),
)
CONCATENATIONS = ("cat", "concat", "concatenate", "hstack")
POOL_FUNCTIONS = {f"{name}_pool{axes}d": f"{name.title()}Pool{axes}d" for name in ("max", "avg") for axes in (1, 2)}
"""Functions of pools, each with its layer."""


@frozen
class SignalFunctions:
    """The functions of a tick, whose nodes are added to its graph."""

    graph: GraphBuilder

    def sum(
        self,
        name: str,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        signals: Sequence[TensorSignal],
        result: Any,
    ) -> TensorSignal | None:
        """Returns a sum or difference of two signals; None for shapes that differ, or a factor."""
        graph = self.graph
        if len(signals) != 2 or len(arguments) != 2 or named.get("alpha", 1) != 1:
            return None
        if signals[0].shape != signals[1].shape or prod(result.shape) != prod(signals[0].shape):
            return None
        if "sub" not in name:
            return graph.sum(signals)
        first, second = reversed(signals) if name == "__rsub__" else signals
        part, shape = graph.join(second), second.shape
        negative = scaling(np.full(shape, -1.0), np.zeros(shape), shape)
        return graph.sum([first, graph.add("scale", negative, part, shape)])

    def concatenation(self, signals: Sequence[TensorSignal], result: Any) -> TensorSignal | None:
        """Returns a concatenation along the first axis of a sample; None along another one."""
        found = TensorSignal(tuple(part for signal in signals for part in signal.parts))
        rests = {part.shape[1:] for part in found.parts}
        return found if len(rests) == 1 and stripped(result.shape) == stripped(found.shape) else None

    def of_one_signal(
        self,
        function: Any,
        name: str,
        arguments: Sequence[Any],
        named: Mapping[str, Any],
        tensor: Any,
        signal: TensorSignal,
        number: int,
        result: Any,
    ) -> TensorSignal | None:
        """Returns the output of a function of one signal; None for a function that is neither linear nor computes each element."""
        graph = self.graph
        rest = tuple(result.shape[len(result.shape) - len(signal.shape) :])
        if number == 0 and (node := node_of_function(name, arguments[1:], named, signal.shape, rest)) is not None:
            return graph.apply(name, node, signal, rest)
        if prod(tensor.shape) != prod(signal.shape):
            return None
        shape = result_shape(tensor, signal.shape, result)
        probe = FunctionProbe(function, arguments, named, tensor, signal.shape, number, shape)
        if (slope := probe.slope()) is not None:
            return self.scaled(*slope, signal, shape)
        if (node := probe.activation()) is not None:
            found = graph.add(name, node, graph.join(signal), signal.shape)
            return shaped(graph, found, shape)
        if (node := probe.weights()) is None:
            return None
        if type(node).__name__.startswith("Conv"):
            return graph.add(name, node, graph.join(signal), shape)
        flat = shaped(graph, signal, (prod(signal.shape),))
        return shaped(graph, graph.add(name, node, graph.join(flat), (prod(shape),)), shape)

    def scaled(
        self, gain: NDArray[np.float64], offset: NDArray[np.float64], signal: TensorSignal, shape: LayerShape
    ) -> TensorSignal | None:
        """Returns `gain x + offset` in a shape; None if no node has these numbers."""
        graph = self.graph
        if (gain != 1).any() or offset.any():
            node = scaling(gain.reshape(signal.shape), offset.reshape(signal.shape), signal.shape)
            if node is None:
                return None
            signal = graph.add("scale", node, graph.join(signal), signal.shape)
        if shape == signal.shape:
            return signal
        return self.flattened(signal) if shape == (prod(signal.shape),) else shaped(graph, signal, shape)

    def flattened(self, signal: TensorSignal) -> TensorSignal:
        """Returns a signal with one axis. The parts of a concatenation are flattened one by one."""
        parts = list[SignalPart]()
        for part in signal.parts:
            size = (prod(part.shape),)
            parts += self.graph.add("flatten", flatten(part.shape, size), part, size).parts
        return TensorSignal(tuple(parts))


def shaped(graph: GraphBuilder, signal: TensorSignal, shape: LayerShape) -> TensorSignal:
    """Returns a signal in another shape of the same elements, for example with an axis of one channel."""
    if signal.shape == shape or prod(signal.shape) != prod(shape):
        return signal
    return graph.add("reshape", reshape(shape), graph.join(signal), shape)


def result_shape(tensor: Any, shape: LayerShape, result: Any) -> LayerShape:
    """Returns the shape of a result without the axes of samples and ticks, which are those of the argument."""
    sizes = tuple(int(size) for size in result.shape)
    leading = len(tensor.shape) - len(shape)
    if stripped(sizes) == stripped(shape):
        return shape
    if len(sizes) > leading and set(sizes[:leading]) <= {1}:
        return sizes[leading:]
    return stripped(sizes)


def stripped(shape: Sequence[int]) -> LayerShape:
    """Returns a shape without the axes of size 1 at its front: samples and ticks."""
    start = next((number for number, size in enumerate(shape) if size != 1), len(shape))
    return tuple(int(size) for size in shape[start:])


def node_of_function(
    name: str, arguments: Sequence[Any], named: Mapping[str, Any], given: LayerShape, result: LayerShape
) -> Any:
    """Returns the node of a function with the settings of a layer; None for other functions and settings."""
    torch: Any = import_module("torch")
    match name:
        case "linear":
            settings = {**dict(zip(("weight", "bias"), arguments, strict=False)), **named}
            return linear(tensor_array(settings["weight"]), settings.get("bias"))
        case "conv1d" | "conv2d":
            keys = ("weight", "bias", "stride", "padding", "dilation", "groups")
            settings = {**dict(zip(keys, arguments, strict=False)), **named}
            weight, bias = tensor_array(settings.pop("weight")), settings.pop("bias", None)
            return convolution(weight, None if bias is None else tensor_array(bias), **settings)
        case _ if (kind := POOL_FUNCTIONS.get(name)) is not None:
            layer = getattr(torch.nn, kind)(*arguments[:3], **named)
            is_supported = len(arguments) <= 3 and unsupported_setting(layer, kind) is None
            return node_of_layer(layer, kind, given, result) if is_supported else None
        case _:
            return None

"""Layers of PyTorch as nodes of the `nir` package, and as nodes of nopt's own: max pools, transposed convolutions, upsampling and reshapes.

A layer is converted from its settings and from the shapes of its input and output in one tick, without samples and ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import make_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dialects import nir as ops

LayerShape = tuple[int, ...]

NORMALISATIONS = ("BatchNorm1d", "BatchNorm2d")
POOL_LAYERS = ("AvgPool1d", "AvgPool2d", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "MaxPool1d", "MaxPool2d")
LAYERS = (
    *("Linear", "Conv1d", "Conv2d", "ConvTranspose1d", "ConvTranspose2d", *POOL_LAYERS, "Flatten", *NORMALISATIONS),
    *("Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d", "ZeroPad2d"),
)
"""Layers of PyTorch that have nodes."""

SETTINGS: Mapping[str, tuple[tuple[str, object], ...]] = {
    "AvgPool1d": (("ceil_mode", False),),
    "AvgPool2d": (("ceil_mode", False), ("divisor_override", None)),
    "MaxPool1d": (("ceil_mode", False), ("return_indices", False), ("dilation", 1)),
    "MaxPool2d": (("ceil_mode", False), ("return_indices", False), ("dilation", 1)),
    "Conv1d": (("padding_mode", "zeros"),),
    "Conv2d": (("padding_mode", "zeros"),),
    "ConvTranspose1d": (("padding_mode", "zeros"),),
    "ConvTranspose2d": (("padding_mode", "zeros"),),
}
"""The only value of a setting that nodes have, by the class of the layer."""


@cache
def node_class(kind: type[ops.NodeOp]) -> type[Any]:
    """Returns the class of the nodes of an op, with its parameters in the order of the op."""

    def start(self: Any) -> None:
        given: dict[str, Any] = {"input": None}
        result: dict[str, Any] = {"output": None}
        self.input_type, self.output_type = given, result

    return make_dataclass(
        kind.__name__.removesuffix("Op"),
        [(name, Any) for name in kind.PARAMETERS],
        bases=(import_module("nir").NIRNode,),
        namespace={"__post_init__": start},
        eq=False,
    )


def unsupported_setting(layer: Any, kind: str | None) -> tuple[str, str, object] | None:
    """Returns a setting of a layer that no node has: its name, the supported value and its own; None for a supported layer."""
    for name, value in SETTINGS.get(kind or "", ()):
        own = getattr(layer, name, value)
        if np.any(np.asarray(own) != np.asarray(value)):
            return name, str(value), own
    if kind in ("AvgPool1d", "AvgPool2d") and np.any(getattr(layer, "padding", 0)) and not layer.count_include_pad:
        return "count_include_pad", "True", False
    if kind in NORMALISATIONS and layer.running_var is None:
        return "track_running_stats", "True", False
    if kind in ("Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d"):
        factor = None if layer.scale_factor is None else np.asarray(layer.scale_factor, np.float64)
        if layer.mode not in ("nearest", "linear", "bilinear"):
            return "mode", "nearest, linear or bilinear", layer.mode
        if factor is None or (factor != np.round(factor)).any():
            return "scale_factor", "a whole number", layer.scale_factor
    return None


def tensor_array(tensor: Any) -> NDArray[Any]:
    return np.asarray(tensor.detach().cpu().numpy())


def layer_bias(layer: Any, channels: int, dtype: Any) -> NDArray[Any]:
    bias = getattr(layer, "bias", None)
    return np.zeros(channels, dtype) if bias is None else tensor_array(bias)


def pair(size: Any) -> NDArray[np.int64]:
    """Returns a size for both axes."""
    return np.broadcast_to(np.asarray(size, np.int64).reshape(-1), (2,)).copy()


def node_of_layer(layer: Any, kind: str | None, given: LayerShape, result: LayerShape) -> Any:
    """Returns the node of a layer of PyTorch; None for other layers."""
    import nir

    match kind:
        case "Linear":
            return linear(tensor_array(layer.weight), getattr(layer, "bias", None))
        case "Flatten":
            return flatten(given, result)
        case "Conv1d" | "Conv2d":
            weight = tensor_array(layer.weight)
            steps = {name: getattr(layer, name) for name in ("stride", "padding", "dilation", "groups")}
            return convolution(weight, layer_bias(layer, len(weight), weight.dtype), **steps)
        case "AvgPool1d":
            (size,), (stride,), (padding,) = (np.ravel(n) for n in (layer.kernel_size, layer.stride, layer.padding))
            weight = np.full((given[0], 1, int(size)), 1 / size)
            return convolution(weight, None, int(stride), int(padding), 1, given[0])
        case "AvgPool2d":
            return nir.AvgPool2d(pair(layer.kernel_size), pair(layer.stride or layer.kernel_size), pair(layer.padding))
        case "AdaptiveAvgPool1d" | "AdaptiveAvgPool2d":
            size = np.asarray(given[1:]) // np.asarray(result[1:])
            if not divides(given, result):
                return None
            if kind == "AdaptiveAvgPool1d":
                return convolution(
                    np.full((given[0], 1, int(size[0])), 1 / size[0]), None, int(size[0]), 0, 1, given[0]
                )
            return nir.AvgPool2d(size, size, np.zeros(2, np.int64))
        case "MaxPool1d":
            (size,), (stride,), (padding,) = (
                np.ravel(n) for n in (layer.kernel_size, layer.stride or layer.kernel_size, layer.padding)
            )
            sizes = (np.asarray((1, size)), np.asarray((1, stride)), np.asarray((0, padding)))
            return of_rows(node_class(ops.MaxPool2dOp)(*sizes), given, result)
        case "MaxPool2d":
            sizes = (layer.kernel_size, layer.stride or layer.kernel_size, layer.padding)
            return node_class(ops.MaxPool2dOp)(*map(pair, sizes))
        case "ConvTranspose2d":
            weight = tensor_array(layer.weight)
            steps = (layer.stride, layer.padding, layer.output_padding, layer.dilation)
            bias = layer_bias(layer, layer.out_channels, weight.dtype)
            return node_class(ops.ConvTranspose2dOp)(weight, *map(pair, steps), np.asarray(layer.groups), bias)
        case "ConvTranspose1d":
            weight = tensor_array(layer.weight)[:, :, None]
            steps = [
                np.asarray((first, int(np.ravel(n)[0])))
                for first, n in ((1, layer.stride), (0, layer.padding), (0, layer.output_padding), (1, layer.dilation))
            ]
            bias = layer_bias(layer, layer.out_channels, weight.dtype)
            node = node_class(ops.ConvTranspose2dOp)(weight, *steps, np.asarray(layer.groups), bias)
            return of_rows(node, given, result)
        case "Upsample" if len(given) == 2:
            mode = {"nearest": "nearest", "linear": "bilinear"}.get(layer.mode)
            corners = "-corners" if layer.align_corners else ""
            factor = np.asarray((1, int(np.ravel(layer.scale_factor)[0])))
            return (
                None
                if mode is None
                else of_rows(node_class(ops.Upsample2dOp)(factor, f"{mode}{corners}"), given, result)
            )
        case "Upsample" | "UpsamplingNearest2d" | "UpsamplingBilinear2d":
            if layer.mode == "linear":
                return None
            corners = "-corners" if layer.align_corners else ""
            return node_class(ops.Upsample2dOp)(pair(layer.scale_factor), f"{layer.mode}{corners}")
        case "BatchNorm1d" | "BatchNorm2d":
            gain = 1 / np.sqrt(tensor_array(layer.running_var).astype(np.float64) + layer.eps)
            offset = -tensor_array(layer.running_mean) * gain
            if layer.affine:
                weight = tensor_array(layer.weight).astype(np.float64)
                gain, offset = gain * weight, offset * weight + tensor_array(layer.bias)
            return scaling(gain, offset, given)
        case "ZeroPad2d":
            left, right, top, bottom = layer.padding
            weight = np.zeros((given[0], 1, 1 + top + bottom, 1 + left + right))
            weight[:, :, bottom, right] = 1
            padding = np.asarray((top + bottom, left + right))
            return convolution(weight, None, 1, padding, 1, given[0])
        case _:
            return None


def reshape(shape: LayerShape) -> Any:
    """Returns a Reshape to a shape."""
    return node_class(ops.ReshapeOp)(np.asarray(shape, np.int64))


def of_rows(node: Any, given: LayerShape, result: LayerShape) -> Any:
    """Returns a nested graph with a node of maps, for signals [channels, positions]: a row is a map of one line.

    input -> map -> layer -> row -> output
    """
    import nir

    nodes = {"input": nir.Input({"input": np.asarray(given)}), "map": reshape((given[0], 1, given[1])), "layer": node}
    nodes |= {"row": reshape(result), "output": nir.Output({"output": np.asarray(result)})}
    names = list(nodes)
    return nir.NIRGraph(nodes, list(pairwise(names)), type_check=False)


def divides(given: LayerShape, result: LayerShape) -> bool:
    """Returns whether an adaptive pool has windows of one size."""
    return not any(size % count for size, count in zip(given[1:], result[1:], strict=True))


def linear(weight: NDArray[Any], bias: Any) -> Any:
    import nir

    return nir.Linear(weight) if bias is None else nir.Affine(weight, tensor_array(bias))


def flatten(given: LayerShape, result: LayerShape) -> Any:
    """Returns the Flatten between two shapes; None if no axes are joined."""
    import nir

    count = len(given) - len(result) + 1
    for start in range(len(given) - count + 1):
        joined = (*given[:start], prod(given[start : start + count]), *given[start + count :])
        if joined == result:
            end = start + count - 1
            return nir.Flatten(input_type={"input": np.asarray(given)}, start_dim=start, end_dim=end)
    return None


def convolution(
    weight: NDArray[Any],
    bias: NDArray[Any] | None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Any:
    """Returns a convolution over one or two axes, by the shape of its weights."""
    import nir

    kind: Any = nir.Conv1d if weight.ndim == 3 else nir.Conv2d
    bias = np.zeros(len(weight), weight.dtype) if bias is None else bias
    steps = {"stride": stride, "padding": padding, "dilation": dilation}
    if weight.ndim == 4:
        steps = {name: value if isinstance(value, str) else pair(value) for name, value in steps.items()}
    return kind(input_shape=None, weight=weight, groups=groups, bias=bias, **steps)


def scaling(gain: NDArray[Any], offset: NDArray[Any], shape: LayerShape) -> Any:
    """Returns a node of `gain x + offset`; None if no node has such numbers: an offset that differs inside of a channel.

    Shapes: gain and offset have an entry for each channel, or for each element.
    """
    import nir

    ends = (1,) * (len(shape) - 1)
    values = [a.reshape(*a.shape, *ends) if a.ndim == 1 else a for a in (np.asarray(gain), np.asarray(offset))]
    gains, offsets = (np.broadcast_to(a, shape).astype(np.float64) for a in values)
    if not offsets.any():
        return nir.Scale(gains.copy())
    if len(shape) == 1:
        return nir.Affine(np.diag(gains), offsets.copy())
    first = tuple(a.reshape(shape[0], -1)[:, :1] for a in (gains, offsets))
    if any((a.reshape(shape[0], -1) != b).any() for a, b in zip((gains, offsets), first, strict=True)):
        return None
    return convolution(first[0].reshape(shape[0], 1, *ends), first[1].reshape(-1), groups=shape[0])


def placement(start: int, count: int, shape: LayerShape) -> Any:
    """Returns a node that writes channels into a larger map: the operand is the part from `start` on. `shape` is that of the map."""
    weight = np.zeros((shape[0], count))
    weight[start + np.arange(count), np.arange(count)] = 1
    if len(shape) == 1:
        return linear(weight, None)
    return convolution(weight.reshape(*weight.shape, *(1,) * (len(shape) - 1)), None)

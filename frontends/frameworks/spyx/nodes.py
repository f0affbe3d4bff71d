"""Layers of Flax and Spyx without a state as nodes of NIR: weights, pools, normalisations and Flatten.

Spyx has channels last, NIR channels first. A Flatten of a map keeps the order of Spyx: the weights after it are permuted.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....dialects import nir as ops
from ..framework import CalledLayer
from ..torch_layers import LayerShape, convolution, flatten, linear, node_class, of_rows, scaling
from .framework import Spyx
from .neurons import flax_array

AxisPads = Sequence[tuple[int, int]]
"""Entries before and after each axis."""
MOST_INPUTS = 4096
"""Largest Flatten whose order becomes a Linear."""


def node_of_layer(
    framework: Spyx, layer: CalledLayer, given: LayerShape, result: LayerShape, flat: LayerShape | None
) -> Any:
    """Returns the node of a layer. `flat` is the shape of the map that a Flatten before the layer joined. Errors: IMP009."""
    module = layer.module
    dtype = getattr(module, "dtype", None)
    if dtype is not None and np.dtype(dtype) != np.float32:
        framework.refuse_setting(layer, "dtype", "float32", np.dtype(dtype))
    match framework.kind(module):
        case "Linear":
            return linear_node(module, given, flat)
        case "Conv":
            return conv_node(framework, layer, given)
        case "BatchNorm":
            return norm_node(framework, layer, given)
        case "Flatten":
            return flatten(given, result)
        case kind:
            return pool_node(framework, layer, kind, given, result)


def is_reordering(shape: LayerShape) -> bool:
    """Returns whether a Flatten of a map has another order with channels last."""
    return len(shape) > 1 and shape[0] > 1 and prod(shape[1:]) > 1


def rows_first(weight: NDArray[Any], shape: LayerShape) -> NDArray[Any]:
    """Returns weights [outputs, inputs] of a flattened map, with inputs in the order of channels first."""
    last = weight.reshape(len(weight), *shape[1:], shape[0])
    return np.moveaxis(last, -1, 1).reshape(weight.shape)


def ordered_flatten(given: LayerShape, result: LayerShape) -> Any:
    """Returns a nested graph with a Flatten whose result has the order of channels last.

    input -> flatten -> order -> output
    """
    import nir

    nodes = {"input": nir.Input({"input": np.asarray(given)}), "flatten": flatten(given, result)}
    nodes["order"] = linear(rows_first(np.eye(prod(given)), given), None)
    nodes["output"] = nir.Output({"output": np.asarray(result)})
    return nir.NIRGraph(nodes, list(pairwise(nodes)), type_check=False)


def flax_bias(module: Any) -> NDArray[Any] | None:
    return None if module.bias is None else flax_array(module.bias)


def linear_node(module: Any, given: LayerShape, flat: LayerShape | None) -> Any:
    """Returns a Linear; on a map, it is a convolution with a window of 1."""
    import nir

    weight, bias = flax_array(module.kernel).T.copy(), flax_bias(module)
    if len(given) > 1:
        return convolution(weight.reshape(*weight.shape, *(1,) * (len(given) - 1)), bias)
    weight = weight if flat is None else rows_first(weight, flat)
    return nir.Linear(weight) if bias is None else nir.Affine(weight, bias)


def conv_node(framework: Spyx, layer: CalledLayer, given: LayerShape) -> Any:
    module = layer.module
    axes = len(module.kernel_size)
    if axes not in (1, 2) or axes != len(given) - 1:
        framework.refuse_setting(
            layer, "kernel_size", "one size for each axis of a row or a map", tuple(module.kernel_size)
        )
    if (size_of_axes(module.input_dilation, axes) != 1).any():
        framework.refuse_setting(layer, "input_dilation", "1", module.input_dilation)
    if isinstance(module.padding, str) and module.padding.upper() not in ("SAME", "VALID", "CAUSAL"):
        framework.refuse_setting(layer, "padding", "SAME, VALID or pairs of numbers", module.padding)
    kernel = flax_array(module.kernel) * (1.0 if module.mask is None else flax_array(module.mask))
    weight = np.moveaxis(kernel, (-1, -2), (0, 1)).copy()
    stride, dilation = size_of_axes(module.strides, axes), size_of_axes(module.kernel_dilation, axes)
    pads = pads_of(module.padding, given[1:], (np.asarray(weight.shape[2:]) - 1) * dilation + 1, stride)
    return padded_convolution(weight, flax_bias(module), stride, pads, dilation, module.feature_group_count)


def padded_convolution(
    weight: NDArray[Any],
    bias: NDArray[Any] | None,
    stride: NDArray[Any],
    pads: AxisPads,
    dilation: NDArray[Any],
    groups: int,
) -> Any:
    """Returns a convolution. Padding that differs before and after an axis becomes zeros of the window."""
    if any(before != after for before, after in pads):
        weight, dilation = widened(weight, dilation), np.ones_like(dilation)
        sides = [(max(pad) - pad[0], max(pad) - pad[1]) for pad in pads]
        weight = np.pad(weight, [(0, 0), (0, 0), *sides])
    padding = np.asarray([max(pad) for pad in pads])
    if len(pads) == 1:
        return convolution(weight, bias, int(stride[0]), int(padding[0]), int(dilation[0]), groups)
    return convolution(weight, bias, stride, padding, dilation, groups)


def widened(weight: NDArray[Any], dilation: NDArray[Any]) -> NDArray[Any]:
    """Returns weights with zeros in place of a dilation."""
    sizes = (np.asarray(weight.shape[2:]) - 1) * dilation + 1
    wide = np.zeros((*weight.shape[:2], *sizes), weight.dtype)
    wide[(slice(None), slice(None), *(slice(None, None, int(step)) for step in dilation))] = weight
    return wide


def norm_node(framework: Spyx, layer: CalledLayer, given: LayerShape) -> Any:
    """Returns a normalisation with the mean and variance of the training."""
    module = layer.module
    if module.axis not in (-1, len(given)):
        framework.refuse_setting(layer, "axis", "-1", module.axis)
    gain = 1 / np.sqrt(flax_array(module.var) + module.epsilon)
    gain = gain if module.scale is None else gain * flax_array(module.scale)
    offset = -flax_array(module.mean) * gain
    offset = offset if module.bias is None else offset + flax_array(module.bias)
    return scaling(gain, offset, given)


def pool_node(framework: Spyx, layer: CalledLayer, kind: str, given: LayerShape, result: LayerShape) -> Any:
    """Returns a pool over one or two axes."""
    import nir

    window, stride, padding = pool_settings(framework, layer, kind, given)
    pads = pads_of(padding, given[1:], window, stride)
    is_even = all(before == after for before, after in pads)
    after = np.asarray([pad[1] for pad in pads])
    if kind == "max_pool":
        if not is_even:
            framework.refuse_setting(layer, "padding", "VALID, or the same number before and after each axis", padding)
        if len(window) == 2:
            return node_class(ops.MaxPool2dOp)(window, stride, after)
        sizes = [np.asarray((one, *size)) for one, size in ((1, window), (1, stride), (0, after))]
        return of_rows(node_class(ops.MaxPool2dOp)(*sizes), given, result)
    if len(window) == 2 and is_even:
        pool: Any = nir.AvgPool2d if kind == "avg_pool" else nir.SumPool2d
        return pool(window, stride, after)
    value = 1 / prod(window.tolist()) if kind == "avg_pool" else 1.0
    weight = np.full((given[0], 1, *window), value)
    return padded_convolution(weight, None, stride, pads, np.ones_like(stride), given[0])


def pool_settings(
    framework: Spyx, layer: CalledLayer, kind: str, given: LayerShape
) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
    """Returns the window, the stride and the padding of a pool over the axes of a map. Errors: IMP009."""
    module, axes = layer.module, len(given) - 1
    settings: dict[str, Any]
    if kind != "SumPool":
        settings = {"window_shape": None, "strides": None, "padding": "VALID", "count_include_pad": True}
        if module.args or set(module.keywords) - set(settings):
            framework.refuse_setting(
                layer, "arguments", f"the names {', '.join(settings)}", [*module.args, *module.keywords]
            )
        settings |= module.keywords
        if not settings["count_include_pad"] and settings["padding"] != "VALID":
            framework.refuse_setting(layer, "count_include_pad", "True", False)
    else:
        settings = {name: getattr(module, name) for name in ("window_shape", "strides", "padding")}
        if module.channel_axis not in (-1, axes + 1):
            framework.refuse_setting(layer, "channel_axis", "-1", module.channel_axis)
    window, strides = settings["window_shape"], settings["strides"]
    sizes = [one for one in (window, strides) if one is not None and not isinstance(one, int)]
    if axes not in (1, 2) or window is None or any(np.shape(size) != (axes,) for size in sizes):
        framework.refuse_setting(layer, "window_shape", f"one size for each of the {axes} axes of the map", window)
    return size_of_axes(window, axes), size_of_axes(strides, axes), settings["padding"]


def size_of_axes(size: Any, axes: int) -> NDArray[np.int64]:
    """Returns a size for each axis; None is 1."""
    return np.broadcast_to(np.asarray(1 if size is None else size, np.int64).reshape(-1), (axes,)).copy()


def pads_of(padding: Any, sizes: LayerShape, window: NDArray[Any], stride: NDArray[Any]) -> list[tuple[int, int]]:
    """Returns the padding of each axis, by the rules of JAX. `window` is that of a dilated kernel."""
    if isinstance(padding, str):
        match padding.upper():
            case "SAME":
                totals = [
                    max(0, (-(-size // int(step)) - 1) * int(step) + int(width) - size)
                    for size, width, step in zip(sizes, window, stride, strict=True)
                ]
                return [(total // 2, total - total // 2) for total in totals]
            case "CAUSAL":
                return [(int(width) - 1, 0) for width in window]
            case _:
                return [(0, 0)] * len(sizes)
    if isinstance(padding, int):
        return [(padding, padding)] * len(sizes)
    return [(pad, pad) if isinstance(pad, int) else (int(pad[0]), int(pad[1])) for pad in padding]

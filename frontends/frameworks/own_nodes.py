"""Nodes of nopt's own in graphs of the `nir` package, for layers that NIR lacks: max pools, transposed convolutions and upsampling.

The package infers the output shapes of its own nodes alone, so these nodes compute theirs from the shape of the input.
"""

from __future__ import annotations

from dataclasses import make_dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType, f32
from xdsl.ir import Attribute, Block

from ...core.arrays.arrays import ArrayAttr
from ...dialects import nir as ops

LAYERS = ("MaxPool2d", "ConvTranspose2d", "Upsample", "UpsamplingNearest2d", "UpsamplingBilinear2d")
"""Layers of PyTorch that become such nodes."""


def output_shape(kind: type[ops.NodeOp], node: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape of a node's output."""
    properties: dict[str, Attribute] = {"node": StringAttr("node")}
    for name in kind.PARAMETERS:
        value = getattr(node, name)
        properties[name] = StringAttr(value) if isinstance(value, str) else ArrayAttr.of(np.asarray(value))
    scalar = TensorType(f32, ())
    op = kind.create(operands=[Block(arg_types=[scalar]).args[0]], result_types=[scalar], properties=properties)
    return op.result_shape(shape)


@cache
def node_class(kind: type[ops.NodeOp]) -> type[Any]:
    """Returns the class of the nodes of an op, with its parameters in the order of the op."""

    def start(self: Any) -> None:
        unknown: dict[str, Any] = {"input": None}
        self.input_type = unknown

    def output_type(self: Any) -> dict[str, Any]:
        given = self.input_type["input"]
        if given is None:
            return {"output": None}
        return {"output": np.array(output_shape(kind, self, tuple(int(n) for n in given)))}

    return make_dataclass(
        kind.__name__.removesuffix("Op"),
        [(name, Any) for name in kind.PARAMETERS],
        bases=(import_module("nir").NIRNode,),
        namespace={"__post_init__": start, "output_type": property(output_type)},
        eq=False,
    )


def unsupported_setting(layer: Any, kind: str | None) -> tuple[str, str, object] | None:
    """Returns a setting of a layer that no node has: its name, the supported value and its own; None for a supported layer."""
    match kind:
        case "AvgPool2d" | "MaxPool2d" if getattr(layer, "ceil_mode", False):
            return "ceil_mode", "False", True
        case "MaxPool2d" if getattr(layer, "return_indices", False):
            return "return_indices", "False", True
        case "MaxPool2d" if np.any(np.asarray(getattr(layer, "dilation", 1)) != 1):
            return "dilation", "1", layer.dilation
        case "Conv1d" | "Conv2d" if getattr(layer, "padding_mode", "zeros") != "zeros":
            return "padding_mode", "zeros", layer.padding_mode
        case "Upsample" | "UpsamplingNearest2d" | "UpsamplingBilinear2d":
            factor = None if layer.scale_factor is None else np.asarray(layer.scale_factor, np.float64)
            if layer.mode not in ("nearest", "bilinear"):
                return "mode", "nearest or bilinear", layer.mode
            if factor is None or (factor != np.round(factor)).any():
                return "scale_factor", "a whole number", layer.scale_factor
        case _:
            pass
    return None


def own_node(layer: Any, kind: str | None, pair: Any) -> Any:
    """Returns the node of a layer of PyTorch; None for other layers. `pair` repeats a size for both axes."""
    match kind:
        case "MaxPool2d":
            sizes = (layer.kernel_size, layer.stride or layer.kernel_size, layer.padding)
            return node_class(ops.MaxPool2dOp)(*(np.asarray(pair(size)) for size in sizes))
        case "ConvTranspose2d":
            weight = layer.weight.detach().numpy()
            bias = np.zeros(layer.out_channels, weight.dtype) if layer.bias is None else layer.bias.detach().numpy()
            steps = (layer.stride, layer.padding, layer.output_padding, layer.dilation)
            arrays = [np.asarray(pair(step)) for step in steps]
            return node_class(ops.ConvTranspose2dOp)(weight, *arrays, np.asarray(layer.groups), bias)
        case "Upsample" | "UpsamplingNearest2d" | "UpsamplingBilinear2d":
            factor = np.asarray(pair(layer.scale_factor)).astype(np.int64)
            corners = "-corners" if layer.align_corners else ""
            return node_class(ops.Upsample2dOp)(factor, f"{layer.mode}{corners}")
        case _:
            return None

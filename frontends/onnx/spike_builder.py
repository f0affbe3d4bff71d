"""Builder of a network of spikes in NIR: rectified linear units become integrate-and-fire neurons, whose rates are the activations.

    Gemm -> Relu -> Gemm  =>  Affine -> IF -> Affine

Every threshold is 1; `ntensor-balance-thresholds` sets them for sample input. Quantised activations are read as reals: a QuantizeLinear whose least
integer is 0 bounds a value as a Relu does. Upper bounds are not kept, since a rate has one of its own: a spike in each tick.

Source: P. Diehl et al., Fast-classifying, high-accuracy spiking deep networks through weight and threshold balancing (2015).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, Diagnostics, refuse
from ...core.windows import window_outputs
from ..limits import Limits
from ..nir_module import build_module
from .values import LinearParts, Real, Sizes, WindowSizes

ONX011 = Code("ONX011", "onnx-op-without-spikes", "a network of spikes cannot compute an op")
ONX012 = Code("ONX012", "onnx-upper-bounds-removed", "upper bounds of activations are removed")

NodeNames = tuple[str, ...]
"""Nodes whose outputs are added: the handle of a real."""


class SpikeBuilder:
    """Builder of one graph. Each method adds a node, and returns its value."""

    def __init__(self, file: str, name: str, limits: Limits):
        self.file, self.name, self.limits = file, name, limits
        self.nodes: dict[str, dict[str, Any]] = {}
        self.edges: list[tuple[str, str]] = []
        self.bounded: list[str] = []
        """Nodes whose upper bound is removed."""

    # ---- ends

    def input(self, name: str, dtype: str, shape: Sizes) -> Real:
        """Adds an input. Errors: ONX011 one of integers."""
        if dtype not in ("FLOAT", "DOUBLE"):
            self.refuse(name, "an input of integers has no rates", "an input of FLOAT or DOUBLE", dtype)
        return Real(shape, self.put(name, (), {"type": "Input", "shape": list(shape)}))

    def module(self, outputs: Mapping[str, Real], diagnostics: Diagnostics) -> ModuleOp:
        """Returns the module of the network. Errors: those of a graph of NIR. Remarks: ONX012."""
        for name, value in outputs.items():
            self.put(name, self.handle(value), {"type": "Output", "shape": list(value.shape)})
        if self.bounded:
            diagnostics.remark(
                ONX012,
                at=", ".join(f'"{name}"' for name in self.bounded),
                file=self.file,
                expected="activations without an upper bound",
                found="Clip or QuantizeLinear; a rate has the bound of one spike in each tick",
            )
        contents = {"type": "NIRGraph", "nodes": self.nodes, "edges": self.edges}
        return build_module(contents, self.name, diagnostics, self.file, self.limits)

    def put(self, node: str, sources: Iterable[str], parameters: dict[str, Any]) -> NodeNames:
        """Adds a node under a free name without the characters that `.nir` files reserve."""
        name = stem = node.strip("/").replace("/", ".") or "node"
        count = 1
        while name in self.nodes:
            count += 1
            name = f"{stem}.{count}"
        self.nodes[name] = parameters
        self.edges += [(source, name) for source in sources]
        return (name,)

    def refuse(self, node: str, message: str, expected: str, found: str) -> None:
        help = f"nopt import {shlex.quote(self.file)}"
        refuse(ONX011, message, node=node, file=self.file, expected=expected, found=found, help=help)

    # ---- ops of reals

    def handle(self, x: Real) -> NodeNames:
        """Returns the nodes of a real; a linear op without a node is added now."""
        if x.handle is None:
            assert x.parts is not None  # a real has nodes or parts
            x.handle = self.linear(x.parts, x.parts.x.shape)
        return x.handle

    def linear(self, parts: LinearParts, operand: Sizes) -> NodeNames:
        weight, window = parts.weight, parts.window
        bias = np.zeros(len(weight), weight.dtype) if parts.bias is None else np.array(parts.bias)
        sources = self.handle(parts.x)
        if window is None:
            kind = {"type": "Linear"} if parts.bias is None else {"type": "Affine", "bias": bias}
            return self.put(parts.node, sources, {**kind, "weight": np.array(weight)})
        axes = len(window.kernel)

        def numbers(values: Sequence[int]) -> AnyArray:
            return np.array(values if axes > 1 else values[0], np.int64)

        return self.put(
            parts.node,
            sources,
            {
                "type": f"Conv{axes}d",
                "weight": np.array(weight),
                "bias": bias,
                "stride": numbers(window.stride),
                "padding": numbers(self.equal_padding(parts.node, window)),
                "dilation": numbers(window.dilation),
                "groups": np.int64(window.groups),
                "input_shape": numbers(operand[1:]),
            },
        )

    def equal_padding(self, node: str, window: WindowSizes) -> Sequence[int]:
        """Returns the padding of each axis. Errors: ONX011 different zeros before and after an axis."""
        if any(before != after for before, after in window.padding):
            found = str([list(pair) for pair in window.padding])
            self.refuse(node, "the padding differs between both ends", "equal padding before and after", found)
        return [before for before, _ in window.padding]

    def real_pool(self, node: str, x: Real, window: WindowSizes, is_max: bool) -> Real:
        """Adds a pool of maps; a max pool of spikes spikes if an element of its window does. Errors: ONX011 a pool of rows."""
        if len(window.kernel) != 2:
            self.refuse(node, "a pool of rows has no node in NIR", "a pool over 2 axes", f"{len(window.kernel)} axis")
        padding = self.equal_padding(node, window)
        sizes = window_outputs(x.shape[1:], window.kernel, window.stride, window.padding, window.dilation)
        name = "MaxPool2d" if is_max else "AvgPool2d"
        given = {"kernel_size": window.kernel, "stride": window.stride, "padding": padding}
        parameters = {key: np.array(value, np.int64) for key, value in given.items()}
        handle = self.put(node, self.handle(x), {"type": name, **parameters})
        return Real((x.shape[0], *map(int, sizes)), handle, is_rectified=x.is_rectified)

    def rectify(self, node: str, x: Real, low: float, high: float) -> Real:
        """Adds integrate-and-fire neurons. Errors: ONX011 another lower bound."""
        if low != 0:
            expected = "a lower bound of 0, as that of Relu"
            self.refuse(node, "a bound has no counterpart in rates", expected, f"{low:g}")
        if x.is_rectified:
            return x
        if high < np.inf:
            self.bounded.append(node)
        shared = {
            name: np.full(x.shape, value, np.float32) for name, value in (("r", 1), ("v_threshold", 1), ("v_reset", 0))
        }
        return Real(x.shape, self.put(node, self.handle(x), {"type": "IF", **shared}), is_rectified=True)

    def saturate(self, node: str, x: Real, low: float, high: float) -> Real:
        """Returns a value whose quantisation is not computed: rectified if its least value is 0."""
        if low < 0 or (x.parts is None and not x.is_rectified and self.is_input(x)):
            return x
        return self.rectify(node, x, 0.0, high)

    def is_input(self, x: Real) -> bool:
        return x.handle is not None and all(self.nodes[name]["type"] == "Input" for name in x.handle)

    def add_reals(self, node: str, xs: Sequence[Real]) -> Real:
        """Returns a sum: several edges into the next node. Errors: ONX011 a value that is added to itself."""
        sources = tuple(name for x in xs for name in self.handle(x))
        if len(set(sources)) < len(sources):
            self.refuse(node, "a value is added to itself", "different values", ", ".join(sources))
        return Real(xs[0].shape, sources, is_rectified=all(x.is_rectified for x in xs))

    def embed(self, node: str, x: Real, axis: int, start: int, total: int) -> Real:
        """Adds weights of 0 and 1 that write channels into a whole of zeros. Errors: ONX011 another axis, or channels of rows."""
        if axis or len(x.shape) not in (1, 3):
            expected, found = "elements, or channels of maps", f"axis {axis + 1} of shape {list(x.shape)}"
            self.refuse(node, "a part of a value has no node in NIR", expected, found)
        weight = np.eye(total, x.shape[0], -start, np.float32)
        shape = (total, *x.shape[1:])
        if len(shape) == 1:
            return Real(
                shape, self.put(node, self.handle(x), {"type": "Linear", "weight": weight}), None, x.is_rectified
            )
        window = WindowSizes((1, 1), [1, 1], [(0, 0), (0, 0)], [1, 1])
        parts = LinearParts(node, x, weight[:, :, None, None], None, window)
        return Real(shape, parts=parts, is_rectified=x.is_rectified)

    def reshape_real(self, node: str, x: Real, shape: Sizes) -> Real:
        """Adds a Flatten. Errors: ONX011 another shape than one axis."""
        if shape != (prod(x.shape),):
            self.refuse(
                node, "a reshape has no node in NIR", f"[{prod(x.shape)}], all elements on one axis", f"{list(shape)}"
            )
        given = {
            "type": "Flatten",
            "start_dim": np.int64(0),
            "end_dim": np.int64(-1),
            "input_type": np.array(x.shape, np.int64),
        }
        return Real(shape, self.put(node, self.handle(x), given), is_rectified=x.is_rectified)

"""Random quantised graphs of ONNX, and what ONNX Runtime computes for them without graph optimisations.

python onnx_graphs.py FOLDER [--networks N] [--seed S] [--operators]

For graph K, FOLDER gets `K.onnx`, whose outputs are the integers of each QuantizeLinear, and `K.npz`: the input `x`, the integers `q.NAME`, and the distance
`tie.NAME` of each quotient before its rounding from the middle of two integers. With an odd K all scales are powers of two, so that ties are exact.
With `--operators` the graphs are those of QuantFormat.QOperator, as far as this format has their ops.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnx_operator_forms import operators_of

SAMPLES = 16
KINDS = (np.uint8, np.int8, np.uint8, np.int8, np.uint16)


class Drawing:
    """A graph that grows by random layers."""

    def __init__(self, seed: int, has_operators: bool = False):
        self.rng = np.random.default_rng(seed)
        self.has_operators = has_operators
        self.kind = KINDS[self.rng.integers(2)]
        """Type of the integers of a graph of operators, which ONNX Runtime does not mix."""
        self.is_dyadic = bool(seed % 2)
        self.opset = int(self.rng.choice([10, 11, 12, 13, 15, 17, 19, 21]))
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self.integers: list[tuple[str, str, float, int]] = []
        """Each quantised value: its name, that of its real, its scale, and its type."""
        self.maps = bool(self.rng.integers(3))
        self.shape = tuple(map(int, self.rng.integers(2, 9, 3))) if self.maps else (int(self.rng.integers(4, 30)),)
        if self.maps and self.rng.integers(4) == 0:
            self.shape = self.shape[:2]
        self.value = "x"
        self.size = 2.0

    def number(self, size: float) -> float:
        """Returns a scale near a size."""
        scale = float(size * self.rng.uniform(0.5, 2))
        return float(2.0 ** np.round(np.log2(scale))) if self.is_dyadic else float(np.float32(scale))

    def constant(self, values: Any, name: str) -> str:
        name = f"{name}{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(values), name))
        return name

    def node(self, op: str, inputs: list[str], **attributes: Any) -> str:
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [f"{name}_y"], name=name, **attributes))
        return f"{name}_y"

    def quantise(self, value: str, is_rectified: bool = False) -> str:
        """Adds a QuantizeLinear and a DequantizeLinear."""
        kind = self.kind if self.has_operators else KINDS[self.rng.integers(len(KINDS) if self.opset >= 21 else 4)]
        held = np.iinfo(kind)
        span, name = held.max - held.min, "zero"
        if is_rectified or self.rng.integers(3) == 0:
            zero, steps, name = int(held.min), span, "least"
        else:
            zero, steps = int((held.max + held.min + 1) // 2 + self.rng.integers(-9, 9)), span / 2
        scale = self.number(self.size / steps)
        parts = [self.constant(np.float32(scale), "scale"), self.constant(kind(zero), name)]
        stored = self.node("QuantizeLinear", [value, *parts])
        self.integers.append((stored, value, scale, helper.np_dtype_to_tensor_dtype(np.dtype(kind))))
        self.size = scale * steps
        return self.node("DequantizeLinear", [stored, *parts])

    def weight(self, shape: tuple[int, ...], axis: int) -> tuple[str, Any]:
        """Adds stored weights with one scale, or one for each output; returns their reals and their scales."""
        is_wide, is_each = bool(self.rng.integers(2)), bool(self.rng.integers(2)) and self.opset >= 13
        fan_in = int(np.prod(shape)) // shape[axis]
        count = shape[axis] if is_each else 1
        scale = np.array([self.number(1.5 / (127 * np.sqrt(fan_in))) for _ in range(count)], np.float32)
        is_signed = self.has_operators and self.kind is np.int8
        kind = np.uint8 if not (is_each or is_wide or is_signed) else np.int8
        zero = np.full(count, 128 if kind is np.uint8 else 0, kind)
        held = self.rng.integers(-127, 128, shape) + int(zero[0])
        parts = [scale, zero] if is_each else [scale[0], zero[0]]
        inputs = [held.astype(kind), *parts]
        names = [self.constant(one, name) for one, name in zip(inputs, ("w", "scale", "zero"), strict=True)]
        return self.node("DequantizeLinear", names, **({"axis": axis} if is_each else {})), scale

    def bias(self, outputs: int, scale: Any) -> str:
        """Adds a bias: integers in the scale of the sums, or reals."""
        values = self.rng.normal(0, self.size / 4, outputs).astype(np.float32)
        if self.rng.integers(3) == 0:
            return self.constant(values, "bias")
        held = np.round(values / scale).astype(np.int32)
        parts = [scale, np.zeros(len(scale), np.int32)] if len(scale) > 1 else [scale[0], np.int32(0)]
        names = [self.constant(one, name) for one, name in zip([held, *parts], ("b", "scale", "zero"), strict=True)]
        return self.node("DequantizeLinear", names, **({"axis": 0} if len(scale) > 1 else {}))

    def reshape(self, count: int) -> str:
        """Adds a Flatten, or a Reshape to a fixed size or to one that is computed, as exporters of PyTorch write them."""
        kind = int(self.rng.integers(3))
        if kind == 0:
            return self.node("Flatten", [self.value])
        if kind == 1:
            return self.node("Reshape", [self.value, self.constant(np.array([-1, count]), "shape")])
        first = self.node("Gather", [self.node("Shape", [self.value]), self.constant(np.int64(0), "index")], axis=0)
        if self.opset >= 13:
            first = self.node("Unsqueeze", [first, self.constant(np.array([0]), "axes")])
        else:
            first = self.node("Unsqueeze", [first], axes=[0])
        shape = self.node("Concat", [first, self.constant(np.array([-1]), "rest")], axis=0)
        return self.node("Reshape", [self.value, shape])

    def scale_of_value(self) -> np.float32:
        """Returns the scale of the last quantised value."""
        return np.float32(self.integers[-1][2])

    def convolve(self) -> None:
        axes, groups = len(self.shape) - 1, 1
        channels = int(self.rng.integers(1, 7))
        if self.rng.integers(3) == 0:
            groups = channels = self.shape[0]
        kernel = [int(self.rng.integers(1, min(4, size) + 1)) for size in self.shape[1:]]
        weight, scale = self.weight((channels, self.shape[0] // groups, *kernel), 0)
        inputs = [self.value, weight]
        if self.rng.integers(3):
            inputs.append(self.bias(channels, (scale * self.scale_of_value()).astype(np.float32)))
        attributes: dict[str, Any] = {"group": groups, "strides": [int(n) for n in self.rng.integers(1, 3, axes)]}
        if self.rng.integers(3) == 0:
            attributes["auto_pad"] = str(self.rng.choice(["SAME_UPPER", "SAME_LOWER", "VALID"]))
            sizes = [-(-n // s) for n, s in zip(self.shape[1:], attributes["strides"], strict=True)]
            if attributes["auto_pad"] == "VALID":
                sizes = [
                    (n - k) // s + 1 for n, k, s in zip(self.shape[1:], kernel, attributes["strides"], strict=True)
                ]
        else:
            pads = [int(n) for n in self.rng.integers(0, 2, 2 * axes)]
            attributes["pads"] = pads
            sizes = [
                (n + pads[j] + pads[axes + j] - kernel[j]) // attributes["strides"][j] + 1
                for j, n in enumerate(self.shape[1:])
            ]
        self.value, self.shape = self.node("Conv", inputs, **attributes), (channels, *sizes)

    def dense(self) -> None:
        if len(self.shape) > 1:
            count = int(np.prod(self.shape))
            self.value = self.reshape(count)
            self.shape = (count,)
        outputs, kind = int(self.rng.integers(2, 20)), int(self.rng.integers(3))
        is_turned = kind == 0
        weight, scale = self.weight(
            (outputs, *self.shape) if is_turned else (*self.shape, outputs), 0 if is_turned else 1
        )
        bias = self.bias(outputs, (scale * self.scale_of_value()).astype(np.float32))
        if kind < 2:
            self.value = self.node("Gemm", [self.value, weight, bias], transB=int(is_turned))
        else:
            self.value = self.node("MatMul", [self.value, weight])
            if self.rng.integers(2):
                self.value = self.node("Add", [self.value, bias])
        self.shape = (outputs,)

    def normalise(self) -> None:
        c = self.shape[0]
        values = (
            self.rng.uniform(0.5, 1.5, c),
            self.rng.normal(0, 0.3, c),
            self.rng.normal(0, 0.3, c),
            self.rng.uniform(0.5, 2, c),
        )
        names = [self.constant(one.astype(np.float32), "norm") for one in values]
        self.value = self.node("BatchNormalization", [self.value, *names], epsilon=1e-3)

    def pool(self) -> None:
        kind = self.rng.choice(["MaxPool", "AveragePool", "GlobalAveragePool", "ReduceMean"])
        axes = len(self.shape) - 1
        if kind == "ReduceMean":
            named = list(range(2, 2 + axes))
            if self.opset >= 18:
                self.value = self.node(kind, [self.value, self.constant(np.array(named), "axes")], keepdims=0)
            else:
                self.value = self.node(kind, [self.value], axes=named, keepdims=0)
            self.shape = self.shape[:1]
            return
        if kind == "GlobalAveragePool":
            self.value, self.shape = self.node(kind, [self.value]), (self.shape[0], *[1] * axes)
            return
        kernel = [min(2, size) for size in self.shape[1:]]
        strides = [int(n) for n in self.rng.integers(1, 3, axes)]
        extra = {"count_include_pad": 1} if kind == "AveragePool" else {}
        pads = [0] * axes + [1 if size > 1 and self.rng.integers(3) == 0 else 0 for size in kernel]
        self.value = self.node(kind, [self.value], kernel_shape=kernel, strides=strides, pads=pads, **extra)
        sizes = [(n + pads[axes + j] - kernel[j]) // strides[j] + 1 for j, n in enumerate(self.shape[1:])]
        self.shape = (self.shape[0], *sizes)

    def pad(self) -> None:
        """Adds zeros around the last axis."""
        pads = [0] * (len(self.shape) + 1)
        ends = [*pads[:-1], int(self.rng.integers(2)), *pads[:-1], int(self.rng.integers(3))]
        if self.opset >= 11:
            self.value = self.node("Pad", [self.value, self.constant(np.array(ends), "pads")])
        else:
            self.value = self.node("Pad", [self.value], pads=ends)
        self.shape = (*self.shape[:-1], self.shape[-1] + ends[len(pads) - 1] + ends[-1])

    def branch(self) -> None:
        """Adds two layers of the same operand, which are joined."""
        operand, shape = self.value, self.shape
        scale = self.integers[-1]
        parts = []
        for _ in range(2):
            self.value, self.shape = operand, shape
            self.integers.append(scale)  # biases take the scale of the operand
            self.pointwise() if len(shape) > 1 else self.dense()
            self.integers.pop()
            parts.append((self.quantise(self.value), self.shape))
        if self.rng.integers(2):
            parts.append((operand, shape))
        self.value = self.node("Concat", [value for value, _ in parts], axis=int(self.rng.choice([1, -len(shape)])))
        self.shape = (sum(one[0] for _, one in parts), *shape[1:])
        self.value = self.quantise(self.value)

    def pointwise(self) -> None:
        """Adds a convolution of single elements."""
        channels = int(self.rng.integers(1, 5))
        weight, scale = self.weight((channels, self.shape[0], *[1] * (len(self.shape) - 1)), 0)
        bias = self.bias(channels, (scale * self.scale_of_value()).astype(np.float32))
        self.value, self.shape = self.node("Conv", [self.value, weight, bias]), (channels, *self.shape[1:])

    def layer(self) -> None:
        """Adds a layer, with a rectification, a sum with its operand or a pool."""
        before, shape = self.value, self.shape
        is_map = len(self.shape) > 1
        self.convolve() if is_map and self.rng.integers(4) else self.dense()
        if len(self.shape) > 1 and self.rng.integers(4) == 0 and not self.is_dyadic:
            self.normalise()
        self.size *= 1.2
        kind = int(self.rng.integers(4))
        if kind == 1:
            self.value = self.node("Relu", [self.value])
        elif kind == 2 and self.opset < 11:
            self.value = self.node("Clip", [self.value], min=-0.3 * self.size, max=0.6 * self.size)
        elif kind == 2:
            bounds = [self.constant(np.float32(one), "bound") for one in (-0.3 * self.size, 0.6 * self.size)]
            self.value = self.node("Clip", [self.value, *bounds])
        self.value = self.quantise(self.value, kind == 1)
        if self.shape == shape and self.rng.integers(2):
            self.size *= 1.5
            self.value = self.quantise(self.node("Add", [self.value, before]))
        if len(self.shape) > 1 and self.rng.integers(4) == 0:
            self.pad()
        if len(self.shape) > 1 and self.rng.integers(3) == 0:
            self.pool()
            self.value = self.quantise(self.value)
        if self.rng.integers(3) == 0 and self.nodes[-1].op_type == "DequantizeLinear":
            self.branch()

    def model(self, has_reals: bool) -> Any:
        outputs = [helper.make_tensor_value_info(name, kind, None) for name, _, _, kind in self.integers]
        if has_reals:
            reals = dict.fromkeys(real for _, real, _, _ in self.integers if real != "x")
            outputs += [helper.make_tensor_value_info(real, TensorProto.FLOAT, None) for real in reals]
        given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", *self.input_shape])
        nodes = operators_of(self.nodes, has_reals) if self.has_operators else self.nodes
        graph = helper.make_graph(nodes, "drawn", [given], outputs, self.constants)
        sets = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=sets)
        model.ir_version = 8 if self.opset < 19 else 10
        return model

    def draw(self) -> None:
        self.input_shape = self.shape
        self.value = self.quantise("x")
        for _ in range(int(self.rng.integers(1, 5))):
            self.layer()


def run(model: Any, x: Any) -> dict[str, Any]:
    """Returns the outputs of a model without graph optimisations."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    data = model if isinstance(model, bytes) else model.SerializeToString()
    session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    names = [one.name for one in session.get_outputs()]
    return dict(zip(names, session.run(None, {session.get_inputs()[0].name: x}), strict=True))


def with_ranks(model: Any) -> Any:
    """Returns a model whose outputs have shapes, which the format requires."""
    inferred = onnx.shape_inference.infer_shapes(model)
    shapes = {one.name: one for one in (*inferred.graph.value_info, *inferred.graph.output)}
    for output in model.graph.output:
        output.CopyFrom(shapes[output.name])
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--networks", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--operators", action="store_true")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for k in range(args.networks):
        drawing = Drawing(1000 * args.seed + k, args.operators)
        drawing.draw()
        x = drawing.rng.normal(0, 1, (SAMPLES, *drawing.input_shape)).astype(np.float32)
        if drawing.is_dyadic:
            x = np.round(x * 64) / np.float32(64)
        found = {"x": x, **run(drawing.model(has_reals=True), x)}
        arrays = {"x": x}
        for name, real, scale, _ in drawing.integers:
            quotient = found[real].astype(np.float64) / scale
            arrays[f"q.{name}"] = found[name]
            arrays[f"tie.{name}"] = np.abs(np.abs(quotient - np.floor(quotient)) - 0.5)
        np.savez(args.folder / f"{k}.npz", **arrays)
        onnx.save(with_ranks(drawing.model(has_reals=False)), args.folder / f"{k}.onnx")


if __name__ == "__main__":
    main()

"""Three networks for the digits of scikit-learn, trained here and quantised by the tools of ONNX Runtime.

python onnx_trained.py FOLDER

| network | layers | quantisation |
| --- | --- | --- |
| dense | 64 - 64 - 32 - 10 | activations UINT8, weights INT8 |
| symmetric | 64 - 48 - 10 | activations and weights INT8 without zero points, a scale for each output |
| convolution | filters of clustered patches (A. Coates, A. Ng, 2011), a mean pool, 32 - 10 | activations UINT8, weights INT8, a scale for each output |

FOLDER gets `NAME.float.onnx`, `NAME.quantised.onnx`, and `NAME.onnx` and `NAME.npz` as `onnx_graphs.py` writes them, with the classes `y`, and
the results `result` of the quantised network and `real` of the network before. `NAME.operators.onnx` is the network in QuantFormat.QOperator, whose outputs are
the stored integers of each node, `o.NAME` in `NAME.npz`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx_graphs import run
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from sklearn.neural_network import MLPClassifier

TRAINED, FILTERS = 1200, 12
OPSET = 17


class Samples(CalibrationDataReader):
    """Samples for the ranges of a quantisation."""

    def __init__(self, x: Any):
        self.parts: Iterator[Any] = iter(np.array_split(x, 10))

    def get_next(self) -> Any:
        part = next(self.parts, None)
        return None if part is None else {"image": part}


def dense_nodes(classifier: MLPClassifier, value: str) -> tuple[list[Any], list[Any], str]:
    """Returns the nodes and the weights of a trained classifier, without its last function."""
    nodes, weights = [], []
    for k, (w, b) in enumerate(zip(classifier.coefs_, classifier.intercepts_, strict=True)):
        names = [f"fc{k}.weight", f"fc{k}.bias"]
        weights += [
            numpy_helper.from_array(one.astype(np.float32), name) for one, name in zip((w, b), names, strict=True)
        ]
        nodes.append(helper.make_node("Gemm", [value, *names], [f"fc{k}_y"], name=f"fc{k}"))
        value = f"fc{k}_y"
        if k < len(classifier.coefs_) - 1:
            nodes.append(helper.make_node("Relu", [value], [f"relu{k}_y"], name=f"relu{k}"))
            value = f"relu{k}_y"
    return nodes, weights, value


def model_of(nodes: list[Any], weights: list[Any], shape: tuple[int, ...], output: str) -> Any:
    given = helper.make_tensor_value_info("image", TensorProto.FLOAT, ["N", *shape])
    result = helper.make_tensor_value_info(output, TensorProto.FLOAT, ["N", 10])
    graph = helper.make_graph(nodes, "digits", [given], [result], weights)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    return model


def convolution(x: Any, y: Any) -> Any:
    """Returns a trained network with a convolution, whose filters are the centres of clustered patches."""
    windows = np.lib.stride_tricks.sliding_window_view(x[:TRAINED, 0], (3, 3), axis=(1, 2)).reshape(-1, 9)
    patches = windows[np.random.default_rng(0).choice(len(windows), 4000, replace=False)]
    patches = patches - patches.mean(1, keepdims=True)
    centres = KMeans(FILTERS, n_init=2, random_state=0).fit(patches).cluster_centers_
    filters = (centres / np.linalg.norm(centres, axis=1, keepdims=True)).reshape(FILTERS, 1, 3, 3).astype(np.float32)
    bias = np.full(FILTERS, -0.2, np.float32)
    weights = [numpy_helper.from_array(filters, "conv.weight"), numpy_helper.from_array(bias, "conv.bias")]
    nodes = [
        helper.make_node("Conv", ["image", "conv.weight", "conv.bias"], ["conv_y"], name="conv", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["conv_y"], ["relu_y"], name="relu"),
        helper.make_node("AveragePool", ["relu_y"], ["pool_y"], name="pool", kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["pool_y"], ["flat_y"], name="flat"),
    ]
    size = FILTERS * 16
    features = run(model_of(nodes, weights, (1, 8, 8), "flat_y"), x)["flat_y"].reshape(-1, size)
    classifier = MLPClassifier((32,), max_iter=80, random_state=0).fit(features[:TRAINED], y[:TRAINED])
    more, others, output = dense_nodes(classifier, "flat_y")
    return model_of([*nodes, *more], [*weights, *others], (1, 8, 8), output)


def observed(quantised: Any) -> Any:
    """Returns a model with the outputs of its QuantizeLinear nodes that read activations, and the values before them."""
    model = onnx.ModelProto()
    model.CopyFrom(quantised)
    constants = {one.name for one in model.graph.initializer}
    shapes = {one.name: one for one in onnx.shape_inference.infer_shapes(model).graph.value_info}
    del model.graph.output[:]
    for node in model.graph.node:
        if node.op_type == "QuantizeLinear" and node.input[0] not in constants:
            model.graph.output.append(shapes[node.output[0]])
    return model


def operator_format(folder: Path, name: str, x: Any, options: Any) -> Any:
    """Returns the network in QuantFormat.QOperator, with the outputs of all nodes that have integers."""
    path = folder / f"{name}.operators.onnx"
    parts: Any = {"quant_format": QuantFormat.QOperator, "weight_type": QuantType.QInt8, **options}
    quantize_static(folder / f"{name}.float.onnx", path, Samples(x[:TRAINED]), **parts)
    model = onnx.load(path)
    kind = TensorProto.INT8 if options["activation_type"] == QuantType.QInt8 else TensorProto.UINT8
    del model.graph.output[:]
    for node in model.graph.node:
        if node.op_type.startswith("Q"):
            sizes = [None] * (4 if node.op_type in ("QLinearConv", "QLinearAveragePool") else 2)
            rank = len(x.shape) if node.op_type == "QuantizeLinear" else len(sizes)
            model.graph.output.append(helper.make_tensor_value_info(node.output[0], kind, [None] * rank))
    onnx.save(model, path)
    return model


def with_reals(model: Any) -> Any:
    found = onnx.ModelProto()
    found.CopyFrom(model)
    sources = {name: node for node in model.graph.node for name in node.output}
    for output in model.graph.output:
        name = sources[output.name].input[0]
        if name != "image":
            found.graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, None))
    return found


def result_of(model: Any, x: Any) -> Any:
    return next(iter(run(model, x).values()))


def write(folder: Path, name: str, model: Any, x: Any, y: Any, **options: Any) -> None:
    onnx.save(model, folder / f"{name}.float.onnx")
    path = folder / f"{name}.quantised.onnx"
    parts: Any = {"quant_format": QuantFormat.QDQ, "weight_type": QuantType.QInt8, **options}
    quantize_static(folder / f"{name}.float.onnx", path, Samples(x[:TRAINED]), **parts)
    quantised, test = onnx.load(path), x[TRAINED:]
    shown = observed(quantised)
    found = {"image": test, **run(with_reals(shown), test)}
    held = {one.name: numpy_helper.to_array(one) for one in quantised.graph.initializer}
    arrays = {"x": test, "y": y[TRAINED:], "result": result_of(quantised, test), "real": result_of(model, test)}
    for node in shown.graph.node:
        if node.op_type == "QuantizeLinear" and node.input[0] in found:
            quotient = found[node.input[0]].astype(np.float64) / held[node.input[1]].astype(np.float64)
            arrays[f"q.{node.output[0]}"] = found[node.output[0]]
            arrays[f"tie.{node.output[0]}"] = np.abs(np.abs(quotient - np.floor(quotient)) - 0.5)
    integers = run(operator_format(folder, name, x, options), test)
    np.savez(folder / f"{name}.npz", **arrays, **{f"o.{key}": value for key, value in integers.items()})
    onnx.save(shown, folder / f"{name}.onnx")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.WARNING)
    x, y = load_digits(return_X_y=True)
    x = (x / 16).astype(np.float32)
    for name, layers, options in (
        ("dense", (64, 32), {"activation_type": QuantType.QUInt8}),
        (
            "symmetric",
            (48,),
            {"activation_type": QuantType.QInt8, "per_channel": True, "extra_options": {"ActivationSymmetric": True}},
        ),
    ):
        classifier = MLPClassifier(layers, max_iter=80, random_state=0).fit(x[:TRAINED], y[:TRAINED])
        nodes, weights, output = dense_nodes(classifier, "image")
        write(folder, name, model_of(nodes, weights, (64,), output), x, y, **options)
    maps = x.reshape(-1, 1, 8, 8)
    write(folder, "convolution", convolution(maps, y), maps, y, activation_type=QuantType.QUInt8, per_channel=True)


if __name__ == "__main__":
    main()

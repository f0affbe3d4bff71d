"""Network of an ONNX graph: its nodes in the order of the file, each read by the function of its op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ...core.diagnostics import Diagnostics, refuse
from .model import ONX003, ONX007, ONX008, OnnxGraph, OnnxNode, OnnxSignal
from .nodes.concat_nodes import read_concat, read_pad
from .nodes.linear_nodes import read_add, read_batch_normalization, read_conv, read_gemm, read_matmul
from .nodes.operator_nodes import (
    FOREIGN,
    read_qgemm,
    read_qlinear_add,
    read_qlinear_concat,
    read_qlinear_conv,
    read_qlinear_matmul,
    read_qlinear_pool,
)
from .nodes.pool_nodes import read_global_pool, read_pool, read_reduce_mean
from .nodes.quantize_nodes import read_clip, read_dequantize, read_quantize
from .nodes.shape_entries import read_cast, read_constant_of_shape, read_gather, read_shape, read_slice
from .nodes.shape_nodes import read_constant, read_flatten, read_identity, read_reshape, read_squeeze, read_transpose
from .reading import ONX009, Reading
from .spike_builder import SpikeBuilder
from .tensor_builder import INTEGER_INPUTS, TensorBuilder
from .values import Constant, GraphValue, Real, Scaled, ShapeEntries, Sizes, Stored

READERS: Mapping[str, Callable[[Reading, OnnxNode], GraphValue]] = {
    "Add": read_add,
    "AveragePool": read_pool,
    "BatchNormalization": read_batch_normalization,
    "Cast": read_cast,
    "Clip": read_clip,
    "Concat": read_concat,
    "Constant": read_constant,
    "ConstantOfShape": read_constant_of_shape,
    "Conv": read_conv,
    "DequantizeLinear": read_dequantize,
    "Dropout": read_identity,
    "Flatten": read_flatten,
    "Gather": read_gather,
    "Gemm": read_gemm,
    "GlobalAveragePool": read_global_pool,
    "Identity": read_identity,
    "MatMul": read_matmul,
    "MaxPool": read_pool,
    "Pad": read_pad,
    "QLinearConv": read_qlinear_conv,
    "QLinearMatMul": read_qlinear_matmul,
    "QuantizeLinear": read_quantize,
    "ReduceMean": read_reduce_mean,
    "Relu": read_clip,
    "Reshape": read_reshape,
    "Shape": read_shape,
    "Slice": read_slice,
    "Squeeze": read_squeeze,
    "Transpose": read_transpose,
    "Unsqueeze": read_squeeze,
    f"{FOREIGN}DequantizeLinear": read_dequantize,
    f"{FOREIGN}QGemm": read_qgemm,
    f"{FOREIGN}QLinearAdd": read_qlinear_add,
    f"{FOREIGN}QLinearAveragePool": read_qlinear_pool,
    f"{FOREIGN}QLinearConcat": read_qlinear_concat,
    f"{FOREIGN}QLinearGlobalAveragePool": read_qlinear_pool,
    f"{FOREIGN}QuantizeLinear": read_quantize,
}
DYNAMIC = ("ConvInteger", "MatMulInteger", "DynamicQuantizeLinear", f"{FOREIGN}DynamicQuantizeMatMul")
"""Ops whose scales depend on the input."""
ENDS = ("Softmax", "LogSoftmax", "ArgMax", "Sigmoid")
"""Ops after the last layer of a classifier, which do not change the order of the classes or state it."""


def build_network(graph: OnnxGraph, diagnostics: Diagnostics) -> ModuleOp:
    """Returns the network of values of a graph in ntensor. Errors: ONX003, ONX004, ONX007, ONX008, ONX009, ONX010; NIF027."""
    ends = [signal.name for signal in (*graph.inputs, *graph.outputs)]
    builder = TensorBuilder(graph.file, graph.name, ends)
    reading = Reading(graph, builder, diagnostics)
    read_nodes(reading)
    outputs: dict[str, SSAValue] = {}
    for signal in graph.outputs:
        match output_of(reading, signal):
            case Real() as value:
                outputs[signal.name] = builder.handle(value)
            case Scaled() as value:
                outputs[signal.name] = builder.handle(builder.rescale(f"{signal.name}.real", value))
            case Stored() as value:
                outputs[signal.name] = builder.with_zero(f"{signal.name}.stored", value, 0).value
    return builder.module(outputs)


def build_spiking_network(graph: OnnxGraph, diagnostics: Diagnostics) -> ModuleOp:
    """Returns the network of spikes of a graph in NIR. Errors: those of `build_network`; ONX011. Remarks: ONX012."""
    builder = SpikeBuilder(graph.file, graph.name, graph.limits)
    reading = Reading(graph, builder, diagnostics)
    read_nodes(reading)
    outputs: dict[str, Real] = {}
    for signal in graph.outputs:
        value = output_of(reading, signal)
        assert isinstance(value, Real)  # a network of spikes has no integers
        outputs[signal.name] = value
    return builder.module(outputs, diagnostics)


def read_nodes(reading: Reading) -> None:
    """Reads the inputs and all nodes of a graph that an output depends on."""
    graph = reading.graph
    reading.values |= {name: Constant(values) for name, values in graph.constants.items()}
    for signal in graph.inputs:
        shape = sample_shape(reading, signal)
        if signal.dtype not in ("FLOAT", "DOUBLE", *INTEGER_INPUTS):
            at, expected = f'input "{signal.name}"', f"one of FLOAT, DOUBLE, {', '.join(INTEGER_INPUTS)}"
            help = "export the network with an input of FLOAT"
            parts = {"node": signal.name, "file": graph.file, "expected": expected, "found": signal.dtype}
            refuse(ONX009, "an input has another type", at=at, help=help, **parts)
        reading.values[signal.name] = reading.builder.input(signal.name, signal.dtype, shape)
    needed = {signal.name for signal in graph.outputs}
    for node in reversed(graph.nodes):
        if needed & set(node.outputs):
            needed |= set(node.inputs)
    for node in graph.nodes:
        if needed & set(node.outputs):
            reading.values[node.outputs[0]] = read_node(reading, node)


def read_node(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a node. Errors: ONX003 an op that is not supported."""
    if (read := READERS.get(node.op)) is not None:
        return read(reading, node)
    help = ""
    if node.op in DYNAMIC:
        help = "quantize_static of onnxruntime instead of quantize_dynamic, since scales that depend on the input are not supported"
    elif node.op in ENDS and node.inputs:
        inputs = [signal.name for signal in reading.graph.inputs]
        ends = f"{reading.graph.file!r}, 'cut.onnx', {inputs}, {[node.inputs[0]]}"
        help = f'python -c "import onnx.utils; onnx.utils.extract_model({ends})"'
    reading.refuse(node, ONX003, f"{node.op} is not supported", f"one of {', '.join(READERS)}", node.op, help)


def sample_shape(reading: Reading, signal: OnnxSignal) -> Sizes:
    """Returns the shape of one sample of an input. Errors: ONX007 a size that is not known; NIF027."""
    first, *rest = signal.shape
    del first  # the number of samples, which a run determines
    at, file = f'input "{signal.name}"', reading.graph.file
    unknown = [size for size in rest if isinstance(size, str) or size < 1]
    if unknown or not rest:
        found = f"[{', '.join(map(str, signal.shape))}]"
        sizes = ",".join("1" if isinstance(size, str) else str(size) for size in (1, *rest))
        help = f"python -m onnxruntime.tools.make_dynamic_shape_fixed --input_name {signal.name} --input_shape {sizes} {file} fixed.onnx"
        refuse(
            ONX007, at=at, node=signal.name, file=file, expected="samples, then sizes from 1", found=found, help=help
        )
    shape = tuple(int(size) for size in rest)
    reading.check_size(OnnxNode(signal.name, "an input", (), (), {}), shape)
    return shape


def output_of(reading: Reading, signal: OnnxSignal) -> Real | Scaled | Stored:
    """Returns the value of an output. Errors: ONX008 it does not depend on an input, or its declared size differs."""
    graph, at = reading.graph, f'output "{signal.name}"'
    value = reading.values.get(signal.name)
    if value is None or isinstance(value, Constant | ShapeEntries):
        found = "no node" if value is None else "a constant"
        parts = {
            "node": signal.name,
            "file": graph.file,
            "expected": "a value that depends on an input",
            "found": found,
        }
        refuse(ONX008, "an output has no source", at=at, help="export the network again", **parts)
    declared = [size for size in signal.shape[1:] if isinstance(size, int)]
    if len(declared) == len(signal.shape) - 1 and prod(declared) != prod(value.shape):
        parts = {"node": signal.name, "file": graph.file, "expected": f"{list(value.shape)}", "found": f"{declared}"}
        refuse(ONX008, "an output declares another shape", at=at, help="export the network again", **parts)
    return value

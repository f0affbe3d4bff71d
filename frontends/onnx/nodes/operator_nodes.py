"""Ops of the operator format of quantised graphs, QuantFormat.QOperator of ONNX Runtime: each is a DequantizeLinear of its operands, an op, and a QuantizeLinear.

    QLinearConv(x, sx, zx, w, sw, zw, sy, zy, b)  =>  QuantizeLinear(Conv(DequantizeLinear(x, sx, zx), DequantizeLinear(w, sw, zw), sx sw b), sy, zy)

Source: ONNX operators QLinearConv and QLinearMatMul; contrib operators of ONNX Runtime (com.microsoft): QGemm, QLinearAdd, QLinearAveragePool,
QLinearConcat, QLinearGlobalAveragePool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from attrs import evolve

from ..model import ONX008, OnnxNode
from ..reading import ONX009, Reading
from ..values import Constant, GraphValue
from .concat_nodes import read_concat
from .linear_nodes import read_add, read_conv, read_gemm, read_matmul
from .pool_nodes import read_global_pool, read_pool
from .quantize_nodes import positive_scale, read_dequantize, read_quantize

Read = Callable[[Reading, OnnxNode], GraphValue]
FOREIGN = "com.microsoft."
"""Domain of the ops of ONNX Runtime."""


def read_qlinear_conv(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QLinearConv, whose bias is in the scale of the sums. Errors: those of Conv, DequantizeLinear and QuantizeLinear."""
    inputs = [dequantised(reading, node, 0), dequantised(reading, node, 3, axis=0)]
    if reading.optional(node, 8) is not None:
        inputs.append(bias_name(reading, node, 8))
    return quantised(reading, node, read_conv(reading, evolve(node, inputs=inputs)), 6)


def read_qlinear_matmul(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QLinearMatMul. Errors: those of MatMul, DequantizeLinear and QuantizeLinear."""
    inputs = [dequantised(reading, node, 0), dequantised(reading, node, 3, axis=1)]
    return quantised(reading, node, read_matmul(reading, evolve(node, inputs=inputs)), 6)


def read_qgemm(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QGemm, whose result is a real without a scale of the output. Errors: those of Gemm, DequantizeLinear and QuantizeLinear."""
    axis = 0 if reading.setting(node, "transB", 0) else 1
    inputs = [dequantised(reading, node, 0), dequantised(reading, node, 3, axis=axis)]
    if reading.optional(node, 6) is not None:
        inputs.append(bias_name(reading, node, 6))
    sums = read_gemm(reading, evolve(node, inputs=inputs))
    return sums if reading.optional(node, 7) is None else quantised(reading, node, sums, 7)


def read_qlinear_add(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QLinearAdd. Errors: those of Add, DequantizeLinear and QuantizeLinear."""
    inputs = [dequantised(reading, node, 0), dequantised(reading, node, 3)]
    return quantised(reading, node, read_add(reading, evolve(node, inputs=inputs)), 6)


def read_qlinear_pool(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QLinearAveragePool or a QLinearGlobalAveragePool. Errors: those of the pool, DequantizeLinear and QuantizeLinear."""
    reading.require(node, "channels_last", 0, "export the network with channels first")
    read = read_pool if node.op == f"{FOREIGN}QLinearAveragePool" else read_global_pool
    return quantised(reading, node, read(reading, evolve(node, inputs=[dequantised(reading, node, 0)])), 3)


def read_qlinear_concat(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QLinearConcat: scale and zero point of the output, then three operands for each part. Errors: those of Concat; ONX008."""
    if len(node.inputs) < 5 or len(node.inputs) % 3 != 2:
        expected = "scale and zero point of the output, then three operands for each part"
        reading.refuse(node, ONX008, f"{node.op} lacks an operand", expected, f"{len(node.inputs)} operands")
    inputs = [dequantised(reading, node, k) for k in range(2, len(node.inputs), 3)]
    return quantised(reading, node, read_concat(reading, evolve(node, inputs=inputs)), 0)


def operands(node: OnnxNode, first: int, count: int) -> Sequence[str]:
    """Returns names of operands; empty for those that are missing."""
    return [*node.inputs[first : first + count], *[""] * count][:count]


def dequantised(reading: Reading, node: OnnxNode, first: int, axis: int = 1) -> str:
    """Returns the name of the real of three operands: stored integers, their scale and their zero point."""
    part = evolve(node, inputs=operands(node, first, 3), attributes={"axis": axis})
    return reading.keep(node, read_dequantize(reading, part))


def quantised(reading: Reading, node: OnnxNode, value: GraphValue, first: int) -> GraphValue:
    """Returns the stored integers of a real, whose scale and zero point are operands."""
    inputs = [reading.keep(node, value), *operands(node, first, 2)]
    return read_quantize(reading, evolve(node, name=f"{node.name}.quantise", inputs=inputs, attributes={}))


def bias_name(reading: Reading, node: OnnxNode, index: int) -> str:
    """Returns the name of a bias of integers, whose scale is that of the sums. Errors: ONX009 reals; ONX010 a scale."""
    bias = reading.constant(node, index, "the bias").values
    if bias.dtype.kind != "i":
        reading.refuse(node, ONX009, f"the bias of {node.op} has another type", "INT32", str(bias.dtype))
    factors = [positive_scale(reading, evolve(node, inputs=operands(node, first, 3))) for first in (0, 3)]
    scale = np.asarray(factors[0].reshape(-1)[0] * factors[1])
    if scale.size > 1 and scale.size != bias.size:
        reading.refuse_shape(node, f"the bias of {node.op} does not fit", f"{scale.size} elements", bias.shape)
    return reading.keep(node, Constant((bias * scale).astype(np.float32), bias.astype(np.int64), scale))

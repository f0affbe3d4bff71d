"""Other forms of a quantised graph: the operators of QuantFormat.QOperator, and the ways in which older exporters of PyTorch reshape."""

from __future__ import annotations

from typing import Any

from onnx import helper

OPERATORS = {
    "Conv": ("", "QLinearConv"),
    "Gemm": ("com.microsoft", "QGemm"),
    "MatMul": ("", "QLinearMatMul"),
    "Add": ("com.microsoft", "QLinearAdd"),
    "AveragePool": ("com.microsoft", "QLinearAveragePool"),
    "GlobalAveragePool": ("com.microsoft", "QLinearGlobalAveragePool"),
    "Concat": ("com.microsoft", "QLinearConcat"),
}


def operators_of(nodes: list[Any], keeps_reals: bool) -> list[Any]:
    """Returns nodes in which QuantizeLinear of an op of DequantizeLinear is one operator; with `keeps_reals` the reals stay for comparison."""
    source = {name: node for node in nodes for name in node.output}
    found = []
    for node in nodes:
        fused = fused_operator(node, source) if node.op_type == "QuantizeLinear" else None
        found.append(fused or node)
    return found if keeps_reals else without_unused(found, source)


def fused_operator(quantize: Any, source: dict[str, Any]) -> Any:
    """Returns the operator for a QuantizeLinear, or None."""
    real, scale, zero = quantize.input
    op = source.get(real)
    if op is not None and op.op_type == "Relu" and scale_is_rectified(zero):
        op = source[op.input[0]]
    if op is None or op.op_type not in OPERATORS:
        return None
    parts = [source.get(name) for name in op.input]
    if any(part is None or part.op_type != "DequantizeLinear" for part in parts):
        return None
    domain, kind = OPERATORS[op.op_type]
    triples = [list(part.input) for part in parts]
    if op.op_type == "Concat":
        inputs = [scale, zero, *(name for triple in triples for name in triple)]
    elif op.op_type in ("Conv", "Gemm"):
        bias = [triples[2][0]] if len(triples) > 2 else []
        inputs = [*triples[0], *triples[1], scale, zero, *bias]
        if op.op_type == "Gemm":
            inputs = [*triples[0], *triples[1], *(bias or [""]), scale, zero]
    else:
        inputs = [*(name for triple in triples for name in triple), scale, zero]
    attributes = {one.name: helper.get_attribute_value(one) for one in op.attribute}
    return helper.make_node(kind, inputs, list(quantize.output), name=f"{op.name}_q", domain=domain, **attributes)


def scale_is_rectified(zero: str) -> bool:
    """Returns whether the zero point is the least integer, as the drawing names it."""
    return zero.startswith("least")


def without_unused(nodes: list[Any], source: dict[str, Any]) -> list[Any]:
    """Returns nodes without those whose results no operator reads."""
    used: set[str] = set()
    kept = []
    for node in reversed(nodes):
        if node.op_type in ("QuantizeLinear", *(kind for _, kind in OPERATORS.values())) or used & set(node.output):
            used |= set(node.input)
            kept.append(node)
    return kept[::-1]

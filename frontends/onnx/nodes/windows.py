"""Windows of convolutions and pools: attributes of ONNX as sizes of each axis."""

from __future__ import annotations

from collections.abc import Sequence

from ..model import ONX008, OnnxNode
from ..reading import ONX004, Reading
from ..values import Sizes, WindowSizes

LARGEST_SIZE = 2**31 - 1
"""Largest size of an attribute."""


def window_of(reading: Reading, node: OnnxNode, x: Sizes, kernel: Sizes) -> WindowSizes:
    """Returns the window of a node. Errors: ONX004 a form of padding; ONX008 sizes that do not fit."""
    axes = len(kernel)
    if len(x) != axes + 1:
        reading.refuse_shape(node, f"the operand of {node.op} has other axes", f"channels and {axes} axes", x)
    given = sizes_of(reading, node, "kernel_shape", list(kernel), 1, axes)
    if given != list(kernel):
        reading.refuse(node, ONX008, "kernel_shape contradicts the weight", f"{list(kernel)}", f"{given}")
    stride = sizes_of(reading, node, "strides", [1] * axes, 1, axes)
    dilation = sizes_of(reading, node, "dilations", [1] * axes, 1, axes)
    pads = sizes_of(reading, node, "pads", [0] * (2 * axes), 0, 2 * axes)
    padding = list(zip(pads[:axes], pads[axes:], strict=True))
    form = reading.setting(node, "auto_pad", "NOTSET")
    if form in ("SAME_UPPER", "SAME_LOWER"):
        padding = [same(n, k, s, d, form) for n, k, s, d in zip(x[1:], kernel, stride, dilation, strict=True)]
    elif form == "VALID":
        padding = [(0, 0)] * axes
    elif form != "NOTSET":
        reading.refuse(
            node, ONX004, f"auto_pad of {node.op} is not supported", "NOTSET, SAME_UPPER, SAME_LOWER, VALID", form
        )
    for n, k, d, pair in zip(x[1:], kernel, dilation, padding, strict=True):
        if n + sum(pair) < (k - 1) * d + 1:
            expected = f"at least {(k - 1) * d + 1} elements along each axis"
            reading.refuse(node, ONX008, f"the window of {node.op} exceeds its operand", expected, f"{n + sum(pair)}")
    return WindowSizes(tuple(kernel), stride, padding, dilation, reading.setting(node, "group", 1))


def same(n: int, kernel: int, stride: int, dilation: int, form: str) -> tuple[int, int]:
    """Returns the padding with which each window starts at a multiple of the stride."""
    outputs = -(-n // stride)
    total = max(0, (outputs - 1) * stride + (kernel - 1) * dilation + 1 - n)
    return (total // 2, total - total // 2) if form == "SAME_UPPER" else (total - total // 2, total // 2)


def sizes_of(
    reading: Reading, node: OnnxNode, name: str, default: Sequence[int], least: int, count: int
) -> Sequence[int]:
    """Returns an attribute that is a list of sizes. Errors: ONX008 another length, or a size out of range."""
    found = reading.setting(node, name, list(default))
    is_valid = len(found) == count and all(isinstance(size, int) and least <= size <= LARGEST_SIZE for size in found)
    if not is_valid:
        expected = f"{count} sizes from {least}"
        reading.refuse(node, ONX008, f"{name} of {node.op} is invalid", expected, f"{name} = {list(found)}")
    return found

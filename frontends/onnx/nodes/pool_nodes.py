"""Pools: MaxPool, AveragePool and GlobalAveragePool."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from ....core.windows import window_outputs
from ..model import OnnxNode
from ..reading import ONX004, Reading
from ..tensor_builder import TensorBuilder
from ..values import Constant, GraphValue, Real, Scaled, ShapeEntries, Stored, Term, WindowSizes
from .shape_entries import list_of
from .shape_nodes import reshaped
from .windows import sizes_of, window_of

HELP = "use a window that fits, or pad the operand of the layer before"


def read_pool(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a MaxPool or AveragePool over one or two axes. Errors: ONX004, ONX008."""
    x, is_max = reading.signal(node), node.op == "MaxPool"
    axes = len(x.shape) - 1
    if axes not in (1, 2):
        reading.refuse(node, ONX004, f"{node.op} has other axes", "1 or 2 axes besides channels", f"{axes} axes")
    reading.require(node, "ceil_mode", 0, HELP)
    kernel = tuple(sizes_of(reading, node, "kernel_shape", [], 1, axes))
    window = window_of(reading, node, x.shape, kernel)
    if any(size != 1 for size in window.dilation):
        reading.refuse(node, ONX004, f"dilations of {node.op} is not supported", "1", f"{list(window.dilation)}")
    if len(node.outputs) > 1 and any(node.outputs[1:]):
        reading.refuse(node, ONX004, f"{node.op} has a second output", "the pool alone", f'"{node.outputs[1]}"')
    if is_max and any(max(pair) >= size for pair, size in zip(window.padding, kernel, strict=True)):
        reading.refuse(node, ONX004, "a window of MaxPool holds no element", "a padding below the kernel", "more")
    if not is_max and window.is_padded and not reading.setting(node, "count_include_pad", 0):
        expected, found = "no padding, or count_include_pad = 1", "windows with different divisors"
        reading.refuse(node, ONX004, "the padding of AveragePool is not supported", expected, found, HELP)
    return pool(reading, node, x, window, is_max)


def read_global_pool(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a GlobalAveragePool: the mean of each map. Errors: ONX004 an operand without maps."""
    x = reading.signal(node)
    axes = len(x.shape) - 1
    if axes not in (1, 2):
        reading.refuse(node, ONX004, f"{node.op} has other axes", "1 or 2 axes besides channels", f"{axes} axes")
    whole = x.shape[1:]
    window = WindowSizes(whole, whole, [(0, 0)] * axes, [1] * axes)
    return pool(reading, node, x, window, False)


def read_reduce_mean(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a ReduceMean over all axes of maps, which is a GlobalAveragePool. Errors: ONX004 other axes."""
    rank = len(reading.signal(node).shape) + 1
    axes = sorted(axis + rank if axis < 0 else axis for axis in list_of(reading, node, 1, "axes", list(range(rank))))
    if axes != list(range(2, rank)):
        expected, found = f"axes = {list(range(2, rank))}, those of the maps", f"axes = {axes}"
        reading.refuse(node, ONX004, "axes of ReduceMean is not supported", expected, found)
    means = read_global_pool(reading, node)
    assert not isinstance(means, Constant | ShapeEntries)  # a signal
    return means if reading.setting(node, "keepdims", 1) else reshaped(reading, node, means, means.shape[:1])


def pool(reading: Reading, node: OnnxNode, x: Real | Scaled | Stored, window: WindowSizes, is_max: bool) -> GraphValue:
    """Returns a pool in integers where it is exact, else in reals."""
    sizes = window_outputs(x.shape[1:], window.kernel, window.stride, window.padding, window.dilation)
    shape = (x.shape[0], *map(int, sizes))
    reading.check_size(node, shape)
    builder = reading.builder
    if isinstance(x, Stored):
        if not is_max:
            reading.refuse_integers(node)
        assert isinstance(builder, TensorBuilder)  # others have no integers
        term = builder.integer_pool(node.name, Term(x.value, np.asarray(1.0), x.low, x.high), window, is_max)
        return evolve(x, shape=shape, value=term.value)
    if isinstance(x, Scaled) and has_common_steps(x, window, is_max):
        assert isinstance(builder, TensorBuilder)  # others have no integers
        term = builder.integer_pool(node.name, x.terms[0], window, is_max)
        return evolve(x, shape=shape, terms=(term,))
    return builder.real_pool(node.name, reading.real(node, x), window, is_max)


def has_common_steps(x: Scaled, window: WindowSizes, is_max: bool) -> bool:
    """Returns whether the pool of a value is that of its integers: all elements of a map have one positive scale."""
    if len(x.terms) != 1 or not (x.terms[0].scale > 0).all():
        return False
    numbers = (x.terms[0].scale, x.offset)
    by_maps = all(np.prod(one.shape[1:]) == 1 or one.ndim == 0 for one in numbers)
    is_linear = not x.is_clipped and not (window.is_padded and x.offset.any())
    return by_maps and (is_max or is_linear)

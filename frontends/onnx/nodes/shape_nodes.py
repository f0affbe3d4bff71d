"""Nodes that change shapes alone: Reshape, Flatten, Squeeze, Unsqueeze, Transpose where it moves no element, Identity, Dropout and Constant."""

from __future__ import annotations

from math import prod

import numpy as np
from attrs import evolve

from ....core.arrays.numeric import AnyArray
from ..model import ONX008, OnnxNode
from ..reading import ONX004, Reading
from ..tensor_builder import TensorBuilder
from ..values import Constant, GraphValue, Real, Scaled, ShapeEntries, Sizes, Stored
from .shape_entries import list_of, moved_entries


def reshaped(reading: Reading, node: OnnxNode, value: Real | Scaled | Stored, shape: Sizes) -> GraphValue:
    """Returns a value with the same elements in another shape."""
    if value.shape == shape:
        return value
    builder = reading.builder
    if isinstance(value, Real):
        return builder.reshape_real(node.name, value, shape)
    assert isinstance(builder, TensorBuilder)  # others have no integers
    if isinstance(value, Stored):
        return evolve(value, shape=shape, value=builder.reshape_value(node.name, value.value, shape))

    def moved(values: AnyArray) -> AnyArray:
        return values.reshape(()) if values.size == 1 else np.broadcast_to(values, value.shape).reshape(shape)

    terms = tuple(
        evolve(term, value=builder.reshape_value(node.name, term.value, shape), scale=moved(term.scale))
        for term in value.terms
    )
    return evolve(value, shape=shape, terms=terms, offset=moved(value.offset))


def read_reshape(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Reshape that keeps the axis of samples. Errors: ONX004 others; ONX008 another number of elements."""
    value, sizes = reading.numbers(node, 0), sizes_of_reshape(reading, node)
    if isinstance(value, Constant):
        return Constant(reshape_constant(reading, node, value.values, sizes))
    first, rest = (sizes[0], sizes[1:]) if sizes else (0, [])
    count = prod(value.shape)
    if reading.setting(node, "allowzero", 0) and 0 in sizes:
        reading.refuse(node, ONX004, "allowzero of Reshape is not supported", "sizes other than 0", f"{sizes}")
    rest = [value.shape[k] if size == 0 and k < len(value.shape) else size for k, size in enumerate(rest)]
    if rest.count(-1) == 1 and first != -1:
        known = prod(size for size in rest if size != -1)
        rest = [count // known if size == -1 and known > 0 else size for size in rest]
    if prod(rest) != count or min(rest, default=1) < 1:
        expected = f"the axis of samples, then {count} elements"
        reading.refuse(node, ONX008, "Reshape changes the elements of a sample", expected, f"{sizes}")
    return reshaped(reading, node, value, tuple(rest))


def sizes_of_reshape(reading: Reading, node: OnnxNode) -> list[int]:
    """Returns the sizes of a Reshape, with 0 for the number of samples. Errors: ONX004 this number at another place; ONX009 computed sizes."""
    wanted = reading.operand(node, 1)
    if not isinstance(wanted, ShapeEntries):
        return [int(size) for size in reading.constant(node, 1, "the shape").values.reshape(-1)]
    if None in wanted.sizes[1:]:
        found = f"[{', '.join('samples' if size is None else str(size) for size in wanted.sizes)}]"
        reading.refuse(node, ONX004, "Reshape moves the axis of samples", "samples on the first axis", found)
    return [0 if size is None else size for size in wanted.sizes]


def reshape_constant(reading: Reading, node: OnnxNode, values: AnyArray, sizes: list[int]) -> AnyArray:
    known = [values.shape[k] if size == 0 and k < values.ndim else size for k, size in enumerate(sizes)]
    if sum(size < 0 for size in known) > 1 or min(known, default=0) < -1:
        reading.refuse(node, ONX008, "Reshape has an invalid shape", "sizes, at most one of them -1", f"{sizes}")
    try:
        return values.reshape(known)
    except ValueError:
        reading.refuse(node, ONX008, "Reshape changes the elements", f"{values.size} elements", f"{sizes}")


def read_flatten(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Flatten that keeps the axis of samples. Errors: ONX004 another axis."""
    value = reading.signal(node)
    axis = reading.setting(node, "axis", 1)
    if axis not in (1, -len(value.shape)):
        reading.refuse(node, ONX004, "axis of Flatten is not supported", "axis = 1", f"axis = {axis}")
    return reshaped(reading, node, value, (prod(value.shape),))


def read_squeeze(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Squeeze or an Unsqueeze that keeps the axis of samples. Errors: ONX004 this axis; ONX008 an axis of several elements."""
    value, is_added = reading.operand(node, 0), node.op == "Unsqueeze"
    if isinstance(value, ShapeEntries):
        return moved_entries(value, is_added)
    is_constant = isinstance(value, Constant)
    sizes = list(value.values.shape) if is_constant else [0, *value.shape]  # the number of samples is unknown
    axes: list[int] | None = None
    if is_added or reading.optional(node, 1) is not None or "axes" in node.attributes:
        axes = list_of(reading, node, 1, "axes", None)  # an attribute before version 13
    if axes is None:
        axes = [k for k, size in enumerate(sizes) if size == 1]
    rank = len(sizes) + (len(axes) if is_added else 0)
    places = sorted({axis + rank if axis < 0 else axis for axis in axes})
    if len(places) != len(axes) or not all(0 <= axis < rank for axis in places):
        reading.refuse(node, ONX008, f"axes of {node.op} are invalid", f"different axes below {rank}", f"axes = {axes}")
    if 0 in places and not is_constant:
        reading.refuse(node, ONX004, f"{node.op} changes the axis of samples", "axes from 1", f"axes = {axes}")
    if is_added:
        for axis in places:
            sizes.insert(axis, 1)
    elif any(sizes[axis] != 1 for axis in places):
        reading.refuse(node, ONX008, "Squeeze removes elements", "axes of one element", f"axes = {axes}")
    else:
        sizes = [size for k, size in enumerate(sizes) if k not in places]
    if isinstance(value, Constant):
        return Constant(value.values.reshape(sizes))
    return reshaped(reading, node, value, tuple(sizes[1:]))


def read_transpose(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Transpose of a constant, or one that moves axes of one element alone. Errors: ONX004 others."""
    value = reading.numbers(node, 0)
    if isinstance(value, Constant):
        order = reading.setting(node, "perm", list(range(value.values.ndim))[::-1])
        if sorted(order) != list(range(value.values.ndim)):
            reading.refuse(node, ONX008, "perm of Transpose is invalid", "each axis once", f"perm = {order}")
        steps = None if value.steps is None else value.steps.transpose(order)
        scale = value.scale if value.scale is None or value.scale.ndim == 0 else value.scale.transpose(order)
        return Constant(value.values.transpose(order), steps, scale)
    rank = 1 + len(value.shape)
    order: list[int] = reading.setting(node, "perm", list(range(rank))[::-1])
    if sorted(order) != list(range(rank)):
        reading.refuse(node, ONX008, "perm of Transpose is invalid", "each axis once", f"perm = {order}")
    kept = [axis for axis in order[1:] if axis and value.shape[axis - 1] > 1]
    if order[0] != 0 or kept != sorted(kept):
        help = "export the network with channels first, as PyTorch does"
        expected = "axes of more than one element in their order"
        reading.refuse(node, ONX004, "Transpose moves elements", expected, f"perm = {order}", help)
    return reshaped(reading, node, value, tuple(value.shape[axis - 1] for axis in order[1:]))


def read_identity(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads an Identity, or a Dropout, which passes its operand on in a network that is not trained."""
    if node.op == "Dropout" and reading.optional(node, 2) is not None and reading.number(node, 2, "training_mode", 0):
        reading.refuse(node, ONX004, "training_mode of Dropout is not supported", "false", "true")
    return reading.operand(node, 0)


def read_constant(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Constant. Errors: ONX004 a text, or a sparse array."""
    kinds = {
        "value": None,
        "value_float": np.float32,
        "value_floats": np.float32,
        "value_int": np.int64,
        "value_ints": np.int64,
    }
    for name, kind in kinds.items():
        if name in node.attributes:
            return Constant(np.asarray(node.attributes[name], kind))
    found = ", ".join(node.attributes) or "no value"
    reading.refuse(node, ONX004, "the value of Constant is not supported", "an array of numbers", found)

"""Sizes as values: Shape, and the nodes that choose and join sizes before a Reshape, as exporters of PyTorch write `x.view(x.size(0), -1)`.

Shape(x [N, 2, 4]) -> Gather(0) -> Unsqueeze -> Concat(-1) -> Reshape(x)  =>  Reshape(x, [N, -1])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....core.arrays.numeric import AnyArray
from ..model import ONX008, OnnxNode
from ..reading import ONX004, ONX009, Reading
from ..values import Constant, GraphValue, Real, ShapeEntries

CAST_TYPES = {1: np.float32, 11: np.float64, 6: np.int32, 7: np.int64}
"""Types of constants, by the number of a type in the format."""
REALS = (1, 11)
LAST = 2**31 - 1


def read_shape(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Shape: the sizes of a value, of which the first is the number of samples."""
    value = reading.operand(node, 0)
    if isinstance(value, ShapeEntries):
        sizes: Sequence[int | None] = () if value.is_single else (len(value.sizes),)
    else:
        sizes = value.values.shape if isinstance(value, Constant) else (None, *value.shape)
    first, last = reading.setting(node, "start", 0), reading.setting(node, "end", LAST)
    return ShapeEntries(tuple(sizes[first:last]))


def read_gather(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Gather of sizes or of a constant. Errors: ONX008 an index that is out of range; ONX009 a value of the network."""
    value, places = chosen(reading, node), reading.constant(node, 1, "the index").values
    if places.dtype.kind != "i" or places.size == 0:
        reading.refuse(node, ONX009, "the index of Gather has another type", "INT64", str(places.dtype))
    try:
        if isinstance(value, Constant):
            return Constant(np.take(value.values, places, axis=reading.setting(node, "axis", 0)))
        return ShapeEntries(tuple(value.sizes[k] for k in integers_of(places)), is_single=places.ndim == 0)
    except (IndexError, ValueError):
        sizes = [len(value.sizes)] if isinstance(value, ShapeEntries) else list(value.values.shape)
        found = f"index {places.tolist()} of shape {sizes}"
        reading.refuse(node, ONX008, "an index of Gather is out of range", "indices below the size", found)


def read_slice(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Slice of sizes or of a constant. Errors: ONX004 of several axes of sizes; ONX008 axes; ONX009 a value of the network."""
    value = chosen(reading, node)
    first, last = (list_of(reading, node, k, name, None) for k, name in ((1, "starts"), (2, "ends")))
    axes = list_of(reading, node, 3, "axes", list(range(len(first))))
    steps = list_of(reading, node, 4, "steps", [1] * len(first))
    rank = 1 if isinstance(value, ShapeEntries) else value.values.ndim
    is_valid = len(first) == len(last) == len(axes) == len(steps) and all(-rank <= axis < rank for axis in axes)
    if not is_valid or 0 in steps:
        found = f"starts = {first}, ends = {last}, axes = {axes}, steps = {steps}"
        reading.refuse(node, ONX008, "the ranges of Slice do not fit its operand", "one of each for an axis", found)
    parts = [slice(None)] * rank
    for axis, *ends in zip(axes, first, last, steps, strict=True):
        parts[axis] = slice(*ends)
    if isinstance(value, ShapeEntries):
        return ShapeEntries(value.sizes[parts[0]])
    return Constant(value.values[tuple(parts)])


def read_constant_of_shape(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a ConstantOfShape. Errors: ONX008 a size; ONX009 sizes that are computed; NIF027."""
    sizes = tuple(integers_of(reading.constant(node, 0, "the shape").values))
    if min(sizes, default=0) < 0:
        reading.refuse(node, ONX008, "the shape of ConstantOfShape is invalid", "sizes from 0", f"{list(sizes)}")
    reading.check_size(node, sizes)
    value = np.asarray(node.attributes.get("value", np.zeros(1, np.float32))).reshape(-1)
    if value.size != 1:
        found = f"{value.size} numbers"
        reading.refuse(node, ONX008, "the value of ConstantOfShape is invalid", "one number", found)
    return Constant(np.full(sizes, value[0]))


def read_cast(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Cast of sizes or of a constant, or of reals to their own type. Errors: ONX004 another type."""
    value, kind = reading.operand(node, 0), reading.setting(node, "to", 0)
    if isinstance(value, ShapeEntries):
        return value
    if isinstance(value, Constant) and kind in CAST_TYPES:
        return Constant(value.values.astype(CAST_TYPES[kind]))
    if isinstance(value, Real) and kind in REALS:
        return value
    reading.refuse(node, ONX004, "the type of Cast is not supported", "FLOAT, DOUBLE, INT32, INT64", f"to = {kind}")


def list_of(reading: Reading, node: OnnxNode, index: int, name: str, default: list[int] | None) -> list[int]:
    """Returns numbers that are an operand, or an attribute in older versions. Errors: ONX008 they are missing; ONX009 they are computed."""
    if reading.optional(node, index) is not None:
        return [int(number) for number in reading.constant(node, index, name).values.reshape(-1)]
    found = reading.setting(node, name, default if default is not None else [])
    if not found and default is None:
        reading.refuse(node, ONX008, f"{node.op} lacks an operand", name, f"{len(node.inputs)} operands")
    return found


def chosen(reading: Reading, node: OnnxNode) -> Constant | ShapeEntries:
    """Returns the first operand of a node that chooses elements. Errors: ONX009 a value of the network."""
    value = reading.operand(node, 0)
    if not isinstance(value, Constant | ShapeEntries):
        expected, found = "the result of Shape, or a constant", "a value that depends on an input"
        reading.refuse(node, ONX009, f"{node.op} of a value of the network", expected, found)
    return value


def moved_entries(value: ShapeEntries, is_added: bool) -> ShapeEntries:
    """Returns sizes with the axis that Unsqueeze adds or Squeeze removes."""
    return ShapeEntries(value.sizes, is_single=not is_added)


def join_entries(values: Sequence[GraphValue]) -> ShapeEntries | None:
    """Returns the concatenation of sizes and constants; None if no operand is sizes, or another one is a value of the network."""
    sizes: list[int | None] = []
    for value in values:
        if isinstance(value, ShapeEntries):
            sizes += value.sizes
        elif isinstance(value, Constant):
            sizes += integers_of(value.values)
        else:
            return None
    return ShapeEntries(tuple(sizes)) if any(isinstance(value, ShapeEntries) for value in values) else None


def integers_of(values: AnyArray) -> list[int]:
    return [int(number) for number in values.reshape(-1)]

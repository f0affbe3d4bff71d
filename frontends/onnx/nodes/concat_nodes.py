"""Concat and Pad: each part is written into a whole of zeros by a convolution with the weight 1, and the parts are added.

Concat(x [2, 5, 5], y [3, 5, 5])  =>  place(x) + place(y)      place: [2, 5, 5] -> [1, 2, 25] -> padded to [1, 5, 25] -> [5, 5, 5]
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from attrs import evolve, frozen

from ....core.arrays.numeric import AnyArray
from ..model import ONX008, OnnxNode
from ..populations import MOST_TERMS
from ..reading import ONX004, ONX009, Reading
from ..tensor_builder import TensorBuilder
from ..values import Constant, GraphValue, Real, Scaled, ShapeEntries, Sizes, Stored
from .shape_entries import join_entries, list_of


@frozen
class Slot:
    """Place of a part in a whole: along `axis`, from `start` on, `total` elements long. The axis of samples is not counted."""

    axis: int
    start: int
    total: int

    def whole(self, shape: Sizes) -> Sizes:
        return (*shape[: self.axis], self.total, *shape[self.axis + 1 :])


def read_concat(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Concat along another axis than that of samples. Errors: ONX004 this axis; ONX008 sizes; ONX009 stored integers, constants."""
    values = [reading.operand(node, k) for k in range(len(node.inputs))]
    if not values:
        reading.refuse(node, ONX008, f"{node.op} lacks an operand", "at least one operand", "none")
    axis = reading.setting(node, "axis", 0)
    if (entries := join_entries(values)) is not None:
        return entries
    parts = [value for value in values if not isinstance(value, Constant | ShapeEntries)]
    if not parts:
        return concatenate_constants(reading, node, [value for value in values if isinstance(value, Constant)], axis)
    if len(parts) < len(values):
        expected, found = "operands that depend on an input", "a constant"
        reading.refuse(node, ONX009, f"{node.op} of a constant", expected, found, "add it to the operand of a layer")
    if len(parts) == 1:
        return parts[0]
    slots = slots_of(reading, node, parts, axis)
    if any(isinstance(part, Stored) for part in parts):
        reading.refuse_integers(node)
    reading.check_size(node, slots[0].whole(parts[0].shape))
    scaled = [part for part in parts if isinstance(part, Scaled)]
    if len(scaled) == len(parts) and is_one_population(scaled):
        return join_scaled(reading, node, scaled, slots)
    reals = [reading.real(node, part) for part in parts]
    placed = [
        reading.builder.embed(node.name, x, slot.axis, slot.start, slot.total)
        for x, slot in zip(reals, slots, strict=True)
    ]
    return reading.builder.add_reals(node.name, placed)


def concatenate_constants(reading: Reading, node: OnnxNode, parts: Sequence[Constant], axis: int) -> Constant:
    try:
        return Constant(np.concatenate([part.values for part in parts], axis))
    except ValueError:
        found = ", ".join(str(list(part.values.shape)) for part in parts)
        reading.refuse(node, ONX008, f"the operands of {node.op} do not fit", "equal sizes but along one axis", found)


def slots_of(reading: Reading, node: OnnxNode, parts: Sequence[Real | Scaled | Stored], axis: int) -> Sequence[Slot]:
    """Returns the place of each part. Errors: ONX004 the axis of samples; ONX008 sizes that differ along another axis."""
    shapes = [part.shape for part in parts]
    rank = len(shapes[0]) + 1
    place = axis + rank if axis < 0 else axis
    if place == 0:
        reading.refuse(node, ONX004, f"{node.op} joins samples", "an axis from 1", f"axis = {axis}")
    rests = {(*shape[: place - 1], *shape[place:]) for shape in shapes}
    if not 0 < place < rank or len(rests) > 1 or any(len(shape) != rank - 1 for shape in shapes):
        expected = f"sizes that differ along axis {axis} alone"
        found = ", ".join(str(list(shape)) for shape in shapes)
        reading.refuse(node, ONX008, f"the operands of {node.op} do not fit", expected, found)
    sizes = [shape[place - 1] for shape in shapes]
    return [Slot(place - 1, sum(sizes[:k]), sum(sizes)) for k in range(len(sizes))]


def is_one_population(parts: Sequence[Scaled]) -> bool:
    """Returns whether one population can add the parts: they have equal bounds."""
    return len({(part.low, part.high) for part in parts}) == 1 and sum(len(part.terms) for part in parts) <= MOST_TERMS


def join_scaled(reading: Reading, node: OnnxNode, parts: Sequence[Scaled], slots: Sequence[Slot]) -> Scaled:
    """Returns the sum of parts in their places."""
    whole = [place_scaled(reading, node, part, slot) for part, slot in zip(parts, slots, strict=True)]
    terms = tuple(term for part in whole for term in part.terms)
    offset = sum((part.offset for part in whole if part.offset.any()), np.asarray(0.0))
    return Scaled(whole[0].shape, terms, np.asarray(offset), parts[0].low, parts[0].high)


def place_scaled(reading: Reading, node: OnnxNode, part: Scaled, slot: Slot) -> Scaled:
    """Returns a value in a whole of zeros. Its bounds are kept."""
    builder = reading.builder
    assert isinstance(builder, TensorBuilder)  # others have no integers
    terms = tuple(
        evolve(
            term,
            value=builder.embed_value(node.name, term.value, slot.axis, slot.start, slot.total),
            scale=term.scale if term.scale.size == 1 else placed(term.scale, part.shape, slot, 1.0),
            low=min(term.low, 0),
            high=max(term.high, 0),
        )
        for term in part.terms
    )
    offset = placed(part.offset, part.shape, slot, 0.0) if part.offset.any() else part.offset
    return evolve(part, shape=slot.whole(part.shape), terms=terms, offset=offset)


def placed(values: AnyArray, shape: Sizes, slot: Slot, rest: float) -> AnyArray:
    """Returns numbers of a part as numbers of the whole, with `rest` elsewhere. Shapes: values broadcasts to shape."""
    lines = values.reshape((1,) * (len(shape) - values.ndim) + values.shape)
    size = shape[slot.axis]
    lines = np.broadcast_to(lines, (*lines.shape[: slot.axis], size, *lines.shape[slot.axis + 1 :]))
    found = np.full(slot.whole(lines.shape), rest)
    found[(*[slice(None)] * slot.axis, slice(slot.start, slot.start + size))] = lines
    return found


def read_pad(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Pad with zeros. Errors: ONX004 another mode, number or axis; ONX008 sizes; ONX009 stored integers."""
    value = reading.signal(node)
    mode = reading.setting(node, "mode", "constant")
    if mode != "constant":
        reading.refuse(node, ONX004, "mode of Pad is not supported", "mode = constant", f"mode = {mode}")
    rank = len(value.shape) + 1
    pads = list_of(reading, node, 1, "pads", None)
    axes = [axis + rank if axis < 0 else axis for axis in list_of(reading, node, 3, "axes", list(range(rank)))]
    if len(pads) != 2 * len(axes) or len(set(axes)) != len(axes) or not all(0 <= axis < rank for axis in axes):
        expected = f"{2 * len(axes)} sizes for {len(axes)} axes"
        reading.refuse(node, ONX008, "pads of Pad do not fit its operand", expected, f"pads = {pads}, axes = {axes}")
    pairs = {axis: (pads[k], pads[len(axes) + k]) for k, axis in enumerate(axes) if pads[k] or pads[len(axes) + k]}
    if not pairs:
        return value
    number = reading.number(node, 2, "the number of padding", reading.setting(node, "value", 0.0))
    if number or min(pads) < 0 or 0 in pairs:
        found = f"pads = {pads}, value = {number:g}"
        reading.refuse(node, ONX004, "the padding of Pad is not supported", "zeros around axes from 1", found)
    if isinstance(value, Stored):
        reading.refuse_integers(node)
    if isinstance(value, Scaled) and not (value.low <= 0 <= value.high and not value.offset.any()):
        value = reading.real(node, value)
    for axis, (before, after) in sorted(pairs.items()):
        slot = Slot(axis - 1, before, before + value.shape[axis - 1] + after)
        reading.check_size(node, slot.whole(value.shape))
        if isinstance(value, Scaled):
            value = place_scaled(reading, node, value, slot)
        else:
            value = reading.builder.embed(node.name, value, slot.axis, slot.start, slot.total)
    return value

"""QuantizeLinear and DequantizeLinear, and the ops that bound a value: Relu and Clip."""

from __future__ import annotations

import numpy as np
from attrs import evolve

from ....core.arrays.numeric import AnyArray, Reals
from ....core.diagnostics import Code
from ..model import OnnxNode
from ..reading import ONX004, ONX009, Reading
from ..tensor_builder import TensorBuilder
from ..values import Constant, GraphValue, Real, Scaled, Stored, Term

ONX010 = Code("ONX010", "onnx-quantisation-invalid", "the parameters of a quantisation are invalid")

STORED_KINDS = {"u1": "UINT8", "i1": "INT8", "u2": "UINT16", "i2": "INT16", "i4": "INT32"}
"""Types of stored integers by their format in memory. Integers of 4 bits are read as those of 8."""
FOUR_BITS = {21: (0, 15), 22: (-8, 7)}
"""Bounds of the types of 4 bits, by `output_dtype`."""
OUTPUT_BOUNDS = {2: (0, 255), 3: (-128, 127), 4: (0, 65535), 5: (-32768, 32767), **FOUR_BITS}
DEFAULT_TYPE = 2
MOST_FACTOR = 2.0**24
"""Largest ratio of a scale of a value, or of its offset, to the scale of its integers; every stored integer is at its bound for a smaller one."""


def positive_scale(reading: Reading, node: OnnxNode) -> Reals:
    """Returns the scale of a quantisation. Errors: ONX010 not positive."""
    scale = reading.constant(node, 1, "the scale").values
    if scale.dtype.kind != "f" or not scale.size or scale.min() <= 0:
        found = f"{scale.min():.6g}" if scale.size else "no number"
        reading.refuse(node, ONX010, f"the scale of {node.op} is not positive", "numbers above 0", found)
    return scale.astype(np.float64)


def zero_of(reading: Reading, node: OnnxNode) -> AnyArray | None:
    """Returns the zero point of a quantisation, whose type is that of the stored integers; None if it is missing. Errors: ONX010."""
    if reading.optional(node, 2) is None:
        return None
    zero = reading.constant(node, 2, "the zero point").values
    if zero.dtype.str[1:] not in STORED_KINDS:
        expected = ", ".join(STORED_KINDS.values())
        reading.refuse(node, ONX010, f"the zero point of {node.op} has another type", expected, str(zero.dtype))
    return zero


def single(reading: Reading, node: OnnxNode, scale: Reals, zero: AnyArray | None) -> tuple[float, int]:
    """Returns scale and zero point of a value that is not a constant. Errors: ONX009 one for each channel."""
    sizes = scale.size, 1 if zero is None else zero.size
    if max(sizes) > 1:
        message = f"{node.op} has a scale for each channel"
        help = "quantise activations with one scale; weights can have one for each channel"
        reading.refuse(node, ONX009, message, "one scale", f"{max(sizes)} scales", help)
    return float(scale.reshape(-1)[0]), 0 if zero is None else int(zero.reshape(-1)[0])


def read_quantize(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a QuantizeLinear. Errors: ONX004, ONX009, ONX010."""
    value = reading.numbers(node, 0)
    reading.require(node, "block_size", 0)
    scale, zero = positive_scale(reading, node), zero_of(reading, node)
    low, high = bounds_of(reading, node, zero)
    if isinstance(value, Constant):
        kind = np.float64 if value.values.dtype == np.float64 else np.float32
        spread = along_axis(reading, node, scale, value.values).astype(kind)
        zeros = 0 if zero is None else along_axis(reading, node, zero.astype(np.int64), value.values)
        return Constant(np.clip(np.rint(value.values / spread) + zeros, low, high).astype(np.int64))
    size, point = single(reading, node, scale, zero)
    if isinstance(value, Stored):
        reading.refuse_integers(node)
    if not isinstance(reading.builder, TensorBuilder):
        assert isinstance(value, Real)  # a network of spikes has reals alone
        return reading.builder.saturate(node.name, value, (low - point) * size, (high - point) * size)
    if isinstance(value, Real):
        return reading.builder.quantise(node.name, value, size, point, low - point, high - point)
    largest = max(float(np.abs(numbers).max()) for numbers in (value.offset, *(term.scale for term in value.terms)))
    if not largest / size <= MOST_FACTOR:
        message, expected = f"the scale of {node.op} is too small", f"at least {largest / MOST_FACTOR:.6g}"
        reading.refuse(node, ONX010, message, expected, f"{size:.6g}")
    return reading.builder.requantise(node.name, value, size, point, low - point, high - point)


def bounds_of(reading: Reading, node: OnnxNode, zero: AnyArray | None) -> tuple[int, int]:
    """Returns the least and the greatest stored integer of a QuantizeLinear."""
    kind = reading.setting(node, "output_dtype", 0)
    if kind and kind not in OUTPUT_BOUNDS:
        expected = "integers of 4, 8 or 16 bits"
        reading.refuse(node, ONX004, "output_dtype of QuantizeLinear is not supported", expected, f"{kind}")
    if not kind and zero is not None:
        name = reading.graph.types.get(node.inputs[2])
        if name in ("UINT4", "INT4"):
            return FOUR_BITS[21 if name == "UINT4" else 22]
        held = np.iinfo(zero.dtype)
        return int(held.min), int(held.max)
    return OUTPUT_BOUNDS[kind or DEFAULT_TYPE]


def along_axis(reading: Reading, node: OnnxNode, numbers: AnyArray, values: AnyArray) -> AnyArray:
    """Returns a scale or zero point in a form that broadcasts to a constant. Errors: ONX010 another size."""
    if numbers.size == 1:
        return numbers.reshape(())
    axis = reading.setting(node, "axis", 1)
    rank = values.ndim
    if numbers.ndim != 1 or not -rank <= axis < rank or values.shape[axis] != numbers.size:
        found = f"{numbers.size} for axis {axis} of shape {list(values.shape)}"
        reading.refuse(node, ONX010, f"the scales of {node.op} do not fit", "one for each element of an axis", found)
    return numbers.reshape([numbers.size if k == axis % rank else 1 for k in range(rank)])


def read_dequantize(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a DequantizeLinear. Errors: ONX004, ONX009, ONX010."""
    value = reading.numbers(node, 0)
    reading.require(node, "block_size", 0)
    scale, zero = positive_scale(reading, node), zero_of(reading, node)
    if isinstance(value, Constant):
        if value.values.dtype.kind not in "iu":
            reading.refuse(node, ONX009, f"{node.op} of reals", "stored integers", str(value.values.dtype))
        spread = along_axis(reading, node, scale, value.values)
        zeros = np.int64(0) if zero is None else along_axis(reading, node, zero.astype(np.int64), value.values)
        steps = value.values.astype(np.int64) - zeros
        kind = np.float64 if reading.constant(node, 1, "the scale").values.dtype == np.float64 else np.float32
        return Constant(steps.astype(kind) * spread.astype(kind), steps, spread)
    size, point = single(reading, node, scale, zero)
    if isinstance(value, Real) and not isinstance(reading.builder, TensorBuilder):
        return value
    if not isinstance(value, Stored) or not isinstance(reading.builder, TensorBuilder):
        reading.refuse(node, ONX009, f"{node.op} of reals", "stored integers", "a real value")
    held = reading.builder.with_zero(node.name, value, point)
    return Scaled(held.shape, (Term(held.value, np.asarray(size), held.low, held.high),))


def read_clip(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Relu or Clip. Errors: ONX004 a lower bound above the upper one; ONX009 stored integers."""
    value = reading.signal(node)
    low, high = 0.0, np.inf
    if node.op == "Clip":
        # Bounds are attributes before version 11.
        low = reading.number(node, 1, "the lower bound", reading.setting(node, "min", -np.inf))
        high = reading.number(node, 2, "the upper bound", reading.setting(node, "max", np.inf))
    if low > high:
        reading.refuse(node, ONX004, "the bounds of Clip contradict each other", f"at most {high:g}", f"{low:g}")
    if low == -np.inf and high == np.inf:
        return value
    match value:
        case Stored():
            reading.refuse_integers(node)
        case Scaled():
            bounds = (float(np.clip(bound, low, high)) for bound in (value.low, value.high))
            return evolve(value, low=next(bounds), high=next(bounds))
        case Real():
            return reading.builder.rectify(node.name, value, low, high)

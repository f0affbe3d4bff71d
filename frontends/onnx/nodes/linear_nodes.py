"""Conv, Gemm, MatMul, and the ops that are folded into them: BatchNormalization and Add of a constant; and the Add of two values."""

from __future__ import annotations

import numpy as np
from attrs import evolve, frozen

from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.windows import window_outputs
from ..model import ONX008, OnnxNode
from ..populations import MOST_TERMS, bits_of
from ..reading import ONX004, ONX009, Reading
from ..tensor_builder import TensorBuilder
from ..values import (
    Constant,
    GraphValue,
    LinearParts,
    Real,
    Scaled,
    Sizes,
    Stored,
    WindowSizes,
    by_channel,
)
from .windows import window_of

SAME_SCALE = 1e-6
"""Largest relative difference between the scale of a bias and that of the sums, which is their product rounded to f32."""
SUM_BITS = 32


@frozen(eq=False)
class LayerWeights:
    """LayerWeights of a linear op with the outputs on their first axis, and its bias."""

    values: Constant
    bias: Constant | None


def read_conv(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a convolution over one or two axes. Errors: ONX004, ONX008, ONX009."""
    x, weight = reading.signal(node), reading.constant(node, 1, "the weight")
    bias = None if reading.optional(node, 2) is None else reading.constant(node, 2, "the bias")
    shape = weight.values.shape
    if len(shape) not in (3, 4):
        reading.refuse(node, ONX004, "Conv has too many axes", "1 or 2 axes besides channels", f"{len(shape) - 2} axes")
    window = window_of(reading, node, x.shape, shape[2:])
    groups = window.groups
    if len(x.shape) != len(shape) - 1 or groups < 1 or shape[0] % groups or x.shape[0] != shape[1] * groups:
        expected = f"[{shape[1] * groups}, *sizes] in {groups} groups, for a weight of {list(shape)}"
        reading.refuse_shape(node, "the operand of Conv does not fit its weight", expected, x.shape)
    sizes = window_outputs(x.shape[1:], shape[2:], window.stride, window.padding, window.dilation)
    return linear(reading, node, x, LayerWeights(weight, bias), window, (shape[0], *map(int, sizes)))


def read_gemm(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a Gemm with a weight of the file. Errors: ONX004, ONX008, ONX009."""
    reading.require(node, "transA", 0)
    for name in ("alpha", "beta"):
        reading.require(node, name, 1.0, "multiply the weights, and export the network again")
    weight = reading.constant(node, 1, "the second operand")
    bias = None if reading.optional(node, 2) is None else reading.constant(node, 2, "the third operand")
    return read_dense(reading, node, weight, bias, bool(reading.setting(node, "transB", 0)))


def read_matmul(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a MatMul with a weight of the file. Errors: ONX004, ONX008, ONX009."""
    return read_dense(reading, node, reading.constant(node, 1, "the second operand"), None, False)


def read_dense(
    reading: Reading, node: OnnxNode, weight: Constant, bias: Constant | None, is_transposed: bool
) -> GraphValue:
    x = reading.signal(node)
    if weight.values.ndim != 2:
        reading.refuse_shape(node, f"the weight of {node.op} is not a matrix", "2 axes", weight.values.shape)
    turned = weight if is_transposed else transposed(weight)
    outputs, inputs = turned.values.shape
    if x.shape != (inputs,):
        reading.refuse_shape(node, f"the operand of {node.op} does not fit its weight", f"[{inputs}]", x.shape)
    if bias is not None and bias.values.size not in (1, outputs):
        reading.refuse_shape(node, f"the bias of {node.op} does not fit", f"{outputs} elements", bias.values.shape)
    return linear(reading, node, x, LayerWeights(turned, bias), None, (outputs,))


def transposed(weight: Constant) -> Constant:
    steps = None if weight.steps is None else weight.steps.T
    scale = weight.scale if weight.scale is None or weight.scale.ndim < 2 else weight.scale.T
    return Constant(weight.values.T, steps, scale)


def linear(
    reading: Reading,
    node: OnnxNode,
    x: Real | Scaled | Stored,
    given: LayerWeights,
    window: WindowSizes | None,
    shape: Sizes,
) -> GraphValue:
    """Returns a linear map in integers if the operand and the weights are scaled integers, else in reals."""
    reading.check_size(node, shape)
    weight, bias = given.values, given.bias
    if bias is not None and bias.values.size not in (1, shape[0]):
        reading.refuse_shape(node, f"the bias of {node.op} does not fit", f"{shape[0]} elements", bias.values.shape)
    if isinstance(x, Stored):
        reading.refuse_integers(node)
    lines = None if weight.scale is None else channel_scale(weight)
    if not isinstance(x, Scaled) or not x.is_plain or lines is None:
        source = reading.real(node, x)
        kind = np.float64 if weight.values.dtype == np.float64 else np.float32
        addend = None if bias is None else np.broadcast_to(bias.values.reshape(-1).astype(kind), shape[:1])
        values = np.ascontiguousarray(weight.values.astype(kind))
        return Real(shape, parts=LinearParts(node.name, source, values, addend, window))
    assert isinstance(reading.builder, TensorBuilder)  # others have no integers
    (term,) = x.terms
    scale = term.scale.reshape(()) * lines
    integers, offset = bias_parts(bias, scale, shape)
    spread = by_channel(np.broadcast_to(scale, shape[:1]), len(shape)) if scale.size > 1 else scale.reshape(())
    sums = reading.builder.integer_linear(node.name, term, weight, integers, window, shape)
    if bits_of(sums.low, sums.high) > SUM_BITS:
        help = "quantise activations and weights to 8 bits"
        found = f"{bits_of(sums.low, sums.high)} bits"
        reading.refuse(node, ONX009, f"the sums of {node.op} are too wide", f"at most {SUM_BITS} bits", found, help)
    return Scaled(
        shape, (evolve(sums, scale=spread),), by_channel(offset, len(shape)) if offset.any() else np.asarray(0.0)
    )


def channel_scale(weight: Constant) -> Reals | None:
    """Returns the scale of each output, or the common one; None if inputs have different scales. Shapes: [outputs] or ()."""
    assert weight.scale is not None  # asked before
    scale = weight.scale
    if scale.ndim == 0:
        return scale
    return scale.reshape(-1) if scale.shape[0] == scale.size else None


def bias_parts(bias: Constant | None, scale: Reals, shape: Sizes) -> tuple[Ints | None, Reals]:
    """Returns a bias as integers in the scale of the sums if it is stored so, else as reals that are added later. Shapes: each [outputs]."""
    none = np.zeros(shape[0])
    if bias is None:
        return None, none
    if bias.steps is not None and bias.scale is not None:
        ratio = np.broadcast_to(bias.scale.reshape(-1) if bias.scale.ndim else bias.scale, shape[:1]) / scale
        if bool((np.abs(ratio - 1) <= SAME_SCALE).all()):
            return np.broadcast_to(bias.steps.reshape(-1), shape[:1]).astype(np.int64), none
    return None, np.broadcast_to(bias.values.reshape(-1).astype(np.float64), shape[:1])


def read_batch_normalization(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads a BatchNormalization after a linear op, which takes its factors. Errors: ONX004 others; ONX008 another size."""
    x = reading.signal(node)
    reading.require(node, "training_mode", 0)
    reading.require(node, "spatial", 1)
    names = ("the scale", "the bias", "the mean", "the variance")
    gamma, beta, mean, variance = (
        reading.constant(node, k, name).values.astype(np.float64) for k, name in enumerate(names, 1)
    )
    if any(one.shape != x.shape[:1] for one in (gamma, beta, mean, variance)):
        reading.refuse_shape(node, "the parameters do not fit", f"[{x.shape[0]}] each", gamma.shape)
    spread = variance + float(reading.setting(node, "epsilon", 1e-5))
    if spread.min() <= 0:
        reading.refuse(node, ONX008, "a variance is not positive", "numbers above 0", f"{spread.min():g}")
    gain = gamma / np.sqrt(spread)
    return folded(reading, node, x, gain, beta - mean * gain)


def folded(reading: Reading, node: OnnxNode, x: Real | Scaled | Stored, gain: Reals, offset: Reals) -> GraphValue:
    """Returns `gain x + offset` of channels, folded into the linear op before. Shapes: gain and offset [channels]."""
    match x:
        case Stored():
            reading.refuse_integers(node)
        case Scaled() if not x.is_clipped:
            gains, offsets = (by_channel(one, len(x.shape)) for one in (gain, offset))
            terms = tuple(evolve(term, scale=term.scale * gains) for term in x.terms)
            return evolve(x, terms=terms, offset=x.offset * gains + offsets)
        case Real() if x.parts is not None:
            return Real(x.shape, parts=x.parts.scaled(gain, offset, x.parts.node))
        case _:
            expected = "the result of Conv, Gemm or MatMul"
            found, help = "another value", "fold it into the layer before it, and export the network again"
            reading.refuse(node, ONX004, f"{node.op} cannot be folded", expected, found, help)


def read_add(reading: Reading, node: OnnxNode) -> GraphValue:
    """Reads the sum of two values of one shape, or of a value and a constant. Errors: ONX004, ONX008, ONX009."""
    x, y = reading.numbers(node, 0), reading.numbers(node, 1)
    if isinstance(x, Constant) and isinstance(y, Constant):
        return Constant(x.values + y.values)
    if isinstance(x, Constant):
        x, y = y, x
    assert not isinstance(x, Constant)  # at most one of them is
    if isinstance(x, Stored) or isinstance(y, Stored):
        reading.refuse_integers(node)
    if isinstance(y, Constant):
        return add_constant(reading, node, x, y.values)
    if x.shape != y.shape:
        reading.refuse_shape(node, "the operands of Add have different shapes", f"{list(x.shape)}", y.shape)
    if isinstance(x, Scaled) and isinstance(y, Scaled) and is_addable(x, y):
        return Scaled(x.shape, (*x.terms, *y.terms), x.offset + y.offset)
    return reading.builder.add_reals(node.name, [reading.real(node, one) for one in (x, y)])


def is_addable(x: Scaled, y: Scaled) -> bool:
    """Returns whether one population adds both values, since neither has bounds."""
    return not x.is_clipped and not y.is_clipped and len(x.terms) + len(y.terms) <= MOST_TERMS


def add_constant(reading: Reading, node: OnnxNode, x: Real | Scaled, values: AnyArray) -> GraphValue:
    """Returns a value plus a constant of its shape, or of its channels."""
    rank = len(x.shape)
    if values.ndim == rank + 1 and values.shape[0] == 1:
        values = values[0]
    spread = values.reshape((1,) * (rank - values.ndim) + values.shape) if values.ndim <= rank else values
    fits = spread.ndim == rank and all(a in (1, b) for a, b in zip(spread.shape, x.shape, strict=True))
    if not fits:
        reading.refuse_shape(
            node, "the constant of Add does not fit", f"one that broadcasts to {list(x.shape)}", values.shape
        )
    if isinstance(x, Scaled) and not x.is_clipped:
        return evolve(x, offset=x.offset + spread.astype(np.float64))
    if any(size > 1 for size in spread.shape[1:]) or isinstance(x, Scaled):
        help = "quantise the constant, or add it as the bias of the layer before"
        reading.refuse(node, ONX004, "Add of a constant cannot be folded", "a number for each channel", "others", help)
    offset = np.broadcast_to(spread.reshape(-1), x.shape[:1]).astype(np.float64)
    return folded(reading, node, x, np.ones(x.shape[0]), offset)

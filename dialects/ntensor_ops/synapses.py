"""Synapses: linear maps, convolutions, pools and scales, from the signals of a tick to values.

Sums have an order: terms are added by the flat index of the presynaptic neuron (c, y, x), starting from zero, and the bias is last.
A presynaptic zero is not an event and adds nothing. Parameters and operands are converted to the element type of the result before
they are used; the conversion must be exact. A result of `!ntensor.terms` is the same sum, not added yet; its bias is the last term.

Optional properties of weighted synapses:

| property | meaning |
| --- | --- |
| `exponent` | the sum, bias included, is multiplied by 2^exponent. For integers a negative exponent rounds down, as `>>` does; terms are rounded one by one |
| `quantized` | the weights are integers of a number of bits, times a scale (`#ntensor.quantized`) |
| `plasticity` | the learning rule of the weights (`#nir.stdp`); verified and kept, not simulated yet |

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values, or a number that would change; NTE006 a stride,
kernel, padding, dilation, number of groups, exponent, scale or delay out of range.
Source: Pedersen et al., Nature Communications 15:8122 (2024) for the primitives; the order of sums is ours.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import Float32Type, Float64Type, IntAttr, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import invalid
from ...core.ir.operation import NoptOperation, element_type, shape_of
from ...core.windows import window_outputs
from ..nir_ops.synapses import StdpAttr
from .signals import NTE002, NTE003, NTE006, interval_of, verify_integers, verify_shape, verify_synapse, verify_terms


@irdl_attr_definition
class QuantizedAttr(ParametrizedAttribute):
    """Format of quantised weights (and a bias): integers of `bits` signed bits times `scale`.

    If the result of the op is real, its weights are the products, rounded once to the type of the weights. If the result is integers or
    terms, the weights are the integers, and the scale is the value of 1 in the trained network. One bit is the sign alone: -1 and 1.

    Shapes: scale broadcasts to the weights: () for all, [o, 1] for each row, [1, i] for each column.
    Units: bits 1 to 16; scale [unit of the weights], positive.
    """

    name = "ntensor.quantized"
    bits: IntAttr
    scale: ArrayAttr

    @staticmethod
    def of(bits: int, scale: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> QuantizedAttr:
        return QuantizedAttr(IntAttr(bits), ArrayAttr.of(scale))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> list[Attribute]:
        with parser.in_angle_brackets():
            bits = IntAttr(parser.parse_integer(allow_boolean=False, allow_negative=True))
            parser.parse_punctuation(",", " between the bits and the scale")
            at = parser.pos
            scale = parser.parse_attribute()
            if not isinstance(scale, ArrayAttr):
                parser.raise_error("expected the scale as an array", at, parser.pos)
            return [bits, scale]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.bits.data}, ")
            printer.print_attribute(self.scale)


def verify_quantized(op: NoptOperation, what: str, weight: ArrayAttr, y: SSAValue, given: QuantizedAttr | None) -> None:
    """Refuses bits out of range, a scale that does not broadcast or is not positive, and integers of more bits."""
    if given is None:
        return
    bits, scale = given.bits.data, given.scale.values
    shape = scale.shape
    broadcasts = not shape or (
        len(shape) == len(weight.shape) and all(n in (1, m) for n, m in zip(shape, weight.shape, strict=True))
    )
    if not broadcasts:
        verify_shape(op, "the scale", shape, (), weight.shape)
    if not 1 <= bits <= 16 or not (np.isfinite(scale).all() and (scale > 0).all()):
        invalid(
            op,
            NTE006,
            f"the quantization of {what} is out of range",
            expected="1 to 16 bits, and a positive scale",
            found=f"{bits} bits" if not 1 <= bits <= 16 else f"a scale of {scale.min()}",
            help="quantize with ntensor-quantize-weights",
        )
    if interval_of(y_element := element_type(y)) is not None and weight.data.size:
        most = max(1, 2 ** (bits - 1) - 1)
        lowest, highest = int(weight.data.least()), int(weight.data.greatest())
        if not -most - 1 <= lowest <= highest <= most:
            invalid(
                op,
                NTE006,
                f"{what} has more bits than its quantization declares",
                expected=f"-{most + 1} to {most} for {bits} bits of {y_element}",
                found=f"{lowest} to {highest}",
                help="quantize with ntensor-quantize-weights",
            )


def verify_exponent(op: NoptOperation, exponent: ArrayAttr | None, *shapes: tuple[int, ...]) -> int:
    """Refuses an exponent of another shape or beyond 62 bits. Returns the largest, for the width of terms."""
    if exponent is None:
        return 0
    verify_shape(op, "exponent", exponent.shape, *shapes)
    if exponent.data.dtype.kind not in "iu" or (
        exponent.data.size and not (exponent.data.least() >= -62 and exponent.data.greatest() <= 62)
    ):
        invalid(
            op,
            NTE006,
            "exponent is out of range",
            expected="integers from -62 to 62",
            found=str(exponent.values.tolist()),
            help="set exponent to integers from -62 to 62",
        )
    return int(exponent.data.greatest()) if exponent.data.size else 0


def verify_rank(op: NoptOperation, what: str, found: tuple[int, ...], rank: int, axes: str) -> None:
    if len(found) != rank:
        invalid(
            op,
            NTE002,
            f"{what} has the wrong number of axes",
            expected=f"{rank}: {axes}",
            found=f"{len(found)}: {found}",
            help=f"reshape {what} to the axes {axes}",
        )


def verify_outputs(op: NoptOperation, sizes: tuple[int, ...], y: SSAValue, channels: int) -> None:
    """Refuses a window that is larger than the padded operand, and a result of another shape."""
    if min(sizes) < 1:
        invalid(
            op,
            NTE002,
            "the kernel is larger than the padded operand",
            expected="at least 1 position on each axis",
            found=str(sizes),
            help="make the kernel or its dilation smaller, or the padding larger",
        )
    verify_shape(op, "the result", shape_of(y), (channels, *sizes))


@irdl_op_definition
class LinearOp(NoptOperation):
    """Linear map: `y[o] = sum over i of weight[o, i] x[i], + bias[o]`; leading axes of the weight are axes of the population.

    Shapes: weight [..., o, i], x [..., i], bias and y [..., o], exponent () or [..., o].
    """

    name = "ntensor.linear"
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    plasticity = opt_prop_def(StdpAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        shape = self.weight.shape
        if len(shape) < 2:
            verify_rank(self, "weight", shape, 2, "[outputs, inputs]")
        verify_shape(self, "the operand", shape_of(self.x), shape[:-2] + shape[-1:])
        verify_shape(self, "the result", shape_of(self.y), shape[:-1])
        if self.bias is not None:
            verify_shape(self, "bias", self.bias.shape, shape[:-1])
        verify_synapse(self, self.x, self.y, ("weight", self.weight), ("bias", self.bias))
        most = verify_exponent(self, self.exponent, (), shape[:-1])
        verify_quantized(self, "weight", self.weight, self.y, self.quantized)
        verify_terms(self, self.x, self.y, self.weight, self.bias, most)


@irdl_op_definition
class SparseLinearOp(NoptOperation):
    """Sparse map: `y[o](t) = sum over synapses k with target[k] = o of weight[k] x[source[k]](t - delay[k]), + bias[o]`.

    Terms are added in the order of the synapses, which are sorted by source, then target. Before the first tick x is zero.

    Shapes: weight, source and target [k], delay () or [k]; x and y any, source and target are their flat indices; bias that of y,
    exponent () or that of y; the scale of `quantized` () or [k].
    Units: delay [ticks], 0 or more; default 0.
    Errors: NTE006 an index that is not a neuron, synapses that are not sorted, a negative delay.
    """

    name = "ntensor.sparse_linear"
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    source = prop_def(ArrayAttr)
    target = prop_def(ArrayAttr)
    delay = opt_prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    plasticity = opt_prop_def(StdpAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        shape = self.weight.shape
        verify_rank(self, "weight", shape, 1, "[synapses]")
        verify_integers(self, "source", self.source, shape, 0)
        verify_integers(self, "target", self.target, shape, 0)
        if self.delay is not None:
            verify_shape(self, "delay", self.delay.shape, (), shape)
            verify_integers(self, "delay", self.delay, self.delay.shape, 0)
        for what, index, neurons in (
            ("source", self.source, prod(shape_of(self.x))),
            ("target", self.target, prod(shape_of(self.y))),
        ):
            if index.data.size and (found := int(index.data.greatest())) >= neurons:
                invalid(
                    self,
                    NTE006,
                    f"a {what} index is not a neuron",
                    expected=f"indices below {neurons}",
                    found=str(found),
                    help=f"list flat indices of the population in {what}",
                )
        self.verify_sorted()
        if self.bias is not None:
            verify_shape(self, "bias", self.bias.shape, shape_of(self.y))
        verify_synapse(self, self.x, self.y, ("weight", self.weight), ("bias", self.bias))
        most = verify_exponent(self, self.exponent, (), shape_of(self.y))
        verify_quantized(self, "weight", self.weight, self.y, self.quantized)
        verify_terms(self, self.x, self.y, self.weight, self.bias, most)

    def verify_sorted(self) -> None:
        source, target = self.source.values.astype(np.int64), self.target.values.astype(np.int64)
        key = source * prod(shape_of(self.y)) + target
        back = np.flatnonzero(key[1:] < key[:-1])
        if back.size:
            k = int(back[0])
            invalid(
                self,
                NTE006,
                "synapses are not sorted",
                expected="by source, then by target",
                found=f"synapse {k} from {source[k]} to {target[k]}, then from {source[k + 1]} to {target[k + 1]}",
                help="sort the synapses by source, then by target",
            )


@irdl_op_definition
class FanInLinearOp(NoptOperation):
    """Sparse map with a fixed fan-in, synapses listed by target neuron: `y[o] = sum over k of weight[o, k] x[source[o, k]]`.

    Terms are added in the order of the sources; synapses with the same source keep their order. Both arrays may be rules, so that a
    network of any size takes no memory: `source = #nopt.array<integers(low = 0, high = 1000, seed = 1) : tensor<500x50xi32>>`.

    Shapes: weight and source [o, k]; x of any shape, y of any shape with o neurons; source holds flat indices of x.
    Errors: NTE003 a result that is not real; NTE006 a source that is not a neuron.
    """

    name = "ntensor.fan_in_linear"
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    source = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        shape, neurons, outputs = self.weight.shape, prod(shape_of(self.x)), prod(shape_of(self.y))
        verify_rank(self, "weight", shape, 2, "[outputs, synapses]")
        verify_shape(self, "weight", shape, (outputs, shape[1]))
        verify_integers(self, "source", self.source, shape, 0)
        last = neurons - 1
        if self.source.data.size and (found := int(self.source.data.greatest(enough=last))) > last:
            invalid(
                self,
                NTE006,
                "a source index is not a neuron",
                expected=f"indices below {neurons}",
                found=str(found),
                help="list flat indices of the operand in source",
            )
        verify_synapse(self, self.x, self.y, ("weight", self.weight))
        if not isinstance(element := element_type(self.y), Float32Type | Float64Type):
            invalid(
                self,
                NTE003,
                "the result of ntensor.fan_in_linear is not real",
                expected="a result of f32 or f64",
                found=str(element),
                help="use ntensor.sparse_linear for integers and terms",
            )


class ConvolutionOp(NoptOperation):
    """Base of both convolutions, which are correlations, as in deep-learning frameworks.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group. There is one
    exponent for all channels, or one for each output channel.
    """

    RANK: ClassVar[int]
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        shape, rank, groups = self.weight.shape, self.RANK, self.groups.value.data
        axes = "y, x" if rank == 2 else "x"
        verify_rank(self, "weight", shape, rank + 2, f"[outputs, inputs / groups, {axes}]")
        verify_integers(self, "stride", self.stride, (rank,), 1)
        verify_integers(self, "padding", self.padding, (rank, 2), 0)
        verify_integers(self, "dilation", self.dilation, (rank,), 1)
        if groups < 1 or shape[0] % groups:
            invalid(
                self,
                NTE006,
                "groups must divide the output channels",
                expected=f"a divisor of {shape[0]}",
                found=str(groups),
                help="groups = 1 : i64 connects every channel to every other",
            )
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, rank + 1, f"[channels, {axes}]")
        verify_shape(self, "the operand", x, (shape[1] * groups, *x[1:]))
        stride, padding, dilation = (array.values.tolist() for array in (self.stride, self.padding, self.dilation))
        verify_outputs(self, window_outputs(x[1:], shape[2:], stride, padding, dilation), self.y, shape[0])
        if self.bias is not None:
            verify_shape(self, "bias", self.bias.shape, shape[:1])
        verify_synapse(self, self.x, self.y, ("weight", self.weight), ("bias", self.bias))
        most = verify_exponent(self, self.exponent, (), shape[:1])
        verify_quantized(self, "weight", self.weight, self.y, self.quantized)
        verify_terms(self, self.x, self.y, self.weight, self.bias, most)


@irdl_op_definition
class Conv1dOp(ConvolutionOp):
    """Convolution over one axis. Shapes: weight [c', c / groups, k], x [c, n], padding [[before, after]], y [c', n']."""

    RANK: ClassVar[int] = 1
    name = "ntensor.conv1d"


@irdl_op_definition
class Conv2dOp(ConvolutionOp):
    """Convolution over two axes. Shapes: weight [c', c / groups, ky, kx], x [c, y, x], padding [[top, bottom], [left, right]]."""

    RANK: ClassVar[int] = 2
    name = "ntensor.conv2d"


class PoolOp(NoptOperation):
    """Base of both pools. Padding is filled with zeros."""

    node = prop_def(StringAttr)
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_integers(self, "kernel", self.kernel, (2,), 1)
        verify_integers(self, "stride", self.stride, (2,), 1)
        verify_integers(self, "padding", self.padding, (2, 2), 0)
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, 3, "[channels, y, x]")
        kernel, stride, padding = (array.values.tolist() for array in (self.kernel, self.stride, self.padding))
        verify_outputs(self, window_outputs(x[1:], kernel, stride, padding, (1, 1)), self.y, x[0])
        verify_synapse(self, self.x, self.y)


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """Sum pool: `y[c, p] = sum over k of x[c, p stride + k - before]`. Shapes: x [c, y, x], padding [[top, bottom], [left, right]]."""

    name = "ntensor.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """Average pool: the sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included.

    Errors: NTE003 a result of integers, since no rounding of their mean is defined.
    """

    name = "ntensor.avg_pool2d"

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(element := element_type(self.y), Float32Type | Float64Type):
            invalid(
                self,
                NTE003,
                "no rounding is defined for the mean of integers",
                expected="a result of f32 or f64",
                found=str(element),
                help="use ntensor.sum_pool2d, and fold the division into the weights after it",
            )


@irdl_op_definition
class ScaleOp(NoptOperation):
    """Elementwise product: `y = scale x`. Shapes: scale () or that of x; `quantized` applies to the scale."""

    name = "ntensor.scale"
    node = prop_def(StringAttr)
    scale = prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_shape(self, "scale", self.scale.shape, (), shape_of(self.x))
        verify_shape(self, "the result", shape_of(self.y), shape_of(self.x))
        verify_synapse(self, self.x, self.y, ("scale", self.scale))
        verify_quantized(self, "scale", self.scale, self.y, self.quantized)
        verify_terms(self, self.x, self.y, self.scale, None, 0)

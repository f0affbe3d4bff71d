"""Synapses: linear maps, convolutions, pools and scales, from what arrives in a tick to values.

Sums have an order: terms are added in the flat index of the presynaptic neuron (c, y, x), starting from zero, and the bias last.
A presynaptic zero is no event and adds nothing. Parameters and operands are converted to the element type of the result before
they are used, which must not change them.

Errors of all: NTE002 shapes that do not fit; NTE003 a result that is not values, or a number that would change; NTE006 a stride,
kernel, padding, dilation or number of groups out of range.
Source: Pedersen et al., Nature Communications 15:8122 (2024) for the primitives; the order of sums is ours.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerAttr, StringAttr, TensorType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from ...core.arrays import ArrayAttr
from ...core.diagnostics import invalid
from ...core.operation import NoptOperation, element_type, shape_of
from ...core.windows import window_outputs
from .signals import NTE002, NTE003, NTE006, verify_integers, verify_shape, verify_synapse


def verify_rank(op: NoptOperation, what: str, found: tuple[int, ...], rank: int, axes: str) -> None:
    if len(found) != rank:
        invalid(
            op,
            NTE002,
            f"{what} has the wrong number of axes",
            expected=f"{rank}: {axes}",
            found=f"{len(found)}: {found}",
            help=f"give {what} the axes {axes}",
        )


def verify_outputs(op: NoptOperation, sizes: tuple[int, ...], y: SSAValue, channels: int) -> None:
    """Refuses a window that is larger than what it slides over, and a result of another shape than it gives."""
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
    """`y[o] = sum over i of weight[o, i] x[i], + bias[o]`; leading axes of the weight are axes of the population.

    Shapes: weight [..., o, i], x [..., i], bias and y [..., o].
    """

    name = "ntensor.linear"
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
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


class ConvolutionOp(NoptOperation):
    """What both convolutions share: a correlation, as deep-learning frameworks call convolution.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group.
    """

    RANK: ClassVar[int]
    node = prop_def(StringAttr)
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
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
    """What both pools share. Padding is filled with zeros."""

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
    """`y[c, p] = sum over k of x[c, p stride + k - before]`. Shapes: x [c, y, x], padding [[top, bottom], [left, right]]."""

    name = "ntensor.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """The sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included.

    Errors: NTE003 a result of integers, whose mean has no rounding.
    """

    name = "ntensor.avg_pool2d"

    def verify_(self) -> None:
        super().verify_()
        if not isinstance(element := element_type(self.y), Float32Type | Float64Type):
            invalid(
                self,
                NTE003,
                "the mean of integers has no rounding",
                expected="a result of f32 or f64",
                found=str(element),
                help="use ntensor.sum_pool2d, and fold the division into the weights behind it",
            )


@irdl_op_definition
class ScaleOp(NoptOperation):
    """`y = scale x`, element by element. Shapes: scale () or that of x."""

    name = "ntensor.scale"
    node = prop_def(StringAttr)
    scale = prop_def(ArrayAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict `:` type($x) `->` type($y)"

    def verify_(self) -> None:
        verify_shape(self, "scale", self.scale.shape, (), shape_of(self.x))
        verify_shape(self, "the result", shape_of(self.y), shape_of(self.x))
        verify_synapse(self, self.x, self.y, ("scale", self.scale))

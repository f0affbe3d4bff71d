"""Nodes with a window that moves over the axes of a map: convolutions, transposed convolutions, pools and upsampling.

The first axis of a signal is the channel. NIR has convolutions, sum pools and average pools; the other nodes are nopt's own, with the
parameters of PyTorch's layers.

    %m = nir.max_pool2d "pool" %z {kernel_size = 2, stride = 2, padding = 0} : tensor<4x8x8xi1> -> tensor<4x4x4xi1>
    %u = nir.upsample2d "up" %m {factor = 2, mode = "nearest"} : tensor<4x4x4xi1> -> tensor<4x8x8xf32>

Source: the `nir` package 1.0.8, nir/ir, for its nodes; PyTorch 2, torch.nn, for MaxPool2d, ConvTranspose2d and Upsample.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import base, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import invalid
from ...core.windows import same_padding, transposed_outputs, window_outputs
from .node import (
    NIR001,
    NodeOp,
    integers,
    refuse_parameter,
    refuse_shape,
    verify_integers,
    verify_parameter,
    verify_shape,
)
from .synapses import SynapseOp
from .wiring import KeepingOp


def verify_axes(op: NodeOp, shape: Sequence[int], rank: int) -> None:
    """Refuses an operand with other axes than a channel and `rank` axes of a map. Errors: NIR003."""
    if len(shape) != rank + 1:
        message = "the operand has the wrong number of axes"
        help = "correct the node before it"
        refuse_shape(op, message, f"{rank + 1} axes, channels first", f"shape {tuple(shape)}", help)


def positions(
    op: NodeOp,
    shape: Sequence[int],
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """Returns the number of kernel positions on each axis; refuses an axis with none. Errors: NIR003."""
    found = window_outputs(shape[1:], kernel, stride, padding, dilation)
    if min(found) < 1:
        message = "the kernel is larger than the padded operand"
        sizes = f"kernel {tuple(kernel)}, dilation {tuple(dilation)} on shape {tuple(shape)}"
        help = "increase the padding, or correct the node before it"
        refuse_shape(op, message, "at least one position of the kernel on each axis", sizes, help)
    return found


def verify_pool(op: PoolOp | MaxPool2dOp) -> None:
    """Refuses a kernel, stride or padding of another shape or out of range. Errors: NIR001, NIR002."""
    for name, array, least in (
        ("kernel_size", op.kernel_size, 1),
        ("stride", op.stride, 1),
        ("padding", op.padding, 0),
    ):
        verify_integers(op, name, array, 2, least)


def pooled_shape(op: PoolOp | MaxPool2dOp, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the shape of a pool's result for an operand of this shape. Errors: NIR003."""
    verify_axes(op, shape, 2)
    padding = [(n, n) for n in integers(op.padding, 2)]
    kernel, stride = integers(op.kernel_size, 2), integers(op.stride, 2)
    return (shape[0], *positions(op, shape, kernel, stride, padding, (1, 1)))


class WindowOp(SynapseOp):
    """Base of ops whose kernel moves over the last `RANK` axes; the first axis is the channel."""

    RANK: ClassVar[int]


class ConvolutionOp(WindowOp):
    """Convolution over `RANK` axes in the sense of deep-learning frameworks, which is a correlation.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - padding], + bias[c']`, within each group.

    Padding is a number, one number per axis, `valid` (no padding) or `same` (padding that keeps the size; if it is odd, the additional
    zero is at the end; requires stride 1). `input_shape` is the size of each axis of the operand, as declared in the file.

    Errors: NIR001 weight, bias or sizes of another shape; NIR002 sizes out of range, groups that do not divide the output
    channels; NIR003 an operand with other channels or sizes, or smaller than the kernel.
    """

    weight = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(base(ArrayAttr) | base(StringAttr))
    dilation = prop_def(ArrayAttr)
    groups = prop_def(ArrayAttr)
    bias = prop_def(ArrayAttr)
    input_shape = opt_prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "stride", "padding", "dilation", "groups", "bias", "input_shape")

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.weight.shape

    def verify_weights(self) -> None:
        rank, shape = self.RANK, self.weight.shape
        if len(shape) != rank + 2 or min(shape) < 1:
            invalid(
                self,
                NIR001,
                "weight has the wrong shape",
                expected=f"{rank + 2} axes [outputs, inputs / groups, kernel], none empty",
                found=str(shape),
                help="a kernel of one channel has the shape " + str((1, 1, *(3,) * rank)),
            )
        verify_integers(self, "stride", self.stride, rank, 1)
        verify_integers(self, "dilation", self.dilation, rank, 1)
        verify_integers(self, "groups", self.groups, 1, 1)
        if self.input_shape is not None:
            verify_integers(self, "input_shape", self.input_shape, rank, 1)
        if isinstance(self.padding, ArrayAttr):
            verify_integers(self, "padding", self.padding, rank, 0)
        elif self.padding.data not in ("same", "valid"):
            help = 'padding = "valid" pads nothing'
            refuse_parameter(self, "padding is out of range", "same, valid, or numbers", f'"{self.padding.data}"', help)
        elif self.padding.data == "same" and set(integers(self.stride, rank)) != {1}:
            found = f"stride {self.stride.values.tolist()}"
            help = "specify the zeros before and after each axis as numbers"
            refuse_parameter(self, "padding `same` requires stride 1", "stride 1, or padding in numbers", found, help)
        if shape[0] % (groups := integers(self.groups, 1)[0]):
            message = "groups must divide the output channels"
            help = "groups 1 connects every channel with every other"
            refuse_parameter(self, message, f"a divisor of {shape[0]}", str(groups), help)
        verify_parameter(self, "bias", self.bias, (), shape[:1])

    def operand_shape(self) -> tuple[int, ...] | None:
        if self.input_shape is None:
            return None
        return (self.weight.shape[1] * integers(self.groups, 1)[0], *integers(self.input_shape, self.RANK))

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        verify_axes(self, shape, self.RANK)
        channels = self.weight.shape[1] * integers(self.groups, 1)[0]
        verify_shape(self, "the operand", shape, self.operand_shape() or (channels, *shape[1:]))
        rank, kernel = self.RANK, self.weight.shape[2:]
        stride, dilation = integers(self.stride, rank), integers(self.dilation, rank)
        return (self.weight.shape[0], *positions(self, shape, kernel, stride, self.padding_pairs(), dilation))

    def padding_pairs(self) -> tuple[tuple[int, int], ...]:
        """Returns the number of zeros before and after each axis."""
        if isinstance(self.padding, ArrayAttr):
            return tuple((n, n) for n in integers(self.padding, self.RANK))
        if self.padding.data == "valid":
            return ((0, 0),) * self.RANK
        return same_padding(self.weight.shape[2:], integers(self.dilation, self.RANK))


@irdl_op_definition
class Conv1dOp(ConvolutionOp):
    """Convolution over one axis. Shapes: weight [c', c / groups, k], x [c, n], y [c', n']."""

    name = "nir.conv1d"
    RANK: ClassVar[int] = 1


@irdl_op_definition
class Conv2dOp(ConvolutionOp):
    """Convolution over two axes. Shapes: weight [c', c / groups, ky, kx], x [c, y, x], y [c', y', x']."""

    name = "nir.conv2d"
    RANK: ClassVar[int] = 2


class PoolOp(WindowOp):
    """Base of both pools: each channel is pooled separately, padded with zeros. Shapes: x [c, y, x], y [c, y', x'].

    Errors: NIR001, NIR002 sizes of another shape or out of range; NIR003 an operand with other axes, or smaller than the kernel.
    """

    RANK: ClassVar[int] = 2
    kernel_size = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("kernel_size", "stride", "padding")

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return integers(self.kernel_size, 2)

    def verify_weights(self) -> None:
        verify_pool(self)

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return pooled_shape(self, shape)


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """Sum pool: `y[c, p] = sum over k of x[c, p stride + k - padding]`."""

    name = "nir.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """Average pool: the sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included."""

    name = "nir.avg_pool2d"


@irdl_op_definition
class MaxPool2dOp(KeepingOp):
    """Max pool: `y[c, p] = max over k of x[c, p stride + k - padding]`; the padding holds no elements. Not a node of the `nir` package.

    The result has the kind of the operand: a spike if a neuron of the window spikes, or the greatest value. It is not a synapse, since it is
    not linear. Shapes: x [c, y, x], y [c, y', x'].

    Errors: NIR001, NIR002 sizes of another shape or out of range; NIR003 an operand with other axes, or smaller than the kernel.
    """

    name = "nir.max_pool2d"
    RANK: ClassVar[int] = 2
    kernel_size = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("kernel_size", "stride", "padding")

    def verify_parameters(self) -> None:
        verify_pool(self)
        for size, padding in zip(integers(self.kernel_size, 2), integers(self.padding, 2), strict=True):
            if padding >= size:
                message, help = "a window of a max pool has no element", f"set padding to at most {size - 1}"
                refuse_parameter(self, message, f"padding below {size}", str(padding), help)

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        return pooled_shape(self, shape)


@irdl_op_definition
class ConvTranspose2dOp(WindowOp):
    """Transposed convolution over two axes. Not a node of the `nir` package.

    `y[c', q] = sum over c, p, k with q = p stride + k dilation - padding of weight[c, c', k] x[c, p], + bias[c']`, within each group.

    `output_padding` adds positions at the end of each axis. Shapes: weight [c, c' / groups, ky, kx], x [c, y, x], y [c', y', x'].

    Errors: NIR001 weight, bias or sizes of another shape; NIR002 sizes out of range, groups that do not divide the input channels;
    NIR003 an operand with other channels, or a result without elements.
    """

    name = "nir.conv_transpose2d"
    RANK: ClassVar[int] = 2
    weight = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    output_padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(ArrayAttr)
    bias = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = (
        "weight",
        "stride",
        "padding",
        "output_padding",
        "dilation",
        "groups",
        "bias",
    )

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.weight.shape

    @property
    def channels(self) -> int:
        """Returns the number of output channels."""
        return self.weight.shape[1] * integers(self.groups, 1)[0]

    def verify_weights(self) -> None:
        shape = self.weight.shape
        if len(shape) != 4 or min(shape) < 1:
            expected = "4 axes [inputs, outputs / groups, kernel], none empty"
            help = "a kernel of one channel has the shape (1, 1, 3, 3)"
            invalid(self, NIR001, "weight has the wrong shape", expected=expected, found=str(shape), help=help)
        for name, array, least in (
            ("stride", self.stride, 1),
            ("padding", self.padding, 0),
            ("output_padding", self.output_padding, 0),
            ("dilation", self.dilation, 1),
        ):
            verify_integers(self, name, array, 2, least)
        verify_integers(self, "groups", self.groups, 1, 1)
        steps = zip(integers(self.output_padding, 2), integers(self.stride, 2), integers(self.dilation, 2), strict=True)
        for more, stride, dilation in steps:
            if more >= max(stride, dilation):
                message = "output_padding is not smaller than stride or dilation"
                help = f"set output_padding to at most {max(stride, dilation) - 1}"
                refuse_parameter(self, message, f"below {max(stride, dilation)}", str(more), help)
        if shape[0] % (groups := integers(self.groups, 1)[0]):
            message, help = "groups must divide the input channels", "groups 1 connects every channel with every other"
            refuse_parameter(self, message, f"a divisor of {shape[0]}", str(groups), help)
        verify_parameter(self, "bias", self.bias, (), (self.channels,))

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        verify_axes(self, shape, 2)
        verify_shape(self, "the operand", shape, (self.weight.shape[0], *shape[1:]))
        stride, dilation = integers(self.stride, 2), integers(self.dilation, 2)
        sizes = transposed_outputs(shape[1:], self.weight.shape[2:], stride, self.padding_pairs(), dilation)
        if min(sizes) < 1:
            message, help = "the padding removes the whole result", "decrease the padding"
            refuse_shape(self, message, "at least one element on each axis", f"sizes {sizes}", help)
        return (self.channels, *sizes)

    def padding_pairs(self) -> tuple[tuple[int, int], ...]:
        """Returns the positions that are removed before and after each axis; `output_padding` lowers the second, also below 0."""
        more = integers(self.output_padding, 2)
        return tuple((n, n - m) for n, m in zip(integers(self.padding, 2), more, strict=True))


UPSAMPLING_MODES = ("nearest", "bilinear", "bilinear-corners")
"""Modes of `nir.upsample2d`."""


@irdl_op_definition
class Upsample2dOp(WindowOp):
    """Upsampling of a map by whole factors. Not a node of the `nir` package. Shapes: factor () or [2], x [c, y, x], y [c, fy y, fx x].

    | mode | element of the result |
    | --- | --- |
    | `nearest` | `y[c, p] = x[c, floor(p / factor)]` |
    | `bilinear` | the linear interpolation at `(p + 1/2) / factor - 1/2`, positions outside of the map moved to its edge |
    | `bilinear-corners` | the linear interpolation at `p (n - 1) / (factor n - 1)`, which maps corners to corners (`align_corners` of PyTorch) |

    Errors: NIR001, NIR002 a factor of another shape or out of range, an unknown mode; NIR003 an operand with other axes.
    """

    name = "nir.upsample2d"
    RANK: ClassVar[int] = 2
    factor = prop_def(ArrayAttr)
    mode = prop_def(StringAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("factor", "mode")

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return ()

    def verify_weights(self) -> None:
        verify_integers(self, "factor", self.factor, 2, 1)
        if self.mode.data not in UPSAMPLING_MODES:
            message, help = "unknown mode of upsampling", 'mode = "nearest" repeats elements'
            refuse_parameter(self, message, f"one of {', '.join(UPSAMPLING_MODES)}", f'"{self.mode.data}"', help)

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        verify_axes(self, shape, 2)
        return (shape[0], *(n * f for n, f in zip(shape[1:], integers(self.factor, 2), strict=True)))

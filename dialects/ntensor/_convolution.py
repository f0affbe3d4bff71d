"""Convolutions and transposed convolutions, from the signals of a tick to values. `_linear.py` defines the order of sums and the optional properties.

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values, or a number that would change; NTE006 a stride,
padding, dilation, number of groups, exponent or scale out of range.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Bools, Counts, Ints
from ...core.arrays.sums import add_by_sign
from ...core.ir.operation import shape_of
from ...core.windows import Window, WindowAxis, same_padding, transposed_outputs, window_axes, window_outputs
from ..nir import windows as nir
from ._synapse_checks import QuantizedAttr, verify_outputs, verify_rank
from ._synapse_interface import NirNode, Pairs, SynapseOpInterface, WeightLines, WindowOp
from .axon_types import AxonTypesAttr
from .signals import refuse_parameter, verify_integers, verify_shape


class KernelOp(SynapseOpInterface):
    """Base of the ops with a kernel for each pair of channels of a group. Shapes: weight [c', c / groups, k...], bias [c'], exponent () or [c']."""

    RANK: ClassVar[int]
    WEIGHTS: ClassVar[str | None] = "weight"
    SHARES_WEIGHTS: ClassVar[bool] = True
    weight = prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    exponent = opt_prop_def(ArrayAttr)
    quantized = opt_prop_def(QuantizedAttr)
    axon_types = opt_prop_def(AxonTypesAttr)
    traits = traits_def(Pure())

    def verify_kernel(self) -> None:
        """Refuses a kernel, steps or groups that do not fit the operand. Errors: NTE002, NTE006."""
        shape, rank, groups = self.weight.shape, self.RANK, self.groups.value.data
        axes = "y, x" if rank == 2 else "x"
        verify_rank(self, "weight", shape, rank + 2, f"[outputs, inputs / groups, {axes}]")
        verify_integers(self, "stride", self.stride, (rank,), 1)
        verify_integers(self, "dilation", self.dilation, (rank,), 1)
        if groups < 1 or shape[0] % groups:
            message = "groups must divide the output channels"
            help = "groups = 1 : i64 connects every channel to every other"
            refuse_parameter(self, message, f"a divisor of {shape[0]}", str(groups), help)
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, rank + 1, f"[channels, {axes}]")
        verify_shape(self, "the operand", x, (shape[1] * groups, *x[1:]))

    def used_taps(self) -> Bools:
        """Returns whether each weight is not zero. Shapes: [c', c / groups, y, x], with a leading axis of length 1 for a row."""
        shape = self.weight.shape
        sizes = (*(1,) * (2 - self.RANK), *shape[2:])
        return (self.weight_steps().values != 0).reshape(*shape[:2], *sizes)

    def kernel_parameters(self, weight: ArrayAttr, padding: Attribute) -> dict[str, Attribute]:
        """Returns the parameters of the NIR node. NIR requires a bias; a missing bias becomes -0, because x + -0 == x."""
        bias = ArrayAttr.of(np.full(self.weight.shape[0], -0.0, weight.data.dtype))
        return {
            "weight": weight,
            "bias": self.bias or bias,
            "stride": self.stride,
            "padding": padding,
            "dilation": self.dilation,
            "groups": ArrayAttr.of(np.int64(self.groups.value.data)),
        }

    def output_lines(self) -> WeightLines:
        return WeightLines("channel", self.weight.shape, (0,))

    def input_lines(self) -> WeightLines:
        shape, groups = self.weight.shape, self.groups.value.data
        if groups == 1:
            return WeightLines("input channel", shape, (1,))
        return WeightLines("input channel", (groups, shape[0] // groups, *shape[1:]), (0, 2))


class ConvolutionOp(KernelOp, WindowOp):
    """Base of both convolutions, which are correlations, as in deep-learning frameworks.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group. There is one
    exponent for all channels, or one for each output channel.
    """

    def verify_(self) -> None:
        shape, x = self.weight.shape, shape_of(self.x)
        self.verify_kernel()
        verify_integers(self, "padding", self.padding, (self.RANK, 2), 0)
        stride, padding, dilation = (array.values.tolist() for array in (self.stride, self.padding, self.dilation))
        verify_outputs(self, window_outputs(x[1:], shape[2:], stride, padding, dilation), self.y, shape[0])
        self.verify_weights(shape[:1])

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the window; the first axis of conv1d has length 1."""
        stride, padding, dilation = (array.values.tolist() for array in (self.stride, self.padding, self.dilation))
        x, y = shape_of(self.x)[1:], shape_of(self.y)[1:]
        return window_axes(x, y, self.weight.shape[2:], stride, padding, dilation)

    def window(self) -> Window:
        channels = (shape_of(self.x)[0], shape_of(self.y)[0])
        return Window(self.axes(), channels, self.used_taps(), self.groups.value.data)

    def count_synapses(self) -> Ints:
        """Counts the kernel of each output, taps in the padding included."""
        size = prod(shape_of(self.y))
        steps = self.weight_steps().values
        channels = np.count_nonzero(steps.reshape(len(steps), -1), axis=1)
        return np.repeat(channels.astype(np.int64), size // max(1, len(channels)))

    def target_multiplicity(self) -> int:
        return 1

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        weight = self.weight.values if weight is None else weight
        return add_by_sign(weight, tuple(range(1, weight.ndim)))

    def operand_means(self, x: AnyArray) -> AnyArray:
        """Returns means over all positions of the kernel, with zeros in the padding."""
        rows, columns = self.axes()
        outputs, inputs, *_ = self.weight.shape
        groups = self.groups.value.data
        given = x.reshape(groups * inputs, rows.inputs, columns.inputs)
        means = np.zeros((groups, inputs, rows.taps, columns.taps))
        for j, i in np.ndindex(rows.taps, columns.taps):
            seen = given[:, rows.inside(j)[0], columns.inside(i)[0]]
            means[:, :, j, i] = seen.sum(axis=(1, 2)).reshape(groups, inputs) / max(1, rows.outputs * columns.outputs)
        return np.repeat(means, outputs // groups, axis=0).reshape(self.weight.shape)

    def nir_node(self) -> NirNode | None:
        pairs = tuple((int(a), int(b)) for a, b in self.padding.values)
        is_same = same_padding(self.weight.shape[2:], tuple(int(n) for n in self.dilation.values)) == pairs
        is_named = is_same and any(a != b for a, b in pairs) and (self.stride.values == 1).all()
        padding = StringAttr("same") if is_named else self.padding
        return nir.Conv1dOp if self.RANK == 1 else nir.Conv2dOp, self.kernel_parameters(self.weight_values(), padding)

    @property
    def kernel_entries(self) -> int | None:
        return prod(self.weight.shape)


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


@irdl_op_definition
class ConvTranspose2dOp(KernelOp):
    """Transposed convolution over two axes: the adjoint of a convolution, with the weights in the order of `ntensor.conv2d`.

    `y[c', q] = sum over c, p, k with q = p stride + k dilation - before of weight[c', c, k] x[c, p], + bias[c']`, within each group.

    Shapes: weight [c', c / groups, ky, kx], x [c, y, x], padding [[top, bottom], [left, right]], which is removed from the result; a
    negative bottom or right adds positions without a kernel, fewer than the stride or the dilation.
    """

    RANK: ClassVar[int] = 2
    name = "ntensor.conv_transpose2d"

    def verify_(self) -> None:
        shape, x = self.weight.shape, shape_of(self.x)
        self.verify_kernel()
        stride, dilation = self.stride.values.tolist(), self.dilation.values.tolist()
        verify_integers(self, "padding", self.padding, (2, 2), 1 - max(*stride, *dilation))
        padding = self.padding.values.tolist()
        for (before, after), s, d in zip(padding, stride, dilation, strict=True):
            if before < 0 or after <= -max(s, d):
                message = "padding is out of range"
                expected = f"0 or more before, more than {-max(s, d)} after"
                help = "shorten the result to the positions that a kernel reaches"
                refuse_parameter(self, message, expected, f"{before} before, {after} after", help)
        sizes = transposed_outputs(x[1:], shape[2:], stride, padding, dilation)
        verify_outputs(self, sizes, self.y, shape[0])
        self.verify_weights(shape[:1])

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the adjoint: a window that reads the result and writes the operand."""
        stride, dilation = self.stride.values.tolist(), self.dilation.values.tolist()
        padding = np.maximum(self.padding.values, 0).tolist()
        y, x = shape_of(self.y)[1:], shape_of(self.x)[1:]
        return window_axes(y, x, self.weight.shape[2:], stride, padding, dilation)

    def swapped(self, values: AnyArray) -> AnyArray:
        """Returns entries of weights with the channels of the adjoint. Shapes: values [c', c / groups, y, x], result [c, c' / groups, y, x]."""
        return swap_channels(values, self.groups.value.data)

    def adjoint(self) -> Window:
        """Returns the window that reads the result and writes the operand."""
        channels = (shape_of(self.y)[0], shape_of(self.x)[0])
        return Window(self.axes(), channels, self.swapped(self.used_taps()), self.groups.value.data)

    def pairs(self) -> Pairs:
        target, source, place = self.adjoint().pairs()
        index = np.arange(prod(self.weight.shape)).reshape(self.weight.shape)
        return source, target, self.swapped(index).reshape(-1)[place]

    def irregular_pairs(self) -> tuple[Ints, Ints] | None:
        return None

    def count_forwards(self, n: Counts) -> Counts:
        return self.adjoint().backwards()(n).reshape(shape_of(self.y))

    def prepare_backwards(self) -> Callable[[Counts], Counts]:
        window, shape = self.adjoint(), shape_of(self.x)
        return lambda n: window.forwards(n.reshape(shape_of(self.y))).reshape(shape)

    def target_multiplicity(self) -> int:
        return 1

    def add_weights(self, weight: AnyArray | None = None) -> tuple[AnyArray, AnyArray] | None:
        """Returns the greatest sums of each channel, since the taps that reach a result depend on its position."""
        sums = super().add_weights(weight)
        assert sums is not None  # the op adds
        return sums[0].max(axis=(1, 2)), sums[1].max(axis=(1, 2))

    def nir_node(self) -> NirNode | None:
        """Returns the NIR node. NIR has one padding for both sides; a smaller padding after is an output padding."""
        more = self.padding.values[:, 0] - self.padding.values[:, 1]
        steps = np.maximum(self.stride.values, self.dilation.values)
        if (more < 0).any() or (more >= steps).any():
            return None
        weight = ArrayAttr.of(np.ascontiguousarray(self.swapped(self.weight_values().values)))
        padding = ArrayAttr.of(np.ascontiguousarray(self.padding.values[:, 0]))
        return nir.ConvTranspose2dOp, {
            **self.kernel_parameters(weight, padding),
            "output_padding": ArrayAttr.of(more),
        }


def swap_channels(values: AnyArray, groups: int) -> AnyArray:
    """Exchanges input and output channels within each group: [outputs, inputs / groups, ...] becomes [inputs, outputs / groups, ...]."""
    outputs, inside, *taps = values.shape
    grouped = values.reshape(groups, outputs // groups, inside, *taps).swapaxes(1, 2)
    return grouped.reshape(groups * inside, outputs // groups, *taps)

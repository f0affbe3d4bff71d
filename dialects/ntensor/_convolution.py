"""Convolutions, from the signals of a tick to values. `_linear.py` defines the order of sums and the optional properties.

Errors of all: NTE002 shapes that do not match; NTE003 a result that is not values, or a number that would change; NTE006 a stride,
padding, dilation, number of groups, exponent or scale out of range.
"""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def, traits_def
from xdsl.traits import Pure

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray, Ints
from ...core.arrays.sums import add_by_sign
from ...core.ir.operation import shape_of
from ...core.windows import Window, WindowAxis, same_padding, window_axes, window_outputs
from ..nir import synapses as nir
from ._synapse_checks import QuantizedAttr, verify_outputs, verify_rank
from ._synapse_interface import NirNode, WeightLines, WindowOp
from .axon_types import AxonTypesAttr
from .signals import refuse_parameter, verify_integers, verify_shape


class ConvolutionOp(WindowOp):
    """Base of both convolutions, which are correlations, as in deep-learning frameworks.

    `y[c', p] = sum over c, k of weight[c', c, k] x[c, p stride + k dilation - before], + bias[c']`, within each group. There is one
    exponent for all channels, or one for each output channel.
    """

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

    def verify_(self) -> None:
        shape, rank, groups = self.weight.shape, self.RANK, self.groups.value.data
        axes = "y, x" if rank == 2 else "x"
        verify_rank(self, "weight", shape, rank + 2, f"[outputs, inputs / groups, {axes}]")
        verify_integers(self, "stride", self.stride, (rank,), 1)
        verify_integers(self, "padding", self.padding, (rank, 2), 0)
        verify_integers(self, "dilation", self.dilation, (rank,), 1)
        if groups < 1 or shape[0] % groups:
            message = "groups must divide the output channels"
            help = "groups = 1 : i64 connects every channel to every other"
            refuse_parameter(self, message, f"a divisor of {shape[0]}", str(groups), help)
        x = shape_of(self.x)
        verify_rank(self, "the operand", x, rank + 1, f"[channels, {axes}]")
        verify_shape(self, "the operand", x, (shape[1] * groups, *x[1:]))
        stride, padding, dilation = (array.values.tolist() for array in (self.stride, self.padding, self.dilation))
        verify_outputs(self, window_outputs(x[1:], shape[2:], stride, padding, dilation), self.y, shape[0])
        self.verify_weights(shape[:1])

    def axes(self) -> tuple[WindowAxis, WindowAxis]:
        """Returns both axes of the window; the first axis of conv1d has length 1."""
        stride, padding, dilation = (array.values.tolist() for array in (self.stride, self.padding, self.dilation))
        x, y = shape_of(self.x)[1:], shape_of(self.y)[1:]
        return window_axes(x, y, self.weight.shape[2:], stride, padding, dilation)

    def window(self) -> Window:
        axes, channels = self.axes(), (shape_of(self.x)[0], shape_of(self.y)[0])
        used = (self.weight_steps().values != 0).reshape(*self.weight.shape[:2], axes[0].taps, axes[1].taps)
        return Window(axes, channels, used, self.groups.value.data)

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

    def nir_node(self) -> NirNode | None:
        """Returns the NIR node of a convolution. NIR requires a bias; a missing bias becomes -0, because x + -0 == x."""
        weight = self.weight_values()
        bias = ArrayAttr.of(np.full(weight.shape[0], -0.0, weight.data.dtype))
        pairs = tuple((int(a), int(b)) for a, b in self.padding.values)
        is_same = same_padding(self.weight.shape[2:], tuple(int(n) for n in self.dilation.values)) == pairs
        is_named = is_same and any(a != b for a, b in pairs) and (self.stride.values == 1).all()
        return nir.Conv1dOp if self.RANK == 1 else nir.Conv2dOp, {
            "weight": weight,
            "bias": self.bias or bias,
            "stride": self.stride,
            "padding": StringAttr("same") if is_named else self.padding,
            "dilation": self.dilation,
            "groups": ArrayAttr.of(np.int64(self.groups.value.data)),
        }

    @property
    def kernel_entries(self) -> int | None:
        return prod(self.weight.shape)

    def output_lines(self) -> WeightLines:
        return WeightLines("channel", self.weight.shape, (0,))

    def input_lines(self) -> WeightLines:
        shape, groups = self.weight.shape, self.groups.value.data
        if groups == 1:
            return WeightLines("input channel", shape, (1,))
        return WeightLines("input channel", (groups, shape[0] // groups, *shape[1:]), (0, 2))


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

"""Synapses: weighted connections, convolutions and pools, with the features of chips: delays, plasticity and transmission.

The input is multiplied and added; the result is a value. Time is continuous: a synapse without `delays` acts instantaneously.

    %r = nir.affine "w_rec" %z {weight = …, bias = …, delays = …, plasticity = #nir.stdp<…>} : tensor<38xi1> -> tensor<38xf32>
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from xdsl.dialects.builtin import FloatAttr, StringAttr, f32, f64
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import base, irdl_attr_definition, irdl_op_definition, opt_prop_def, prop_def
from xdsl.utils.str_enum import StrEnum

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import invalid
from ...core.ir.operation import BracketedAttribute
from ...core.windows import same_padding, window_outputs
from .node import (
    NIR001,
    NodeOp,
    integers,
    refuse_parameter,
    refuse_parameter_shape,
    refuse_shape,
    verify_finite,
    verify_integers,
    verify_parameter,
    verify_shape,
    verify_sign,
)

# ---- attributes


class Transmission(StrEnum):
    """Representation of the signal that a synapse op reads.

    | transmission | the synapse reads in each tick | operand |
    | --- | --- | --- |
    | `spike` (default) | the operand, as it is | spikes or values |
    | `rate` | the number of spikes in the previous window of W ticks, divided by W | spikes |
    | `analog` | the operand, which is a value and not an event | values |

    The conversion to `ntensor` has the option `rate-window` for W.
    """

    SPIKE = "spike"
    RATE = "rate"
    ANALOG = "analog"


@irdl_attr_definition
class TransmissionAttr(BracketedAttribute, EnumAttribute[Transmission]):  # pyrefly: ignore[partially-unknown-type]
    name = "nir.transmission"


@irdl_attr_definition
class StdpAttr(ParametrizedAttribute):
    """Pair-based spike-timing-dependent plasticity with exponential windows and hard bounds.

    A spike pair with interval d = t_post - t_pre changes the weight by `a_plus exp(-d / tau_plus)` if d > 0 and by
    `-a_minus exp(d / tau_minus)` if d < 0; the weight stays within `w_min` and `w_max`.

    Units: a_plus, a_minus, w_min, w_max [1]; tau_plus, tau_minus [s], positive.

    Source: Song, Miller and Abbott, Nature Neuroscience 3:919 (2000).
    """

    name = "nir.stdp"
    a_plus: FloatAttr
    a_minus: FloatAttr
    tau_plus: FloatAttr
    tau_minus: FloatAttr
    w_min: FloatAttr
    w_max: FloatAttr

    @staticmethod
    def of(a_plus: float, a_minus: float, tau_plus: float, tau_minus: float, w_min: float, w_max: float) -> StdpAttr:
        return StdpAttr(*(FloatAttr(x, f64) for x in (a_plus, a_minus, tau_plus, tau_minus, w_min, w_max)))

    @property
    def values(self) -> dict[str, float]:
        """Returns the six numbers by name."""
        return {
            name: getattr(self, name).value.data
            for name in ("a_plus", "a_minus", "tau_plus", "tau_minus", "w_min", "w_max")
        }


# ---- bases


class SynapseOp(NodeOp):
    """Weighted connections.

    `delays` [s] holds one delay for all synapses, or one per weight. `plasticity` is the learning rule of the weights.
    `transmission` is the representation of the signal that is read: spikes, rates or analog values.

    Errors: NIR001 delays of another shape; NIR002 negative delays, a plasticity out of range.
    """

    delays = opt_prop_def(ArrayAttr)
    plasticity = opt_prop_def(StdpAttr)
    transmission = opt_prop_def(TransmissionAttr)

    @property
    @abstractmethod
    def synapse_shape(self) -> tuple[int, ...]:
        """Returns the shape of the weights; each weight may have its own delay."""

    @property
    def kind_of_transmission(self) -> Transmission:
        """Returns the transmission; the default is `spike`."""
        return Transmission.SPIKE if self.transmission is None else self.transmission.data

    @property
    def has_only_weights(self) -> bool:
        """Returns whether the op has no delays, plasticity or transmission."""
        return self.delays is None and self.plasticity is None and self.transmission is None

    def verify_parameters(self) -> None:
        self.verify_weights()
        if self.delays is not None:
            verify_finite(self, "delays", self.delays)
            verify_parameter(self, "delays", self.delays, (), self.synapse_shape)
            verify_sign(self, "delays", self.delays, "s")
        if self.plasticity is not None:
            self.verify_plasticity(self.plasticity)

    def verify_weights(self) -> None:
        """Refuses weights and sizes that are invalid for every operand."""

    def verify_plasticity(self, rule: StdpAttr) -> None:
        values = rule.values
        for name, value in values.items():
            if not np.isfinite(value) or (name.startswith("tau") and value <= 0):
                expected = "more than 0 s" if name.startswith("tau") else "a finite number"
                help = "#nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0> has every number in range"
                refuse_parameter(self, f"{name} of its plasticity is out of range", expected, str(value), help)
        if values["w_min"] > values["w_max"]:
            message = "the weight bounds of its plasticity are empty"
            help = "exchange the last two numbers of #nir.stdp"
            refuse_parameter(self, message, "w_min <= w_max", f"{values['w_min']} > {values['w_max']}", help)

    def result_kind(self, kind: Attribute) -> Attribute:
        return f32


# ---- dense


class WeightedOp(SynapseOp):
    """Base of linear and affine. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    weight = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight",)

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.weight.shape

    def verify_weights(self) -> None:
        if len(self.weight.shape) < 2:
            message = "weight has too few axes"
            help = "a single row of weights has the shape (1, inputs)"
            refuse_parameter_shape(self, message, "[..., outputs, inputs]", str(self.weight.shape), help)

    def operand_shape(self) -> tuple[int, ...] | None:
        shape = self.weight.shape
        return shape[:-2] + shape[-1:]

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        verify_shape(self, "the operand", shape, self.operand_shape() or ())
        return self.weight.shape[:-1]


@irdl_op_definition
class LinearOp(WeightedOp):
    """Linear map: `y = weight x`. Shapes: weight [..., o, i], x [..., i], y [..., o]."""

    name = "nir.linear"


@irdl_op_definition
class AffineOp(WeightedOp):
    """Affine map: `y = weight x + bias`. Shapes: weight [..., o, i], x [..., i], bias () or that of y, y [..., o]."""

    name = "nir.affine"
    bias = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("weight", "bias")

    def verify_weights(self) -> None:
        super().verify_weights()
        verify_parameter(self, "bias", self.bias, (), self.weight.shape[:-1])


@irdl_op_definition
class ScaleOp(SynapseOp):
    """Elementwise product: `y = scale x`. Shapes: scale () or that of x."""

    name = "nir.scale"
    scale = prop_def(ArrayAttr)
    PARAMETERS: ClassVar[tuple[str, ...]] = ("scale",)

    @property
    def synapse_shape(self) -> tuple[int, ...]:
        return self.scale.shape

    def operand_shape(self) -> tuple[int, ...] | None:
        return self.scale.shape or None


# ---- windows


class WindowOp(SynapseOp):
    """Base of ops whose kernel moves over the last `RANK` axes; the first axis is the channel."""

    RANK: ClassVar[int]

    def verify_axes(self, shape: Sequence[int]) -> None:
        if len(shape) != self.RANK + 1:
            message = "the operand has the wrong number of axes"
            help = "correct the node before it"
            refuse_shape(self, message, f"{self.RANK + 1} axes, channels first", f"shape {tuple(shape)}", help)

    def outputs(
        self,
        shape: Sequence[int],
        kernel: Sequence[int],
        stride: Sequence[int],
        padding: Sequence[tuple[int, int]],
        dilation: Sequence[int],
    ) -> tuple[int, ...]:
        """Returns the number of kernel positions on each axis; refuses an axis with none."""
        positions = window_outputs(shape[1:], kernel, stride, padding, dilation)
        if min(positions) < 1:
            message = "the kernel is larger than the padded operand"
            found = f"kernel {tuple(kernel)}, dilation {tuple(dilation)} on shape {tuple(shape)}"
            help = "increase the padding, or correct the node before it"
            refuse_shape(self, message, "at least one position of the kernel on each axis", found, help)
        return positions


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
        self.verify_axes(shape)
        channels = self.weight.shape[1] * integers(self.groups, 1)[0]
        verify_shape(self, "the operand", shape, self.operand_shape() or (channels, *shape[1:]))
        rank, kernel = self.RANK, self.weight.shape[2:]
        stride, dilation = integers(self.stride, rank), integers(self.dilation, rank)
        return (self.weight.shape[0], *self.outputs(shape, kernel, stride, self.padding_pairs(), dilation))

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
        for name, array, least in (
            ("kernel_size", self.kernel_size, 1),
            ("stride", self.stride, 1),
            ("padding", self.padding, 0),
        ):
            verify_integers(self, name, array, 2, least)

    def result_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        self.verify_axes(shape)
        padding = [(n, n) for n in integers(self.padding, 2)]
        kernel, stride = integers(self.kernel_size, 2), integers(self.stride, 2)
        return (shape[0], *self.outputs(shape, kernel, stride, padding, (1, 1)))


@irdl_op_definition
class SumPool2dOp(PoolOp):
    """Sum pool: `y[c, p] = sum over k of x[c, p stride + k - padding]`."""

    name = "nir.sum_pool2d"


@irdl_op_definition
class AvgPool2dOp(PoolOp):
    """Average pool: the sum of `sum_pool2d`, divided by the number of elements of the kernel, padding included."""

    name = "nir.avg_pool2d"

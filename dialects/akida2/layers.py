"""Layers of an Akida model of version 2, in the words and the layout of the vendor."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ..akida.layer_bases import CNP1, FNP2, FNP3, HRC, LayerBase, NpBase, Shape, WindowBase, refuse_layer

WEIGHTS2 = {4: (-8, 7), 8: (-128, 127)}
"""The least and the greatest weight, by the bits of the weights."""
MOST_OUTPUT = {4: 15, 8: 127}
"""The greatest activation, by its bits: one of 4 bits is unsigned, one of 8 bits is not."""
MOST_SHIFT = 31
"""The greatest shift of a bias or an output."""


@irdl_op_definition
class Np2Op(NpBase):
    """A part of a layer on one neural processor."""

    name = "akida2.np"


class Layer2Op(LayerBase):
    """Base of the layers of version 2.

    A layer adds `bias << bias_shift` to its sums. Without `act_bits` it produces these potentials. With them, a negative potential becomes 0, and

        y = clip((potential output_scales + 2^(s - 1)) >> s, 0, most),      s = -output_shift; without 2^(s - 1) for s = 0

    where `most` is 15 for 4 bits, 127 for 8 bits, and the product saturates at 32 bits.

    Shapes: bias, bias_shift, output_scales and output_shift [filters].
    """

    RANGES: ClassVar[dict[int, tuple[int, int]]] = WEIGHTS2
    bias = prop_def(ArrayAttr)
    bias_shift = prop_def(ArrayAttr)
    output_scales = opt_prop_def(ArrayAttr)
    output_shift = opt_prop_def(ArrayAttr)

    @property
    def offsets(self) -> AnyArray:
        """Returns what is added to the sums of each filter."""
        return self.bias.values.astype(np.int64) << self.bias_shift.values.astype(np.int64)

    def verify_activation(self) -> None:
        given = (self.output_scales, self.output_shift)
        if self.act_bits is None and any(one is not None for one in given):
            message = "a layer without act_bits has an activation"
            refuse_layer(self, message, "no output_scales and output_shift", "one")
        if self.act_bits is not None and self.act_bits.value.data not in MOST_OUTPUT:
            refuse_layer(self, "act_bits is out of range", "4 or 8", str(self.act_bits.value.data))
        has_activation = self.act_bits is not None
        for name, array, is_needed, low, high in (
            ("bias", self.bias, True, -128, 127),
            ("bias_shift", self.bias_shift, True, 0, MOST_SHIFT),
            ("output_scales", self.output_scales, has_activation, 0, 255),
            ("output_shift", self.output_shift, has_activation, -MOST_SHIFT, 0),
        ):
            if not is_needed:
                continue
            if array is None or array.shape != (self.filters,) or array.data.dtype != np.int32:
                found = "none" if array is None else f"{list(array.shape)} of {array.data.dtype}"
                refuse_layer(self, f"{name} has another shape", f"[{self.filters}] of int32", found)
            if not low <= array.data.least() <= array.data.greatest() <= high:
                found = f"{array.data.least()} to {array.data.greatest()}"
                refuse_layer(self, f"{name} is out of range", f"{low} to {high}", found)


class WindowLayer2Op(WindowBase, Layer2Op):
    """Base of layers with a window. `average` adds the potentials of the whole map after negative ones became 0."""

    FUNCTIONS: ClassVar[tuple[str, ...]] = (CNP1,)

    def verify_windows(self) -> None:
        super().verify_windows()
        sizes = {"kernel": self.kernel, "kernel_stride": self.stride}
        if (pool := self.pool) is not None:
            sizes |= {"pool_size": pool[0], "pool_stride": pool[1]}
        for name, size in sizes.items():
            if size[0] != size[1]:
                refuse_layer(self, f"{name} differs along both axes", "one number for both", str(list(size)))


@irdl_op_definition
class Conv2dOp(WindowLayer2Op):
    """Convolution in the strict sense: the kernel is mirrored. Shapes: weights [kh, kw, c, f]."""

    TYPE: ClassVar[str] = "Conv2D"
    name = "akida2.conv2d"


@irdl_op_definition
class InputConv2dOp(WindowLayer2Op):
    """Convolution of the network's input of 8 bits, by the block for it: a correlation, whose kernel is not mirrored.

    Shapes: weights [kh, kw, c, f].
    """

    TYPE: ClassVar[str] = "InputConv2D"
    FUNCTIONS: ClassVar[tuple[str, ...]] = (HRC,)
    name = "akida2.input_conv2d"


@irdl_op_definition
class DepthwiseConv2dOp(WindowLayer2Op):
    """A convolution of each channel by its kernel, which is mirrored. Shapes: weights [kh, kw, c, 1]."""

    TYPE: ClassVar[str] = "DepthwiseConv2D"
    IS_CHANNELWISE: ClassVar[bool] = True
    name = "akida2.depthwise_conv2d"

    @property
    def filters(self) -> int:
        return self.weights.shape[2]

    def verify_shapes(self) -> None:
        shape, channels = self.weights.shape, self.shape[2]
        if len(shape) != 4 or shape[2:] != (channels, 1) or min(shape) < 1:
            refuse_layer(self, "weights have another shape", f"[kh, kw, {channels}, 1]", str(list(shape)))
        self.verify_windows()


@irdl_op_definition
class Dense1dOp(Layer2Op):
    """Dense layer. Its inputs are in the order (h, w, c): c changes first. Shapes: weights [inputs, units]."""

    TYPE: ClassVar[str] = "Dense1D"
    FUNCTIONS: ClassVar[tuple[str, ...]] = (FNP3, FNP2)
    name = "akida2.dense1d"

    @property
    def filters(self) -> int:
        return self.weights.shape[1]

    @property
    def inputs(self) -> int:
        return prod(self.shape)

    @property
    def output_shape(self) -> Shape:
        return 1, 1, self.filters

    def verify_shapes(self) -> None:
        shape = self.weights.shape
        if len(shape) != 2 or shape[0] != self.inputs or shape[1] < 1:
            refuse_layer(self, "weights have another shape", f"[{self.inputs}, units]", str(list(shape)))

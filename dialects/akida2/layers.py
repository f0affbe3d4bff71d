"""Layers of an Akida model of version 2, in the words and the layout of the vendor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

import numpy as np
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ..akida.layer_bases import DenseBase, LayerBase, NpBase, WindowBase
from ..akida.parts import HRC, refuse_layer

WEIGHTS2 = {4: (-8, 7), 8: (-128, 127)}
"""The least and the greatest weight, by the bits of the weights."""
MOST_OUTPUT = {4: 15, 8: 127}
"""The greatest activation, by its bits: one of 4 bits is unsigned, one of 8 bits is not."""
MOST_SHIFT = 31
"""The greatest shift of a bias or an output."""
ENTRIES = {
    "bias": (-128, 127),
    "bias_shift": (0, MOST_SHIFT),
    "output_scales": (0, 255),
    "output_shift": (-MOST_SHIFT, 0),
}
"""The least and the greatest number of the arrays with an entry for each filter."""


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
    ACT_BITS: ClassVar[tuple[int, ...]] = tuple(MOST_OUTPUT)
    ACTIVATION: ClassVar[Mapping[str, type[np.generic]]] = {"output_scales": np.int32, "output_shift": np.int32}
    bias = prop_def(ArrayAttr)
    bias_shift = prop_def(ArrayAttr)
    output_scales = opt_prop_def(ArrayAttr)
    output_shift = opt_prop_def(ArrayAttr)

    @property
    def offsets(self) -> AnyArray:
        """Returns the shifted bias that is added to the sums of each filter."""
        return self.bias.values.astype(np.int64) << self.bias_shift.values.astype(np.int64)

    def verify_activation(self) -> None:
        super().verify_activation()
        for name, (low, high) in ENTRIES.items():
            if name not in self.properties:
                continue
            self.verify_entries(name, np.int32)
            numbers = cast("ArrayAttr", self.properties[name]).data
            if not low <= numbers.least() <= numbers.greatest() <= high:
                found = f"{numbers.least()} to {numbers.greatest()}"
                refuse_layer(self, f"{name} is out of range", f"{low} to {high}", found)


class WindowLayer2Op(WindowBase, Layer2Op):
    """Base of layers with a window. `average` adds the potentials of the whole map after negative ones became 0."""

    def verify_parameters(self) -> None:
        super().verify_parameters()
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


@irdl_op_definition
class Dense1dOp(DenseBase, Layer2Op):
    """Dense layer. Its inputs are in the order (h, w, c): c changes first. Shapes: weights [inputs, units]."""

    TYPE: ClassVar[str] = "Dense1D"
    name = "akida2.dense1d"

    def weight_axes(self) -> Mapping[str, tuple[int | str, ...]]:
        return {"weights": (self.inputs, "units")}

"""Lowers a network of layers in ticks to an `akida2.model`: a chain of synapses, pools and activations, from the input to the output.

    %a = ntensor.conv2d "c1" %x {…} : i16                          akida2.conv2d "c1" of "n1" attributes {weights = …, bias = …,
    %b = ntensor.max_pool2d "p1" %a {…}                     =>         bias_shift = …, pool_type = "max", …, act_bits = 4,
    %y = ntensor.neuron "n1" @akida2.four(%b) {params = …}             output_scales = …, output_shift = …} { akida2.np "CNP1" {…} }

1. A layer is one op with weights, then a pool of potentials (`max_pool2d`, or `sum_pool2d` over the whole map), and the neuron of the device. A
   convolution of each channel is a layer of its own. The last layer may lack the neuron.
2. A map `[c, y, x]` becomes `[h, w, c]` with h = y and w = x. Kernels of all convolutions but the input convolution are mirrored. A dense layer
   after a map reads (h, w, c), so its columns are reordered.
3. The bias of the ops and that of the neuron are added. The sum must be a number of 8 bits that is shifted to the left.
4. An input of up to 4 bits has 4 bits, others 8. An image of 8 bits with one or three channels that a convolution reads goes to the input block.
5. The bits of weights are the fewest that hold their values: -8 to 7, or -128 to 127. The input block has 8; so has a dense or depthwise layer whose
   activation has 8 bits.
6. A sum of a map adds potentials of which negative ones became 0, so its weights and biases must not be negative: then both are equal.
7. `placement.py` assigns the layers to neural processors.

Exactness: exact.

Errors: CHI014 to CHI013 as for `convert-ntensor-to-akida`; AKI010 an accumulator that can overflow; those of the placement; DEV023 no device is
specified. Remarks: AKI011 several passes. Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute

from ....core.arrays.numeric import AnyArray
from ....core.device.named_device import device_of
from ....core.ir.context import diagnostics_of
from ....core.ir.operation import shape_of
from ....core.ir.pipeline import NoptPass
from ....dialects import akida2, ntensor
from ....dialects.akida.layer_bases import DenseBase, LayerBase, WindowBase
from ....dialects.akida.model_base import ModelBase
from ....dialects.akida.parts import IMAGE_CHANNELS
from ....dialects.akida2.layers import WEIGHTS2
from ....dialects.chip_base.parts import CHI016
from ...network_conversion import convert_networks, refuse_layers
from ..chain_builder import ChainBuilder, int32_array
from ..stages import LayerOps

ACT_BITS = {"four": 4, "eight": 8}
NARROW_BITS, WIDE_BITS = 4, 8
SCALE, SHIFT, BIAS, BIAS_SHIFT = "output_scale", "output_shift", "bias", "bias_shift"
"""Parameters of the device's neuron."""
BIAS_RANGE = (-128, 127)
MOST_BIAS_SHIFT = 20
"""The greatest shift of a bias that leaves it within the 28 bits of an accumulator."""


@dataclass(frozen=True)
class ConvertNtensorToAkida2Pass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-akida2"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_networks(op, lambda network: Builder(network, device_of(network)).model(diagnostics_of(ctx)))


class Builder(ChainBuilder):
    """The conversion of one network to layers of version 2."""

    MODEL: ClassVar[type[ModelBase]] = akida2.Model2Op
    ACT_BITS: ClassVar[Mapping[str, int]] = ACT_BITS
    INPUTS: ClassVar[str] = "unsigned integers of 1 to 8 bits: !ntensor.count<N>"
    JOINS_POINTS: ClassVar[bool] = False
    IMAGE: ClassVar[type[WindowBase]] = akida2.InputConv2dOp
    CONVOLUTION: ClassVar[type[WindowBase]] = akida2.Conv2dOp
    CHANNELWISE: ClassVar[type[WindowBase]] = akida2.DepthwiseConv2dOp
    DENSE: ClassVar[type[DenseBase]] = akida2.Dense1dOp
    DENSE_AXES: ClassVar[tuple[int, ...]] = (2, 3, 1, 0)  # 2
    DENSE_SHAPE: ClassVar[tuple[int, ...]] = (-1,)

    def is_readable(self, bits: int) -> bool:
        return 1 <= bits <= WIDE_BITS

    def stored_bits(self, bits: int) -> int:
        return NARROW_BITS if bits <= NARROW_BITS else WIDE_BITS

    def reads_image(self, bits: int, shape: tuple[int, int, int], stages: list[LayerOps]) -> bool:
        first = stages[0].first
        is_plain = isinstance(first, ntensor.Conv2dOp) and first.groups.value.data == 1
        is_image = self.stored_bits(bits) == WIDE_BITS and shape[2] in IMAGE_CHANNELS
        return is_image and is_plain and not self.is_channelwise(stages[0])

    def is_channelwise(self, stage: LayerOps) -> bool:
        """Returns whether a layer is a depthwise convolution. A convolution with a single channel does not count as depthwise."""
        first = stage.first
        return (
            isinstance(first, ntensor.Conv2dOp)
            and first.groups.value.data > 1
            and first.groups.value.data == first.weight.shape[0] == shape_of(first.x)[0]
        )

    def activated(self, stage: LayerOps, bias: AnyArray, shared: dict[str, Attribute]) -> dict[str, Attribute]:
        properties: dict[str, Attribute] = {}
        if (neuron := stage.neuron) is not None:
            arrays = dict(neuron.arrays(neuron.params))
            scale, shift, neuron_bias, bias_shift = (
                self.by_filter(neuron, name, arrays[name].values, len(bias)).astype(np.int64)
                for name in (SCALE, SHIFT, BIAS, BIAS_SHIFT)
            )
            bias = bias + (neuron_bias << bias_shift)
            properties |= {
                "act_bits": IntegerAttr(self.activation_bits(neuron), i64),
                "output_scales": int32_array(scale),
                "output_shift": int32_array(-shift),
            }
        numbers, shifts = self.shifted(stage, bias)
        return properties | shared | {"bias": int32_array(numbers), "bias_shift": int32_array(shifts)}

    def shifted(self, stage: LayerOps, bias: AnyArray) -> tuple[AnyArray, AnyArray]:
        """Returns biases as numbers of 8 bits and shifts, the smallest shifts. Errors: CHI016."""
        numbers, shifts = bias.copy(), np.zeros_like(bias)
        low, high = BIAS_RANGE
        for _ in range(MOST_BIAS_SHIFT):
            wide = ((numbers < low) | (numbers > high)) & (numbers % 2 == 0)
            numbers = np.where(wide, numbers >> 1, numbers)
            shifts = np.where(wide, shifts + 1, shifts)
        beyond = (numbers < low) | (numbers > high)
        if beyond.any():
            refuse_layers(
                stage.synapses[-1],
                CHI016,
                "the bias of a layer is not a number of 8 bits that is shifted to the left",
                expected=f"{low} to {high}, times a power of two up to 2^{MOST_BIAS_SHIFT}",
                found=f"{int(bias[beyond][0])}, with the bias of the activation",
                advice="round the bias to 8 bits, or remove it and change the threshold instead",
            )
        return numbers, shifts

    def weight_bits(self, stage: LayerOps, weights: AnyArray, kind: type[LayerBase]) -> int:  # 5
        bits = self.bits_of(stage.first, weights, WEIGHTS2)
        is_wide = kind is self.IMAGE or (
            kind is not self.CONVOLUTION
            and stage.neuron is not None
            and self.activation_bits(stage.neuron) == WIDE_BITS
        )
        return WIDE_BITS if is_wide else bits

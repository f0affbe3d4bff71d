"""Lowers a network of layers in ticks to an `akida.model`: a chain of synapses, pools and activations, from the input to the output.

    %a = ntensor.conv2d "c1" %x {…} : i16                          akida.convolutional "c1" of "n1" attributes {weights = …,
    %b = ntensor.max_pool2d "p1" %a {…}                     =>         kernel_stride = [1, 1], padding = "same", pool_type = "max", …,
    %y = ntensor.neuron "n1" @akida.four(%b) {params = …}              act_bits = 4, threshold = …, act_step = …} { akida.np "CNP1" {…} }

1. A layer is one op with weights, or a convolution of each channel followed by one of all channels at each point (separable); then a pool of
   potentials (`max_pool2d`, or `sum_pool2d` over the whole map), and the neuron of the device. The last layer may lack the neuron. A max pool of
   counts, after the neuron, is one of potentials, too: counts grow with them.
2. A map `[c, y, x]` becomes `[h, w, c]` with h = y and w = x. Kernels of all convolutions but the input convolution are mirrored. A dense layer
   after a map reads (c, w, h), so its columns are reordered.
3. A bias b is subtracted from the threshold; of a map that is summed, b times its positions.
4. The bits of weights are the fewest that hold their values: 0 and 1, as of `ntensor-quantize-weights{bits=1 grid=unsigned}`; -1 to 1; -7 to 7;
   and -128 to 127 in the input convolution.
5. Padding must be that of `same`, split as the vendor's, or none (`valid`).
6. `placement.py` assigns the layers to neural processors.

Exactness: exact.

Errors: CHI014 a network that is not a chain; CHI015 an op that no layer computes; CHI016 weights, bias or potentials that are not integers of
the device; AKI013 an input of another type; CHI013 another neuron; AKI009 weights that cannot learn; those of the placement; DEV023 no device is specified. Remarks: AKI011 several passes.
Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.named_device import device_of
from ...core.diagnostics import refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass, suggest_pass
from ...dialects import akida, ntensor
from ...dialects.akida.layer_bases import DenseBase, LayerBase, WindowBase
from ...dialects.akida.layers import LEARNED
from ...dialects.akida.model import AKI009, WITHOUT_LEARNING
from ...dialects.akida.model_base import ModelBase
from ...dialects.akida.parts import IMAGE_BITS, STEPS, WEIGHTS
from ...dialects.chip_base.parts import CHI015, CHI016
from ...passes.quantize.weights.ntensor_quantize_weights import NtensorQuantizeWeightsPass
from ..network_conversion import convert_networks, refuse_layers
from .chain_builder import AKI013, ChainBuilder, int32_array
from .stages import LayerOps

ACT_BITS = {"one": 1, "two": 2, "four": 4}
THRESHOLD, STEP = "threshold_potential", "act_step"
"""Parameters of the device's neurons."""
LEARNING = "num_weights"
"""The preference that turns learning on; 0 is off."""
NARROW = {bits: range for bits, range in WEIGHTS.items() if bits < IMAGE_BITS}
RANGES: Mapping[type[LayerBase], Mapping[int, tuple[int, int]]] = {
    akida.InputConvolutionalOp: WEIGHTS,
    akida.SeparableConvolutionalOp: {bits: range for bits, range in NARROW.items() if bits > 1},
    akida.ConvolutionalOp: NARROW,
    akida.FullyConnectedOp: NARROW,
}
"""The least and the greatest weight of a layer, by bits."""


@dataclass(frozen=True)
class ConvertNtensorToAkidaPass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-akida"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        convert_networks(op, lambda network: Builder(network, device_of(network)).model(diagnostics_of(ctx)))


class Builder(ChainBuilder):
    """The conversion of one network to layers of version 1."""

    MODEL: ClassVar[type[ModelBase]] = akida.ModelOp
    ACT_BITS: ClassVar[Mapping[str, int]] = ACT_BITS
    INPUTS: ClassVar[str] = "unsigned integers of 1, 2, 4 or 8 bits: !ntensor.count<N>"
    JOINS_POINTS: ClassVar[bool] = True
    IMAGE: ClassVar[type[WindowBase]] = akida.InputConvolutionalOp
    CONVOLUTION: ClassVar[type[WindowBase]] = akida.ConvolutionalOp
    CHANNELWISE: ClassVar[type[WindowBase]] = akida.SeparableConvolutionalOp
    DENSE: ClassVar[type[DenseBase]] = akida.FullyConnectedOp
    DENSE_AXES: ClassVar[tuple[int, ...]] = (1, 3, 2, 0)  # 2
    DENSE_SHAPE: ClassVar[tuple[int, ...]] = (1, 1, -1)

    def is_readable(self, bits: int) -> bool:
        return bits in (1, 2, 4, IMAGE_BITS)

    def reads_image(self, bits: int, shape: tuple[int, int, int], stages: list[LayerOps]) -> bool:
        if bits != IMAGE_BITS:
            return False
        first = stages[0].first
        if not isinstance(first, ntensor.ConvolutionOp) or self.is_channelwise(stages[0]):
            refuse_layers(
                first,
                AKI013,
                "the first layer does not read inputs of 8 bits",
                expected=f"a convolution, or an input of at most {IMAGE_BITS // 2} bits",
                found="another layer",
                advice="declare the input as a tensor of !ntensor.count<4>, or put a convolution before the layer",
            )
        return True

    def is_channelwise(self, stage: LayerOps) -> bool:
        return len(stage.synapses) == 2

    def weight_bits(self, stage: LayerOps, weights: AnyArray, kind: type[LayerBase]) -> int:
        return self.bits_of(stage.first, weights, RANGES[kind])

    def activated(self, stage: LayerOps, bias: AnyArray, shared: dict[str, Attribute]) -> dict[str, Attribute]:
        if isinstance(stage.pool, ntensor.SumPool2dOp):
            bias = bias * prod(shape_of(stage.synapses[-1].y)[1:])  # 3
        if (neuron := stage.neuron) is None:
            if bias.any():
                refuse_layers(
                    stage.synapses[-1],
                    CHI016,
                    "potentials without an activation have a bias",
                    expected="no bias",
                    found=f"{bias.min()} to {bias.max()}",
                    advice="remove the bias of the last layer, and add it to the output",
                )
            return shared
        bits = self.activation_bits(neuron)
        arrays = dict(neuron.arrays(neuron.params))
        threshold = self.by_filter(neuron, THRESHOLD, arrays[THRESHOLD].values, len(bias)).astype(np.int64) - bias
        step = self.by_filter(neuron, STEP, arrays[STEP].values, len(bias)).astype(np.float32) / STEPS
        register = np.iinfo(np.int32)
        if not register.min <= threshold.min() <= threshold.max() <= register.max:
            found = f"{threshold.min()} to {threshold.max()}"
            message, advice = "threshold and bias exceed 32 bits", "make the bias smaller"
            refuse_layers(neuron, CHI016, message, expected="32 bits", found=found, advice=advice)
        return shared | {
            "act_bits": IntegerAttr(bits, i64),
            "threshold": int32_array(threshold),
            "act_step": ArrayAttr.of(np.ascontiguousarray(step, np.float32)),
        }

    def finish(self, layer: LayerBase, op: ntensor.SynapseOpInterface) -> None:
        """Adds the parameters of learning that the user chose to the last layer, that of an op. Errors: CHI015, AKI009."""
        chosen = self.device.preferred
        if not chosen.get(LEARNING):
            return
        if not isinstance(layer, akida.FullyConnectedOp):
            refuse_op(
                layer,
                CHI015,
                "only a dense layer learns",
                node=layer.source.data,
                expected="a dense layer at the end",
                found=layer.TYPE,
                help=WITHOUT_LEARNING,
            )
        if layer.bits != 1:
            quantize = NtensorQuantizeWeightsPass(bits=1, per="neuron", grid="unsigned", nodes=(layer.node.data,))
            refuse_op(
                op,
                AKI009,
                "only weights of 1 bit learn, which are 0 and 1",
                expected="weights of 0 and 1",
                found=f"{layer.bits} bits: {layer.weights.data.least()} to {layer.weights.data.greatest()}",
                help=WITHOUT_LEARNING if op.quantized_weights is None else suggest_pass(quantize),
            )
        values = [float(chosen[name]) for name in LEARNED]
        layer.learning = ArrayAttr.of(np.array(values, np.float32))

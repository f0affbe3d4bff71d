"""Lowers a network of layers in ticks to an `akida.model`: a chain of synapses, pools and activations, from the input to the output.

    %a = ntensor.conv2d "c1" %x {…} : i16                          akida.convolutional "c1" of "n1" attributes {weights = …,
    %b = ntensor.max_pool2d "p1" %a {…}                     =>         kernel_stride = [1, 1], padding = "same", pool_type = "max", …,
    %y = ntensor.neuron "n1" @akida.four(%b) {params = …}              act_bits = 4, threshold = …, act_step = …} { akida.np "CNP1" {…} }

1. A layer is one op with weights, or a convolution of each channel followed by one of all channels at each point (separable); then a pool of
   potentials (`max_pool2d`, or `sum_pool2d` over the whole map), and the neuron of the device. The last layer may lack the neuron.
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
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i64
from xdsl.ir import Attribute, Block, Region
from xdsl.rewriter import Rewriter

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.named_device import device_of
from ...core.diagnostics import refuse_op
from ...core.ir.context import diagnostics_of
from ...core.ir.operation import shape_of
from ...core.ir.pipeline import NoptPass, suggest_pass
from ...dialects import akida, ntensor
from ...dialects.akida import AKI009, IMAGE_BITS, STEPS, WEIGHTS, WITHOUT_LEARNING
from ...dialects.akida.layer_bases import LayerBase
from ...dialects.akida.model_base import ModelBase
from ...dialects.chip_base.parts import CHI015, CHI016
from ...dialects.ntensor.network import erase_unused_updates, networks
from ...passes.quantize.weights.ntensor_quantize_weights import NtensorQuantizeWeightsPass
from .chain_builder import (
    ChainBuilder,
    int8_array,
    pair_array,
    shape_array,
)
from .stages import LayerOps, refuse_layers, refuse_unlayered

ACT_BITS = {"one": 1, "two": 2, "four": 4}
THRESHOLD, STEP = "threshold_potential", "act_step"
"""Parameters of the device's neurons."""
LEARNING = "num_weights"
"""The preference that turns learning on; 0 is off."""
NARROW = {bits: range for bits, range in WEIGHTS.items() if bits < IMAGE_BITS}
SEPARABLE = {bits: range for bits, range in NARROW.items() if bits > 1}
"""The least and the greatest weight of layers on processors, and of separable ones, by bits."""


@dataclass(frozen=True)
class ConvertNtensorToAkidaPass(NoptPass):
    """Converts every `ntensor.network`."""

    name = "convert-ntensor-to-akida"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        updates = ntensor.find_updates(op)
        for network in networks(op):
            Rewriter.replace_op(network, Builder(network, device_of(network)).model(diagnostics_of(ctx)))
        erase_unused_updates(op, updates.values())


class Builder(ChainBuilder):
    """The conversion of one network to layers of version 1."""

    MODEL: ClassVar[type[ModelBase]] = akida.ModelOp
    ACT_BITS: ClassVar[Mapping[str, int]] = ACT_BITS
    INPUTS: ClassVar[str] = "unsigned integers of 1, 2, 4 or 8 bits: !ntensor.count<N>"
    JOINS_POINTS: ClassVar[bool] = True

    def is_readable(self, bits: int) -> bool:
        return bits in (1, 2, 4, IMAGE_BITS)

    def reads_image(self, bits: int, shape: tuple[int, int, int], stages: list[LayerOps]) -> bool:
        return bits == IMAGE_BITS

    def layer(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> akida.LayerOp:
        """Returns a layer without processors. Errors: CHI015, CHI016, CHI013."""
        if isinstance(stage.first, ntensor.ConvolutionOp):
            made: akida.LayerOp = self.convolution(stage, shape, is_image=is_image)
        elif isinstance(stage.first, ntensor.LinearOp) and len(stage.first.weight.shape) == 2:
            made = self.dense(stage, shape, stage.first)
        else:
            refuse_unlayered(stage.first)
        made.location = stage.first.location
        return made

    def shared(self, stage: LayerOps, shape: tuple[int, int, int], bits: int, positions: int) -> dict[str, Attribute]:
        """Returns the properties of all layers. `positions`: elements of the map that are added."""
        bias = self.bias(stage, positions)
        found: dict[str, Attribute] = {
            "node": stage.synapses[-1].node,
            "source": StringAttr(stage.source),
            "input_shape": shape_array(shape),
            "weights_bits": IntegerAttr(bits, i64),
        }
        if stage.neuron is None:
            if bias.any():
                refuse_layers(
                    stage.synapses[-1],
                    CHI016,
                    "potentials without an activation have a bias",
                    expected="no bias",
                    found=f"{bias.min()} to {bias.max()}",
                    advice="remove the bias of the last layer, and add it to the output",
                )
            return found
        return found | self.activation(stage.neuron, bias)

    def activation(self, neuron: ntensor.NeuronOp, bias: AnyArray) -> dict[str, Attribute]:
        """Returns the properties of an activation, one entry for each filter. Errors: CHI016, CHI013."""
        bits = self.activation_bits(neuron)
        arrays = dict(neuron.arrays(neuron.params))
        threshold = self.by_filter(neuron, THRESHOLD, arrays[THRESHOLD].values, len(bias)).astype(np.int64) - bias
        step = self.by_filter(neuron, STEP, arrays[STEP].values, len(bias)).astype(np.float32) / STEPS
        held = np.iinfo(np.int32)
        if not held.min <= threshold.min() <= threshold.max() <= held.max:
            found = f"{threshold.min()} to {threshold.max()}"
            message, advice = "threshold and bias exceed 32 bits", "make the bias smaller"
            refuse_layers(neuron, CHI016, message, expected="32 bits", found=found, advice=advice)
        return {
            "act_bits": IntegerAttr(bits, i64),
            "threshold": ArrayAttr.of(np.ascontiguousarray(threshold.astype(np.int32))),
            "act_step": ArrayAttr.of(np.ascontiguousarray(step, np.float32)),
        }

    def convolution(self, stage: LayerOps, shape: tuple[int, int, int], *, is_image: bool) -> akida.WindowLayerOp:
        """Returns a layer with a window. Errors: CHI015, CHI016."""
        separable = len(stage.synapses) == 2
        first = self.plain_convolution(stage.first, shape, shape[2] if separable else 1)
        weights = self.weights(first)
        summed = isinstance(stage.pool, ntensor.SumPool2dOp)
        kernels = weights.transpose(2, 3, 0, 1) if separable else weights.transpose(2, 3, 1, 0)
        stored = kernels if is_image else kernels[::-1, ::-1]
        points: dict[str, AnyArray] = {}
        every = weights.reshape(-1)
        if separable:
            points["weights_pw"] = self.weights(stage.synapses[1]).transpose(2, 3, 1, 0)
            every = np.concatenate([every, points["weights_pw"].reshape(-1)])
        bits = self.bits_of(first, every, WEIGHTS if is_image else SEPARABLE if separable else NARROW)
        padding = self.padding(first)
        found = {
            **self.shared(stage, shape, bits, prod(shape_of(stage.synapses[-1].y)[1:]) if summed else 1),
            "weights": int8_array(stored),
            **{name: int8_array(values) for name, values in points.items()},
            "kernel_stride": pair_array(first.stride.values),
            "padding": StringAttr(padding),
            **self.pooling(stage, padding),
        }
        kind = (
            akida.InputConvolutionalOp
            if is_image
            else akida.SeparableConvolutionalOp
            if separable
            else akida.ConvolutionalOp
        )
        return kind(properties=found, regions=[Region(Block())])

    def dense(self, stage: LayerOps, shape: tuple[int, int, int], op: ntensor.LinearOp) -> akida.FullyConnectedOp:
        """Returns a dense layer; its columns follow the order (c, w, h) of the map."""  # 2
        height, width, channels = shape
        weights = self.weights(op)
        bits = self.bits_of(op, weights, NARROW)
        if stage.pool is not None:
            refuse_unlayered(stage.pool)
        by_map = weights.reshape(-1, channels, height, width).transpose(1, 3, 2, 0)
        found = {**self.shared(stage, shape, bits, 1), "weights": int8_array(by_map.reshape(1, 1, -1, len(weights)))}
        return akida.FullyConnectedOp(properties=found, regions=[Region(Block())])

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
        values = [float(chosen[name]) for name in akida.LEARNED]
        layer.learning = ArrayAttr.of(np.array(values, np.float32))

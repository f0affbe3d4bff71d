"""Geometry of layers of version 2 that the blocks of a device compute, their bits, and their accumulators.

A device states its numbers among its features; an absent number limits nothing.
"""

from __future__ import annotations

import numpy as np

from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.fixed_point import Interval
from ...core.help_text import Passes, Phrase
from ..akida.geometry import (
    AKI004,
    QUANTIZE_WEIGHTS,
    SPLIT,
    below,
    is_changed_by,
    refuse_geometry,
    times,
    verify_image_result,
    verify_image_size,
    verify_most,
    verify_pooled_last,
    verify_square,
    verify_stride,
    verify_summed_height,
    verify_window,
)
from ..akida.layer_bases import LayerBase, WindowBase
from ..akida.parts import IMAGE_BITS, feature
from .layers import MOST_OUTPUT, Dense1dOp, DepthwiseConv2dOp, InputConv2dOp, Layer2Op
from .memory import stored_inputs

AKI010 = Code("AKI010", "layer-accumulator-overflows", "an accumulator overflows")

NARROW = Phrase(Passes(f"{QUANTIZE_WEIGHTS}{{bits=4 per=neuron}}"))
NARROWER = "use weights of 4 bits"
SMALLER = "divide weights, bias and scale by one number"
POOL_BEFORE = "pool by a stride, or before another convolution"
COARSER = "give the activation 4 bits, or the weights more than 4"


def verify_geometry(layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
    """Refuses the first property of a layer that the device does not compute. `bits`: of the input. Errors: AKI003, AKI004, AKI010."""
    assert isinstance(layer, Layer2Op)  # the layers of a model of version 2
    if isinstance(layer, Dense1dOp):
        verify_dense(layer, bits, device)
    elif isinstance(layer, InputConv2dOp):
        verify_image(layer, device, after)
    else:
        assert isinstance(layer, WindowBase)
        verify_map(layer, device, after)
    verify_bits(layer, bits, device)
    verify_accumulators(layer, bits, device)


def verify_bits(layer: Layer2Op, bits: int, device: Device) -> None:
    """Refuses bits of weights and activations that a processor does not have together."""
    if layer.is_image:
        return
    if layer.bits > bits and feature(device, "weights_within_input"):
        message, expected = "the weights have more bits than the input of the layer", f"at most {bits} bits"
        found, help = f"{layer.bits} bits", narrower(layer)
        refuse_geometry(layer, device, "weights_within_input", message, expected, found, help, AKI004)
    is_exempt = isinstance(layer, WindowBase) and not isinstance(layer, DepthwiseConv2dOp)
    narrow = feature(device, "narrow_weights")
    if not is_exempt and layer.bits == narrow and layer.activation_bits not in (None, narrow):
        message = "a dense or depthwise layer with narrow weights has a wide activation"
        expected, found = f"an activation of {narrow} bits", f"{layer.activation_bits} bits"
        refuse_geometry(layer, device, "narrow_weights", message, expected, found, COARSER, AKI004)


def narrower(layer: Layer2Op) -> str:
    """Returns the pass that narrows weights, if a pass quantized them; else advice."""
    return NARROW if is_changed_by(layer, layer.node.data, QUANTIZE_WEIGHTS) else NARROWER


def verify_accumulators(layer: Layer2Op, bits: int, device: Device) -> None:
    """Refuses accumulators that can overflow. The bound is the sum of weights of one sign times the greatest input, plus the bias."""
    name = "hrc_accumulator_bits" if layer.is_image else "accumulator_bits"
    width = feature(device, name)
    if width is None:
        return
    weights = layer.weights.values.astype(np.int64)
    axes = (0, 1) if isinstance(layer, DepthwiseConv2dOp) else tuple(range(weights.ndim - 1))
    most, offsets = greatest_input(layer, bits), layer.offsets
    high = np.maximum(weights, 0).sum(axis=axes).reshape(-1) * most
    low = np.minimum(weights, 0).sum(axis=axes).reshape(-1) * most
    greatest, least = int(max(high.max(), (high + offsets).max())), int(min(low.min(), (low + offsets).min()))
    if isinstance(layer, WindowBase) and layer.is_summed:
        greatest *= layer.convolved_shape[0] * layer.convolved_shape[1]
    register = Interval.signed(width)
    if not register.holds(Interval(least, greatest)):
        is_wide = layer.bits == IMAGE_BITS and not layer.is_image and np.abs(offsets).max() < register.high // 2
        help = narrower(layer) if is_wide else SMALLER
        message = "the accumulator of a layer overflows in the worst case"
        expected, found = f"{register}: {width} bits", f"{least} to {greatest}"
        refuse_geometry(layer, device, name, message, expected, found, help, AKI010)


def greatest_input(layer: Layer2Op, bits: int) -> int:
    """Returns the greatest number that a layer reads."""
    return MOST_OUTPUT[bits] if isinstance(layer.prev_op, LayerBase) else 2**bits - 1


def verify_dense(layer: Dense1dOp, bits: int, device: Device) -> None:
    message, what = "a dense layer has more {} than a processor", "inputs with their padding"
    help = "pool the map before the layer, or use a convolution with a stride"
    inputs = stored_inputs(layer, bits, device)
    verify_most(layer, device, "dense_inputs", inputs, message.format(what), f"at most {{}} {what}", help)
    verify_most(
        layer, device, "dense_units", layer.filters, message.format("units"), "at most {} units", "divide the layer"
    )


def verify_image(layer: InputConv2dOp, device: Device, after: LayerBase | None) -> None:
    """Refuses an input convolution that its hardware block does not support."""
    verify_square(layer, device, "hrc_kernel", "hrc_least_kernel")
    verify_stride(layer, device, f"hrc_stride_{layer.kernel[0]}", "use a smaller stride, then a pool")
    verify_image_size(layer, device, "hrc_filters")
    if layer.pool is not None:
        size, stride = layer.pool[0][0], layer.pool[1][0]
        least, most, only = (feature(device, name) for name in ("hrc_least_pool", "hrc_pool", "hrc_pool_stride"))
        if (most is not None and size > most) or below(device, "hrc_least_pool", size) or only not in (None, stride):
            message, help = "the input block does not compute this pool", "pool by 2 x 2 with a stride of 2"
            expected = f"a size of {least} or {most}, with a stride of {only}"
            found = f"{times(layer.pool[0])}, stride {times(layer.pool[1])}"
            refuse_geometry(layer, device, "hrc_pool", message, expected, found, help)
    verify_image_result(layer, device)
    verify_pooled_last(layer, device, after, POOL_BEFORE)


def verify_map(layer: WindowBase, device: Device, after: LayerBase | None) -> None:
    """Refuses a convolution of a map that a processor does not support."""
    least = "depthwise_least_kernel" if layer.IS_CHANNELWISE else "cnp_least_kernel"
    verify_square(layer, device, "cnp_kernel", least)
    verify_window(layer, device, has_one_kernel=False)
    is_pooled = layer.pool is not None or layer.is_summed
    if is_pooled and max(layer.stride) > 1 and feature(device, "pooled_stride") == 0:
        message, found = "a processor does not compute a stride and a pool", f"a stride of {times(layer.stride)}"
        refuse_geometry(layer, device, "pooled_stride", message, "one of both", found, "use one of both")
    verify_pooled_last(layer, device, after, POOL_BEFORE)
    if layer.is_summed:
        verify_sum(layer, device)


def verify_sum(layer: WindowBase, device: Device) -> None:
    """Refuses sums of whole maps that a processor does not compute."""
    assert isinstance(layer, Layer2Op)
    height, width, _ = layer.shape
    verify_summed_height(layer, device)
    message, found = "the map of a sum is too large", f"{times((height, width))}: {height * width}"
    verify_most(layer, device, "summed_positions", height * width, message, "at most {} positions", SPLIT, found)
    if layer.act_bits is None and feature(device, "summed_activation"):
        message, help = "a sum of a whole map has no activation", "add an activation, or a dense layer after it"
        expected = "an activation of 4 or 8 bits"
        refuse_geometry(layer, device, "summed_activation", message, expected, "potentials", help)
    low = min(int(layer.weights.data.least()), int(layer.offsets.min()))
    if feature(device, "summed_positive") and low < 0:
        message = "the chip replaces negative potentials by 0 before it adds a map"
        help = "use weights and biases that are not negative, or a dense layer that adds the map"
        refuse_geometry(layer, device, "summed_positive", message, "weights and biases from 0", str(low), help)

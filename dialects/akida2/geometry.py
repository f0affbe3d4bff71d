"""Geometry of layers of version 2 that the blocks of a device compute, their bits, and their accumulators.

A device states its numbers among its features; an absent number limits nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.device.records import Device
from ...core.diagnostics import Code
from ...core.fixed_point import Interval
from ...core.help_text import Passes, Phrase
from ..akida.geometry import (
    AKI004,
    QUANTIZE_WEIGHTS,
    SPLIT,
    Violation,
    above,
    below,
    is_changed_by,
    padding_help,
    pool_violations,
    size_violations,
    square_violations,
    times,
)
from ..akida.layer_bases import IMAGE_BITS, SAME, LayerBase, WindowBase, feature
from .layers import MOST_OUTPUT, Dense1dOp, DepthwiseConv2dOp, InputConv2dOp, Layer2Op
from .memory import stored_inputs

AKI010 = Code("AKI010", "layer-accumulator-overflows", "an accumulator overflows")

NARROW = Phrase(Passes(f"{QUANTIZE_WEIGHTS}{{bits=4 per=neuron}}"))
NARROWER = "use weights of 4 bits"
SMALLER = "divide weights, bias and scale by one number"
COARSER = "give the activation 4 bits, or the weights more than 4"


def verify_geometry(layer: LayerBase, bits: int, device: Device, after: LayerBase | None) -> None:
    """Refuses the first property of a layer that the device does not compute. `bits`: of the input. Errors: AKI003, AKI004, AKI010."""
    assert isinstance(layer, Layer2Op)  # the layers of a model of version 2
    if isinstance(layer, Dense1dOp):
        found = dense_violations(layer, bits, device)
    elif isinstance(layer, InputConv2dOp):
        found = image_violations(layer, device, after)
    else:
        assert isinstance(layer, WindowBase)
        found = map_violations(layer, device, after)
    for violation in (*found, *bit_violations(layer, bits, device), *sum_violations(layer, bits, device)):
        violation.refuse(layer, device)


def bit_violations(layer: Layer2Op, bits: int, device: Device) -> Iterator[Violation]:
    """Yields bits of weights and activations that a processor does not have together."""
    if layer.is_image:
        return
    if layer.bits > bits and feature(device, "weights_within_input"):
        message, expected = "the weights have more bits than the input of the layer", f"at most {bits} bits"
        yield Violation(message, "weights_within_input", expected, f"{layer.bits} bits", narrower(layer), AKI004)
    is_exempt = isinstance(layer, WindowBase) and not isinstance(layer, DepthwiseConv2dOp)
    narrow = feature(device, "narrow_weights")
    if not is_exempt and layer.bits == narrow and layer.activation_bits not in (None, narrow):
        message = "a dense or depthwise layer with narrow weights has a wide activation"
        expected, found = f"an activation of {narrow} bits", f"{layer.activation_bits} bits"
        yield Violation(message, "narrow_weights", expected, found, COARSER, AKI004)


def narrower(layer: Layer2Op) -> str:
    """Returns the pass that narrows weights, if a pass quantized them; else advice."""
    return NARROW if is_changed_by(layer, layer.node.data, QUANTIZE_WEIGHTS) else NARROWER


def greatest_input(layer: Layer2Op, bits: int) -> int:
    """Returns the greatest number that a layer reads."""
    return MOST_OUTPUT[bits] if isinstance(layer.prev_op, LayerBase) else 2**bits - 1


def sum_violations(layer: Layer2Op, bits: int, device: Device) -> Iterator[Violation]:
    """Yields accumulators that can overflow: the sum of weights of one sign times the greatest input, and the bias."""
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
    held = Interval.signed(width)
    if not held.holds(Interval(least, greatest)):
        is_wide = layer.bits == IMAGE_BITS and not layer.is_image and np.abs(offsets).max() < held.high // 2
        help = narrower(layer) if is_wide else SMALLER
        message = "the accumulator of a layer overflows in the worst case"
        yield Violation(message, name, f"{held}: {width} bits", f"{least} to {greatest}", help, AKI010)


def dense_violations(layer: Dense1dOp, bits: int, device: Device) -> Iterator[Violation]:
    for name, value, what, help in (
        (
            "dense_inputs",
            stored_inputs(layer, bits, device),
            "inputs with their padding",
            "pool the map before the layer, or use a convolution with a stride",
        ),
        ("dense_units", layer.filters, "units", "divide the layer"),
    ):
        if above(device, name, value):
            message = f"a dense layer has more {what} than a processor"
            yield Violation(message, name, f"at most {feature(device, name)} {what}", str(value), help)


def last_violations(layer: WindowBase, device: Device, after: LayerBase | None) -> Iterator[Violation]:
    """Yields a max pool that no convolution follows."""
    if layer.pool is not None and not isinstance(after, WindowBase) and feature(device, "pooled_last") == 0:
        message = "a layer with max pooling is not followed by a convolution"
        found = "no layer" if after is None else f"{after.TYPE} after it"
        help = "pool by a stride, or before another convolution"
        yield Violation(message, "pooled_last", "a convolution after it", found, help)


def image_violations(layer: InputConv2dOp, device: Device, after: LayerBase | None) -> Iterator[Violation]:
    """Yields what the block of the input convolution does not compute."""
    yield from square_violations(layer, "hrc_kernel", "hrc_least_kernel", device)
    name = f"hrc_stride_{layer.kernel[0]}"
    if above(device, name, max(layer.stride)):
        message, expected = "the stride is larger than the device computes", f"at most {feature(device, name)}"
        yield Violation(message, name, expected, times(layer.stride), "use a smaller stride, then a pool")
    if above(device, "hrc_filters", layer.filters):
        message = "the input convolution has more filters than the block holds"
        expected = f"at most {feature(device, 'hrc_filters')} filters"
        yield Violation(message, "hrc_filters", expected, str(layer.filters), "give the first layer fewer filters")
    yield from size_violations(layer, device)
    if layer.pool is not None:
        size, stride = layer.pool[0][0], layer.pool[1][0]
        known = feature(device, "hrc_pool_stride")
        if above(device, "hrc_pool", size) or below(device, "hrc_least_pool", size) or known not in (None, stride):
            expected = f"a size of {feature(device, 'hrc_least_pool')} or {feature(device, 'hrc_pool')}, with a stride of {known}"
            message, help = "the input block does not compute this pool", "pool by 2 x 2 with a stride of 2"
            yield Violation(
                message, "hrc_pool", expected, f"{times(layer.pool[0])}, stride {times(layer.pool[1])}", help
            )
    if layer.act_bits is None and feature(device, "hrc_activation"):
        message, help = "the input block has no activation", "add an activation, or another layer after it"
        yield Violation(message, "hrc_activation", "an activation of 4 or 8 bits", "potentials", help)
    if layer.is_summed:
        message = "the block of the input convolution does not add a whole map"
        yield Violation(message, "hrc_pool", "max pooling or none", "average", "add a convolution before the sum")
    yield from last_violations(layer, device, after)


def map_violations(layer: WindowBase, device: Device, after: LayerBase | None) -> Iterator[Violation]:
    """Yields what a processor does not compute of a convolution of a map."""
    channels = layer.shape[2]
    least = "depthwise_least_kernel" if layer.IS_CHANNELWISE else "cnp_least_kernel"
    yield from square_violations(layer, "cnp_kernel", least, device)
    if above(device, "cnp_stride", max(layer.stride)):
        message, expected = "the stride is larger than the device computes", f"at most {feature(device, 'cnp_stride')}"
        yield Violation(message, "cnp_stride", expected, times(layer.stride), "use a stride of 2, or a pool")
    if max(layer.stride) > 1 and above(device, "cnp_strided_kernel", layer.kernel[0]):
        strided = feature(device, "cnp_strided_kernel")
        message, expected = "a stride requires a smaller kernel", f"a kernel of at most {strided} x {strided}"
        help = f"use a kernel of {strided} x {strided}"
        yield Violation(message, "cnp_strided_kernel", expected, times(layer.kernel), help)
    if layer.padding.data != SAME and feature(device, "cnp_same_padding"):
        message, expected = "a processor pads every map", f"padding {SAME}"
        yield Violation(message, "cnp_same_padding", expected, layer.padding.data, padding_help(layer))
    if above(device, "cnp_channels", channels):
        message, expected = (
            "a layer reads more channels than a processor",
            f"at most {feature(device, 'cnp_channels')} channels",
        )
        yield Violation(message, "cnp_channels", expected, str(channels), "give the layer before fewer filters")
    yield from pool_violations(layer, "cnp_pool", device)
    is_pooled = layer.pool is not None or layer.is_summed
    if is_pooled and max(layer.stride) > 1 and feature(device, "pooled_stride") == 0:
        message = "a processor does not compute a stride and a pool"
        yield Violation(
            message, "pooled_stride", "one of both", f"a stride of {times(layer.stride)}", "use one of both"
        )
    yield from last_violations(layer, device, after)
    if layer.is_summed:
        yield from map_sum_violations(layer, device)


def map_sum_violations(layer: WindowBase, device: Device) -> Iterator[Violation]:
    """Yields sums of whole maps that a processor does not compute."""
    assert isinstance(layer, Layer2Op)
    height, width, _ = layer.shape
    if above(device, "cnp_height", height):
        expected = f"a height of at most {feature(device, 'cnp_height')}"
        yield Violation("a sum of a whole map cannot be divided into tiles", "cnp_height", expected, str(height), SPLIT)
    if above(device, "summed_positions", height * width):
        expected = f"at most {feature(device, 'summed_positions')} positions"
        message, found = "the map of a sum is too large", f"{times((height, width))}: {height * width}"
        yield Violation(message, "summed_positions", expected, found, SPLIT)
    if layer.act_bits is None and feature(device, "summed_activation"):
        message, help = "a sum of a whole map has no activation", "add an activation, or a dense layer after it"
        yield Violation(message, "summed_activation", "an activation of 4 or 8 bits", "potentials", help)
    if feature(device, "summed_positive") and (layer.weights.data.least() < 0 or layer.offsets.min() < 0):
        message = "the chip replaces negative potentials by 0 before it adds a map"
        low = min(int(layer.weights.data.least()), int(layer.offsets.min()))
        help = "use weights and biases that are not negative, or a dense layer that adds the map"
        yield Violation(message, "summed_positive", "weights and biases from 0", str(low), help)

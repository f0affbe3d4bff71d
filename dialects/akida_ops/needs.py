"""Memory that a part of a layer takes on its neural processor."""

from __future__ import annotations

from ...core.device.records import Device
from .layers import FullyConnectedOp, LayerOp, SeparableConvolutionalOp, WindowLayerOp
from .memory import INPUT_WORD, convolution_bytes, dense_bytes, input_bytes, separable_bytes
from .parts import FNP3
from .tiles import reach

Needs = tuple[int, int, int]
"""Bytes of the input, of the weights, and of weights in external memory."""


def weight_bytes(layer: LayerOp, filters: int, device: Device) -> int:
    """Returns the memory of the weights of some filters or units."""
    channels = layer.shape[2]
    match layer:
        case FullyConnectedOp():
            return dense_bytes(device, layer.bits, layer.inputs, filters)
        case SeparableConvolutionalOp():
            return separable_bytes(device, layer.kernel[0], layer.bits, channels, filters)
        case _:
            assert isinstance(layer, WindowLayerOp)  # the layers of an NP
            return convolution_bytes(device, layer.kernel[0], layer.bits, channels, filters)


def margin_of(layer: WindowLayerOp) -> int:
    """Returns the positions that a kernel reads beyond a tile."""
    return (layer.kernel[0] - 1) // 2


def part_needs(
    layer: LayerOp, function: str, filters: int, tile: tuple[int, int, int, int], bits: int, device: Device
) -> Needs:
    """Returns the memory of a part of a layer; nothing for the input convolution, whose block has its own. `bits`: of the input."""
    if isinstance(layer, FullyConnectedOp):
        found = weight_bytes(layer, filters, device)
        events = INPUT_WORD // 8 * -(-layer.inputs // INPUT_WORD)
        return (events, found, 0) if function == FNP3 else (events, 0, found)
    assert isinstance(layer, WindowLayerOp)
    (height, width), margin = layer.shape[:2], margin_of(layer)
    high, wide = reach(height, (tile[0], tile[2]), margin), reach(width, (tile[1], tile[3]), margin)
    return input_bytes(high, wide, layer.shape[2], bits), weight_bytes(layer, filters, device), 0

"""Memory of a neural processor (NP) of version 2: input and weights, in bytes, as the vendor's mapper counts them.

Input of a tile of h x w positions and c channels of b bits: each column of a channel is padded to words of 32 bits.

    input = 4 w c ceil(h b / 32)

Weights of f filters of a convolution of c channels, and of f channels of a depthwise one, in words of B bytes, W for 8 filters or for a channel:

    convolution = ceil(c B ceil(ceil(f / 8) W))       depthwise = ceil(B ceil(f W))

W and B are `features.words_KxK_BITS` and `features.depthwise_words_KxK_BITS` of the device. A unit of a dense layer with n inputs has 8 bytes, and
n weights in words of 32 bits. After a layer with a window, n includes the padding of the map: its columns are stored as the input of a processor of
version 1, and a processor pads each channel of 8 bits to 32 bits if the weights have 8 bits, too, and the result is not beyond `dense_inputs`.

Source: BrainChip akida 2.19.3, `NP.MemoryInfo` of layers that were mapped onto virtual devices of IP version 2.
"""

from __future__ import annotations

from math import ceil

from ...core.device.records import Device
from ..akida.layer_bases import LayerBase, WindowBase
from ..akida.memory import LANES, words_of
from ..akida.parts import FNP3, IMAGE_BITS, Needs, Tile, feature
from ..akida.tiles import INPUT_WORD, reach
from ..akida.tiles import input_bytes as columns_bytes
from .layers import Dense1dOp

WORD_BYTES = INPUT_WORD // 8


def row_bytes(count: int, bits: int) -> int:
    """Returns the memory of some numbers in words of 32 bits."""
    return WORD_BYTES * -(-count * bits // INPUT_WORD)


def input_bytes(height: int, width: int, channels: int, bits: int) -> int:
    """Returns the memory of a tile of the input."""
    return width * channels * row_bytes(height, bits)


def weight_bytes(layer: WindowBase, filters: int, device: Device) -> int:
    """Returns the memory of the weights of some filters."""
    size = f"{layer.kernel[0]}x{layer.kernel[0]}_{layer.bits}"
    if layer.IS_CHANNELWISE:
        words, word = words_of(device, f"depthwise_words_{size}")
        return ceil(word * ceil(filters * words))
    words, word = words_of(device, f"words_{size}")
    return ceil(layer.shape[2] * word * ceil(-(-filters // LANES) * words))


def stored_inputs(layer: Dense1dOp, bits: int, device: Device) -> int:
    """Returns the inputs of a dense layer, with the padding of the map of the layer before it. `bits`: of the input."""
    before = layer.prev_op
    if not isinstance(before, WindowBase):
        return layer.inputs
    height, width, channels = before.output_shape
    if not before.is_image and bits == layer.bits == IMAGE_BITS:
        rows = -(-height // WORD_BYTES) * WORD_BYTES
        padded = columns_bytes(rows, width, channels, bits) * 8 // bits
        limit = feature(device, "dense_inputs")
        if limit is None or padded <= limit:
            return padded
    return columns_bytes(height, width, channels, bits) * 8 // bits


def part_needs(layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device) -> Needs:
    """Returns the memory needs of a part of a layer on an NP: input, weights, and external memory [bytes]. `bits`: the width of the input."""
    if isinstance(layer, Dense1dOp):
        head = device.integer("features.dense_head_bytes") or 0
        inputs = stored_inputs(layer, bits, device)
        found = filters * (head + row_bytes(inputs, layer.bits))
        events = row_bytes(inputs, bits)
        return (events, found, 0) if function == FNP3 else (events, 0, found)
    assert isinstance(layer, WindowBase)
    (height, width), margin = layer.shape[:2], layer.margin
    high, wide = reach(height, (tile[0], tile[2]), margin), reach(width, (tile[1], tile[3]), margin)
    channels = filters if layer.IS_CHANNELWISE else layer.shape[2]
    return input_bytes(high, wide, channels, bits), weight_bytes(layer, filters, device), 0

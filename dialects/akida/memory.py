"""Memory of a neural processor (NP): input and weights, in bytes, as the vendor's mapper counts them.

Input of a tile of h x w positions and c channels of b bits. A column of h positions is padded to whole bytes for each channel, and to
words of 32 bits:

    input = 4 w ceil(8/b ceil(h b / 8) b c / 32)

Weights of f filters of a convolution with kernels of k x k, whose words of B bytes hold the kernels of G / W groups of 8 filters:

    weights = c B ceil(ceil(f / 8) W / G)             W/G and B: features.words_KxK_BITS of the device

Weights of a separable convolution: kernels of the channels, then the words of the points, of which each holds n weights:

    weights = ceil(50 ceil(c W / G) + 6.25 c (ceil(8 floor(f / 8) / n) + [f is not a multiple of 8]))

Weights of a dense layer, for each unit: 16 bytes, and 4, 8 or 24 bytes for 32 inputs of 1, 2 or 4 bits.

Source: BrainChip akida 2.19.3, `NP.MemoryInfo` of layers that were mapped onto virtual devices of IP version 1.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from ...core.device.records import Device
from .layer_bases import LayerBase
from .layers import FullyConnectedOp, SeparableConvolutionalOp, WindowLayerOp
from .parts import FNP3, Needs, Tile
from .tiles import INPUT_WORD, input_bytes, reach

LANES = 8
"""Filters of a group, which an NP computes together."""


def words_of(device: Device, what: str) -> tuple[Fraction, Fraction]:
    """Returns words for each unit, and the bytes of a word: `3/8 x 100`. A missing entry is a defect of the device file."""
    text = device.entry("features")[what].value
    words, _, size = str(text).partition(" x ")
    return Fraction(words), Fraction(size)


def convolution_bytes(device: Device, kernel: int, bits: int, channels: int, filters: int) -> int:
    """Returns the weight memory of some filters of a convolution [bytes]."""
    words, size = words_of(device, f"words_{kernel}x{kernel}_{bits}")
    return int(channels * size * ceil(-(-filters // LANES) * words))


def separable_bytes(device: Device, kernel: int, bits: int, channels: int, filters: int) -> int:
    """Returns the weight memory of some filters of a separable convolution [bytes]; each NP stores the kernels of all channels."""
    words, size = words_of(device, f"separable_words_{kernel}x{kernel}_{bits}")
    points, point_size = words_of(device, f"point_words_{bits}")
    full, rest = divmod(filters, LANES)
    found = size * ceil(channels * words) + point_size * channels * (ceil(full * LANES * points) + bool(rest))
    return ceil(found)


def dense_bytes(device: Device, bits: int, inputs: int, units: int) -> int:
    """Returns the memory of the weights of a dense layer."""
    words, size = words_of(device, f"dense_words_{bits}")
    head = device.integer("features.dense_head_bytes") or 0
    return units * (head + int(size * words) * -(-inputs // INPUT_WORD))


# ---- parts of layers


def weight_bytes(layer: LayerBase, filters: int, device: Device) -> int:
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


def part_needs(layer: LayerBase, function: str, filters: int, tile: Tile, bits: int, device: Device) -> Needs:
    """Returns the memory needs of a part of a layer on an NP: input, weights, and external memory [bytes]. `bits`: the width of the input."""
    if isinstance(layer, FullyConnectedOp):
        found = weight_bytes(layer, filters, device)
        events = INPUT_WORD // 8 * -(-layer.inputs // INPUT_WORD)
        return (events, found, 0) if function == FNP3 else (events, 0, found)
    assert isinstance(layer, WindowLayerOp)
    (height, width), margin = layer.shape[:2], layer.margin
    high, wide = reach(height, (tile[0], tile[2]), margin), reach(width, (tile[1], tile[3]), margin)
    return input_bytes(high, wide, layer.shape[2], bits), weight_bytes(layer, filters, device), 0

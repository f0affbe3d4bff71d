"""Matrices of layers, and the levels of their cells."""

from __future__ import annotations

import numpy as np

from ...core.arrays.numeric import Ints
from ...dialects.memxbar import DIFFERENTIAL, ConvolutionOp, DenseOp, LayerBase


def layer_matrices(layer: LayerBase) -> Ints:
    """Returns the matrices of a layer with weights. Shapes: [groups, rows, outputs]."""
    assert layer.weight is not None  # asked before
    weight = layer.weight.values.astype(np.int64)
    if isinstance(layer, DenseOp):
        return weight[np.newaxis]
    assert isinstance(layer, ConvolutionOp)
    return convolution_matrices(layer, weight)


def convolution_matrices(layer: ConvolutionOp, weight: Ints) -> Ints:
    """Returns the matrices of a convolution. Shapes: weight [c', c / groups, ky, kx], result [groups, rows, outputs]."""
    groups, positions = layer.groups.value.data, layer.positions.value.data
    outputs, channels, high, wide = weight.shape
    offsets = layer.offsets
    stride, dilation = int(layer.numbers("stride")[1]), int(layer.numbers("dilation")[1])
    parts = weight.reshape(groups, outputs // groups, channels, high, wide)
    found = np.zeros((groups, channels, high, len(offsets), outputs // groups, positions), np.int64)
    for p in range(positions):
        for k in range(wide):
            place = offsets.index(p * stride + k * dilation)
            found[:, :, :, place, :, p] = parts[..., k].transpose(0, 2, 3, 1)
    return found.reshape(groups, channels * high * len(offsets), outputs // groups * positions)


def encode_weights(weights: Ints, encoding: str, slices: int, cell_bits: int) -> Ints:
    """Returns the levels of the cells of a matrix of weights. Shapes: weights [rows, outputs]."""
    rows, outputs = weights.shape
    shifts = cell_bits * np.arange(slices)
    mask = (1 << cell_bits) - 1
    if encoding == DIFFERENTIAL:
        signed = np.stack([np.maximum(weights, 0), np.maximum(-weights, 0)], axis=-1)  # [rows, outputs, 2]
        digits = (signed[:, :, np.newaxis, :] >> shifts[:, np.newaxis]) & mask
        return digits.reshape(rows, outputs * slices * 2)
    zero = 1 << (cell_bits * slices - 1)
    digits = ((weights + zero)[:, :, np.newaxis] >> shifts) & mask
    reference = np.broadcast_to((zero >> shifts) & mask, (rows, slices))
    return np.concatenate([digits.reshape(rows, outputs * slices), reference], axis=1)

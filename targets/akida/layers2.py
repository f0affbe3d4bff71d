"""Layers of version 2 in integers.

Potentials are exact sums of products, and a bias that is shifted to the left. Max pooling compares potentials, `average` adds those of the whole
map after negative ones became 0. An activation multiplies by the scale, with a product of at most 32 bits, shifts to the right with rounding, and is
limited to its bits. The verifier guarantees that accumulators of 28 bits hold all sums, so no sum saturates.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from math import prod

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.akida2 import MOST_OUTPUT, Dense1dOp, DepthwiseConv2dOp, InputConv2dOp, Layer2Op, WindowLayer2Op
from .layers import Layer, Window

MOST_PRODUCT = 2**31 - 1
"""The greatest product of a potential and a scale."""


class Scaled(Layer):
    """The bias and the activation of a layer of version 2."""

    def __init__(self, op: Layer2Op):
        self.offsets = op.offsets[:, None, None]
        self.most: int | None = None
        self.scales: Ints | None = None
        self.shifts: Ints | None = None
        if op.act_bits is not None and op.output_scales is not None and op.output_shift is not None:
            self.most = MOST_OUTPUT[op.act_bits.value.data]
            self.scales = op.output_scales.values.astype(np.int64)[:, None, None]
            self.shifts = -op.output_shift.values.astype(np.int64)[:, None, None]

    def activate(self, potentials: Ints) -> Ints:
        if self.most is None or self.scales is None or self.shifts is None:
            return potentials
        product = np.minimum(np.maximum(potentials, 0) * self.scales, MOST_PRODUCT)
        half = (np.int64(1) << self.shifts) >> 1
        return np.minimum((product + half) >> self.shifts, self.most)


class Dense1d(Scaled):
    """A dense layer, which reads a map in the order (h, w, c)."""

    def __init__(self, op: Dense1dOp):
        super().__init__(op)
        self.weights = op.weights.values.astype(np.float64)

    def potentials(self, x: Ints) -> Ints:
        flat = x.transpose(0, 2, 3, 1).reshape(len(x), prod(x.shape[1:]))
        return (flat.astype(np.float64) @ self.weights).astype(np.int64)[:, :, None, None] + self.offsets


class Conv2d(Scaled):
    """A layer with a window, and its pool."""

    def __init__(self, op: WindowLayer2Op):
        super().__init__(op)
        kernels = op.weights.values.astype(np.float64)
        self.kernels = kernels if isinstance(op, InputConv2dOp) else kernels[::-1, ::-1]
        self.is_depthwise = isinstance(op, DepthwiseConv2dOp)
        self.window, self.is_summed = Window(op), op.is_summed

    def potentials(self, x: Ints) -> Ints:
        return self.window.blocks(x, self.some)

    def some(self, x: Ints) -> Ints:
        windows = self.window.windows(x.astype(np.float64), 0, self.window.kernel, self.window.stride)
        if self.is_depthwise:
            found: AnyArray = np.einsum("nchwij,ijc->nchw", windows, self.kernels[..., 0])
        else:
            found = np.tensordot(windows, self.kernels, axes=((1, 4, 5), (2, 0, 1))).transpose(0, 3, 1, 2)
        found = np.ascontiguousarray(found) + self.offsets
        if self.is_summed:
            return np.maximum(found, 0).sum(axis=(2, 3), keepdims=True).astype(np.int64)
        return self.window.pooled(found).astype(np.int64)


def compile_layer2(op: Layer2Op) -> Layer:
    """Returns a layer that is ready to run."""
    if isinstance(op, Dense1dOp):
        return Dense1d(op)
    assert isinstance(op, WindowLayer2Op)
    return Conv2d(op)

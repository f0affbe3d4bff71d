"""Layers of version 1 in integers.

Potentials are exact sums. Max pooling compares potentials, `average` adds those of the whole map. An activation divides the difference of
potential and threshold by its step, rounds up, and is limited to its bits. Sums are products of matrices of whole numbers
in double precision, which are exact below 2^53: 8 bits of input times 8 bits of weight, for at most 81920 inputs, need 33.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.akida import (
    STEPS,
    ConvolutionalOp,
    FullyConnectedOp,
    LayerOp,
    SeparableConvolutionalOp,
    WindowLayerOp,
    same_margins,
)
from ...dialects.akida.layer_bases import SAME, WindowBase

BLOCK_BYTES = 2**26
"""Bytes of the windows of a layer that are held at a time."""


class Layer:
    """A layer that is ready to run. Maps are `[frames, c, h, w]`."""

    def __call__(self, x: Ints) -> Ints:
        return self.activate(self.potentials(x))

    def potentials(self, x: Ints) -> Ints:
        raise NotImplementedError

    def activate(self, potentials: Ints) -> Ints:
        """Returns the activations of potentials `[frames, filters, h, w]`."""
        raise NotImplementedError


class Window:
    """A window on maps."""

    def __init__(self, op: WindowBase):
        self.kernel, self.stride = op.kernel, op.stride
        self.is_same = op.padding.data == SAME
        self.pool = op.pool

    def windows(self, x: AnyArray, fill: float, size: tuple[int, int], stride: tuple[int, int]) -> AnyArray:
        """Returns a view of all windows, `[frames, c, h', w', kh, kw]`."""
        if self.is_same:
            margins = same_margins(x.shape[2:], size, stride)
            x = np.pad(x, ((0, 0), (0, 0), *margins), constant_values=fill)
        return sliding_window_view(x, size, axis=(2, 3))[:, :, :: stride[0], :: stride[1]]

    def blocks(self, x: Ints, some: Callable[[Ints], Ints]) -> Ints:
        """Returns the values of a function of frames, some frames at a time."""
        frame = 8 * x[0].size * self.kernel[0] * self.kernel[1] if len(x) else 1
        block = max(1, BLOCK_BYTES // max(1, frame))
        return np.concatenate([some(x[k : k + block]) for k in range(0, len(x), block)]) if len(x) else some(x)

    def pooled(self, x: AnyArray) -> AnyArray:
        """Returns the greatest potential of each window of a pool."""
        return x if self.pool is None else self.windows(x, -np.inf, *self.pool).max(axis=(4, 5))


class Activation(Layer):
    """The activation of a layer of version 1."""

    def __init__(self, op: LayerOp):
        self.bits = op.activation_bits
        self.threshold = None if op.threshold is None else op.threshold.values.astype(np.int64)
        self.step: Ints | None = None
        """Sixteenths of the potential of one level."""
        if op.act_step is not None and self.bits is not None:
            self.step = (op.act_step.values.astype(np.float64) * STEPS).astype(np.int64) << (4 - self.bits)

    def activate(self, potentials: Ints) -> Ints:
        """Returns the activations of potentials `[frames, filters, h, w]`."""
        if self.bits is None or self.threshold is None or self.step is None:
            return potentials
        above = (potentials - self.threshold[:, None, None]) * STEPS
        levels = -(-above // self.step[:, None, None])
        return np.clip(levels, 0, 2**self.bits - 1)


class Dense(Activation):
    """A dense layer, which reads a map in the order (c, w, h)."""

    def __init__(self, op: FullyConnectedOp):
        super().__init__(op)
        self.weights = op.weights.values[0, 0].astype(np.float64)

    def potentials(self, x: Ints) -> Ints:
        flat = x.transpose(0, 1, 3, 2).reshape(len(x), prod(x.shape[1:]))
        return (flat.astype(np.float64) @ self.weights).astype(np.int64)[:, :, None, None]


class Convolution(Activation):
    """A layer with a window, and its pool of potentials."""

    def __init__(self, op: WindowLayerOp):
        super().__init__(op)
        kernels = op.weights.values.astype(np.float64)
        if isinstance(op, ConvolutionalOp | SeparableConvolutionalOp):
            kernels = kernels[::-1, ::-1]
        self.window, self.is_summed = Window(op), op.is_summed
        self.points: AnyArray | None = None
        if isinstance(op, SeparableConvolutionalOp):
            self.points = op.weights_pw.values[0, 0].astype(np.float64)
        self.kernels = kernels

    def potentials(self, x: Ints) -> Ints:
        return self.window.blocks(x, self.some)

    def some(self, x: Ints) -> Ints:
        windows = self.window.windows(x.astype(np.float64), 0, self.window.kernel, self.window.stride)
        if self.points is None:
            found = np.tensordot(windows, self.kernels, axes=((1, 4, 5), (2, 0, 1)))  # [frames, h, w, filters]
        else:
            each = np.einsum("nchwij,ijc->nhwc", windows, self.kernels[..., 0])
            found = each @ self.points
        return self.pooled(np.ascontiguousarray(found.transpose(0, 3, 1, 2))).astype(np.int64)

    def pooled(self, x: AnyArray) -> AnyArray:
        return x.sum(axis=(2, 3), keepdims=True) if self.is_summed else self.window.pooled(x)


def compile_layer(op: LayerOp) -> Layer:
    """Returns a layer that is ready to run."""
    if isinstance(op, FullyConnectedOp):
        return Dense(op)
    assert isinstance(op, WindowLayerOp)
    return Convolution(op)

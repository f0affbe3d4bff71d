"""Layers of both instruction sets in integers.

Potentials are exact sums. Sums are products of matrices of whole numbers in double precision, which are exact below 2^53: 8 bits of input times
8 bits of weight, for at most 81920 inputs, need 33. Max pooling compares potentials.

| | version 1 | version 2 |
| --- | --- | --- |
| bias | none | is shifted to the left, and added |
| sum of the whole map (`average`) | adds potentials | adds potentials after negative ones became 0 |
| activation | divides the difference of potential and threshold by the step, and rounds up | multiplies by the scale, with a product of at most 32 bits, and shifts to the right with rounding |
| input of a dense layer | (c, w, h) | (h, w, c) |

An activation is limited to its bits. The verifier guarantees that accumulators of 28 bits of version 2 hold all sums, so no sum saturates.

Source: BrainChip akida 2.19.3, software backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.akida import SeparableConvolutionalOp
from ...dialects.akida.layer_bases import DenseBase, LayerBase, WindowBase
from ...dialects.akida.layers import LayerOp
from ...dialects.akida.parts import SAME, STEPS, same_margins
from ...dialects.akida2.layers import MOST_OUTPUT, Layer2Op

BLOCK_BYTES = 2**26
"""Bytes of the windows of a layer that are held at a time."""
MOST_PRODUCT = 2**31 - 1
"""The greatest product of a potential and a scale."""


def activation_of(op: LayerBase) -> Callable[[Ints], Ints]:
    """Returns the function from potentials `[frames, filters, h, w]` to activations; without an activation, they are equal."""
    bits = op.activation_bits
    if isinstance(op, LayerOp) and bits is not None and op.threshold is not None and op.act_step is not None:
        threshold = op.threshold.values.astype(np.int64)[:, None, None]
        step = (op.act_step.values.astype(np.float64) * STEPS).astype(np.int64)[:, None, None] << (4 - bits)
        return lambda potentials: np.clip(-(-(potentials - threshold) * STEPS // step), 0, 2**bits - 1)
    if isinstance(op, Layer2Op) and bits is not None and op.output_scales is not None and op.output_shift is not None:
        scales = op.output_scales.values.astype(np.int64)[:, None, None]
        shifts = -op.output_shift.values.astype(np.int64)[:, None, None]
        half = (np.int64(1) << shifts) >> 1

        def scale(potentials: Ints) -> Ints:
            product = np.minimum(np.maximum(potentials, 0) * scales, MOST_PRODUCT)
            return np.minimum((product + half) >> shifts, MOST_OUTPUT[bits])

        return scale
    return lambda potentials: potentials


class Layer(ABC):
    """A layer that is ready to run. Maps are `[frames, c, h, w]`."""

    def __init__(self, op: LayerBase):
        self.is_second = isinstance(op, Layer2Op)
        """Whether the layer is of version 2."""
        self.offsets = op.offsets[:, None, None] if isinstance(op, Layer2Op) else np.zeros((), np.int64)
        self.activate = activation_of(op)

    def __call__(self, x: Ints) -> Ints:
        return self.activate(self.potentials(x))

    @abstractmethod
    def potentials(self, x: Ints) -> Ints: ...


class Dense(Layer):
    """A dense layer."""

    def __init__(self, op: DenseBase):
        super().__init__(op)
        self.weights = op.weights.values.reshape(op.inputs, op.filters).astype(np.float64)

    def potentials(self, x: Ints) -> Ints:
        flat = x.transpose((0, 2, 3, 1) if self.is_second else (0, 1, 3, 2)).reshape(len(x), len(self.weights))
        return (flat.astype(np.float64) @ self.weights).astype(np.int64)[:, :, None, None] + self.offsets


class Convolution(Layer):
    """A layer with a window, and its pool of potentials."""

    def __init__(self, op: WindowBase):
        super().__init__(op)
        kernels = op.weights.values.astype(np.float64)
        self.kernels = kernels if op.is_image else kernels[::-1, ::-1]
        self.stride, self.pool, self.is_summed = op.stride, op.pool, op.is_summed
        self.is_same, self.is_channelwise = op.padding.data == SAME, op.IS_CHANNELWISE
        self.points: AnyArray | None = None
        if isinstance(op, SeparableConvolutionalOp):
            self.points = op.weights_pw.values[0, 0].astype(np.float64)

    def windows(self, x: AnyArray, fill: float, size: tuple[int, int], stride: tuple[int, int]) -> AnyArray:
        """Returns a view of all windows, `[frames, c, h', w', kh, kw]`."""
        if self.is_same:
            margins = same_margins(x.shape[2:], size, stride)
            x = np.pad(x, ((0, 0), (0, 0), *margins), constant_values=fill)
        return sliding_window_view(x, size, axis=(2, 3))[:, :, :: stride[0], :: stride[1]]

    def potentials(self, x: Ints) -> Ints:
        """Computes some frames at a time."""
        if not len(x):
            return self.some(x)
        frame = 8 * x[0].size * self.kernels.shape[0] * self.kernels.shape[1]
        block = max(1, BLOCK_BYTES // max(1, frame))
        return np.concatenate([self.some(x[k : k + block]) for k in range(0, len(x), block)])

    def some(self, x: Ints) -> Ints:
        windows = self.windows(x.astype(np.float64), 0, self.kernels.shape[:2], self.stride)
        if self.is_channelwise or self.points is not None:
            sums: AnyArray = np.einsum("nchwij,ijc->nhwc", windows, self.kernels[..., 0])
        else:
            sums = np.tensordot(windows, self.kernels, axes=((1, 4, 5), (2, 0, 1)))  # [frames, h, w, filters]
        if self.points is not None:
            sums = sums @ self.points
        return self.pooled(np.ascontiguousarray(sums.transpose(0, 3, 1, 2)) + self.offsets).astype(np.int64)

    def pooled(self, x: AnyArray) -> AnyArray:
        """Returns the sum of the whole map, or the greatest potential of each window of a pool."""
        if self.is_summed:
            return (np.maximum(x, 0) if self.is_second else x).sum(axis=(2, 3), keepdims=True)
        return x if self.pool is None else self.windows(x, -np.inf, *self.pool).max(axis=(4, 5))


def compile_layer(op: LayerBase) -> Layer:
    """Returns a layer that is ready to run."""
    if isinstance(op, DenseBase):
        return Dense(op)
    assert isinstance(op, WindowBase)
    return Convolution(op)

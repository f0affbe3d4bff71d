"""Layers that are ready to run: the inputs of their rows, and the products of the ideal arrays.

The ideal product reads the levels of the cells: weights are differences of columns. Sums are products of matrices of whole numbers in double
precision, which are exact below 2^53.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import prod

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.ir.operation import shape_of
from ...dialects.memxbar import DIFFERENTIAL, ConvolutionOp, DenseOp, LayerBase, TileOp
from ...simulation.output_ring import History
from .periphery import by_channel, shift

EXACT_SUMS = 2**53


def cell_differences(levels: AnyArray, outputs: int, encoding: str, slices: int) -> AnyArray:
    """Returns the column difference that the converter of each output and slice reads. Shapes: [rows, outputs, slices]."""
    rows = len(levels)
    if encoding == DIFFERENTIAL:
        cells = levels.reshape(rows, outputs, slices, 2)
        return cells[..., 0] - cells[..., 1]
    cells = levels[:, : outputs * slices].reshape(rows, outputs, slices)
    return cells - levels[:, np.newaxis, outputs * slices :]


def tile_weights(layer: LayerBase, tile: TileOp) -> Ints:
    """Returns the weights that a tile holds. Shapes: [rows, outputs]."""
    slices, bits = layer.slices.value.data, layer.cell_bits.value.data
    cells = cell_differences(tile.levels.values.astype(np.int64), tile.span("columns")[1], layer.encoding.data, slices)
    return cells @ (1 << (bits * np.arange(slices)))


class RunningLayer(ABC):
    """A layer while some samples run. Products are `[samples, reads, groups, outputs]`, inputs of rows `[samples, reads, groups, rows]`."""

    def __init__(self, op: LayerBase, samples: int):
        self.op, self.samples = op, samples
        self.result = shape_of(op.y)
        self.bias, self.exponent = (by_channel(array, len(self.result)) for array in (op.bias, op.exponent))

    @abstractmethod
    def rows(self, x: AnyArray) -> AnyArray:
        """Begins a tick, and returns the inputs of the rows."""
        ...

    @abstractmethod
    def results(self, products: AnyArray) -> AnyArray:
        """Returns the products in the shape of the result."""
        ...

    def finish(self, products: Ints) -> Ints:
        """Returns the result of a tick: the products with bias and exponent."""
        found = self.results(products)
        if self.bias is not None:
            found = found + self.bias
        return shift(found, self.exponent)


class RunningDense(RunningLayer):
    """A layer whose matrix is read once in a tick."""

    def __init__(self, op: DenseOp, samples: int):
        super().__init__(op, samples)
        inputs = prod(shape_of(op.x))
        self.sources = None if op.sources is None else op.sources.values.astype(np.int64)
        self.delay = None if op.delay is None else op.delay.values.astype(np.int64)
        self.history: History | None = None
        if self.delay is not None:
            self.history = History(int(self.delay.max(initial=0)), samples, inputs, np.dtype(np.int64))

    def rows(self, x: AnyArray) -> AnyArray:
        flat = x.reshape(self.samples, -1)
        if self.history is not None and self.delay is not None and self.sources is not None:
            past, now = self.history.tick(flat)
            flat = past[(now - self.delay) % len(past), :, self.sources].T
        elif self.sources is not None:
            flat = flat[:, self.sources]
        return flat[:, np.newaxis, np.newaxis]

    def results(self, products: AnyArray) -> AnyArray:
        return products.reshape(self.samples, *self.result)


class RunningConvolution(RunningLayer):
    """A convolution, read at one position of its map after the other."""

    def __init__(self, op: ConvolutionOp, samples: int):
        super().__init__(op, samples)
        self.input, (self.channels, self.height, self.width) = op.maps
        self.groups, self.positions = op.groups.value.data, op.positions.value.data
        kernel, stride, dilation = (op.numbers(name).tolist() for name in ("kernel", "stride", "dilation"))
        self.before = op.numbers("padding")
        self.across = -(-self.width // self.positions)
        self.ys: Ints = np.arange(self.height)[:, np.newaxis] * stride[0] + np.arange(kernel[0]) * dilation[0]
        offsets = np.array(op.offsets, np.int64)
        self.xs: Ints = np.arange(self.across)[:, np.newaxis] * self.positions * stride[1] + offsets

    def rows(self, x: AnyArray) -> AnyArray:
        maps = x.reshape(self.samples, *self.input)
        (top, bottom), (left, right) = self.before.tolist()
        right = max(right, int(self.xs.max()) + 1 - left - maps.shape[3])  # the last read may reach beyond the padding
        padded = np.pad(maps, ((0, 0), (0, 0), (top, bottom), (left, right)))
        found = padded[:, :, self.ys[:, :, np.newaxis, np.newaxis], self.xs]  # [samples, c, y, ky, reads, offsets]
        moved = found.transpose(0, 2, 4, 1, 3, 5)
        return moved.reshape(self.samples, self.height * self.across, self.groups, -1)

    def results(self, products: AnyArray) -> AnyArray:
        parts = products.reshape(self.samples, self.height, self.across, self.channels, self.positions)
        found = parts.transpose(0, 3, 1, 2, 4).reshape(self.samples, self.channels, self.height, -1)
        return found[..., : self.width].reshape(self.samples, *self.result)


def start_layer(op: LayerBase, samples: int) -> RunningLayer:
    """Returns a layer before the first tick."""
    if isinstance(op, DenseOp):
        return RunningDense(op, samples)
    assert isinstance(op, ConvolutionOp)  # the layers of the dialect
    return RunningConvolution(op, samples)


class IdealArrays:
    """The arrays of a layer without imperfections."""

    def __init__(self, op: LayerBase):
        groups, rows, outputs = op.matrix_shape
        self.matrix: Reals = np.zeros((groups, rows, outputs))
        gain: Reals = np.zeros((groups, outputs))
        for tile in op.tiles:
            group, _, columns = tile.part
            weights = tile_weights(op, tile)
            self.matrix[tile.part] = weights
            gain[group, columns] += np.abs(weights).sum(axis=0)
        self.gain = float(gain.max(initial=0))

    def __call__(self, rows: AnyArray) -> Ints:
        """Returns the products of the inputs of rows."""
        most = float(np.abs(rows.astype(np.float64)).max(initial=0))
        if self.gain * most < EXACT_SUMS:
            found = rows.astype(np.float64).transpose(2, 0, 1, 3) @ self.matrix[:, np.newaxis]
            return found.transpose(1, 2, 0, 3).astype(np.int64)
        whole = rows.astype(np.int64).transpose(2, 0, 1, 3) @ self.matrix[:, np.newaxis].astype(np.int64)
        return whole.transpose(1, 2, 0, 3)

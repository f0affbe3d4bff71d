"""The arrays of one manufactured chip: cells, wires and converters.

1. The levels of a tile are programmed as conductances, which differ from chip to chip and change with the age (`cells.py`).
2. Wires reduce the currents (`wires.py`).
3. Inputs are voltages: binary ones need no converter; others are rounded to the steps of the converters of rows. Converters of 1 bit send one bit of
   the inputs at a time, negative inputs after positive ones.
4. The converter of an output and slice reads the difference of two columns, and saturates at its range.
5. The periphery adds slices and tiles, corrects them by the measured decay of the conductances of the layer, and rounds them to integers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.arrays.numeric import AnyArray, Ints, Reals
from ...core.device.records import Device
from ...dialects.memxbar import Crossbar, LayerBase, TileOp
from ...simulation.imperfections import Imperfections
from .arrays import cell_differences
from .cells import CellPhysics, ManufacturedCells, imperfection
from .converters import convert, products
from .wires import transfer

SIEMENS = 1e-6
"""Of one microsiemens."""


class PhysicalArrays:
    """The arrays of a layer on one chip, at one age."""

    def __init__(self, op: LayerBase, device: Device, chip: Imperfections):
        self.op, self.chip = op, chip
        self.crossbar = Crossbar.of(device)
        self.physics = CellPhysics.of(device, self.crossbar)
        self.ohm = imperfection(device, "wire_ohm")
        self.noise = imperfection(device, "output_noise")
        self.bound = device.number("features.out_bound") or None
        """The range of results for inputs up to 1 and weights up to 1, with adapted ranges of inputs; None with calibrated ranges."""
        self.factors = 1 << (op.cell_bits.value.data * np.arange(op.slices.value.data))
        cells = [(tile, self.manufactured(tile)) for tile in op.tiles]
        self.tiles = [(tile, self.weights(tile, one, chip.age)) for tile, one in cells]
        self.gain = 1.0
        if device.preferred.get("drift_compensation") and chip.age is not None:
            new = sum(float(np.abs(self.weights(tile, one, None)).sum()) for tile, one in cells)
            now = sum(float(np.abs(weights).sum()) for _, weights in self.tiles)
            self.gain = new / now if now else 1.0
        self.rngs = {id(tile): chip.noise(*self.names(tile), "output") for tile in op.tiles}

    def names(self, tile: TileOp) -> tuple[str, ...]:
        return self.op.node.data, str(tile.array.value.data)

    def manufactured(self, tile: TileOp) -> ManufacturedCells:
        """Returns the cells of a tile."""  # 1
        target = self.crossbar.g_min + self.crossbar.step * tile.levels.values.astype(np.float64)
        return ManufacturedCells.of(self.physics, self.crossbar, target, self.chip, self.names(tile))

    def weights(self, tile: TileOp, cells: ManufacturedCells, age: float | None) -> Reals:
        """Returns the differences that the converters read for an input of 1, in levels, with all physical effects. Shapes: [rows, outputs, slices]."""  # 2
        conductance = cells.at(age, self.chip.generator(*self.names(tile), "read"))
        seen = transfer(conductance * SIEMENS, self.ohm) / SIEMENS
        outputs, op = tile.span("columns")[1], self.op
        return cell_differences(seen, outputs, op.encoding.data, op.slices.value.data) / self.crossbar.step

    def voltages(self, rows: Reals) -> Iterator[tuple[int, Reals]]:
        """Yields the inputs of each read and their factor."""  # 3
        bits = self.crossbar.dac_bits
        if self.op.is_binary or bits != 1:
            limit = None if self.op.is_binary or self.bound is not None else self.op.dac_range
            yield 1, rows if limit is None else convert(rows, limit.value.data, bits)
            return
        whole = np.abs(rows).astype(np.int64)
        signs = (1, -1) if self.op.is_signed else (1,)
        for sign in signs:
            part = np.where(rows * sign > 0, whole, 0)
            for k in range(self.op.largest_input.bit_length()):
                yield sign << k, ((part >> k) & 1).astype(np.float64)

    def read(self, tile: TileOp, weights: Reals, inputs: Reals) -> Reals:
        """Returns the converted sums of a tile for some inputs, with its slices added. Shapes: inputs [n, rows], result [n, outputs]."""  # 4
        height, outputs, slices = weights.shape
        if self.bound is not None and not self.op.is_binary and self.crossbar.dac_bits != 1:
            return self.adapted(weights, inputs, self.bound)
        found = (inputs @ weights.reshape(height, outputs * slices)).reshape(len(inputs), outputs, slices)
        if self.noise and tile.adc_range is not None:
            found = found + self.noise * tile.adc_range.values * self.rngs[id(tile)].standard_normal(found.shape)
        if tile.adc_range is not None:
            found = convert(found, tile.adc_range.values, self.crossbar.adc_bits)
        return found @ self.factors

    def adapted(self, weights: Reals, inputs: Reals, bound: float) -> Reals:
        """Returns the sums of a tile with ranges that are adapted to each product."""
        height, outputs, slices = weights.shape
        matrix, largest = weights.reshape(height, outputs * slices), self.crossbar.levels - 1

        def multiply(voltages: Reals) -> Reals:
            return voltages @ matrix / largest

        found = products(inputs, multiply, self.crossbar.dac_bits, self.crossbar.adc_bits, bound) * largest
        return found.reshape(len(inputs), outputs, slices) @ self.factors

    def __call__(self, rows: AnyArray) -> Ints:
        """Returns the products of the inputs of rows, as integers."""
        samples, reads, groups, _ = rows.shape
        total = np.zeros((samples * reads, groups, self.op.matrix_shape[2]))
        for factor, inputs in self.voltages(rows.astype(np.float64)):
            flat = inputs.reshape(samples * reads, groups, -1)
            for tile, weights in self.tiles:
                group, row, column = tile.part
                total[:, group, column] += factor * self.read(tile, weights, flat[:, group, row])
        return np.rint(self.gain * total).astype(np.int64).reshape(samples, reads, groups, -1)  # 5

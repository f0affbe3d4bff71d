"""Layers on arrays: products of a matrix of integers and the inputs of a tick, with a digital bias and shift.

    y = (sum over rows of matrix[row, output] * x[row] + bias) * 2^exponent

A layer has its weights, or tiles with their levels (`tiles.py`).
"""

from __future__ import annotations

from abc import abstractmethod
from math import inf, prod
from typing import ClassVar, cast

import numpy as np
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, StringAttr, TensorType, f64, i64
from xdsl.irdl import (
    ParsePropInAttrDict,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
)
from xdsl.traits import NoTerminator

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Ints
from ...core.diagnostics import Code
from ...core.fixed_point import Interval
from ...core.ir.body_ops import body_ops
from ...core.ir.operation import NoptOperation, VerifiesLast, element_type, shape_of
from ...core.windows import window_outputs
from ..chip_base.parts import abbreviate
from ..nir.synapses import StdpAttr
from ..ntensor import interval_of, numbers_outside
from ._parts import refuse_array
from .crossbar import ENCODINGS, MOST_WEIGHT_BITS
from .tiles import MXB002, TileOp, cell_columns

MOST_EXPONENT = 62
"""The largest magnitude of an exponent, as of synapses of `ntensor`."""
MXB001 = Code("MXB001", "array-layer-out-of-range", "a parameter of a layer is out of range")


class LayerBase(NoptOperation):
    """Base of the layers. `encoding`, `slices` and `cell_bits` specify the cells of a weight; see `TileOp`.

    `dac_range` is the largest input that the converters of the rows represent; binary inputs have none.

    Shapes: bias and exponent () or the first axes of y.
    """

    node = prop_def(StringAttr)
    x = operand_def(base(TensorType))
    y = result_def(base(TensorType))
    weight = opt_prop_def(ArrayAttr)
    bias = opt_prop_def(ArrayAttr)
    exponent = opt_prop_def(ArrayAttr)
    encoding = prop_def(StringAttr)
    slices = prop_def(IntegerAttr.constr(i64))
    cell_bits = prop_def(IntegerAttr.constr(i64))
    dac_range = opt_prop_def(FloatAttr.constr(f64))
    plasticity = opt_prop_def(StdpAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), VerifiesLast())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$node $x attr-dict-with-keyword `:` type($x) `->` type($y) $body"
    tiles = body_ops(TileOp)

    @property
    def is_binary(self) -> bool:
        """Whether the inputs are spikes, which need no converter."""
        held = interval_of(element_type(self.x))
        return held is not None and held.low >= 0 and held.high <= 1

    @property
    def largest_input(self) -> int:
        """Returns the largest magnitude of an input."""
        held = interval_of(element_type(self.x))
        return 0 if held is None else max(abs(held.low), abs(held.high))

    @property
    def is_signed(self) -> bool:
        """Whether an input can be negative."""
        held = interval_of(element_type(self.x))
        return held is not None and held.low < 0

    @property
    @abstractmethod
    def matrix_shape(self) -> tuple[int, int, int]:
        """Returns groups, rows and outputs of the matrices of the layer."""
        ...

    @property
    @abstractmethod
    def weight_shape(self) -> tuple[int, ...]:
        """Returns the shape of `weight`."""
        ...

    @property
    @abstractmethod
    def reads(self) -> int:
        """Returns the products of a tick, which follow each other on the same arrays."""
        ...

    @abstractmethod
    def verify_geometry(self) -> None:
        """Refuses parameters that do not match the operand and the result. Errors: MXB001."""
        ...

    def verify_(self) -> None:
        for what, value in (("the input", self.x), ("the result", self.y)):
            if (held := interval_of(element_type(value))) is None or not held.fits:
                refuse_array(self, MXB001, f"{what} of a layer is not an integer", "integers", str(element_type(value)))
        cells = self.slices.value.data * self.cell_bits.value.data
        if self.encoding.data not in ENCODINGS or min(self.slices.value.data, self.cell_bits.value.data) < 1:
            expected = f"{' or '.join(ENCODINGS)}, with at least one cell of one bit"
            refuse_array(self, MXB001, "unknown cells of a weight", expected, f"{self.encoding.data}, {cells} bits")
        if cells > MOST_WEIGHT_BITS:
            refuse_array(self, MXB001, "a weight has too many bits", f"at most {MOST_WEIGHT_BITS}", str(cells))
        if self.dac_range is not None and not 0 < self.dac_range.value.data < inf:
            expected, found = "a positive, finite number", str(self.dac_range.value.data)
            refuse_array(self, MXB001, "dac_range is out of range", expected, found)
        self.verify_geometry()
        wanted, weight, result = self.weight_shape, self.weight, shape_of(self.y)
        if weight is not None and (weight.shape != wanted or weight.data.dtype.kind not in "iu"):
            found = f"{list(weight.shape)} of {weight.data.dtype}"
            refuse_array(self, MXB001, "weight has another shape", f"integers, {list(wanted)}", found)
        for name, array in (("bias", self.bias), ("exponent", self.exponent)):
            if array is None:
                continue
            if array.data.dtype.kind not in "iu" or array.shape not in [result[:k] for k in range(len(result) + 1)]:
                found = f"{list(array.shape)} of {array.data.dtype}"
                refuse_array(self, MXB001, f"{name} has another shape", f"integers, [] or {list(result)}", found)
        self.verify_numbers()
        if any(not isinstance(op, TileOp) for op in self.body.block.ops):
            refuse_array(self, MXB001, "a layer holds another op than tiles", "tiles", "another op")
        if self.weight is not None and self.tiles:
            refuse_array(self, MXB001, "a layer has its weights twice", "weights or tiles", "both")
        self.verify_tiles()

    def verify_numbers(self) -> None:
        """Refuses a bias outside of the result's type, and exponents outside of the range that `ntensor` allows. Errors: MXB001."""
        element = element_type(self.y)
        if self.bias is not None and (found := numbers_outside(self.bias, element)) is not None:
            refuse_array(self, MXB001, "bias is out of range", f"numbers that {element} holds", found)
        exponent, held = self.exponent, Interval(-MOST_EXPONENT, MOST_EXPONENT)
        if exponent is not None and exponent.data.size:
            low, high = int(exponent.data.least()), int(exponent.data.greatest())
            if not held.holds(Interval(low, high)):
                refuse_array(self, MXB001, "exponent is out of range", str(held), f"{low} to {high}")

    def verify_tiles(self) -> None:
        """Refuses tiles outside of the matrix, with other cells, or that overlap. Errors: MXB002."""
        groups, rows, outputs = self.matrix_shape
        most = 2**self.cell_bits.value.data - 1
        seen = np.zeros((groups, rows, outputs), np.bool_) if self.tiles else np.zeros((0, 0, 0), np.bool_)
        for tile in self.tiles:
            group, row, column = tile.part
            if row.stop > rows or column.stop > outputs or not 0 <= group < groups:
                expected = f"{rows} rows, {outputs} columns, {groups} groups"
                found = f"rows to {row.stop}, columns to {column.stop}, group {group}"
                refuse_array(tile, MXB002, "a tile is outside of its layer", expected, found)
            wanted = cell_columns(column.stop - column.start, self.encoding.data, self.slices.value.data)
            if tile.levels.shape[1] != wanted:
                found = str(tile.levels.shape[1])
                refuse_array(tile, MXB002, "levels have other columns than the encoding", str(wanted), found)
            if tile.levels.data.size and int(tile.levels.data.greatest()) > most:
                found = str(tile.levels.data.greatest())
                refuse_array(tile, MXB002, "a cell has no such level", f"0 to {most}", found)
            if tile.adc_range is not None and tile.adc_range.shape != (self.slices.value.data,):
                found = str(tile.adc_range.shape[0])
                refuse_array(tile, MXB002, "adc_range has another length", str(self.slices.value.data), found)
            part = seen[tile.part]
            if part.any():
                refuse_array(tile, MXB002, "two tiles hold the same weights", "each weight once", "twice")
            part[...] = True


@irdl_op_definition
class DenseOp(LayerBase):
    """A layer whose matrix is read once in a tick.

    `sources` is the flat index of the input of each row, by default all inputs in their order; `delay` the ticks by which the row is late.

    Shapes: weight [rows, outputs], sources and delay [rows]; outputs are the elements of y.
    """

    name = "memxbar.dense"
    sources = opt_prop_def(ArrayAttr)
    delay = opt_prop_def(ArrayAttr)

    @property
    def rows(self) -> int:
        return prod(shape_of(self.x)) if self.sources is None else self.sources.data.size

    @property
    def matrix_shape(self) -> tuple[int, int, int]:
        return 1, self.rows, prod(shape_of(self.y))

    @property
    def weight_shape(self) -> tuple[int, ...]:
        return self.matrix_shape[1:]

    @property
    def reads(self) -> int:
        return 1

    def verify_geometry(self) -> None:
        inputs = prod(shape_of(self.x))
        for name, array, most in (("sources", self.sources, inputs), ("delay", self.delay, 2**31)):
            if array is not None and (
                array.shape != (self.rows,)
                or array.data.dtype.kind not in "iu"
                or (self.rows and not 0 <= array.data.least() <= array.data.greatest() < most)
            ):
                found = f"{abbreviate(array.values.reshape(-1))} of shape {list(array.shape)}"
                refuse_array(self, MXB001, f"{name} is out of range", f"{self.rows} integers below {most}", found)


@irdl_op_definition
class ConvolutionOp(LayerBase):
    """A convolution. A product computes `positions` neighbouring results along the last axis, for all channels of a group.

    The rows are [channel, kernel row, offset], the columns [channel of the group, position]. With one position the offsets are those of the
    kernel (im2col); with several they are all that one of the windows reads (sliding rows): weights are repeated, and others are 0.

    Shapes: weight [c', c / groups, ky, kx]; kernel, stride and dilation [2], padding [2, 2]; x [c, y, x] or [c, x].
    """

    name = "memxbar.convolution"
    kernel = prop_def(ArrayAttr)
    stride = prop_def(ArrayAttr)
    padding = prop_def(ArrayAttr)
    dilation = prop_def(ArrayAttr)
    groups = prop_def(IntegerAttr.constr(i64))
    positions = prop_def(IntegerAttr.constr(i64))

    ARRAYS: ClassVar[tuple[tuple[str, tuple[int, ...], int], ...]] = (
        ("kernel", (2,), 1),
        ("stride", (2,), 1),
        ("padding", (2, 2), 0),
        ("dilation", (2,), 1),
    )

    def numbers(self, name: str) -> Ints:
        """Returns the entries of kernel, stride, padding or dilation."""
        return cast("ArrayAttr", self.properties[name]).values.astype(np.int64)

    @property
    def maps(self) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        """Returns channels, height and width of the operand and of the result."""
        x, y = ((s[0], 1, s[1]) if len(s) == 2 else (s[0], s[1], s[2]) for s in (shape_of(self.x), shape_of(self.y)))
        return x, y

    @property
    def offsets(self) -> list[int]:
        """Returns the offsets of the positions that a product reads along the last axis, relative to the first position."""
        kernel, stride, dilation = (int(self.numbers(name)[1]) for name in ("kernel", "stride", "dilation"))
        return sliding_offsets(self.positions.value.data, kernel, stride, dilation)

    @property
    def matrix_shape(self) -> tuple[int, int, int]:
        (channels, _, _), (outputs, _, _) = self.maps
        groups = self.groups.value.data
        rows = channels // groups * int(self.numbers("kernel")[0]) * len(self.offsets)
        return groups, rows, outputs // groups * self.positions.value.data

    @property
    def weight_shape(self) -> tuple[int, ...]:
        (channels, _, _), (outputs, _, _) = self.maps
        return outputs, channels // self.groups.value.data, *self.numbers("kernel").tolist()

    @property
    def reads(self) -> int:
        _, (_, height, width) = self.maps
        return height * -(-width // self.positions.value.data)

    def verify_geometry(self) -> None:
        for name, shape, low in self.ARRAYS:
            array = cast("ArrayAttr", self.properties[name])
            if array.shape != shape or array.data.dtype.kind not in "iu" or array.data.least() < low:
                expected, found = f"integers from {low}, {list(shape)}", str(array.values.tolist())
                refuse_array(self, MXB001, f"{name} is out of range", expected, found)
        if {len(shape_of(self.x)), len(shape_of(self.y))} not in ({2}, {3}):
            found = f"{list(shape_of(self.x))} to {list(shape_of(self.y))}"
            refuse_array(self, MXB001, "a convolution of something else than maps", "[c, y, x] or [c, x]", found)
        (channels, *size), (outputs, *result) = self.maps
        groups, positions = self.groups.value.data, self.positions.value.data
        if groups < 1 or channels % groups or outputs % groups:
            expected = f"a divisor of {channels} and {outputs}"
            refuse_array(self, MXB001, "groups do not divide the channels", expected, str(groups))
        if not 1 <= positions <= max(1, result[1]):
            refuse_array(self, MXB001, "positions are out of range", f"1 to {max(1, result[1])}", str(positions))
        given = (self.numbers(name).tolist() for name in ("kernel", "stride", "padding", "dilation"))
        if tuple(result) != tuple(expected := window_outputs(size, *given)):
            found = f"{list(result)}"
            refuse_array(self, MXB001, "the result has other positions", str(list(expected)), found)


def sliding_offsets(positions: int, kernel: int, stride: int, dilation: int) -> list[int]:
    """Returns the places along an axis that the windows of neighbouring positions read."""
    return sorted({p * stride + k * dilation for p in range(positions) for k in range(kernel)})

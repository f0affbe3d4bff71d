"""A tile: the part of the matrix of a layer on one array, as levels of cells.

The matrix of a layer has a row for each input of a product, and a column for each of its outputs. A tile holds some neighbouring rows and
columns of it. Each weight takes cells in one row:

| encoding | columns of an output | current that is converted |
| --- | --- | --- |
| `differential` | for each slice two, for positive and negative weights | their difference |
| `offset` | for each slice one with the digit of weight + zero, zero = 2^(bits - 1); the last columns of the tile, one for each slice, hold that of zero | the difference to the column of zero |

Slice s holds digit s of a number in base 2^cell_bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, opt_prop_def, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import AnyArray
from ...core.device.records import Device
from ...core.diagnostics import Code
from ..chip_base.user import ResourceUserOpInterface
from ._parts import refuse_array, user_name
from .crossbar import DIFFERENTIAL, Crossbar

MXB002 = Code("MXB002", "tile-outside-layer", "a tile does not hold a part of its layer")


@irdl_op_definition
class TileOp(ResourceUserOpInterface):
    """A part of the matrix of a layer on one array.

    `group` is that of a convolution with groups. `adc_range` is the largest result that the converters of the tile represent, in products of
    levels and inputs, by slice; without it they are not calibrated.

    Shapes: rows and columns [2]: the first one of the matrix, and their number; levels [rows, columns of cells]; adc_range [slices].
    """

    name = "memxbar.tile"
    array = prop_def(IntegerAttr.constr(i64))
    group = prop_def(IntegerAttr.constr(i64))
    rows = prop_def(ArrayAttr)
    columns = prop_def(ArrayAttr)
    levels = prop_def(ArrayAttr)
    adc_range = opt_prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$array attr-dict"

    def __init__(self, array: int, group: int, rows: tuple[int, int], columns: tuple[int, int], levels: AnyArray):
        super().__init__(
            properties={
                "array": IntegerAttr(array, i64),
                "group": IntegerAttr(group, i64),
                "rows": ArrayAttr.of(np.array(rows, np.int32)),
                "columns": ArrayAttr.of(np.array(columns, np.int32)),
                "levels": ArrayAttr.of(
                    np.ascontiguousarray(levels, np.uint8 if levels.max(initial=0) < 256 else np.uint16)
                ),
            }
        )

    def span(self, name: str) -> tuple[int, int]:
        """Returns the first row or column of the matrix, and their number."""
        first, count = (int(n) for n in cast("ArrayAttr", self.properties[name]).values)
        return first, count

    @property
    def part(self) -> tuple[int, slice, slice]:
        """Returns the part of the matrices of the layer that the tile holds: the group, its rows and its columns."""
        (row, height), (column, width) = self.span("rows"), self.span("columns")
        return self.group.value.data, slice(row, row + height), slice(column, column + width)

    def layers(self) -> tuple[str, ...]:
        return (user_name(self.parent_op()),)

    def unit(self) -> tuple[str, int | None]:
        return f"array {self.array.value.data}", None

    def quantities(self, device: Device) -> Mapping[str, int]:
        """Returns rows and columns of the array, and the memory of the cells in use."""
        crossbar = Crossbar.of(device)
        rows, columns = self.levels.shape
        return {
            "input_axons": rows,
            "neurons": columns,
            "synapse_bytes": -(-rows * columns * crossbar.cell_bits // 8),
        }

    def verify_(self) -> None:
        for name in ("rows", "columns"):
            array = cast("ArrayAttr", self.properties[name])
            if array.shape != (2,) or array.data.dtype.kind not in "iu" or array.data.least() < 0:
                refuse_array(self, MXB002, f"{name} are not a span", "2 integers from 0", str(array.values.tolist()))
            if self.span(name)[1] < 1:
                refuse_array(self, MXB002, f"a tile without {name}", "at least one", "0")
        shape, rows = self.levels.shape, self.span("rows")[1]
        if len(shape) != 2 or self.levels.data.dtype.kind != "u":
            message, found = (
                "levels are not a matrix of unsigned integers",
                f"{list(shape)} of {self.levels.data.dtype}",
            )
            refuse_array(self, MXB002, message, "[rows, columns]", found)
        if shape[0] != rows:
            refuse_array(self, MXB002, "levels have other rows than the tile", str(rows), str(shape[0]))
        ranges = self.adc_range
        if ranges is not None and not (
            len(ranges.shape) == 1
            and ranges.data.dtype == np.float64
            and (ranges.values > 0).all()
            and np.isfinite(ranges.values).all()
        ):
            expected, found = "positive, finite f64, [slices]", str(ranges.values.tolist())
            refuse_array(self, MXB002, "adc_range is out of range", expected, found)


def cell_columns(outputs: int, encoding: str, slices: int) -> int:
    """Returns the columns of cells that some outputs take."""
    return 2 * outputs * slices if encoding == DIFFERENTIAL else (outputs + 1) * slices


def most_outputs(columns: int, encoding: str, slices: int) -> int:
    """Returns the outputs that some columns of cells hold."""
    return columns // (2 * slices) if encoding == DIFFERENTIAL else columns // slices - 1

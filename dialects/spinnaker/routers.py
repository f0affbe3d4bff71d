"""Routers of the spinnaker dialect: a table of keys, masks and routes for each chip, in the order of priority.

Bits 0 to 5 of a route are the links E, NE, N, W, SW and S; bit 6 + p is processor p of the chip. A key without an entry leaves by the link
opposite to the one by which it came.

Source: S. B. Furber et al., Proceedings of the IEEE 102(5):652 (2014); SpiNNMachine 7.4.1, multicast_routing_entry.py.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def, traits_def

from ...core.arrays.arrays import ArrayAttr
from ...core.ir.operation import HasParentNamed, NoptOperation
from ...core.routing.table import FULL, Table
from ..chip_base.parts import refuse_table, verify_index


@irdl_op_definition
class RouterOp(NoptOperation):
    """The table of the router of a chip. Shapes: key, mask and route [entries]. Errors: CHI001."""

    name = "spinnaker.router"
    place = prop_def(IntegerAttr.constr(i64))
    key = prop_def(ArrayAttr)
    mask = prop_def(ArrayAttr)
    route = prop_def(ArrayAttr)
    traits = traits_def(HasParentNamed("spinnaker.chip"))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$place attr-dict"

    def __init__(self, place: int, table: Table):
        arrays = {"key": table.key, "mask": table.mask, "route": table.route}
        super().__init__(
            properties={
                "place": IntegerAttr(place, i64),
                **{name: ArrayAttr.of(values.astype(np.int64)) for name, values in arrays.items()},
            }
        )

    @property
    def table(self) -> Table:
        return Table(*(one.values.astype(np.int64) for one in (self.key, self.mask, self.route)))

    def verify_(self) -> None:
        verify_index(self, "key", self.key)
        verify_index(self, "mask", self.mask, self.key.shape)
        verify_index(self, "route", self.route, self.key.shape)
        table = self.table
        if len(wrong := np.flatnonzero((table.key & table.mask != table.key) | (table.mask > FULL))):
            k = int(wrong[0])
            expected = "a mask of 32 bits, and a key without bits outside of it"
            found = f"entry {k}: key {int(table.key[k]):#x}, mask {int(table.mask[k]):#x}"
            refuse_table(self, "an entry matches no key", expected, found)

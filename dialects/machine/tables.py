"""Ops for routers that select routes by keys: the keys of each vertex, and the table of each router.

Source: `core/routing/table.py` names the source of the form of an entry.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.irdl import ParsePropInAttrDict, irdl_op_definition, prop_def

from ...core.arrays.arrays import ArrayAttr
from ...core.diagnostics import Code, invalid
from ...core.ir.operation import NoptOperation
from ...core.routing.table import FULL, Table
from .mapping import integer_attr, verify_count, verify_integer_array

MCH015 = Code("MCH015", "routing-key-invalid", "a key or an entry of a table is invalid")


@irdl_op_definition
class KeyOp(NoptOperation):
    """The block of keys of one vertex: neuron `k` of the vertex sends `key + k`.

    `mask` has a bit for each bit that all keys of the block share, so that the block has a power of two of keys.

    Errors: MCH015 a key with bits outside of its mask, or a block that is not contiguous.
    """

    name = "machine.key"
    source = prop_def(StringAttr)
    key = prop_def(IntegerAttr.constr(i64))
    mask = prop_def(IntegerAttr.constr(i64))
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source attr-dict"

    def __init__(self, source: str, key: int, mask: int):
        super().__init__(
            properties={"source": StringAttr(source), "key": integer_attr(key), "mask": integer_attr(mask)}
        )

    @property
    def size(self) -> int:
        """Returns the number of keys of the block."""
        return FULL - self.mask.value.data + 1

    def verify_(self) -> None:
        key, mask = self.key.value.data, self.mask.value.data
        if not 0 <= mask <= FULL or self.size & (self.size - 1):
            expected = "32 bits, all set above those of the neurons"
            invalid(self, MCH015, "the mask of a block of keys is invalid", expected=expected, found=f"{mask:#x}")
        if key & mask != key:
            invalid(self, MCH015, "a key has bits outside of its mask", expected=f"{key & mask:#x}", found=f"{key:#x}")


@irdl_op_definition
class TableOp(NoptOperation):
    """The routing table of the router of one position, in the order of priority. A packet without a match goes straight on.

    Bits 0 to 5 of a route are the links of the router, bit 6 + p is processor p: `topology.torus.first_processor` plus the slot of the core.

    Shapes: key, mask and route [entries]. Errors: MCH005 another shape; MCH015 invalid bits.
    """

    name = "machine.table"
    position = prop_def(IntegerAttr.constr(i64))
    key = prop_def(ArrayAttr)
    mask = prop_def(ArrayAttr)
    route = prop_def(ArrayAttr)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$position attr-dict"

    def __init__(self, position: int, table: Table):
        super().__init__(
            properties={
                "position": integer_attr(position),
                "key": ArrayAttr.of(table.key),
                "mask": ArrayAttr.of(table.mask),
                "route": ArrayAttr.of(table.route),
            }
        )

    @property
    def entries(self) -> Table:
        return Table(*(one.values.astype(np.int64) for one in (self.key, self.mask, self.route)))

    def verify_(self) -> None:
        verify_count(self, "position", self.position)
        for what, array in (("key", self.key), ("mask", self.mask), ("route", self.route)):
            verify_integer_array(self, what, array, (self.key.shape[0] if self.key.shape else None,))
        table = self.entries
        if len(wrong := np.flatnonzero((table.key & table.mask != table.key) | (table.mask > FULL))):
            k = int(wrong[0])
            expected = "a mask of 32 bits, and a key without bits outside of it"
            found = f"entry {k}: key {int(table.key[k]):#x}, mask {int(table.mask[k]):#x}"
            invalid(self, MCH015, "an entry matches no key", expected=expected, found=found)

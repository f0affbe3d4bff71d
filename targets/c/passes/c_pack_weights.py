"""Packs weights of at most 4 bits: two share a byte.

    %table = c.buffer "fc_weight" #c<kind constant> … : memref<1x64x10xsi8>
    =>
    %table = c.buffer "fc_weight" #c<kind constant> … : memref<1x64x10xsi4>

1. The buffer is a constant, and only scatters read it, as their table.
2. It has two or more integers, and all of them are in -8..7. Their number of bits before, or that of other layers, makes no difference.

Packed weights take half the memory of bytes. Reading one takes two or three more instructions.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.rewriter import Rewriter

from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import Kind
from ..building.program import integers_in

HELD = Interval.signed(c.PACKED.width.data)


def can_pack(buffer: c.BufferOp) -> bool:
    """Returns whether two weights of a buffer can share a byte."""
    if buffer.values is None or c.is_real(buffer.element) or c.other_reader(buffer.memory):  # 1
        return False
    return c.length_of(buffer.memory) > 1 and HELD.holds(integers_in(buffer.values.values))  # 2


@dataclass(frozen=True)
class CPackWeightsPass(NoptPass):
    """Packs the weights of every `c.program`. Options: none."""

    name = "c-pack-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            for buffer in filter(can_pack, program.of_kind(Kind.CONSTANT)):
                packed = MemRefType(c.PACKED, c.memory_shape(buffer.memory))
                Rewriter.replace_value_with_new_type(buffer.memory, packed)

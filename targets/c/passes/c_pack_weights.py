"""Packs weights of at most 4 bits: two share a byte.

    %table = c.buffer "fc_weight" #c<kind constant> … : memref<1x64x10xsi8>
    =>
    %table = c.buffer "fc_weight" #c<kind constant> … : memref<1x64x10xsi4>

1. The buffer is a constant, and only scatters read it, as their table.
2. It has two or more integers, and all of them are in -8..7. Their number of bits before, or that of other layers, makes no difference.

3. The weights of a row are a block: the low halves of consecutive bytes are the weights of consecutive targets, and so are the high halves, so that
   vectors unpack many at once. The taps of a convolution have blocks of 16, a word of 8 bytes: a channel is unpacked once for all of its events, if
   it has at most `MOST_UNPACKED` weights.

Packed weights take half the memory of bytes. Reading one takes two or three more instructions.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, MemRefType, ModuleOp, i64
from xdsl.rewriter import Rewriter

from ....core.fixed_point import Interval
from ....core.ir.pipeline import NoptPass
from ....dialects import c
from ....dialects.c import Kind
from ..building.program import integers_in
from ..printing.scatters import WORD

MOST_UNPACKED = 2048
"""Most weights of a channel that are unpacked on the stack [bytes]."""
HELD = Interval.signed(c.PACKED.width.data)


def can_pack(buffer: c.BufferOp) -> bool:
    """Returns whether two weights of a buffer can share a byte."""
    if buffer.values is None or c.is_real(buffer.element) or c.other_reader(buffer.memory):  # 1
        return False
    return c.length_of(buffer.memory) > 1 and HELD.holds(integers_in(buffer.values.values))  # 2


def block_of(buffer: c.BufferOp) -> int:
    """Returns the number of weights of a block that suits all scatters (3); 2 if there is none."""
    sizes = {run_of(op) for use in buffer.memory.uses if isinstance(op := use.operation, c.ScatterOp)}
    size = sizes.pop() if len(sizes) == 1 else 2
    assert buffer.values is not None  # can_pack
    return size if size % 2 == 0 and buffer.values.values.size % size == 0 else 2


def run_of(op: c.ScatterOp) -> int:
    """Returns the number of weights that suits a scatter."""
    match op:
        case c.RowsOp() if op.combine is None:
            return c.memory_shape(op.table)[-1]
        case c.WindowOp() if c.length_of(op.table) <= MOST_UNPACKED * c.memory_shape(op.x)[0]:
            return WORD
        case _:
            return 2


@dataclass(frozen=True)
class CPackWeightsPass(NoptPass):
    """Packs the weights of every `c.program`. Options: none."""

    name = "c-pack-weights"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            for buffer in filter(can_pack, program.of_kind(Kind.CONSTANT)):
                if (block := block_of(buffer)) > 2:
                    buffer.block = IntegerAttr(block, i64)
                packed = MemRefType(c.PACKED, c.memory_shape(buffer.memory))
                Rewriter.replace_value_with_new_type(buffer.memory, packed)

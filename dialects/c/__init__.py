"""The C dialect: one tick of a network as an ordered list of loop nests over named memory. The emitter of the target `c` prints it.

    c.program @net attributes {prefix = "net"} {
      %x = c.buffer "input" #c<kind input> {node = "input"} : memref<2xf32>
      …
      c.tick {
        c.clear %sums : memref<3xf32>
        c.rows "fc" %x, %table into %sums {finite} : memref<2xf32>, memref<1x2x3xf32> into memref<3xf32>
        c.loop "lif" (%sums, %v) -> (%v, %z) : … { … }
      }
    }

A program determines everything that the C source depends on: element types, layout, order of ops, fusion, and the offsets of scratch
memory. Ops run in the order of the text. Buffers are defined before the tick.

Source: ISO/IEC 9899:1999 for what the emitter prints.
"""

from __future__ import annotations

from ...core.ir.operation import define_dialect
from .delays import AdvanceOp, GatherOp, PastOp
from .loops import ClearOp, LoopOp, YieldOp
from .memory import (
    PACKED,
    BufferOp,
    Kind,
    KindAttr,
    Layout,
    LayoutAttr,
    Placement,
    RowOp,
    ViewOp,
    base_of,
    buffer_of,
    element_bytes,
    element_of_memory,
    integer_bits,
    is_identifier,
    is_packed,
    is_real,
    is_unsigned,
    layout_of,
    length_of,
    memory_shape,
    place,
    placement_of,
    storage_bytes,
    storage_for,
    stored_interval,
)
from .program import ProgramOp, TickOp
from .synapses import WORD_BITS, BitmapOp, CompressedOp, EventsOp, PoolOp, RowsOp, ScatterOp, WindowOp, other_reader
from .threads import BarrierOp
from .visits import EVENT_ROW, GROUP, MEMBER, PLACE_IN_GROUP, SINGLE, VisitOp, visit

__all__ = [
    "EVENT_ROW",
    "GROUP",
    "MEMBER",
    "PACKED",
    "PLACE_IN_GROUP",
    "SINGLE",
    "WORD_BITS",
    "AdvanceOp",
    "BarrierOp",
    "BitmapOp",
    "BufferOp",
    "C",
    "ClearOp",
    "CompressedOp",
    "EventsOp",
    "GatherOp",
    "Kind",
    "KindAttr",
    "Layout",
    "LayoutAttr",
    "LoopOp",
    "PastOp",
    "Placement",
    "PoolOp",
    "ProgramOp",
    "RowOp",
    "RowsOp",
    "ScatterOp",
    "TickOp",
    "ViewOp",
    "VisitOp",
    "WindowOp",
    "YieldOp",
    "base_of",
    "buffer_of",
    "element_bytes",
    "element_of_memory",
    "integer_bits",
    "is_identifier",
    "is_packed",
    "is_real",
    "is_unsigned",
    "layout_of",
    "length_of",
    "memory_shape",
    "other_reader",
    "place",
    "placement_of",
    "storage_bytes",
    "storage_for",
    "stored_interval",
    "visit",
]

C = define_dialect("c", globals())

"""Plans memory: scratch buffers with disjoint lifetimes share bytes, equal constants are merged, and those of few channels are repeated.

    %a = c.buffer "fc1_sums" #c<kind scratch> : memref<64xf32>
    %b = c.buffer "fc2_sums" #c<kind scratch> : memref<10xf32>
    =>
    %a = c.buffer "fc1_sums" #c<kind scratch> {offset = 0} : memref<64xf32>
    %b = c.buffer "fc2_sums" #c<kind scratch> {offset = 0} : memref<10xf32>

1. The lifetime of a buffer is from the first op that uses it to the last. Buffers that are zero between ticks (`zeroed`) are always live.
2. Buffers share bytes only with buffers of the same element type: C does not allow memory to change its type.
3. The largest are placed first, each at the lowest offset without conflict with a live buffer; offsets are multiples of
   `alignment` bytes.
4. A constant of fewer than 32 channels is stored several times (`copies`) if a loop then runs over several positions at once: a
   vector holds more integers than there are channels.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from attrs import frozen
from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute

from ....core.diagnostics import refuse
from ....core.help_text import preference
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import c
from ....dialects.c import Kind
from ..lowering import ALIGNMENTS, CSR011, is_alignment
from ..printing.nests import Nest

LINE = 16
"""Minimal alignment of offsets in bytes, for aligned vector loads on common machines."""


@frozen(eq=False)
class Need:
    """A scratch buffer: its size in elements, and its lifetime."""

    buffer: c.BufferOp
    size: int
    first: int
    last: int


def needs_of(program: c.ProgramOp) -> list[Need]:
    """Returns the lifetime of each scratch buffer (1)."""
    spans: dict[c.BufferOp, tuple[int, int]] = {}
    for k, op in enumerate(program.tick.body.block.ops):
        for value in op.operands:
            buffer = c.buffer_of(value)
            spans[buffer] = spans.get(buffer, (k, k))[0], k
    return [
        Need(buffer, max(1, c.placement_of(buffer.memory).length), *spans.get(buffer, (0, 0)))
        for buffer in program.of_kind(Kind.SCRATCH)
        if buffer.zeroed is None
    ]


def plan_offsets(needs: list[Need], step: int) -> dict[Need, int]:
    """Returns offsets in elements (3)."""
    found: dict[Need, int] = {}
    first, last, start, end = np.zeros((4, len(needs)), np.int64)
    for k, need in enumerate(sorted(needs, key=lambda need: -need.size)):  # stable: equal sizes keep their order
        meets = np.flatnonzero((first[:k] <= need.last) & (last[:k] >= need.first))
        meets = meets[np.argsort(start[meets], kind="stable")]
        # the lowest offset above each of them and all below it, and below the first
        above = -(-np.maximum.accumulate(np.r_[0, end[meets]]) // step) * step
        fits = np.r_[above[:-1] + need.size <= start[meets], True]
        offset = int(above[np.argmax(fits)])
        first[k], last[k], start[k], end[k] = need.first, need.last, offset, offset + need.size
        found[need] = offset
    return found


def merge_constants(program: c.ProgramOp) -> None:
    """Merges equal constants."""
    seen: dict[tuple[Attribute | None, ...], c.BufferOp] = {}
    for buffer in program.of_kind(Kind.CONSTANT):
        key = (buffer.values, buffer.memory.type, buffer.layout, buffer.block)
        if (first := seen.setdefault(key, buffer)) is not buffer:
            buffer.memory.replace_all_uses_with(first.memory)
            program.body.block.erase_op(buffer)


def repeat_constants(program: c.ProgramOp) -> None:
    """Sets the number of copies of each constant (4)."""
    for op in program.tick.body.block.ops:
        if isinstance(op, c.LoopOp) and op.outs:
            count, constants = Nest.of(op).repeated()
            for buffer in constants:
                if count > buffer.copy_count:
                    buffer.copies = IntegerAttr(count, i64)


def remove_unused(program: c.ProgramOp) -> None:
    """Removes scratch memory, constants and views without users."""
    for op in reversed(list(program.body.block.ops)):
        unused = isinstance(op, c.ViewOp | c.RowOp) or (
            isinstance(op, c.BufferOp) and op.kind.data in (Kind.SCRATCH, Kind.CONSTANT)
        )
        if unused and not any(True for _ in op.results[0].uses):
            program.body.block.erase_op(op)


@dataclass(frozen=True)
class CPlanMemoryPass(NoptPass):
    """Plans the memory of every `c.program`.

    Options:
        alignment [bytes]: alignment of the offsets of shared memory, at least 16; default 16.
    """

    name = "c-plan-memory"
    alignment: int = LINE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not is_alignment(self.alignment):
            refuse(
                CSR011,
                "alignment has no such value",
                at=pass_text(self),
                expected=ALIGNMENTS,
                found=str(self.alignment),
                help=preference("alignment", LINE),
            )
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            remove_unused(program)
            merge_constants(program)
            repeat_constants(program)
            regions: dict[Attribute, list[Need]] = {}
            for need in needs_of(program):
                regions.setdefault(c.element_of_memory(need.buffer.memory), []).append(need)  # 2
            for element, needs in regions.items():
                step = max(1, max(LINE, self.alignment) // c.element_bytes(element))
                for need, offset in plan_offsets(needs, step).items():
                    need.buffer.offset = IntegerAttr(offset, i64)

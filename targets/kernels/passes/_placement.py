"""Placement of buffers in memory that they share: the lifetimes of values within a tick, and first fit."""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.dialects.builtin import IntegerAttr, i64

from ....dialects import kernels
from ....dialects.kernels import ARENAS
from ....dialects.kernels.kernels import memories_in
from ....dialects.kernels.regions import Word, word_of

Lifetimes = dict[kernels.BufferOp, tuple[int, int]]
WORD_ELEMENTS = 4
"""Elements of 8 bits in a word."""


def lifetimes(program: kernels.ProgramOp) -> Lifetimes:
    """Returns the first and the last stage that uses each buffer."""
    found: Lifetimes = {}
    stages = [stage for one in program.kernels for stage in one.stages]
    for k, stage in enumerate(stages):
        for memory in memories_in(stage):
            buffer = kernels.buffer_of(memory)
            first, _ = found.get(buffer, (k, k))
            found[buffer] = (first, k)
    return found


def arena_of(buffer: kernels.BufferOp) -> tuple[str, Word]:
    """Returns the memory that a buffer shares with others: its role, and the type of its words."""
    return ARENAS[buffer.kind.data], word_of(buffer)


def aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


def extent_of(buffer: kernels.BufferOp) -> int:
    """Returns the elements that a buffer takes; no language has empty memory."""
    return max(1, buffer.entries)


def place_by_lifetime(buffers: Iterable[kernels.BufferOp], first: int, used: Lifetimes, alignment: int) -> int:
    """Sets the offsets of buffers of one arena from an element on, by first fit, largest first; returns the end of the last one.

    Two buffers share elements if one is used only after the last use of the other (interval colouring as in register allocation by linear scan,
    Poletto and Sarkar 1999).
    """
    start, end = aligned(first, alignment), first
    placed: list[tuple[kernels.BufferOp, int]] = []
    for buffer in sorted(buffers, key=lambda one: -one.entries):
        low, high = used.get(buffer, (0, 0))
        busy = sorted(
            (begin, begin + extent_of(other))
            for other, begin in placed
            if used.get(other, (0, 0))[0] <= high and low <= used.get(other, (0, 0))[1]
        )
        offset = first_gap(start, extent_of(buffer), busy, alignment)
        buffer.offset = IntegerAttr(offset, i64)
        placed.append((buffer, offset))
        end = max(end, offset + extent_of(buffer))
    return end


def first_gap(start: int, size: int, busy: list[tuple[int, int]], alignment: int) -> int:
    """Returns the first place of a size between busy intervals, which are sorted."""
    for begin, end in busy:
        if start + size <= begin:
            break
        start = max(start, aligned(end, alignment))
    return start

"""Places buffers in the memory that those of their role and type share, so that a kernel binds few of them, and scratch shares bytes.

    kernels.buffer "fc_sums" #kernels<kind scratch> …     =>    kernels.buffer "fc_sums" #kernels<kind scratch> {offset = 128 : i64} …

1. Buffers of a role and type of words are one buffer of the device, each at its own offset.
2. Two scratch buffers share elements if one is used only after the last use of the other: kernels, and the stages of a group, run in order.
   First fit, largest first (interval colouring as in register allocation by linear scan, Poletto and Sarkar 1999).
3. Offsets are multiples of `alignment`, in elements; packed constants start at a whole word.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ....core.diagnostics import refuse
from ....core.help_text import Flag, Phrase
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import kernels
from ....dialects.kernels import ARENAS, Kind
from ....dialects.kernels.kernels import memories_in
from ....dialects.kernels.regions import Word, word_of
from .kernels_choose_workgroups import KNL005

WORD_ELEMENTS = 4
"""Elements of 8 bits in a word."""


def lifetimes(program: kernels.ProgramOp) -> dict[kernels.BufferOp, tuple[int, int]]:
    """Returns the first and the last stage that uses each scratch buffer."""
    found: dict[kernels.BufferOp, tuple[int, int]] = {}
    stages = [stage for one in program.kernels for stage in one.stages]
    for k, stage in enumerate(stages):
        for memory in memories_in(stage):
            buffer = kernels.buffer_of(memory)
            first, _ = found.get(buffer, (k, k))
            found[buffer] = (first, k)
    return found


def aligned(offset: int, alignment: int) -> int:
    return -(-offset // alignment) * alignment


@dataclass(frozen=True)
class KernelsPlanBuffersPass(NoptPass):
    """Places the buffers of every `kernels.program`.

    Options:
        planning: false keeps a buffer of the device for each buffer; default true.
        alignment [elements]: of every buffer; default 4.
    """

    name = "kernels-plan-buffers"
    planning: bool = True
    alignment: int = WORD_ELEMENTS

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.alignment < 1 or self.alignment % WORD_ELEMENTS:
            expected = f"a multiple of {WORD_ELEMENTS}"
            refuse(
                KNL005,
                "invalid alignment",
                at=pass_text(self),
                expected=expected,
                found=str(self.alignment),
                help=Phrase(Flag("alignment=4", "--set TARGET.alignment=4")),
            )
        if not self.planning:
            return
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            self.plan(program)

    def plan(self, program: kernels.ProgramOp) -> None:
        ends: dict[tuple[str, Word], int] = {}
        scratch: dict[tuple[str, Word], list[kernels.BufferOp]] = {}
        for buffer in program.buffers:
            key = ARENAS[buffer.kind.data], word_of(buffer)
            if buffer.kind.data is Kind.SCRATCH:
                scratch.setdefault(key, []).append(buffer)
                continue
            start = aligned(ends.get(key, 0), self.alignment)
            buffer.offset = IntegerAttr(start, i64)
            ends[key] = start + max(1, buffer.length)
        used = lifetimes(program)
        for key, buffers in scratch.items():
            first = aligned(ends.get(key, 0), self.alignment)
            placed: list[tuple[kernels.BufferOp, int]] = []
            for buffer in sorted(buffers, key=lambda one: -one.length):
                start = self.first_fit(buffer, first, placed, used)
                buffer.offset = IntegerAttr(start, i64)
                placed.append((buffer, start))

    def first_fit(
        self,
        buffer: kernels.BufferOp,
        first: int,
        placed: list[tuple[kernels.BufferOp, int]],
        used: dict[kernels.BufferOp, tuple[int, int]],
    ) -> int:
        """Returns the first place that no buffer with an overlapping lifetime takes (2)."""
        low, high = used.get(buffer, (0, 0))
        busy = sorted(
            (start, start + max(1, other.length))
            for other, start in placed
            if used.get(other, (0, 0))[0] <= high and low <= used.get(other, (0, 0))[1]
        )
        start = first
        for begin, end in busy:
            if start + max(1, buffer.length) <= begin:
                break
            start = max(start, aligned(end, self.alignment))
        return start

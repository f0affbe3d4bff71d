"""Places buffers in the memory that those of their role and type share, so that a kernel binds few of them, and scratch shares bytes.

    kernels.buffer "fc_sums" #kernels<kind scratch> …     =>    kernels.buffer "fc_sums" #kernels<kind scratch> {offset = 128 : i64} …

1. Buffers of a role and type of words are one buffer of the device, each at its own offset.
2. Two scratch buffers share elements if one is used only after the last use of the other: kernels, and the stages of a group, run in order.
3. Offsets are multiples of `alignment`, in elements; packed constants start at a whole word.

Exactness: no number changes.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i64

from ....core.diagnostics import refuse
from ....core.help_text import preference
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import kernels
from ....dialects.kernels import Kind
from ....dialects.kernels.regions import Word
from ._placement import WORD_ELEMENTS, aligned, arena_of, extent_of, lifetimes, place_by_lifetime
from .kernels_choose_workgroups import KNL005


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
                help=preference("alignment", WORD_ELEMENTS),
            )
        if not self.planning:
            return
        for program in [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]:
            self.plan(program)

    def plan(self, program: kernels.ProgramOp) -> None:
        ends: dict[tuple[str, Word], int] = {}
        scratch: dict[tuple[str, Word], list[kernels.BufferOp]] = {}
        for buffer in program.buffers:
            key = arena_of(buffer)
            if buffer.kind.data is Kind.SCRATCH:
                scratch.setdefault(key, []).append(buffer)
                continue
            start = aligned(ends.get(key, 0), self.alignment)
            buffer.offset = IntegerAttr(start, i64)
            ends[key] = start + extent_of(buffer)
        used = lifetimes(program)
        for key, buffers in scratch.items():
            place_by_lifetime(buffers, ends.get(key, 0), used, self.alignment)

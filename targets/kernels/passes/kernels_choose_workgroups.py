"""Chooses the form of the kernels and the invocations of their workgroups, from the limits of the device.

1. If the work of a tick is small, the kernels become one of the form `group`: a workgroup computes a sample, with barriers of the workgroup between
   the stages, for several ticks in one dispatch. Samples run in parallel, and no tick waits for the host. A group saves a dispatch for each kernel and
   tick, and leaves one sample to one workgroup. So the work is small if one workgroup takes less time for it than these dispatches: if the
   kernels access memory at most `dispatch` times each, on average.
2. Else every kernel stays a grid, with an invocation for each element and sample.
3. A workgroup has the preferred number of invocations, at most what the device permits, and no more than the next power of 2 of its elements.
4. A grid with more workgroups than the device permits has larger ones.
5. From here on, the program has these limits of its device, and the verifier refuses a kernel that exceeds one (KRN002).

Exactness: no number changes.
Errors: KNL003 an unknown limit; KNL005 fewer than one invocation or tick; KRN002, from the verifier, a grid that no workgroup fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, UnitAttr, i64
from xdsl.rewriter import Rewriter

from ....core.diagnostics import Code, refuse
from ....core.help_text import preference
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import kernels
from ....dialects.kernels import Form
from ._accesses import accesses_of
from ._limits import read_limits, set_limits

KNL005 = Code("KNL005", "kernel-preference-invalid", "a preference of kernels has an invalid value")


def power_of_two(least: int) -> int:
    """Returns the smallest power of 2 that is not less."""
    return 1 << max(0, least - 1).bit_length()


def group(program: kernels.ProgramOp, workgroup: int, ticks: int) -> None:
    """Replaces all kernels by one of the form `group` (1)."""
    separate = program.kernels
    stages: list[kernels.StageOp] = []
    for one in separate:
        for stage in one.stages:
            stage.detach()
            stages.append(stage)
    made = kernels.KernelOp("ticks", stages, workgroup, Form.GROUP, ticks)
    program.body.block.add_op(made)
    for one in separate:
        Rewriter.erase_op(one)


@dataclass(frozen=True)
class KernelsChooseWorkgroupsPass(NoptPass):
    """Chooses workgroups of every `kernels.program`.

    Options:
        workgroup [invocations]: the preferred size of a workgroup; default 64.
        form: `grid`, `group`, or `auto` by the work of a tick; default auto.
        dispatch [accesses]: accesses to memory that one workgroup does in the time of a dispatch, for `form=auto`; default 65536.
        ticks: the most ticks of a dispatch of a group; default 1024.
        layout: `samples` keeps the memory of a sample contiguous, `elements` that of an element of all samples; default samples.
        parameters: the numbers of a dispatch are a `uniform` block or arguments, or `push` constants; default uniform.
        limits: limits of the device, `limits="bindings:8","workgroup_size:256"`; an absent one is unknown; default none.
    """

    name = "kernels-choose-workgroups"
    workgroup: int = 64
    form: Literal["auto", "grid", "group"] = "auto"
    dispatch: int = 65536
    ticks: int = 1024
    layout: Literal["samples", "elements"] = "samples"
    parameters: Literal["uniform", "push"] = "uniform"
    limits: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        programs = [inner for inner in op.ops if isinstance(inner, kernels.ProgramOp)]
        for name in ("workgroup", "dispatch", "ticks"):
            if getattr(self, name) < 1:
                refuse(
                    KNL005,
                    f"invalid value of {name}",
                    at=pass_text(self),
                    expected="at least 1",
                    found=str(getattr(self, name)),
                    help=preference(name, getattr(type(self), name)),
                )
        limits = read_limits(self, self.limits)
        for program in programs:
            set_limits(program, limits)
            program.is_interleaved = UnitAttr() if self.layout == "elements" else None
            program.is_pushed = UnitAttr() if self.parameters == "push" else None
            self.choose(program)

    def choose(self, program: kernels.ProgramOp) -> None:
        limits = [program.limit(name) for name in ("workgroup_size", "workgroup_invocations")]
        most = min([limit for limit in limits if limit is not None], default=1024)
        stages = [stage for one in program.kernels for stage in one.stages]
        largest = max((stage.elements for stage in stages), default=1)
        is_small = sum(map(accesses_of, stages)) <= self.dispatch * len(program.kernels)
        if program.kernels and (self.form == "group" or (self.form == "auto" and is_small)):
            group(program, max(1, min(most, power_of_two(largest))), self.ticks)  # 1
            return
        count = program.limit("workgroup_count")
        for one in program.kernels:
            elements = one.stages[0].elements
            size = min(self.workgroup, most, power_of_two(elements))  # 3
            while count is not None and -(-elements // size) > count and size * 2 <= most:  # 4
                size *= 2
            one.workgroup = IntegerAttr(size, i64)

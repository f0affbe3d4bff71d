"""Lowers a C program to kernels: each op of its tick becomes one kernel with an invocation for each element of its result.

    c.clear %sums                                    kernels.kernel "fc" … {
    c.rows "fc" %x, %table into %sums …        =>      kernels.stage 10 { … }
    c.loop "lif" (%sums, %v) -> (%z, %v) …           }
                                                     kernels.kernel "lif" … {
                                                       kernels.stage 10 { … }
                                                     }

1. A scatter becomes a gather: an invocation for each target, which visits its sources in their order. Nothing is atomic.
2. A sum that the op before set to zero starts from zero.
3. A cursor is the number of the tick modulo the rows of its ring; no memory holds it.
4. Bits of the past are words of 32 bits, two for more than 32 ticks.
5. An array is not copied for every sample: samples are an axis of the memory of states and of signals.

The kernels are as many as the ops; `kernels-fuse-stages` fuses them. Workgroups have 64 invocations until `kernels-choose-workgroups` runs.
Exactness: no number changes.
Errors: KNL001 a type without an equivalent; KNL002 an op without one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...core.diagnostics import Code, describe_op, refuse, refuse_op
from ...core.help_text import OtherDevice, PassesOption, Phrase
from ...core.ir.pipeline import NoptPass
from ...dialects import c, kernels, ntensor
from ...dialects.ntensor.network import PROBES
from .building.delivery import Delivery, Mode
from .building.gathers import Gathers
from .building.memory import COMPUTED, KNL001, WEIGHTS_ALONE, Buffers
from .building.nests import clear_stages, gather_stages, loop_stages, pool_stages

KNL002 = Code("KNL002", "kernel-op-unsupported", "an op of the C program cannot be compiled to kernels")

FIRST_WORKGROUP = 64
"""Invocations of a workgroup before a pass chooses them."""


class Lowering:
    """Lowers one program."""

    def __init__(self, program: c.ProgramOp, delivery: Mode):
        self.program = program
        self.buffers = Buffers(program)
        self.delivery = Delivery(self.buffers, delivery)
        self.gathers = Gathers(self.buffers, self.delivery)
        self.names = self.buffers.names
        self.kernels: list[kernels.KernelOp] = []

    def run(self) -> None:
        """Adds the kernels of every op."""
        ops = list(self.program.tick.body.block.ops)
        cleared: SSAValue | None = None
        for op, following in zip(ops, [*ops[1:], None], strict=True):
            if isinstance(op, c.ClearOp) and isinstance(following, c.ScatterOp) and following.sums is op.memory:
                cleared = op.memory  # 2
                continue
            stages = self.stages_of(op, is_cleared=cleared is not None)
            cleared = None
            label = getattr(op, "label", None)
            name = label.data if isinstance(label, StringAttr) else op.name.split(".")[1]
            for stage in stages:
                self.kernels.append(kernels.KernelOp(self.names.take(f"{name}_kernel"), [stage], FIRST_WORKGROUP))
            for result in written(op):
                self.delivery.forget(result)

    def stages_of(self, op: Operation, *, is_cleared: bool) -> list[kernels.StageOp]:
        match op:
            case c.RowsOp():
                return self.gathers.rows(op, is_cleared=is_cleared)
            case c.WindowOp():
                return self.gathers.window(op, is_cleared=is_cleared)
            case c.CompressedOp() if op.row is None:
                return self.gathers.compressed(op, is_cleared=is_cleared)
            case c.LoopOp():
                refuse_rounding(op)
                return loop_stages(self.buffers, op)
            case c.ClearOp():
                return clear_stages(self.buffers, op.memory)
            case c.PoolOp():
                return pool_stages(self.buffers, op)
            case c.GatherOp():
                return gather_stages(self.buffers, op)
            case c.PastOp():
                return self.gathers.past(op)
            case c.AdvanceOp():
                return []  # 3
            case c.VisitOp():
                refuse_op(
                    op,
                    KNL002,
                    "plasticity is not supported in kernels",
                    expected="weights that stay as they are",
                    found="a learning rule",
                    path="plasticity",
                    help=Phrase(PassesOption("ntensor-freeze-plasticity")),
                )
            case _:
                refuse(
                    KNL002,
                    f"{op.name} cannot be compiled to kernels",
                    at=describe_op(op)[0],
                    expected="the result of convert-ntensor-to-c",
                    found=op.name,
                    help="run convert-c-to-kernels directly after convert-ntensor-to-c",
                )


def refuse_rounding(op: c.LoopOp) -> None:
    """Refuses an update that rounds to 16 bits. Errors: KNL001."""
    for inner in op.walk():
        if isinstance(inner, ntensor.RoundRealOp):
            refuse_op(
                op,
                KNL001,
                COMPUTED,
                expected=WEIGHTS_ALONE,
                found=f"a value of {inner.format}",
                help=Phrase(OtherDevice()),
            )


def written(op: Operation) -> list[SSAValue]:
    """Returns the memory that an op writes."""
    match op:
        case c.LoopOp():
            return list(op.outs)
        case c.ScatterOp():
            return [op.sums]
        case c.PoolOp() | c.GatherOp():
            return [op.y]
        case _:
            return []


@dataclass(frozen=True)
class ConvertCToKernelsPass(NoptPass):
    """Lowers every `c.program` of the module to a `kernels.program`.

    Options:
        delivery: `dense`, `bitmap` or `events`, or `auto` by the observed activity; default auto.
    """

    name = "convert-c-to-kernels"
    delivery: Literal["auto", "dense", "bitmap", "events"] = "auto"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for program in [inner for inner in op.ops if isinstance(inner, c.ProgramOp)]:
            lowering = Lowering(program, self.delivery)
            lowering.run()
            block = lowering.buffers.block
            block.add_ops(lowering.kernels)
            made = kernels.ProgramOp(
                program.sym_name.data,
                program.prefix.data,
                program.tick_ns.value.data,
                Region(block),
            )
            if PROBES in program.attributes:
                made.attributes[PROBES] = program.attributes[PROBES]
            made.location = program.location
            Rewriter.replace_op(program, made, [])

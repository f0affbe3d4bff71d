"""Ticks that several threads compute: which ops are split, and where the threads wait for each other."""

from __future__ import annotations

from xdsl.irdl import irdl_op_definition, traits_def
from xdsl.traits import HasParent

from ...core.ir.operation import NoptOperation
from .program import TickOp


@irdl_op_definition
class BarrierOp(NoptOperation):
    """Barrier of the threads of a tick: all of them end the ops before it before one of them starts an op after it.

    A program with a barrier is split: each thread computes its part of every op that is `split`, and the first thread all other ops. The
    part of an op is a range of the elements that it writes, so that every sum has its order, and its bits, for any number of threads.
    """

    name = "c.barrier"
    traits = traits_def(HasParent(TickOp))
    assembly_format = "attr-dict"

"""Removes nodes that pass on what they read: readers read their operand instead.

    %y = nir.identity "keep" %x …    =>    readers of %y read %x

1. What is passed on: identity; a flatten that changes no shape; a delay of 0 s; a scale by 1 of values; a sum of one value.
   A scale of spikes gives values, so it stays; so does a synapse op with delays, plasticity or transmission.
2. The node lies on no loop, or `in-loops` is set.

Exactness: the same network, bit for bit, but for one thing: the conversion to `ntensor` orders sums of three and more by what is
around them, so a last bit can differ there (`docs/rationale/exact-folding.md`). With `in-loops` timing can differ, too: in a loop
with several entries every spike edge takes a tick, and where a node has gone there is one edge less.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ...core.graph_region import components, sources
from ...core.pipeline import NoptPass
from ...dialects import nir


def passed_on(op: Operation) -> SSAValue | None:
    """The operand of an op that gives nothing else."""
    match op:
        case nir.IdentityOp():
            return op.x
        case nir.FlattenOp() if op.x.type == op.y.type:
            return op.x
        case nir.DelayOp() if not op.delay.values.any():
            return op.x
        case nir.ScaleOp() if op.x.type == op.y.type and (op.scale.values == 1).all() and is_plain(op):
            return op.x
        case nir.SumOp() if len(op.xs) == 1 and op.xs[0].type == op.y.type:
            return op.xs[0]
        case _:
            return None


def is_plain(op: nir.SynapseOp) -> bool:
    """Whether a synapse op has nothing but weights."""
    return op.delays is None and op.plasticity is None and op.transmission is None


class Loops:
    """Which ops lie on a loop; each block is looked at once. A loop through a nested graph holds all of its nodes."""

    def __init__(self) -> None:
        self.found: dict[Block, set[Operation]] = {}

    def hold(self, op: Operation) -> bool:
        at: Operation | None = op
        while at is not None and (block := at.parent) is not None:
            if block not in self.found:
                self.found[block] = {
                    member
                    for part in components(list(block.ops), sources)
                    if len(part) > 1 or part[0] in sources(part[0])
                    for member in part
                }
            if at in self.found[block]:
                return True
            at = block.parent_op()
        return False


@dataclass(frozen=True)
class NirFoldIdentitiesPass(NoptPass):
    """Removes identities of every `nir.graph`, nested ones included.

    Options:
        in-loops: also nodes on loops; default false. It makes loops shorter where every spike edge of a loop takes a tick.
    """

    name = "nir-fold-identities"
    in_loops: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        loops = Loops()
        kept = {inner for inner in op.walk() if passed_on(inner) is not None and loops.hold(inner)}
        for inner in list(op.walk()):
            x = passed_on(inner)  # 1
            if x is None or x.owner is inner or (inner in kept and not self.in_loops):  # 2
                continue
            inner.results[0].replace_all_uses_with(x)
            Rewriter.erase_op(inner)

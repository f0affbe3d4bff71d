"""Shortens delays to the longest that a device has, and records by how much.

    %y = ntensor.delay "late" %x {ticks = 20}                    =>    {ticks = 15}
    %y = ntensor.sparse_linear "fc" %x {delay = [3, 20, 40]}     =>    {delay = [3, 15, 15]}

`ntensor-relay-delays` keeps delays instead. With `max-delay=0` the delays of loops stay as they are, since a loop without a delay has no meaning.
The record holds the number of ticks by which delays were shortened: the largest, and the mean over the shortened ones.

Errors: LEG022 `max-delay` below 0; NTE009 a network in continuous time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ....core.arrays.arrays import ArrayAttr
from ....core.ir.graph_region import components
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..fan._option_limits import LEG022, verify_most
from ._retiming import greatest_ticks


@dataclass
class ClampDelay(RewritePattern):
    """delay(x, 20) => delay(x, 15), and the same for the delays of single synapses"""

    max_delay: int
    looped: set[Operation]
    """The ops of loops, if these keep their delays."""
    shortened: dict[str, NDArray[Any]]
    """By how many ticks the delays of each node are shorter."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.DelayOp | ntensor.SynapseOpInterface, rewriter: PatternRewriter, /) -> None:
        found = ntensor.delay_property(op)
        if found is None or greatest_ticks(op) <= self.max_delay or op in self.looped:
            return
        name, ticks = found[0], found[1].values
        op.properties[name] = ArrayAttr.of(np.minimum(ticks, self.max_delay).astype(ticks.dtype))
        self.shortened[op.node.data] = ticks[ticks > self.max_delay].astype(np.int64).reshape(-1) - self.max_delay
        rewriter.notify_op_modified(op)


def ops_of_loops(network: ntensor.NetworkOp) -> set[Operation]:
    """Returns the ops that are part of a cycle."""
    ops = list(network.body.block.ops)
    found = components(ops, lambda op: [x.owner for x in op.operands if isinstance(x.owner, Operation)])
    return {op for part in found for op in part if len(part) > 1}


@dataclass(frozen=True)
class NtensorClampDelaysPass(NoptPass):
    """Clamps the delays of every `ntensor.network`.

    Options:
        max-delay: the longest delay [ticks], 0 or more; default 15.
    """

    name = "ntensor-clamp-delays"
    APPROXIMATES = ("delay",)
    max_delay: int = 15

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most(
            "max-delay", self.max_delay, 0, LEG022, "the longest delay has no negative number of ticks", self.name
        )
        for network in networks(op):
            clamp = ClampDelay(self.max_delay, set() if self.max_delay else ops_of_loops(network), {})
            PatternRewriteWalker(clamp).rewrite_region(network.body)
            if clamp.shortened:
                every = np.concatenate([*clamp.shortened.values()])
                what = f"delays clamped to {self.max_delay} ticks"
                largest, mean = float(every.max()), float(every.mean())
                touched = [*clamp.shortened]
                record = ntensor.ApproximationAttr.of(pass_text(self), what, touched, largest, mean, "ticks")
                network.record(record)

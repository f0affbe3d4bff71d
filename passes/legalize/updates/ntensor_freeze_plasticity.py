"""Removes the plasticity of weights, so that they stay as they were trained.

    %y = ntensor.linear "fc" %x {weight = w, plasticity = #nir.stdp<…>}    =>    %y = ntensor.linear "fc" %x {weight = w}

What the network would have learnt on the chip is lost. The error of that is unknown; the nodes are recorded.

Errors: ANA031 a node that does not exist, or whose weights do not change; NTE009 a network in continuous time.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from ....analysis.node_selection import check_names, is_plastic
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks


@dataclass
class FreezePlasticity(RewritePattern):
    """linear(x, w, plasticity) => linear(x, w)"""

    nodes: tuple[str, ...]
    frozen: list[str]
    """Names of the changed nodes."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ntensor.SynapseOpInterface, rewriter: PatternRewriter, /) -> None:
        if op.learning_rule is None or (self.nodes and op.node.data not in self.nodes):
            return
        del op.properties["plasticity"]
        self.frozen.append(op.node.data)
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class NtensorFreezePlasticityPass(NoptPass):
    """Freezes the weights of every `ntensor.network`.

    Options:
        nodes: the synapse ops to freeze; default all whose weights change.
    """

    name = "ntensor-freeze-plasticity"
    APPROXIMATES = ("plasticity",)
    enables_runs = True
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_plastic, self.name)
        for network in networks(op):
            freeze = FreezePlasticity(self.nodes, [])
            PatternRewriteWalker(freeze).rewrite_region(network.body)
            if freeze.frozen:
                what = "plasticity frozen: weights stay as they were trained"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, freeze.frozen, unit="none"))

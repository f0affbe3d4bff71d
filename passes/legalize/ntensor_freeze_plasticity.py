"""Takes away how weights change, so that they stay as they were trained.

    %y = ntensor.linear "fc" %x {weight = w, plasticity = #nir.stdp<…>}    =>    %y = ntensor.linear "fc" %x {weight = w}

What the network would have learnt on the chip is lost; no error of that is known. It is recorded with the nodes.

Errors: QNO002 a network in continuous time;
QNO001 a node that is not there, or whose weights do not change.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ...core.pipeline import NoptPass, pass_text
from ...dialects import ntensor
from ..quantize.rules.nodes import check_names, chosen, name_of, networks


def is_plastic(op: Operation) -> bool:
    """Whether the weights of an op change."""
    return isinstance(op, ntensor.LinearOp | ntensor.SparseLinearOp) and op.plasticity is not None


@dataclass(frozen=True)
class NtensorFreezePlasticityPass(NoptPass):
    """Freezes the weights of every `ntensor.network`.

    Options:
        nodes: the synapse ops to freeze; default all whose weights change.
    """

    name = "ntensor-freeze-plasticity"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_plastic, self.name)
        for network in networks(op):
            frozen = chosen(network, self.nodes, is_plastic)
            for synapses in frozen:
                del synapses.properties["plasticity"]
            if frozen:
                touched = [name_of(synapses) for synapses in frozen]
                what = "plasticity frozen: weights stay as they were trained"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, touched, unit="none"))

"""Replaces biases by synapses from a neuron that fires in every tick, for a device that adds no constant to a sum.

    %y = ntensor.linear "fc" %x {weight, bias = b}
      =>
    %w = ntensor.delay "clock.wait0" %clock {ticks = 0}
    %a = ntensor.linear "fc" %x {weight}
    %b = ntensor.sparse_linear "fc.bias" %w {weight = b}
    %y = ntensor.sum %a, %b

1. The neuron is a helper population, `clock`; `ntensor-map-relays` makes it a neuron of the device.
2. Where integers declare the bits of their weights, a larger bias becomes several weights, from the same number of neurons.
3. A bias that cannot be added as a term of its own is refused: the sum is rounded by a negative exponent, or leaves its type without its bias.

Exactness: all values of populations and outputs stay, to the bit. The result of an op itself then excludes its bias.

Errors: NTE009 a network in continuous time; LEG055 a bias that is not a term of its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....core.diagnostics import Code, refuse_op
from ....core.ir.pipeline import NoptPass
from ....dialects.ntensor.network import networks
from ..delays._bias_retiming import delay_biases, has_bias

LEG055 = Code("LEG055", "bias-not-replaceable", "a bias cannot be replaced by synapses")


@dataclass(frozen=True)
class NtensorReplaceBiasesPass(NoptPass):
    """Replaces the biases of every `ntensor.network`."""

    name = "ntensor-replace-biases"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for network in networks(op):
            ticks = defaultdict[SSAValue, int](int)
            delay_biases(network, ticks, is_late=False)
            for left in filter(has_bias, network.body.block.ops):
                refuse_op(
                    left,
                    LEG055,
                    expected="a sum without a negative exponent, whose type holds it without the bias",
                    found="another sum",
                    help="remove the biases from the network, or choose a device that adds them",
                )

"""Copies populations whose neurons reach more cores than they can send to; each copy sends to some of them.

    %z = ntensor.neuron "lif1" @u(%x)               =>  (max-fan-out = 2)      %z = ntensor.neuron "lif1" @u(%x)
    read by "lif2", planned as four slices                              %c = ntensor.neuron "lif1.copy1" @u(%x)
                                                                        two slices of "lif2" read %z, the others read %c

1. A neuron's fan-out are the slices (`machine.boxes`; without a plan a population is one) that any of its synapses reaches.
   Outputs of the network do not count, and the fan-out of an input is not limited.
2. A copy reads the inputs of the population. Populations in a common cycle are copied together, so that each copy reads its own cycle.
3. Readers are assigned as a whole where they fit, else slice by slice: their synapses are split by their targets (`_fan_out_rewrite.py`).
4. Readers come first, because a copy adds one reader to each of its inputs.

Exactness: outputs and populations are equal to the bit, in the same ticks. Ops that are split are removed, with their names. Copies keep the plan of
their population.

Errors: LEG017 an input that cannot be split; LEG018 a loop that leaves no room; LEG019 `max-fan-out` below one.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....core.ir.pipeline import NoptPass
from ....dialects.ntensor.network import networks
from ..relays._relays import NodeNames
from ._option_limits import LEG019, verify_most
from ._replication import loops, replicate


@dataclass(frozen=True)
class NtensorReplicateFanOutPass(NoptPass):
    """Replicates populations of every `ntensor.network`.

    Options:
        max-fan-out: slices that a neuron may send to, 1 or more; required.
    """

    name = "ntensor-replicate-fan-out"
    max_fan_out: int

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most("max-fan-out", self.max_fan_out, 1, LEG019, "a fan-out is at least 1", self.name)
        for network in networks(op):
            names = NodeNames(network)
            for loop in loops(network)[::-1]:  # 4
                replicate(names, loop, self.max_fan_out, self.name)

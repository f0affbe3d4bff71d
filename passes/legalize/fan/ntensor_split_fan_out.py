"""Inserts splitters after populations whose neurons reach more cores than they can send to: populations that relay events.

    %z = ntensor.neuron "lif1" @u(%x)               =>  (max-fan-out = 2)      %z = ntensor.neuron "lif1" @u(%x)
    read by "lif2", planned as four slices                              %w = ntensor.delay "lif1.wait1" %z {ticks = 1}
                                                                        %a = ntensor.neuron "lif1.split0" @relay_spike(%w)
                                                                        %b = ntensor.neuron "lif1.split1" @relay_spike(%w)
                                                                        two slices of "lif2" read %a, the others read %b

1. A neuron's fan-out are the slices (`machine.boxes`) that any of its synapses reaches, as for `ntensor-replicate-fan-out`, which copies the
   population instead and takes no tick.
2. A splitter has the plan of its population, and takes one tick. Where there are too many splitters, they get splitters of their own.
3. All other paths are delayed, so that related events arrive together (`ntensor-retime`). Existing delays are used first: a splitter in a
   loop is refused if all ticks of the loop are needed.
4. A neuron that feeds late biases has no input, so it is copied where its fan-out is too large.

Exactness: outputs and populations are the same to the bit, late by `machine.latency_ticks` and by `machine.latency`; nothing is recorded without `stretch-loops` and `allow-early`.

Errors: LEG017 an input that cannot be split; LEG019 `max-fan-out` below two; LEG057 a loop without a spare tick; LEG058 a population that does not wait.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from ....analysis.fan_out import reaches
from ....analysis.node_selection import name_of
from ....analysis.slicing import BOXES, ORDER
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ..delays._retiming import least_ticks, shortest_delays
from ..delays._retiming_check import retimed, timing_approximations
from ..relays._relays import NodeNames, relay
from ._fan_out_rewrite import FanOutRewrite
from ._option_limits import LEG019, verify_most
from ._replication import loops, pack_slices, replicate


@dataclass(frozen=True)
class NtensorSplitFanOutPass(NoptPass):
    """Splits the fan-out of every `ntensor.network`.

    Options:
        max-fan-out: slices that a neuron may send to, 2 or more; required.
        stretch-loops: also in loops without a tick to spare, and record it; default false.
        allow-early: also populations that do not wait for their input, and record it; default false.
    """

    name = "ntensor-split-fan-out"
    max_fan_out: int
    stretch_loops: bool = False
    allow_early: bool = False

    @property
    def approximations(self) -> tuple[str, ...]:
        return timing_approximations(self)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_most("max-fan-out", self.max_fan_out, 2, LEG019, "a fan-out is at least 2", self.name)
        for network in networks(op):
            splitters, names = set[SSAValue](), NodeNames(network)
            known = {name_of(inner) for inner in network.body.block.ops}
            for population in network.populations:
                splitters |= self.split(names, population)
            if splitters:

                def need(population: ntensor.NeuronOp, split: set[SSAValue] = splitters) -> int:
                    return 1 if population.z in split else 0

                retimed(
                    self, network, need, stretch_loops=self.stretch_loops, allow_early=self.allow_early, known=known
                )
                names = NodeNames(network)
                for loop in loops(network)[::-1]:  # 4
                    if not any(shortest_delays(population.xs, least_ticks) for population in loop):
                        replicate(names, loop, self.max_fan_out, self.name)

    def split(self, names: NodeNames, population: ntensor.NeuronOp) -> set[SSAValue]:
        """Inserts splitters after a population, level by level until it meets its fan-out limit."""
        made: set[SSAValue] = set()
        level = 0
        while True:
            sent = reaches([population.z])[population.z]
            if sent.most <= self.max_fan_out:
                return made
            bins = pack_slices(sent.slices, [sent], [np.zeros(len(sent.table), np.int64)], self.max_fan_out)
            bins = [members for members in bins if members]
            name = f"{population.node.data}.split{f'{level}.' if level else ''}"
            first = next(use.operation for use in population.z.uses)
            relays = [relay(names, f"{name}{k}", population.z, first) for k in range(len(bins))]
            for z in relays:
                splitter = z.owner
                assert isinstance(splitter, ntensor.NeuronOp)  # a relay
                for plan in (BOXES, ORDER):
                    if plan in population.attributes:
                        splitter.attributes[plan] = population.attributes[plan]
            FanOutRewrite.of([population.z], names, self.name).redirect_all(bins, [{population.z: z} for z in relays])
            made |= set(relays)
            level += 1

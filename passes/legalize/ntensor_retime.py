"""Makes every way into a population wait for the ticks that a device takes for it, and all ways to an output equally late.

    in -> fc1 -> lif1 -> fc2 -> lif2 -> out           =>  (op-ticks = 1)      in, 1 tick, fc1 -> lif1, 1 tick, fc2 -> lif2 -> out
    in -> skip -> lif2                                                        in, 2 ticks, skip -> lif2

1. `op-ticks` is what a spike takes from a population or an input to a population. A way that waits as long already stays.
2. Shorter parallel ways get delays, so that what meets belongs together; delays that are longer than they must be get shorter.
3. A loop keeps its ticks. One with fewer than its ways take is refused, or its first delay gets longer: with `lengthen`, and on record.
4. A bias is on from the first tick. Where the input of a population is late, a neuron that always fires brings the bias equally late, and
   what the synapses give themselves is without it.
5. A population that changes before anything comes would be early: it is refused, or, with `early`, on record; its bias stays as it is.
6. A delay that is part of a node stays for the records of that node. Its readers read a second delay, which is retimed.

Exactness: outputs and populations are the same to the bit, late by `machine.latency_ticks` and by `machine.lag`; nothing is recorded without `lengthen` and `early`.

Errors: LRT001 a loop with too few ticks; LRT002 a population that does not wait; LRT003 `op-ticks` below one.
Source: C. Leiserson and J. Saxe, Retiming synchronous circuitry, Algorithmica 6 (1991).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...core.diagnostics import Code, ExitCode, refuse
from ...core.ir.pipeline import NoptPass
from ...dialects import ntensor
from ..node_selection import networks
from ._retiming_check import retimed

LRT003 = Code(
    "LRT003",
    "a way takes no time",
    cause="Retiming makes room for the ticks that a device takes. With none there is nothing to make room for.",
    remedy="Give `op-ticks` the ticks from one population to the next: 1, or more.",
    exit_code=ExitCode.MISUSED,
)


@dataclass(frozen=True)
class NtensorRetimePass(NoptPass):
    """Retimes every `ntensor.network`.

    Options:
        op-ticks: ticks from a population or an input to a population, 1 or more; default 1.
        lengthen: also loops that hold too few ticks, and record it; default false.
        early: also populations that do not wait for their input, and record it; default false.
    """

    name = "ntensor-retime"
    op_ticks: int = 1
    lengthen: bool = False
    early: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.op_ticks < 1:
            message = "a way takes at least one tick"
            found = str(self.op_ticks)
            help = f"{self.name}{{op-ticks=1}}"
            refuse(LRT003, message, at=f"op-ticks={found}", expected="1 or more", found=found, help=help)
        for network in networks(op):
            retimed(self, op, network, self.need, lengthen=self.lengthen, early=self.early)

    def need(self, population: ntensor.NeuronOp) -> int:
        return self.op_ticks

"""Inserts delays so that every path into a population meets the device's latency, and all paths to an output have equal latency.

    in -> fc1 -> lif1 -> fc2 -> lif2 -> out           =>  (op-ticks = 1)      in, 1 tick, fc1 -> lif1, 1 tick, fc2 -> lif2 -> out
    in -> skip -> lif2                                                        in, 2 ticks, skip -> lif2

1. `op-ticks` is the latency of a spike from a population or an input to a population. A path with at least this delay stays.
2. Shorter parallel paths get delays, so that related events arrive together. Delays that are longer than necessary get shorter.
3. A cycle keeps its ticks. A cycle with fewer ticks than its paths take is refused, or its first delay is lengthened (`stretch-loops`) and recorded.
4. A bias is present from the first tick. Where the input of a population is late, a neuron that always fires feeds the bias with the same
   latency, and the results of the synapses themselves exclude it.
5. A population whose state changes before its first event is refused, or, with `allow-early`, kept undelayed and recorded; its bias stays as it is.
Exactness: outputs and populations are equal to the bit, late by `machine.latency_ticks` and by `machine.latency`; nothing is recorded without `stretch-loops` and `allow-early`.
Source: C. Leiserson and J. Saxe, Retiming synchronous circuitry, Algorithmica 6 (1991).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ....core.diagnostics import Code, ExitCode, refuse
from ....core.ir.pipeline import NoptPass
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from ._retiming_check import RUN_TICKS, retimed, timing_approximations

LEG059 = Code("LEG059", "path-latency-invalid", "invalid latency of a path", exit_code=ExitCode.MISUSED)


@dataclass(frozen=True)
class NtensorRetimePass(NoptPass):
    """Retimes every `ntensor.network`.

    Options:
        op-ticks: ticks from a population or an input to a population, 1 to 4096; default 1.
        stretch-loops: also loops that hold too few ticks, and record it; default false.
        allow-early: also populations that do not wait for their input, and record it; default false.
    """

    name = "ntensor-retime"
    op_ticks: int = 1
    stretch_loops: bool = False
    allow_early: bool = False

    @property
    def approximations(self) -> tuple[str, ...]:
        return timing_approximations(self)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not 1 <= self.op_ticks <= RUN_TICKS:
            help = f"{self.name}{{op-ticks=1}}"
            found, expected = str(self.op_ticks), f"1 to {RUN_TICKS} ticks"
            refuse(LEG059, at=f"op-ticks={found}", expected=expected, found=found, help=help)
        for network in networks(op):
            retimed(self, network, self.need, stretch_loops=self.stretch_loops, allow_early=self.allow_early)

    def need(self, population: ntensor.NeuronOp) -> int:
        return self.op_ticks

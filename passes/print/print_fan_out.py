"""Prints the fan-out of the inputs and populations of a network; the network stays as it is.

    remark[MAP017]: fan-out of @net
      note: "hid": 0 to 2 slices for each neuron, 7 pairs of a neuron and a slice

The slices are those of a plan (`ntensor-plan-cores`); a population without a plan is one slice. Outputs are not slices.

Errors: NTE009 a network in continuous time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import SSAValue

from ...analysis.fan_out import reaches
from ...core.diagnostics import Code
from ...core.ir.operation import texts_of
from ...core.number_texts import counted_text
from ...dialects import ntensor
from ._remarks import PrintPass

MAP017 = Code("MAP017", "fan-out-printed", "the fan-out of a network")


@dataclass(frozen=True)
class PrintFanOutPass(PrintPass):
    """Prints how many slices the neurons of every input and population of each `ntensor.network` reach, as a remark."""

    name = "print-fan-out"
    remark = MAP017
    subject = "fan-out"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every input, then for every population."""
        block = network.body.block
        signals: dict[str, SSAValue] = dict(zip(texts_of(network.input_names), block.args, strict=True))
        signals |= {op.node.data: op.z for op in network.populations}
        found = reaches(signals.values())
        for name, value in signals.items():
            counts = found[value].counts()
            least, most = int(counts.min(initial=counts.max(initial=0))), int(counts.max(initial=0))
            slices = counted_text(most, "slice") if least == most else f"{least} to {most} slices"
            yield f'"{name}": {slices} for each neuron, {int(counts.sum())} pairs of a neuron and a slice'

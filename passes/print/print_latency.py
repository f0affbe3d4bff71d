"""Prints the latency that retiming added to the populations and outputs of a network; the network stays as it is.

    remark[MAP019]: latency of @net
      note: ntensor.neuron "hid": 2 ticks
      note: output "out": 3 ticks

Errors: NTE009 a network in continuous time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.latency import latency_of, output_latencies
from ...core.diagnostics import Code, describe_op
from ...dialects import ntensor
from ._remarks import PrintPass

MAP019 = Code("MAP019", "latency-printed", "the latency of a network")


@dataclass(frozen=True)
class PrintLatencyPass(PrintPass):
    """Prints the latency of every population and output of each `ntensor.network`, as a remark."""

    name = "print-latency"
    remark = MAP019
    subject = "latency"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every population, then for every output."""
        for op in network.populations:
            yield f"{describe_op(op)[0]}: {count_ticks(latency_of(op))}"
        found = output_latencies(network)
        for name in network.output_names:
            yield f'output "{name.data}": {count_ticks(found.get(name.data, 0))}'


def count_ticks(ticks: int) -> str:
    return f"{ticks} tick{'s' * (ticks != 1)}"

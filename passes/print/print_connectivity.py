"""Prints the connectivity of a network, slice by slice; the network stays as it is.

    remark[MAP016]: connectivity of @net
      note: "hid" slice 0: 12 synapses, 4 axons, fan-in 4
      note: "fc" from "input" to "hid" slice 0: 12 synapses, 4 axons

The slices are those of a plan (`ntensor-plan-cores`); a population without a plan is one slice. A synapse is a path over weights that are not zero. An
axon is a source neuron with a synapse into the slice.

Errors: NTE009 a network in continuous time; ANA038, ANA039, ANA040.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.wiring import wiring_of
from ...core.diagnostics import Code
from ...dialects import ntensor
from ...dialects.chip_base.connectivity import count_arrivals
from ..pipelines import MERGE_SUMS
from ._remarks import PrintPass, slice_name, slicings

MAP016 = Code("MAP016", "connectivity-printed", "the connectivity of a network")


@dataclass(frozen=True)
class PrintConnectivityPass(PrintPass):
    """Prints the synapses, axons and fan-in of every slice of each `ntensor.network`, as a remark."""

    name = "print-connectivity"
    remark = MAP016
    subject = "connectivity"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every slice of a population, followed by one for each connection into it."""
        wiring = wiring_of(network, MERGE_SUMS)
        slices = slicings(wiring)
        for name in wiring.neurons:
            target, connections = slices[name], wiring.into(name)
            found = count_arrivals(target, [one.path for one in connections], slices)
            for k in range(len(target.boxes)):
                own = slice_name(name, target, k)
                yield f"{own}: {found.synapses[k]} synapses, {found.input_axons[k]} axons, fan-in {found.fan_in[k]}"
                for one, counts in zip(connections, found.chains, strict=True):
                    synapses, axons = int(counts.slice_synapses[k]), int(counts.slice_axons[k])
                    yield f'"{one.name}" from "{one.source}" to {own}: {synapses} synapses, {axons} axons'

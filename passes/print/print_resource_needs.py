"""Prints the resources that each slice of a population needs on a core; the network stays as it is.

    remark[MAP022]: resource needs of @net
      note: "hid" slice 0: neurons 3, synapses 12, fan_in 4, input_axons 4, weight_bits 8, …

The slices and the device are those of a plan (`ntensor-plan-cores`); a population without a plan is one slice. Needs are omitted if the device does not
specify them.

Errors: NTE009 a network in continuous time; ANA038, ANA039, ANA040; those of reading a device.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...analysis.slicing import needs_of_slices
from ...analysis.wiring import wiring_of
from ...core.device.named_device import DEVICE, device_of
from ...core.diagnostics import Code
from ...dialects import ntensor
from ..pipelines import MERGE_SUMS
from ._remarks import PrintPass, slice_name, slicings

MAP022 = Code("MAP022", "resource-needs-printed", "the resource needs of a network")


@dataclass(frozen=True)
class PrintResourceNeedsPass(PrintPass):
    """Prints the resource needs of every slice of each `ntensor.network`, as a remark."""

    name = "print-resource-needs"
    remark = MAP022
    subject = "resource needs"

    def lines(self, network: ntensor.NetworkOp) -> Iterator[str]:
        """Yields a line for every slice."""
        wiring, updates = wiring_of(network, MERGE_SUMS), ntensor.updates_of(network)
        device = device_of(network) if DEVICE in network.attributes else None
        slices = slicings(wiring)
        _, needs = needs_of_slices(wiring, slices, updates, device)
        for name, listed in needs.items():
            for k, own in enumerate(listed):
                shown = ", ".join(f"{need} {value}" for need, value in own.items())
                yield f"{slice_name(name, slices[name], k)}: {shown}"

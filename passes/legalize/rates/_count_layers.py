"""Passes that make layers of counts of a network of spikes, for devices whose neurons are activations."""

from __future__ import annotations

from ....dialects import ntensor
from ...pipelines import RATES, UNROLL
from ..delays._retiming import greatest_ticks
from ..fan._replication import first_loop

EXPONENTIAL = ("lif", "cuba_lif")
"""Families with an exponential leak."""
INTEGRATING, COUNTED = ("if", *EXPONENTIAL), "activation"
"""Families of spiking neurons, and the family of layers of counts that they become."""
RATES_NOTE = "its layers compute counts of spikes in a window of ticks, whose length is a choice"
UNROLLED_NOTE = "a layer keeps nothing of earlier ticks: the ticks of a frame, whose number is a choice, become layers"
LEAST_FRAME, MOST_FRAME = 3, 8
"""Ticks of the frames that are proposed: each needs a layer, and each layer repeats the spikes that later ones read."""


def layers_remedy(network: ntensor.NetworkOp, bits: int | None) -> tuple[str, str] | None:
    """Returns passes that convert a network into layers, with the reason; None if its loops have too many ticks. `bits`: the width of a count.

    The frame of a network with loops has one tick more than the longest delay. Without loops, a layer counts at most 2^bits - 1 spikes.
    """
    ticks = max((greatest_ticks(op) for op in network.body.block.ops if op.results), default=0)
    if first_loop(network) is not None:
        frame = max(LEAST_FRAME, ticks + 1)
        return (UNROLL.format(frame), UNROLLED_NOTE) if frame <= MOST_FRAME else None
    families = [op.family.data for op in network.populations if op.family is not None]
    width = "" if bits is None else f" bits={bits}"
    needed = (("leak", any(family in EXPONENTIAL for family in families)), ("delay", ticks > 0))
    approximate = ",".join(name for name, is_needed in needed if is_needed)
    return RATES.format(width + (f" approximate={approximate}" if approximate else "")), RATES_NOTE


def becomes_layers(network: ntensor.NetworkOp) -> bool:
    """Returns whether a network has spiking populations that can be layers."""
    return any(op.family is not None and op.family.data in INTEGRATING for op in network.populations)

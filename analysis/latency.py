"""Latency: by how many ticks retiming made outputs and nodes later than in the network that was trained."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr
from xdsl.ir import Operation

from ..dialects import ntensor
from ..dialects.ntensor.readout import LATENCY, NODE_LATENCY


def latency_of(op: Operation) -> int:
    """Returns the latency of a node [ticks]."""
    found = op.attributes.get(NODE_LATENCY)
    return found.value.data if isinstance(found, IntegerAttr) else 0


def output_latencies(network: Operation) -> dict[str, int]:
    """Returns the latency of each late output [ticks]."""
    found = network.attributes.get(LATENCY)
    entries = dict(found.data) if isinstance(found, DictionaryAttr) else {}
    return {name: entry.value.data for name, entry in entries.items() if isinstance(entry, IntegerAttr)}


def latencies(network: ntensor.NetworkOp) -> dict[str, int]:
    """Returns the latency of each population and output that is late [ticks], by name."""
    found = {op.node.data: latency_of(op) for op in network.body.block.ops if isinstance(op, ntensor.NeuronOp)}
    return {name: ticks for name, ticks in (found | output_latencies(network)).items() if ticks}

"""Names of the arrays of a run: nodes and states to record, and which of them hold events."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.diagnostics import describe_op
from ...core.ir.operation import element_type
from ...dialects.ntensor import NetworkOp, is_event
from ...dialects.ntensor.probes import present_probes


def node_names(network: NetworkOp) -> set[str]:
    """Returns the names of all nodes, inputs and outputs included."""
    nodes = {name.data for name in (*network.input_names, *network.output_names)}
    return nodes | {node for op in network.body.block.ops if (node := describe_op(op)[1]) is not None}


def event_names(network: NetworkOp) -> set[str]:
    """Returns the names of the nodes and outputs with events: spikes, counts and graded spikes."""
    last = network.body.block.last_op
    ends = () if last is None else last.operands
    signals = dict(zip((name.data for name in network.output_names), ends, strict=True))
    signals |= {describe_op(op)[1] or "": op.results[0] for op in network.body.block.ops if op.results}
    signals |= dict(zip((name.data for name in network.input_names), network.body.block.args, strict=True))
    return {name for name, signal in signals.items() if is_event(element_type(signal))}


def record_names(entries: Sequence[str], network: NetworkOp) -> tuple[str, ...]:
    """Returns the names to record and the probes that the network has, each once. An entry that is neither a node nor a state of the network is a comma-separated list."""
    nodes = node_names(network)

    def names(entry: str) -> list[str]:
        node, _, state = entry.rpartition(".")
        is_whole = entry in nodes or (node in nodes and "," not in state)
        return [entry] if is_whole else [name.strip() for name in entry.split(",") if name.strip()] or [entry]

    return tuple(dict.fromkeys([*(name for entry in entries for name in names(entry)), *present_probes(network)]))

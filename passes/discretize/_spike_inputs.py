"""Inputs of a network in continuous time as spikes: a file of NIR states no kind of an input, and the import takes values."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import FunctionType, TensorType, i1
from xdsl.ir import BlockArgument, SSAValue
from xdsl.rewriter import Rewriter

from ...core.ir.graph_region import walk_upstream
from ...core.ir.operation import element_type, shape_of
from ...dialects import nir
from ...dialects.nir.node import is_value
from ...dialects.nir.wiring import KeepingOp


def set_spike_input(synapse: nir.SynapseOp) -> None:
    """Makes the input of the network that a synapse op reads spikes, directly or through nodes that keep the kind. Other operands stay."""
    upstream = walk_upstream([synapse.x], lambda op: isinstance(op, KeepingOp))
    value = next((one for one in upstream if isinstance(one, BlockArgument)), None)
    if value is None or not isinstance(graph := value.block.parent_op(), nir.GraphOp):
        return
    signals = [value, *kept_signals(value)]
    nodes = [use.operation for signal in signals for use in signal.uses]
    if any(isinstance(node, nir.SubgraphOp) for node in nodes):
        return
    for signal in signals:
        if is_value(element_type(signal)):
            Rewriter.replace_value_with_new_type(signal, TensorType(i1, shape_of(signal)))
    last = graph.body.block.last_op
    assert last is not None  # verified
    graph.function_type = FunctionType.from_lists(graph.body.block.arg_types, [*last.operand_types])


def kept_signals(value: SSAValue) -> Iterator[SSAValue]:
    """Yields the results of all nodes downstream that have the kind of the value."""
    for use in value.uses:
        if isinstance(use.operation, KeepingOp):
            yield use.operation.y
            yield from kept_signals(use.operation.y)

"""Replaces convolutions, pools and lists of synapses by matrices, for chips whose layers have no such windows.

    %p = ntensor.sum_pool2d "pool" %z {kernel = [2, 2]}        =>    %f = ntensor.reshape "fc.inputs" %z
    %y = ntensor.conv1d "conv" %p {weight = w}                       %m = ntensor.linear "fc" %f {weight = w'}
                                                                     %y = ntensor.reshape "fc.outputs" %m

1. An op is merged with the pools and synapses in a row before it, as by `ntensor-merge-synapses`.
2. The matrix has a row for each neuron of the result, and a column for each one of the operand; most weights of a map are 0.
3. An op with delays, a learning rule, an exponent or quantised weights stays as it is, and so does one that adds integers.
4. Without `nodes`, all ops with windows or lists of synapses are replaced, except pools that no synapse op reads.

Exactness: exact; recorded where ops were merged, since reals are added in another order.

Errors: NTE009 a network in continuous time; ANA031 a name in `nodes`; NRM018 a matrix with too many weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.node_selection import check_names, choose_ops, name_of
from ....analysis.synapse_chains import adds_reals, op_before
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.device.limits import OTHER_DEVICE
from ....core.diagnostics import Code, refuse_op
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks
from .ntensor_merge_synapses import erase_unread, listed_synapses, merge_pair

NRM018 = Code("NRM018", "matrix-too-large", "the matrix of a synapse op has too many weights")

MOST_WEIGHTS = 2**24
"""Weights of a matrix, zeros included."""
EXPANDED = (ntensor.ConvolutionOp, ntensor.SparseLinearOp, ntensor.FanInLinearOp)
"""Ops that are replaced without a selection."""


def is_expandable(op: Operation) -> bool:
    """Returns whether an op can become a matrix."""  # 3
    return (
        isinstance(op, ntensor.SynapseOpInterface)
        and not isinstance(op, ntensor.ScaleOp)
        and adds_reals(op, is_last=op.weights is not None)
        and (op.delays is None or not op.delays.values.any())
    )


@dataclass(frozen=True)
class NtensorExpandSynapsesPass(NoptPass):
    """Makes matrices of synapse ops of every `ntensor.network`.

    Options:
        nodes: the ops to work on; default all with windows or lists of synapses.
    """

    name = "ntensor-expand-synapses"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_expandable, self.name)
        for network in networks(op):
            merged = list[str]()
            for chosen in reversed(choose_ops(network, self.nodes, is_expandable)):
                assert isinstance(chosen, ntensor.SynapseOpInterface)  # is_expandable
                if chosen.parent is None or not (self.nodes or isinstance(chosen, EXPANDED)):  # 4
                    continue
                last = merged_with_inputs(chosen)
                if last is not chosen:
                    merged.append(name_of(last))
                expand(last)
            if merged:
                what = "synapses in a row merged: sums are added in another order"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, merged[::-1], unit="none"))


def merged_with_inputs(last: ntensor.SynapseOpInterface) -> ntensor.SynapseOpInterface:
    """Returns an op merged with the synapse ops in a row before it."""  # 1
    while adds_reals(last, is_last=True) and adds_reals(before := op_before(last), is_last=False):
        verify_size(last, prod(shape_of(before.x)))
        made = merge_pair(before, last)
        Rewriter.insert_op(made, InsertPoint.before(last))
        last.y.replace_all_uses_with(made.y)
        erase_unread(last)
        last = made
    return last


def verify_size(op: ntensor.SynapseOpInterface, columns: int) -> None:
    """Refuses a matrix that is too large. Errors: NRM018."""
    size = prod(shape_of(op.y)) * columns
    if size > MOST_WEIGHTS:
        refuse_op(op, NRM018, expected=f"at most {MOST_WEIGHTS} weights", found=str(size), help=OTHER_DEVICE)


def expand(op: ntensor.SynapseOpInterface) -> None:
    """Replaces an op by a matrix between two reshapes."""  # 2
    rows, columns = prod(shape_of(op.y)), prod(shape_of(op.x))
    verify_size(op, columns)
    source, target, weight, _ = listed_synapses(op)
    matrix = np.bincount(target.astype(np.int64) * columns + source, weight, rows * columns).reshape(rows, columns)
    properties: dict[str, Attribute] = {
        "node": op.node,
        "weight": ArrayAttr.of(matrix.astype(dtype_of(element_type(op.y)))),
    }
    if (bias := op.optional_array("bias")) is not None:
        spread = np.broadcast_to(op.spread_outputs(bias.values), shape_of(op.y))
        properties["bias"] = ArrayAttr.of(np.ascontiguousarray(spread).reshape(-1))
    x = reshaped(op.x, (columns,), f"{op.node.data}.inputs", op)
    result = TensorType(element_type(op.y), (rows,))
    linear = ntensor.LinearOp.create(operands=[x], result_types=[result], properties=properties)
    linear.location = op.location
    Rewriter.insert_op(linear, InsertPoint.before(op))
    op.y.replace_all_uses_with(reshaped(linear.results[0], shape_of(op.y), f"{op.node.data}.outputs", op))
    erase_unread(op)


def reshaped(value: SSAValue, shape: tuple[int, ...], node: str, at: Operation) -> SSAValue:
    """Returns a value with another shape, by a reshape before an op where its own shape differs."""
    if shape_of(value) == shape:
        return value
    type = TensorType(element_type(value), shape)
    op = ntensor.ReshapeOp.create(operands=[value], result_types=[type], properties={"node": StringAttr(node)})
    op.location = at.location
    Rewriter.insert_op(op, InsertPoint.before(at))
    return op.results[0]

"""Merges pools and synapses in a row into one op, for chips whose synapses reach from neuron to neuron.

    %p = ntensor.sum_pool2d "pool" %z {kernel = [2, 2]}        =>    %y = ntensor.sparse_linear "fc" %z {weight = w', source, target}
    %y = ntensor.linear "fc" %p {weight = w}                         w' lists w for every neuron of a window

1. Two ops are merged if reshapes alone are between them, and both add reals. The first has no bias, and neither has an exponent, quantised weights or a
   learning rule.
2. Synapses between the same two neurons with the same delay become one, whose weight is their sum.
3. An op with other readers stays, too.

Exactness: recorded, since reals are added in another order.

Errors: ANA031 a name in `nodes`; NTE009 a network in continuous time.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.node_selection import check_names, name_of
from ....analysis.synapse_chains import is_first, is_last, op_before
from ....core.arrays.arrays import ArrayAttr, dtype_of
from ....core.arrays.joins import join
from ....core.arrays.numeric import Ints, Reals
from ....core.ir.operation import element_type, shape_of
from ....core.ir.pipeline import NoptPass, pass_text
from ....dialects import ntensor
from ....dialects.ntensor.network import networks


def listed_synapses(op: ntensor.SynapseOpInterface) -> tuple[Ints, Ints, Reals, Ints]:
    """Returns source, target, weight and delay of each synapse of an op."""
    source, target, place = op.used_pairs()
    weight, delay = np.ones(len(place)), np.zeros(len(place), np.int64)
    if op.weights is not None:
        weight = op.weight_values().values.reshape(-1)[place].astype(np.float64)
        if op.delays is not None:
            delay = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)[place].astype(np.int64)
    elif op.SUMS is not None:  # a mean
        kernel = op.properties["kernel"]
        assert isinstance(kernel, ArrayAttr)
        weight = weight / prod(kernel.values.tolist())
    return source, target, weight, delay


def merge_pair(before: ntensor.SynapseOpInterface, op: ntensor.SynapseOpInterface) -> ntensor.SparseLinearOp:
    """Returns one sparse op with the composed synapses of two successive synapse ops."""  # 2
    first, last = listed_synapses(before), listed_synapses(op)
    i, j = join(first[1], last[0])
    source, target, weight, delay = first[0][i], last[1][j], first[2][i] * last[2][j], first[3][i] + last[3][j]
    keys, places = np.unique(np.stack([source, target, delay]), axis=1, return_inverse=True)
    sums = np.bincount(places.reshape(-1), weight, keys.shape[1]).astype(dtype_of(element_type(op.y)))
    properties: dict[str, Attribute] = {
        "node": op.node,
        "weight": ArrayAttr.of(sums),
        "source": ArrayAttr.of(keys[0].astype(np.int32)),
        "target": ArrayAttr.of(keys[1].astype(np.int32)),
    }
    if keys[2].any():
        properties["delay"] = ArrayAttr.of(keys[2])
    if (bias := op.optional_array("bias")) is not None:
        properties["bias"] = ArrayAttr.of(
            np.ascontiguousarray(np.broadcast_to(op.spread_outputs(bias.values), shape_of(op.y)))
        )
    made = ntensor.SparseLinearOp.create(operands=[before.x], result_types=[op.y.type], properties=properties)
    assert isinstance(made, ntensor.SparseLinearOp)
    return made


def erase_unread(op: Operation | None) -> None:
    """Removes an op without readers, and the ops before it that lose theirs."""
    while isinstance(op, ntensor.SynapseOpInterface | ntensor.ReshapeOp) and not op.y.uses:
        before = op.x.owner
        Rewriter.erase_op(op)
        op = before if isinstance(before, Operation) else None


@dataclass(frozen=True)
class NtensorMergeSynapsesPass(NoptPass):
    """Merges pools and synapses in a row of every `ntensor.network`.

    Options:
        nodes: the first ops of the pairs that are merged; default all.
    """

    name = "ntensor-merge-synapses"
    nodes: tuple[str, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_names(op, self.nodes, is_first, self.name)
        for network in networks(op):
            nodes: dict[str, None] = {}
            for last in list(network.body.block.ops):
                while is_last(last) and is_first(before := op_before(last), self.nodes):
                    made = merge_pair(before, last)
                    Rewriter.insert_op(made, InsertPoint.before(last))
                    last.y.replace_all_uses_with(made.y)
                    erase_unread(last)
                    nodes[name_of(made)] = None
                    last = made
            if nodes:
                what = "synapses in a row merged: sums are added in another order"
                network.record(ntensor.ApproximationAttr.of(pass_text(self), what, list(nodes), unit="none"))

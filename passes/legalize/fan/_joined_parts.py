"""Partial sums of one sign as one population, whose neurons can share parameters.

    %a = ntensor.sparse_linear "fc.plus0" %x …        %b = ntensor.sparse_linear "fc.plus1" %x …
      =>
    %c = ntensor.sparse_linear "fc.plus" %x {target = [targets of plus0, then those of plus1], …}

A target is a pair of a part and a neuron; pairs without a synapse have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from string import digits
from typing import Any

import numpy as np
from attrs import frozen
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from ....core.arrays.arrays import ArrayAttr
from ....core.arrays.numeric import Ints
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ..relays._relays import NodeNames, insert

OF_SYNAPSES = ("weight", "source", "delay")
"""Properties with an entry for each synapse that does not depend on the part."""


@frozen(eq=False)
class JoinedParts:
    """The sum of all parts, and the neuron that each of its entries is a part of. Shapes: neuron [entries]."""

    value: SSAValue
    neuron: Ints


def sparse_ops(value: SSAValue) -> list[ntensor.SparseLinearOp] | None:
    """Returns the sparse ops whose sum is a value; None if other ops are among them."""
    owner = value.owner
    owners = [x.owner for x in owner.operands] if isinstance(owner, ntensor.SumOp) else [owner]
    found = [one for one in owners if isinstance(one, ntensor.SparseLinearOp)]
    return found if len(found) == len(owners) else None


def join_parts(names: NodeNames, at: ntensor.NeuronOp, parts: Sequence[SSAValue]) -> JoinedParts | None:
    """Replaces the sums of some parts by one; returns None if ops other than sparse ones are among them."""
    listed = [sparse_ops(value) for value in parts]
    found = [(p, op) for p, ops in enumerate(listed) for op in ops or ()]
    if not found or None in listed:
        return None
    size = prod(shape_of(parts[0]))
    entries = np.unique(np.concatenate([p * size + op.target.values for p, op in found]))
    groups: dict[Any, list[tuple[int, ntensor.SparseLinearOp]]] = {}
    for p, op in found:  # synapses of one source, with the same properties
        groups.setdefault((op.x, *sorted(op.properties), op.learning_rule), []).append((p, op))
    type = TensorType(element_type(parts[0]), [len(entries)])
    sums: list[SSAValue] = []
    for group in groups.values():
        first = group[0][1]
        target = np.concatenate([np.searchsorted(entries, p * size + op.target.values) for p, op in group])
        arrays = {key: property_values(key, group) for key in OF_SYNAPSES if key in first.properties}
        order = np.lexsort((target, arrays["source"]))
        properties: dict[str, Attribute] = {
            **first.properties,
            **{key: ArrayAttr.of(values[order]) for key, values in arrays.items()},
            "target": ArrayAttr.of(target[order].astype(arrays["source"].dtype)),
            "node": StringAttr(names.take(first.node.data.rstrip(digits))),
        }
        made = ntensor.SparseLinearOp.create(operands=[first.x], result_types=[type], properties=properties)
        sums.append(insert(made, InsertPoint.before(at), first))
    total: Operation | None = None
    if len(sums) > 1:
        total = ntensor.SumOp.create(operands=sums, result_types=[type])
        insert(total, InsertPoint.before(at), at)
    erase(parts, [op for _, op in found])
    return JoinedParts(sums[0] if total is None else total.results[0], entries % size)


def property_values(key: str, group: Sequence[tuple[int, ntensor.SparseLinearOp]]) -> Any:
    arrays = [op.properties[key] for _, op in group]
    return np.concatenate([array.values for array in arrays if isinstance(array, ArrayAttr)])


def erase(parts: Sequence[SSAValue], ops: Sequence[Operation]) -> None:
    """Removes the sums of parts, and their ops."""
    for value in parts:
        if isinstance(value.owner, ntensor.SumOp):
            Rewriter.erase_op(value.owner)
    for op in ops:
        Rewriter.erase_op(op)

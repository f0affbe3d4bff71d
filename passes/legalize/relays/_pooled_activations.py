"""Max pools before activations: an activation grows with its input, so the greatest count of a window is the count of its greatest input."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.dialects.builtin import StringAttr, TensorType
from xdsl.rewriter import InsertPoint, Rewriter

from ....analysis.output_units import count_unit, set_count_unit
from ....core.arrays.arrays import uniform
from ....core.arrays.numeric import Reals
from ....core.ir.operation import element_type, shape_of
from ....dialects import ntensor
from ..rates._activations import activation_values, build_activation, is_activation, most_of
from ._relays import NodeNames, insert


def source_activation(pool: ntensor.MaxPool2dOp) -> ntensor.NeuronOp | None:
    """Returns the activation that a max pool alone reads, if the neurons of each channel are equal; None otherwise."""
    op = pool.x.owner
    if not isinstance(op, ntensor.NeuronOp) or not is_activation(op) or sum(1 for _ in op.z.uses) > 1:
        return None
    return op if all(channel_values(one, shape_of(op.z)) is not None for one in activation_values(op)) else None


def channel_values(values: Reals, shape: tuple[int, ...]) -> Reals | None:
    """Returns the values of each channel of a map, None if they differ within one. Shapes: values () or [c, y, x]; [c, 1, 1]."""
    table = np.broadcast_to(values, shape)
    first = table[:, :1, :1]
    return first if (table == first).all() else None


def pool_before(
    pool: ntensor.MaxPool2dOp, activation: ntensor.NeuronOp, updates: Mapping[str, ntensor.UpdateOp], names: NodeNames
) -> ntensor.NeuronOp:
    """Moves a max pool before the activation that it reads, and returns the activation, which has the name of the pool."""
    x, shape = activation.xs[0], shape_of(pool.y)
    first = ntensor.MaxPool2dOp.create(
        operands=[x],
        result_types=[TensorType(element_type(x), shape)],
        properties={**pool.properties, "node": StringAttr(names.take(f"{pool.node.data}.inputs"))},
    )
    pooled = insert(first, InsertPoint.before(activation), pool)
    values: list[Reals] = []
    for one in activation_values(activation):
        channels = channel_values(one, shape_of(activation.z))
        assert channels is not None  # source_activation
        values.append(uniform(np.broadcast_to(channels, shape)))
    held = ntensor.interval_of(element_type(activation.z))
    assert held is not None  # a count
    most, bits, node = most_of(activation, updates), held.high.bit_length(), pool.node.data
    made = build_activation(names, node, pooled, most, bits, *values)
    set_count_unit(made, count_unit(activation))
    made.location = pool.location
    Rewriter.insert_op(made, InsertPoint.before(pool))
    pool.y.replace_all_uses_with(made.z)
    Rewriter.erase_op(pool)
    names.free(activation.node.data)
    Rewriter.erase_op(activation)
    return made

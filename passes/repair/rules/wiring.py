"""Wiring that an exporter writes in its own way, and the wiring that its framework runs.

| name | file | framework |
| --- | --- | --- |
| `recurrent_input` | the input of a recurrent layer enters its weights: W (x + z) | x + W z |
| `channels_last_flatten` | the weights after a flattening take (C, H, W) | they take (H, W, C) |

Both hold all numbers, so the repair is exact. Names of `wiring` in `exporters/NAME.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import prod

import numpy as np
from attrs import frozen
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from ....core.arrays import ArrayAttr
from ....core.operation import shape_of
from ....dialects import nir


@frozen
class Wiring:
    """A repair of the wiring: for the record, for messages, and the function that does it."""

    record: str
    meaning: str
    rewire: Callable[[nir.GraphOp], Iterator[Operation]]
    """Changes a graph, nested graphs included, and yields the nodes that read something else than before."""


def move_recurrent_inputs(graph: nir.GraphOp) -> Iterator[Operation]:
    """Connects the input of each recurrent layer to its neurons instead of its weights.

    %s = nir.sum %x, %z; %w = nir.linear %s; %z = nir.lif %w    =>    %w = nir.linear %z; %s = nir.sum %x, %w; %z = nir.lif %s
    """
    for weights in [op for op in graph.walk() if isinstance(op, nir.LinearOp | nir.AffineOp)]:
        joined = weights.x.owner
        users = [use.operation for use in weights.y.uses]
        if not isinstance(joined, nir.SumOp) or len(users) != 1 or not isinstance(users[0], nir.PopulationOp):
            continue
        neurons = users[0]
        inputs = [x for x in joined.xs if x is not neurons.y]
        if len(inputs) != len(joined.xs) - 1 or not inputs:
            continue
        weights.operands[0] = neurons.y
        moved = nir.SumOp.create(operands=[*inputs, weights.y], result_types=[weights.y.type])
        Rewriter.insert_op(moved, InsertPoint.before(neurons))
        neurons.operands[0] = moved.results[0]
        if not any(joined.y.uses):
            Rewriter.erase_op(joined)
        yield neurons


def permute_flattened_weights(graph: nir.GraphOp) -> Iterator[Operation]:
    """Orders the weights after each flattening of three axes as the file's tensors are, channels first."""
    for flat in [op for op in graph.walk() if isinstance(op, nir.FlattenOp)]:
        shape = shape_of(flat.x)
        if len(shape) != 3 or shape_of(flat.y) != (prod(shape),) or shape[0] == 1 or prod(shape[1:]) == 1:
            continue
        channels, height, width = shape
        for use in list(flat.y.uses):
            reader = use.operation
            if isinstance(reader, nir.LinearOp | nir.AffineOp):
                weight = reader.weight.values
                last = weight.reshape(-1, height, width, channels)
                reader.properties["weight"] = ArrayAttr.of(
                    np.ascontiguousarray(last.transpose(0, 3, 1, 2)).reshape(weight.shape)
                )
                yield reader


WIRINGS = {
    "recurrent_input": Wiring(
        "W (x + z) = x + W z",
        "the input of a recurrent layer enters its weights instead of its neurons",
        move_recurrent_inputs,
    ),
    "channels_last_flatten": Wiring(
        "weight (H, W, C) = weight (C, H, W)",
        "the weights after a flattening take channels last",
        permute_flattened_weights,
    ),
}

"""Sets of parameters of the neurons of a network, for chips whose cores have one set."""

from __future__ import annotations

import numpy as np

from ..core.arrays.numeric import AnyArray
from ..core.ir.operation import shape_of
from ..dialects import ntensor


def values_of_neurons(values: AnyArray, size: int) -> AnyArray:
    """Returns the value of each neuron. Shapes: [neurons]."""
    return np.broadcast_to(values.reshape(-1), (size,)) if values.size == 1 else values.reshape(-1)


def count_parameter_sets(op: ntensor.NeuronOp) -> int:
    """Returns the number of different sets of parameters of the neurons of a population."""
    size = int(np.prod(shape_of(op.z)))
    rows = [values_of_neurons(array.values, size).astype(np.float64) for _, array in op.arrays(op.params)]
    return len(np.unique(np.stack(rows, axis=1), axis=0)) if rows and size else 1


def count_relay_sets(network: ntensor.NetworkOp) -> int:
    """Returns the sets of parameters of neurons that relay delays on a chip: 1 if a delay exceeds a tick or if constant sums have a source, else 0."""
    ops = network.body.block.ops
    has_delay = any(isinstance(op, ntensor.DelayOp) and int(op.ticks.values.max(initial=0)) > 1 for op in ops)
    return int(has_delay or any(op.family is None for op in network.populations))

"""Generated input for a network without sample input: a few samples of random spikes, each with its own rate.

The rates of the samples are spread evenly on a logarithmic scale, so that sparse and dense input both occur. The bits depend only on
the shapes of the inputs. A large network runs for fewer ticks and samples.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...core.ir.operation import element_type, shape_of
from ...dialects import ntensor
from ...simulation.frames import data_shapes

LEAST_RATE, MOST_RATE = 0.02, 0.5
"""Probabilities of a spike in a tick of the first and the last sample."""
EXTENTS = ((8, 32), (4, 32), (2, 32))
"""Samples and ticks, in the order of their cost."""
MOST_OPERATIONS = 1e8
"""Maximal number of synaptic operations and updates of neurons in all samples, for every extent but the smallest."""
SEED = 0


def takes_events(network: ntensor.NetworkOp) -> bool:
    """Returns whether all inputs of a network are events, so that random spikes are a valid input."""
    inputs = network.body.block.args
    return bool(inputs) and all(ntensor.is_event(element_type(one)) for one in inputs)


def generate_spikes(network: ntensor.NetworkOp) -> dict[str, NDArray[np.bool_]]:
    """Returns random spikes for each input of a network. Shapes: each [samples, ticks, *shape]."""
    samples, ticks = extent_of(network)
    random, rates = np.random.default_rng(SEED), np.geomspace(LEAST_RATE, MOST_RATE, samples)
    shapes = {
        name.data: shape_of(value) for name, value in zip(network.input_names, network.body.block.args, strict=True)
    }
    return {
        name: random.random((samples, ticks, *shape)) < rates.reshape(samples, 1, *[1] * len(shape))
        for name, shape in data_shapes(network, shapes).items()
    }


def extent_of(network: ntensor.NetworkOp) -> tuple[int, int]:
    """Returns the samples and ticks of the input for a network: the largest extent within the cost, else the smallest."""
    cost = operations_per_tick(network)
    return next((one for one in EXTENTS if prod(one) * cost <= MOST_OPERATIONS), EXTENTS[-1])


def operations_per_tick(network: ntensor.NetworkOp) -> int:
    """Returns the number of synaptic operations and updates of neurons in a tick."""
    count = 0
    for op in network.body.block.ops:
        if isinstance(op, ntensor.SynapseOpInterface):
            synapses: Any = op.count_synapses()
            count += int(np.sum(synapses))
        elif isinstance(op, ntensor.NeuronOp):
            count += prod(shape_of(op.z))
    return count

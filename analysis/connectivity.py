"""How slices are connected: synapses, axons, fan-in and fan-out, counted without making a matrix.

For one slice of a target, what its neurons read is followed back along each chain, op by op, as an array of paths over what the op reads: a
slice of rows of a linear map, the windows of a convolution or pool. So a chain from population to population is one set of edges (pools are
folded into what comes behind them), weights are looked at once and in slices, and nothing is as large as sources times targets.

| word | counts |
| --- | --- |
| synapses | paths from a neuron to a neuron over weights that are not zero; of a pool in front, each of its inputs has one |
| axons | source neurons of a slice with a synapse into another slice |
| fan_in | synapses of one neuron, over all that arrives at it |
| fan_out | slices that one neuron has synapses into, its own included |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from .slicing import Counts, Ints, Slicing

Back = Callable[[Counts], Counts]


# ---- paths through an op


def prepare_backwards(op: Operation) -> Back:
    """Returns a function from paths that leave the result of an op to those that leave its operand."""
    match op:
        case ntensor.SynapseOpInterface():
            return op.prepare_backwards()
        case ntensor.ReshapeOp():
            shape = shape_of(op.x)
            return lambda n: n.reshape(shape)
        case _:
            return lambda n: n


# ---- synapses of each neuron


def fan_in(chain: Sequence[Operation], shape: tuple[int, ...]) -> Counts:
    """Paths that end at each neuron behind a chain, from sources of this shape."""
    n = np.ones(shape)
    for op in chain:
        n = forward(op, n)
    return n


def forward(op: Operation, n: Counts) -> Counts:
    match op:
        case ntensor.SynapseOpInterface():
            return op.count_forwards(n)
        case ntensor.ReshapeOp():
            return n.reshape(shape_of(op.y))
        case _:
            return n


def delays_of(chain: Sequence[Operation]) -> tuple[int, int]:
    """The shortest and the longest delay of a chain [ticks]."""
    low = high = 0
    for op in chain:
        ticks = op.ticks if isinstance(op, ntensor.DelayOp) else getattr(op, "delay", None)
        if isinstance(ticks, ArrayAttr) and ticks.data.size:
            low, high = low + int(ticks.data.least()), high + int(ticks.data.greatest())
    return low, high


# ---- edges


@frozen(eq=False)
class Joint:
    """The synapses of one chain between two slices."""

    chain: int
    """Its place among those that arrive at the target."""
    source: int
    target: int
    """Places of the slices."""
    synapses: int
    axons: int
    sources: Ints | None
    """Places in the source slice of those that have a synapse; None: all."""


@frozen(eq=False)
class Arrival:
    """All that arrives at the slices of a population."""

    joints: list[Joint]
    synapses: Ints
    """[slices]"""
    chain_synapses: Ints
    """[slices, chains]"""
    input_axons: Ints
    """[slices]: source neurons, each once however many chains it has."""
    chain_axons: Ints
    """[slices, chains]"""
    fan_in: Ints
    """[slices], of the neuron with most."""


def arrival(
    target: Slicing,
    chains: Sequence[tuple[str, Sequence[Operation]]],
    sources: Mapping[str, Slicing],
    reached: Mapping[str, Ints] | None = None,
) -> Arrival:
    """Counts what arrives at each slice of a population, over chains from sources by name; `reached` [neurons of a source], if given, grows by 1
    for each slice that a neuron has synapses into."""
    k, n = len(target.boxes), len(chains)
    steps = [[prepare_backwards(op) for op in reversed(chain)] for _, chain in chains]
    joints: list[Joint] = []
    chain_synapses, chain_axons = np.zeros((k, n), np.int64), np.zeros((k, n), np.int64)
    input_axons = np.zeros(k, np.int64)
    for t in range(k):
        masks: dict[str, NDArray[np.bool_]] = {}
        for c, (name, _) in enumerate(chains):
            paths = target.indicator(t)
            for step in steps[c]:
                paths = step(paths)
            found, own = paths.reshape(-1), sources[name]
            mask = found > 0
            joints += joined(c, t, found[own.arranged], mask[own.arranged], own)
            chain_synapses[t, c], chain_axons[t, c] = round(found.sum()), mask.sum()
            masks[name] = masks[name] | mask if name in masks else mask
        input_axons[t] = sum(int(mask.sum()) for mask in masks.values())
        for name, mask in masks.items() if reached is not None else ():
            cast("Mapping[str, Ints]", reached)[name][mask] += 1
    each = np.zeros(target.size)
    for name, chain in chains:
        each += fan_in(chain, sources[name].shape).reshape(-1)
    most = np.array([each[own].max(initial=0) for own in target.members]).astype(np.int64)
    return Arrival(joints, chain_synapses.sum(axis=1), chain_synapses, input_axons, chain_axons, most)


def joined(chain: int, target: int, paths: Counts, mask: NDArray[np.bool_], own: Slicing) -> Iterator[Joint]:
    """The joints of one slice with all slices of a source; paths and mask in the order of `arranged`."""
    if not len(paths):
        return
    synapses = np.add.reduceat(paths, own.starts)
    axons = np.add.reduceat(mask.astype(np.int64), own.starts)
    ends = np.append(own.starts[1:], len(paths))
    for s in np.flatnonzero(axons).tolist():
        low, below = int(own.starts[s]), int(ends[s])
        whole = int(axons[s]) == below - low
        places = None if whole else np.flatnonzero(mask[low:below])
        yield Joint(chain, s, target, round(synapses[s]), int(axons[s]), places)

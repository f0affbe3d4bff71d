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
from math import prod
from typing import Any, cast

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Operation

from ..core.arrays.arrays import ArrayAttr
from ..core.arrays.values import RuleArray
from ..core.ir.operation import shape_of
from ..dialects import ntensor
from .slicing import Counts, Ints, Slicing

Back = Callable[[Counts], Counts]

BLOCK = 2**24
"""Weights that are looked at at a time."""
RUNS = 64
"""Rows that lie in more runs than this are picked out of the whole array."""


# ---- what an op reads


def prepared(op: Operation) -> Back:
    """From paths that leave what an op gives to those that leave what it reads."""
    match op:
        case ntensor.ReshapeOp():
            shape = shape_of(op.x)
            return lambda n: n.reshape(shape)
        case ntensor.ScaleOp():
            kept = (op.scale.values != 0).astype(np.float64)
            return lambda n: n * kept
        case ntensor.PoolOp():
            return window_back(op)
        case ntensor.ConvolutionOp():
            return window_back(op)
        case ntensor.LinearOp():
            return linear_back(op)
        case ntensor.SparseLinearOp():
            return sparse_back(op)
        case ntensor.FanInLinearOp():
            return fan_in_back(op)
        case _:
            return lambda n: n


@frozen(eq=False)
class Window:
    """Where a window of a convolution or pool starts on each of two axes, and how it moves."""

    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    padding: tuple[tuple[int, int], tuple[int, int]]
    reads: tuple[int, int, int]
    gives: tuple[int, int, int]
    weights: NDArray[np.bool_] | None
    """[outputs, inputs / groups, y, x], where they are not zero; None: each channel reads itself."""
    groups: int = 1

    def taps(self) -> Iterator[tuple[int, int]]:
        return ((y, x) for y in range(self.kernel[0]) for x in range(self.kernel[1]))

    def at(self, tap: tuple[int, int], low: tuple[int, int], below: tuple[int, int]) -> tuple[slice, slice]:
        """Where outputs from `low` to `below` read by a tap, in the padded input."""
        found: list[slice] = []
        for axis in range(2):
            first = tap[axis] * self.dilation[axis] + low[axis] * self.stride[axis]
            count = below[axis] - low[axis]
            found.append(slice(first, first + (count - 1) * self.stride[axis] + 1, self.stride[axis]))
        return found[0], found[1]

    def padded(self) -> Counts:
        (top, bottom), (left, right) = self.padding
        channels, y, x = self.reads
        return np.zeros((channels, y + top + bottom, x + left + right))

    def inner(self, padded: Counts) -> Counts:
        (top, _), (left, _) = self.padding
        return padded[:, top : top + self.reads[1], left : left + self.reads[2]]


def window_of(op: ntensor.ConvolutionOp | ntensor.PoolOp) -> Window:
    def pair(values: Any) -> Any:
        listed: list[Any] = values.values.tolist()
        return tuple(listed if len(listed) == 2 else [[0, 0] if isinstance(listed[0], list) else 1, *listed])

    def plane(shape: tuple[int, ...]) -> tuple[int, int, int]:
        return cast("tuple[int, int, int]", shape if len(shape) == 3 else (shape[0], 1, shape[1]))

    reads, gives = plane(shape_of(op.x)), plane(shape_of(op.y))
    if isinstance(op, ntensor.PoolOp):
        return Window(pair(op.kernel), pair(op.stride), (1, 1), pair(op.padding), reads, gives, None)
    weights = op.weight.values != 0
    weights = weights.reshape(*weights.shape[:2], 1, -1) if weights.ndim == 3 else weights
    kernel = (weights.shape[2], weights.shape[3])
    return Window(
        kernel, pair(op.stride), pair(op.dilation), pair(op.padding), reads, gives, weights, op.groups.value.data
    )


def window_back(op: ntensor.ConvolutionOp | ntensor.PoolOp) -> Back:
    window = window_of(op)
    shape = shape_of(op.x)
    weights, groups = window.weights, window.groups
    per_input = None if weights is None else sums(weights, groups)

    def back(n: Counts) -> Counts:
        given = n.reshape(window.gives)
        live = np.asarray(given.any(axis=0))
        padded = window.padded()
        if not live.any():
            return window.inner(padded).reshape(shape)
        rows, columns = np.flatnonzero(live.T.any(axis=0)), np.flatnonzero(live.any(axis=0))
        low, below = (int(rows[0]), int(columns[0])), (int(rows[-1]) + 1, int(columns[-1]) + 1)
        part = given[:, low[0] : below[0], low[1] : below[1]]
        is_same = bool((part == part[:1]).all())
        for tap in window.taps():
            where = (slice(None), *window.at(tap, low, below))
            if weights is None:
                padded[where] += part
            elif is_same and per_input is not None:
                padded[where] += per_input[:, tap[0], tap[1], None, None] * part[0]
            else:
                padded[where] += spread(weights[:, :, tap[0], tap[1]], groups, part)
        return window.inner(padded).reshape(shape)

    return back


def sums(weights: NDArray[np.bool_], groups: int) -> Counts:
    """How many outputs each input reaches by each tap. Shapes: [inputs, y, x]."""
    outputs = len(weights) // groups
    parts = [weights[g * outputs : (g + 1) * outputs].sum(axis=0) for g in range(groups)]
    return np.concatenate(parts).astype(np.float64)


def spread(weights: NDArray[np.bool_], groups: int, part: Counts) -> Counts:
    """Paths over one tap. Shapes: weights [outputs, inputs / groups], part [outputs, y, x], result [inputs, y, x]."""
    outputs = len(weights) // groups
    flat = part.reshape(len(part), -1)
    found = [
        weights[g * outputs : (g + 1) * outputs].T.astype(np.float64) @ flat[g * outputs : (g + 1) * outputs]
        for g in range(groups)
    ]
    return np.concatenate(found).reshape(-1, *part.shape[1:])


def runs(chosen: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Where consecutive true elements start and end."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], chosen.view(np.int8), [0]])))
    yield from zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def rows_of(
    array: ArrayAttr, chosen: NDArray[np.bool_], width: int, lead: tuple[int, ...] = ()
) -> Iterator[tuple[Any, Any]]:
    """The chosen rows of an array, some at a time, each with where they are. A rule makes those alone."""
    step = max(1, BLOCK // max(1, width))
    listed = list(runs(chosen))
    if len(listed) > RUNS and not isinstance(array.data, RuleArray):
        rows = np.flatnonzero(chosen)
        values = array.values[lead]
        for start in range(0, len(rows), step):
            some = rows[start : start + step]
            yield some, values[some]
        return
    for low, below in listed:
        for start in range(low, below, step):
            end = min(below, start + step)
            yield slice(start, end), array.data.view(*lead, slice(start, end)).values


def linear_back(op: ntensor.LinearOp) -> Back:
    *lead, outputs, inputs = op.weight.shape
    shape = shape_of(op.x)

    def back(n: Counts) -> Counts:
        given = n.reshape(prod(lead), outputs)
        found = np.zeros((len(given), inputs))
        for b, index in enumerate(np.ndindex(*lead)):
            for rows, weights in rows_of(op.weight, given[b] != 0, inputs, index):
                found[b] += given[b, rows] @ (weights != 0)
        return found.reshape(shape)

    return back


def sparse_back(op: ntensor.SparseLinearOp) -> Back:
    kept = np.flatnonzero(op.weight.values)
    source, target = op.source.values[kept].astype(np.int64), op.target.values[kept].astype(np.int64)
    order = np.argsort(target, kind="stable")
    source = source[order]
    shape, reads, gives = shape_of(op.x), prod(shape_of(op.x)), prod(shape_of(op.y))
    count = np.bincount(target, minlength=gives)
    start = np.concatenate([[0], np.cumsum(count)])[:-1]

    def back(n: Counts) -> Counts:
        given = n.reshape(-1)
        rows = np.flatnonzero(given)
        size = count[rows]
        total = int(size.sum())
        where = np.arange(total) + np.repeat(start[rows] - (np.cumsum(size) - size), size)
        found = np.bincount(source[where], weights=np.repeat(given[rows], size), minlength=reads)
        return found.astype(np.float64).reshape(shape)

    return back


def fan_in_back(op: ntensor.FanInLinearOp) -> Back:
    shape, reads, width = shape_of(op.x), prod(shape_of(op.x)), op.source.shape[1]
    kept = None if isinstance(op.weight.data, RuleArray) else op.weight.values != 0

    def back(n: Counts) -> Counts:
        given = n.reshape(-1)
        found = np.zeros(reads)
        for rows, sources in rows_of(op.source, given != 0, width):
            paths = np.repeat(given[rows], width)
            if kept is not None:
                paths = paths * kept[rows].reshape(-1)
            found += np.bincount(sources.reshape(-1), paths, reads)
        return found.reshape(shape)

    return back


# ---- synapses of each neuron


def fan_in(chain: Sequence[Operation], shape: tuple[int, ...]) -> Counts:
    """Paths that end at each neuron behind a chain, from sources of this shape."""
    n = np.ones(shape)
    for op in chain:
        n = forward(op, n)
    return n


def forward(op: Operation, n: Counts) -> Counts:
    match op:
        case ntensor.ReshapeOp():
            return n.reshape(shape_of(op.y))
        case ntensor.ScaleOp():
            return n * (op.scale.values != 0)
        case ntensor.PoolOp() | ntensor.ConvolutionOp():
            return window_forward(op, n)
        case ntensor.LinearOp():
            *lead, outputs, inputs = op.weight.shape
            given, found = n.reshape(prod(lead), inputs), np.zeros((prod(lead), outputs))
            every = np.ones(outputs, np.bool_)
            for b, index in enumerate(np.ndindex(*lead)):
                for rows, weights in rows_of(op.weight, every, inputs, index):
                    found[b, rows] = (weights != 0) @ given[b]
            return found.reshape(shape_of(op.y))
        case ntensor.SparseLinearOp():
            kept = np.flatnonzero(op.weight.values)
            weights = n.reshape(-1)[op.source.values[kept]]
            found = np.bincount(op.target.values[kept], weights, prod(shape_of(op.y)))
            return found.astype(np.float64).reshape(shape_of(op.y))
        case ntensor.FanInLinearOp():
            return fan_in_forward(op, n).reshape(shape_of(op.y))
        case _:
            return n


def fan_in_forward(op: ntensor.FanInLinearOp, n: Counts) -> Counts:
    """Without its sources where every neuron that is read counts one."""
    outputs, width = op.source.shape
    kept = np.ones(1, np.bool_) if isinstance(op.weight.data, RuleArray) else op.weight.values != 0
    if (n == 1).all():
        return np.broadcast_to(kept, (outputs, width)).sum(axis=1).astype(np.float64)
    found = np.zeros(outputs)
    for rows, sources in rows_of(op.source, np.ones(outputs, np.bool_), width):
        found[rows] = (n.reshape(-1)[sources] * np.broadcast_to(kept, (outputs, width))[rows]).sum(axis=1)
    return found


def window_forward(op: ntensor.ConvolutionOp | ntensor.PoolOp, n: Counts) -> Counts:
    window = window_of(op)
    padded = window.padded()
    window.inner(padded)[...] = n.reshape(window.reads)
    is_same = bool((padded == padded[:1]).all())
    found = np.zeros(window.gives)
    outputs = window.gives[0]
    for y, x in window.taps():
        part = padded[(slice(None), *window.at((y, x), (0, 0), window.gives[1:]))]
        if window.weights is None:
            found += part
            continue
        weights = window.weights[:, :, y, x]
        if is_same:
            found += weights.sum(axis=1)[:, None, None] * part[0]
            continue
        each, inputs = outputs // window.groups, weights.shape[1]
        for g in range(window.groups):
            own = weights[g * each : (g + 1) * each].astype(np.float64)
            flat = part[g * inputs : (g + 1) * inputs].reshape(inputs, -1)
            found[g * each : (g + 1) * each] += (own @ flat).reshape(each, *found.shape[1:])
    return found.reshape(shape_of(op.y))


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
    steps = [[prepared(op) for op in reversed(chain)] for _, chain in chains]
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

"""Chains of ops between a source and a population: their paths, op by op, facts about their weights, and their counts.

Counts of a chain between the slices of its source and those of its target are cached by its content and that of both slicings, so that the
passes of a mapping and the verifier count once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from math import prod

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from xdsl.ir import Operation

from ...core.arrays.numeric import Bools, Counts, Ints
from ...core.device.synapse_records import SignMode
from ...core.ir.operation import shape_of
from ...core.synapse.tree import PRE
from ...core.windows import Window, largest_sizes
from ..equations.trace_products import named, products_of
from ..nir.synapses import StdpAttr
from ..ntensor import DelayOp, ReshapeOp, SynapseOpInterface, WindowOp, delay_property
from ._cache_keys import Content, content_of
from .lines import LineSynapses, line_synapses
from .slicing import Slicing
from .weights import Mantissas, mantissa_bits, sign_of

SourceTrace = tuple[tuple[int, float], ...]
"""The time constant of a trace, and its kind if it counts the last spike alone, as values of a class."""
CACHED_BYTES = 2**28
"""The size of the cache of counts."""


@frozen(eq=False, slots=False)
class Chain:
    """A path of ops from a source to a population; each op reads the op before it. The ops must not change while the chain exists."""

    ops: tuple[Operation, ...]

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for chains with equal counts."""
        return Content(tuple(map(content_of, self.ops)))

    @cached_property
    def line_synapses(self) -> LineSynapses:
        """Returns the synapses with the lines of their axons."""
        return line_synapses(self.ops)


# ---- paths through an op


def prepare_backwards(op: Operation) -> Callable[[Counts], Counts]:
    """Returns a function that maps the number of paths from each element of an op's result to the number from each element of its operand."""
    match op:
        case SynapseOpInterface():
            return op.prepare_backwards()
        case ReshapeOp():
            shape = shape_of(op.x)
            return lambda n: n.reshape(shape)
        case _:
            return lambda n: n


def count_forwards(op: Operation, n: Counts) -> Counts:
    """Returns the number of paths to each element of an op's result; `n` has the number of paths to each element of its operand."""
    match op:
        case SynapseOpInterface():
            return op.count_forwards(n)
        case ReshapeOp():
            return n.reshape(shape_of(op.y))
        case _:
            return n


def count_fan_in(ops: Iterable[Operation], shape: tuple[int, ...]) -> Counts:
    """Returns the paths that end at each neuron after a chain, from sources of this shape."""
    n = np.ones(shape)
    for op in ops:
        n = count_forwards(op, n)
    return n


# ---- facts of a chain


def delay_range(ops: Iterable[Operation]) -> tuple[int, int]:
    """Returns the shortest and the longest delay of a chain [ticks]."""
    low = high = 0
    for op in ops:
        found = delay_property(op)
        if found is not None and (ticks := found[1].data).size:
            low, high = low + int(ticks.least()), high + int(ticks.greatest())
    return low, high


def kernel_entries(ops: Iterable[Operation]) -> int | None:
    """Returns the number of kernel weights of a chain of convolutions and pools; None for any other chain."""
    windows = [op for op in ops if not isinstance(op, DelayOp | ReshapeOp)]
    found = [op.kernel_entries for op in windows if isinstance(op, SynapseOpInterface)]
    entries = [n for n in found if n is not None]
    return sum(entries) if windows and len(entries) == len(windows) else None


def chain_mantissas(ops: Iterable[Operation]) -> Mantissas:
    """Returns the weight widths of a chain by exponent; for several ops with weights, only the greatest width."""
    found = [bits for op in ops if (bits := mantissa_bits(op))[0]]
    return found[0] if len(found) == 1 else (max((bits[0] for bits in found), default=0),)


def chain_sign(ops: Iterable[Operation]) -> SignMode:
    """Returns the sign mode of a chain's weights; for several ops, the sign mode of the products of their weights."""
    signs = [sign_of(op) for op in ops if isinstance(op, SynapseOpInterface)]
    if "mixed" in signs:
        return "mixed"
    return "inhibitory" if signs.count("inhibitory") % 2 else "excitatory"


def source_traces(ops: Iterable[Operation]) -> frozenset[SourceTrace]:
    """Returns the different traces of sources that the learning rules of a chain need, as pair rules and trace products declare them."""
    found = set[SourceTrace]()
    for op in ops:
        if isinstance(op, SynapseOpInterface):
            given, products = op.learning_rule, products_of(op)
            if isinstance(given, StdpAttr):
                found.add(((0, given.values["tau_plus"]),))
            elif given is not None and products is not None:
                for name in named(products.traces, PRE):
                    tau = (0, given.values[products.tau(name)])
                    found.add((tau, (1, 1.0)) if name in products.nearest else (tau,))
    return frozenset(found)


def windows_of(ops: Iterable[Operation]) -> Iterator[Window]:
    """Yields the windows of a chain."""
    yield from (op.window() for op in ops if isinstance(op, WindowOp))


# ---- counts of one chain


@frozen(eq=False, slots=False)
class ChainCounts:
    """Synapse counts of one chain between source slices and target slices.

    Shapes: synapses and axons [target slices, source slices]; fan_in [target neurons]; packed [target slices, bytes].
    """

    source: Slicing
    synapses: Ints
    axons: Ints
    fan_in: Counts
    rows: list[tuple[Ints, Ints]]
    """For each target slice the different numbers of synapses that a source neuron has into it, and the neurons of each number."""
    packed: NDArray[np.uint8]
    """A bit for each source neuron with a synapse into a slice, in the order of `Slicing.arranged`."""
    low: Ints
    high: Ints
    """The shortest and the longest delay of each edge; 0 without one. Units: [ticks]. Shapes: [target slices, source slices]."""
    mantissas: Mantissas
    """Bits of its weights for each exponent that a table can have; only 0 for the product of several weights."""
    sign: SignMode
    learns: bool
    """Whether its weights change."""
    source_traces: frozenset[SourceTrace]
    """The traces of sources that this needs."""
    kernel_entries: int | None
    window_sizes: Mapping[str, int]
    """The greatest of each number of its windows that devices limit."""

    @property
    def weight_bits(self) -> int:
        """Returns the bits of its weights without an exponent."""
        return self.mantissas[0]

    @cached_property
    def delays(self) -> tuple[int, int]:
        """Returns the shortest and the longest delay of all edges [ticks]."""
        used = self.axons > 0
        return (int(self.low[used].min()), int(self.high[used].max())) if used.any() else (0, 0)

    @cached_property
    def slice_synapses(self) -> Ints:
        """Returns the synapses into each slice."""
        return self.synapses.sum(axis=1)

    @cached_property
    def slice_axons(self) -> Ints:
        """Returns the source neurons with a synapse into each slice."""
        return self.axons.sum(axis=1)

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Returns target slice and source slice of each edge."""
        return [(int(t), int(s)) for t, s in np.argwhere(self.axons)]

    def sources(self, target: int, source: int) -> Ints | None:
        """Returns the neurons of a source slice with a synapse into a target slice, by their index in it; None for all."""
        size = len(self.source.members[source])
        if int(self.axons[target, source]) == size:
            return None
        low = int(self.source.starts[source])
        bits = np.unpackbits(self.packed[target, low // 8 : -(-(low + size) // 8)])
        return np.flatnonzero(bits[low % 8 : low % 8 + size])

    def add_reached(self, reached: Ints, masks: NDArray[np.uint8]) -> None:
        """Adds to each source neuron the number of slices in `masks`, which may unite several chains."""
        for mask in masks:
            reached[self.source.arranged] += np.unpackbits(mask, count=len(self.source.arranged))

    @property
    def size_bytes(self) -> int:
        arrays = self.synapses, self.axons, self.fan_in, self.packed, self.source.arranged
        return sum(array.nbytes for array in arrays)


class CountCache:
    """Counts of chains by content. The least recently used ones are dropped beyond `CACHED_BYTES`."""

    def __init__(self) -> None:
        self.entries: OrderedDict[Hashable, ChainCounts] = OrderedDict()
        self.size_bytes = 0

    def find(self, key: Hashable, count: Callable[[], ChainCounts]) -> ChainCounts:
        """Returns the counts of a key, which are computed if they are not cached."""
        if (found := self.entries.get(key)) is not None:
            self.entries.move_to_end(key)
            return found
        found = self.entries[key] = count()
        self.size_bytes += found.size_bytes
        while self.size_bytes > CACHED_BYTES and len(self.entries) > 1:
            self.size_bytes -= self.entries.popitem(last=False)[1].size_bytes
        return found


CACHE = CountCache()
"""A global is safe, since a key determines its counts."""


def count_chain(chain: Chain, target: Slicing, source: Slicing) -> ChainCounts:
    """Returns the synapse counts of one chain between source slices and target slices. Results are cached by content."""
    key = chain.content, target.content, source.content
    return CACHE.find(key, lambda: count_uncached(chain, target, source))


def count_uncached(chain: Chain, target: Slicing, source: Slicing) -> ChainCounts:
    steps = [prepare_backwards(op) for op in reversed(chain.ops)]
    shape = len(target.boxes), len(source.boxes)
    synapses, axons = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    packed = np.zeros((shape[0], -(-len(source.arranged) // 8)), np.uint8)
    none = np.zeros(0, np.int64)
    rows: list[tuple[Ints, Ints]] = [(none, none)] * shape[0]
    for t in range(shape[0] if source.size else 0):
        paths = target.indicator(t)
        for step in steps:
            paths = step(paths)
        arranged = paths.reshape(-1)[source.arranged]
        synapses[t] = np.add.reduceat(arranged, source.starts).round()
        axons[t] = np.add.reduceat((arranged > 0).astype(np.int64), source.starts)
        packed[t] = np.packbits(arranged > 0)
        rows[t] = row_counts(arranged.round().astype(np.int64))
    low, high = edge_delays(chain, target, source, axons > 0)
    return ChainCounts(
        source,
        synapses,
        axons,
        count_fan_in(chain.ops, source.shape).reshape(-1),
        rows,
        packed,
        low,
        high,
        chain_mantissas(chain.ops),
        chain_sign(chain.ops),
        any(isinstance(op, SynapseOpInterface) and op.learning_rule is not None for op in chain.ops),
        source_traces(chain.ops),
        kernel_entries(chain.ops),
        largest_sizes(windows_of(chain.ops)),
    )


def row_counts(synapses: Ints) -> tuple[Ints, Ints]:
    """Returns the different numbers in an array without 0, ascending, and how often each occurs."""
    often = np.bincount(synapses)
    numbers = np.flatnonzero(often[1:]) + 1
    return numbers, often[numbers]


def edge_delays(chain: Chain, target: Slicing, source: Slicing, is_edge: Bools) -> tuple[Ints, Ints]:
    """Returns the shortest and the longest delay of the synapses between each pair of slices, 0 without a synapse [ticks]."""
    low, high = delay_range(chain.ops)
    if low == high or not source.size:
        same = np.where(is_edge, low, 0)
        return same, same
    found = np.zeros((2, *is_edge.shape), np.int64)
    steps = [prepare_delays(op) for op in reversed(chain.ops)]
    for k, sign in enumerate((-1.0, 1.0)):  # the shortest delay is the longest of negative ones
        for t in range(len(target.boxes)):
            ticks = np.where(target.indicator(t) > 0, 0.0, -np.inf)
            for step in steps:
                ticks = step(ticks, sign)
            longest = np.maximum.reduceat(ticks.reshape(-1)[source.arranged], source.starts)
            found[k, t] = np.where(is_edge[t], sign * np.where(is_edge[t], longest, 0), 0).astype(np.int64)
    return found[0], found[1]


def prepare_delays(op: Operation) -> Callable[[Counts, float], Counts]:
    """Returns a function that maps the longest delay from each element of an op's result to that of its operand; -inf without a path."""
    match op:
        case DelayOp():
            own = np.broadcast_to(op.ticks.values, shape_of(op.x)).astype(np.float64)
            return lambda ticks, sign: ticks + sign * own
        case SynapseOpInterface():
            source, target, place = op.used_pairs()
            late = np.zeros(len(source))
            if op.delays is not None and op.weights is not None:
                late = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)[place].astype(np.float64)
            shape = shape_of(op.x)

            def back(ticks: Counts, sign: float) -> Counts:
                found = np.full(prod(shape), -np.inf)
                np.maximum.at(found, source, ticks.reshape(-1)[target] + sign * late)
                return found.reshape(shape)

            return back
        case ReshapeOp():
            before = shape_of(op.x)
            return lambda ticks, _: ticks.reshape(before)
        case _:
            return lambda ticks, _: ticks

"""Connectivity of slices: synapses, axons, fan-in and fan-out, counted without a matrix of sources and targets.

For each slice of a target, the paths into its neurons are followed backwards along each chain, op by op, as an array of counts: through
rows of a linear map, through the windows of a convolution or pool. Pools are folded into the ops after them. Weights are read once and
in slices.

| word | counts |
| --- | --- |
| synapses | paths from a neuron to a neuron over weights that are not zero; a pool has one for each of its inputs |
| axons | source neurons of a slice with a synapse into another slice |
| fan_in | synapses of one neuron, over all chains that reach it |
| fan_out | slices that one neuron has synapses into, its own included |

Counts of a chain are cached by its content and that of both slicings, so that the passes of a mapping and the verifier count once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray
from xdsl.ir import Attribute, Operation

from ...core.arrays.arrays import ArrayAttr
from ...core.arrays.numeric import Bools, Counts, Ints
from ...core.device.synapse_records import SignMode
from ...core.ir.operation import shape_of
from ...core.windows import Window, largest_sizes
from ..nir_ops.synapses import StdpAttr
from ..ntensor import DelayOp, QuantizedAttr, ReshapeOp, SynapseOpInterface, WindowOp, delay_property
from .lines import Line, LineSynapses, line_synapses, masks_of, ranked_chains
from .weights import Mantissas, mantissa_bits, sign_of

UNCOUNTED = ("node", "part_of", "bias", "exponent")
"""Properties of ops without an effect on counts."""
CACHED_BYTES = 2**28
"""The size of the cache of counts."""


@frozen(cache_hash=True)
class Content:
    """A key of the cache, which is hashed once."""

    value: Hashable


@frozen(eq=False, slots=False)
class Chain:
    """Ops from a source to a population, each of which reads the op before it. They must not change during its life."""

    ops: tuple[Operation, ...]

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for chains with equal counts."""
        return Content(tuple(map(content_of, self.ops)))

    @cached_property
    def line_synapses(self) -> LineSynapses:
        """Returns the synapses with the lines of their axons."""
        return line_synapses(self.ops)


# ---- slices


@frozen(eq=False, slots=False)
class Slicing:
    """The slices of a population or an input.

    Shapes: boxes [slices, axes, 2], of the shape, or of the order if there is one; order [neurons].
    """

    shape: tuple[int, ...]
    boxes: Ints
    order: Ints | None = field(default=None)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @cached_property
    def content(self) -> Content:
        """Returns a key that is equal for equal slicings."""
        return Content((self.shape, self.boxes.tobytes(), None if self.order is None else self.order.tobytes()))

    @cached_property
    def members(self) -> list[Ints]:
        """Returns the flat indices of the neurons of each slice, in the order of their indices in it."""
        if self.order is not None:
            return [self.order[low:below] for (low, below) in self.boxes[:, 0].tolist()]
        flat = np.arange(self.size).reshape(self.shape)
        return [flat[tuple(slice(low, below) for low, below in box)].reshape(-1) for box in self.boxes.tolist()]

    @cached_property
    def arranged(self) -> Ints:
        """Returns the members of all slices, one after the other."""
        return np.concatenate(self.members) if self.members else np.zeros(0, np.int64)

    @cached_property
    def sizes(self) -> Ints:
        """Returns the number of neurons of each slice."""
        return np.array([len(one) for one in self.members], np.int64)

    @cached_property
    def starts(self) -> Ints:
        """Returns the index in `arranged` at which each slice starts."""
        return np.concatenate([[0], np.cumsum(self.sizes)])[:-1].astype(np.int64)

    def indicator(self, k: int) -> Counts:
        """Returns 1 for each neuron of a slice, else 0."""
        found = np.zeros(self.size)
        found[self.members[k]] = 1
        return found.reshape(self.shape)


def single_slice(shape: tuple[int, ...]) -> Slicing:
    """Returns one slice with all neurons, or no slice if there are none."""
    boxes = np.array([[[0, n] for n in shape]], np.int64).reshape(1, len(shape), 2)
    return Slicing(shape, boxes if prod(shape) else boxes[:0])


# ---- paths through an op


def prepare_backwards(op: Operation) -> Callable[[Counts], Counts]:
    """Returns a function from paths that leave the result of an op to those that leave its operand."""
    match op:
        case SynapseOpInterface():
            return op.prepare_backwards()
        case ReshapeOp():
            shape = shape_of(op.x)
            return lambda n: n.reshape(shape)
        case _:
            return lambda n: n


def count_forwards(op: Operation, n: Counts) -> Counts:
    """Returns the paths that end at the result of an op from those that end at its operand."""
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
    """Returns the weights of the kernels of a chain of convolutions and pools; None for any other chain."""
    windows = [op for op in ops if not isinstance(op, DelayOp | ReshapeOp)]
    found = [op.kernel_entries for op in windows if isinstance(op, SynapseOpInterface)]
    entries = [n for n in found if n is not None]
    return sum(entries) if windows and len(entries) == len(windows) else None


def chain_mantissas(ops: Iterable[Operation]) -> Mantissas:
    """Returns the bits of the weights of a chain by exponent; of several ops with weights those of the widest."""
    found = [bits for op in ops if (bits := mantissa_bits(op))[0]]
    return found[0] if len(found) == 1 else (max((bits[0] for bits in found), default=0),)


def chain_sign(ops: Iterable[Operation]) -> SignMode:
    """Returns the sign mode of the weights of a chain: of several ops that of their products."""
    signs = [sign_of(op) for op in ops if isinstance(op, SynapseOpInterface)]
    if "mixed" in signs:
        return "mixed"
    return "inhibitory" if signs.count("inhibitory") % 2 else "excitatory"


def chain_rule(ops: Iterable[Operation]) -> StdpAttr | None:
    """Returns the learning rule of a chain: that of its first op with one."""
    return next((rule for op in ops if isinstance(op, SynapseOpInterface) and (rule := op.learning_rule)), None)


def windows_of(ops: Iterable[Operation]) -> Iterator[Window]:
    """Yields the windows of a chain."""
    yield from (op.window() for op in ops if isinstance(op, WindowOp))


# ---- counts of one chain


@frozen(eq=False, slots=False)
class ChainCounts:
    """Synapses of one chain between the slices of a source and those of a target.

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
    learning_rule: StdpAttr | None
    """The rule of its weights, if they change."""
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


def content_of(op: Operation) -> Hashable:
    """Returns a key that is equal for ops with equal counts, and holds no array."""
    properties = tuple(
        (name, content_of_property(given)) for name, given in op.properties.items() if name not in UNCOUNTED
    )
    return type(op), op.operands[0].type, op.results[0].type, properties


def content_of_property(given: Attribute) -> Hashable:
    match given:
        case ArrayAttr():
            return given.data.digest
        case QuantizedAttr():
            return given.bits, given.zero.data.digest
        case _:
            return given


def count_chain(chain: Chain, target: Slicing, source: Slicing) -> ChainCounts:
    """Returns the synapses of one chain from the slices of a source to those of a target."""
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
        chain_rule(chain.ops),
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
    """Returns a function from the longest delay of the paths that leave the result of an op to that of its operand; -inf without a path."""
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


# ---- counts of a population


@frozen(eq=False, slots=False)
class Arrivals:
    """The synapses of all chains into the slices of a population."""

    chains: list[ChainCounts]
    synapses: Ints
    """[slices]"""
    input_axons: Ints
    """[slices]: source neurons, each once for all of its chains."""
    fan_in: Ints
    """[slices], of the neuron with most."""
    axons: dict[str, NDArray[np.uint8]]
    """By source: a bit for each neuron with a synapse into a slice over any chain, as `ChainCounts.packed`. [slices, bytes]"""
    learning_axons: dict[str, NDArray[np.uint8]]
    """The same over the chains whose weights change; only sources of such chains."""
    target: Slicing
    paths: Sequence[tuple[str, Chain]]
    sources: Mapping[str, Slicing]

    @cached_property
    def lines(self) -> dict[str, dict[Line, NDArray[np.uint8]]]:
        """Returns by source and line a bit for each neuron with a synapse into a slice, as `axons`. Shapes: [slices, bytes]."""
        slice_of, slices = place_in(self.target), len(self.target.boxes)
        found: dict[str, dict[Line, NDArray[np.uint8]]] = {}
        for name, one in ranked_chains([(name, chain.line_synapses) for name, chain in self.paths]):
            arranged = self.sources[name].arranged
            place = np.empty(len(arranged), np.int64)
            place[arranged] = np.arange(len(arranged))
            own = found.setdefault(name, {})
            for line, masks in masks_of(one, slice_of, slices, place, len(arranged)).items():
                own[line] = masks if line not in own else own[line] | masks
        return found

    @cached_property
    def line_fan_in(self) -> Ints:
        """Returns the axons of the neuron with most, in each slice."""
        total = np.zeros(self.target.size, np.int64)
        for _, chain in self.paths:
            total += np.bincount(chain.line_synapses.target, minlength=len(total))
        return np.array([total[own].max(initial=0) for own in self.target.members], np.int64)

    @cached_property
    def line_axons(self) -> Ints:
        """Returns the axons of each slice, where each source neuron has one for each line."""
        total = np.zeros(len(self.target.boxes), np.int64)
        for lines in self.lines.values():
            for masks in lines.values():
                total += count_bits(masks)
        return total


def count_arrivals(
    target: Slicing,
    chains: Sequence[tuple[str, Chain]],
    sources: Mapping[str, Slicing],
    reached: Mapping[str, Ints] | None = None,
) -> Arrivals:
    """Counts the synapses into each slice of a population, over chains from sources by name.

    `reached` [neurons of a source], if given, grows by 1 for each slice that a neuron has synapses into.
    """
    found = [count_chain(chain, target, sources[name]) for name, chain in chains]
    by_source: dict[str, list[ChainCounts]] = {}
    for (name, _), one in zip(chains, found, strict=True):
        by_source.setdefault(name, []).append(one)
    synapses, input_axons = np.zeros(len(target.boxes), np.int64), np.zeros(len(target.boxes), np.int64)
    fan_in, axons, learning = np.zeros(target.size), dict[str, NDArray[np.uint8]](), dict[str, NDArray[np.uint8]]()
    for one in found:
        synapses += one.slice_synapses
        fan_in += one.fan_in
    for name, several in by_source.items():
        first, *others = several
        masks = join_masks(several)
        if changing := [one for one in several if one.learning_rule is not None]:
            learning[name] = join_masks(changing)
        input_axons += first.slice_axons if not others else count_bits(masks)
        axons[name] = masks
        if reached is not None:
            first.add_reached(reached[name], masks)
    most = np.array([fan_in[own].max(initial=0) for own in target.members]).astype(np.int64)
    return Arrivals(found, synapses, input_axons, most, axons, learning, target, chains, sources)


def place_in(slicing: Slicing) -> Ints:
    """Returns the slice of each neuron."""
    found = np.zeros(slicing.size, np.int64)
    for k, own in enumerate(slicing.members):
        found[own] = k
    return found


def count_destinations(
    arrivals: Iterable[Arrivals], slices: Mapping[str, Slicing], outputs: Iterable[str]
) -> dict[str, Ints]:
    """Returns the axons that each neuron sends to, by its source; the outputs of the network are one more.

    `outputs` names the source of each output. Shapes: [neurons].
    """
    found = {name: np.zeros(slicing.size, np.int64) for name, slicing in slices.items()}
    for one in arrivals:
        for name, lines in one.lines.items():
            arranged = slices[name].arranged
            for mask in (mask for masks in lines.values() for mask in masks):
                found[name][arranged] += np.unpackbits(mask, count=len(arranged))
    for name in {*outputs}:
        found[name] += 1
    return found


def join_masks(chains: Sequence[ChainCounts]) -> NDArray[np.uint8]:
    """Returns a bit for each source neuron with a synapse into a slice over any of some chains. Shapes: [slices, bytes]."""
    masks = chains[0].packed
    for one in chains[1:]:
        masks = masks | one.packed
    return masks


def count_bits(masks: Iterable[NDArray[np.uint8]]) -> Ints:
    """Returns the number of bits that are set in each mask."""
    return np.array([np.unpackbits(mask).sum(dtype=np.int64) for mask in masks], np.int64)


@frozen
class Joint:
    """The synapses of one chain between two slices."""

    chain: int
    source: int
    target: int
    """Indices of the chain and of both slices."""
    synapses: int
    axons: int
    delays: tuple[int, int]
    """The shortest and the longest of these synapses [ticks]."""


def joints(found: Arrivals) -> Iterator[Joint]:
    """Yields the pairs of connected slices, by target, then by chain, then by source."""
    places = [(t, c, s) for c, one in enumerate(found.chains) for t, s in one.places]
    for t, c, s in sorted(places):
        one = found.chains[c]
        delays = int(one.low[t, s]), int(one.high[t, s])
        yield Joint(c, s, t, int(one.synapses[t, s]), int(one.axons[t, s]), delays)

"""Multicast sets: neurons of one vertex whose spikes go to the same targets, as arrays in compressed rows.

    neuron 0 of vertex 4: targets 5, 7                   sets    source = [4, 4], start = [0, 2, 3], target = [5, 7, 7]
    neuron 1 of vertex 4: target 7             =>                member_start = [0, 2, 3], member = [0, 2, 1]
    neuron 2 of vertex 4: targets 5, 7

Time and memory are linear in the pairs of a neuron and a target vertex, up to sorting. Rows of targets are compared by a hash of 64 bits, and then target by target. A row
that differs from the first row with the same hash is a set of its own, so that a collision costs a tree and never a wrong one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from ...core.arrays.numeric import Bools, Indices, Ints, Reals
from ...core.arrays.runs import indices_of_runs
from ...core.arrays.unique_integers import unique_integers

MOST_PAIRS = 1 << 22
"""Pairs of a neuron and a target whose sets are found at once."""
RUN_PAIRS = 1 << 20
"""Pairs of a set and a target that are processed at once."""
Hashes = NDArray[np.uint64]
INCREMENT, FIRST, SECOND = (np.uint64(n) for n in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
"""Constants of the SplitMix64 generator (Steele, Lea and Flood, OOPSLA 2014)."""


@frozen(eq=False)
class MulticastSets:
    """Sets of neurons, by vertex, then by their first neuron.

    Shapes: source and activity [sets]; start and member_start [sets + 1]; target [start[-1]], ascending in each set; member [member_start[-1]].
    Units: activity [events per tick].
    """

    source: Ints
    start: Ints
    target: Indices
    activity: Reals
    member_start: Ints
    member: Ints
    """The neurons of each set: their indices in the vertex."""


@frozen(eq=False)
class Sending:
    """The spikes that one edge needs: some neurons of a vertex, and another vertex."""

    source: int
    target: int
    neurons: Ints | None
    """None: all neurons of the vertex."""
    rate: float
    """Events of one of the neurons in one tick."""


def runs_of_vertices(source: Ints, start: Ints) -> Iterator[tuple[int, int]]:
    """Yields runs of sets with about `RUN_PAIRS` targets, each with all sets of its vertices; at least one.

    Shapes: source [sets], in the order of vertices; start [sets + 1].
    """
    ends, low = [*(np.flatnonzero(np.diff(source)) + 1).tolist(), len(source)], 0
    for end, after in zip(ends, [*ends[1:], None], strict=True):
        if after is None or start[after] - start[low] > RUN_PAIRS:
            yield low, end
            low = end


def multicast_sets(sendings: list[Sending], sizes: Ints, *, is_merged: bool = False) -> MulticastSets:
    """Returns the sets of all vertices; with `is_merged` all neurons of a vertex are one set, with the targets of all.

    A neuron has the mean rate of the edges that need its spikes. Shapes: sizes [vertices], their neurons.
    """
    count = len(sizes)
    by_source: dict[int, list[Sending]] = {}
    for one in sendings:
        by_source.setdefault(one.source, []).append(one)
    whole = {v: some for v, some in by_source.items() if is_merged or all(one.neurons is None for one in some)}
    base = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rate, times = np.zeros(int(base[-1])), np.zeros(int(base[-1]))
    for one in sendings:
        low = int(base[one.source])
        chosen = slice(low, int(base[one.source + 1])) if one.neurons is None else low + one.neurons.astype(np.int64)
        rate[chosen] += one.rate
        times[chosen] += 1
    rate /= np.maximum(times, 1)
    parts = [sets_of_part(part, base, rate, count) for part in parts_of(by_source, whole, sizes)]
    return with_whole_vertices(joined_sets(parts), whole, sizes, rate, base)


def parts_of(by_source: Mapping[int, list[Sending]], whole: Container[int], sizes: Ints) -> Iterator[list[Sending]]:
    """Yields the spikes of some vertices each time, with about `MOST_PAIRS` pairs of a neuron and a target; at least one list."""
    part, pairs = list[Sending](), 0
    for source in sorted(by_source):
        if source in whole:
            continue
        own = sum(int(sizes[source]) if one.neurons is None else len(one.neurons) for one in by_source[source])
        if part and pairs + own > MOST_PAIRS:
            yield part
            part, pairs = list[Sending](), 0
        part.extend(by_source[source])
        pairs += own
    yield part


def sets_of_part(sendings: list[Sending], base: Ints, rate: Reals, count: int) -> MulticastSets:
    """Returns the sets of some of `count` vertices. Shapes: base [vertices + 1]: their first neurons; rate [neurons]."""
    neurons, targets = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for one in sendings:
        low = int(base[one.source])
        places = (
            np.arange(low, int(base[one.source + 1])) if one.neurons is None else low + one.neurons.astype(np.int64)
        )
        neurons.append(places)
        targets.append(np.full(len(places), one.target))
    pairs = unique_integers(np.concatenate(neurons) * count + np.concatenate(targets))
    neuron, target = np.divmod(pairs, max(count, 1))
    row = np.flatnonzero(np.diff(neuron, prepend=-1))
    first = neuron[row]
    vertex = np.searchsorted(base, first, "right") - 1
    start = np.append(row, len(pairs))
    label = equal_rows(vertex, start, target)
    return sets_of(label, vertex, first - base[vertex], start, target, rate[first])


def joined_sets(parts: Sequence[MulticastSets]) -> MulticastSets:
    """Returns the sets of several groups of vertices, at least one group."""
    if len(parts) == 1:
        return parts[0]
    source, target, activity, member = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("source", "target", "activity", "member")
    )
    starts = [
        np.concatenate([[0], np.cumsum(np.concatenate([np.diff(getattr(part, name)) for part in parts]))])
        for name in ("start", "member_start")
    ]
    return MulticastSets(source, starts[0].astype(np.int64), target, activity, starts[1].astype(np.int64), member)


def equal_rows(owner: Ints, start: Ints, value: Ints, hashes: Callable[[Ints], Hashes] | None = None) -> Ints:
    """Returns for each row the first row with the same owner and the same values.

    Shapes: owner [rows], start [rows + 1], value [start[-1]], ascending in each row; result [rows].
    """
    rows = len(owner)
    if not rows:
        return np.zeros(0, np.int64)
    sizes = np.diff(start)
    sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum((hashes or mix)(value), dtype=np.uint64)])
    code = sums[start[1:]] - sums[start[:-1]]  # modulo 2^64
    order = np.lexsort((np.arange(rows), sizes, code, owner))
    is_new = np.ones(rows, np.bool_)
    is_new[1:] = (np.diff(owner[order]) != 0) | (code[order][1:] != code[order][:-1]) | (np.diff(sizes[order]) != 0)
    first = np.empty(rows, np.int64)
    first[order] = order[np.flatnonzero(is_new)][np.cumsum(is_new) - 1]
    differs = rows_differ(first, start, value)
    first[differs] = np.flatnonzero(differs)
    return first


def rows_differ(first: Ints, start: Ints, value: Ints) -> Bools:
    """Returns whether each row differs from another row of the same size. Shapes: first [rows], the other row; result [rows]."""
    sizes = np.diff(start)
    other = indices_of_runs(start[:-1][first], sizes)
    is_other = value != value[other]
    return np.bincount(np.repeat(np.arange(len(sizes)), sizes)[is_other], minlength=len(sizes)) > 0


def mix(value: Ints) -> Hashes:
    """Returns a hash of each value (SplitMix64)."""
    found = (value.astype(np.uint64) + np.uint64(1)) * INCREMENT
    found = (found ^ (found >> np.uint64(30))) * FIRST
    found = (found ^ (found >> np.uint64(27))) * SECOND
    return found ^ (found >> np.uint64(31))


def sets_of(label: Ints, vertex: Ints, neuron: Ints, start: Ints, target: Ints, rate: Reals) -> MulticastSets:
    """Returns the sets of rows with equal labels, in the order of their first rows. Shapes: label, vertex, neuron and rate [rows]."""
    leaders, which = np.unique(label, return_inverse=True)
    members = np.argsort(which, kind="stable")
    sizes = np.diff(start)[leaders]
    counts = np.bincount(which, minlength=len(leaders))
    return MulticastSets(
        vertex[leaders],
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        target[indices_of_runs(start[:-1][leaders], sizes)].astype(np.int32),
        np.bincount(which, rate, len(leaders)).astype(np.float64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        neuron[members],
    )


def with_whole_vertices(
    sets: MulticastSets, whole: dict[int, list[Sending]], sizes: Ints, rate: Reals, base: Ints
) -> MulticastSets:
    """Returns the sets with a set of all neurons for each vertex that sends as a whole, by vertex."""
    if not whole:
        return sets
    vertices = np.array(sorted(whole), np.int64)
    targets = [np.unique([one.target for one in whole[v]]).astype(np.int32) for v in vertices.tolist()]
    own = [rate[base[v] : base[v + 1]].sum() for v in vertices.tolist()]
    source = np.concatenate([sets.source, vertices])
    order = np.argsort(source, kind="stable")
    target_size = np.concatenate([np.diff(sets.start), [len(one) for one in targets]]).astype(np.int64)
    member_size = np.concatenate([np.diff(sets.member_start), sizes[vertices]]).astype(np.int64)
    target = np.concatenate([sets.target, *targets])
    member = np.concatenate([sets.member, indices_of_runs(np.zeros(len(vertices), np.int64), sizes[vertices])])
    starts = [np.concatenate([[0], np.cumsum(size)]) for size in (target_size, member_size)]
    return MulticastSets(
        source[order],
        np.concatenate([[0], np.cumsum(target_size[order])]).astype(np.int64),
        target[indices_of_runs(starts[0][:-1][order], target_size[order])],
        np.concatenate([sets.activity, own])[order],
        np.concatenate([[0], np.cumsum(member_size[order])]).astype(np.int64),
        member[indices_of_runs(starts[1][:-1][order], member_size[order])],
    )

"""How a population is cut: tiles of its axes, as square as may be, or runs of its indices in an order that keeps neighbours together.

Tiles are for populations with two or three axes (channels first) that a convolution or pool feeds or reads: a tile has all channels where
they fit. Other populations are cut into runs. Where their synapses are given one by one, an order is found first, so that neurons with
common partners share a core, whatever their indices are: the graph of neurons is halved again and again along its Fiedler vector, and neurons
change sides as long as that cuts fewer synapses.

Source: M. Fiedler, Algebraic connectivity of graphs, Czechoslovak Math. J. 23:298 (1973); B. W. Kernighan and S. Lin, An efficient heuristic
procedure for partitioning graphs, Bell Syst. Tech. J. 49:291 (1970).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import prod

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import Bools, Ints, Reals

STARTS, PAIRS = 6, 100_000
"""Attempts to halve a graph, and how many pairs of all attempts are looked at; at least one attempt is made."""
TRIALS = 60
"""Exchanges between two halves that are tried."""
KEPT_ORDERS = 16
"""Maximum number of orders of neurons that are kept."""
FIEDLER_STEPS = 120
"""Multiplications that approach a Fiedler vector."""


def cuts(n: int, parts: int) -> list[tuple[int, int]]:
    """Returns even runs of n, `count` of them."""
    ends = [n * k // parts for k in range(parts + 1)]
    return list(pairwise(ends))


def run_boxes(n: int, most: int) -> Ints:
    """Returns even runs of at most `most` neurons. Shapes: [slices, 1, 2]."""
    return np.array(cuts(n, -(-n // most)), np.int64).reshape(-1, 1, 2)


def tile_boxes(shape: tuple[int, ...], most: int) -> Ints:
    """Returns tiles of at most `most` neurons, as few and as square as possible; channels are split last. Shapes: [slices, axes, 2]."""
    channels, *plane = shape
    y, x = (1, *plane) if len(plane) == 1 else tuple(plane)
    best: tuple[int, int, int, int, int] | None = None
    for parts in range(1, channels + 1):
        deep = -(-channels // parts)
        for rows in range(1, y + 1):
            room = most // (deep * -(-y // rows))
            if room < 1:
                continue
            columns = -(-x // min(x, room))
            around = -(-y // rows) + -(-x // columns)
            found = (parts * rows * columns, around, parts, rows, columns)
            best = found if best is None else min(best, found)
        if best is not None:
            break  # fewer channels make no better tiles
    assert best is not None  # most is at least 1, so that single neurons fit
    _, _, parts, rows, columns = best
    boxes = [
        [c, *([] if len(plane) == 1 else [row]), column]
        for c in cuts(channels, parts)
        for row in cuts(y, rows)
        for column in cuts(x, columns)
    ]
    return np.array(boxes, np.int64)


def boxes_of(shape: tuple[int, ...], most: int, *, is_spatial: bool) -> Ints:
    """Returns the slices of a population with a limit of neurons for each; runs where they are not spatial."""
    size = prod(shape)
    if not size:
        return np.zeros((0, len(shape), 2), np.int64)
    if size <= most and len(shape) in (1, 2, 3):
        return np.array([[[0, n] for n in shape]], np.int64)
    if is_spatial and len(shape) in (2, 3):
        return tile_boxes(shape, most)
    return run_boxes(size, most)


# ---- an order for what has no shape


def order_neurons(n: int, source: Ints, target: Ints, ends: Ints) -> Ints:
    """Returns an order of n neurons that puts connected neurons into the same run; `ends` are the ends of the runs.

    The last orders are kept, as a network is planned several times. Shapes: source and target [pairs]; the pairs join neurons, in either direction. The result is a permutation.
    """
    arrays = (np.asarray(one, np.int64).tobytes() for one in (source, target, ends))
    return kept_order(n, *arrays).copy()


@lru_cache(KEPT_ORDERS)
def kept_order(n: int, *arrays: bytes) -> Ints:
    """Returns the order of neurons with these bytes of `source`, `target` and `ends`."""
    source, target, ends = (np.frombuffer(one, np.int64) for one in arrays)
    found = np.empty(n, np.int64)
    random = np.random.Generator(np.random.Philox(key=0))
    stack = [(np.arange(n), 0, len(ends), Graph.of(n, source, target))]
    while stack:
        own, first, last, graph = stack.pop()
        low = int(ends[first - 1]) if first else 0
        if last - first <= 1 or not len(graph.count):
            found[low : low + len(own)] = own
            continue
        middle = (first + last) // 2
        left = int(ends[middle - 1]) - low
        is_left = bisect_neurons(graph, left, random)
        for side, a, b in ((is_left, first, middle), (~is_left, middle, last)):
            stack.append((own[side], a, b, graph.part(side)))
    return found


@frozen
class Graph:
    """Neurons, and the pairs of them that are connected. Shapes: source, target and count [pairs]."""

    n: int
    source: Ints
    target: Ints
    count: Ints
    """How often a pair is connected: two neurons can have many common sources."""

    @staticmethod
    def of(n: int, source: Ints, target: Ints) -> Graph:
        """Returns the undirected graph of pairs of neurons, with the number of times that each pair occurs."""
        pairs, count = np.unique(np.minimum(source, target) * n + np.maximum(source, target), return_counts=True)
        return Graph(n, pairs // n, pairs % n, count)

    def part(self, side: Bools) -> Graph:
        """Returns the graph of some neurons and the pairs among them."""
        place = np.cumsum(side) - 1
        kept = side[self.source] & side[self.target]
        return Graph(int(side.sum()), place[self.source[kept]], place[self.target[kept]], self.count[kept])

    def between(self, side: Bools) -> int:
        """Returns the number of connections between the two sides of a partition."""
        return int(self.count[side[self.source] != side[self.target]].sum())


def bisect_neurons(graph: Graph, left: int, random: np.random.Generator) -> Bools:
    """Returns the members of the left part of a given size: the best of some attempts, whose number depends on the size."""
    n = graph.n
    found: Bools = np.arange(n) < left
    least = np.inf
    starts = max(1, min(STARTS, PAIRS // max(1, len(graph.count))))
    for vector in fiedler(graph, random.standard_normal((starts, n))):
        rank = np.empty(n, np.int64)
        rank[np.argsort(vector, kind="stable")] = np.arange(n)
        tried = improve_bisection(rank < left, graph)
        if (between := graph.between(tried)) < least:
            found, least = tried, between
    return found


def improve_bisection(is_left: Bools, graph: Graph) -> Bools:
    """Returns a bisection of equal sizes with fewer synapses between its halves. The neurons with the greatest gain are exchanged, ever fewer at a time."""
    n, best = graph.n, graph.between(is_left)
    many = n
    for _ in range(TRIALS):
        if not many or not best:
            break
        sign = np.where(is_left[graph.source] != is_left[graph.target], graph.count, -graph.count)
        gain = np.bincount(graph.source, sign, n) + np.bincount(graph.target, sign, n)
        left, right = np.flatnonzero(is_left), np.flatnonzero(~is_left)
        left, right = left[np.argsort(-gain[left], kind="stable")], right[np.argsort(-gain[right], kind="stable")]
        pairs = min(len(left), len(right))
        many = min(many, int((gain[left[:pairs]] + gain[right[:pairs]] > 0).sum()))
        tried = is_left.copy()
        tried[left[:many]], tried[right[:many]] = False, True
        if (found := graph.between(tried)) < best:
            is_left, best = tried, found
        else:
            many //= 2
    return is_left


def fiedler(graph: Graph, x: Reals) -> Reals:
    """Returns approximations of the second eigenvector of a graph's normalised Laplacian (Fiedler vector), computed by iteration.

    Shapes: x [starts, neurons], random vectors; the result has one vector for each of them.
    """
    starts, n = len(x), graph.n
    source, target = np.concatenate([graph.source, graph.target]), np.concatenate([graph.target, graph.source])
    count = np.concatenate([graph.count, graph.count])
    degree = np.bincount(source, count, n)
    root = np.sqrt(degree)
    scale = np.divide(1.0, root, out=np.zeros(n), where=root > 0)
    steady = root / max(1e-300, float(np.sqrt(degree.sum())))
    w = count * scale[source] * scale[target]
    places = (target + n * np.arange(starts)[:, None]).reshape(-1)
    for _ in range(FIEDLER_STEPS):
        x = x - np.outer(x @ steady, steady)
        moved = np.take(x, source, axis=1) * w
        x = 0.5 * (x + np.bincount(places, moved.reshape(-1), starts * n).reshape(starts, n))
        x /= np.maximum(1e-300, np.linalg.norm(x, axis=1, keepdims=True))
    return x * scale

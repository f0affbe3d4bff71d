"""How a population is cut: tiles of its axes, as square as may be, or runs of its indices in an order that keeps neighbours together.

Tiles are for populations with two or three axes (channels first) that a convolution or pool feeds or reads: a tile has all channels where
they fit. Other populations are cut into runs. Where their synapses are given one by one, an order is found first, so that neurons with
common partners share a core, whatever their indices are: the graph of neurons is halved again and again along its Fiedler vector, and neurons
change sides as long as that cuts fewer synapses.

Source: M. Fiedler, Algebraic connectivity of graphs, Czechoslovak Math. J. 23:298 (1973); B. W. Kernighan and S. Lin, An efficient heuristic
procedure for partitioning graphs, Bell Syst. Tech. J. 49:291 (1970).
"""

from __future__ import annotations

from itertools import pairwise
from math import prod

import numpy as np

from ...core.arrays.numeric import Bools, Ints, Reals

STARTS, PAIRS = 6, 100_000
"""Attempts to halve a graph, and how many pairs of all attempts are looked at; at least one attempt is made."""
TRIALS = 60
"""Exchanges between two halves that are tried."""
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
    """Returns an order of n neurons in which the runs that end at `ends` hold neurons that are connected.

    Shapes: source and target [pairs]; the pairs join neurons, in either direction. The result is a permutation.
    """
    found = np.empty(n, np.int64)
    random = np.random.Generator(np.random.Philox(key=0))
    stack = [(np.arange(n), 0, len(ends), source, target)]
    while stack:
        own, first, last, source, target = stack.pop()
        low = int(ends[first - 1]) if first else 0
        if last - first <= 1 or not len(source):
            found[low : low + len(own)] = own
            continue
        middle = (first + last) // 2
        left = int(ends[middle - 1]) - low
        is_left = bisect_neurons(len(own), left, source, target, random)
        place = np.where(is_left, np.cumsum(is_left), np.cumsum(~is_left)) - 1
        for side, a, b in ((is_left, first, middle), (~is_left, middle, last)):
            kept = side[source] & side[target]
            stack.append((own[side], a, b, place[source[kept]], place[target[kept]]))
    return found


def bisect_neurons(n: int, left: int, source: Ints, target: Ints, random: np.random.Generator) -> Bools:
    """Returns the members of the left part of a given size: the best of some attempts, whose number depends on the size."""
    found: Bools = np.arange(n) < left
    least = np.inf
    for _ in range(max(1, min(STARTS, PAIRS // max(1, len(source))))):
        rank = np.empty(n, np.int64)
        rank[np.argsort(fiedler(n, source, target, random), kind="stable")] = np.arange(n)
        tried = improve_bisection(rank < left, source, target)
        between = int((tried[source] != tried[target]).sum())
        if between < least:
            found, least = tried, between
    return found


def improve_bisection(is_left: Bools, source: Ints, target: Ints) -> Bools:
    """Two halves of the same sizes with fewer synapses between them: those who would gain most change places, fewer at a time as gains end."""

    def between(side: Bools) -> int:
        return int((side[source] != side[target]).sum())

    n, best = len(is_left), between(is_left)
    many = n
    for _ in range(TRIALS):
        if not many or not best:
            break
        sign = np.where(is_left[source] != is_left[target], 1.0, -1.0)
        gain = np.bincount(source, sign, n) + np.bincount(target, sign, n)
        left, right = np.flatnonzero(is_left), np.flatnonzero(~is_left)
        left, right = left[np.argsort(-gain[left], kind="stable")], right[np.argsort(-gain[right], kind="stable")]
        pairs = min(len(left), len(right))
        many = min(many, int((gain[left[:pairs]] + gain[right[:pairs]] > 0).sum()))
        tried = is_left.copy()
        tried[left[:many]], tried[right[:many]] = False, True
        if (found := between(tried)) < best:
            is_left, best = tried, found
        else:
            many //= 2
    return is_left


def fiedler(n: int, source: Ints, target: Ints, random: np.random.Generator) -> Reals:
    """Returns the second eigenvector of a graph's normalised Laplacian, nearly: the slowest way in which differences even out."""
    degree = np.bincount(np.concatenate([source, target]), minlength=n)
    root = np.sqrt(degree)
    scale = np.divide(1.0, root, out=np.zeros(n), where=root > 0)
    steady = root / max(1e-300, float(np.sqrt(degree.sum())))
    w = scale[source] * scale[target]
    x: Reals = random.standard_normal(n)
    for _ in range(FIEDLER_STEPS):
        x -= steady * (steady @ x)
        x = 0.5 * (x + np.bincount(target, w * x[source], n) + np.bincount(source, w * x[target], n))
        x /= max(1e-300, float(np.sqrt(x @ x)))
    return x * scale

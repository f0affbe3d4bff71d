"""The least number of links of a layer holds for every partition: against all sets of targets, and all partitions and placements of tiny layers."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from nopt.analysis.placement.neighbourhood_bound import Neighbourhood, Span
from nopt.core.topology.mesh import MeshTopology

ROW = Span(1, 1, 1, 1, 0)
BESIDE = np.zeros(99)
"""No core is further than a link away, so that links are pairs."""


def span(inputs: int, taps: int, stride: int = 1, padding: int = 0) -> Span:
    return Span(inputs, (inputs + 2 * padding - taps) // stride + 1, taps, stride, padding)


def windows(near: Neighbourhood) -> dict[tuple[int, ...], frozenset[tuple[int, ...]]]:
    """Returns the sources of each target: channel and position. All channels are connected."""
    reached = []
    for one in near.spans:
        starts = [t * one.stride - one.before for t in range(one.outputs)]
        reached.append([[s for s in range(low, low + one.taps) if 0 <= s < one.inputs] for low in starts])
    rows, columns = reached
    before, after = near.channels
    return {
        (c, y, x): frozenset(product(range(before), rows[y], columns[x]))
        for c, y, x in product(range(after), range(len(rows)), range(len(columns)))
    }


def inside(near: Neighbourhood) -> list[frozenset[tuple[int, ...]]]:
    """Returns the sources of each target whose window is not cut."""
    whole = near.channels[0] * prod(one.taps for one in near.spans)
    return [sources for sources in windows(near).values() if len(sources) == whole]


SETS = [
    Neighbourhood((1, 1), (span(5, 3), span(5, 3))),
    Neighbourhood((1, 1), (span(5, 3, padding=1), span(5, 3, padding=1))),
    Neighbourhood((2, 1), (span(7, 3, 2), span(7, 3, 2))),
    Neighbourhood((1, 1), (span(9, 5, 2, 1), span(9, 5, 2, 1))),
    Neighbourhood((1, 1), (span(7, 2, 3), span(8, 2, 2))),
    Neighbourhood((1, 1), (span(4, 2), span(6, 3))),
    Neighbourhood((1, 2), (span(3, 3), span(6, 3))),
    Neighbourhood((3, 1), (ROW, span(9, 3))),
]


@pytest.mark.parametrize("near", SETS)
def test_every_set_of_targets_has_as_many_sources(near: Neighbourhood) -> None:
    listed = inside(near)
    assert near.targets == len(listed)
    assert near.sources == near.channels[0] * prod(one.inputs for one in near.spans)
    least = near.sources_of(np.arange(1, len(listed) + 1))
    for size in range(1, len(listed) + 1):
        assert least[size - 1] <= min(len(frozenset().union(*some)) for some in combinations(listed, size))


def test_squares_and_rows_need_no_more() -> None:
    """4 of 4 positions with windows of 3 x 3 have (2 + 2)^2 sources; 3 in a row have 3 + 2."""
    assert Neighbourhood((2, 3), (span(9, 3), span(9, 3))).sources_of(np.array([12])).tolist() == [32]
    assert Neighbourhood((1, 1), (ROW, span(9, 3))).sources_of(np.array([3])).tolist() == [5]


def test_two_windows_are_one() -> None:
    """A pool of 2 and a convolution of 3 with padding: target t reads sources 2 t - 2 to 2 t + 3."""
    both = span(8, 2, 2).then(span(4, 3, padding=1))
    assert both == Span(8, 4, 6, 2, 2)
    assert both.inside == 2


PARTITIONS = [
    (Neighbourhood((1, 1), (ROW, span(6, 3))), 5, 2),
    (Neighbourhood((1, 1), (ROW, span(5, 3))), 3, 3),
    (Neighbourhood((1, 1), (ROW, span(5, 3, padding=1))), 5, 2),
    (Neighbourhood((1, 1), (span(3, 2), span(3, 2))), 7, 2),
    (Neighbourhood((1, 2), (ROW, span(4, 3))), 3, 3),
    (Neighbourhood((1, 1), (ROW, span(6, 4, 2))), 4, 2),
]


@pytest.mark.parametrize(("near", "room", "cores"), PARTITIONS)
def test_every_partition_has_as_many_pairs(near: Neighbourhood, room: int, cores: int) -> None:
    reached = [*windows(near).values()]
    names = sorted(frozenset().union(*reached))
    least = 10**6
    for others in product(range(cores), repeat=near.sources + len(reached) - 1):
        chosen = (0, *others)  # cores are alike
        if max(np.bincount(chosen)) <= room:
            home = dict(zip(names, chosen, strict=False))
            pairs = {(s, c) for c, some in zip(chosen[near.sources :], reached, strict=True) for s in some}
            least = min(least, sum(home.get(s, -1) != c for s, c in pairs))
    assert near.links(room, BESIDE, is_recurrent=False) <= least < 10**6


def test_the_bound_is_reached() -> None:
    """Cores of one neuron: each of 4 targets has 3 sources elsewhere."""
    assert Neighbourhood((1, 1), (ROW, span(6, 3))).links(1, BESIDE, is_recurrent=False) == 12


def test_a_recurrent_convolution_has_its_sources_at_home() -> None:
    """6 neurons of one population on 2 cores of 3, in rows: 1 remote source for each."""
    near = Neighbourhood((1, 1), (ROW, span(6, 3, padding=1)))
    reached, least = [*windows(near).values()], 10**6
    for chosen in product(range(2), repeat=6):
        if max(np.bincount(chosen)) <= 3:
            pairs = {(s[2], c) for c, some in zip(chosen, reached, strict=True) for s in some}
            least = min(least, sum(chosen[s] != c for s, c in pairs))
    assert near.links(3, BESIDE, is_recurrent=True) <= least == 2


def further(cores: int) -> np.ndarray:
    """Returns the links to the i-th nearest core of a row, without the last one of each path."""
    return np.maximum(MeshTopology(cores, 1).nearest() - 1, 0)


def least_links(near: Neighbourhood, room: int, cores: int) -> int:
    """Returns the least number of links of all partitions on a row of cores, where a tree reaches from its least to its greatest core."""
    reached = [*windows(near).values()]
    names = sorted(frozenset().union(*reached))
    size = len(names) + len(reached)
    core = np.stack(np.unravel_index(np.arange(cores**size), (cores,) * size))
    core = core[:, np.all([(core == k).sum(axis=0) <= room for k in range(cores)], axis=0)]
    total = np.zeros(core.shape[1], np.int64)
    for home, name in zip(core, names, strict=False):
        visited = np.stack([home, *(core[len(names) + t] for t, some in enumerate(reached) if name in some)])
        total += visited.max(axis=0) - visited.min(axis=0)
    return int(total.min())


ROWS_OF_CORES = [
    (Neighbourhood((2, 1), (ROW, span(3, 3))), 1, 7),
    (Neighbourhood((1, 1), (ROW, span(6, 5))), 2, 5),
    (Neighbourhood((1, 1), (ROW, span(5, 4))), 2, 4),
    (Neighbourhood((1, 2), (ROW, span(4, 4))), 1, 6),
    (Neighbourhood((1, 1), (ROW, span(5, 5, padding=1))), 2, 5),
    (Neighbourhood((1, 1), (ROW, span(6, 4, 2))), 2, 4),
    (Neighbourhood((1, 2), (ROW, span(5, 5))), 3, 4),
]


@pytest.mark.parametrize(("near", "room", "cores"), ROWS_OF_CORES)
def test_every_placement_has_as_many_links(near: Neighbourhood, room: int, cores: int) -> None:
    assert near.links(room, further(cores), is_recurrent=False) <= least_links(near, room, cores)


def test_sources_around_a_core_have_a_way() -> None:
    """6 sources of one target on a row of cores of 2: one at home, 4 on both neighbours, and one that passes a neighbour."""
    near = Neighbourhood((1, 1), (ROW, span(6, 6)))
    assert near.links(2, BESIDE, is_recurrent=False) == 5
    assert near.links(2, further(5), is_recurrent=False) == 6 == least_links(near, 2, 5)

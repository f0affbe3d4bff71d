"""The least number of pairs of a source and a core holds for every partition: against all sets of targets, and all partitions of tiny layers."""

from __future__ import annotations

from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from nopt.analysis.placement.neighbourhood_bound import Neighbourhood, Span

ROW = Span(1, 1, 1, 1, 0)


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
    assert near.pairs(room, is_recurrent=False) <= least < 10**6


def test_the_bound_is_reached() -> None:
    """Cores of one neuron: each of 4 targets has 3 sources elsewhere."""
    assert Neighbourhood((1, 1), (ROW, span(6, 3))).pairs(1, is_recurrent=False) == 12


def test_a_recurrent_convolution_has_its_sources_at_home() -> None:
    """6 neurons of one population on 2 cores of 3, in rows: 1 remote source for each."""
    near = Neighbourhood((1, 1), (ROW, span(6, 3, padding=1)))
    reached, least = [*windows(near).values()], 10**6
    for chosen in product(range(2), repeat=6):
        if max(np.bincount(chosen)) <= 3:
            pairs = {(s[2], c) for c, some in zip(chosen, reached, strict=True) for s in some}
            least = min(least, sum(chosen[s] != c for s, c in pairs))
    assert near.pairs(3, is_recurrent=True) <= least == 2

"""Joins of lists of numbers: all pairs of equal numbers, in order."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.core.arrays.joins import join


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_those_of_a_comparison(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(0, 8))
    left = np.arange(count) if seed % 2 else random.integers(0, 6, count)
    right = random.integers(-(seed % 3 == 0), 6 + (seed % 5), int(random.integers(0, 12)))
    first, second = join(left, right)
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == [
        (i, k) for i, one in enumerate(left.tolist()) for k, other in enumerate(right.tolist()) if one == other
    ]
    assert first.dtype == second.dtype == np.int64

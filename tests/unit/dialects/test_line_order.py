"""Synapses of the first op of a chain: their order is that of sums of paths, with and without several synapses of a pair."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.dialects.chip_base.lines import COLUMNS, in_order, summed


@pytest.mark.parametrize("seed", range(20))
def test_synapses_in_order_are_those_of_sums(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(0, 40))
    pairs = random.permutation(64)[:count] if seed % 2 else random.integers(0, 20, count)
    source, target, weight = pairs // 8, pairs % 8, random.integers(-5, 6, count)
    delay = np.zeros(count, np.int64) if seed % 3 else random.integers(0, 3, count)
    shown = np.broadcast_to(np.int64(0), (count,)) if seed % 3 else delay
    found, wanted = in_order(source, target, weight, shown), summed(source, target, weight, delay)
    for name in COLUMNS:
        assert np.array_equal(getattr(found, name), getattr(wanted, name))
        assert getattr(found, name).dtype == getattr(wanted, name).dtype
    if count:
        assert found.lines()[0] == wanted.lines()[0]
        assert np.array_equal(found.lines()[1], wanted.lines()[1])

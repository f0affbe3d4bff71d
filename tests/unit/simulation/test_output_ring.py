"""Past inputs of synapses: the same rows for any partition of a run into ticks and blocks."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.simulation.output_ring import History


@pytest.mark.parametrize("longest", [0, 1, 4])
@pytest.mark.parametrize("cuts", [[30], [1] * 30, [0, 3, 7, 0, 20], [2, 11, 17]])
@pytest.mark.parametrize("single", [True, False])
def test_blocks_and_ticks_see_the_same_past(longest: int, cuts: list[int], single: bool) -> None:
    """Blocks of one tick use `tick` if `single` is set."""
    x = np.random.default_rng(0).integers(1, 100, (30, 2, 3))
    history, at = History(longest, 2, 3, np.dtype(np.int64)), 0
    for count in cuts:
        if count == 1 and single:
            rows, place = history.tick(x[at])
        else:
            rows, place = history.block(x[at : at + count])
        for t in range(at, at + count):
            for delay in range(longest + 1):
                found = rows[(place + t - at - delay) % len(rows)]
                np.testing.assert_array_equal(found, x[t - delay] if t >= delay else np.zeros((2, 3)))
        at += count
    assert at == 30

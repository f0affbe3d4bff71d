"""The bound of what vertices store outside of their cores, against random placements."""

from __future__ import annotations

import numpy as np
import pytest
from extent import seeds

from nopt.analysis.outside_load import most_used
from nopt.core.device.outside_memory import OutsideLimit

NEEDS = ("synapse_bytes", "neuron_bytes", "memory.dram")
LIMIT = OutsideLimit(
    ("memory.dram.bytes",), 0, False, ((NEEDS[:1], 40), (NEEDS[1:2], 25), (NEEDS[:2], 50)), ("memory.dram",)
)


@pytest.mark.parametrize("seed", seeds(20))
def test_no_placement_uses_more_than_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    amount = rng.integers(0, 60, (12, len(NEEDS)))
    bound = most_used(LIMIT, [dict(zip(NEEDS, one, strict=True)) for one in amount.tolist()])
    totals: list[int] = []
    for cores in (1, 3, 12):
        held = np.zeros((cores, len(NEEDS)), np.int64)
        np.add.at(held, rng.integers(0, cores, len(amount)), amount)
        totals.append(sum(int(LIMIT.used(dict(zip(NEEDS, one, strict=True)))) for one in held.tolist()))
    assert max(totals) <= bound
    assert max(totals) > bound // 2  # on one core, most is stored outside

"""Upsampling and max pools in the digital periphery, against plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from map_layers import FACTORS, POOLS, max_pool, max_pool_loop, upsample_loop, upsampled
from nets import Net
from xdsl.dialects.builtin import i8

from nopt.targets.memxbar.periphery import run_digital

SHAPE = (2, 5, 4)


@pytest.mark.parametrize("factor", FACTORS, ids=str)
def test_upsampling(factor: tuple[int, int]) -> None:
    net = Net(i8, x=(SHAPE, i8))
    x = np.random.default_rng(1).integers(-9, 9, (3, *SHAPE))
    found = run_digital(upsampled(net, net.input("x"), factor).owner, x)
    np.testing.assert_array_equal(found, [upsample_loop(one, factor) for one in x])


@pytest.mark.parametrize("name", POOLS)
def test_max_pools(name: str) -> None:
    net = Net(i8, x=(SHAPE, i8))
    x = np.random.default_rng(2).integers(-9, 9, (3, *SHAPE))
    found = run_digital(max_pool(net, net.input("x"), *POOLS[name]).owner, x)
    np.testing.assert_array_equal(found, [max_pool_loop(one, *POOLS[name]) for one in x])

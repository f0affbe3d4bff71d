"""Elementwise functions by blocks: the results are those of one call."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.core.arrays.elementwise import BLOCK_SIZE, map_blocks


@pytest.mark.parametrize(
    "shape", [(), (0,), (5,), (BLOCK_SIZE + 1,), (3, BLOCK_SIZE), (BLOCK_SIZE // 8, 11), (2, 3, BLOCK_SIZE // 2)]
)
def test_result_is_that_of_one_call(shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    values = random.standard_normal(shape)
    for other in (
        np.asarray(0.3),
        random.random(shape) + 0.1,
        random.random((*shape[:1], *(1,) * (len(shape) - 1))) + 0.1,
        random.random((*(1,) * len(shape[:-1]), *shape[-1:])) + 0.1,
    ):
        found = map_blocks(lambda x, y: np.rint(x / y), np.float64, values, other)
        assert found.shape == shape
        assert np.array_equal(found, np.rint(values / other))
        assert map_blocks(lambda x, y: x < y, np.bool_, values, other).dtype == np.bool_

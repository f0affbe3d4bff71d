"""Different integers, as `numpy.unique` finds them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nopt.core.arrays.unique_integers import unique_integers


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint16])
@pytest.mark.parametrize(("count", "span"), [(0, 3), (1, 1), (300, 1), (300, 20), (300, 30_000)])
def test_integers_are_those_of_numpy(dtype: Any, count: int, span: int) -> None:
    values = np.random.default_rng(1).integers(0, span, count).astype(dtype)
    before, found = values.copy(), unique_integers(values)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.unique(values))
    np.testing.assert_array_equal(values, before)


def test_matrices_are_flat() -> None:
    assert unique_integers(np.array([[3, 1], [1, 2]])).tolist() == [1, 2, 3]

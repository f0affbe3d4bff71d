"""Different rows of matrices of integers, as `numpy.unique` finds them."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.core.arrays.unique_rows import unique_rows


@pytest.mark.parametrize("span", [1, 3, 2**30, 2**62], ids=["equal", "few", "wide", "beyond one number"])
@pytest.mark.parametrize(("count", "columns"), [(0, 3), (1, 1), (200, 1), (200, 3)])
def test_rows_are_those_of_numpy(span: int, count: int, columns: int) -> None:
    rows = (
        np.random.default_rng(0).integers(-span, span, (count, columns)) if span > 1 else np.ones((count, columns), int)
    )
    different, index = unique_rows(rows)
    wanted, which = np.unique(rows, axis=0, return_inverse=True)
    np.testing.assert_array_equal(different, wanted)
    np.testing.assert_array_equal(index, which.reshape(-1))
    np.testing.assert_array_equal(different[index], rows)

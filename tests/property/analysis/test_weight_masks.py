"""Weights as subset sums: the error of a fit, the currents of what a fit chose, and those of a part of its weights."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from extent import seeds

from nopt.analysis.subset_currents import search_currents
from nopt.analysis.weight_masks import (
    LARGEST_CURRENT,
    MASK_CURRENTS,
    MASKS,
    currents_of,
    fitted_currents,
    masks_of,
    nearest_masks,
    sums_of,
)


def least_error(sizes: np.ndarray) -> float:
    """Returns the least squared error of any four currents: each takes part in a subset of the weights, and all choices of subsets are tried."""
    subsets = ((np.arange(1, 2 ** len(sizes))[:, None] >> np.arange(len(sizes))) & 1).astype(np.float64)
    best = np.inf
    choices = np.array([*combinations_with_replacement(range(len(subsets)), MASK_CURRENTS)])
    for some in np.array_split(choices, 20):
        rows = subsets[some]
        squares = rows @ rows.transpose(0, 2, 1) + 1e-9 * np.eye(MASK_CURRENTS)
        found = np.linalg.solve(squares, (rows @ sizes)[..., None])[..., 0]
        errors = np.square(sizes - np.einsum("mk,mkn->mn", found, rows)).sum(axis=1)
        best = min(best, float(errors[(found >= 0).all(axis=1)].min()))
    return best


def rounded(sizes: np.ndarray) -> tuple[np.ndarray, float]:
    """Returns the integers of some weights, and the size of a step."""
    currents, step = fitted_currents(sizes)
    return sums_of(currents)[nearest_masks(sizes / step, currents)], step


def test_fit_is_near_the_least_error() -> None:
    """Over generated weights, the root of squared errors is 1.3 times the least on average, and currents are rounded to steps."""
    errors: list[tuple[float, float]] = []
    for seed in seeds(16):
        sizes = np.abs(np.random.default_rng([31, seed]).normal(size=5))
        integers, step = rounded(sizes)
        rounding = step / np.sqrt(12) * np.sqrt(len(sizes))
        errors.append((float(np.linalg.norm(sizes - integers * step)), np.sqrt(least_error(sizes)) + float(rounding)))
    found, least = np.mean(errors, axis=0)
    assert found <= 1.3 * least


@pytest.mark.parametrize("seed", seeds(8))
def test_sums_of_four_currents_are_exact(seed: int) -> None:
    """Weights that are sums of binary currents have no error."""
    rng = np.random.default_rng([32, seed])
    sizes = np.append(rng.integers(0, 16, 20), 15) * 0.37
    integers, step = rounded(sizes)
    np.testing.assert_allclose(integers * step, sizes, rtol=1e-12)


@pytest.mark.parametrize("seed", seeds(12))
def test_currents_of_a_part_of_a_fit(seed: int) -> None:
    """A core has a part of the weights of a population: the currents of the part have its sums, and the masks select them."""
    rng = np.random.default_rng([33, seed])
    integers, _ = rounded(np.abs(rng.normal(size=int(rng.integers(4, 200)))))
    for _ in range(20):
        part = rng.choice(integers, int(rng.integers(1, len(integers) + 1)), replace=False)
        currents = currents_of(part)
        assert currents is not None
        assert 0 <= currents.min() <= currents.max() <= LARGEST_CURRENT
        np.testing.assert_array_equal(MASKS[masks_of(part, currents)] @ currents, part)


@pytest.mark.parametrize("seed", seeds(12))
def test_search_finds_currents_without_single_ones(seed: int) -> None:
    """No value is a current of the chip, so that each is a sum of two or more."""
    rng = np.random.default_rng([34, seed])
    currents = rng.integers(1, LARGEST_CURRENT + 1, MASK_CURRENTS)
    several = sums_of(currents)[MASKS.sum(axis=1) > 1]
    values = np.unique(rng.choice(several, int(rng.integers(2, len(several) + 1)), replace=False))
    found = search_currents(values, LARGEST_CURRENT)
    assert found is not None
    assert np.isin(values, sums_of(found)).all()


@pytest.mark.parametrize(
    "values",
    [[1021], range(1, 17), [1, 3, 7, 40, 99, 201], [300, 511, 512, 1000]],
    ids=["large", "many", "six", "four"],
)
def test_values_without_currents(values: list[int]) -> None:
    """One value is above four currents, sixteen are more than masks, and the others are sums of no four currents."""
    assert currents_of(np.array([*values])) is None

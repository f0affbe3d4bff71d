"""Rounding with error feedback and coordinate descent: exact cases, random cases, and the best of all roundings of tiny problems."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from nopt.core.arrays.numeric import Reals
from nopt.passes.quantize.weights.by_data._adaround import descend
from nopt.passes.quantize.weights.by_data._gptq import GridRounding, Moments, round_with_feedback


def grid_of(scale: float, most: int) -> GridRounding:
    return lambda values, _: np.clip(np.rint(values / scale), -most, most) * scale


def nearest(weights: Reals, grid: GridRounding) -> Reals:
    return np.stack([grid(weights[:, j], j) for j in range(weights.shape[1])], axis=1)


def problem(seed: int, rows: int, inputs: int, samples: int) -> tuple[Reals, Moments]:
    rng = np.random.default_rng(seed)
    x = (rng.random((samples, inputs)) < 0.4) @ (np.eye(inputs) + 0.5 * rng.random((inputs, inputs)))
    return rng.normal(size=(rows, inputs)), Moments(x.T @ x / samples)


def test_equal_and_independent_inputs_give_nearest_integers() -> None:
    weights, grid = problem(1, 5, 70, 10)[0], grid_of(0.3, 3)
    for moments in (Moments(np.eye(70)), Moments(np.zeros((70, 70)))):
        after = round_with_feedback(weights, moments, grid)
        assert np.array_equal(after, nearest(weights, grid))
        assert np.array_equal(descend(weights, after, moments, grid), after)


@pytest.mark.parametrize("seed", range(20))
def test_losses_are_below_those_of_nearest_integers(seed: int) -> None:
    """Feedback is greedy, so it may lose for a row, but not in sum; descent never loses."""
    weights, moments = problem(seed, 16, 66 + seed, 200)
    grid = grid_of(0.5, 3)
    plain = nearest(weights, grid)
    after = round_with_feedback(weights, moments, grid)
    assert moments.losses(after - weights).sum() < moments.losses(plain - weights).sum()
    better = descend(weights, after, moments, grid)
    assert (moments.losses(better - weights) <= moments.losses(after - weights) * (1 + 1e-9)).all()
    from_nearest = descend(weights, plain, moments, grid)
    assert (moments.losses(from_nearest - weights) <= moments.losses(plain - weights) * (1 + 1e-9)).all()
    for found in (after, better, from_nearest):
        assert np.array_equal(nearest(found, grid), found)  # on the grid


@pytest.mark.parametrize("seed", range(10))
def test_tiny_problems_are_near_the_best_of_all_roundings(seed: int) -> None:
    """Of the 3^5 roundings of a row, no other value of one weight is better than the result, and the best is at most somewhat better."""
    weights, moments = problem(seed, 1, 5, 50)
    grid = grid_of(0.8, 1)
    every = np.array(list(product((-0.8, 0.0, 0.8), repeat=5)))
    least = moments.losses(every - weights).min()
    found = descend(weights, round_with_feedback(weights, moments, grid), moments, grid)
    loss = moments.losses(found - weights)[0]
    assert least <= loss * (1 + 1e-9)
    assert loss <= 2 * least
    neighbours = every[(every != found).sum(1) == 1]
    assert (moments.losses(neighbours - weights) >= loss * (1 - 1e-9)).all()


def test_equal_inputs_share_their_error() -> None:
    """Only the sum of the weights of equal inputs matters: 0.4 + 0.4 + 0.4 becomes 1, by the one that is rounded second."""
    moments = Moments(np.ones((3, 3)))
    assert round_with_feedback(np.full((1, 3), 0.4), moments, grid_of(1.0, 3)).tolist() == [[0.0, 1.0, 0.0]]


def test_a_grid_may_depend_on_the_column() -> None:
    """The values of column 0 are -2 and 2, of the others the integers."""

    def grid(values: Reals, column: int) -> Reals:
        return np.where(values < 0, -2.0, 2.0) if column == 0 else np.rint(values)

    weights, moments = problem(3, 8, 6, 100)
    found = descend(weights, round_with_feedback(weights, moments, grid), moments, grid)
    assert (np.abs(found[:, 0]) == 2).all()
    assert np.array_equal(found[:, 1:], np.rint(found[:, 1:]))

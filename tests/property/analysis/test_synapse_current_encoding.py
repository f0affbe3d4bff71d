"""Weights as sums of repeated currents: the error of a fit, the currents of a part of its weights, and the synapses of each weight."""

from __future__ import annotations

import numpy as np
import pytest
from extent import seeds

from nopt.analysis.synapse_current_encoding import (
    Side,
    columns_of,
    find_currents,
    fit_weights,
    nearest_sums,
    sides_of,
    split_words,
    words_of,
)
from nopt.core.device.device import override_fields
from nopt.core.device.named_device import resolve_device

SINGLE = ("synapse.words=4", "synapse.currents=3", "synapse.inhibitory_currents=1")
DEVICE = override_fields(resolve_device("dynapse/se2"), SINGLE)
"""A device whose synapses select one of two excitatory currents or the inhibitory one."""


def least_error(sizes: np.ndarray, side: Side) -> float:
    """Returns the least squared error of the sums of any currents of a sign, on a grid that is finer than steps."""
    used = columns_of(side)
    ends = np.linspace(0, sizes.max(initial=0), 301 if len(used) > 1 else 4001)
    grid = np.stack(np.meshgrid(*[ends] * len(used)), axis=-1).reshape(-1, len(used))
    sums = grid @ side.choices[:, used].T
    return float(sum(np.square(sums - size).min(axis=1) for size in sizes).min()) if len(sizes) else 0.0


@pytest.mark.parametrize("words", [1, 2, 3, 4])
def test_fit_is_near_the_least_error(words: int) -> None:
    """Over generated weights, the root of squared errors is 1.02 times that of the best currents on average."""
    errors: list[tuple[float, float]] = []
    for seed in seeds(6):
        weights = np.random.default_rng([51, seed]).normal(size=8)
        sides = sides_of(DEVICE, words)
        whole, step = fit_weights(weights, sides)
        assert whole.max() <= 255
        found = nearest_sums(weights, whole, step, sides) * step
        least = sum(least_error(np.abs(weights[side.covers(weights)]), side) for side in sides)
        errors.append((float(np.linalg.norm(weights - found)), np.sqrt(least)))
    mine, best = np.mean(errors, axis=0)
    assert mine <= 1.02 * best


@pytest.mark.parametrize("seed", seeds(5))
def test_currents_of_a_part_of_a_fit(seed: int) -> None:
    """A core has a part of the weights of a population. Currents of the part have its sums, with at most as many synapses each."""
    rng = np.random.default_rng([52, seed])
    weights, words = rng.normal(size=int(rng.integers(4, 80))), int(rng.integers(1, 5))
    sides = sides_of(DEVICE, words)
    whole, step = fit_weights(weights, sides)
    integers = nearest_sums(weights, whole, step, sides)
    for _ in range(4):
        part = rng.choice(integers, int(rng.integers(1, len(integers) + 1)), replace=False)
        found = find_currents(part, DEVICE)
        assert found is not None
        currents, own = found
        place, mask = split_words(part, currents, own)
        assert set(mask.tolist()) <= {1, 2, 4}
        assert ((mask == 4) == (part[place] < 0)).all()
        assert np.bincount(place, minlength=1).max() <= words
        sums = np.bincount(place, ((mask[:, None] >> np.arange(4)) & 1) @ currents, len(part))
        np.testing.assert_array_equal(sums, np.abs(part))


@pytest.mark.parametrize(("unit", "inhibitory"), [(255, 255), (255, 51), (85, 255)])
def test_multiples_of_two_currents_are_exact(unit: int, inhibitory: int) -> None:
    weights = np.array([unit, 2 * unit, 4 * unit, 0, -inhibitory, -3 * inhibitory]) * 0.37
    sides = sides_of(DEVICE, 4)
    whole, step = fit_weights(weights, sides)
    np.testing.assert_allclose(nearest_sums(weights, whole, step, sides) * step, weights, rtol=1e-12)


def test_fan_in_limits_the_synapses_of_a_weight() -> None:
    """64 synapses are shared by the weights of a neuron; a weight has four at most, and one at least."""
    assert [words_of(DEVICE, fan_in) for fan_in in (0, 16, 17, 32, 33, 64, 65)] == [4, 4, 3, 2, 1, 1, 1]
    assert words_of(resolve_device("dynapse/se2"), 16) is None


@pytest.mark.parametrize(
    "values",
    [[1021], [-1021], [-1, -255], [1, 3, 255, 7, 1000]],
    ids=["large", "inhibitory", "ratio", "many"],
)
def test_values_without_currents(values: list[int]) -> None:
    """1021 is above four currents, 255 is not up to four times 1, and no two currents have all of the last."""
    assert find_currents(np.array(values), DEVICE) is None

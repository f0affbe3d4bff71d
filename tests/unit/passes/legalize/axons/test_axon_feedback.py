"""Fits of axon types by the inputs of the neurons: losses against a brute force, errors that compensate each other, moments of delayed and filtered spikes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from attrs import frozen
from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import Block, SSAValue

from nopt.passes.legalize.axons._axon_feedback import DAMPING, connected, losses, sums, with_feedback
from nopt.passes.legalize.axons._axon_fit import AxonFit, Grid, fit_axons
from nopt.passes.legalize.axons._source_moments import SourceMoments

INTEGERS = Grid(None, -255, 255)


def fitted(weights: np.ndarray, copies: int, axons: int) -> AxonFit:
    return fit_axons(weights, 4, np.full(weights.shape[1], copies), axons, INTEGERS)[0]


def moments_of(rng: np.random.Generator, sources: int) -> np.ndarray:
    """Returns second moments of spikes of which several are equal most of the time."""
    causes = rng.random((400, 1 + sources // 4)) < 0.3
    spikes = causes[:, np.arange(sources) % causes.shape[1]] ^ (rng.random((400, sources)) < 0.05)
    return spikes.T.astype(np.float64) @ spikes / len(spikes)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("copies", [1, 2, 4])
def test_loss_decreases_and_weights_are_sums_of_values(seed: int, copies: int) -> None:
    rng = np.random.default_rng(seed)
    weights = np.rint(rng.normal(0, 60, (5, 12))) * (rng.random((5, 12)) < 0.9)
    fit, moments = fitted(weights, copies, 12 * copies), moments_of(rng, 12)
    found = with_feedback(fit, weights, moments, INTEGERS)
    before, after = (
        losses(weights - one.weights, moments + np.eye(12) * DAMPING * moments.diagonal().mean())
        for one in (fit, found)
    )
    assert (after <= before).all()
    if copies < 4:
        assert after.sum() < 0.8 * before.sum()
    assert np.array_equal(found.weights, sums(found.values, found.masks))
    assert np.array_equal(found.weights[weights == 0], np.zeros((weights == 0).sum()))
    assert (found.values == np.rint(found.values)).all()
    assert not (found.masks & ~np.where(fit.members, 1 << np.arange(4), 0).sum(axis=1)).any(), "axons stay"
    assert found.weights.min() >= weights.min()
    assert found.weights.max() <= weights.max()


@pytest.mark.parametrize("seed", range(4))
def test_connections_are_near_those_of_brute_force(seed: int) -> None:
    """Each of five sources has one axon, so a neuron has 32 sets of connections."""
    rng = np.random.default_rng(seed)
    weights = np.rint(rng.normal(0, 60, (8, 5)))
    fit, moments = fitted(weights, 1, 5), moments_of(rng, 5) + 0.01 * np.eye(5)
    masks = connected(weights, fit.values, fit.masks, fit.members, moments, weights.min(), weights.max())
    own = np.where(fit.members, 1 << np.arange(4), 0).sum(axis=1)
    every = np.array(
        [[mask if is_on else 0 for mask, is_on in zip(own, one, strict=True)] for one in product((0, 1), repeat=5)]
    )
    least = [
        min(losses(weights[n : n + 1] - sums(fit.values[n : n + 1], one[None]), moments)[0] for one in every)
        for n in range(8)
    ]
    reached = losses(weights - sums(fit.values, masks), moments)
    assert (reached >= np.array(least) - 1e-9).all()
    assert np.isclose(reached, least).mean() >= 0.5


def test_one_source_compensates_another() -> None:
    """Both sources spike together: only the sum of their weights, 90, matters, and the neuron has the values 0 and 100."""
    values, members = np.array([[100.0, 0, 0, 0]]), np.array([[True, False, False, False]] * 2)
    weights, masks = np.array([[45.0, 45.0]]), np.zeros((1, 2), np.int64)
    fit = AxonFit(values, members, masks, np.zeros((1, 2)), 90.0)
    found = connected(weights, fit.values, masks, members, np.ones((2, 2)) + 0.01 * np.eye(2), 0, 100)
    assert sums(values, found).sum() == 100


def test_exact_fits_stay() -> None:
    weights = np.array([[10.0, 20.0, 30.0, 40.0]])
    fit = fitted(weights, 1, 4)
    assert fit.error == 0
    assert with_feedback(fit, weights, np.eye(4), INTEGERS) is fit


@frozen(eq=False)
class Recorded:
    """A run whose spikes are known."""

    samples: int
    ticks: int
    spikes: np.ndarray

    def values(self, wanted: list[SSAValue]) -> dict[SSAValue, np.ndarray]:
        return dict.fromkeys(wanted, self.spikes)


def test_moments_are_those_of_delayed_and_filtered_spikes() -> None:
    """Source 1 spikes in tick 0 and source 0 in tick 1. With a decay of 1/2 the first is 1, 0.5, 0.25, and later by a tick 0, 1, 0.5; the second is 0, 1, 0.5."""
    spikes = np.zeros((1, 3, 2), np.bool_)
    spikes[0, 0, 1] = spikes[0, 1, 0] = True
    value = Block(arg_types=[TensorType(i1, [2])]).args[0]
    moments = SourceMoments(Recorded(1, 3, spikes), [value], 0.5)  # type: ignore[arg-type]
    found = moments.of_slice([np.array([[1, 0], [1, 1], [0, 0]])])
    rows = np.array([[1, 0, 0], [0.5, 1, 1], [0.25, 0.5, 0.5]])
    assert found is not None
    assert np.allclose(found, rows.T @ rows / 3)
    assert moments.of_slice([np.zeros((0, 2), np.int64)]) is None

"""Pair STDP of a chip's model: the sum over all pairs of spikes in reals, bounds, delays, and integers that round."""

from __future__ import annotations

import numpy as np
import pytest

from nopt.dialects.nir import StdpAttr
from nopt.simulation.learning.pairs import PairLearning, PairNumbers
from nopt.simulation.learning.plastic_table import Synapses
from nopt.simulation.learning.rounding import stream_of, uniform

TICK = 1_000_000
TAUS = 0.02, 0.03
REALS = PairNumbers(TICK, "nearest", 0, None, 1)
Array = np.ndarray


def synapses(weight: Array, delay: int = 1) -> Synapses:
    """Returns all pairs of axons and neurons. Shapes: weight [axons, neurons]."""
    axons, neurons = weight.shape
    axon, neuron = np.repeat(np.arange(axons), neurons), np.tile(np.arange(neurons), axons)
    return Synapses("fc", "fc", axon, neuron, weight.reshape(-1), np.full(weight.size, delay), neurons)


def run(learning: PairLearning, pre: Array, post: Array, delay: int = 1) -> Array:
    """Returns the stored weights after each tick. Shapes: pre [ticks, axons], post [ticks, neurons]; result [ticks, axons, neurons]."""
    learner, past, found = learning.start(1), list[list[tuple[Array, Array, Array]]](), list[Array]()
    for t, (x, y) in enumerate(zip(pre, post, strict=True)):
        (fired,) = np.nonzero(x)
        past = [[(np.zeros_like(fired), fired, np.ones(len(fired)))], *past[:delay]]
        learner.learn(t, past, y[None])
        found.append(learner.stored[0].reshape(len(x), len(y)).copy())
    return np.stack(found)


@pytest.mark.parametrize("delay", [0, 1, 3])
def test_weights_change_by_the_sum_over_pairs(delay: int) -> None:
    """w + sum of a_plus exp(-d / tau_plus) over d > 0, - a_minus exp(d / tau_minus) over d < 0; the event of an axon counts after its delay."""
    rng = np.random.default_rng(delay)
    pre, post = rng.random((60, 3)) < 0.2, rng.random((60, 2)) < 0.2
    rule = StdpAttr.of(0.01, 0.012, *TAUS, -100.0, 100.0)
    weight = rng.normal(size=(3, 2))
    found = run(PairLearning(rule, synapses(weight, delay), REALS, None), pre, post, delay)
    for i, j in np.ndindex(3, 2):
        arrivals = np.flatnonzero(pre[:, i]) + delay
        change = 0.0
        for a in arrivals[arrivals < 60]:
            for b in np.flatnonzero(post[:, j]):
                d = (b - a) * 1e-3
                change += 0.01 * np.exp(-d / TAUS[0]) if d > 0 else -0.012 * np.exp(d / TAUS[1]) if d < 0 else 0.0
        assert found[-1, i, j] == pytest.approx(weight[i, j] + change, abs=1e-12)


def test_weights_end_at_their_bounds() -> None:
    rng = np.random.default_rng(0)
    pre, post = rng.random((200, 3)) < 0.5, rng.random((200, 2)) < 0.5
    for a_plus, a_minus, end in ((0.5, 0.0, 0.75), (0.0, 0.5, -0.5)):
        rule = StdpAttr.of(a_plus, a_minus, *TAUS, -0.5, 0.75)
        found = run(PairLearning(rule, synapses(np.zeros((3, 2))), REALS, None), pre, post)
        assert (found[-1] == end).all()
        assert found.min() >= -0.5
        assert found.max() <= 0.75


def test_integers_stay_in_their_type() -> None:
    """Steps of 2^-5 and bounds of 8: 256 steps, of which i8 holds 127."""
    rng = np.random.default_rng(0)
    pre, post = rng.random((200, 3)) < 0.5, rng.random((200, 2)) < 0.5
    rule = StdpAttr.of(2.0, 0.0, *TAUS, -8.0, 8.0)
    numbers = PairNumbers(TICK, "stochastic", 3, 7, 16)
    found = run(PairLearning(rule, synapses(np.zeros((3, 2), np.int8)), numbers, np.asarray(2.0**-5)), pre, post)
    assert (found == np.round(found)).all()
    assert found.max() == 127


def test_stochastic_rounding_keeps_the_mean() -> None:
    """Of 400 seeds, the mean of the last weight is that of reals, within 4 standard errors and the saturation of a trace, which does not occur."""
    rng = np.random.default_rng(0)
    pre, post = rng.random((60, 1)) < 0.1, rng.random((60, 1)) < 0.1
    rule, weight = StdpAttr.of(0.01, 0.012, *TAUS, -1.0, 1.0), np.zeros((1, 1), np.int8)
    step = np.asarray(1 / 127)
    real = run(PairLearning(rule, synapses(weight / 127), REALS, None), pre, post)[-1].item() * 127
    last = np.array(
        [
            run(PairLearning(rule, synapses(weight), PairNumbers(TICK, "stochastic", seed, 7, 16), step), pre, post)[
                -1
            ].item()
            for seed in range(400)
        ]
    )
    assert last.std() > 0
    assert abs(last.mean() - real) < 4 * last.std() / 20


def test_numbers_are_a_function_of_seed_stream_and_tick() -> None:
    first = uniform(1, stream_of("fc"), 7, 5)
    assert np.array_equal(first, uniform(1, stream_of("fc"), 7, 9)[:5])
    others = [uniform(2, stream_of("fc"), 7, 5), uniform(1, stream_of("fd"), 7, 5), uniform(1, stream_of("fc"), 8, 5)]
    assert not any(np.isin(first, one).any() for one in others)
    many = uniform(0, 0, 0, 100_000)
    assert ((many >= 0) & (many < 1)).all()
    assert abs(many.mean() - 0.5) < 4 * 12**-0.5 / 100_000**0.5
    assert np.histogram(many, 10, (0, 1))[0].min() > 9_500

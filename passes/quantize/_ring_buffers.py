"""Sums that are expected in a ring buffer of SpiNNaker: the larger the sum, the coarser the weights of a population.

    W = max(sum over projections of the largest weight * the most synapses of one neuron, the largest weight)

Weights that learn count as the largest one that their rule allows. With several delays in one projection, spikes of one tick arrive in several ticks, and W is at most mean + sigma * deviation of a Poisson process: n
synapses of `rate`, whose weights have a mean and a standard deviation.

Source: sPyNNaker 7.4.1, models/neuron/population_vertex.py (_Stats), synapse_dynamics_stdp.py and utilities/running_stats.py. The sum over
the Poisson distribution is computed term by term.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, frexp, inf, ldexp, lgamma, log, prod, sqrt

import numpy as np
from attrs import define, frozen
from xdsl.ir import Operation

from ...analysis.fan_in import Leaf, leaves, paths_to
from ...core.arrays.numeric import Ints, Reals
from ...core.ir.operation import shape_of
from ...dialects import ntensor

TICKS_PER_SECOND = 1000
DEVIATIONS = 3
"""Standard deviations of the number of spikes up to which their distribution is summed. Source: POSSION_SIGMA_SUMMATION_LIMIT."""
LARGEST_LOG = 701.0
"""Logarithm beyond which the variance of weights is left out. Source: _ring_buffer_expected_upper_bound."""


@frozen(eq=False)
class Projection:
    """The synapses of one op into a population. Shapes: target and place [synapses]: the neuron, and the weight of the op."""

    op: ntensor.SynapseOpInterface
    target: Ints
    place: Ints
    paths: Reals
    """Sources of each synapse: more than 1 after a pool."""
    delay: Reals


@frozen(eq=False)
class Afferents:
    """All projections into a population."""

    projections: tuple[Projection, ...]


def afferents(population: ntensor.NeuronOp, is_meant: Callable[[Operation], bool]) -> Afferents:
    """Returns the projections into a population, of the ops that are meant."""
    found = [projection(leaf) for x in population.xs for leaf in leaves(x) if leaf.op is not None and is_meant(leaf.op)]
    return Afferents(tuple(found))


def projection(leaf: Leaf) -> Projection:
    op = leaf.op
    assert isinstance(op, ntensor.SynapseOpInterface)  # is_meant
    source, target, place = op.pairs()
    paths = paths_to(op.x).reshape(-1)[source]
    assert op.weights is not None  # is_meant
    size = op.weights.data.size
    own = np.zeros(size) if op.delays is None else np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1)
    delay = own.astype(np.float64)[place]
    for step in leaf.path:
        if isinstance(step, ntensor.DelayOp):
            delay = delay + np.broadcast_to(step.ticks.values, shape_of(step.y)).reshape(-1)[target]
    return Projection(op, target, place, paths, delay)


@define
class RunningStatistics:
    """Mean and variance of items that are given by their statistics. Source: running_stats.py."""

    mean: float = 0.0
    squares: float = 0.0
    count: int = 0

    def add(self, mean: float, variance: float, count: int) -> None:
        if count > 0:
            total, delta = self.count + count, mean - self.mean
            self.squares += variance * (count - 1.0) + delta * delta * self.count * count / total
            self.mean = (self.count * self.mean + count * mean) / total
            self.count = total

    @property
    def variance(self) -> float:
        return 0.0 if self.count <= 1 else self.squares / (self.count - 1.0)


def expected_sum(
    inputs: Afferents,
    weights: Mapping[ntensor.SynapseOpInterface, Reals],
    biases: Mapping[ntensor.SynapseOpInterface, Reals],
    sign: int,
    rate: float,
    sigma: float,
    unit: int,
) -> float:
    """Returns the sum that is expected in a ring buffer, of the weights of one sign, in units of 2^unit. Units: rate [Hz]."""
    held, delays, total, biggest = RunningStatistics(), RunningStatistics(), 0.0, 0.0
    for one in inputs.projections:
        values = sign * np.ldexp(weights[one.op].reshape(-1)[one.place], -unit)
        if (rule := one.op.learning_rule) is not None:
            values = np.full(
                len(values), max(sign * ldexp(rule.values["w_max"], -unit), float(values.max(initial=-inf)))
            )
        is_used = values > 0
        if is_used.any():
            used, neurons = values[is_used], prod(shape_of(one.op.y))
            count = int(np.bincount(one.target[is_used], one.paths[is_used], neurons).max())
            most = float(used.max())
            held.add(float(used.mean()), float(used.var()), count)
            delays.add(0.0, float(one.delay[is_used].var()), count)
            biggest, total = max(biggest, most), total + most * count
        bias = biases.get(one.op)
        if bias is not None and (sign * bias > 0).any():
            used = np.ldexp((sign * bias)[sign * bias > 0], -unit)
            held.add(float(used.mean()), float(used.var()), 1)
            delays.add(0.0, 0.0, 1)
            biggest, total = max(biggest, float(used.max())), total + float(used.max())
    if delays.variance == 0:
        return max(total, biggest)
    bound = poisson_bound(held.mean, sqrt(held.variance), rate, held.count, sigma)
    return max(min(bound, total), biggest)


def poisson_bound(mean: float, deviation: float, rate: float, synapses: int, sigma: float) -> float:
    """Returns mean + sigma * deviation of the sum of the weights of the spikes of one tick. Units: rate [Hz]."""
    spikes = synapses * rate / TICKS_PER_SECOND
    variance = 0.0
    last = round(spikes + DEVIATIONS * sqrt(spikes))
    size = log(spikes) * last - lgamma(1 + last) if spikes > 0 else -inf
    if deviation > 0 and -LARGEST_LOG < size < LARGEST_LOG and size != 0:
        # exp(m) Q(1 + last, m) is the sum of m^k / k! up to last
        terms = sum(exp(log(spikes) * k - lgamma(1 + k)) for k in range(last))
        variance = exp(-spikes + log(spikes) + 2 * log(deviation) + log(terms)) if terms > 0 else 0.0
    return spikes * mean + sigma * sqrt(spikes * mean**2 + variance)


def powers(total: float) -> float:
    """Returns the least s with total < 2^s; minus infinity of nothing."""
    return -inf if total <= 0 else float(frexp(total)[1])

"""Sums that are expected in a ring buffer of SpiNNaker: the larger the sum, the coarser the weights of a population.

    W = max(sum over projections of the largest weight * the most synapses of one neuron, the largest weight)

A projection is the synapses of one op from one population or input. Weights that learn count as the largest one that their rule allows. With
several delays in one projection, in front of the op or after it, spikes of one tick arrive in several ticks, and W is at most mean +
sigma * deviation of a Poisson process: n synapses of `rate`, whose weights have a mean and a standard deviation.

Source: sPyNNaker 7.4.1, models/neuron/population_vertex.py (_Stats), synapse_dynamics_stdp.py and utilities/running_stats.py. The sum over
the Poisson distribution is computed term by term. At TICKS_PER_SECOND, where sources spike in every tick, W has no such bound here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import exp, frexp, inf, isinf, ldexp, lgamma, log, prod, sqrt

import numpy as np
from attrs import define, frozen
from xdsl.ir import BlockArgument, Operation, SSAValue

from ....analysis.calibration_records import OBSERVED, observed_rate
from ....analysis.fan_in import Leaf, leaves
from ....core.arrays.numeric import AnyArray, Ints, Reals
from ....core.ir.operation import shape_of, texts_of
from ....dialects import ntensor
from ....dialects.ntensor.learning.bounds import learnt_bounds

TICKS_PER_SECOND = 1000
DEFAULT_RATE = 30.0
"""The rate of a source that no calibration observed [Hz]. Source: sPyNNaker's option spikes_per_second."""
DEVIATIONS = 3
"""Standard deviations of the number of spikes up to which their distribution is summed. Source: POSSION_SIGMA_SUMMATION_LIMIT."""
LARGEST_LOG = 701.0
"""Logarithm beyond which the variance of weights is left out. Source: _ring_buffer_expected_upper_bound."""


WEIGHTS_AT_ONCE = 2**18
"""Weights whose statistics are computed at once."""

RealsByOp = Mapping[ntensor.SynapseOpInterface, AnyArray]
"""Weights or biases by op."""


def equal_numbers(value: float, size: int) -> Reals:
    """Returns an array of one number, which takes the memory of one element."""
    return np.broadcast_to(np.float64(value), (size,))


def are_equal_numbers(part: Reals) -> bool:
    """Returns whether an array is known to be of one number."""
    return part.size > 0 and part.strides == (0,)


def compact(values: AnyArray) -> Reals:
    """Returns the numbers of an array, flat; one number where all are equal."""
    flat = values.reshape(-1)
    is_one = flat.size > 0 and bool((flat == flat[0]).all())
    return equal_numbers(float(flat[0]), flat.size) if is_one else flat.astype(np.float64)


def added(one: Reals, other: Reals) -> Reals:
    """Returns the sum of two arrays of one size."""
    both = are_equal_numbers(one) and are_equal_numbers(other)
    return equal_numbers(float(one[0] + other[0]), one.size) if both else one + other


def taken(part: Reals, index: AnyArray) -> Reals:
    """Returns the elements at an index, or where a mask is true."""
    if not are_equal_numbers(part):
        return part[index]
    return equal_numbers(float(part[0]), int(np.count_nonzero(index)) if index.dtype == np.bool_ else index.size)


@frozen(eq=False)
class Paths:
    """Some paths to each element of a value, flat, by number and sums: their variance is that of all delays together. Units: ticks [ticks], squares [ticks^2].

    A path passes synapses, sums, reshapes and delays, and begins at the output of a population or at an input of the network.
    """

    count: Reals
    ticks: Reals
    """The sum of the delays."""
    squares: Reals
    """The sum of the squares of the delays."""

    def __add__(self, other: Paths) -> Paths:
        return Paths(self.count + other.count, self.ticks + other.ticks, self.squares + other.squares)

    def at(self, index: AnyArray) -> Paths:
        return Paths(taken(self.count, index), taken(self.ticks, index), taken(self.squares, index))

    def repeated(self, size: int) -> Paths | None:
        """Returns as many equal paths if all of these are equal, else None."""
        parts = self.count, self.ticks, self.squares
        if not all(map(are_equal_numbers, parts)):
            return None
        return Paths(*(equal_numbers(float(part[0]), size) for part in parts))

    def late(self, delay: Reals) -> Paths:
        """Returns the same paths with a further delay of each element."""
        if all(map(are_equal_numbers, (delay, self.count, self.ticks, self.squares))) and delay.size > 1:
            one = Paths(self.count[:1], self.ticks[:1], self.squares[:1]).late(delay[:1])
            return Paths(*(equal_numbers(float(part[0]), delay.size) for part in (one.count, one.ticks, one.squares)))
        squares = self.squares + 2 * delay * self.ticks + delay * delay * self.count
        return Paths(self.count, self.ticks + delay * self.count, squares)

    @property
    def variance(self) -> float:
        """The variance of all delays; exactly 0 if they are equal."""
        count, ticks, squares = (int(part.sum()) for part in (self.count, self.ticks, self.squares))
        return (count * squares - ticks * ticks) / (count * count)


def delayed_paths(value: SSAValue) -> dict[SSAValue, Paths]:
    """Returns the paths that end at each element of a value, by the value that they begin at."""
    op = value.owner
    match op:
        case ntensor.SynapseOpInterface():
            return {source: through(op, paths) for source, paths in delayed_paths(op.x).items()}
        case ntensor.SumOp():
            found: dict[SSAValue, Paths] = {}
            for x in op.xs:
                for source, paths in delayed_paths(x).items():
                    found[source] = found[source] + paths if source in found else paths
            return found
        case ntensor.ReshapeOp():
            return delayed_paths(op.x)
        case ntensor.DelayOp():
            delay = compact(np.broadcast_to(op.ticks.values, shape_of(op.x)))
            return {source: paths.late(delay) for source, paths in delayed_paths(op.x).items()}
        case _:
            size = prod(shape_of(value))
            return {value: Paths(equal_numbers(1, size), equal_numbers(0, size), equal_numbers(0, size))}


def through(op: ntensor.SynapseOpInterface, before: Paths) -> Paths:
    """Returns the paths through the synapses of an op."""
    source, target, place = op.used_pairs()
    given = before.at(source)
    if op.delays is not None and op.weights is not None:
        given = given.late(np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1).astype(np.float64)[place])
    size = prod(shape_of(op.y))
    each = (np.bincount(target, part, size).astype(np.float64) for part in (given.count, given.ticks, given.squares))
    return Paths(*each)


@frozen(eq=False)
class Rates:
    """The rates of sources: `given`, else a calibration's rates (an unobserved source spikes in every tick), else a default. Units: [Hz] at ticks of 1 ms."""

    network: ntensor.NetworkOp
    given: float | None

    @property
    def text(self) -> str:
        if self.given is None and OBSERVED in self.network.attributes:
            return "the rates of the calibration"
        return f"{DEFAULT_RATE if self.given is None else self.given:g} spikes per second"

    def of(self, source: SSAValue | None) -> float:
        """Returns the rate of a population or input, or the rate of a bias if `source` is None."""
        if self.given is not None or OBSERVED not in self.network.attributes:
            return DEFAULT_RATE if self.given is None else self.given
        found = None
        if isinstance(source, BlockArgument):
            name = texts_of(self.network.input_names)[source.index]
            found = observed_rate(self.network, "inputs", name, "density")
        elif source is not None and isinstance(source.owner, Operation):
            found = observed_rate(source.owner, "rate")
        return TICKS_PER_SECOND * (1.0 if found is None else min(found, 1.0))


@frozen(eq=False)
class Projection:
    """The synapses of one op from one source into a population. Shapes: target and place [synapses]: the neuron, and the weight of the op.

    The synapses of a dense op with equal paths are its weights in their order, and have no target and no place: these need four times the memory of the weights.
    """

    op: ntensor.SynapseOpInterface
    target: Ints | None
    place: Ints | None
    paths: Paths
    """Paths of each synapse: more than 1 after a pool."""
    rate: float


@frozen(eq=False)
class Afferents:
    """All projections into a population."""

    projections: tuple[Projection, ...]
    bias_rate: float

    @property
    def ops(self) -> list[ntensor.SynapseOpInterface]:
        return list(dict.fromkeys(one.op for one in self.projections))


def afferents(population: ntensor.NeuronOp, is_meant: Callable[[Operation], bool], rates: Rates) -> Afferents:
    """Returns the projections into a population, of the ops that are meant."""
    found = [leaf for x in population.xs for leaf in leaves(x) if leaf.op is not None and is_meant(leaf.op)]
    return Afferents(tuple(one for leaf in found for one in projections(leaf, rates)), rates.of(None))


def projections(leaf: Leaf, rates: Rates) -> list[Projection]:
    """Returns the synapses of an op by their source."""
    op = leaf.op
    assert isinstance(op, ntensor.SynapseOpInterface)  # is_meant
    assert op.weights is not None  # is_meant
    paths_of = delayed_paths(op.x)
    if is_dense(op) and not any(isinstance(step, ntensor.DelayOp) for step in leaf.path):
        equal = {x: paths.repeated(prod(op.weights.shape)) for x, paths in paths_of.items()}
        if None not in equal.values():
            return [Projection(op, None, None, paths, rates.of(x)) for x, paths in equal.items() if paths is not None]
    source, target, place = op.pairs()
    delay = equal_numbers(0, len(place))
    if op.delays is not None:
        delay = np.broadcast_to(op.delays.values, op.weights.shape).reshape(-1).astype(np.float64)[place]
    for step in leaf.path:
        if isinstance(step, ntensor.DelayOp):
            delay = added(delay, taken(compact(np.broadcast_to(step.ticks.values, shape_of(step.y))), target))
    return [Projection(op, target, place, paths.at(source).late(delay), rates.of(x)) for x, paths in paths_of.items()]


def is_dense(op: ntensor.SynapseOpInterface) -> bool:
    """Returns whether each weight of an op is one synapse without a delay of its own, which does not learn, and the rows of weights are those of neurons."""
    return isinstance(op, ntensor.LinearOp) and op.delays is None and op.learning_rule is None


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


@frozen
class Sum:
    """The sum that is expected in a ring buffer; `is_bound` if it is less than the largest one."""

    value: float
    is_bound: bool


@frozen
class UsedWeights:
    """Statistics of the weights of a projection with one sign, each counted once for each of its paths."""

    mean: float
    variance: float
    largest: float
    most_synapses: int
    """Of one neuron."""
    paths: Paths


def used_weights(one: Projection, weights: AnyArray, sign: int, unit: int) -> UsedWeights | None:
    """Returns the statistics of the weights of one sign, in units of 2^unit; None if there are none."""
    if one.target is None or one.place is None:
        return dense_weights(one, weights, sign, unit)
    values = sign * np.ldexp(weights.reshape(-1)[one.place].astype(np.float64), -unit)
    if (most := greatest_weight(one.op)) is not None:
        values = np.full(len(values), max(sign * ldexp(most, -unit), float(values.max(initial=-inf))))
    is_used = (values > 0) & (one.paths.count > 0)
    if not is_used.any():
        return None
    used, paths = values[is_used], one.paths.at(is_used)
    count = int(np.bincount(one.target[is_used], paths.count, prod(shape_of(one.op.y))).max())
    mean = float(np.average(used, weights=paths.count))
    variance = float(np.average((used - mean) ** 2, weights=paths.count))
    return UsedWeights(mean, variance, float(used.max()), count, paths)


def greatest_weight(op: ntensor.SynapseOpInterface) -> float | None:
    """Returns the greatest weight that the rule of an op permits; None without a rule, and for one without bounds."""
    bounds = learnt_bounds(op)
    return None if bounds is None or isinf(bounds[1]) else bounds[1]


def dense_weights(one: Projection, weights: AnyArray, sign: int, unit: int) -> UsedWeights | None:
    """Returns the statistics of a dense projection by blocks of weights, so that no array in f64 has all of them."""
    is_used = weights > 0 if sign > 0 else weights < 0
    number, count = int(np.count_nonzero(is_used)), float(one.paths.count[0]) if one.paths.count.size else 0.0
    if not number or not count:
        return None

    def blocks() -> Iterator[Reals]:
        flat, mask = weights.reshape(-1), is_used.reshape(-1)
        for start in range(0, flat.size, WEIGHTS_AT_ONCE):
            part = slice(start, start + WEIGHTS_AT_ONCE)
            yield np.ldexp(np.abs(flat[part][mask[part]]).astype(np.float64), -unit)

    mean = sum(float(block.sum()) for block in blocks()) / number
    variance = sum(float(((block - mean) ** 2).sum()) for block in blocks()) / number
    largest = max(float(block.max(initial=0.0)) for block in blocks())
    most = int(np.count_nonzero(is_used, axis=-1).max() * count)
    paths = one.paths.repeated(number)
    assert paths is not None  # they are equal
    return UsedWeights(mean, variance, largest, most, paths)


def expected_sum(
    inputs: Afferents,
    weights: RealsByOp,
    biases: RealsByOp,
    sign: int,
    sigma: float,
    unit: int,
) -> Sum:
    """Returns the sum that is expected in a ring buffer, of the weights of one sign, in units of 2^unit."""
    held, delays, rates, total, biggest = RunningStatistics(), RunningStatistics(), RunningStatistics(), 0.0, 0.0
    for one in inputs.projections:
        found = used_weights(one, weights[one.op], sign, unit)
        if found is not None:
            held.add(found.mean, found.variance, found.most_synapses)
            delays.add(0.0, found.paths.variance, found.most_synapses)
            rates.add(one.rate, 0.0, found.most_synapses)
            biggest, total = max(biggest, found.largest), total + found.largest * found.most_synapses
    for bias in (biases[op] for op in inputs.ops if op in biases):
        if (sign * bias > 0).any():
            used = np.ldexp((sign * bias)[sign * bias > 0], -unit)
            held.add(float(used.mean()), float(used.var()), 1)
            delays.add(0.0, 0.0, 1)
            rates.add(inputs.bias_rate, 0.0, 1)
            biggest, total = max(biggest, float(used.max())), total + float(used.max())
    largest = max(total, biggest)
    if delays.variance == 0 or rates.mean >= TICKS_PER_SECOND:
        return Sum(largest, False)
    bound = poisson_bound(held.mean, sqrt(held.variance), rates.mean, held.count, sigma)
    return Sum(max(min(bound, total), biggest), bound < total)


def largest_sum(inputs: Afferents, weights: RealsByOp) -> float:
    """Returns the largest sum of the weights of one sign that one neuron can receive in a tick."""
    found = dict[int, Reals]()
    for one, sign in ((one, sign) for one in inputs.projections for sign in (1, -1)):
        size = prod(shape_of(one.op.y))
        if one.target is None or one.place is None:
            given, count = weights[one.op].reshape(size, -1), float(one.paths.count[0]) if one.paths.count.size else 0.0
            step = max(1, WEIGHTS_AT_ONCE // max(1, given.shape[1]))
            parts = (given[start : start + step].astype(np.float64) for start in range(0, size, step))
            sums = np.concatenate([np.maximum(sign * part, 0).sum(axis=1) * count for part in parts])
        else:
            values = np.maximum(sign * weights[one.op].reshape(-1)[one.place].astype(np.float64), 0) * one.paths.count
            sums = np.bincount(one.target, values, size)
        found[sign] = found.get(sign, np.zeros(size)) + sums
    return max((float(each.max(initial=0)) for each in found.values()), default=0.0)


def poisson_bound(mean: float, deviation: float, rate: float, synapses: int, sigma: float) -> float:
    """Returns mean + sigma * deviation of the total weight of the spikes in one tick. Units: rate [Hz]."""
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
    """Returns the least integer s with total < 2^s; minus infinity if the total is 0 or less."""
    return -inf if total <= 0 else float(frexp(total)[1])

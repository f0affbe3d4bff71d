"""Rows whose weights learn: pairs and triplets of spikes of sPyNNaker, in its fixed point, when an event reaches a row.

    trace:    r = mul(r, table_plus[t - last]) + 2048 at an event, o = mul(o, table_minus[t - last]) + 2048 at a spike of the target
    event of a row at tick t, for each of its synapses:
      for each spike of the target at s, last < s <= t:   w = min(w + ((a_plus  * (mul(r, table_plus[s - last]) << 4)) >> 15), w_max)
      for the last spike of the target at s <= t:         w = max(w - ((a_minus * (mul(o, table_minus[t - s]) << 4)) >> 15), w_min)
      the row stores w >> shift, and adds it to the ring buffers

1. `mul(a, b)` is a * b >> 11 of 16 bits. A table has floor(2048 exp(-k / tau)) until it would be below 1, and 0 after it.
2. w, a_plus, a_minus and the bounds are s16.15. A stored weight is w >> shift, with the shift of the ring buffer of its receptor.
3. A target keeps its last 15 spikes, that of the tick of the event included. A spike of the target in the tick `last` does not count.
4. Weights do not change between events: those of a source that has stopped are as they were at its last event.
5. `spike_nearest_pair` has 1 for mul(r, …) and mul(o, …) before their tables: the entries alone. A spike of the target counts if the one before it is not after `last`;
   without an event `last` is 0, as if the source had sent in tick 0.
6. `multiplicative` weights have shares as a_plus and a_minus: w += (((w_max - w) * a_plus >> 15) * (… << 4)) >> 15, and w -= (((w - w_min) * a_minus >> 15) * (… << 4)) >> 15.
   Nothing limits a weight, which the distance to the bound holds back.
7. `pfister_triplet` has a slow trace of each side, before the spike: q = mul(q + 2048, table_x[t - last >> 2]) of sources, and in the same way of targets by table_y.
   It is 0 at the first spike, and after one in tick 0. The tables have exp(-4 k / tau). Each change has a second term, by a3 and the product of both traces.

Source: sPyNNaker, neural_modelling/src/neuron/plasticity/stdp: synapse_dynamics_stdp_mad_impl.c, post_events.h, maths.h, timing_pair_impl.h,
timing_nearest_pair_impl.h, timing_pfister_triplet_impl.h, weight_additive_two_term_impl.h, weight_additive_one_term_impl.h,
weight_multiplicative_impl.h; 7.4.1, pyNN/models/neuron/plasticity/stdp/common.py (get_exp_lut_array).
"""

from __future__ import annotations

from decimal import Decimal
from math import log

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Ints
from ...dialects.spinnaker import StdpAttr, TripletAttr

ONE, POINT = 1 << 11, 11
"""1 of a trace, and the bits of its fraction."""
ACCUM_POINT, ACCUM_SHIFT = 15, 4
"""Bits of the fraction of a weight, and the further ones that a trace gets."""
SLOW_SHIFT = 2
"""Bits of the ticks between two entries of the tables of slow traces."""
SPIKES = 16
"""Entries of the history of a target; the first is none of its spikes."""
WEIGHT_MOST = 0xFFFF
SHARES = ("a_plus", "a_minus")
"""Constants that are shares of a distance, with multiplicative weights."""


def exponential_table(tau: float, shift: int = 0) -> Ints:
    """Returns the table of a time constant, whose entries are 2^shift ticks apart. Units: tau [ticks]."""
    rate = 1 / tau
    pairs, extra = divmod(log(ONE) / rate / (1 << shift), 2)
    size = (int(pairs) + (extra > 0)) * 2
    return np.floor(np.exp((np.arange(size) << shift) * -rate) * ONE).astype(np.int64)


def looked_up(table: Ints, ticks: Ints) -> Ints:
    """Returns entries of a table, 0 beyond its end."""
    found = np.zeros(ticks.shape, np.int64)
    is_held = ticks < len(table)
    found[is_held] = table[ticks[is_held]]
    return found


def halfword_product(a: Ints, b: Ints) -> Ints:
    """Returns the product of two numbers of 16 bits with the point of traces."""
    return a.astype(np.int16).astype(np.int64) * b.astype(np.int16).astype(np.int64) >> POINT


def next_trace(trace: Ints, table: Ints, ticks: Ints) -> Ints:
    """Returns traces after a spike."""
    return (halfword_product(trace, looked_up(table, ticks)) + ONE).astype(np.int16).astype(np.int64)


def next_slow_trace(trace: Ints, table: Ints, ticks: Ints, last: Ints) -> Ints:
    """Returns slow traces before a spike: 0 without an earlier one."""
    found = halfword_product(trace + ONE, looked_up(table, ticks >> SLOW_SHIFT))
    return np.where(last == 0, 0, found.astype(np.int16)).astype(np.int64)


def accum_bits(value: float) -> int:
    """Returns the bits of a number in s16.15, rounded as sPyNNaker does."""
    return round(Decimal(str(value)) * (1 << ACCUM_POINT))


@frozen(eq=False)
class PlasticRows:
    """The rule of the synapses from one sender into a core. Shapes: each [synapses]."""

    node: str
    rule: StdpAttr
    triplet: TripletAttr | None
    neurons: int
    senders: int
    """Neurons of the sender: one row each."""
    source: Ints
    """The flat index of the source neuron."""
    target: Ints
    neuron: Ints
    """The place of the target in the core."""
    weight: Ints
    shift: Ints
    """The shift of the ring buffer of its receptor."""
    unit: float
    """The number of the network that a stored weight of 1 is."""

    def start(self, samples: int) -> RowEngine:
        return RowEngine(self, samples)

    @property
    def is_multiplicative(self) -> bool:
        return self.rule.weights.data == "multiplicative"

    @property
    def numbers(self) -> dict[str, float]:
        """Returns the numbers of the rule by name, those of triplets among them."""
        slow: dict[str, float] = {} if self.triplet is None else self.triplet.values
        return {**self.rule.values, **slow}

    def bits(self, name: str) -> Ints:
        """Returns a constant of the rule in s16.15, for each synapse: in integers of the weights, or a share of a distance."""
        value = self.numbers[name]
        if self.is_multiplicative and name in SHARES:
            return np.full(len(self.shift), accum_bits(value), np.int64)
        found = {shift: accum_bits(value * 2.0 ** (shift - ACCUM_POINT)) for shift in np.unique(self.shift).tolist()}
        return np.array([found[shift] for shift in self.shift.tolist()], np.int64)


class RowEngine:
    """The state of rows while some samples run. Shapes: rows [samples, senders], histories [samples, neurons, entries], stored [samples, synapses]."""

    def __init__(self, learning: PlasticRows, samples: int):
        self.learning, values = learning, learning.rule.values
        self.is_nearest = learning.rule.timing.data == "spike_nearest_pair"
        self.plus, self.minus = (exponential_table(values[f"tau_{side}"]) for side in ("plus", "minus"))
        self.bits = {name: learning.bits(name) for name in ("a_plus", "a_minus", "w_min", "w_max")}
        self.slow: list[Ints] | None = None
        """The tables of the slow traces of sources and targets; None without triplets."""
        if learning.triplet is not None:
            self.slow = [exponential_table(learning.numbers[name], SLOW_SHIFT) for name in ("tau_x", "tau_y")]
            self.bits |= {name: learning.bits(name) for name in ("a3_plus", "a3_minus")}
        self.last = np.zeros((samples, learning.senders), np.int64)
        self.trace, self.slow_trace = np.zeros_like(self.last), np.zeros_like(self.last)
        history = samples, learning.neurons, SPIKES
        self.times, self.traces, self.slow_traces = (np.zeros(history, np.int64) for _ in range(3))
        self.count = np.zeros(history[:2], np.int64)
        self.stored = np.broadcast_to(learning.weight, (samples, len(learning.weight))).copy()

    @property
    def real(self) -> AnyArray:
        """Returns the weights in numbers of the network. Shapes: [samples, synapses]."""
        return self.stored * self.learning.unit

    def follow(self, before: RowEngine) -> None:
        """Adopts the weights of the sample before this one."""
        self.stored = before.stored

    def spike(self, t: int, spikes: AnyArray) -> None:
        """Adds the spikes of the targets to their histories. Shapes: spikes [samples, neurons]."""
        sample, neuron = np.nonzero(spikes)
        count = self.count[sample, neuron]
        last = self.times[sample, neuron, count]
        trace = next_trace(self.traces[sample, neuron, count], self.minus, t - last)
        slow = np.zeros_like(trace)
        if self.slow is not None:
            slow = next_slow_trace(self.slow_traces[sample, neuron, count], self.slow[1], t - last, last)
        is_full = count == SPIKES - 1
        full = sample[is_full], neuron[is_full]
        for held in (self.times, self.traces, self.slow_traces):
            held[(*full, slice(1, SPIKES - 1))] = held[(*full, slice(2, SPIKES))]
        place = np.minimum(count + 1, SPIKES - 1)
        self.times[sample, neuron, place], self.traces[sample, neuron, place] = t, trace
        self.slow_traces[sample, neuron, place] = slow
        self.count[sample, neuron] = place

    def arrive(self, t: int, sample: Ints, neuron: Ints, event: Ints, synapse: Ints) -> Ints:
        """Changes the weights of the rows of some events, and returns them. Shapes: sample and neuron [events]; event, synapse and result [changes]."""
        learning = self.learning
        row, target = sample[event], learning.neuron[synapse]
        last, trace = self.last[sample, neuron][event], self.trace[sample, neuron][event]
        a_plus, a_minus, low, high = (self.bits[name][synapse] for name in ("a_plus", "a_minus", "w_min", "w_max"))
        shift, is_share = learning.shift[synapse], learning.is_multiplicative
        weight = self.stored[row, synapse] << shift
        times, traces, count = self.times[row, target], self.traces[row, target], self.count[row, target]
        slow_traces, slow_trace = self.slow_traces[row, target], self.slow_trace[sample, neuron]
        if self.slow is not None:
            ticks = t - self.last[sample, neuron]
            slow_trace = next_slow_trace(slow_trace, self.slow[0], ticks, self.last[sample, neuron])
        before, before_trace, is_known = np.zeros_like(last), np.zeros_like(last), np.zeros(len(last), np.bool_)
        for k in range(1, int(count.max(initial=0)) + 1):
            time, is_held = times[:, k], k <= count
            is_new = is_held & (time > last)
            factor = looked_up(self.plus, np.where(is_new, time - last, 0))
            if self.is_nearest:
                is_new &= times[:, k - 1] <= last  # the first one since the event
            else:
                factor = halfword_product(trace, factor)
            change = scaled(share(high - weight, a_plus) if is_share else a_plus, factor)
            if self.slow is not None:
                change += scaled(self.bits["a3_plus"][synapse], halfword_product(factor, slow_traces[:, k]))
            raised = weight + change
            weight = np.where(is_new, raised if is_share else np.minimum(raised, high), weight)
            before, before_trace = np.where(is_held, time, before), np.where(is_held, traces[:, k], before_trace)
            is_known |= is_held
        factor = looked_up(self.minus, t - before)
        if not self.is_nearest:
            factor = halfword_product(before_trace, factor)
        change = scaled(share(weight - low, a_minus) if is_share else a_minus, factor)
        if self.slow is not None:
            change += scaled(self.bits["a3_minus"][synapse], halfword_product(factor, slow_trace[event]))
        lower = weight - change if is_share else np.maximum(weight - change, low)
        weight = np.where(is_known, lower, weight) >> shift & WEIGHT_MOST
        self.stored[row, synapse] = weight
        self.trace[sample, neuron] = next_trace(self.trace[sample, neuron], self.plus, t - self.last[sample, neuron])
        self.slow_trace[sample, neuron] = slow_trace
        self.last[sample, neuron] = t
        return weight


def share(distance: Ints, part: Ints) -> Ints:
    """Returns the amplitude of a weight by its distance from a bound, both in s16.15."""
    return distance * part >> ACCUM_POINT


def scaled(amplitude: Ints, factor: Ints) -> Ints:
    """Returns an amplitude in s16.15 times a factor with the point of traces."""
    return amplitude * (factor << ACCUM_SHIFT) >> ACCUM_POINT

"""Pair STDP of a chip: the rule `#nir.stdp`, in reals or in integers of the device.

    each tick:       x = decay(x, tau_plus), y = decay(y, tau_minus)
    spike of a neuron:   w = clip(w + a_plus x / impulse)           x without the events of this tick
    event of an axon:    w = clip(w - a_minus y / impulse)          y without the spikes of this tick
    after them:      x += impulse at events, y += impulse at spikes

1. Events count in the tick in which they arrive, spikes in that of their emission. A pair within a tick changes nothing.
2. With `trace_bits`, traces are integers from 0 to 2^trace_bits - 1. `impulse` defaults to an eighth of the range. Without, they are reals and the impulse is 1.
3. Weights that are stored as integers round in each change, and stay within the bounds and within the type of the table.

Rounding, a field of the device: `stochastic`, `shared` (one number for all traces of a side and one for all weights), or `nearest`, the default.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import numpy as np
from attrs import frozen

from ...core.arrays.numeric import AnyArray, Bools, Ints
from ...core.device.neuron_records import RoundingKind
from ...core.device.records import Device
from ...dialects.nir import StdpAttr
from .plastic_table import Events, Synapses, active, axon_columns, places_of
from .rounding import rounding_of, stream_of, uniform

NS_PER_S = 1e9
SLACK = 1e-9
"""Tolerance of a bound that is a step of the weights, in steps."""


@frozen
class PairNumbers:
    """The numbers of a device that computes pair rules."""

    tick_ns: int
    rounding: RoundingKind
    seed: int
    trace_bits: int | None
    impulse: int

    @property
    def most(self) -> int | None:
        """Returns the largest trace; None for reals."""
        return None if self.trace_bits is None else 2**self.trace_bits - 1


def pair_numbers(device: Device, tick_ns: int) -> PairNumbers:
    """Returns the numbers of the first pair rule of a device. Units: tick_ns [ns]."""
    key = next((key for key, one in (device.plasticity or {}).items() if one.rule == "stdp"), None)
    bits = None if key is None else device.integer(f"plasticity.{key}.trace_bits")
    impulse = None if key is None else device.integer(f"plasticity.{key}.impulse")
    default = 1 if bits is None else max(1, 2 ** (bits - 3))
    return PairNumbers(tick_ns, *rounding_of(device), bits, default if impulse is None or bits is None else impulse)


@frozen(eq=False)
class PairLearning:
    """The pair rule of a table. `step` is the number of the network that a stored 1 is; None for weights that are reals. Shapes: step () or [synapses]."""

    rule: StdpAttr
    synapses: Synapses
    numbers: PairNumbers
    step: AnyArray | None
    is_real: bool = False
    """Whether the sums add stored integers times their step."""

    @property
    def reads_when_sent(self) -> bool:
        """Returns False: sums add the weights of the tick in which an event arrives."""
        return False

    @property
    def ends(self) -> tuple[AnyArray, AnyArray]:
        """Returns the least and the greatest stored weight. Shapes: () or [synapses]."""
        low, high = np.asarray(self.rule.values["w_min"]), np.asarray(self.rule.values["w_max"])
        if self.step is None:
            return low, high
        low, high = np.ceil(low / self.step - SLACK), np.floor(high / self.step + SLACK)
        dtype = self.synapses.weight.dtype
        if dtype.kind in "iu" and not self.is_real:
            held = np.iinfo(dtype)
            low, high = np.maximum(low, held.min), np.minimum(high, held.max)
        return low, high

    def start(self, samples: int) -> PairLearner:
        return PairLearner(self, samples)


class PairLearner:
    """The state of a pair rule while some samples run. Shapes: x [samples, columns], y [samples, neurons], stored and weight [samples, synapses]."""

    def __init__(self, learning: PairLearning, samples: int):
        self.learning, synapses = learning, learning.synapses
        self.neuron = synapses.neuron
        self.sides: list[tuple[int, Ints, Ints, int]] = []
        """For each delay: its synapses' columns among the events, the column of each axon, and the number of columns."""
        self.column = np.zeros(synapses.count, np.int64)
        first = 0
        for delay in np.unique(synapses.delay).tolist():
            mine = np.flatnonzero(synapses.delay == delay)
            column, place, count = axon_columns(synapses.axon[mine])
            self.column[mine] = first + column
            self.sides.append((delay, place, np.arange(first, first + count), count))
            first += count
        self.x, self.y = np.zeros((samples, first)), np.zeros((samples, synapses.neurons))
        shape = samples, synapses.count
        weight = synapses.weight.astype(np.float64)
        if learning.step is not None and learning.is_real:
            weight = np.round(weight / learning.step)
        self.stored = np.broadcast_to(weight, shape).copy()
        self.weight = self.added()
        self.elapsed = 0
        """Ticks of earlier samples, for random numbers."""

    def follow(self, before: PairLearner, ticks: int) -> None:
        self.stored, self.weight, self.elapsed = before.stored, before.weight, before.elapsed + ticks

    def added(self) -> AnyArray:
        """Returns the weights as the sums add them."""
        learning, dtype = self.learning, self.learning.synapses.weight.dtype
        if learning.step is not None and learning.is_real:
            return (self.stored * learning.step).astype(dtype)
        return self.stored.astype(np.int64 if learning.step is not None else dtype)

    def learn(self, t: int, past: Sequence[Sequence[Events]], spikes: Bools) -> None:
        """Changes traces and weights at the end of a tick. Shapes: spikes [samples, neurons]."""
        values, numbers = self.learning.rule.values, self.learning.numbers
        tick = numbers.tick_ns / NS_PER_S
        self.x = self.decayed(self.x, exp(-tick / values["tau_plus"]), t, "x")
        self.y = self.decayed(self.y, exp(-tick / values["tau_minus"]), t, "y")
        arrived = np.zeros(self.x.shape, np.bool_)
        for delay, place, columns, count in self.sides:
            events = past[delay] if delay < len(past) else []
            arrived[:, columns] = active(events, places_of(place, events), (len(arrived), count))
        low, high = self.learning.ends
        is_changed = False
        for name, events, at, trace, amplitude in (
            ("post", spikes, self.neuron, self.x[:, self.column], values["a_plus"]),
            ("pre", arrived, self.column, self.y[:, self.neuron], -values["a_minus"]),
        ):
            sample, synapse = np.nonzero(events[:, at] & (trace > 0))
            if not len(sample) or not amplitude:
                continue
            change = amplitude * trace[sample, synapse] / numbers.impulse
            before = self.stored[sample, synapse]
            after = self.rounded(before, change, synapse, t, name)
            ends = [np.broadcast_to(one, self.stored.shape[1])[synapse] for one in (low, high)]
            # a weight that starts beyond a bound moves to it at its first change
            self.stored[sample, synapse] = np.clip(after, *ends)
            is_changed = True
        self.x[arrived] += numbers.impulse
        self.y[spikes] += numbers.impulse
        if numbers.most is not None:
            self.x, self.y = np.minimum(self.x, numbers.most), np.minimum(self.y, numbers.most)
        if is_changed:
            self.weight = self.added()

    def decayed(self, trace: AnyArray, factor: float, t: int, side: str) -> AnyArray:
        """Returns traces after a tick."""
        found = trace * factor
        return found if self.learning.numbers.most is None else self.round_up(found, t, side, trace.shape[1])

    def rounded(self, before: AnyArray, change: AnyArray, synapse: Ints, t: int, name: str) -> AnyArray:
        """Returns stored weights after a change in numbers of the network. Shapes: [changes]."""
        if self.learning.step is None:
            return before + change
        found = before + change / np.broadcast_to(self.learning.step, self.stored.shape[1])[synapse]
        return self.round_up(found, t, name, self.stored.shape[1], synapse)

    def round_up(self, values: AnyArray, t: int, name: str, count: int, place: Ints | None = None) -> AnyArray:
        """Returns integers: values below a whole number are rounded up if the number of their place is below their fraction."""
        numbers, whole = self.learning.numbers, np.floor(values)
        if numbers.rounding == "nearest":
            return whole + (values - whole >= 0.5)
        shared = numbers.rounding == "shared"
        stream, tick = stream_of(self.learning.synapses.place, name), self.elapsed + t
        drawn = uniform(numbers.seed, stream, tick, 1 if shared else count)
        drawn = np.broadcast_to(drawn, count)
        return whole + ((drawn if place is None else drawn[place]) < values - whole)
